package bot

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ichido/internal/ledger"
	"ichido/store"
)

// pattern is a line that the bot may say, and what must be so if it does.
type pattern struct {
	name  string
	in    string // the sections in which it may stand; "" for all
	re    *regexp.Regexp
	not   *regexp.Regexp // has a pattern of its own; nil: nothing
	check func(h *hearing, m []string) error
}

const (
	yenRE    = `(-?[\d,]+)円`
	idRE     = `(\d+(?:-\d+)?)`
	periodRE = `(今月|今日|\d+月|\d{4}年|\d{4}年\d+月|\d+/\d+\(.\)|\d{4}/\d+/\d+|[\d/]+〜[\d/]+)`
	gapRE    = `(ぴったり|[\d,]+円(?:足りない|多い))`
)

// plainPatterns is the table of all lines that name an amount, an item, a date, a number
// or a person, or claim something.
var plainPatterns = []pattern{
	// What was done to rows.
	says("recorded", "", `記録しました。(.+)`, one((*hearing).recorded)),
	says("recorded rows", "", `(\d+)件を記録しました。`, several("recorded")),
	says("undone", "", `取り消しました。(.+)`, one((*hearing).undone)),
	says("undone rows", "", `(\d+)件を取り消しました。`, several("undone")),
	says("redone", "", `元に戻しました。(.+)`, one((*hearing).redone)),
	says("redone rows", "", `(\d+)件を元に戻しました。`, several("redone")),
	says("row", "recorded undone redone", `(.+)`, (*hearing).rowLine),
	says("edited away", "", `編集されたので、記録から外しました。(.+)`, (*hearing).editedAway),
	says("edited, struck", "", `直しましたが、取り消してあるままです。(.+)`, one((*hearing).editedStruck)),
	says("taken off", "", `（支出から引きました）`, (*hearing).takenOff),
	says("guessed source", "", `どこから入れたかは聞いていないので、財布からにしました。ちがうときは、ボタンで変えるか、取り消して「銀行からSuicaに3000円」のように送ってください。`, (*hearing).guessedSource),
	says("unread", "", `「(.*)」は読めなかったので、記録していません。`, (*hearing).unread),
	says("small print", "", `((?:.+／)?受付 \d+(?:-\d+)?(?:／.+)?)`, (*hearing).smallPrint),
	says("category", "", `カテゴリを変えました。(.+)：([^：→]+)→([^：→]+)`, (*hearing).recategorised),
	says("category back", "", `カテゴリ(?:の変更を取り消し|を元に戻し)ました。(.+)：([^：→]+)→([^：→]+)`, (*hearing).recategorised),
	says("category is so", "", `もう「(.+)」になっています。`, (*hearing).categoryIs),

	// Statements.
	says("opening", "", `これを最初の残高にします。`, statedAs(func(g excess, _ []string) error { return wrong(!g.opening, "it is not the first") })),
	says("fits", "", `記録とぴったりです。`, statedAs(func(g excess, _ []string) error { return wrong(g != excess{}, "it does not fit") })),
	says("gap", "", `記録より([\d,]+)円(少ない|多い)です（不明金 (＋?)([\d,]+)円）。`, statedAs(gapLine)),
	says("adjusted", "", `(.+)は、記録とくらべると：`+gapRE+`→`+gapRE, (*hearing).adjusted),
	says("before the opening", "", `(.+)の最初の残高`+yenRE+`より前のことは、いまの残高を変えません。`, (*hearing).beforeOpening),
	says("became the opening", "", `(.+)の残高`+yenRE+`が最初の残高になりました（「`+gapRE+`」の差はなくなりました）。`, (*hearing).becameOpening),
	says("no longer the opening", "", `(.+)の残高`+yenRE+`は最初の残高ではなくなりました。記録とくらべると：`+gapRE, (*hearing).noOpening),
	says("late for 取消", "", `あとから送られた「取消」より前のメッセージが、今届きました。記録してあります。`, (*hearing).lateForUndo),
	says("took instead", "", `その「取消」では、受付 (\d+)（(.+)）を取り消してあります。`, (*hearing).tookInstead),
	says("late for a statement", "", `あとから送られた「(.+の残高 .+)」より前のメッセージが、今届きました。記録してあります。`, (*hearing).lateForBalance),
	says("holds", "", `(.+)には`+yenRE+`あるはずです。`, (*hearing).holds),
	says("lacks", "", `(.+)は、記録では`+yenRE+`足りなくなっています。書き忘れがあるかもしれません。「(.+) 3000」のように、いまある金額を送ってください。`, (*hearing).lacks),
	says("not stated", "", `(.+)の残高は、まだ聞いていません(?:（記録を足し引きすると`+yenRE+`）)?。「(.+) 3000」のように、いまある金額を送ってください。`, (*hearing).notStated),
	says("balances", "", `記録どおりなら、これだけあるはずです。`, (*hearing).balances),
	says("one of the balances", "balances", `・(.+) `+yenRE, oneBalance((*hearing).holds)),
	says("one that lacks", "balances", `・(.+)：記録では`+yenRE+`足りません`, oneBalance((*hearing).lacks)),
	says("one not stated", "balances", `・(.+)：まだ残高を聞いていません()`, oneBalance((*hearing).notStated)),

	// Questions about the ledger.
	says("summary", "", periodRE+`(?:の(.+))? `+yenRE+`（(\d+)件）`, (*hearing).summary),
	says("no spending", "", periodRE+`(?:の(.+?))??の(支出|記録)は(、まだ)?ありません。`, (*hearing).nothing),
	says("no income", "", periodRE+`の((?:.+の)?収入)()は(、まだ)?ありません。`, (*hearing).nothing),
	says("refunded", "", `返金`+yenRE+`を引いてあります。`, figure("返金", func(f figures) ledger.Yen { return f.refunded })),
	says("of a category", "summary", `・(.+) `+yenRE+`(?: (▇+))?`, (*hearing).ofCategory),
	says("of people", "summary", `([^・].* -?[\d,]+円)`, (*hearing).ofPeople).except(`^(?:収入|口座の間で移したお金|不明金) `),
	says("income", "summary", `収入 `+yenRE, figure("収入", func(f figures) ledger.Yen { return f.income })),
	says("moved", "summary", `口座の間で移したお金 `+yenRE, figure("移した", func(f figures) ledger.Yen { return f.moved })),
	says("missing", "summary", `不明金 (＋?)([\d,]+)円(（記録より多くあった分）)?`, (*hearing).missing),
	says("list", "", periodRE+`(?:の(.+?))?の記録（新しい順、先頭は受付の番号）`, (*hearing).list),
	says("listed", "list search", idRE+` ｜ (.+)`, (*hearing).listedRow),
	says("page", "list search", `(\d+)／(\d+)ページ（全部で(\d+)件）`, (*hearing).page),
	says("no such page", "list search", `(\d+)ページまでです。`, (*hearing).noSuchPage),
	says("list foot", "list", `「取消 `+idRE+`」のように送ると、取り消せます。`, (*hearing).listFoot),
	says("which", "", `どれを取り消しますか？まだ何も取り消していません。`, func(h *hearing, _ []string) error {
		h.section = "which"
		return wrong(len(h.lines) < 3, "there is no choice")
	}),
	says("one of several", "which", idRE+` ｜ (.+)`, (*hearing).oneOfSeveral),
	says("last", "", `あなたの最後の記録は、これです。`, section("last")),
	says("last rows", "last", `(.+?)(?:（受付 `+idRE+`）)?`, (*hearing).last),
	says("too old", "", `最後の記録は、24時間より前の受付 (\d+)（(.+)）です。これを取り消すなら「取消 (\d+)」と送ってください。まだ何も取り消していません。`, (*hearing).tooOld),
	says("old change", "", `最後に変えたのは、24時間より前の受付 (\d+) です。これを取り消すなら「取消 (\d+)」と送ってください。まだ何も取り消していません。`, (*hearing).oldChange),

	// Numbers.
	says("undone already", "", `もう取り消してあります（受付 `+idRE+`）。`, (*hearing).undoneAlready),
	says("redone already", "", `もう元に戻してあります（受付 `+idRE+`）。`, (*hearing).redoneAlready),
	says("no such number", "", `受付 (.+) に、取り消せる記録はありません。「一覧」で番号を見られます。`, (*hearing).noSuchNumber),
	says("changed since", "", `受付 `+idRE+` は、そのあとで変わっているので、このままでは取り消せません。何も変えていません。`, (*hearing).changedSince),
	says("what to do with a number", "", `受付 `+idRE+` を取り消すなら「取消 `+idRE+`」、直すなら「受付 `+idRE+` は950円」のように、記録を見るなら「一覧」と送ってください。いまは何も変えていません。`, (*hearing).receiptAlone),
	says("nothing like it", "", `この24時間にあなたが送った中に、「(.*)」はありません。「一覧」で番号を見て、「取消 12」のように送ってください。`, (*hearing).nothingLikeIt),
	says("nothing to undo", "", `取り消すものがありません。`, (*hearing).nothingLeft),
	says("nothing recorded", "", `あなたの記録は、まだありません。`, (*hearing).nothingOfMine),
	says("old button", "", `古いボタンです。何も変えていません。`, func(h *hearing, _ []string) error { return wrong(!h.tapped, "there was no button") }),

	// People and settings.
	says("members", "", `家計簿に参加しているのは(\d+)人です。`, (*hearing).members),
	says("member", "members", `・(.+?)(（管理する人）)?`, (*hearing).member),
	says("joined", "", `ようこそ！家計簿に参加しました。こんなふうに送ってください。`, (*hearing).joined),
	says("called", "", `これからは「(.+)」と呼びます。`, func(h *hearing, m []string) error { return h.calledNow(m[1]) }),
	says("called otherwise", "", `「(.+)」は、ほかの人の名前なので、「(.+)」にしました。`, (*hearing).calledOtherwise),
	says("the name is", "", `いまの名前は「(.+)」です。変えるときは「名前 花子」のように送ってください。`, func(h *hearing, m []string) error { return h.calledNow(m[1]) }),
	says("no name", "", `「(.*)」は、名前にはできません。何も変えていません。`, (*hearing).quotesMe),
	says("nobody called so", "", `「(.+)」という名前の人が見つかりません。「メンバー」で名前を見られます。何も記録していません。`, (*hearing).nobodyCalled),
	says("one wallet", "", `これからは「財布」を、みんなで1つにします。いままでのそれぞれの財布は、そのまま残ります。`, walletIs("shared", true)),
	says("own wallets", "", `これからは「財布」を、ひとりずつ分けます。みんなの財布は、そのまま残ります。`, walletIs("", true)),
	says("one wallet already", "", `財布は、もうみんなで1つにしてあります。`, walletIs("shared", false)),
	says("own wallets already", "", `財布は、もうひとりずつに分けてあります。`, walletIs("", false)),
	says("setting back", "", `設定(?:の変更を取り消し|を元に戻し)ました。`, func(h *hearing, _ []string) error { return wrong(len(h.receipt.Settings) == 0, "none was") }),
	says("code", "", `招待コードは ([0-9A-Z]{5}-[0-9A-Z]{5}) です（15分のあいだ、1回だけ使えます）。`, (*hearing).code),
	says("link", "", `https://example\.com/\?(.+)`, (*hearing).code),
}

