package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/fxamacker/cbor/v2"

	"ichido/internal/ledger"
)

// The structs in this file are what stands on the disk. Their field numbers
// must never change or be used again; fields may be added. The types that the
// program works with are others, beside the methods on Tx that use them.

type receiptRecord struct {
	Scope   string               `cbor:"1,keyasint,omitempty"`
	Key     string               `cbor:"2,keyasint,omitempty"`
	Digest  []byte               `cbor:"3,keyasint,omitempty"`
	At      int64                `cbor:"4,keyasint,omitempty"` // ms
	Now     int64                `cbor:"5,keyasint,omitempty"` // ms
	Member  ledger.MemberID      `cbor:"6,keyasint,omitempty"`
	Message string               `cbor:"7,keyasint,omitempty"`
	Kind    Kind                 `cbor:"8,keyasint,omitempty"`
	Changes []changeRecord       `cbor:"9,keyasint,omitempty"`
	Dates   []ledger.Date        `cbor:"10,keyasint,omitempty"`
	Undoes  ledger.ReceiptNumber `cbor:"11,keyasint,omitempty"`
	First   ledger.ReceiptNumber `cbor:"12,keyasint,omitempty"`
	About   About                `cbor:"13,keyasint,omitempty"`
	Typed   int64                `cbor:"14,keyasint,omitempty"` // ms
	Nonce   []byte               `cbor:"15,keyasint,omitempty"`
	Sets    []settingRecord      `cbor:"16,keyasint,omitempty"`
	Asked   string               `cbor:"17,keyasint,omitempty"`
	Answers ledger.ReceiptNumber `cbor:"18,keyasint,omitempty"`
	Covered []changeRecord       `cbor:"19,keyasint,omitempty"`
}

type settingRecord struct {
	Name   string `cbor:"1,keyasint,omitempty"`
	Before string `cbor:"2,keyasint,omitempty"`
	After  string `cbor:"3,keyasint,omitempty"`
}

type messageRecord struct {
	Receipts []ledger.ReceiptNumber `cbor:"1,keyasint,omitempty"`
	Said     ledger.ReceiptNumber   `cbor:"2,keyasint,omitempty"`
	At       int64                  `cbor:"3,keyasint,omitempty"` // ms
	EditedAt int64                  `cbor:"4,keyasint,omitempty"` // ms
	UnsentAt int64                  `cbor:"5,keyasint,omitempty"` // ms
	Text     string                 `cbor:"6,keyasint,omitempty"`
}

type inviteRecord struct {
	Expires int64 `cbor:"1,keyasint,omitempty"` // ms
}

type accessRecord struct {
	Kind    AccessKind      `cbor:"1,keyasint,omitempty"`
	Member  ledger.MemberID `cbor:"2,keyasint,omitempty"`
	Label   string          `cbor:"3,keyasint,omitempty"`
	Made    int64           `cbor:"4,keyasint,omitempty"` // ms, as the following
	Used    int64           `cbor:"5,keyasint,omitempty"`
	Expires int64           `cbor:"6,keyasint,omitempty"`
}

type changeRecord struct {
	Receipt ledger.ReceiptNumber `cbor:"1,keyasint,omitempty"`
	Index   uint16               `cbor:"2,keyasint,omitempty"`
	Before  *rowRecord           `cbor:"3,keyasint,omitempty"`
	After   *rowRecord           `cbor:"4,keyasint,omitempty"`
}

type rowRecord struct {
	Type      ledger.RowType   `cbor:"1,keyasint,omitempty"`
	Date      ledger.Date      `cbor:"2,keyasint,omitempty"`
	Time      int64            `cbor:"3,keyasint,omitempty"` // ms
	Amount    ledger.Yen       `cbor:"4,keyasint,omitempty"`
	Stated    ledger.Yen       `cbor:"5,keyasint,omitempty"`
	Opening   bool             `cbor:"6,keyasint,omitempty"`
	Item      string           `cbor:"7,keyasint,omitempty"`
	Category  ledger.Category  `cbor:"8,keyasint,omitempty"`
	Account   ledger.AccountID `cbor:"9,keyasint,omitempty"`
	ToAccount ledger.AccountID `cbor:"10,keyasint,omitempty"`
	Member    ledger.MemberID  `cbor:"11,keyasint,omitempty"`
	Scope     string           `cbor:"12,keyasint,omitempty"`
	Voided    bool             `cbor:"13,keyasint,omitempty"`
	Withdrawn bool             `cbor:"14,keyasint,omitempty"`
	Memo      string           `cbor:"15,keyasint,omitempty"`
}

