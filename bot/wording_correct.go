package bot

import (
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// This file has the sentences about rows that are put right: by a correction, an edit or
// a button.

// changeOf says what became of a row: ランチ 850円 → 950円（食費→交際費、財布→カード）.
func (v Voice) changeOf(n *names, was, now ledger.Row) string {
	before, after := v.rowLine(n, was), v.rowLine(n, now)
	text := after
	switch common := strings.TrimSuffix(after, v.yen(amountOf(now))); {
	case before == after:
	case common != "" && before == common+v.yen(amountOf(was)):
		text = before + v.say(" → ", "") + v.yen(amountOf(now))
	default:
		text = before + v.say(" → ", "") + after
	}
	var also []string
	if hasCategory(was) && hasCategory(now) && n.category(was) != n.category(now) {
		also = append(also, v.category(n.category(was))+"→"+v.category(n.category(now)))
	}
	if hasCategory(was) && hasCategory(now) && was.Account != now.Account {
		also = append(also, n.accounts[was.Account]+"→"+n.accounts[now.Account])
	}
	if len(also) > 0 {
		text += v.say("（", " (") + strings.Join(also, v.say("、", ", ")) + v.say("）", ")")
	}
	return text
}

// amountOf is the amount that is shown of the row.
func amountOf(r ledger.Row) ledger.Yen {
	if r.Type == ledger.Adjustment {
		return r.Stated
	}
	return r.Amount
}

// correctedLine says what a correction made of a row.
func (v Voice) correctedLine(n *names, was, now ledger.Row) string {
	switch {
	case now.Voided:
		return v.struckStill(n, now)
	case onlyDiffers(categoryField, was, now):
		return v.categoryChanged(n, was, now)
	}
	return v.say("直しました。", "") + v.changeOf(n, was, now)
}

func (v Voice) struckStill(n *names, now ledger.Row) string {
	return v.say("直しましたが、取り消してあるままです。", "") + v.rowLine(n, now)
}

// correctionBack says what became of a row when a correction was taken back, or brought
// back again.
func (v Voice) correctionBack(n *names, was, now ledger.Row, again bool) string {
	switch {
	case now.Voided:
		return v.changeBack(v.say("記録", ""), again) + v.changeOf(n, was, now) + v.say("（取り消してあるままです）", "")
	case onlyDiffers(categoryField, was, now):
		return v.categoryBack(n, was, now, again)
	}
	return v.changeBack(v.say("記録", ""), again) + v.changeOf(n, was, now)
}

func (v Voice) undoChangeButton(operation string) Button {
	return Button{Label: v.say("変更を取り消す", ""), Text: v.say("変更を取り消す", ""), Tap: operation}
}

func (v Voice) correctButton(id ledger.RowID, operation string) Button {
	label := v.say("%s を直す", "", id)
	return Button{Label: label, Text: label, Tap: operation + ":" + id.String()}
}

// whichToCorrect asks about n rows.
func (v Voice) whichToCorrect(n int) string {
	if n == 1 {
		return v.say("この記録を直しますか？まだ何も変えていません。", "")
	}
	return v.say("どの記録を直しますか？まだ何も変えていません。", "")
}

// wouldBecome is a row that may be meant, and what it would be.
func (v Voice) wouldBecome(n *names, was, after ledger.Row) string {
	return v.say("%s ｜ %s", "", was.ID, v.changeOf(n, was, after))
}

func (v Voice) soAlready(n *names, row ledger.Row) string {
	return v.say("もう、そうなっています（受付 %s：%s）。何も変えていません。", "", row.ID, v.rowLine(n, row))
}

func (v Voice) taughtAlready(item string, c ledger.Category) string {
	return v.say("「%s」は、もう%sにするようになっています。何も変えていません。", "", shortened(item), c)
}

func (v Voice) notTeachable(item string) string {
	return v.say("「%s」は長いので、覚えられません。「ランチは交際費」のように、短く送ってください。何も変えていません。", "", shortened(item))
}

// What stays because it was typed later.

var laterBy = map[bool]Phrase{true: {"編集", ""}, false: {"訂正", ""}}

func (v Voice) staysAsLater(n *names, row ledger.Row, edited bool) string {
	return v.say("あとから打たれた%sのほうが新しいので、そのままにします（受付 %s：%s）。何も変えていません。", "", v.text(laterBy[edited]), row.ID, v.rowLine(n, row))
}

func (v Voice) restStays(edited bool) string {
	return v.say("あとから打たれた%sで言われたことは、そのままです。", "", v.text(laterBy[edited]))
}

var correctedLateForUndo = Phrase{"あとから打たれた「取消」より前の訂正が、今届きました。直してあります。", ""}

// What can't be put right.

var (
	howToCorrect = Phrase{"直すときは「さっきのは950円」「受付 12 は 950円」「ランチは交際費」のように、正しい内容を送ってください。カテゴリは、記録の下のボタンでも変えられます。いまは何も変えていません。", ""}

	howToMakeWhole = Phrase{"割り勘を全額にするときは、その記録の下のボタンを押すか、「訂正 12000」のように全額を送ってください。いまは何も変えていません。", ""}

	whoseToCorrect   = Phrase{"だれの記録か、LINEから教えてもらえていません。「受付 12 は 950円」のように番号をつけるか、直すメッセージを引用して送ってください。何も変えていません。", ""}
	goneToCorrect    = Phrase{"直す記録は、もうありません。何も変えていません。", ""}
	quotedHasNone    = Phrase{"引用されたメッセージには、直せる記録がありません。何も変えていません。", ""}
	statementHasNone = Phrase{"残高は、金額と日付だけ直せます。何も変えていません。", ""}
	futureStatement  = Phrase{"残高は、先の日のものにはできません。何も変えていません。", ""}
	transferHasNone  = Phrase{"お金を移した記録は、金額と日付だけ直せます。ほかのことは、取り消してから、もう一度送ってください。何も変えていません。", ""}
	incomeHasNone    = Phrase{"収入のカテゴリは変えられません。何も変えていません。", ""}
	nothingChanged   = Phrase{"何も変えていません。", ""}
)

func (v Voice) nothingToCorrect(number string) string {
	return v.say("受付 %s に、直せる記録はありません。「一覧」で番号を見られます。何も変えていません。", "", number)
}

func (v Voice) struckToCorrect(id ledger.RowID) string {
	return v.say("受付 %s は、取り消してあります。直すなら、先に「元に戻す %s」と送ってください。何も変えていません。", "", id, id)
}

func (v Voice) noSpendingCategory(c ledger.Category) string {
	return v.say("支出の記録を「%s」にはできません。何も変えていません。", "", c)
}

// nothingFits says that no row of the last month fits what the command describes.
func (v Voice) nothingFits(c grammar.Command) string {
	var words []string
	if c.Item != "" {
		words = append(words, c.Item)
	}
	if c.HasOld {
		words = append(words, v.yen(c.Old))
	}
	if len(words) == 0 {
		return v.say("あなたの記録の中に、直すものが見つかりません。「受付 12 は 950円」のように、番号をつけて送ってください。何も変えていません。", "")
	}
	return v.say("あなたの記録の中に、「%s」は見つかりません。「一覧」で番号を見て、「受付 12 は 950円」のように送ってください。何も変えていません。", "", spaced(words...))
}

// Edits.

// editedLine says what an edit made of a row. was is the row before it, if it was
// there.
func (v Voice) editedLine(n *names, was ledger.Row, there bool, row ledger.Row) string {
	switch {
	case row.Withdrawn && was.Voided:
		return ""
	case row.Withdrawn:
		return v.say("編集されたので、記録から外しました。", "") + v.rowLine(n, was)
	case row.Voided:
		return v.struckStill(n, row)
	case !there:
		return v.recordedHead(1) + v.rowLine(n, row)
	}
	return v.say("直しました。", "") + v.changeOf(n, was, row)
}

// Buttons.

var oldButton = Phrase{"古いボタンです。何も変えていません。", ""}

func (v Voice) isAlready(c ledger.Category) string {
	return v.say("もう「%s」になっています。", "", c)
}

func (v Voice) categoryButton(c ledger.Category, operation string) Button {
	return Button{Label: v.say("→", "→") + string(c), Text: string(c) + v.say("に変更", ""), Tap: operation + ":" + string(c)}
}

func (v Voice) categoryChanged(n *names, before, after ledger.Row) string {
	return v.say("カテゴリを変えました。%s：%s→%s", "", v.rowLine(n, after), v.category(n.category(before)), v.category(n.category(after)))
}

// changeBack says of what a change was taken back, or brought back again.
func (v Voice) changeBack(what string, again bool) string {
	if again {
		return what + v.say("を元に戻しました。", "")
	}
	return what + v.say("の変更を取り消しました。", "")
}

func (v Voice) categoryBack(n *names, before, after ledger.Row, again bool) string {
	return v.changeBack(v.say("カテゴリ", ""), again) + v.say("%s：%s→%s", "", v.rowLine(n, after), v.category(n.category(before)), v.category(n.category(after)))
}
