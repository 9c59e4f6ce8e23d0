package store

import "ichido/internal/ledger"

// ChangedAfter says whether a receipt with a larger number, the one in the making too,
// has made a change of a row that match accepts; nil accepts all, and changes of
// settings.
func (tx *Tx) ChangedAfter(n ledger.ReceiptNumber, match func(ledger.Change) bool) (bool, error) {
	changed := false
	look := func(r *Receipt) error {
		changed = match == nil && len(r.Settings) > 0
		for _, c := range r.Changes {
			changed = changed || match == nil || match(c)
		}
		if changed {
			return Stop
		}
		return nil
	}
	if now := tx.receipt; now != nil && now.Number > n && look(now) == Stop {
		return true, nil
	}
	err := tx.Receipts(n+1, look)
	return changed, err
}