type accountRecord struct {
	Name    string          `cbor:"1,keyasint,omitempty"`
	Owner   ledger.MemberID `cbor:"2,keyasint,omitempty"`
	Balance ledger.Yen      `cbor:"3,keyasint,omitempty"`
}

type totalRecord struct {
	Sum  ledger.Yen `cbor:"1,keyasint,omitempty"`
	Rows int        `cbor:"2,keyasint,omitempty"`
}

type memberRecord struct {
	Person   string `cbor:"1,keyasint,omitempty"`
	Name     string `cbor:"2,keyasint,omitempty"`
	Admitted bool   `cbor:"3,keyasint,omitempty"`
	Joined   int64  `cbor:"4,keyasint,omitempty"` // ms
	Removed  int64  `cbor:"5,keyasint,omitempty"` // ms
	Left     int64  `cbor:"6,keyasint,omitempty"` // ms
	Named    bool   `cbor:"7,keyasint,omitempty"`
	Moved    int64  `cbor:"8,keyasint,omitempty"` // ms
}

type outgoingRecord struct {
	Receipt    ledger.ReceiptNumber `cbor:"1,keyasint,omitempty"`
	Notice     string               `cbor:"2,keyasint,omitempty"`
	Chat       string               `cbor:"3,keyasint,omitempty"`
	ReplyToken string               `cbor:"4,keyasint,omitempty"`
	Payload    []byte               `cbor:"5,keyasint,omitempty"`
	State      OutgoingState        `cbor:"6,keyasint,omitempty"`
	Doubt      bool                 `cbor:"7,keyasint,omitempty"`
	Tries      int                  `cbor:"8,keyasint,omitempty"`
	RetryKey   string               `cbor:"9,keyasint,omitempty"`
	Created    int64                `cbor:"10,keyasint,omitempty"` // ms
	Settled    int64                `cbor:"11,keyasint,omitempty"` // ms
	Pushing    bool                 `cbor:"12,keyasint,omitempty"`
	Names      []OutboxID           `cbor:"13,keyasint,omitempty"`
	Carries    []OutboxID           `cbor:"14,keyasint,omitempty"`

	Of []ledger.ReceiptNumber `cbor:"15,keyasint,omitempty"`
}

type parkedRecord struct {
	Event []byte `cbor:"1,keyasint,omitempty"`
	Tries int    `cbor:"2,keyasint,omitempty"`
	Since int64  `cbor:"3,keyasint,omitempty"` // ms
	Last  int64  `cbor:"4,keyasint,omitempty"` // ms
	Why   string `cbor:"5,keyasint,omitempty"`
}

// DamageError says that a record is not what was written: the file is damaged.
type DamageError struct {
	Bucket string
	Key    []byte
	Reason string
}

// Error names the place and never the content.
func (e *DamageError) Error() string {
	return fmt.Sprintf("damaged record %s/%x: %s", e.Bucket, e.Key, e.Reason)
}

