package bot

import (
	"cmp"
	"slices"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// topic is what a question is about besides its period: the rows that have all that it
// names. One that names nothing has all rows.
type topic struct {
	Voice
	categories store.Categories

	category ledger.Category // as it is called now
	item     string          // which the item has in it, as typed
	anywhere bool            // the name of the category may have it, too
	person   string          // what the member is called
	member   ledger.MemberID
	place    string           // what the account is called
	account  ledger.AccountID // 0 for one that has no rows yet

	folded, key string          // forms of item
	known       map[string]bool // isIn of the texts so far, most of which come again
}

// topic is that of the command. refusal says why there can be none.
func (t *turn) topic() (q *topic, refusal string, err error) {
	q = &topic{Voice: t.Voice, category: t.cmd.Category, item: t.cmd.Item, known: map[string]bool{}}
	if q.categories, err = t.tx.Categories(); err != nil {
		return nil, "", err
	}
	q.category = q.categories.Of(q.category)
	m, name, err := t.person()
	if err != nil {
		return nil, "", err
	}
	switch {
	case m.ID != 0:
		q.person, q.member = name, m.ID
		if t.cmd.Owner == "" && !t.cmd.Own {
			q.item = ""
		}
	case name != "" && t.cmd.Query == grammar.Search:
		q.item = cmp.Or(q.item, name)
	case name != "":
		return nil, t.nobodyFound(name), nil
	}
	q.folded, q.key = grammar.Folded(q.item), grammar.Key(q.item)
	return q, "", t.limitToAccount(q)
}

// limitToAccount limits the topic to the account that the command names, if it names one.
func (t *turn) limitToAccount(q *topic) error {
	if t.cmd.Account == "" {
		return nil
	}
	name, owner, err := t.accountCalled(t.sender, t.cmd.Account)
	if err != nil {
		return err
	}
	account, _, err := t.tx.FindAccount(name, owner)
	q.place, q.account = t.accountWords(t.cmd), account.ID
	return err
}

// person gives the member about whom the command asks, by the name that it uses, "" if
// it asks about nobody. The zero member is one whom nobody knows.
func (t *turn) person() (found store.Member, name string, err error) {
	members, err := t.tx.Members()
	if err != nil {
		return store.Member{}, "", err
	}
	if t.cmd.Own && t.sender != 0 {
		return t.tx.Sender(), cmp.Or(t.tx.Sender().Name, t.text(you)), nil
	}
	name = cmp.Or(t.cmd.Owner, t.cmd.Item)
	if m, ok := memberCalled(members, name); ok {
		return m, m.Name, nil
	}
	return store.Member{}, t.cmd.Owner, nil
}

// allRows is the topic that names nothing.
func allRows(c store.Categories) *topic { return &topic{categories: c} }

// isIncome says whether it is income that is asked about, and not what was spent.
func (q *topic) isIncome() bool { return q.category == ledger.Pay }

// figure is what the topic comes to, and by how many rows.
func (q *topic) figure(s sums) (ledger.Yen, int) {
	if q.isIncome() {
		return s.income, s.incomes
	}
	return s.spent, s.spendings
}

// inTotals says whether the totals of a month tell the topic's rows from others.
func (q *topic) inTotals() bool { return q.item == "" && q.place == "" }

func (q *topic) hasTotal(total store.Total) bool {
	return (q.person == "" || q.member == total.Member) && (q.category == "" || q.category == q.categoryOf(total.Type, total.Category))
}

func (q *topic) has(r *ledger.Row) bool {
	return q.hasTotal(totalOf(r)) && (q.place == "" || q.account != 0 && (r.Account == q.account || r.ToAccount == q.account)) &&
		(q.item == "" || q.isIn(r.Item) || q.anywhere && q.isIn(string(q.categoryOf(r.Type, r.Category))))
}

// isIn says whether the text has the topic's item in it, however it is written.
func (q *topic) isIn(text string) bool {
	is, known := q.known[text]
	if !known {
		is = text != "" && (strings.Contains(grammar.Folded(text), q.folded) || grammar.Key(text) == q.key)
		q.known[text] = is
	}
	return is
}

// categoryOf is what the category of such a row is called; "" if it can have none.
func (q *topic) categoryOf(sort ledger.RowType, stored ledger.Category) ledger.Category {
	if sort == ledger.Transfer || sort == ledger.Adjustment {
		return ""
	}
	return q.categories.Of(cmp.Or(stored, ledger.Other))
}

// named is the total under the name that its category has now.
func (q *topic) named(total store.Total) store.Total {
	total.Category = q.categoryOf(total.Type, total.Category)
	return total
}

// words name the topic, what is named most broadly first.
func (q *topic) words() (words []string) {
	words = []string{q.person, q.place, q.Voice.category(q.category), q.item}
	return slices.DeleteFunc(words, func(s string) bool { return s == "" })
}
