// Package store keeps the household in one bbolt file and is the only importer
// of bbolt.
//
// Everything that happens goes through [Store.Submit]: it looks the event's key
// up and, if it is new, runs the caller's function, which writes rows, outbox
// and so on through its [Tx], and stores the receipt. All of it is one
// transaction and is on the disk when Submit returns. Reading goes through
// [Store.View]. Housekeeping that is no event (the state of an outgoing message,
// a parked event, members, invitations, facts, IDs of sent messages) goes through
// [Store.Update], which can touch neither the ledger nor settings.
//
// A single goroutine writes (writer.go). It commits what waits together, so that
// many callers share one pair of disk syncs.
//
// # Opening
//
// A child process reads the file first (inspect.go): page by page without bbolt
// (walk.go), then the schema and, of a file that is not huge, all invariants
// (check.go). What is damaged, foreign or newer is refused with a sentence and
// not touched. Then this process locks the file, writes both meta pages once
// more (open.go) and brings an older schema up to date (migrate.go). A new file
// gets its name when it is complete.
//
// # Failures
//
// An error of finding room, at the disk, a quota or a limit, leaves nothing
// stored; it is ErrDiskFull, and the store goes on. After any other error of a
// commit nobody knows what is on the disk: nothing is answered any more and the
// process ends with status 70 (Options.Fatal).
//
// # What is derived
//
// Rows follow from the changes in the receipts; balances, the amounts of balance
// statements (accounts.go) and the totals of months (totals.go) follow from the
// rows, in the same transaction. What is taken back is a row that is voided, what
// its message does not say any more one that is withdrawn; nothing else tells of
// either. Receipts are never changed, with three exceptions: the dates that say where
// their rows stand, the time at which a message was typed if that becomes known later,
// and texts and digests of messages that were unsent (unsend.go).
//
// # Copies
//
// A backup carries a mark with its date. The server that opens it first calls
// Resume (meta.go), so that nothing is said twice and no number means two things.
//
// # Keys
//
// Numbers in keys are big-endian, so that keys sort as the numbers do. Times are
// milliseconds since 1970 with the sign bit flipped. Text before another part
// of a key ends with a zero byte.
//
//	bucket     key                                        value
//	meta       "schema" "file" "copy" "owner" "erased"    raw bytes, see meta.go
//	           "wipe" "program"
//	           "fact/" name                               raw bytes, see facts.go
//	receipts   number:8                                   receiptRecord
//	keys       scope 0 "k" key                            number:8
//	           scope 0 "m" message ID                     messageRecord
//	           scope 0 "s" ID of a message of the bot     number:8
//	           0 "o" pressed button                       number:8 of the press
//	settings   name                                       raw bytes, see settings.go
//	invites    SHA-256:32                                 inviteRecord
//	access     SHA-256:32                                 accessRecord
//	timeline   member:4 At:8 number:8                     kind:1
//	rows       date:4 receipt:8 index:2                   rowRecord
//	statements account:4 time:8 receipt:8 index:2         date:4
//	accounts   account:4                                  accountRecord
//	totals     month:4 type:1 member:4 category           totalRecord
//	members    member:4                                   memberRecord
//	persons    person                                     member:4
//	outbox     settled:1 id:8                             outgoingRecord
//	unsaid     chat 0 id:8                                empty
//	parked     scope 0 key                                parkedRecord
//
// The last numbers given out (receipts, outbox, accounts, members) are the
// sequences of their buckets.
// The rows of a month are one range of keys whatever the file's age, and its
// totals a few records.
//
// Every value, raw or CBOR, ends with the CRC-32C of bucket, key and value
// (records.go). It is checked at every read: bbolt itself checks only its two
// meta pages.
package store

import (
	"encoding/binary"
	"time"

	"ichido/internal/ledger"
)

// schema is the version of the layout that this program writes. A file with a
// higher one is refused; a lower one is migrated (migrate.go).
const schema = 1

var (
	bucketMeta       = []byte("meta")
	bucketReceipts   = []byte("receipts")
	bucketKeys       = []byte("keys")
	bucketSettings   = []byte("settings")
	bucketInvites    = []byte("invites")
	bucketAccess     = []byte("access")
	bucketTimeline   = []byte("timeline")
	bucketRows       = []byte("rows")
	bucketStatements = []byte("statements")
	bucketAccounts   = []byte("accounts")
	bucketTotals     = []byte("totals")
	bucketMembers    = []byte("members")
	bucketPersons    = []byte("persons")
	bucketOutbox     = []byte("outbox")
	bucketUnsaid     = []byte("unsaid")
	bucketParked     = []byte("parked")

	buckets = [][]byte{
		bucketMeta, bucketReceipts, bucketKeys, bucketSettings, bucketInvites, bucketAccess, bucketTimeline, bucketRows, bucketStatements,
		bucketAccounts, bucketTotals, bucketMembers, bucketPersons, bucketOutbox, bucketUnsaid, bucketParked,
	}

	metaSchema  = []byte("schema")
	metaFile    = []byte("file")
	metaCopy    = []byte("copy")
	metaOwner   = []byte("owner")
	metaProgram = []byte("program")
	metaErased  = []byte("erased")
	metaWipe    = []byte("wipe")
)

