package bot

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// checkParts holds what a line sets apart to its text, which the checks of truth read:
// a door that draws the parts must say nothing else, and leave no figure out.
func checkParts(reply Reply) error {
	var errs error
	day := "" // of the group that the lines are in
	for _, l := range reply.Lines {
		if day = cmp.Or(l.Group, day); l.Number != "" {
			l.Note += " " + l.Number
			if strings.Contains(l.Text, day) {
				l.Note += " " + day
			}
		}
		if l.Left == "" {
			errs = errors.Join(errs, wrong(l.Lead+l.Right+l.Note != "" || l.Bar != 0, fmt.Sprintf("parts without a left one: %+v", l)))
			continue
		}
		errs = errors.Join(errs, checkLine(l))
	}
	return errors.Join(errs, checkBars(reply.Lines))
}

func checkLine(l Line) error {
	parts := []string{l.Lead, l.Left, l.Right, l.Note}
	corrected := strings.Contains(l.Note, "→")
	if corrected {
		parts = []string{l.Left, l.Right} // checkNotes reads the changes
	}
	said, drawn := figuresOf(l.Text), figuresOf(strings.Join(parts, " "))
	for _, figure := range drawn {
		if !slices.Contains(said, figure) {
			return fmt.Errorf("%+v: the text does not have the figure %s", l, figure)
		}
	}
	for _, figure := range said {
		if !corrected && !slices.Contains(drawn, figure) {
			return fmt.Errorf("%+v: the parts do not have the figure %s", l, figure)
		}
	}
	between := func(r rune) bool { return strings.ContainsRune(" （）()、,：:・•·。.／/", r) }
	for _, word := range strings.FieldsFunc(strings.Join(parts, " "), between) {
		if !strings.Contains(strings.ToLower(l.Text), strings.ToLower(word)) {
			return fmt.Errorf("%+v: the text does not say %q", l, word)
		}
	}
	return nil
}

// figuresOf are the figures of a text, without a comma behind them.
func figuresOf(text string) (figures []string) {
	for _, figure := range figureRE.FindAllString(text, -1) {
		figures = append(figures, strings.TrimRight(figure, ","))
	}
	return figures
}

// checkNotes holds the changes that corrected lines tell to those of the receipt.
func (f *family) checkNotes(reply Reply, changes []ledger.Change) error {
	var was, is []string
	for _, c := range changes {
		if c.Before != nil && c.After != nil {
			was, is = append(was, f.factsOf(c.Before)...), append(is, f.factsOf(c.After)...)
		}
	}
	for _, l := range reply.Lines {
		if l.Lead != "直しました。" {
			continue
		}
		for _, change := range strings.FieldsFunc(strings.ReplaceAll(l.Note, " · ", "／"), func(r rune) bool { return r == '／' }) {
			before, after, _ := strings.Cut(change, "→")
			if strings.Count(change, "→") > 1 || strings.Contains(l.Text, change) {
				continue // it was or is a transfer, or hear holds the text to it
			}
			if !slices.Contains(was, before) || !slices.Contains(is, after) {
				return fmt.Errorf("%+v: %q is none of the changes %q, %q", l, change, was, is)
			}
		}
	}
	return nil
}

// factsOf are what a note can say of a row.
func (f *family) factsOf(r *ledger.Row) []string {
	day := fmt.Sprintf("%d/%d", r.Date.Month(), r.Date.Day())
	facts := []string{
		r.Item, "返金 " + r.Item, Japanese.yen(r.Amount), Japanese.yen(r.Stated), string(r.Category), "その他", day, fmt.Sprintf("%d/%s", r.Date.Year(), day),
	}
	for _, member := range f.now.members {
		account := f.now.account(r.Account, member.ID)
		facts = append(facts, account, account+"の残高")
	}
	return facts
}

// wholeBar is the bar of the first figure, where the second is the whole.
func wholeBar(figures []string) int {
	part, whole := count(strings.ReplaceAll(figures[0], ",", "")), count(strings.ReplaceAll(figures[1], ",", ""))
	return max(int(math.Round(1000*float64(part)/float64(whole))), min(part, 1))
}

// checkBars holds the bars to the figures beside them.
func checkBars(lines []Line) error {
	var largest ledger.Yen
	amounts := map[int]ledger.Yen{}
	for i, l := range lines {
		if l.Bar == 0 {
			continue
		}
		if l.Whole {
			if figures := figureRE.FindAllString(l.Note, 2); wholeBar(figures) != l.Bar {
				return fmt.Errorf("%+v: the bar should be %d", l, wholeBar(figures))
			}
			continue
		}
		amount := 0
		if m := figureRE.FindString(l.Right); m != "" {
			amount = count(strings.ReplaceAll(m, ",", ""))
		}
		amounts[i] = ledger.Yen(amount)
		largest = max(largest, amounts[i])
	}
	for i, amount := range amounts {
		if want := int(math.Round(1000 * float64(amount) / float64(largest))); max(want, 1) != lines[i].Bar {
			return fmt.Errorf("%+v: the bar should be %d", lines[i], want)
		}
	}
	return nil
}
