package bot

import (
	"slices"
	"strings"

	"ichido/internal/grammar"
	"ichido/store"
)

// What is said to a question besides its answer: that it need not be answered, or that the
// amount in it was wrong.

// dropWords are said when a question is not to be answered; nothing is recorded then. 取消
// is none of them: it takes back the last record, whatever is open.
var dropWords = strings.Fields("なし なしで 無し いい いいです もういい もういいです いいや やめる やめます やめて やめとく やめときます やっぱりやめる やっぱやめる やっぱいい やっぱりいい " +
	"いらない いらないです 不要 キャンセル キャンセルで キャンセルします 忘れて わすれて 気にしないで 記録しない 記録しないで なんでもない 何でもない いいえ " +
	"cancel no nope never_mind nevermind forget_it skip skip_it stop nothing don't_record")

// drops says whether the words are one of dropWords.
func drops(words string) bool {
	said := grammar.Folded(strings.TrimRight(strings.TrimSpace(words), "。．.!！、〜~ー"))
	return slices.ContainsFunc(dropWords, func(w string) bool { return grammar.Folded(strings.ReplaceAll(w, "_", " ")) == said })
}

// meanQuestion reads さっきのは160円 behind a question about an amount as that amount: what
// was said last is what was asked about, and no record that is older. It reports whether it
// has: the amount in the question counts no more.
func (t *turn) meanQuestion(q *store.Receipt) bool {
	c := &t.cmd
	if c.Kind != grammar.Correct || !c.HasAmount || t.message.Quotes || c.Receipt != "" || c.Item+c.NewItem+c.Account+string(c.Category) != "" || c.Date != 0 {
		return false
	}
	was := t.readQuestion(q)
	unclear := was.Reason == grammar.ItemOnly || slices.Contains(amountUnclear, was.Reason)
	if was.Kind != grammar.Ask || was.Reason == grammar.MaybeCorrect || c.HasOld && c.Old != was.Amount || !was.HasAmount && !unclear {
		return false
	}
	t.message.Text = typedYen(c.Amount)
	if !unclear {
		item := was.Item
		if was.Reason == grammar.NotARow {
			item = t.plainItem(item)
		}
		t.message.Text = retyped(&was, item, t.message.Text)
	}
	t.cmd = t.parse(t.message.Text, t.at)
	return true
}
