package backups

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"

	"ichido/store"
)

// ErrNoRecipient says that something is no recipient of age's.
var ErrNoRecipient = errors.New("that is no recipient of age")

// ParseRecipients reads recipients as age-keygen writes them: age1...
func ParseRecipients(lines []string) (all []age.Recipient, err error) {
	for _, line := range lines {
		one, err := age.ParseRecipients(strings.NewReader(line))
		if err != nil || len(one) != 1 {
			return nil, ErrNoRecipient // not age's own error, which could repeat a secret in the wrong place
		}
		all = append(all, one[0])
	}
	return all, nil
}

// Encrypt encrypts what it reads to the recipients, if there are any.
func Encrypt(src io.Reader, to []age.Recipient) (io.Reader, error) {
	if len(to) == 0 {
		return src, nil
	}
	return age.EncryptReader(src, to...)
}

// Write copies a backup to an empty file, encrypted if there are recipients, and reads
// back what it has written. It returns size and SHA-256 of the file.
func Write(ctx context.Context, dst *os.File, src io.Reader, to []age.Recipient) (size int64, hash string, err error) {
	// Whoever encrypts has no identity that could read it: the key of the file stays here.
	var key []byte
	witnesses := make([]age.Recipient, len(to))
	for i, r := range to {
		witnesses[i] = &witness{r, &key}
	}
	plain := sha256.New()
	sealed, err := Encrypt(io.TeeReader(src, plain), witnesses)
	if err == nil {
		err = store.CopyTo(ctx, dst, sealed)
	}
	if err != nil {
		return 0, "", err
	}
	if _, err := dst.Seek(0, io.SeekStart); err != nil {
		return 0, "", err
	}
	whole, content := sha256.New(), sha256.New()
	written := &counter{Writer: whole}
	opened := io.TeeReader(dst, written)
	if key != nil {
		opened, err = age.Decrypt(opened, age.NewInjectedFileKeyIdentity(key))
	}
	if err == nil {
		_, err = io.Copy(content, opened)
	}
	if err != nil || !bytes.Equal(content.Sum(nil), plain.Sum(nil)) {
		return 0, "", fmt.Errorf("%w (%v)", errReadsOtherwise, err)
	}
	return written.n, hex.EncodeToString(whole.Sum(nil)), nil
}

var errReadsOtherwise = errors.New("what was written can't be read back as it was")

type counter struct {
	io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.Writer.Write(p)
}

// witness is a recipient that notes the key of the file, with which what was written is
// read back: whoever encrypts has no identity that could.
type witness struct {
	age.Recipient
	key *[]byte
}

// Wrap implements age.Recipient.
func (w *witness) Wrap(fileKey []byte) ([]*age.Stanza, error) {
	*w.key = append([]byte(nil), fileKey...)
	return w.Recipient.Wrap(fileKey)
}

// WrapWithLabels implements age.RecipientWithLabels, as some recipients do: by the labels
// age refuses such as weaken each other.
func (w *witness) WrapWithLabels(fileKey []byte) ([]*age.Stanza, []string, error) {
	labelled, ok := w.Recipient.(age.RecipientWithLabels)
	if !ok {
		stanzas, err := w.Wrap(fileKey)
		return stanzas, nil, err
	}
	*w.key = append([]byte(nil), fileKey...)
	return labelled.WrapWithLabels(fileKey)
}

// ageHeader begins an encrypted file.
const ageHeader = "age-encryption.org/"

// Encrypted says whether the file is one of age's.
func Encrypted(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	begin, err := bufio.NewReader(f).Peek(len(ageHeader))
	if err == io.EOF {
		err = nil // shorter
	}
	return string(begin) == ageHeader, err
}

// Errors of Open.
var (
	ErrNoIdentity    = errors.New("there is no identity of age in the file")
	ErrWrongIdentity = errors.New("the backup is encrypted for another identity")
)

// Open decrypts the file to dst with the identities in the other file, as age-keygen
// writes it. An error may come after some of it is written.
func Open(ctx context.Context, dst *os.File, path, identities string) error {
	f, err := os.Open(identities)
	if err != nil {
		return err
	}
	defer f.Close()
	keys, err := age.ParseIdentities(f)
	if err != nil {
		return ErrNoIdentity // not age's own error, which could repeat a part of a key
	}
	sealed, err := os.Open(path)
	if err != nil {
		return err
	}
	defer sealed.Close()
	plain, err := age.Decrypt(sealed, keys...)
	if _, wrong := errors.AsType[*age.NoIdentityMatchError](err); wrong {
		return ErrWrongIdentity
	} else if err != nil {
		return fmt.Errorf("%w: %v", store.ErrDamaged, err)
	}
	return store.CopyTo(ctx, dst, authentic{plain})
}

// authentic reads what age decrypts, of which an error means that it was changed.
type authentic struct{ io.Reader }

func (a authentic) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%w: %v", store.ErrDamaged, err)
	}
	return n, err
}