// says makes a pattern of whole lines.
// patterns are those of all families of commands.
var patterns = slices.Concat(plainPatterns, wordsPatterns, queryPatterns, budgetPatterns, askPatterns, correctPatterns, familyPatterns)

func says(name, in, re string, check func(*hearing, []string) error) pattern {
	return pattern{name: name, in: in, re: regexp.MustCompile("^" + re + "$"), check: check}
}

// except lets the pattern not take lines that others take.
func (p pattern) except(re string) pattern {
	p.not = regexp.MustCompile(re)
	return p
}

// wrong makes an error of what should not be so.
func wrong(bad bool, what string) error {
	if bad {
		return errors.New(what)
	}
	return nil
}

func section(name string) func(*hearing, []string) error {
	return func(h *hearing, _ []string) error {
		h.section = name
		return nil
	}
}

// Rows that were recorded, struck or brought back.

func (h *hearing) recorded(was, is ledger.Row) bool {
	return !there(was) && there(is) && (was.Type == 0 || was.Withdrawn && !was.Voided)
}
func (h *hearing) undone(was, is ledger.Row) bool { return there(was) && is.Voided && !is.Withdrawn }
func (h *hearing) redone(was, is ledger.Row) bool { return was.Voided && !was.Withdrawn && there(is) }
func (h *hearing) editedStruck(was, is ledger.Row) bool {
	return is.Voided && !is.Withdrawn && !there(was) && (h.receipt.About == store.Edited || h.receipt.Kind == store.Correct && h.struckLater(is.ID))
}

