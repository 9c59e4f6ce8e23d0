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
	for _, record := range []any{
		toReceiptRecord(receipt), toRowRecord(row), &accountRecord{Name: ledger.Cash}, &memberRecord{Person: "U1"},
		toOutgoingRecord(&Outgoing{Chat: "U1", Payload: []byte("{}")}), &parkedRecord{Event: []byte("{}"), Tries: 1}, &totalRecord{Sum: 1, Rows: 1},
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
			if _, err := decodeReceipt(key, encode(toReceiptRecord(r))); err != nil {
				t.Fatalf("what was read can't be written: %v", err)
			}
		}
		for _, record := range []any{&rowRecord{}, &accountRecord{}, &memberRecord{}, &outgoingRecord{}, &parkedRecord{}, &totalRecord{}} {
			_ = decode(bucketReceipts, key, value, record)
		}
	})
}
