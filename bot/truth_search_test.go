package bot

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ichido/internal/ledger"
)

// The checks of the lines about searches.

// found begins the rows of a search: of a period, or since the first of the month eleven
// months ago.
func (h *hearing) found(m []string) (err error) {
	h.section, h.subject = "search", m[3]
	h.period = ledger.Period{From: h.yearAgo(), To: 99991231}
	if m[1] != "" {
		var from ledger.Date
		if from, err = h.dayOfYear(m[1]); err == nil && from != h.period.From {
			err = fmt.Errorf("it should be %v", h.period.From)
		}
	} else {
		h.period, err = h.when(m[2])
	}
	h.asked, _, _ = h.topic(m[3], true)
	h.figures = h.after.figures(h.period, h.asked)
	h.listed = h.matching()
	h.left = min(20, len(h.listed))
	if f := h.figures; f.spendings+f.incomes+f.moves+f.unmatched > 0 {
		h.parts = append(h.parts, "sums")
		h.left++
	}
	return errors.Join(err, wrong(m[4] != strconv.Itoa(len(h.listed)), fmt.Sprintf("it is %d", len(h.listed))))
}

// dayOfYear reads 11/29 and 2025/11/29.
func (h *hearing) dayOfYear(s string) (ledger.Date, error) {
	day := shortDay.FindStringSubmatch(s)
	if day == nil {
		return 0, errors.New("it is no day")
	}
	return h.date(day[1], day[2], day[3])
}

func (h *hearing) yearAgo() ledger.Date {
	first := time.Date(h.at.Year(), h.at.Month(), 1, 0, 0, 0, 0, tokyo)
	return ledger.DateOf(first.AddDate(0, -11, 0))
}

// matching are the rows that are asked about, the newest first.
func (h *hearing) matching() (rows []ledger.Row) {
	for _, r := range slices.Backward(h.after.rows) {
		if there(r) && h.period.Contains(r.Date) && h.asked(r) {
			rows = append(rows, r)
		}
	}
	return rows
}

func (h *hearing) foundSums(m []string) error {
	h.left--
	f := h.figures
	if h.parts = slices.DeleteFunc(h.parts, func(s string) bool { return s == "sums" }); f.spendings == 0 {
		return errors.New("nothing was spent")
	}
	if (m[2] != "") != (f.refunded > 0) {
		return errors.New("there is a refund, or none")
	}
	errs := []error{is(m[1], f.spent), wrong(strings.TrimPrefix(m[3], "、") != f.others(), "it is "+f.others())}
	if m[2] != "" {
		errs = append(errs, is(m[2], f.refunded))
	}
	return errors.Join(errs...)
}

func (h *hearing) foundOthers(m []string) error {
	h.left--
	return errors.Join(wrong(h.figures.spendings > 0, "something was spent"), wrong(m[1] != h.figures.others(), "it is "+h.figures.others()))
}

// others are the figures that are no spending.
func (f figures) others() string {
	var parts []string
	if f.incomes > 0 {
		parts = append(parts, "収入 "+written(f.income)+"円")
	}
	if f.moves > 0 {
		parts = append(parts, "口座の間で移したお金 "+written(f.moved)+"円")
	}
	if f.unmatched > 0 && f.missing < 0 {
		parts = append(parts, "不明金 ＋"+written(-f.missing)+"円（記録より多くあった分）")
	} else if f.unmatched > 0 {
		parts = append(parts, "不明金 "+written(f.missing)+"円")
	}
	return strings.Join(parts, "、")
}

func (h *hearing) foundNothing(m []string) error {
	from, err := h.dayOfYear(m[1])
	if err != nil {
		return err
	}
	h.period = ledger.Period{From: from, To: 99991231}
	h.asked, _, _ = h.topic(m[2], true)
	older := strings.NewReplacer("「", "", "」", "").Replace(m[2])
	return errors.Join(wrong(from != h.yearAgo(), "it is another day"), wrong(len(h.matching()) > 0, "there is one"),
		wrong(m[3] != strconv.Itoa(from.In(tokyo).AddDate(0, 0, -1).Year()) || m[4] != older, "older ones are not found so"),
		wrong(!strings.Contains(folded(h.said), folded(older)) && !h.shownCategories()[older], "nobody said that"))
}
