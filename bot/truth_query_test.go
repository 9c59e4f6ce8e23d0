package bot

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"ichido/internal/ledger"
)

const (
	earlierRE = `((?:先月|先週|去年)の\d+/\d+まで|今月|\d+月|\d{4}年\d+月|\d{4}年|[\d/]+〜[\d/]+|\d+/\d+\(.\)|\d{4}/\d+/\d+)`
	wholeRE   = `(先月|先週|去年|今月|\d+月|\d{4}年\d+月|\d{4}年|[\d/]+〜[\d/]+|\d+/\d+\(.\)|\d{4}/\d+/\d+)`
)

// queryPatterns are the lines of searches, comparisons and trends.
var queryPatterns = []pattern{
	says("ahead", "", `このうち`+yenRE+`（(\d+)件）は、あしたからの日付です。`, (*hearing).ahead),
	says("comparison", "", `(今日までで、)?`+earlierRE+`の`+yenRE+`(?:より`+yenRE+`(多い|少ない)です|と同じです)。`, (*hearing).comparison),
	says("compared", "", periodRE+`の(.+)は、(今日までで)?`+yenRE+`（(\d+)件）です。`, (*hearing).compared),
	says("nothing to compare", "compare", wholeRE+`には、くらべる記録がありません。`, (*hearing).nothingToCompare),
	says("nothing so early", "compare", earlierRE+`は、まだ記録がありませんでした。`+wholeRE+`は、全部で`+yenRE+`でした。`, (*hearing).nothingSoEarly),
	says("difference", "compare", `・(.+) ([＋－±])`+yenRE+`（`+yenRE+`→`+yenRE+`）`, (*hearing).difference),

	says("found", "", `(?:((?:\d{4}/)?\d+/\d+)から|`+periodRE+`)の(.+)の記録 (\d+)件（新しい順、先頭は受付の番号）`, (*hearing).found),
	says("found spending", "search", `支出 `+yenRE+`(?:（返金`+yenRE+`を引いた額）)?((?:、[^、]+円.*)?)`, (*hearing).foundSums),
	says("found others", "search", `((?:収入|口座の間で移したお金|不明金) .+)`, (*hearing).foundOthers),
	says("last month", "", `先月（(\d+)月）の支出は`+yenRE+`でした。`, (*hearing).lastMonth),
	says("group greeting", "", regexp.QuoteMeta(groupGreeting.ja), func(*hearing, []string) error { return nil }),
	says("how to search", "", `「検索 スタバ」のように、さがす言葉をつけて送ってください。「先月のスタバを検索」のように、いつのことかもつけられます。`, func(h *hearing, _ []string) error {
		return wrong(strings.Contains(h.said, "スーパー"), "there was a word")
	}),
	says("help", "", `(?:`+regexp.QuoteMeta(useSearch.does.ja)+`|`+regexp.QuoteMeta(useTrend.does.ja)+`|`+regexp.QuoteMeta(useCompare.does.ja)+`|`+regexp.QuoteMeta(useCategories.does.ja)+`|`+
		regexp.QuoteMeta(useBudget.does.ja)+`|`+regexp.QuoteMeta(useBudgets.does.ja)+`)。`, func(*hearing, []string) error { return nil }),
	says("found nothing", "", `((?:\d{4}/)?\d+/\d+)からの(.+)の記録はありません。それより前は「(\d{4})年の(.+)を検索」のように送ると、さがせます。`, (*hearing).foundNothing),

	says("categories", "", `カテゴリは(\d+)こあります（金額は`+periodRE+`の支出）。`, (*hearing).categories),
	says("one of the categories", "categories", `・(.+) `+yenRE+`(?: (▇+))?`, (*hearing).ofCategory),
	says("unused categories", "", `まだ支出のないもの：(.+)`, (*hearing).unusedCategories),

	says("trend", "", `(.+)の推移（(?:`+periodRE+`〜)?今月）`, (*hearing).trend),
	says("month of a trend", "trend", `(\d+)月(?: (▇+))? `+yenRE+`(（途中）)?`, (*hearing).monthOfTrend),
	says("average", "trend", periodRE+`〜`+periodRE+`の平均 `+yenRE, (*hearing).average),

	says("card", "", `(.+)の残高は、まだ扱えません。今月、(.+)で払ったのは`+yenRE+`（(\d+)件）です。`, (*hearing).card),
}

