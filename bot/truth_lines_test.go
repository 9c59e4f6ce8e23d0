package bot

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// hearing is one answer while it is compared, line by line, with the ledger before
// and after its event.
type hearing struct {
	before, after *world
	receipt       store.Receipt
	said          string // what the person sent
	tapped        bool
	lines         []string

	viewer ledger.MemberID
	at     time.Time // when what was said was typed
	today  ledger.Date

	section string // what the lines that follow are about: the name of a pattern
	left    int    // how many more of them were announced; -1: nothing was
	about   []ledger.Row
	seen    map[string]bool       // lines
	claimed map[ledger.RowID]bool // rows of which the answer says that they have changed
	told    map[ledger.RowID]bool // statements of which it says that they come out otherwise
	other   bool                  // it says that a setting or a name has changed
	claims  int                   // sentences that say that something has been done
	quiet   bool                  // the small print was there
	turned  bool                  // a change was taken or brought back: the number is that of doing so

	// Of a summary or list:
	period  ledger.Period
	asked   func(ledger.Row) bool
	subject string
	listed  []ledger.Row
	largest ledger.Yen // amount that the longest bar stands for
	bars    bool       // there are bars
	figures figures
	shown   ledger.Yen // by the lines so far
	income  bool       // it is income that is asked about
	splits  bool       // the lines that follow are of all categories
	summed  bool       // there is a figure of the period
	months  []ledger.Period
	parts   []string
}

// hear compares an answer with the ledger. It returns what is not true.
func hear(before, after *world, r store.Receipt, said string, tapped bool, text string) error {
	h := &hearing{
		before: before, after: after, receipt: r, said: said, tapped: tapped, viewer: r.Member, at: r.At, left: -1,
		seen: map[string]bool{}, claimed: map[ledger.RowID]bool{}, told: map[ledger.RowID]bool{}, asked: everything,
	}
	if !r.Typed.IsZero() {
		h.at = r.Typed
	}
	if r.About == store.Edited && r.Member == 0 { // it is the author's
		for n := range r.Number {
			if before.sameMessage(n, r.Number) || after.sameMessage(n, r.Number) {
				h.viewer = after.receipts[n].Member
				break
			}
		}
	}
	h.at = h.at.In(tokyo)
	h.today = ledger.DateOf(h.at)
	if text != "" {
		h.lines = strings.Split(text, "\n")
	}
	for i, line := range h.lines {
		if err := h.line(line); err != nil {
			return fmt.Errorf("line %d, %q: %w", i+1, line, err)
		}
	}
	return h.ends()
}

// line finds the one pattern that the line has and checks what it says. A line
// without anything that could be wrong needs none.
func (h *hearing) line(line string) error {
	var found *pattern
	var parts []string
	for i := range patterns {
		p := &patterns[i]
		if p.in != "" && !slices.Contains(strings.Fields(p.in), h.section) {
			continue
		}
		if m := p.re.FindStringSubmatch(line); m != nil && (p.not == nil || !p.not.MatchString(line)) {
			if found != nil {
				return fmt.Errorf("it is %s and %s", found.name, p.name)
			}
			found, parts = p, m
		}
	}
	if found == nil {
		if fact := h.fact(line); fact != "" {
			return fmt.Errorf("no pattern allows %q here (in %q)", fact, h.section)
		}
		return h.denies(line)
	}
	done := len(h.about) + len(h.told)
	if err := found.check(h, parts); err != nil {
		return fmt.Errorf("%s: %w", found.name, err)
	}
	if done == len(h.about)+len(h.told) && h.seen[line] && found.name != "unread" && found.name != "last rows" {
		return errors.New("it says so twice")
	}
	h.seen[line] = true
	return h.denies(line)
}

