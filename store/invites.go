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

// A code has inviteLength characters of Crockford's base 32. The first is a letter
// and the last a digit, so that no word and no number looks like one; that leaves
// 47 bits.
const (
	inviteLength   = 10
	inviteDigits   = "0123456789"
	inviteLetters  = "ABCDEFGHJKMNPQRSTVWXYZ"
	inviteAlphabet = inviteDigits + inviteLetters
)

// NewInvite makes a code, as XXXXX-XXXXX, that lets one person in within
// InviteTime. The file keeps only its hash.
func (tx *Tx) NewInvite() (code string, err error) {
	random := make([]byte, inviteLength)
	rand.Read(random) // never fails
	var b strings.Builder
	for i, r := range random {
		if i == inviteLength/2 {
			b.WriteByte('-')
		}
		alphabet := inviteAlphabet
		switch i {
		case 0:
			alphabet = inviteLetters
		case inviteLength - 1:
			alphabet = inviteDigits
		}
		b.WriteByte(alphabet[int(r)%len(alphabet)])
	}
	if err := tx.dropInvites(tx.now); err != nil {
		return "", err
	}
	record := inviteRecord{Expires: millis(tx.now.Add(InviteTime)), By: tx.member.ID}
	return b.String(), tx.putRecord(bucketInvites, inviteKey(NormalizeInvite(b.String())), &record)
}

// NormalizeInvite returns the code that the text is, without the hyphen and with
// what is easily taken for something else put right; "" if it has not the form of
// one.
func NormalizeInvite(text string) string {
	text = strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(strings.TrimSpace(text)))
	if len(text) != inviteLength || strings.Trim(text, inviteAlphabet) != "" {
		return ""
	}
	return text
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