// struckLater says whether the row was struck by something that was typed after this.
func (h *hearing) struckLater(id ledger.RowID) bool {
	for _, r := range h.before.receipts {
		struck := func(c ledger.Change) bool {
			return c.After.ID == id && c.Before != nil && !c.Before.Voided && c.After.Voided
		}
		if r.At.After(h.at) && slices.ContainsFunc(r.Changes, struck) {
			return true
		}
	}
	return false
}

// such are the rows that became so by the event and have not been named yet.
func (h *hearing) such(became func(*hearing, ledger.Row, ledger.Row) bool) (rows []ledger.Row) {
	for _, id := range h.changed() {
		if was, is := h.before.row(id), h.after.row(id); became(h, was, is) && !h.claimed[id] {
			rows = append(rows, is)
		}
	}
	return rows
}

// claim says that the row has become so.
func (h *hearing) claim(r ledger.Row) {
	h.claims++
	h.claimed[r.ID] = true
	h.about = append(h.about, r)
}

// one claims the row that the phrase shows.
func one(became func(*hearing, ledger.Row, ledger.Row) bool) func(*hearing, []string) error {
	return func(h *hearing, m []string) error { return h.claimShown(m[1], became) }
}

func (h *hearing) claimShown(phrase string, became func(*hearing, ledger.Row, ledger.Row) bool) error {
	err := errors.New("no row became so")
	for _, r := range h.such(became) {
		if err = h.showsIn(h.after, phrase, r); err == nil {
			h.claim(r)
			return nil
		}
	}
	return err
}

