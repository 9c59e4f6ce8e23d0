package bot

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// The checks of statements and balances, questions, numbers and people. A nil error
// is a true sentence.

// statedAs checks what the last statement came to.
func statedAs(check func(excess, []string) error) func(*hearing, []string) error {
	return func(h *hearing, m []string) error {
		if len(h.about) == 0 {
			return errors.New("nothing was stated")
		}
		g, ok := h.after.gaps()[h.about[len(h.about)-1].ID]
		if !ok {
			return errors.New("nothing was stated")
		}
		h.parts = append(h.parts, "stated")
		return check(g, m)
	}
}

// gapLine is 記録より300円少ない（不明金 300円）; of too much, ＋300円 is missing.
func gapLine(g excess, m []string) error {
	less := m[2] == "少ない"
	if less != (g.more < 0) || less != (m[3] == "") || g.opening || g.more == 0 {
		return fmt.Errorf("it is %+v", g)
	}
	return errors.Join(is(m[1], max(g.more, -g.more)), is(m[4], max(g.more, -g.more)))
}

// says compares a excess with its words.
func (g excess) says(words string) bool {
	switch {
	case g.more < 0:
		return words == written(-g.more)+"円足りない"
	case g.more > 0:
		return words == written(g.more)+"円多い"
	}
	return words == "ぴったり"
}

