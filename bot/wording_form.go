package bot

import "ichido/internal/ledger"

// This file has the sentences about what is wrong in a form or in what a program sends.

var (
	noSuchType         = Phrase{"支出、収入、返金のどれかにしてください。", "It must be an expense, an income or a refund."}
	amountLimits       = Phrase{"金額は、1円から999,999,999円までの数字で書いてください。", "The amount must be a number from ¥1 to ¥999,999,999."}
	noSuchDay          = Phrase{"その日付はありません。", "There is no such day."}
	itemLimits         = Phrase{"品名を、100文字までで書いてください。", "Give an item of up to 100 characters."}
	memoLimits         = Phrase{"メモは、500文字までで書いてください。", "The memo can have up to 500 characters."}
	noCategoryOfForm   = Phrase{"そのカテゴリはありません。", "There is no such category."}
	categoryOfExpenses = Phrase{"それは支出のカテゴリです。収入のときは、カテゴリを選ばずに記録できます。支出なら、種類を「支出」にしてください。", "That is a category of expenses. An income needs no category: leave it empty. If it is an expense, choose that as the type."}
	categoryOfIncome   = Phrase{"それは収入のカテゴリです。収入なら、種類を「収入」にしてください。", "That is a category of income. If it is an income, choose that as the type."}
	noAccountOfForm    = Phrase{"その口座はありません。", "There is no such account."}
)

// since says how a row stands otherwise now than it was recorded.
func (v Voice) since(n *names, was, now ledger.Row) []Line {
	switch {
	case now.Voided:
		return sentences(v.say("%sは、取り消してあります。", "%s is undone.", v.rowLine(n, was)))
	case now.Withdrawn:
		return sentences(v.say("%sは、記録から外してあります。", "%s is taken out.", v.rowLine(n, was)))
	case v.changes(n, was, now) == "":
		return nil
	}
	return []Line{v.changedItem(n, was, now, v.say("いまは", "Now"), v.say("いまは、%s", "Now %s", v.rowLine(n, now)))}
}