// showsIn is shows for a phrase that may have the row's category behind it.
func (h *hearing) showsIn(w *world, phrase string, r ledger.Row) error {
	err := h.shows(w, phrase, r)
	if bare, ok := strings.CutSuffix(phrase, "（"+h.after.category(r)+"）"); ok && err != nil {
		err = h.shows(w, bare, r)
	}
	return err
}

var changes = map[string]func(*hearing, ledger.Row, ledger.Row) bool{
	"recorded": (*hearing).recorded, "undone": (*hearing).undone, "redone": (*hearing).redone,
}

// several begins the lines about as many rows.
func several(what string) func(*hearing, []string) error {
	return func(h *hearing, m []string) error {
		n, _ := strconv.Atoi(m[1])
		if found := len(h.such(changes[what])); found != n {
			return fmt.Errorf("it was %d", found)
		}
		h.section, h.left = what, n
		return nil
	}
}

func (h *hearing) rowLine(m []string) (err error) {
	became := changes[h.section]
	if rest, ok := strings.CutPrefix(m[1], "…ほかに "); ok {
		if rest != fmt.Sprintf("%d件", h.left) || h.left < 1 {
			return fmt.Errorf("it is %d", h.left)
		}
		for _, r := range h.such(became) {
			h.claim(r)
		}
		h.left = 1
	} else {
		err = h.claimShown(m[1], became)
	}
	if h.left--; h.left == 0 {
		h.section, h.left = "", -1
	}
	return err
}

func (h *hearing) editedAway(m []string) error {
	became := func(_ *hearing, was, is ledger.Row) bool { return there(was) && is.Withdrawn }
	for _, r := range h.such(became) {
		if h.shows(h.after, m[1], h.before.row(r.ID)) == nil {
			h.claim(r)
			return nil
		}
	}
	return errors.New("no row became so")
}