// folded is a text without what does not count when words are compared.
func folded(s string) string {
	hiragana := func(r rune) rune {
		if r >= 'ァ' && r <= 'ヶ' {
			return r - 'ァ' + 'ぁ'
		}
		return r
	}
	return strings.Map(hiragana, strings.ToLower(norm.NFKC.String(s)))
}

// core is a folded text without what is put around the names of things.
func core(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(folded(s), "お"), "ご")
	return strings.TrimRight(s, "代料費")
}

func hasWord(text, word string) bool {
	return text != "" && (strings.Contains(folded(text), folded(word)) || core(text) == core(word))
}

// topic is what the words of an answer limit a question to: 花子の食費, カードの支出, 「スタバ」.
// person says that they name a member, splits that they name no category.
func (h *hearing) topic(words string, search bool) (pass func(ledger.Row) bool, person, splits bool) {
	all := []func(ledger.Row) bool{}
	cut := func(name string) bool {
		rest, ok := strings.CutPrefix(words+"の", name+"の")
		if ok = ok && name != ""; ok {
			words = strings.TrimSuffix(rest, "の")
		}
		return ok
	}
	for _, m := range h.after.members {
		if !person && cut(h.after.person(m.ID, h.viewer)) {
			person = true
			all = append(all, func(r ledger.Row) bool { return r.Member == m.ID })
		}
	}
	names := []string{"財布"}
	for _, a := range h.after.accounts {
		names = append(names, a.Name)
	}
	for _, name := range names {
		if cut(name) {
			id := h.accountMeant(name)
			all = append(all, func(r ledger.Row) bool { return id != 0 && (r.Account == id || r.ToAccount == id) })
		}
	}
	if item, ok := strings.CutPrefix(words, "「"); ok {
		item = strings.TrimSuffix(item, "」")
		all = append(all, func(r ledger.Row) bool {
			return hasWord(r.Item, item) || search && hasWord(h.after.category(r), item)
		})
	} else if words != "" && words != "支出" {
		category := words
		all = append(all, func(r ledger.Row) bool { return h.after.category(r) == category })
		return passesAll(all), person, false
	}
	return passesAll(all), person, true
}

func passesAll(all []func(ledger.Row) bool) func(ledger.Row) bool {
	return func(r ledger.Row) bool {
		return !slices.ContainsFunc(all, func(pass func(ledger.Row) bool) bool { return !pass(r) })
	}
}

// accountMeant is the account that the viewer calls by the name; 0 for none.
func (h *hearing) accountMeant(name string) ledger.AccountID {
	for _, a := range h.after.accounts {
		owner := h.viewer
		if h.after.wallet == "shared" {
			owner = 0
		}
		if a.Name == name || name == "財布" && a.Name == "現金" && a.Owner == owner {
			return a.ID
		}
	}
	return 0
}

// askedAbout holds the words to naming one of the categories, and of the members, that
// the question names, if it names any.
func (h *hearing) askedAbout(words string) error {
	var people []string
	for _, m := range h.after.members {
		people = append(people, cmp.Or(m.Name, "-"))
	}
	for _, names := range [][]string{people, {"収入"}, {"カード", "PayPay", "Suica"}, slices.Collect(maps.Keys(h.shownCategories()))} {
		in := func(text string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) })
		}
		if in(h.said) && !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(h.said, name) && strings.Contains(words, name) }) {
			return errors.New("it was asked about another one")
		}
	}
	return nil
}

// amountOf is what the answer is about, in a period: what was spent, or income.
func (h *hearing) amountOf(p ledger.Period) (ledger.Yen, int) {
	f := h.after.figures(p, h.asked)
	if h.income {
		return f.income, f.incomes
	}
	return f.spent, f.spendings
}

