package grammar

// mark says what a word does to the meaning of a line.
type mark uint8

const (
	// These make a line no row of the ledger.
	question mark = iota + 1
	hearsay
	request
	wish
	plan
	denial
	comparison
	loan
	remains
	news // what something costs now

	// These stand beside an amount and say what it is.
	approximate
	sumWord // 金五千円也
	limit
	total
	subtotal
	partOf
	takenOff
	taxPart
	innerTax
	half // whether before or after the price was written nobody can tell
	taxed
	untaxed
	untaxedOrItem // of several amounts one is without tax; alone it is an item
	tendered
	tenderedOrItem // of several amounts one is no price; alone it is an item
	change
	changeOrItem // as tenderedOrItem
	points
	codeWord
	because
	interjection
	apology
	copula
	nextTime // a date behind it is no day of the row
	// These say what was done with the money.
	paid
	got
	gave
	sold
	topUp
	withdraw
	withdrawNoun
	deposit
	atm
	cashWord
	save
	debit
	billed
	refunded
	moved
	advanced

	// These make a line a command.
	undoWord
	redoWord
	maybeRedo // redoWord, if the line has nothing but the number of a receipt
	correction
	correctionStart
	contradiction // at the start of a line
	insteadOf
	was
	earlier
	wallet
	balanceWord
	budgetWord
	noBudget
	budgetLeft
	moneyLeft
	perDay
	daysLeft
	queryWord
	listWord
	searchWord
	trendWord
	compareWord
	halfYear
	yearLong
	categoryWord
	everyWord
	settingWord
	settleWord
	splitWord
	maybeSplit // splitWord, if the people are named or counted
	wholeSum
	shareWord
	eachWord
	recordWord
	politeWord
	familyWord
	measure // its number is no money, unless it is said to be
	place   // as measure, for a small number
)