func damage(bucket, key []byte, reason string) error {
	return &DamageError{string(bucket), bytes.Clone(key), reason}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum is the CRC-32C of a bucket's name and a zero byte, from which those
// of its records go on. They cover the place as well as the value, so that a
// record that was moved or copied elsewhere is found out too.
type checksum uint32

func checksumOf(bucket []byte) checksum {
	sum := crc32.Update(0, castagnoli, bucket)
	return checksum(crc32.Update(sum, castagnoli, []byte{0}))
}

func (c checksum) of(key, value []byte) uint32 {
	return crc32.Update(crc32.Update(uint32(c), castagnoli, key), castagnoli, value)
}

// unseal checks and takes off the checksum. The result shares memory with
// sealed.
func (c checksum) unseal(bucket, key, sealed []byte) ([]byte, error) {
	n := len(sealed) - 4
	if n < 0 {
		return nil, damage(bucket, key, "too short")
	}
	value := sealed[:n:n]
	if c.of(key, value) != binary.LittleEndian.Uint32(sealed[n:]) {
		return nil, damage(bucket, key, "wrong checksum")
	}
	return value, nil
}

// seal appends the checksum to a value.
func seal(bucket, key, value []byte) []byte {
	return binary.LittleEndian.AppendUint32(value, checksumOf(bucket).of(key, value))
}

// unseal is checksum.unseal for a single record.
func unseal(bucket, key, sealed []byte) ([]byte, error) {
	return checksumOf(bucket).unseal(bucket, key, sealed)
}

var (
	cborEncoder = must(cbor.CoreDetEncOptions().EncMode())
	cborDecoder = must(cbor.DecOptions{DupMapKey: cbor.DupMapKeyEnforcedAPF, MaxArrayElements: 1 << 16}.DecMode())
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func encode(record any) []byte { return must(cborEncoder.Marshal(record)) }

// decode copies all that it takes from value.
func decode(bucket, key, value []byte, record any) error {
	if err := cborDecoder.Unmarshal(value, record); err != nil {
		return damage(bucket, key, "not the expected record")
	}
	return nil
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func toRowRecord(r *ledger.Row) *rowRecord {
	if r == nil {
		return nil
	}
	return &rowRecord{
		Type: r.Type, Date: r.Date, Time: r.Time.UnixMilli(), Amount: r.Amount, Stated: r.Stated, Opening: r.Opening,
		Item: r.Item, Category: r.Category, Account: r.Account, ToAccount: r.ToAccount,
		Member: r.Member, Scope: r.Scope, Voided: r.Voided, Withdrawn: r.Withdrawn, Memo: r.Memo,
	}
}

func (r *rowRecord) row(id ledger.RowID) *ledger.Row {
	if r == nil {
		return nil
	}
	return &ledger.Row{
		ID: id, Type: r.Type, Date: r.Date, Time: time.UnixMilli(r.Time).UTC(), Amount: r.Amount, Stated: r.Stated, Opening: r.Opening,
		Item: r.Item, Category: r.Category, Account: r.Account, ToAccount: r.ToAccount,
		Member: r.Member, Scope: r.Scope, Voided: r.Voided, Withdrawn: r.Withdrawn, Memo: r.Memo,
	}
}

func toReceiptRecord(r *Receipt) *receiptRecord {
	record := &receiptRecord{
		Scope: r.Scope, Key: r.Key, Digest: r.Digest, At: millis(r.At), Now: millis(r.Now), Member: r.Member,
		Message: r.MessageID, Kind: r.Kind, Dates: r.Dates, Undoes: r.Undoes, First: r.First,
		About: r.About, Typed: millis(r.Typed), Nonce: r.Nonce, Asked: r.Asked, Answers: r.Answers,
	}
	for _, c := range r.Settings {
		record.Sets = append(record.Sets, settingRecord(c))
	}
	record.Changes, record.Covered = toChangeRecords(r.Changes), toChangeRecords(r.Covered)
	return record
}

func toChangeRecords(changes []ledger.Change) (records []changeRecord) {
	for _, c := range changes {
		records = append(records, changeRecord{c.After.ID.Receipt, c.After.ID.Index, toRowRecord(c.Before), toRowRecord(c.After)})
	}
	return records
}

func fromChangeRecords(records []changeRecord) (changes []ledger.Change) {
	for _, c := range records {
		id := ledger.RowID{Receipt: c.Receipt, Index: c.Index}
		changes = append(changes, ledger.Change{Before: c.Before.row(id), After: c.After.row(id)})
	}
	return changes
}

func (r *receiptRecord) receipt(n ledger.ReceiptNumber) *Receipt {
	receipt := &Receipt{
		Number: n, Scope: r.Scope, Key: r.Key, Digest: r.Digest, At: fromMillis(r.At), Now: fromMillis(r.Now), Member: r.Member,
		MessageID: r.Message, Kind: r.Kind, Dates: r.Dates, Undoes: r.Undoes, First: r.First,
		About: r.About, Typed: fromMillis(r.Typed), Nonce: r.Nonce, Asked: r.Asked, Answers: r.Answers,
	}
	for _, c := range r.Sets {
		receipt.Settings = append(receipt.Settings, SettingChange(c))
	}
	receipt.Changes, receipt.Covered = fromChangeRecords(r.Changes), fromChangeRecords(r.Covered)
	return receipt
}