// written puts the separators into an amount.
func written(y ledger.Yen) string {
	s := strconv.Itoa(int(y))
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// otherwise tells of a statement that came out otherwise than before: the one of
// the account and day for which fits is true.
func (h *hearing) otherwise(name string, fits func(was, is excess, r ledger.Row) bool) error {
	day := h.today
	if m := dated.FindStringSubmatch(name); m != nil {
		var err error
		if day, err = h.day(m[1]); err != nil {
			return err
		}
		name = m[2]
	}
	before, after := h.before.gaps(), h.after.gaps()
	for id, g := range after {
		was, stood := before[id]
		r := h.after.row(id)
		if stood && was != g && r.Date == day && h.after.account(r.Account, h.viewer) == name && !h.told[id] && fits(was, g, r) {
			h.told[id] = true
			return nil
		}
	}
	return errors.New("no such statement came out otherwise")
}

func (h *hearing) adjusted(m []string) error {
	return h.otherwise(m[1], func(was, is excess, _ ledger.Row) bool {
		return was.says(m[2]) && is.says(m[3]) && !was.opening && !is.opening
	})
}

func (h *hearing) beforeOpening(m []string) error {
	return h.otherwise(m[1], func(was, now excess, r ledger.Row) bool {
		return was.opening && now.opening && is(m[2], r.Stated) == nil
	})
}

func (h *hearing) becameOpening(m []string) error {
	return h.otherwise(m[1], func(was, now excess, r ledger.Row) bool {
		return !was.opening && now.opening && is(m[2], r.Stated) == nil && was.says(m[3])
	})
}

func (h *hearing) noOpening(m []string) error {
	return h.otherwise(m[1], func(was, now excess, r ledger.Row) bool {
		return was.opening && !now.opening && is(m[2], r.Stated) == nil && now.says(m[3])
	})
}

// typedLater gives the receipts of the kind that somebody typed after this message.
func (h *hearing) typedLater(kind store.Kind) (later []*store.Receipt) {
	for n, r := range h.before.receipts {
		if r.Kind == kind && h.after.typed(n).After(h.at) {
			later = append(later, r)
		}
	}
	return later
}

func (h *hearing) lateForUndo([]string) error {
	mine := func(r *store.Receipt) bool { return r.Member == h.viewer }
	return wrong(!slices.ContainsFunc(h.typedLater(store.Undo), mine) || len(h.about) == 0, "there was none")
}

func (h *hearing) tookInstead(m []string) error {
	n, _ := strconv.Atoi(m[1])
	var struck []ledger.Row
	for _, r := range h.after.rowsOf(ledger.ReceiptNumber(n)) {
		if r.Voided && !r.Withdrawn {
			struck = append(struck, r)
		}
	}
	return wrong(!h.showAll(h.after, strings.Split(m[2], "、"), struck), "the rows are not struck, or others")
}

// showAll says whether the phrases, which may have been cut in pieces, show the
// rows, each once.
func (h *hearing) showAll(w *world, pieces []string, rows []ledger.Row) bool {
	if len(pieces) == 0 || len(rows) == 0 {
		return len(pieces) == len(rows)
	}
	if len(pieces) == 1 && pieces[0] == fmt.Sprintf("…ほかに %d件", len(rows)) {
		return true
	}
	for n := 1; n <= len(pieces); n++ {
		phrase := strings.Join(pieces[:n], "、")
		for i, r := range rows {
			if h.showsIn(w, phrase, r) == nil && h.showAll(w, pieces[n:], slices.Delete(slices.Clone(rows), i, i+1)) {
				return true
			}
		}
	}
	return false
}

func (h *hearing) lateForBalance(m []string) error {
	for id := range h.after.gaps() {
		r := h.after.row(id)
		text := h.after.account(r.Account, h.viewer) + "の残高 " + written(r.Stated) + "円"
		if text == m[1] && h.after.typed(id.Receipt).After(h.at) && len(h.about) > 0 {
			return nil
		}
	}
	return errors.New("no such statement was typed later")
}

// holding is what the named account holds at the time of the question.
func (h *hearing) holding(name string) (history, bool) {
	a, known := h.after.called(name, h.viewer)
	return h.after.history(a.ID, h.at), known
}

func (h *hearing) holds(m []string) error {
	now, _ := h.holding(m[1])
	return errors.Join(h.askedOf(m[1]), wrong(!now.stated, "nobody has stated it"), is(m[2], now.holds))
}

func (h *hearing) lacks(m []string) error {
	now, _ := h.holding(m[1])
	if example := m[len(m)-1]; len(m) > 3 && example != m[1] && !h.saysExample(example) {
		return errors.New("nobody asked for that")
	}
	return errors.Join(h.askedOf(m[1]), wrong(!now.stated || now.holds >= 0, "it does not"), is(m[2], -now.holds))
}

// saysExample holds the example of an answer to the words asked: cash is the wallet.
func (h *hearing) saysExample(example string) bool {
	return strings.Contains(h.said, strings.TrimSuffix(example, "残高")) || example == "財布" && strings.Contains(h.said, "現金")
}

func (h *hearing) notStated(m []string) error {
	now, known := h.holding(m[1])
	if example := m[len(m)-1]; !known && !strings.Contains(h.said, m[1]) && m[1] != "財布" && m[1] != "みんなの財布" && m[1] != h.after.person(h.viewer, h.viewer)+"の財布" ||
		len(m) > 3 && example != m[1] && !h.saysExample(example) {
		return errors.New("nobody asked for that")
	}
	err := errors.Join(h.askedOf(m[1]), wrong(now.stated, "it is"))
	if m[2] != "" {
		err = errors.Join(err, is(m[2], now.holds))
	}
	return err
}

// askedOf holds the account that the answer names to the question: it names that, or a
// wallet. The list of all balances names all.
func (h *hearing) askedOf(account string) error {
	named := strings.HasSuffix(account, "財布") && (strings.Contains(h.said, "財布") || strings.Contains(h.said, "現金") || strings.Contains(h.said, "さいふ")) || strings.Contains(folded(h.said), folded(account))
	return wrong(h.section != "balances" && !named, "it was asked about another account")
}

// balances begins the list of all accounts that can have a balance.
func (h *hearing) balances([]string) error {
	h.section = "balances"
	for _, a := range h.after.accounts {
		if !strings.HasSuffix(a.Name, "カード") && !strings.Contains("JCB VISA Mastercard AMEX", a.Name) {
			h.parts = append(h.parts, h.after.account(a.ID, h.viewer))
		}
	}
	h.left = len(h.parts)
	return nil
}

func oneBalance(check func(*hearing, []string) error) func(*hearing, []string) error {
	return func(h *hearing, m []string) error {
		i := slices.Index(h.parts, m[1])
		if i < 0 {
			return errors.New("no such account, or twice")
		}
		h.parts = slices.Delete(h.parts, i, i+1)
		h.left--
		return check(h, m)
	}
}

// ask notes which rows the answer is about.
func (h *hearing) ask(period, words string) (err error) {
	h.subject = words
	h.income = words == "収入" || strings.HasSuffix(words, "の収入")
	var person bool
	h.asked, person, h.splits = h.topic(words, false)
	h.splits = h.splits && !person
	h.period, err = h.when(period)
	h.figures = h.after.figures(h.period, h.asked)
	if err == nil {
		err = errors.Join(h.askedAbout(words), h.askedThen(h.period))
	}
	if _, item, quoted := strings.Cut(words, "「"); quoted && err == nil {
		err = h.quotesMe([]string{words, strings.TrimSuffix(item, "」")})
	}
	return err
}

// askedThen holds the period to being the one that the question names, as far as it is
// one of the plain names.
func (h *hearing) askedThen(p ledger.Period) error {
	day := func(t time.Time) ledger.Period { return ledger.Period{From: ledger.DateOf(t), To: ledger.DateOf(t)} }
	first := time.Date(h.at.Year(), h.at.Month(), 1, 0, 0, 0, 0, tokyo)
	monday := h.at.AddDate(0, 0, -(int(h.at.Weekday())+6)%7)
	from := func(a, b time.Time) ledger.Period {
		return ledger.Period{From: ledger.DateOf(a), To: ledger.DateOf(b.AddDate(0, 0, -1))}
	}
	yearFrom := func(y int) ledger.Period {
		return from(time.Date(y, 1, 1, 0, 0, 0, 0, tokyo), time.Date(y+1, 1, 1, 0, 0, 0, 0, tokyo))
	}
	for name, then := range map[string]ledger.Period{
		"今日": day(h.at), "昨日": day(h.at.AddDate(0, 0, -1)), "今月": from(first, first.AddDate(0, 1, 0)), "先月": from(first.AddDate(0, -1, 0), first),
		"今年": yearFrom(h.at.Year()), "去年": yearFrom(h.at.Year() - 1), "来年": yearFrom(h.at.Year() + 1), "来月": from(first.AddDate(0, 1, 0), first.AddDate(0, 2, 0)), "今週": from(monday, monday.AddDate(0, 0, 7)), "先週": from(monday.AddDate(0, 0, -7), monday),
	} {
		if strings.HasPrefix(h.said, name) && !strings.Contains(h.said, "比") && p != then {
			return fmt.Errorf("it was asked about %v", then)
		}
	}
	if m := regexp.MustCompile(`^(\d+)月`).FindStringSubmatch(h.said); m != nil && m[1] != strconv.Itoa(int(p.From.Month())) {
		return errors.New("it was asked about another month")
	}
	if m := regexp.MustCompile(`^(\d+)/(\d+)の`).FindStringSubmatch(h.said); m != nil && (m[1] != strconv.Itoa(int(p.From.Month())) || m[2] != strconv.Itoa(p.From.Day()) || p.From != p.To) {
		return errors.New("it was asked about another day")
	}
	return nil
}

// isOfPerson says whether the words name a member.
func (h *hearing) isOfPerson(words string) bool {
	_, person, _ := h.topic(words, false)
	return person
}

func (h *hearing) summary(m []string) error {
	if err := h.ask(m[1], m[2]); err != nil {
		return err
	}
	if !h.income && !h.isOfPerson(m[2]) { // else nothing more is told
		h.section = "summary"
	}
	h.summed = true
	sum, rows := h.amountOf(h.period)
	return errors.Join(is(m[3], sum), wrong(m[4] != strconv.Itoa(rows), fmt.Sprintf("it is %d rows", rows)))
}

func (h *hearing) nothing(m []string) error {
	if err := h.ask(m[1], m[2]); err != nil {
		return err
	}
	if !h.income && !h.isOfPerson(m[2]) && !strings.Contains(h.said, "推移") {
		h.section = "summary"
	}
	if yet := h.period.To >= h.today; yet != (m[4] != "") {
		return errors.New("the period is over, or it is not")
	}
	for _, r := range h.after.rows {
		in := there(r) && h.period.Contains(r.Date) && h.asked(r)
		if in && (m[3] == "記録" || isSpending(r) || h.income && r.Type == ledger.Income) {
			return fmt.Errorf("there is row %v", r.ID)
		}
	}
	return nil
}

func figure(name string, of func(figures) ledger.Yen) func(*hearing, []string) error {
	return func(h *hearing, m []string) error {
		h.parts = append(h.parts, name)
		return is(m[1], of(h.figures))
	}
}

func (h *hearing) missing(m []string) error {
	h.parts = append(h.parts, "不明金")
	less := h.figures.missing
	if (m[1] != "") != (less < 0) || (m[3] != "") != (less < 0) {
		return fmt.Errorf("it is %d", less)
	}
	return is(m[2], max(less, -less))
}

// ofCategory is a category with its sum, none larger than the one before.
func (h *hearing) ofCategory(m []string) error {
	sum, known := h.figures.categories[m[1]]
	if !known {
		return errors.New("nothing was spent on it, or it was there already")
	}
	for _, other := range h.figures.categories {
		if other > sum {
			return errors.New("a larger one comes later")
		}
	}
	several := len(h.figures.categories) > 1
	if h.shown == 0 && h.largest == 0 {
		h.largest, h.bars = sum, several
	}
	delete(h.figures.categories, m[1])
	h.shown += sum
	return errors.Join(is(m[2], sum), h.bar(m[3], sum))
}

// bar is as long, in eighths of the longest, as the amount is large.
func (h *hearing) bar(bar string, amount ledger.Yen) error {
	want := 0
	if h.bars && amount > 0 && h.largest > 0 {
		want = max(1, int(math.Round(8*float64(amount)/float64(h.largest))))
	}
	return wrong(strings.Count(bar, "▇") != want, fmt.Sprintf("the bar should be %d long", want))
}

// ofPeople names everybody who spent something, each once.
func (h *hearing) ofPeople(m []string) error {
	h.parts = append(h.parts, "人")
	names := map[string]ledger.Yen{}
	for id, sum := range h.figures.people {
		names[h.after.person(id, h.viewer)] = sum
	}
	parts := strings.Split(m[1], "、")
	if len(names) != len(h.figures.people) || len(parts) != len(names) {
		return fmt.Errorf("%d people have %d names", len(h.figures.people), len(names))
	}
	for _, part := range parts {
		name, sum, _ := strings.Cut(strings.TrimSuffix(part, "円"), " ")
		want, known := names[name]
		if !known {
			return fmt.Errorf("nobody is called %s, or it was there already", name)
		}
		delete(names, name)
		if err := is(sum, want); err != nil {
			return err
		}
	}
	return nil
}

func (h *hearing) list(m []string) error {
	h.section = "list"
	err := h.ask(m[1], m[2])
	for _, r := range slices.Backward(h.after.rows) {
		if there(r) && h.period.Contains(r.Date) && h.asked(r) {
			h.listed = append(h.listed, r)
		}
	}
	h.left = min(len(h.listed), 20)
	return err
}

func (h *hearing) listedRow(m []string) error {
	if len(h.listed) == 0 || h.left == 0 {
		return errors.New("there are no more")
	}
	r := h.listed[0]
	h.listed = h.listed[1:]
	h.left--
	phrase := m[2]
	if len(h.after.members) > 1 {
		var ok bool
		if phrase, ok = strings.CutSuffix(phrase, "（"+h.after.person(r.Member, h.viewer)+"）"); !ok {
			return errors.New("it does not say whose it is")
		}
	}
	return errors.Join(wrong(m[1] != r.ID.String(), "it is "+r.ID.String()), h.shows(h.after, phrase, r))
}

// page says which of the rows follow: twenty on a page, and those that were asked for.
func (h *hearing) page(m []string) error {
	page, pages, rows := count(m[1]), count(m[2]), len(h.listed)
	if rows <= 20 || pages != (rows+19)/20 || count(m[3]) != rows || page < 1 || page > pages {
		return fmt.Errorf("there are %d rows", rows)
	}
	h.listed = h.listed[(page-1)*20 : min(page*20, rows)]
	h.left = len(h.listed)
	return wrong(page != h.askedPage(), "another one was asked for")
}

var pageSaid = regexp.MustCompile(`(\d+) ?ページ`)

func (h *hearing) askedPage() int {
	if m := pageSaid.FindStringSubmatch(h.said); m != nil {
		return count(m[1])
	}
	return 1
}

func (h *hearing) noSuchPage(m []string) error {
	pages := (len(h.listed) + 19) / 20
	h.listed, h.left = nil, 0
	return errors.Join(wrong(count(m[1]) != pages, fmt.Sprintf("there are %d", pages)), wrong(h.askedPage() <= pages, "there is that one"))
}

func count(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

func (h *hearing) listFoot(m []string) error {
	found := slices.ContainsFunc(h.after.rows, func(r ledger.Row) bool { return there(r) && r.ID.String() == m[1] })
	return wrong(!found, "there is no such row")
}

func (h *hearing) oneOfSeveral(m []string) error {
	for _, r := range h.after.rows {
		if r.ID.String() == m[1] && there(r) {
			return errors.Join(wrong(r.Member != h.viewer, "it is somebody else's"), h.shows(h.after, m[2], r))
		}
	}
	return errors.New("there is no such row")
}
