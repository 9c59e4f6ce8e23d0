package store

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"ichido/internal/ledger"
)

// AccessKind says what a secret opens. The numbers are stored on disk and must not
// change.
type AccessKind uint8

// The kinds.
const (
	Link    AccessKind = 1 // a session in the browser that follows it, once
	Session AccessKind = 2 // the pages, as long as the browser comes back in time
	Token   AccessKind = 3 // the API, until it is revoked
)

// How long access lasts: a link from when it was made, a session from when it was used
// last. A token has no end.
const (
	LinkTime    = 10 * time.Minute
	SessionTime = 30 * 24 * time.Hour
)

// touchEvery is how old the noted last use may be: not every request is a write.
const touchEvery = time.Hour

// Access is what a secret lets a member do. The file keeps a hash of the secret only.
type Access struct {
	ID      string // names it to people: 8 hex digits of the hash
	Kind    AccessKind
	Member  ledger.MemberID
	Label   string // what the member calls it; "" for none
	Made    time.Time
	Used    time.Time // last, to an hour; zero for never
	Expires time.Time // zero for never
}

// ErrNoAccess says that a secret opens nothing: it was never given, has been used up or
// revoked, is too old, or its member has gone.
var ErrNoAccess = errors.New("this opens nothing, or nothing any more")

// Grant lets the member do what the kind says, and returns the secret, 32 characters with
// 192 bits that fit into an address. It is not to be had again.
func (tx *Tx) Grant(kind AccessKind, m ledger.MemberID, label string) (secret string, err error) {
	if err := tx.dropAccess(); err != nil {
		return "", err
	}
	random := make([]byte, 24)
	rand.Read(random) // never fails
	secret = base64.RawURLEncoding.EncodeToString(random)
	a := Access{Kind: kind, Member: m, Label: label, Made: tx.now}
	a.extend(tx.now)
	return secret, tx.putAccess(accessKey(secret), a)
}

// extend sets the end, as seen from the time.
func (a *Access) extend(from time.Time) {
	switch a.Kind {
	case Link:
		a.Expires = a.Made.Add(LinkTime)
	case Session:
		a.Expires = from.Add(SessionTime)
	}
}

// Access returns what the secret opens, if it is of the kind, and to whom, or ErrNoAccess.
// A session or token of which the use has not been noted for some time should be touched.
func (tx *Tx) Access(kind AccessKind, secret string) (a Access, m Member, stale bool, err error) {
	key := accessKey(secret)
	var record accessRecord
	ok, err := tx.read(bucketAccess, key, &record)
	if err != nil {
		return Access{}, Member{}, false, err
	}
	a = record.access(key)
	if !ok || a.Kind != kind || a.over(tx.now) {
		return Access{}, Member{}, false, ErrNoAccess
	}
	if m, err = tx.Member(a.Member); err != nil {
		return Access{}, Member{}, false, err
	}
	if !m.Active() {
		return Access{}, Member{}, false, ErrNoAccess
	}
	return a, m, kind != Link && tx.now.Sub(a.Used) >= touchEvery, nil
}

func (a *Access) over(now time.Time) bool { return !a.Expires.IsZero() && !now.Before(a.Expires) }

// Touch notes that the session or token has been used, which lets a session last on.
func (tx *Tx) Touch(kind AccessKind, secret string) error {
	a, _, _, err := tx.Access(kind, secret)
	if err != nil {
		return err
	}
	a.Used = tx.now
	a.extend(tx.now)
	return tx.putAccess(accessKey(secret), a)
}

// Follow uses a link up and returns the secret of the session that it opens, or
// ErrNoAccess.
func (tx *Tx) Follow(link, label string) (session string, m Member, err error) {
	a, m, _, err := tx.Access(Link, link)
	if err != nil {
		return "", Member{}, err
	}
	if err := tx.delete(bucketAccess, accessKey(link)); err != nil {
		return "", Member{}, err
	}
	session, err = tx.Grant(Session, a.Member, label)
	return session, m, err
}

// Accesses returns the sessions and tokens of the member, the newest first.
func (tx *Tx) Accesses(m ledger.MemberID) (all []Access, err error) {
	err = tx.eachAccess(func(_ []byte, a Access) {
		if a.Member == m && a.Kind != Link && !a.over(tx.now) {
			all = append(all, a)
		}
	})
	slices.SortFunc(all, func(a, b Access) int { return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.ID, b.ID)) })
	return all, err
}

// Revoke ends the member's session or token with the ID, or all of them for "". It
// reports how many there were.
func (tx *Tx) Revoke(m ledger.MemberID, id string) (ended int, err error) {
	return tx.deleteAccess(func(a Access) bool { return a.Member == m && (id == "" || a.ID == id) })
}

// dropAccess forgets what is over.
func (tx *Tx) dropAccess() error {
	_, err := tx.deleteAccess(func(a Access) bool { return a.over(tx.now) })
	return err
}

func (tx *Tx) deleteAccess(which func(Access) bool) (n int, err error) {
	var keys [][]byte
	err = tx.eachAccess(func(key []byte, a Access) {
		if which(a) {
			keys = append(keys, bytes.Clone(key))
		}
	})
	for _, key := range keys {
		if err == nil {
			err = tx.delete(bucketAccess, key)
		}
	}
	return len(keys), err
}

func (tx *Tx) eachAccess(each func(key []byte, a Access)) error {
	return tx.scan(bucketAccess, nil, nil, func(key, value []byte) error {
		var record accessRecord
		if err := decode(bucketAccess, key, value, &record); err != nil {
			return err
		}
		each(key, record.access(key))
		return nil
	})
}

func (tx *Tx) putAccess(key []byte, a Access) error {
	return tx.putRecord(bucketAccess, key, &accessRecord{
		Kind: a.Kind, Member: a.Member, Label: a.Label, Made: millis(a.Made), Used: millis(a.Used), Expires: millis(a.Expires),
	})
}

func (r *accessRecord) access(key []byte) Access {
	return Access{
		ID: hex.EncodeToString(key[:4]), Kind: r.Kind, Member: r.Member, Label: r.Label,
		Made: fromMillis(r.Made), Used: fromMillis(r.Used), Expires: fromMillis(r.Expires),
	}
}

// accessKey is a plain hash: the secret is random and long.
func accessKey(secret string) []byte {
	hash := sha256.Sum256([]byte("access " + secret))
	return hash[:]
}