// examples are quoted in sentences to show what one may send. They say nothing of
// the ledger. Others that the bot makes up have patterns.
var examples = strings.NewReplacer(examplePairs(
	"+5000 お小遣い", "+5000 お年玉", ",", "11/29 スーパー 2480 カード", "11/29 ランチ 900", "お土産 3000", "お小遣い あげた 5000",
	"お年玉 あげた 5000", "カード", "ケース 2000円", "シャツ 3300", "シャツ 返金 2000", "スーパー 2480 カード", "スーパー 2480", "ピザ 1980",
	"ヘルプ", "ランチ 1280", "ランチ 900", "ランチ 950", "一度", "一覧", "今日", "今月", "先月", "円", "取消 12", "取消",
	"名前 花子", "家賃 80000", "弁当 540", "招待", "新しい財布 3000", "映画 1900×2", "昨日 スーパー 2480 カード", "牛乳 198", "給料 250000",
	"受付 12 は 950円", "受付 12 は昨日", "さっきのは950円", "ランチは交際費", "訂正 12000", "訂正 ランチ 950", "辞書 ランチ 削除", "ランチ",
	"花子の財布 3000", "財布 3000", "財布", "貯金 20000", "銀行からSuicaに3000円", "銀行から財布に3000円", "銀行残高 150000",
	"検索 スタバ", "推移", "先月比", "カテゴリ", "予算 食費 30000", "予算", "カテゴリ 追加 推し活",
	"飲み会 12000 4人で割り勘", "元に戻す 12", "元に戻す", "洗剤 398 日用品", "メンバー",
)...)

func examplePairs(texts ...string) (pairs []string) {
	for _, text := range texts {
		pairs = append(pairs, "「"+text+"」", "")
	}
	return pairs
}

// fact is what in the line could be wrong: a digit, an item, a name, a day.
func (h *hearing) fact(line string) string {
	if fixedSentences[line] || slices.Contains(strings.Split(Japanese.helpText(), "\n"), line) {
		return ""
	}
	rest := examples.Replace(line)
	words := []string{"今月", "先月", "今日", "昨日", "件を"}
	for _, r := range h.after.rows {
		words = append(words, r.Item)
	}
	for _, m := range h.after.members {
		words = append(words, m.Name)
	}
	for _, word := range words {
		if word != "" && strings.Contains(rest, word) {
			return word
		}
	}
	return regexp.MustCompile(`[0-9０-９]+|しました。`).FindString(rest)
}

// fixedSentences have a digit, or a word like an item, that is none of the ledger's.
var fixedSentences = map[string]bool{
	"記録は、家計簿に参加している家族みんなに見えます。":                                                         true,
	"収入のカテゴリは変えられません。何も変えていません。":                                                        true,
	"家族を呼ぶときは「招待」と送ってください。":                                                             true,
	"金額が大きすぎます。999,999,999円までです。":                                                       true,
	"0円やマイナスの金額は記録できません。返ってきたお金なら「シャツ 返金 2000」のように送ってください。":                             true,
	"0で始まる金額は読めません。「ランチ 900」のように、品名と一緒に送ってください。":                                        true,
	"招待コードはほかの人に見えないように、わたしとの1対1のトークで「招待」と送ってください。":                                     true,
	"このグループでは、LINEからお名前を教えてもらえていません。わたしとの1対1のトークで送ってください。":                              true,
	"参加する人は、この公式アカウントを友だちに追加して、コードを送ってください。":                                            true,
	"取り消しは1つずつ、「取消 12」のように送ってください。いまは何も取り消していません。":                                      true,
	"かけ算が読めませんでした。「映画 1900×2」のように、金額と数だけで、1つずつ送ってください。":                                 true,
	"日付や「カード」などの行が、どの記録のことか、わかりませんでした。「11/29 スーパー 2480 カード」のように、1つの行に書いて、全部を送り直してください。": true,
	"すみません、よくわかりませんでした。このメッセージは記録していません。使いかたは「ヘルプ」でどうぞ。":                                true,
}

var (
	saysUnrecorded = regexp.MustCompile(`記録していません`)
	saysUnstruck   = regexp.MustCompile(`取り消していません|ものがありません|^もう取り消して`)
	saysUnchanged  = regexp.MustCompile(`変えていません|^もう(取り消|元に戻)して|もうみんなで|もうひとりずつ|^もう「`)
)

// denies holds a line that says that something was not done to that.
func (h *hearing) denies(line string) error {
	if saysUnchanged.MatchString(line) && (len(h.changed()) > 0 || len(h.receipt.Settings) > 0 || h.renamed()) {
		return fmt.Errorf("but it changed %v %v", h.changed(), h.receipt.Settings)
	}
	for _, id := range h.changed() {
		was, is := h.before.row(id), h.after.row(id)
		switch {
		case strings.Contains(line, "」は読めなかったので、"): // a part of the message
		case saysUnrecorded.MatchString(line) && !there(was) && there(is), saysUnstruck.MatchString(line) && there(was) && !there(is):
			return fmt.Errorf("but it changed row %v", id)
		}
	}
	return nil
}