func (h *hearing) divided(m []string) error {
	total, err := amount(m[2])
	people, _ := strconv.Atoi(m[3])
	if err != nil || people < 2 {
		return fmt.Errorf("%d people, %v", people, err)
	}
	share := (total + ledger.Yen(people) - 1) / ledger.Yen(people)
	said := strings.ReplaceAll(h.spoken(), ",", "")
	if !strings.Contains(said, strconv.Itoa(int(total))) && !strings.Contains(said, strconv.Itoa(int(share))) {
		return errors.New("nobody said that it was so much")
	}
	if (m[4] != "") != (share*ledger.Yen(people) != total) {
		return errors.New("it was rounded, or not")
	}
	for _, r := range h.about {
		if r.Item == m[1] && r.Amount == share {
			return nil
		}
	}
	return fmt.Errorf("nobody paid %d", share)
}

func (h *hearing) takenOff([]string) error {
	return wrong(!slices.ContainsFunc(h.about, func(r ledger.Row) bool { return r.Type == ledger.Refund }), "there is no refund")
}

func (h *hearing) guessedSource([]string) error {
	for _, r := range h.about {
		if r.Type == ledger.Transfer && strings.Contains(h.after.account(r.Account, h.viewer), "財布") {
			return nil
		}
	}
	return errors.New("nothing came from a wallet")
}

func (h *hearing) unread(m []string) error { return h.quotesMe(m) }

// quotesMe holds a quote to what the person sent.
func (h *hearing) quotesMe(m []string) error {
	said := strings.Map(halfWidth, h.said)
	words := strings.TrimSuffix(m[1], "…")
	return wrong(!strings.Contains(said, words) && !strings.Contains(h.said, words), "nobody said that")
}

// halfWidth folds what numbers are made of.
func halfWidth(r rune) rune {
	switch {
	case r >= '０' && r <= '９':
		return r - '０' + '0'
	case r == 'ー' || r == '－':
		return '-'
	}
	return r
}

// numbersMe holds a number to being one that the person sent.
func (h *hearing) numbersMe(m []string) error {
	if number := strings.Map(halfWidth, m[1]); strings.Trim(number, "0123456789-") == "" {
		whole := regexp.MustCompile(`(^|[^0-9-])` + number + `([^0-9-]|$)`)
		return wrong(!whole.MatchString(strings.Map(halfWidth, h.said)), "nobody said that number")
	}
	return h.quotesMe(m)
}

// smallPrint is 食費／カード／受付 12／太郎の記録／今月 900円, without what is not needed.
func (h *hearing) smallPrint(m []string) error {
	parts := strings.Split(m[1], "／")
	i := slices.IndexFunc(parts, func(p string) bool { return strings.HasPrefix(p, "受付 ") })
	h.quiet = true
	if h.turned {
		return wrong(m[1] != fmt.Sprintf("受付 %d", h.receipt.Number), "it is not the number of this")
	}
	if err := h.smallNumber(strings.TrimPrefix(parts[i], "受付 ")); err != nil {
		return err
	}
	if err := h.smallHead(parts[:i]); err != nil {
		return err
	}
	rest, err := h.smallBudgets(parts[i+1:])
	if err != nil {
		return err
	}
	if len(rest) > 0 && strings.HasSuffix(rest[0], "の記録") {
		name := strings.TrimSuffix(rest[0], "の記録")
		for i, r := range h.about {
			known := r.Member != 0 || i == 0 // an edit may tell who it is, though the message did not
			if known && h.after.person(r.Member, h.viewer) != name || r.Member == h.viewer {
				return fmt.Errorf("row %v is %d's", r.ID, r.Member)
			}
		}
		rest = rest[1:]
	} else if len(h.about) > 0 && h.about[0].Member != h.viewer && h.about[0].Member != 0 && len(h.after.members) > 1 {
		return errors.New("it does not say whose record this is")
	}
	return h.smallTotals(rest)
}