// beside gives the period that the answer's is compared with, how it is called, and as
// much of the answer's own as has passed.
func (h *hearing) beside() (earlier, now ledger.Period, name string) {
	p, goesOn := h.period, h.period.From <= h.today && h.today <= h.period.To
	from, to, today := p.From.In(tokyo), p.To.In(tokyo), h.today.In(tokyo)
	var a, b, like time.Time
	switch {
	case from.Day() == 1 && to.AddDate(0, 0, 1) == from.AddDate(0, 1, 0):
		a, b, name = from.AddDate(0, -1, 0), from.AddDate(0, 0, -1), "先月"
		like = a.AddDate(0, 0, today.Day()-1)
	case from.YearDay() == 1 && to.AddDate(0, 0, 1) == from.AddDate(1, 0, 0):
		a, b, name = from.AddDate(-1, 0, 0), from.AddDate(0, 0, -1), "去年"
		like = today.AddDate(-1, 0, 0)
		if like.Day() != today.Day() { // there was no 29 February
			like = like.AddDate(0, 0, -1)
		}
	case from.Weekday() == time.Monday && to == from.AddDate(0, 0, 6):
		a, b, name = from.AddDate(0, 0, -7), from.AddDate(0, 0, -1), "先週"
		like = today.AddDate(0, 0, -7)
	default:
		return earlier, p, ""
	}
	if !goesOn {
		return ledger.Period{From: ledger.DateOf(a), To: ledger.DateOf(b)}, p, "the period"
	}
	if like.After(b) {
		like = b
	}
	name = fmt.Sprintf("%sの%d/%dまで", name, like.Month(), like.Day())
	return ledger.Period{From: ledger.DateOf(a), To: ledger.DateOf(like)}, ledger.Period{From: p.From, To: h.today}, name
}

// calledEarlier holds the name of the earlier period to being that.
func (h *hearing) calledEarlier(name string) error {
	earlier, _, want := h.beside()
	if want != "the period" {
		return wrong(name != want, "it is "+want)
	}
	p, err := h.when(name)
	return errors.Join(err, wrong(p != earlier, fmt.Sprintf("it is %v", earlier)))
}

func (h *hearing) aheadRows() (ledger.Yen, int) {
	if h.period.From > h.today || h.period.To < h.today {
		return 0, 0
	}
	return h.amountOf(ledger.Period{From: h.today + 1, To: h.period.To})
}

func (h *hearing) ahead(m []string) error {
	h.parts = append(h.parts, "あした")
	amount, rows := h.aheadRows()
	return errors.Join(is(m[1], amount), wrong(m[2] != strconv.Itoa(rows), fmt.Sprintf("it is %d rows", rows)))
}

func (h *hearing) comparison(m []string) error {
	h.parts = append(h.parts, "くらべる")
	earlier, now, _ := h.beside()
	was, _ := h.amountOf(earlier)
	is1, _ := h.amountOf(now)
	_, rows := h.aheadRows()
	says := ledger.Yen(0)
	if m[4] != "" {
		says, _ = amount(m[4])
		if says == 0 || number.FindString(m[4]) == "" || (m[5] == "少ない") != (is1 < was) {
			return errors.New("it is the other way round, or none")
		}
	}
	if h.section == "compare" {
		h.left--
	}
	return errors.Join(h.calledEarlier(m[2]), is(m[3], was), wrong(says != max(is1-was, was-is1), fmt.Sprintf("it is %d", is1-was)),
		wrong((m[1] != "") != (rows > 0 && h.section != "compare"), "there are rows ahead, or not"))
}

// summedUp holds a summary to having said what of it is ahead and how it compares.
func (h *hearing) summedUp() error {
	if err := h.budgetEnds(); err != nil {
		return err
	}
	if h.section == "categories" {
		_, some := h.unused()
		return errors.Join(wrong(len(h.figures.categories) > 0, "a category is missing"), wrong(slices.Contains(h.parts, "まだ") != some, "it does not say what is unused"))
	}
	if !h.summed {
		return nil
	}
	_, ahead := h.aheadRows()
	earlier, now, name := h.beside()
	_, rows := h.amountOf(now)
	_, before := h.amountOf(earlier)
	compares := name != "" && rows > 0 && before > 0 && h.period.From <= h.today
	refunded := !h.income && h.figures.refunded > 0
	return errors.Join(wrong(slices.Contains(h.parts, "返金") != refunded, "it says nothing of refunds, or too much"),
		wrong(slices.Contains(h.parts, "あした") != (ahead > 0), "it says nothing of what is ahead, or too much"),
		wrong(slices.Contains(h.parts, "くらべる") != compares, "it compares nothing, or too much"))
}

func (h *hearing) compared(m []string) error {
	h.section = "compare"
	h.income = strings.HasSuffix(m[2], "収入")
	if err := h.ask(m[1], m[2]); err != nil {
		return err
	}
	earlier, now, _ := h.beside()
	sum, rows := h.amountOf(now)
	_, before := h.amountOf(earlier)
	h.left = 1 // the comparison
	if _, _, splits := h.topic(m[2], false); splits && !strings.Contains(m[2], "「") && before > 0 {
		h.left += len(h.differences())
	}
	goesOn := h.period.From <= h.today && h.today <= h.period.To
	return errors.Join(is(m[4], sum), wrong(m[5] != strconv.Itoa(rows), fmt.Sprintf("it is %d rows", rows)), wrong((m[3] != "") != goesOn, "it goes on, or not"))
}

