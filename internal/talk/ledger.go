package talk

import (
	"fmt"
	"io"
	"strings"

	"ichido/internal/ledger"
	"ichido/store"
)

// WriteLedger writes what stands at the end of a file: the rows by date, then the
// accounts. In front of a row is x if it was taken back, - if its message does not
// say it any more, and X if both. who gives a member the name that the talk has
// for the person.
func WriteLedger(w io.Writer, tx *store.Tx, who func(store.Member) string) error {
	l := lister{tx: tx, who: who, names: make(map[ledger.AccountID]string)}
	accounts, err := tx.Accounts()
	if err != nil {
		return err
	}
	for _, a := range accounts {
		l.names[a.ID] = a.Name
		if a.Owner == 0 {
			continue
		}
		owner, err := l.person(a.Owner)
		if err != nil {
			return err
		}
		l.names[a.ID] += "(" + owner + ")"
	}
	fmt.Fprint(w, "\nledger:\n")
	err = tx.Rows(store.AllRows, func(r *ledger.Row) error {
		line, err := l.row(r)
		fmt.Fprintln(w, line)
		return err
	})
	if len(accounts) > 0 {
		fmt.Fprintln(w, "accounts:")
	}
	for _, a := range accounts {
		fmt.Fprintf(w, "  %s %v\n", l.names[a.ID], a.Balance)
	}
	return err
}

type lister struct {
	tx    *store.Tx
	who   func(store.Member) string
	names map[ledger.AccountID]string
}

// person names a member; member 0 is whoever LINE does not name.
func (l lister) person(id ledger.MemberID) (string, error) {
	if id == 0 {
		return "nobody", nil
	}
	m, err := l.tx.Member(id)
	return l.who(m), err
}

func (l lister) row(r *ledger.Row) (string, error) {
	by, err := l.person(r.Member)
	parts := []string{fmt.Sprintf("%s %-4v", stand(r), r.ID), r.Date.String(), r.Type.String()}
	switch {
	case r.Type == ledger.Adjustment && r.Opening:
		parts = append(parts, fmt.Sprintf("states %v (opening %v)", r.Stated, r.Amount))
	case r.Type == ledger.Adjustment:
		parts = append(parts, fmt.Sprintf("states %v (%v)", r.Stated, r.Amount))
	default:
		parts = append(parts, r.Item, r.Amount.String())
	}
	if r.Category != "" {
		parts = append(parts, string(r.Category))
	}
	parts = append(parts, l.names[r.Account])
	if r.ToAccount != 0 {
		parts = append(parts, "to "+l.names[r.ToAccount])
	}
	return strings.Join(append(parts, "by "+by), " "), err
}

func stand(r *ledger.Row) string {
	switch {
	case r.Voided && r.Withdrawn:
		return "X"
	case r.Voided:
		return "x"
	case r.Withdrawn:
		return "-"
	}
	return " "
}
