package bot

import (
	"ichido/internal/ledger"
	"ichido/store"
)

// Unanswered is a receipt whose answer could not be delivered.
type Unanswered struct {
	Receipt ledger.ReceiptNumber
	Outcome Outcome
}

// Outcome says what there is now of what a receipt's message recorded.
type Outcome uint8

// The outcomes.
const (
	Stands  Outcome = iota // all that the message says
	Gone                   // rows, of which none stands
	Nothing                // it was a question, or changed nothing
	Mixed                  // anything else: rows of which some are struck, a change of others' rows or of settings
)

// OutcomeOf tells the outcome of the receipt. What the event being handled does counts.
func OutcomeOf(tx *store.Tx, n ledger.ReceiptNumber) (Outcome, error) {
	r, err := tx.ReceiptByNumber(n)
	if r == nil || err != nil {
		return Mixed, err
	}
	rows, err := tx.MessageRowsOf(r)
	if err != nil {
		return Mixed, err
	}
	if now := tx.Receipt(); now != nil && now.MessageID != "" && now.MessageID == r.MessageID {
		return Mixed, nil // its own edit, whose rows are not among the message's yet; the answer shows them
	}
	stand, struck := 0, 0
	for _, row := range rows {
		switch {
		case row.Stands():
			stand++
		case row.Voided:
			struck++
		}
	}
	switch {
	case stand > 0 && struck == 0:
		return Stands, nil
	case len(rows) > 0 && stand == 0:
		return Gone, nil
	case len(rows) == 0 && r.Kind == store.Other && len(r.Changes)+len(r.Settings) == 0:
		return Nothing, nil
	}
	return Mixed, nil
}
