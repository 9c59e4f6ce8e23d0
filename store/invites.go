package store

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"time"
)

// InviteTime is how long an invitation's code lets somebody in.
const InviteTime = 15 * time.Minute

// A code has inviteLength characters of Crockford's base 32. The first is a letter and
// the last a digit, and letters and digits change places in between: so that no word,
// no number and no word with its price looks like one. That leaves 47 bits.
const (
	inviteLength   = 10
	inviteDigits   = "0123456789"
	inviteLetters  = "ABCDEFGHJKMNPQRSTVWXYZ"
	inviteAlphabet = inviteDigits + inviteLetters
)

// NewInvite makes a code, as XXXXX-XXXXX, that lets one person in within
// InviteTime. The file keeps only its hash.
func (tx *Tx) NewInvite() (code string, err error) {
	for !isInvite(code) {
		code = randomInvite()
	}
	if err := tx.dropInvites(tx.now); err != nil {
		return "", err
	}
	record := inviteRecord{Expires: millis(tx.now.Add(InviteTime))}
	return code[:inviteLength/2] + "-" + code[inviteLength/2:], tx.putRecord(bucketInvites, inviteKey(code), &record)
}

func randomInvite() string {
	code := make([]byte, inviteLength)
	rand.Read(code) // never fails
	for i, r := range code {
		alphabet := inviteAlphabet
		switch i {
		case 0:
			alphabet = inviteLetters
		case inviteLength - 1:
			alphabet = inviteDigits
		}
		code[i] = alphabet[int(r)%len(alphabet)]
	}
	return string(code)
}

// isInvite says whether the text has the form of a code.
func isInvite(text string) bool {
	if len(text) != inviteLength || strings.Trim(text, inviteAlphabet) != "" {
		return false
	}
	changes := 0
	for i := 1; i < len(text); i++ {
		if isDigit(text[i-1]) != isDigit(text[i]) {
			changes++
		}
	}
	return !isDigit(text[0]) && isDigit(text[len(text)-1]) && changes > 1
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// How a code is typed, and what its letters and digits are taken for. They are made once:
// each message is looked at.
var (
	unspaced = strings.NewReplacer("-", "", " ", "")
	mistaken = strings.NewReplacer("O", "0", "I", "1", "L", "1")
)

// NormalizeInvite returns the code that the text is, without the hyphen and with
// what is easily taken for something else put right; "" if it has not the form of
// one. Words without a digit are none.
func NormalizeInvite(text string) string {
	typed := unspaced.Replace(strings.ToUpper(strings.TrimSpace(text)))
	code := mistaken.Replace(typed)
	if !isInvite(code) || !strings.ContainsAny(typed, inviteDigits) {
		return ""
	}
	return code
}

func inviteKey(normal string) []byte {
	hash := sha256.Sum256([]byte("invite " + normal))
	return hash[:]
}

// redeem uses the code up and says whether it lets somebody in.
func (tx *Tx) redeem(code string) (bool, error) {
	key := inviteKey(NormalizeInvite(code))
	var record inviteRecord
	ok, err := tx.read(bucketInvites, key, &record)
	if !ok || err != nil || !tx.now.Before(fromMillis(record.Expires)) {
		return false, err
	}
	return true, tx.delete(bucketInvites, key)
}

// dropInvites forgets the codes that let nobody in at the time or later.
func (tx *Tx) dropInvites(until time.Time) error {
	var expired [][]byte
	err := tx.scan(bucketInvites, nil, nil, func(key, value []byte) error {
		var record inviteRecord
		if err := decode(bucketInvites, key, value, &record); err != nil {
			return err
		}
		if !until.Before(fromMillis(record.Expires)) {
			expired = append(expired, bytes.Clone(key))
		}
		return nil
	})
	for _, key := range expired {
		if err == nil {
			err = tx.delete(bucketInvites, key)
		}
	}
	return err
}