// changed are the rows that say something else after the event.
func (h *hearing) changed() (ids []ledger.RowID) {
	for _, r := range h.after.rows {
		if h.before.row(r.ID).Facts() != r.Facts() {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// ends holds the whole answer to having said all that was done.
func (h *hearing) ends() error {
	if h.left > 0 {
		return fmt.Errorf("%d rows that were announced are missing", h.left)
	}
	if len(h.lines) == 0 && h.mayBeSilent() {
		return nil
	}
	for _, id := range h.changed() {
		was, is := h.before.row(id), h.after.row(id)
		if !h.claimed[id] && (there(was) || there(is) || is.Voided && !is.Withdrawn) {
			return fmt.Errorf("it does not say that it changed row %v from %+v to %+v", id, was, is)
		}
	}
	before, after := h.before.gaps(), h.after.gaps()
	for id, g := range after {
		was, stood := before[id]
		if stood && was != g && !h.told[id] && !h.claimed[id] {
			return fmt.Errorf("it does not say that statement %v came out otherwise: %v instead of %v", id, g, was)
		}
	}
	if (len(h.receipt.Settings) > 0 || h.renamed()) != h.other {
		return errors.New("what it says of settings and names is not what it did")
	}
	if (h.claims > 0 && len(h.about) > 0 || len(h.receipt.Settings) > 0) && !h.quiet {
		return errors.New("it says no number")
	}
	for _, r := range h.about {
		if r.Type == ledger.Adjustment && there(r) && h.receipt.About == store.Said && !slices.Contains(h.parts, "stated") {
			return errors.New("it does not say what the statement came to")
		}
	}
	if h.section == "last" {
		return errors.New("it does not say what was last")
	}
	return h.totals()
}

// mayBeSilent says whether the event may change something without a word: what is
// unsent, and a message that comes after its edit.
func (h *hearing) mayBeSilent() bool {
	r := h.receipt
	if r.About == store.Unsent {
		return true
	}
	for n := range r.Number {
		if h.after.sameMessage(n, r.Number) && r.About == store.Said {
			return true
		}
	}
	return false
}

func (h *hearing) renamed() bool {
	for i, m := range h.before.members {
		if m.Name != h.after.members[i].Name {
			return true
		}
	}
	return false
}

// totals holds the parts of a summary to their sum.
func (h *hearing) totals() error {
	f := h.figures
	if err := h.summedUp(); err != nil {
		return err
	}
	if h.section == "summary" && h.splits && (h.shown != f.spent || len(f.categories) > 0) {
		return fmt.Errorf("the categories come to %d instead of %d, without %v", h.shown, f.spent, f.categories)
	}
	if h.section == "summary" {
		several := len(f.people) > 0 && len(h.after.members) > 1
		for part, has := range map[string]bool{"人": several, "返金": f.refunded > 0, "収入": f.incomes > 0, "移した": f.moves > 0, "不明金": f.unmatched > 0} {
			if slices.Contains(h.parts, part) != has {
				return fmt.Errorf("of %s it says nothing, or too much", part)
			}
		}
	}
	if (h.section == "list" || h.section == "search") && len(h.listed) > 0 {
		return fmt.Errorf("%d rows are missing in the list", len(h.listed))
	}
	return nil
}

var number = regexp.MustCompile(`^-?[0-9]{1,3}(,[0-9]{3})*$`)

// amount reads an amount with its separators.
func amount(s string) (ledger.Yen, error) {
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	if err != nil || !number.MatchString(s) {
		return 0, fmt.Errorf("%q is no amount", s)
	}
	return ledger.Yen(n), nil
}

// is compares an amount as it is written with what is right.
func is(s string, want ledger.Yen) error {
	got, err := amount(s)
	if err == nil && got != want {
		err = fmt.Errorf("%d instead of %d", got, want)
	}
	return err
}

var (
	weekday  = regexp.MustCompile(`^(\d+)/(\d+)\((.)\)$`)
	shortDay = regexp.MustCompile(`^(?:(\d{4})/)?(\d+)/(\d+)$`)
	month    = regexp.MustCompile(`^(?:(\d{4})年)?(\d+)月$`)
)

// date makes a date of its parts; without a year it is one of this year.
func (h *hearing) date(year, month, day string) (ledger.Date, error) {
	y, _ := strconv.Atoi(cmp.Or(year, strconv.Itoa(h.at.Year())))
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if year != "" && y == h.at.Year() {
		return 0, errors.New("this year is not named")
	}
	return ledger.NewDate(y, time.Month(m), d)
}

// day reads 11/29(日) and 2025/11/29.
func (h *hearing) day(s string) (ledger.Date, error) {
	if m := weekday.FindStringSubmatch(s); m != nil {
		d, err := h.date("", m[1], m[2])
		names := map[string]time.Weekday{"日": 0, "月": 1, "火": 2, "水": 3, "木": 4, "金": 5, "土": 6}
		if name, ok := names[m[3]]; err == nil && (!ok || d.Weekday() != name) {
			err = fmt.Errorf("%s is another day of the week", s)
		}
		return d, err
	}
	if m := shortDay.FindStringSubmatch(s); m != nil && m[1] != "" {
		return h.date(m[1], m[2], m[3])
	}
	return 0, fmt.Errorf("%q is no day", s)
}

// when reads the name of a period.
func (h *hearing) when(s string) (p ledger.Period, err error) {
	if s == "今日" {
		return ledger.Period{From: h.today, To: h.today}, nil
	}
	if s == "今月" {
		s = fmt.Sprintf("%d月", h.at.Month())
	} else if m := month.FindStringSubmatch(s); m != nil && m[1] == "" && m[2] == strconv.Itoa(int(h.at.Month())) {
		return p, errors.New("this month is called so")
	}
	if m := month.FindStringSubmatch(s); m != nil {
		p.From, err = h.date(m[1], m[2], "1")
		p.To = ledger.DateOf(p.From.In(tokyo).AddDate(0, 1, -1))
		return p, err
	}
	if from, to, ok := strings.Cut(s, "〜"); ok {
		a, b := shortDay.FindStringSubmatch(from), shortDay.FindStringSubmatch(to)
		if a == nil || b == nil {
			return p, fmt.Errorf("%q is no period", s)
		}
		p.From, err = h.date(a[1], a[2], a[3])
		if err == nil {
			p.To, err = h.date(b[1], b[2], b[3])
		}
		return p, err
	}
	if year, ok := strings.CutSuffix(s, "年"); ok && len(year) == 4 {
		p.From, err = ledger.ParseDate(year + "-01-01")
		p.To = p.From + 1130
		return p, err
	}
	p.From, err = h.day(s)
	p.To = p.From
	return p, err
}

var dated = regexp.MustCompile(`^(\d+/\d+\(.\)|\d{4}/\d+/\d+) (.*)$`)

// shows says why a phrase does not show the row, by nil that it does.
func (h *hearing) shows(w *world, phrase string, r ledger.Row) error {
	day := h.today
	if m := dated.FindStringSubmatch(phrase); m != nil {
		var err error
		if day, err = h.day(m[1]); err != nil {
			return err
		} else if day == h.today {
			return errors.New("today is not named")
		}
		phrase = m[2]
	}
	if day != r.Date {
		return fmt.Errorf("the day is %v instead of %v", day, r.Date)
	}
	what, sum := r.Item, r.Amount
	switch r.Type {
	case ledger.Transfer:
		what = w.account(r.Account, h.viewer) + "→" + w.account(r.ToAccount, h.viewer)
	case ledger.Adjustment:
		what, sum = w.account(r.Account, h.viewer)+"の残高", r.Stated
	default:
		what = cmp.Or(what, w.category(r))
		if r.Type == ledger.Refund && !strings.Contains(what, "返") {
			what = "返金 " + what
		}
	}
	rest, ok := strings.CutPrefix(phrase, what+" ")
	if !ok {
		return fmt.Errorf("%q is not %q", phrase, what)
	}
	rest, ok = strings.CutSuffix(rest, "円")
	if !ok {
		return fmt.Errorf("%q is no amount in yen", rest)
	}
	return is(rest, sum)
}
