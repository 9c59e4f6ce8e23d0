package bot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// world is what the file holds at one instant. Whatever is computed here goes over
// all rows in the simplest way and uses nothing of the bot's, and of the store's
// only what is no figure: rows, accounts, members, receipts.
type world struct {
	rows     []ledger.Row // by date and number
	accounts []ledger.Account
	members  []store.Member
	owner    ledger.MemberID
	wallet   string // the setting
	settings map[string]string
	receipts map[ledger.ReceiptNumber]*store.Receipt
}

func look(t testing.TB, s *store.Store) *world {
	t.Helper()
	w := &world{receipts: map[ledger.ReceiptNumber]*store.Receipt{}, settings: map[string]string{}}
	err := s.View(func(tx *store.Tx) (err error) {
		if w.accounts, err = tx.Accounts(); err != nil {
			return err
		}
		if w.members, err = tx.Members(); err != nil {
			return err
		}
		err = tx.Settings("", func(name, value string) error {
			w.settings[name] = value
			return nil
		})
		if err != nil {
			return err
		}
		w.wallet = w.settings["wallet"]
		owner, _, err := tx.Owner()
		if err != nil {
			return err
		}
		w.owner = owner.ID
		err = tx.Rows(store.AllRows, func(r *ledger.Row) error {
			w.rows = append(w.rows, *r)
			return nil
		})
		if err != nil {
			return err
		}
		return tx.Receipts(0, func(r *store.Receipt) error {
			w.receipts[r.Number] = r
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// row finds a row; the zero Row if there is none.
func (w *world) row(id ledger.RowID) ledger.Row {
	for _, r := range w.rows {
		if r.ID == id {
			return r
		}
	}
	return ledger.Row{}
}

// there says whether the row is a part of the ledger.
func there(r ledger.Row) bool { return r.Type != 0 && !r.Voided && !r.Withdrawn }

// typed is when the message of the receipt was typed, as far as that is known.
func (w *world) typed(n ledger.ReceiptNumber) time.Time {
	r := w.receipts[n]
	if r.Typed.IsZero() {
		return r.At
	}
	return r.Typed
}

// sameMessage says whether two receipts are about one message, which is nothing
// that somebody did with it (a tap, an unsent message).
func (w *world) sameMessage(a, b ledger.ReceiptNumber) bool {
	x, y := w.receipts[a], w.receipts[b]
	return a == b || x != nil && y != nil && x.MessageID != "" && x.MessageID == y.MessageID && x.About != store.Unsent && y.About != store.Unsent
}

// rowsOf gives the rows of the message that the receipt belongs to.
func (w *world) rowsOf(n ledger.ReceiptNumber) (rows []ledger.Row) {
	for _, r := range w.rows {
		if w.of(r.ID.Receipt, n) {
			rows = append(rows, r)
		}
	}
	return rows
}

// named says whether the number means the row: by itself, or as one of all that its
// message made.
func (w *world) named(number string, r ledger.Row) bool {
	receipt, _, single := strings.Cut(number, "-")
	if single || number == r.ID.String() {
		return number == r.ID.String()
	}
	var n ledger.ReceiptNumber
	if _, err := fmt.Sscan(receipt, &n); err != nil {
		return false
	}
	return w.of(r.ID.Receipt, n)
}

// excess is by how much an account held more, at a statement, than had been written
// down. The first statement of an account is its opening.
type excess struct {
	more    ledger.Yen
	opening bool
}

// history is what became of an account until an instant.
type history struct {
	holds  ledger.Yen
	stated bool
	gaps   map[ledger.RowID]excess // of the statements that stand
}

// history goes through the account's rows in their order. The zero time is the end
// of all.
func (w *world) history(account ledger.AccountID, until time.Time) history {
	h := history{gaps: map[ledger.RowID]excess{}}
	rows := slices.Clone(w.rows)
	slices.SortFunc(rows, func(a, b ledger.Row) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.ID.Receipt, b.ID.Receipt), cmp.Compare(a.ID.Index, b.ID.Index))
	})
	for _, r := range rows {
		switch {
		case !there(r), !until.IsZero() && r.Time.After(until):
		case r.Account == account && r.Type == ledger.Adjustment:
			h.gaps[r.ID] = excess{r.Stated - h.holds, !h.stated}
			h.holds, h.stated = r.Stated, true
		case r.Account == account && (r.Type == ledger.Income || r.Type == ledger.Refund):
			h.holds += r.Amount
		case r.Account == account:
			h.holds -= r.Amount
		case r.ToAccount == account:
			h.holds += r.Amount
		}
	}
	return h
}

// gaps are those of all standing statements.
func (w *world) gaps() map[ledger.RowID]excess {
	all := map[ledger.RowID]excess{}
	for _, a := range w.accounts {
		for id, g := range w.history(a.ID, time.Time{}).gaps {
			all[id] = g
		}
	}
	return all
}

// figures are the sums of a period.
type figures struct {
	spent, refunded, income, moved, missing ledger.Yen
	spendings, incomes, moves, unmatched    int // rows
	categories                              map[string]ledger.Yen
	people                                  map[ledger.MemberID]ledger.Yen
}

func (w *world) figures(p ledger.Period, pass func(ledger.Row) bool) figures {
	f := figures{categories: map[string]ledger.Yen{}, people: map[ledger.MemberID]ledger.Yen{}}
	gaps := w.gaps()
	for _, r := range w.rows {
		if !there(r) || r.Date < p.From || r.Date > p.To || !pass(r) {
			continue
		}
		amount := r.Amount
		switch r.Type {
		case ledger.Income:
			f.income, f.incomes = f.income+amount, f.incomes+1
			continue
		case ledger.Transfer:
			f.moved, f.moves = f.moved+amount, f.moves+1
			continue
		case ledger.Adjustment:
			if g := gaps[r.ID]; !g.opening && g.more != 0 {
				f.missing, f.unmatched = f.missing-g.more, f.unmatched+1
			}
			continue
		case ledger.Refund:
			f.refunded += amount
			amount = -amount
		}
		f.spent, f.spendings = f.spent+amount, f.spendings+1
		f.categories[w.category(r)] += amount
		f.people[r.Member] += amount
	}
	return f
}

func everything(ledger.Row) bool { return true }

func isSpending(r ledger.Row) bool { return r.Type == ledger.Expense || r.Type == ledger.Refund }

// category is what the category of an expense, refund or income is called now; "" for
// other rows.
func (w *world) category(r ledger.Row) string {
	if r.Type == ledger.Transfer || r.Type == ledger.Adjustment {
		return ""
	}
	name := cmp.Or(string(r.Category), "その他")
	for range 20 {
		name = cmp.Or(w.settings["category/"+name], name)
	}
	return name
}

// person is what the viewer hears somebody called.
func (w *world) person(id, viewer ledger.MemberID) string {
	return w.personAmong(id, viewer, w.members)
}

// personAmong counts those without a name in the order of a list.
func (w *world) personAmong(id, viewer ledger.MemberID, list []store.Member) string {
	for i, m := range list {
		switch {
		case m.ID != id:
		case m.Name != "":
			return m.Name
		case m.ID == viewer:
			return "あなた"
		case len(list) == 2 && viewer != 0:
			return "もうひとり"
		default:
			return fmt.Sprintf("%d人目の人", i+1)
		}
	}
	return "だれか"
}

// account is what the viewer hears the account called: 財布 alone only if there is
// no other one and it is not somebody else's.
func (w *world) account(id ledger.AccountID, viewer ledger.MemberID) string {
	wallets := 0
	var a ledger.Account
	for _, other := range w.accounts {
		if other.Name == "現金" {
			wallets++
		}
		if other.ID == id {
			a = other
		}
	}
	switch {
	case a.Name != "現金":
		return a.Name
	case wallets == 1 && (a.Owner == 0 || a.Owner == viewer):
		return "財布"
	case a.Owner == 0:
		return "みんなの財布"
	}
	return w.person(a.Owner, viewer) + "の財布"
}

// called gives the account with the name, if there is one.
func (w *world) called(name string, viewer ledger.MemberID) (ledger.Account, bool) {
	for _, a := range w.accounts {
		if w.account(a.ID, viewer) == name {
			return a, true
		}
	}
	return ledger.Account{}, false
}
