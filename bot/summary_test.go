package bot

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ichido/internal/ledger"
)

func expense(category ledger.Category, amount ledger.Yen) ledger.Row {
	return ledger.Row{Type: ledger.Expense, Category: category, Amount: amount}
}

func refund(category ledger.Category, amount ledger.Yen) ledger.Row {
	return ledger.Row{Type: ledger.Refund, Category: category, Amount: amount}
}

func statement(amount ledger.Yen, opening bool) ledger.Row {
	return ledger.Row{Type: ledger.Adjustment, Amount: amount, Opening: opening}
}

func voided(r ledger.Row) ledger.Row {
	r.Voided = true
	return r
}

func TestSums(t *testing.T) {
	categories := func(pairs ...any) map[ledger.Category]ledger.Yen {
		m := map[ledger.Category]ledger.Yen{}
		for i := 0; i < len(pairs); i += 2 {
			m[ledger.Category(pairs[i].(string))] = ledger.Yen(pairs[i+1].(int))
		}
		return m
	}
	people := func(spent ...ledger.Yen) map[ledger.MemberID]ledger.Yen { // of members 0, 1, …
		m := map[ledger.MemberID]ledger.Yen{}
		for i, y := range spent {
			m[ledger.MemberID(i)] = y
		}
		return m
	}
	of := func(member ledger.MemberID, r ledger.Row) ledger.Row {
		r.Member = member
		return r
	}
	tests := []struct {
		name string
		rows []ledger.Row
		want sums
	}{
		{"nothing", nil, sums{}},
		{"a refund lowers its category", []ledger.Row{expense("衣服", 5000), expense("食費", 900), refund("衣服", 2000)},
			sums{spent: 3900, spendings: 3, refunded: 2000, categories: categories("衣服", 3000, "食費", 900), people: people(3900)}},
		{"each one's spending", []ledger.Row{expense("食費", 900), of(1, expense("食費", 500)), of(1, refund("食費", 100))},
			sums{spent: 1300, spendings: 3, refunded: 100, categories: categories("食費", 1300), people: people(900, 400)}},
		{"a refund alone is negative", []ledger.Row{refund("", 300)},
			sums{spent: -300, spendings: 1, refunded: 300, categories: categories("その他", -300), people: people(-300)}},
		{"what is struck counts nowhere", []ledger.Row{
			voided(expense("食費", 900)), voided(refund("食費", 900)), voided(statement(-500, false)),
			voided(ledger.Row{Type: ledger.Income, Amount: 1}), voided(ledger.Row{Type: ledger.Transfer, Amount: 1}),
		}, sums{}},
		{"an opening balance is not missing money", []ledger.Row{statement(3000, true)}, sums{}},
		{"less than the ledger says is missing", []ledger.Row{statement(3000, true), statement(-500, false), statement(200, false)},
			sums{missing: 300, unmatched: 2}},
		{"a statement that fits is not mentioned", []ledger.Row{statement(0, false)}, sums{}},
		{"income and transfers are no spending", []ledger.Row{
			{Type: ledger.Income, Amount: 250000, Category: ledger.Pay}, {Type: ledger.Transfer, Amount: 3000},
		}, sums{income: 250000, incomes: 1, moved: 3000, moves: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got sums
			for _, r := range test.rows {
				got.add(&r)
			}
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(sums{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestByAmount(t *testing.T) {
	var s sums
	for _, r := range []ledger.Row{expense("食費", 900), refund("衣服", 100), expense("", 5000), expense("車", 900)} {
		s.add(&r)
	}
	want := []ledger.Category{ledger.Other, "車", "食費", "衣服"}
	if got := s.byAmount(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