// timeOrdered says of a bucket that new keys come last, or in keys last of their kind,
// so that its pages can be filled up.
func timeOrdered(bucket []byte) bool {
	switch string(bucket) {
	case "receipts", "keys", "rows", "outbox":
		return true
	}
	return false
}

func appendMillis(b []byte, t time.Time) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(t.UnixMilli())^1<<63)
}

func parseMillis(b []byte) time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(b) ^ 1<<63)).UTC()
}

func numberKey(n ledger.ReceiptNumber) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(n))
}

func parseNumber(b []byte) ledger.ReceiptNumber {
	return ledger.ReceiptNumber(binary.BigEndian.Uint64(b))
}

// The keys of the bucket keys share it because they are written together: the
// event's own ID, the message that it brings, a message that the bot has sent, a
// button that was pressed.

func eventKey(scope, key string) []byte { return scopedKey(scope, "k"+key) }

func messageKey(scope, messageID string) []byte { return scopedKey(scope, "m"+messageID) }

func sentKey(scope, messageID string) []byte { return scopedKey(scope, "s"+messageID) }

func operationKey(operation string) []byte { return scopedKey("", "o"+operation) }

func scopedKey(scope, key string) []byte {
	b := make([]byte, 0, len(scope)+1+len(key))
	b = append(b, scope...)
	b = append(b, 0)
	return append(b, key...)
}

func rowKey(date ledger.Date, id ledger.RowID) []byte {
	b := make([]byte, 0, 14)
	b = binary.BigEndian.AppendUint32(b, uint32(date))
	b = binary.BigEndian.AppendUint64(b, uint64(id.Receipt))
	return binary.BigEndian.AppendUint16(b, id.Index)
}

func parseRowKey(b []byte) (ledger.Date, ledger.RowID) {
	return ledger.Date(binary.BigEndian.Uint32(b)), ledger.RowID{
		Receipt: parseNumber(b[4:]),
		Index:   binary.BigEndian.Uint16(b[12:]),
	}
}

// statementKey is the place of a row in the order of its account, in which
// balance statements are found.
func statementKey(account ledger.AccountID, t time.Time, id ledger.RowID) []byte {
	b := make([]byte, 0, 22)
	b = binary.BigEndian.AppendUint32(b, uint32(account))
	b = appendMillis(b, t)
	b = binary.BigEndian.AppendUint64(b, uint64(id.Receipt))
	return binary.BigEndian.AppendUint16(b, id.Index)
}

func parseStatementKey(b []byte) (ledger.AccountID, time.Time, ledger.RowID) {
	return ledger.AccountID(binary.BigEndian.Uint32(b)), parseMillis(b[4:]), ledger.RowID{
		Receipt: parseNumber(b[12:]),
		Index:   binary.BigEndian.Uint16(b[20:]),
	}
}

// totalKey is the place of the total that the row belongs to; the month is yyyymm.
func totalKey(r *ledger.Row) []byte {
	key := append(monthKey(r.Date), byte(r.Type))
	return append(append(key, id4(r.Member)...), r.Category...)
}

func monthKey(date ledger.Date) []byte { return id4(date / 100) }

func timelineKey(member ledger.MemberID, at time.Time, n ledger.ReceiptNumber) []byte {
	b := make([]byte, 0, 20)
	b = binary.BigEndian.AppendUint32(b, uint32(member))
	b = appendMillis(b, at)
	return binary.BigEndian.AppendUint64(b, uint64(n))
}

// parseTimelineKey gives At and number of a key.
func parseTimelineKey(b []byte) (time.Time, ledger.ReceiptNumber) {
	return parseMillis(b[4:]), parseNumber(b[12:])
}

func outboxKey(id OutboxID, settled bool) []byte {
	b := []byte{0}
	if settled {
		b[0] = 1
	}
	return binary.BigEndian.AppendUint64(b, uint64(id))
}

func unsaidKey(chat string, id OutboxID) []byte {
	return binary.BigEndian.AppendUint64(scopedKey(chat, ""), uint64(id))
}

func id4[T ~uint32 | ~int32](id T) []byte { return binary.BigEndian.AppendUint32(nil, uint32(id)) }

func parseID4[T ~uint32 | ~int32](b []byte) T { return T(binary.BigEndian.Uint32(b)) }
