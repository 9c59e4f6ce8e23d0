package grammar

import (
	"strconv"
	"strings"
)

// kindNames say what a span is that has no value worth telling.
var kindNames = [...]string{
	spaceSpan: "blank", punctSpan: "punctuation", wordSpan: "word", counterSpan: "count or name", amountSpan: "amount",
	dateSpan: "date", periodSpan: "period", clockSpan: "time of day", codeSpan: "code", urlSpan: "address",
	accountSpan: "account", categorySpan: "category", markSpan: "word with a part", timesSpan: "times", percentSpan: "percent off",
}

// value says what the span is together with its value, "" if it has none.
func (s *span) value() string {
	switch s.kind {
	case amountSpan:
		return s.amount.words()
	case dateSpan:
		return strings.TrimSpace("date " + s.date.String())
	case periodSpan:
		return "period " + s.period.From.String() + " to " + s.period.To.String()
	case accountSpan:
		return "account " + s.name
	case categorySpan:
		return "category " + s.name
	case markSpan:
		return markNames[s.mark]
	case counterSpan:
		if s.unit != "" {
			return "count of " + s.unit
		}
	}
	return ""
}

// words says what is known about the amount.
func (a *amount) words() string {
	all := "amount " + strconv.FormatInt(int64(a.value), 10)
	if a.sign > 0 {
		all = "amount +" + strconv.FormatInt(int64(a.value), 10)
	} else if a.sign < 0 {
		all = "amount −" + strconv.FormatInt(int64(a.value), 10)
	}
	for _, flag := range []struct {
		is   bool
		word string
	}{{a.times, "multiplied"}, {a.discount, "taken off"}, {a.total, "total"}, {a.taxed, "with tax"}, {a.untaxed, "without tax"}} {
		if flag.is {
			all += ", " + flag.word
		}
	}
	return all
}

// markNames say what each mark is, in words for whoever asks why.
var markNames = map[mark]string{
	0:        "part of the amount",
	question: "question", hearsay: "hearsay", request: "request", wish: "wish", plan: "plan", denial: "denial",
	comparison: "comparison", loan: "loan", remains: "what is left", news: "news of a price",

	approximate: "about", sumWord: "sum", limit: "limit", total: "total", subtotal: "subtotal", partOf: "part of a sum", takenOff: "taken off",
	taxPart: "tax", innerTax: "tax inside", half: "half price", taxed: "with tax", untaxed: "without tax", untaxedOrItem: "without tax, or an item", tendered: "handed over",
	tenderedOrItem: "handed over, or an item", change: "change", changeOrItem: "change, or an item", points: "points",
	codeWord: "word of a code", because: "reason", interjection: "interjection", apology: "apology", copula: "is", nextTime: "next time",

	paid: "paid", got: "got", gave: "gave", sold: "sold", topUp: "top-up", withdraw: "withdrawal", withdrawNoun: "withdrawal",
	deposit: "deposit", atm: "cash machine", cashWord: "money", save: "savings", debit: "debit", billed: "bill", refunded: "refund",
	moved: "moved", advanced: "advanced for others",

	undoWord: "undo", redoWord: "redo", maybeRedo: "redo", correction: "correction", correctionStart: "correction",
	contradiction: "contradiction", insteadOf: "instead of", was: "was", earlier: "earlier", wallet: "wallet",
	balanceWord: "balance", budgetWord: "budget", budgetLeft: "budget left", noBudget: "no budget", perDay: "per day", daysLeft: "days left", moneyLeft: "money left", queryWord: "query", listWord: "list", searchWord: "search",
	trendWord: "trend", compareWord: "comparison with a month", halfYear: "half a year", yearLong: "a year", categoryWord: "category", everyWord: "every", settingWord: "setting", settleWord: "settle",
	splitWord: "divided", maybeSplit: "divided among those named", wholeSum: "the whole sum", shareWord: "each one's share", eachWord: "each", recordWord: "record", politeWord: "please",
	familyWord: "with whom", measure: "measure", place: "place",
}