// differences gives by how much the categories have gone up or down.
func (h *hearing) differences() map[string]ledger.Yen {
	earlier, now, _ := h.beside()
	all := map[string]ledger.Yen{}
	for c, sum := range h.after.figures(now, h.asked).categories {
		all[c] += sum
	}
	for c, sum := range h.after.figures(earlier, h.asked).categories {
		all[c] -= sum
	}
	return all
}

func (h *hearing) nothingToCompare(m []string) error {
	h.left--
	h.parts = append(h.parts, "くらべる")
	whole, err := h.wholeBefore(m[1])
	_, rows := h.amountOf(whole)
	return errors.Join(err, wrong(rows > 0, "there is something"))
}

func (h *hearing) nothingSoEarly(m []string) error {
	h.left--
	h.parts = append(h.parts, "くらべる")
	earlier, _, _ := h.beside()
	whole, err := h.wholeBefore(m[2])
	_, rows := h.amountOf(earlier)
	all, some := h.amountOf(whole)
	says, _ := amount(m[3])
	return errors.Join(err, h.calledEarlier(m[1]), wrong(rows > 0, "there is something"), wrong(some == 0 || says != all, fmt.Sprintf("it is %d", all)))
}

// wholeBefore gives all of the period with which the answer's is compared, which is called
// so.
func (h *hearing) wholeBefore(name string) (ledger.Period, error) {
	over := *h
	over.today = max(h.today, h.period.To.AddDays(1))
	whole, _, _ := over.beside()
	if _, _, want := h.beside(); want != "the period" && want != "" {
		return whole, wrong(!strings.HasPrefix(want, name+"の"), "it is "+want)
	}
	return whole, h.calledEarlier(name)
}

func (h *hearing) difference(m []string) error {
	h.left--
	earlier, now, _ := h.beside()
	was, is1 := h.after.figures(earlier, h.asked).categories[m[1]], h.after.figures(now, h.asked).categories[m[1]]
	by, known := h.differences()[m[1]]
	size := func(y ledger.Yen) ledger.Yen { return max(y, -y) }
	if !known || len(h.parts) > 1 && size(by) > h.shown {
		return errors.New("no such category, or a smaller difference came before")
	}
	h.shown = size(by)
	h.parts = append(h.parts, m[1])
	sign := map[string]bool{"＋": by > 0, "－": by < 0, "±": by == 0}
	return errors.Join(wrong(!sign[m[2]], "it is the other way round"), is(m[3], size(by)), is(m[4], was), is(m[5], is1))
}

// shownCategories are the names of all categories of expenses.
func (h *hearing) shownCategories() map[string]bool {
	all := map[string]bool{}
	for _, c := range ledger.Categories {
		all[h.after.category(ledger.Row{Type: ledger.Expense, Category: c})] = true
	}
	for name, value := range h.after.settings {
		if own, ok := strings.CutPrefix(name, "category/"); ok && own == value {
			all[h.after.category(ledger.Row{Type: ledger.Expense, Category: ledger.Category(own)})] = true
		}
	}
	return all
}

func (h *hearing) categories(m []string) error {
	err := h.ask(m[2], "")
	h.section = "categories"
	for c := range h.figures.categories {
		h.parts = append(h.parts, c)
	}
	all := len(h.shownCategories())
	return errors.Join(err, wrong(m[1] != strconv.Itoa(all), fmt.Sprintf("it is %d", all)))
}

// unused are the categories on which nothing was spent.
func (h *hearing) unused() (names map[string]bool, some bool) {
	names = h.shownCategories()
	for _, c := range h.parts {
		delete(names, c)
	}
	return names, len(names) > 0
}

func (h *hearing) unusedCategories(m []string) error {
	if h.section != "categories" { // without it the line has nothing that a pattern is asked for
		return errors.New("it does not say of which month")
	}
	unused, _ := h.unused()
	for _, name := range strings.Split(m[1], "、") {
		if !unused[name] {
			return fmt.Errorf("%s is used, or no category", name)
		}
		delete(unused, name)
	}
	h.parts = append(h.parts, "まだ")
	return wrong(len(unused) > 0, "some are missing")
}

