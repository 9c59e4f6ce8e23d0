package bot

import (
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

// standing are the rows of the number that stand.
func (h *hearing) standing(number string) (rows []ledger.Row) {
	for _, r := range h.after.rows {
		if there(r) && h.after.named(number, r) {
			rows = append(rows, r)
		}
	}
	return rows
}

// last collects the lines about the last record; the last of them has its number.
func (h *hearing) last(m []string) error {
	h.parts = append(h.parts, m[1])
	if m[2] == "" {
		return nil
	}
	h.section = ""
	rows := h.standing(m[2])
	if !h.showAll(h.after, h.parts, rows) {
		return fmt.Errorf("it should show %+v", rows)
	}
	return h.newest(rows)
}

// author is whom the row's message is known to be of: an edit may tell who it is,
// though the message did not. Who presses a button for somebody else is the author too.
func (h *hearing) author(r ledger.Row) ledger.MemberID {
	for n := range r.ID.Receipt {
		if h.after.sameMessage(n, r.ID.Receipt) {
			return h.after.receipts[n].Member
		}
	}
	return h.after.receipts[r.ID.Receipt].Member
}

// newest holds the rows to being the viewer's own, and nothing of the viewer's to
// being newer.
func (h *hearing) newest(rows []ledger.Row) error {
	if len(rows) == 0 {
		return errors.New("nothing of it stands")
	}
	at := h.after.typed(rows[0].ID.Receipt)
	for _, r := range h.after.rows {
		typed := h.after.typed(r.ID.Receipt)
		if r.Member == h.viewer && h.author(r) == h.viewer && there(r) && typed.After(at) && !typed.After(h.at) {
			return fmt.Errorf("row %v is newer", r.ID)
		}
	}
	return wrong(slices.ContainsFunc(rows, func(r ledger.Row) bool { return r.Member != h.viewer && h.author(r) != h.viewer }), "somebody else wrote it")
}

func (h *hearing) tooOld(m []string) error {
	rows := h.standing(m[1])
	if m[1] != m[3] || !h.showAll(h.after, strings.Split(m[2], "、"), rows) {
		return fmt.Errorf("it should show %+v", rows)
	}
	if h.at.Sub(h.after.typed(rows[0].ID.Receipt)) <= 24*time.Hour {
		return errors.New("it is not so old")
	}
	return h.newest(rows)
}

func (h *hearing) oldChange(m []string) error {
	r := h.after.receipts[numberOf(m[1])]
	return wrong(m[1] != m[2] || r == nil || r.Kind != store.Correct || h.at.Sub(r.At) <= 24*time.Hour || r.Member != h.viewer, "it is not so")
}

func numberOf(s string) ledger.ReceiptNumber {
	n, _ := strconv.Atoi(strings.Split(s, "-")[0])
	return ledger.ReceiptNumber(n)
}

// holdsStill says whether something that the receipt did to rows and settings is as
// it left it.
func (h *hearing) holdsStill(r *store.Receipt) bool {
	for _, c := range r.Changes {
		now := h.after.row(c.After.ID)
		switch {
		case now.Withdrawn:
		case c.Before == nil && there(now),
			c.Before != nil && c.Before.Voided != c.After.Voided && now.Voided == c.After.Voided,
			c.Before != nil && c.Before.Category != c.After.Category && now.Category == c.After.Category:
			return true
		}
	}
	return slices.ContainsFunc(r.Settings, func(c store.SettingChange) bool { return c.After != c.Before && h.after.settings[c.Name] == c.After })
}

// meansOther says whether another number was typed, or stands in the data of the button.
func (h *hearing) meansOther(number string) bool {
	meant := regexp.MustCompile(`^\D*` + idRE).FindStringSubmatch(bareText(h.said))
	return meant != nil && meant[1] != number
}

func (h *hearing) undoneAlready(m []string) error {
	r := h.after.receipts[numberOf(m[1])]
	if r == nil {
		return errors.New("there is no such receipt")
	}
	if rows := h.standing(m[1]); len(rows) > 0 {
		return fmt.Errorf("%+v stand", rows)
	}
	if h.meansOther(m[1]) {
		return errors.New("another number was meant")
	}
	struck := func(row ledger.Row) bool { return row.Voided && !row.Withdrawn && h.after.named(m[1], row) }
	if rows := h.after.rowsOf(r.Number); len(rows) > 0 {
		return wrong(!slices.ContainsFunc(h.after.rows, struck), "nothing of it is struck")
	}
	return wrong(h.holdsStill(r), "it holds still")
}

func (h *hearing) redoneAlready(m []string) error {
	r := h.after.receipts[numberOf(m[1])]
	if r == nil || r.Kind != store.Undo && r.Kind != store.Strike || h.holdsStill(r) {
		return errors.New("it holds still, or is no 取消")
	}
	back := func(c ledger.Change) bool { return there(h.after.row(c.After.ID)) }
	return wrong(len(r.Settings) == 0 && !slices.ContainsFunc(r.Changes, back), "nothing of it stands")
}

func (h *hearing) noSuchNumber(m []string) error {
	r := h.after.receipts[numberOf(m[1])]
	if rows := h.standing(m[1]); len(rows) > 0 && r.Kind != store.Undo && r.Kind != store.Strike && r.Kind != store.Redo {
		return fmt.Errorf("there is %v", rows[0].ID)
	}
	return h.numbersMe(m)
}

func (h *hearing) changedSince(m []string) error {
	r := h.after.receipts[numberOf(m[1])]
	if r == nil || h.meansOther(m[1]) {
		return errors.New("there is no such receipt, or another was meant")
	}
	again := func(c ledger.Change) bool { return h.after.row(c.After.ID).Facts() != c.After.Facts() }
	set := func(c store.SettingChange) bool { return h.after.settings[c.Name] != c.After }
	return wrong(!slices.ContainsFunc(r.Changes, again) && !slices.ContainsFunc(r.Settings, set), "nothing of it has changed")
}

func (h *hearing) receiptAlone(m []string) error {
	return errors.Join(wrong(m[1] != m[2], "two numbers"), h.numbersMe(m))
}

// nothingLikeIt looks for a row that the words describe: date, item, amount, as far
// as they are there.
func (h *hearing) nothingLikeIt(m []string) error {
	for _, word := range strings.Fields(m[1]) {
		word = strings.ReplaceAll(strings.TrimSuffix(word, "円"), ",", "")
		day, err := ledger.ParseDate(word)
		if err != nil && !strings.Contains(h.said, word) || err == nil && strings.HasPrefix(h.said, "昨日") && day != h.today.AddDays(-1) {
			return fmt.Errorf("nobody asked for %s", word)
		}
	}
	for _, r := range h.after.rows {
		typed := h.after.typed(r.ID.Receipt)
		if !there(r) || r.Member != h.viewer || r.Type == ledger.Adjustment || typed.After(h.at) || typed.Before(h.at.Add(-24*time.Hour)) {
			continue
		}
		words := []string{r.Date.String(), r.Item, written(r.Amount) + "円"}
		for some := 1; some < 8; some++ {
			var said []string
			for i, word := range words {
				if some&(1<<i) != 0 && word != "" {
					said = append(said, word)
				}
			}
			if strings.EqualFold(strings.Join(said, " "), m[1]) {
				return fmt.Errorf("there is %+v", r)
			}
		}
	}
	return nil
}

// nothingLeft is nothingOfMine for a 取消. What it meant may have been edited away or
// unsent after it and before it came.
func (h *hearing) nothingLeft(m []string) error {
	for _, r := range h.after.rows {
		for _, later := range h.after.receipts {
			maker := h.after.receipts[r.ID.Receipt]
			if r.Withdrawn && r.Member == h.viewer && later.MessageID == maker.MessageID && later.About != store.Said && later.At.After(h.at) {
				return nil
			}
		}
	}
	return h.nothingOfMine(m)
}

// nothingOfMine holds nothing of the viewer's, typed before, to standing.
func (h *hearing) nothingOfMine([]string) error {
	for _, r := range h.after.rows {
		maker := h.after.receipts[r.ID.Receipt]
		if there(r) && r.Member == h.viewer && h.author(r) == h.viewer && !h.after.typed(r.ID.Receipt).After(h.at) && !(maker.About == store.Edited && maker.At.After(h.at)) {
			return fmt.Errorf("there is %+v", r)
		}
	}
	return nil
}

// People and settings.

// active are those who belong to the household.
func (h *hearing) active() (active []store.Member) {
	for _, m := range h.after.members {
		if m.Removed.IsZero() && m.Left.IsZero() {
			active = append(active, m)
		}
	}
	return active
}

func (h *hearing) members(m []string) error {
	h.section, h.left = "members", len(h.active())
	return wrong(m[1] != strconv.Itoa(h.left), fmt.Sprintf("it is %d", h.left))
}

func (h *hearing) member(m []string) error {
	if h.left == 0 {
		return errors.New("there are no more")
	}
	one := h.active()[len(h.active())-h.left]
	h.left--
	if name := h.after.person(one.ID, h.viewer); name != m[1] {
		return fmt.Errorf("it is %s", name)
	}
	return wrong((m[2] != "") != (one.ID == h.after.owner), "the owner is somebody else")
}

func (h *hearing) joined([]string) error {
	for _, m := range h.before.members {
		if m.ID == h.viewer && m.Removed.IsZero() && m.Left.IsZero() && !m.Admitted {
			return errors.New("the person was a member before")
		}
	}
	return wrong(!slices.ContainsFunc(h.active(), func(m store.Member) bool { return m.ID == h.viewer }), "the person is no member")
}

func (h *hearing) calledNow(name string) error {
	h.other = h.renamed()
	for _, m := range h.after.members {
		if m.ID == h.viewer && m.Name == name {
			return nil
		}
	}
	return errors.New("the person is called otherwise")
}

func (h *hearing) calledOtherwise(m []string) error {
	taken := func(other store.Member) bool { return other.ID != h.viewer && strings.EqualFold(other.Name, m[1]) }
	return errors.Join(h.calledNow(m[2]), wrong(!slices.ContainsFunc(h.after.members, taken), "nobody else is called so"))
}

func (h *hearing) nobodyCalled(m []string) error {
	for _, other := range h.after.members {
		for _, honorific := range []string{"", "さん", "ちゃん", "くん", "君"} {
			if other.Name != "" && other.Name+honorific == m[1] {
				return errors.New("there is")
			}
		}
	}
	return h.quotesMe(m)
}

func walletIs(value string, changed bool) func(*hearing, []string) error {
	return func(h *hearing, _ []string) error {
		h.other = h.other || changed
		return wrong(h.after.wallet != value || changed == (h.before.wallet == value), "it is otherwise")
	}
}

// code notes the code, which must be the same in the link. Whether it lets somebody
// in is seen when somebody tries.
func (h *hearing) code(m []string) error {
	if h.subject == "" {
		h.subject = m[1]
	}
	return wrong(h.subject != m[1], "another code")
}
