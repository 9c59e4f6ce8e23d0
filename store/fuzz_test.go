package store

import (
	"bytes"
	"testing"
	"time"

	"ichido/internal/ledger"
)

// FuzzDecode feeds each kind of record with bytes that have a right checksum and
// any content: it must be read or refused, and what is read must be written
// again as it was understood.
func FuzzDecode(f *testing.F) {
	row := &ledger.Row{
		ID: ledger.RowID{Receipt: 7}, Type: ledger.Expense, Date: 20261130, Time: time.UnixMilli(1796007601000).UTC(),
		Amount: 900, Item: "ランチ", Category: "食費", Account: 1, Member: 1, Scope: "line",
	}
	receipt := &Receipt{Number: 7, Scope: "line", Key: "k", Digest: NewDigest("x"), At: row.Time, Now: row.Time, Member: 1,
		Kind: Record, Changes: []ledger.Change{{After: row}}, Dates: []ledger.Date{20261130}}
	edit := &Receipt{Number: 8, Scope: "line", At: row.Time, Now: row.Time, MessageID: "m", About: Edited, Typed: row.Time.Add(-time.Hour), Kind: Correct,
		Changes: []ledger.Change{{Before: row, After: row}}, Settings: []SettingChange{{"wallet", "", "shared"}}, Nonce: []byte("12345678")}
	for _, record := range []any{
		toReceiptRecord(receipt), toReceiptRecord(edit), toRowRecord(row), &accountRecord{Name: ledger.Cash},
		&memberRecord{Person: "U1", Named: true, Left: 1, Moved: 2},
		toOutgoingRecord(&Outgoing{Chat: "U1", Payload: []byte("{}"), Carries: []OutboxID{1}, Of: []ledger.ReceiptNumber{1, 2}}),
		&parkedRecord{Event: []byte("{}"), Tries: 1}, &totalRecord{Sum: 1, Rows: 1},
		&messageRecord{Receipts: []ledger.ReceiptNumber{1, 2}, Said: 1, At: 3, EditedAt: 4, UnsentAt: 5, Text: "ランチ"},
		&inviteRecord{Expires: 1}, &accessRecord{Kind: Token, Member: 1, Made: 1},
	} {
		f.Add(encode(record))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		key := numberKey(7)
		sealed := seal(bucketReceipts, key, bytes.Clone(value))
		if got, err := unseal(bucketReceipts, key, sealed); err != nil || !bytes.Equal(got, value) {
			t.Fatalf("what was sealed can't be unsealed: %v", err)
		}
		if len(value) > 0 {
			sealed[len(value)/2] ^= 1
			if _, err := unseal(bucketReceipts, key, sealed); err == nil {
				t.Fatal("a changed record passes")
			}
		}
		if r, err := decodeReceipt(key, value); err == nil {
			again, err := decodeReceipt(key, encode(toReceiptRecord(r)))
			if err != nil || !bytes.Equal(encode(toReceiptRecord(again)), encode(toReceiptRecord(r))) {
				t.Fatalf("what was read can't be written: %v", err)
			}
		}
		var message messageRecord
		if decode(bucketKeys, key, value, &message) == nil {
			original, again := message.message(), messageRecord{}
			if err := decode(bucketKeys, key, encode(original.record()), &again); err != nil || !bytes.Equal(encode(original.record()), encode(&again)) {
				t.Fatalf("what was read of a message can't be written: %v", err)
			}
		}
		var out outgoingRecord
		if decode(bucketOutbox, key, value, &out) == nil {
			o := out.outgoing(7)
			var again outgoingRecord
			if err := decode(bucketOutbox, key, encode(toOutgoingRecord(&o)), &again); err != nil || !bytes.Equal(encode(toOutgoingRecord(&o)), encode(&again)) {
				t.Fatalf("what was read of the outbox can't be written: %v", err)
			}
		}
		for _, record := range []any{&rowRecord{}, &accountRecord{}, &memberRecord{}, &parkedRecord{}, &totalRecord{}, &inviteRecord{}, &accessRecord{}} {
			_ = decode(bucketReceipts, key, value, record)
		}
	})
}
