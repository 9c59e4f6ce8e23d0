package bot

// This file has the sentences about what is wrong in a form or in what a program sends.

var (
	noSuchType       = Phrase{"支出、収入、返金のどれかにしてください。", "It must be an expense, an income or a refund."}
	amountLimits     = Phrase{"金額は、1円から999,999,999円までの数字で書いてください。", "The amount must be a number from ¥1 to ¥999,999,999."}
	noSuchDay        = Phrase{"その日付はありません。", "There is no such day."}
	itemLimits       = Phrase{"品名を、100文字までで書いてください。", "Give an item of up to 100 characters."}
	memoLimits       = Phrase{"メモは、500文字までで書いてください。", "The memo can have up to 500 characters."}
	noCategoryOfForm = Phrase{"そのカテゴリはありません。", "There is no such category."}
	noAccountOfForm  = Phrase{"その口座はありません。", "There is no such account."}
)
