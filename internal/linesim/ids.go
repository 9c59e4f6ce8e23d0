package linesim

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	mathrand "math/rand/v2"
	"strconv"
	"time"
)

// UserID is a user ID in LINE's form for a name of the caller's choice: the same
// one for the same name, always.
func UserID(name string) string { return "U" + named(name) }

// GroupID is UserID for a group.
func GroupID(name string) string { return "C" + named(name) }

// RoomID is UserID for a room, LINE's chat of several people without a name.
func RoomID(name string) string { return "R" + named(name) }

func named(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// eventID is a fresh ULID. Later ones of a platform sort after earlier ones;
// those of several platforms and processes differ by their random end.
func (p *Platform) eventID(now time.Time) string {
	const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	serial := p.lastEvent.Add(1) & 0xffffffff
	hi := uint64(now.UnixMilli())<<16 | serial>>16
	lo := serial<<48 | mathrand.Uint64()>>16
	var id [26]byte
	for i := len(id) - 1; i >= 0; i-- {
		id[i] = crockford[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(id[:])
}

// messageID is a fresh message ID, larger than all before it.
func (p *Platform) messageID() string {
	return strconv.FormatUint(p.lastMessage.Add(1), 10)
}

// firstMessageID is where a platform's message IDs begin. The time keeps the IDs
// of later processes apart, chance those of platforms made at the same moment:
// a bot's file may outlive many platforms.
func firstMessageID(now time.Time) uint64 {
	return uint64(now.UnixMilli())<<20 | mathrand.Uint64N(1<<20)
}

// newUUID is a random UUID (version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// newToken is 32 random hex digits, the form of a reply token.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