func (h *hearing) trend(m []string) (err error) {
	h.section, h.subject = "trend", m[1]
	h.income = strings.HasSuffix(m[1], "収入")
	h.asked, _, _ = h.topic(m[1], false)
	h.period, err = h.when(cmp.Or(m[2], "今月"))
	if _, rows := h.amountOf(h.period); err == nil && rows == 0 {
		err = errors.New("there was nothing in the first month")
	}
	h.months = nil
	for p := h.period; err == nil && p.From <= h.today && len(h.months) < 13; {
		h.months = append(h.months, p)
		first := p.From.In(tokyo).AddDate(0, 1, 0)
		p = ledger.Period{From: ledger.DateOf(first), To: ledger.DateOf(first.AddDate(0, 1, -1))}
	}
	h.left = len(h.months)
	if len(h.months) > 2 {
		h.left++
	}
	if limit := 12; len(h.months) > limit {
		return errors.New("it is too long")
	}
	return err
}

func (h *hearing) monthOfTrend(m []string) error {
	whole := len(h.months)
	if whole > 2 {
		whole++
	}
	i := whole - h.left
	if i >= len(h.months) {
		return errors.New("there are no more")
	}
	h.left--
	largest := ledger.Yen(0)
	for _, p := range h.months {
		sum, _ := h.amountOf(p)
		largest = max(largest, sum)
	}
	sum, _ := h.amountOf(h.months[i])
	bar := 0
	if sum > 0 {
		bar = max(1, int(float64(sum)*8/float64(largest)+0.5))
	}
	return errors.Join(is(m[3], sum), wrong(m[1] != strconv.Itoa(int(h.months[i].From.Month())), "it is another month"),
		wrong(len([]rune(m[2])) != bar, fmt.Sprintf("the bar should be %d", bar)), wrong((m[4] != "") != (i == len(h.months)-1), "it goes on, or not"))
}

func (h *hearing) average(m []string) error {
	h.left--
	n := len(h.months) - 1
	first, err := h.when(m[1])
	last, err2 := h.when(m[2])
	if err != nil || err2 != nil || n < 2 || first != h.months[0] || last != h.months[n-1] {
		return errors.New("it is of other months")
	}
	var sum ledger.Yen
	for _, p := range h.months[:n] {
		amount, _ := h.amountOf(p)
		sum += amount
	}
	says, err := amount(m[3])
	off := 2 * (says*ledger.Yen(n) - sum) // the average is at most half a yen away, a whole half only above
	return errors.Join(err, wrong(off > ledger.Yen(n) || off <= -ledger.Yen(n), fmt.Sprintf("it is %d in %d", sum, n)))
}

func (h *hearing) card(m []string) error {
	id := h.accountMeant(m[1])
	paid := func(r ledger.Row) bool { return r.Account == id || r.ToAccount == id }
	p, _ := h.when("今月")
	f := h.after.figures(p, paid)
	return errors.Join(wrong(m[1] != m[2] || id == 0, "there is no such card"), is(m[3], f.spent), wrong(m[4] != strconv.Itoa(f.spendings), "other rows"))
}

// asks makes up a question that goes over more than one period, or has a word in it.
func (f *family) asks() string {
	return pick(f, "検索 スーパー", "検索 すーぱー", "検索 ﾗﾝﾁ", "お茶を検索", "検索 食費", "検索", "検索 なぞ", "検索 返品", "先月のスーパーを検索", "検索 給料", "検索 薬代",
		"検索 交通", "10月の本を検索", "検索 カード", "検索 ない物", "検索 銀行", "先月比", "先月と比べて", "食費の前月比", "先月の前月比", "スーパー 先月比", "収入の前月比",
		"推移", "推移", "1年の推移", "食費の推移", "スーパーの推移", "収入の推移", "花子の推移", "カテゴリ", "先月のカテゴリ", "今年", "来月", "先週", "カード残高",
		"花子の一覧", "太郎の食費の一覧", "カードの一覧", "カードで今月いくら使った？", "花子は今月いくら？", "太郎は先月いくら使った？", "今年の食費")
}

// lastMonth tells of the month before the day of the message, if there was anything.
func (h *hearing) lastMonth(m []string) error {
	last := ledger.Month(h.today, -1)
	f := h.after.figures(last, func(ledger.Row) bool { return true })
	return errors.Join(is(m[2], f.spent), wrong(count(m[1]) != int(last.From.Month()), "it is another month"), wrong(f.spendings == 0, "nothing was spent"))
}