func (h *hearing) smallNumber(number string) error {
	if len(h.about) == 0 {
		return wrong(number != fmt.Sprint(h.receipt.Number), "it is not the number of this")
	}
	for _, r := range h.about {
		if !h.after.named(number, r) {
			return fmt.Errorf("row %v has another number", r.ID)
		}
	}
	return nil
}

// smallHead is the category that all rows have, and the accounts that do not go
// without saying.
func (h *hearing) smallHead(parts []string) error {
	var accounts []string
	for _, r := range h.about {
		if name := h.after.account(r.Account, h.viewer); h.after.category(r) != "" && !slices.Contains(accounts, name) {
			accounts = append(accounts, name)
		}
	}
	if slices.Equal(accounts, []string{"財布"}) {
		accounts = nil
	}
	parts = slices.Clone(parts)
	if n := len(parts) - 1; n >= 0 && strings.Contains(parts[n], "、") { // in whatever order
		named := strings.Split(parts[n], "、")
		slices.Sort(named)
		slices.Sort(accounts)
		parts[n] = strings.Join(named, "、")
	}
	same := len(h.about) > 0 && h.after.category(h.about[0]) != "" &&
		!slices.ContainsFunc(h.about, func(r ledger.Row) bool { return h.after.category(r) != h.after.category(h.about[0]) })
	var want []string
	if same {
		want = append(want, h.after.category(h.about[0]))
	}
	if len(accounts) > 0 {
		want = append(want, strings.Join(accounts, "、"))
	}
	if len(parts) == 0 && (h.receipt.Kind != store.Record || h.receipt.About != store.Said) {
		return nil // only the answer to a record says it all
	}
	return wrong(!slices.Equal(parts, want), fmt.Sprintf("it should begin with %q", want))
}

var monthSum = regexp.MustCompile(`^(.+?)(の収入)? (-?[\d,]+)円$`)

func (h *hearing) smallTotals(parts []string) error {
	var months []ledger.Period
	for _, part := range parts {
		m := monthSum.FindStringSubmatch(part)
		if m == nil {
			return fmt.Errorf("%q is no sum", part)
		}
		p, err := h.when(m[1])
		if err != nil {
			return err
		}
		if slices.Contains(months, p) && m[2] == "" {
			return fmt.Errorf("%s is there already", m[1])
		}
		months = append(months, p)
		if !slices.ContainsFunc(h.about, func(r ledger.Row) bool { return p.Contains(r.Date) }) {
			return fmt.Errorf("none of the rows is of %s", m[1])
		}
		f := h.after.figures(p, everything)
		sum := f.spent
		if m[2] != "" {
			sum = f.income
		}
		if err := is(m[3], sum); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	for _, r := range h.about {
		if there(r) && hasCategory(r) && !slices.ContainsFunc(months, func(p ledger.Period) bool { return p.Contains(r.Date) }) {
			return fmt.Errorf("the month of %v is missing", r.Date)
		}
	}
	return nil
}

func (h *hearing) recategorised(m []string) error {
	for _, r := range h.such(func(_ *hearing, was, is ledger.Row) bool { return was.Category != is.Category }) {
		if h.after.category(h.before.row(r.ID)) == m[2] && h.after.category(r) == m[3] && h.shows(h.after, m[1], r) == nil {
			h.claim(r)
			h.turned = h.receipt.Kind != store.Correct
			return nil
		}
	}
	return errors.New("no row became so")
}

// categoryIs is the answer to a button, whose data names the receipt.
func (h *hearing) categoryIs(m []string) error {
	parts := strings.Split(h.said, ":")
	n, _ := strconv.Atoi(parts[1])
	rows := slices.DeleteFunc(h.after.rowsOf(ledger.ReceiptNumber(n)), func(r ledger.Row) bool { return !there(r) })
	if len(rows) == 0 { // the button stood under the answer to another button, which made no row
		for _, r := range h.after.rows {
			if there(r) && h.after.category(r) == m[1] {
				rows = []ledger.Row{r}
			}
		}
	}
	return wrong(len(rows) != 1 || h.after.category(rows[0]) != m[1] || parts[len(parts)-1] != m[1], "it is another one")
}
