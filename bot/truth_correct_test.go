package bot

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// correctPatterns are the lines about rows that are put right.
var correctPatterns = []pattern{
	says("corrected", "", `直しました。(.+)`, (*hearing).becameSo),
	says("correction back", "", `記録(?:の変更を取り消し|を元に戻し)ました。(.+)`, (*hearing).becameSo),
	says("which correction", "", `([こど])の記録を直しますか？まだ何も変えていません。`, func(h *hearing, m []string) error {
		h.section = "which correction"
		return wrong(len(h.lines) < 2 || (len(h.lines) == 2) != (m[1] == "こ"), "it names none, or several")
	}),
	says("would become", "", idRE+` ｜ (.+ → .+|.+（.+→.+）)`, (*hearing).wouldBecome),
	says("is so already", "", `もう、そうなっています（受付 `+idRE+`：(.+)）。何も変えていません。`, (*hearing).standsSo),
	says("stays as later", "", `あとから送られた(編集|訂正)のほうが新しいので、そのままにします（受付 `+idRE+`：(.+)）。何も変えていません。`, (*hearing).staysAsLater),
	says("rest stays", "", `あとから送られた(編集|訂正)で言われたことは、そのままです。`, func(h *hearing, m []string) error {
		return wrong(len(h.about) == 0 || !h.saidLater(m[1], h.about[0].ID), "nobody has said anything later")
	}),
	says("late correction for 取消", "", `あとから送られた「取消」より前の訂正が、今届きました。直してあります。`, (*hearing).lateForUndo),
	says("nothing to correct", "", `受付 (.+) に、直せる記録はありません。「一覧」で番号を見られます。何も変えていません。`, func(h *hearing, m []string) error {
		return errors.Join(wrong(len(h.standing(m[1])) > 0, "there is"), h.numbersMe(m))
	}),
	says("struck to correct", "", `受付 `+idRE+` は、取り消してあります。直すなら、先に「元に戻す `+idRE+`」と送ってください。何も変えていません。`, func(h *hearing, m []string) error {
		struck := func(r ledger.Row) bool { return r.ID.String() == m[1] && r.Voided && !r.Withdrawn }
		return wrong(m[1] != m[2] || !slices.ContainsFunc(h.after.rows, struck), "it is not")
	}),
	says("nothing fits", "", `あなたの記録の中に、「(.+)」は見つかりません。「一覧」で番号を見て、「受付 12 は 950円」のように送ってください。何も変えていません。`, (*hearing).nothingFits),
	says("taught already", "", `「(.+)」は、もう(.+)にしています。何も変えていません。`, (*hearing).taughtAlready),
	says("too long to teach", "", `「(.+)」は長いので、覚えられません。「ランチは交際費」のように、短く送ってください。何も変えていません。`, (*hearing).quotesMe),
}

// valueOnly is the new amount where nothing else has changed.
var valueOnly = regexp.MustCompile(`^[\d,]+円$`)

// became says whether the phrase tells how a row was and is: ランチ 850円 → 950円（食費→娯楽）.
func (h *hearing) became(phrase string, was, is ledger.Row) bool {
	var also []string
	if before, after := h.after.category(was), h.after.category(is); before != after && before != "" && after != "" {
		also = append(also, before+"→"+after)
	}
	if was.Account != is.Account && h.after.category(was) != "" && h.after.category(is) != "" {
		also = append(also, h.after.account(was.Account, h.viewer)+"→"+h.after.account(is.Account, h.viewer))
	}
	if len(also) > 0 {
		var ok bool
		if phrase, ok = strings.CutSuffix(phrase, "（"+strings.Join(also, "、")+"）"); !ok {
			return false
		}
		if h.shows(h.after, phrase, was) == nil && h.shows(h.after, phrase, is) == nil {
			return true
		}
	}
	parts := strings.Split(phrase, " → ")
	for i := 1; i < len(parts); i++ {
		old, now := strings.Join(parts[:i], " → "), strings.Join(parts[i:], " → ")
		if valueOnly.MatchString(now) {
			now = old[:strings.LastIndex(old, " ")+1] + now
		}
		if h.shows(h.after, old, was) == nil && h.shows(h.after, now, is) == nil && old != now {
			return true
		}
	}
	return false
}

func (h *hearing) becameSo(m []string) error {
	phrase, struck := strings.CutSuffix(m[1], "（取り消してあるままです）")
	such := func(_ *hearing, was, is ledger.Row) bool {
		return there(was) && there(is) && !struck || was.Voided && is.Voided && !is.Withdrawn && struck && h.receipt.Undoes != 0
	}
	for _, r := range h.such(such) {
		if h.became(phrase, h.before.row(r.ID), r) {
			h.claim(r)
			h.turned = h.receipt.Undoes != 0
			return nil
		}
	}
	return errors.New("no row became so")
}

// wouldBecome is a row that stands and has not changed, with what somebody has said.
func (h *hearing) wouldBecome(m []string) error {
	for _, r := range h.after.rows {
		if r.ID.String() != m[1] || !there(r) {
			continue
		}
		if r.Member != h.viewer && !strings.Contains(h.said, fmt.Sprint(r.ID.Receipt)) && len(h.receipt.Asked) == 0 {
			return errors.New("it is somebody else's")
		}
		for _, after := range h.saidOf(r) {
			if h.became(m[2], r, after) {
				return nil
			}
		}
		return fmt.Errorf("nobody said that of %+v", r)
	}
	return errors.New("there is no such row")
}

