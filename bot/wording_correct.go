package bot

import (
	"fmt"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

// This file has the sentences about rows that are put right: by a correction, an edit or
// a button.

// changeOf says what became of a row: ランチ 850円 → 950円（食費→交際費、財布→カード）.
func changeOf(n *names, was, now ledger.Row) string {
	before, after := rowLine(n, was), rowLine(n, now)
	text := after
	switch common := strings.TrimSuffix(after, yen(amountOf(now))); {
	case before == after:
	case common != "" && before == common+yen(amountOf(was)):
		text = before + " → " + yen(amountOf(now))
	default:
		text = before + " → " + after
	}
	var also []string
	if hasCategory(was) && hasCategory(now) && n.category(was) != n.category(now) {
		also = append(also, n.category(was)+"→"+n.category(now))
	}
	if hasCategory(was) && hasCategory(now) && was.Account != now.Account {
		also = append(also, n.accounts[was.Account]+"→"+n.accounts[now.Account])
	}
	if len(also) > 0 {
		text += "（" + strings.Join(also, "、") + "）"
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
func correctedLine(n *names, was, now ledger.Row) string {
	switch {
	case now.Voided:
		return struckStill(n, now)
	case onlyDiffers(categoryField, was, now):
		return categoryChanged(n, was, now)
	}
	return "直しました。" + changeOf(n, was, now)
}

func struckStill(n *names, now ledger.Row) string {
	return "直しましたが、取り消してあるままです。" + rowLine(n, now)
}

// correctionBack says what became of a row when a correction was taken back, or brought
// back again.
func correctionBack(n *names, was, now ledger.Row, again bool) string {
	switch {
	case now.Voided:
		return changeBack("記録", again) + changeOf(n, was, now) + "（取り消してあるままです）"
	case onlyDiffers(categoryField, was, now):
		return categoryBack(n, was, now, again)
	}
	return changeBack("記録", again) + changeOf(n, was, now)
}

func undoChangeButton(operation string) Button {
	return Button{Label: "変更を取り消す", Text: "変更を取り消す", Tap: operation}
}

func correctButton(id ledger.RowID, operation string) Button {
	label := fmt.Sprintf("%s を直す", id)
	return Button{Label: label, Text: label, Tap: operation + ":" + id.String()}
}

// whichToCorrect asks about n rows.
func whichToCorrect(n int) string {
	if n == 1 {
		return "この記録を直しますか？まだ何も変えていません。"
	}
	return "どの記録を直しますか？まだ何も変えていません。"
}

// wouldBecome is a row that may be meant, and what it would be.
func wouldBecome(n *names, was, after ledger.Row) string {
	return fmt.Sprintf("%s ｜ %s", was.ID, changeOf(n, was, after))
}

func soAlready(n *names, row ledger.Row) string {
	return fmt.Sprintf("もう、そうなっています（受付 %s：%s）。何も変えていません。", row.ID, rowLine(n, row))
}

func taughtAlready(item string, c ledger.Category) string {
	return fmt.Sprintf("「%s」は、もう%sにするようになっています。何も変えていません。", shortened(item), c)
}

func notTeachable(item string) string {
	return fmt.Sprintf("「%s」は長いので、覚えられません。「ランチは交際費」のように、短く送ってください。何も変えていません。", shortened(item))
}

// What stays because it was typed later.

var laterBy = map[bool]string{true: "編集", false: "訂正"}

func staysAsLater(n *names, row ledger.Row, edited bool) string {
	return fmt.Sprintf("あとから打たれた%sのほうが新しいので、そのままにします（受付 %s：%s）。何も変えていません。", laterBy[edited], row.ID, rowLine(n, row))
}

func restStays(edited bool) string {
	return fmt.Sprintf("あとから打たれた%sで言われたことは、そのままです。", laterBy[edited])
}

const correctedLateForUndo = "あとから打たれた「取消」より前の訂正が、今届きました。直してあります。"

// What can't be put right.

const (
	howToCorrect = "直すときは「さっきのは950円」「受付 12 は 950円」「ランチは交際費」のように、正しい内容を送ってください。カテゴリは、記録の下のボタンでも変えられます。いまは何も変えていません。"

	howToMakeWhole = "割り勘を全額にするときは、その記録の下のボタンを押すか、「訂正 12000」のように全額を送ってください。いまは何も変えていません。"

	whoseToCorrect   = "だれの記録か、LINEから教えてもらえていません。「受付 12 は 950円」のように番号をつけるか、直すメッセージを引用して送ってください。何も変えていません。"
	goneToCorrect    = "直す記録は、もうありません。何も変えていません。"
	quotedHasNone    = "引用されたメッセージには、直せる記録がありません。何も変えていません。"
	statementHasNone = "残高は、金額と日付だけ直せます。何も変えていません。"
	futureStatement  = "残高は、先の日のものにはできません。何も変えていません。"
	transferHasNone  = "お金を移した記録は、金額と日付だけ直せます。ほかのことは、取り消してから、もう一度送ってください。何も変えていません。"
	incomeHasNone    = "収入のカテゴリは変えられません。何も変えていません。"
	nothingChanged   = "何も変えていません。"
)

func nothingToCorrect(number string) string {
	return fmt.Sprintf("受付 %s に、直せる記録はありません。「一覧」で番号を見られます。何も変えていません。", number)
}

func struckToCorrect(id ledger.RowID) string {
	return fmt.Sprintf("受付 %s は、取り消してあります。直すなら、先に「元に戻す %s」と送ってください。何も変えていません。", id, id)
}

func noSpendingCategory(c ledger.Category) string {
	return fmt.Sprintf("支出の記録を「%s」にはできません。何も変えていません。", c)
}

// nothingFits says that no row of the last month fits what the command describes.
func nothingFits(c grammar.Command) string {
	var words []string
	if c.Item != "" {
		words = append(words, c.Item)
	}
	if c.HasOld {
		words = append(words, yen(c.Old))
	}
	if len(words) == 0 {
		return "あなたの記録の中に、直すものが見つかりません。「受付 12 は 950円」のように、番号をつけて送ってください。何も変えていません。"
	}
	return fmt.Sprintf("あなたの記録の中に、「%s」は見つかりません。「一覧」で番号を見て、「受付 12 は 950円」のように送ってください。何も変えていません。", spaced(words...))
}

// Edits.

// editedLine says what an edit made of a row. was is the row before it, if it was
// there.
func editedLine(n *names, was ledger.Row, there bool, row ledger.Row) string {
	switch {
	case row.Withdrawn && was.Voided:
		return ""
	case row.Withdrawn:
		return "編集されたので、記録から外しました。" + rowLine(n, was)
	case row.Voided:
		return struckStill(n, row)
	case !there:
		return recordedHead(1) + rowLine(n, row)
	}
	return "直しました。" + changeOf(n, was, row)
}

// Buttons.

const oldButton = "古いボタンです。何も変えていません。"

func isAlready(c ledger.Category) string {
	return fmt.Sprintf("もう「%s」になっています。", c)
}

func categoryButton(c ledger.Category, operation string) Button {
	return Button{Label: "→" + string(c), Text: string(c) + "に変更", Tap: operation + ":" + string(c)}
}

func categoryChanged(n *names, before, after ledger.Row) string {
	return fmt.Sprintf("カテゴリを変えました。%s：%s→%s", rowLine(n, after), n.category(before), n.category(after))
}

// changeBack says of what a change was taken back, or brought back again.
func changeBack(what string, again bool) string {
	if again {
		return what + "を元に戻しました。"
	}
	return what + "の変更を取り消しました。"
}

func categoryBack(n *names, before, after ledger.Row, again bool) string {
	return changeBack("カテゴリ", again) + fmt.Sprintf("%s：%s→%s", rowLine(n, after), n.category(before), n.category(after))
}
