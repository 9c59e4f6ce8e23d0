package bot

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// correctPatterns are the lines about rows that are put right.
var correctPatterns = []pattern{
	says("corrected", "", `直しました。(.+)`, (*hearing).becameSo),
	says("correction back", "", `記録(?:の変更を取り消し|を元に戻し)ました。(.+)`, (*hearing).becameSo),
	says("which correction", "", `[こど]の記録を直しますか？まだ何も変えていません。`, func(h *hearing, _ []string) error {
		return wrong(len(h.lines) < 2, "it names none")
	}),
	says("would become", "", idRE+` ｜ (.+ → .+|.+（.+→.+）)`, (*hearing).wouldBecome),
	says("is so already", "", `もう、そうなっています（受付 `+idRE+`：(.+)）。何も変えていません。`, (*hearing).standsSo),
	says("stays as later", "", `あとから打たれた(編集|訂正)のほうが新しいので、そのままにします（受付 `+idRE+`：(.+)）。何も変えていません。`, (*hearing).staysAsLater),
	says("rest stays", "", `あとから打たれた(編集|訂正)で言われたことは、そのままです。`, func(h *hearing, m []string) error {
		return wrong(len(h.about) == 0 || !h.saidLater(m[1], h.about[0].ID), "nobody has said anything later")
	}),
	says("late correction for 取消", "", `あとから打たれた「取消」より前の訂正が、今届きました。直してあります。`, (*hearing).lateForUndo),
	says("nothing to correct", "", `受付 (.+) に、直せる記録はありません。「一覧」で番号を見られます。何も変えていません。`, func(h *hearing, m []string) error {
		return errors.Join(wrong(len(h.standing(m[1])) > 0, "there is"), h.quotesMe(m))
	}),
	says("struck to correct", "", `受付 `+idRE+` は、取り消してあります。直すなら、先に「元に戻す `+idRE+`」と送ってください。何も変えていません。`, func(h *hearing, m []string) error {
		struck := func(r ledger.Row) bool { return r.ID.String() == m[1] && r.Voided && !r.Withdrawn }
		return wrong(m[1] != m[2] || !slices.ContainsFunc(h.after.rows, struck), "it is not")
	}),
	says("nothing fits", "", `あなたの記録の中に、「(.+)」は見つかりません。「一覧」で番号を見て、「受付 12 は 950円」のように送ってください。何も変えていません。`, (*hearing).nothingFits),
	says("taught already", "", `「(.+)」は、もう(.+)にするようになっています。何も変えていません。`, (*hearing).quotesMe),
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
		phrase, _, _ := strings.Cut(m[2], "（")
		old, now, both := strings.Cut(phrase, " → ")
		if err := h.shows(h.after, old, r); err != nil || !both {
			return err
		}
		sum := strings.TrimSuffix(now[strings.LastIndex(now, " ")+1:], "円")
		present := r.Amount
		if r.Type == ledger.Adjustment {
			present = r.Stated
		}
		if new, err := amount(sum); err != nil || new != present && !spokeOf(h.said, new) {
			return fmt.Errorf("nobody said %s", sum)
		}
		return nil
	}
	return errors.New("there is no such row")
}

// spokeOf says whether the digits of the amount stand in the text.
func spokeOf(text string, amount ledger.Yen) bool {
	c := grammar.Parse(text, time.Date(2026, 12, 1, 0, 0, 0, 0, tokyo))
	return c.Amount == amount || strings.Contains(strings.ReplaceAll(text, ",", ""), fmt.Sprint(int(amount)))
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

// nothingFits looks for a row of the viewer's with the item, in the month before.
func (h *hearing) nothingFits(m []string) error {
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