// saidOf gives what the row may become by what was said: its words in the one place or the
// other.
func (h *hearing) saidOf(r ledger.Row) (all []ledger.Row) {
	c := h.read(h.said)
	after := r
	if c.Date != 0 {
		after.Date = c.Date
	}
	if after.Category = cmp.Or(c.Category, r.Category); c.NewItem != "" {
		after.Item = c.NewItem
	}
	if c.HasAmount && r.Type == ledger.Adjustment {
		after.Stated = c.Amount
	} else if c.HasAmount {
		after.Amount = c.Amount
	}
	for _, a := range h.after.accounts {
		if c.Account == "" || c.Account == a.Name && (a.Owner == 0 || a.Owner == r.Member) {
			after.Account = cmp.Or(map[bool]ledger.AccountID{true: a.ID}[c.Account != ""], r.Account)
			all = append(all, after)
			if c.NewItem != "" { // the category of the item may go along
				after.Category = h.categoryAlong(c.NewItem)
				all = append(all, after)
			}
		}
	}
	return all
}

// categoryAlong is the category that a new record of the item would have.
func (h *hearing) categoryAlong(item string) ledger.Category {
	for word, category := range h.after.words() {
		if core(word) == core(item) {
			return ledger.Category(category)
		}
	}
	for _, e := range grammar.Parse(item+" 100円", h.at).Entries {
		return e.Category
	}
	return ""
}

// ownNames are the accounts and categories that the household has added.
func (h *hearing) ownNames() (accounts []string, categories []ledger.Category) {
	for name, value := range h.after.settings {
		if own, ok := strings.CutPrefix(name, "category/"); ok && value != "" {
			categories = append(categories, ledger.Category(own), ledger.Category(value))
		}
		if own, ok := strings.CutPrefix(name, "account/"); ok && value != "" {
			accounts = append(accounts, own)
		}
	}
	return accounts, categories
}

func (h *hearing) standsSo(m []string) error {
	for _, r := range h.after.rows {
		if r.ID.String() == m[1] && !r.Withdrawn {
			return h.shows(h.after, m[2], r)
		}
	}
	return errors.New("there is no such row")
}

func (h *hearing) staysAsLater(m []string) error {
	for _, r := range h.after.rows {
		if r.ID.String() == m[2] {
			return errors.Join(h.standsSo(m[1:]), wrong(!h.saidLater(m[1], r.ID), "nobody has said anything later"))
		}
	}
	return errors.New("there is no such row")
}

// saidLater says whether something was said of the row that was typed later than this.
func (h *hearing) saidLater(how string, id ledger.RowID) bool {
	for _, r := range h.before.receipts {
		changes := slices.ContainsFunc(r.Changes, func(c ledger.Change) bool { return c.After.ID == id })
		switch {
		case !r.At.After(h.at):
		case how == "編集" && r.About == store.Edited && h.after.sameMessage(r.Number, id.Receipt),
			how == "訂正" && r.Kind == store.Correct && changes:
			return true
		}
	}
	return false
}

// taughtAlready holds a word to being taught, however it is written.
func (h *hearing) taughtAlready(m []string) error {
	for item, category := range h.after.words() {
		row := ledger.Row{Type: ledger.Expense, Category: ledger.Category(category)}
		if core(item) == core(m[1]) && h.after.category(row) == m[2] {
			return h.quotesMe(m)
		}
	}
	return errors.New("nobody taught that")
}

// nothingFits looks for a row of the viewer's with the item, in the month before.
func (h *hearing) nothingFits(m []string) error {
	c := h.read(h.said)
	if err := h.isSaid(m[1]); err != nil || c.Kind == grammar.Correct && !strings.HasPrefix(m[1], c.Item) {
		return errors.Join(err, errors.New("it is "+c.Item))
	}
	for _, r := range h.after.rows {
		typed := h.after.typed(r.ID.Receipt)
		if there(r) && r.Member == h.viewer && h.author(r) == h.viewer && r.Item == m[1] && !typed.After(h.at) && typed.After(h.at.AddDate(0, 0, -30)) {
			return fmt.Errorf("there is %+v", r)
		}
	}
	return nil
}

// correction makes up what changes a record.
func (f *family) correction() string {
	sum, other := fmt.Sprint(f.amount()), fmt.Sprint(f.amount()+50)
	number := "1"
	if len(f.now.rows) > 0 {
		number = pick(f, f.now.rows...).ID.String()
	}
	return pick(f,
		"訂正 "+other, "訂正 "+sum, "さっきのは"+other+"円だった", sum+"円じゃなくて"+other+"円", f.item()+"を"+other+"円に直して", f.item()+"は"+sum+"ではなく"+other,
		"昨日に直して", "昨日の"+f.item()+"を"+other+"円に直して", "訂正 カード", "訂正 PayPay", "日用品に変えて", number+"を交際費に", f.item()+"は娯楽",
		f.item()+"じゃなくて"+f.item(), "品名は"+f.item(), "受付"+number+"は"+other+"円", "受付"+number+"は昨日", number+"を現金に変更", "さっきの"+f.item()+" "+other)
}
