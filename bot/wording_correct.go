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
func (v Voice) changeOf(n *names, was, now ledger.Row) string {
	before, after := v.rowLine(n, was), v.rowLine(n, now)
	text := after
	switch common := strings.TrimSuffix(after, v.yen(amountOf(now))); {
	case before == after:
	case common != "" && before == common+v.yen(amountOf(was)):
		text = before + " → " + v.yen(amountOf(now))
	default:
		text = before + " → " + after
	}
	var also []string
	if hasCategory(was) && hasCategory(now) && n.category(was) != n.category(now) {
		also = append(also, v.category(n.category(was))+"→"+v.category(n.category(now)))
	}
	if hasCategory(was) && hasCategory(now) && was.Account != now.Account {
		also = append(also, n.accounts[was.Account]+"→"+n.accounts[now.Account])
	}
	if len(also) > 0 {
		text += v.say("（%s）", " (%s)", v.list(also))
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
	return v.putRightLine(n, was, now)
}

func (v Voice) struckStill(n *names, now ledger.Row) string {
	return v.say("直しましたが、取り消してあるままです。%s", "Corrected, but it stays undone. %s", v.rowLine(n, now))
}

func (v Voice) putRightLine(n *names, was, now ledger.Row) string {
	return v.say("直しました。%s", "Corrected. %s", v.changeOf(n, was, now))
}

// correctionBack says what became of a row when a correction was taken back, or brought
// back again.
func (v Voice) correctionBack(n *names, was, now ledger.Row, again bool) string {
	switch {
	case now.Voided:
		return v.say("%s%s（取り消してあるままです）", "%s %s (it stays undone)", v.changeBack(entryWord, again), v.changeOf(n, was, now))
	case onlyDiffers(categoryField, was, now):
		return v.categoryBack(n, was, now, again)
	}
	return v.say("%s%s", "%s %s", v.changeBack(entryWord, again), v.changeOf(n, was, now))
}

// correctionBackItem draws correctionBack.
func (v Voice) correctionBackItem(n *names, was, now ledger.Row, again bool) Line {
	what := entryWord
	if onlyDiffers(categoryField, was, now) {
		what = categoryWord
	}
	return v.changedItem(n, was, now, v.changeBack(what, again), v.correctionBack(n, was, now, again))
}

var correctedLead = Phrase{"直しました。", "Corrected."}

func (v Voice) undoChangeButton(operation string) Button {
	label := v.say("変更を取り消す", "undo the change")
	return Button{Label: label, Text: label, Tap: operation}
}

func (v Voice) correctButton(id ledger.RowID, operation string) Button {
	label := v.say("%s を直す", "correct %s", id)
	return Button{Label: label, Text: label, Tap: operation + ":" + id.String()}
}

// whichToCorrect asks about n rows.
func (v Voice) whichToCorrect(n int) string {
	if n == 1 {
		return v.say("この記録を直しますか？まだ何も変えていません。", "Correct this entry? Nothing is changed yet.")
	}
	return v.say("どの記録を直しますか？まだ何も変えていません。", "Which entry shall I correct? Nothing is changed yet.")
}

// wouldBecome is a row that may be meant, and what it would be.
func (v Voice) wouldBecome(n *names, was, after ledger.Row) string {
	return fmt.Sprintf("%s ｜ %s", was.ID, v.changeOf(n, was, after))
}

func (v Voice) soAlready(n *names, row ledger.Row) string {
	return v.say("もう、そうなっています（受付 %s：%s）。何も変えていません。", "It is so already (No. %s: %s). Nothing is changed.", row.ID, v.rowLine(n, row))
}

func (v Voice) taughtAlready(item string, c ledger.Category) string {
	return v.say("「%s」は、もう%sにしています。何も変えていません。", "“%s” goes to %s already. Nothing is changed.", shortened(item), v.category(c))
}

func (v Voice) notTeachable(item string) string {
	return v.say("「%s」は長いので、覚えられません。「ランチは交際費」のように、短く送ってください。何も変えていません。", "“%s” is too long for me to remember. Send something short, like “lunch is socialising”. Nothing is changed.", shortened(item))
}

// What stays because it was typed later.

var laterBy = map[bool]Phrase{true: {"編集", "edit"}, false: {"訂正", "correction"}}

func (v Voice) staysAsLater(n *names, row ledger.Row, edited bool) string {
	return v.say("あとから送られた%sのほうが新しいので、そのままにします（受付 %s：%s）。何も変えていません。", "There is a later %s, so it stays as it is (No. %s: %s). Nothing is changed.", v.text(laterBy[edited]), row.ID, v.rowLine(n, row))
}

func (v Voice) restStays(edited bool) string {
	return v.say("あとから送られた%sで言われたことは、そのままです。", "What a later %s said stays as it is.", v.text(laterBy[edited]))
}

var correctedLateForUndo = Phrase{"あとから送られた「取消」より前の訂正が、今届きました。直してあります。", "This correction was typed before a later “undo” and arrived only now. It is made."}

// What can't be put right.

var (
	howToCorrect = Phrase{"直すときは「さっきのは950円」「受付 12 は 950円」「ランチは交際費」のように、正しい内容を送ってください。カテゴリは、記録の下のボタンでも変えられます。いまは何も変えていません。", "To correct something, send what is right, like “it was 950”, “#12 is 950” or “lunch is socialising”. The buttons under an entry change its category too. Nothing is changed."}

	howToMakeWhole = Phrase{"割り勘を全額にするときは、その記録の下のボタンを押すか、「訂正 12000」のように全額を送ってください。いまは何も変えていません。", "To record the whole of a split bill, press the button under that entry, or send the whole amount, like “it was 12000”. Nothing is changed."}

	whoseToCorrect   = Phrase{"だれの記録か、LINEから教えてもらえていません。「受付 12 は 950円」のように番号をつけるか、直すメッセージを引用して送ってください。何も変えていません。", "LINE does not tell me whose entry it is. Send it with the number, like “#12 is 950”, or quote the message to correct. Nothing is changed."}
	goneToCorrect    = Phrase{"直す記録は、もうありません。何も変えていません。", "There is no entry left to correct. Nothing is changed."}
	quotedHasNone    = Phrase{"引用されたメッセージには、直せる記録がありません。何も変えていません。", "The quoted message has no entry to correct. Nothing is changed."}
	statementHasNone = Phrase{"残高は、金額と日付だけ直せます。何も変えていません。", "Of a balance only the amount and the date can be corrected. Nothing is changed."}
	futureStatement  = Phrase{"残高は、先の日のものにはできません。何も変えていません。", "A balance can’t be of a day to come. Nothing is changed."}
	transferHasNone  = Phrase{"お金を移した記録は、金額と日付だけ直せます。ほかのことは、取り消してから、もう一度送ってください。何も変えていません。", "Of moved money only the amount and the date can be corrected. For anything else, undo it and send it again. Nothing is changed."}
	incomeHasNone    = Phrase{"収入のカテゴリは変えられません。何も変えていません。", "The category of income can’t be changed. Nothing is changed."}
	nothingChanged   = Phrase{"何も変えていません。", "Nothing is changed."}
)

func (v Voice) nothingToCorrect(number string) string {
	return v.say("受付 %s に、直せる記録はありません。「一覧」で番号を見られます。何も変えていません。", "No. %s has no entry to correct. “list” shows the numbers. Nothing is changed.", number)
}

func (v Voice) struckToCorrect(id ledger.RowID) string {
	return v.say("受付 %s は、取り消してあります。直すなら、先に「元に戻す %s」と送ってください。何も変えていません。", "No. %s is undone. To correct it, first send “restore %s”. Nothing is changed.", id, id)
}

func (v Voice) noSpendingCategory(c ledger.Category) string {
	return v.say("支出の記録を「%s」にはできません。何も変えていません。", "Spending can’t go to “%s”. Nothing is changed.", v.category(c))
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
		return v.say("あなたの記録の中に、直すものが見つかりません。「受付 12 は 950円」のように、番号をつけて送ってください。何も変えていません。", "I found nothing to correct among your entries. Send it with the number, like “#12 is 950”. Nothing is changed.")
	}
	return v.say("あなたの記録の中に、「%s」は見つかりません。「一覧」で番号を見て、「受付 12 は 950円」のように送ってください。何も変えていません。", "I found no “%s” among your entries. Look up the number with “list” and send it like “#12 is 950”. Nothing is changed.", spaced(words...))
}

// Edits.

// editedLine says what an edit made of a row. was is the row before it, if it was
// there.
func (v Voice) editedLine(n *names, was ledger.Row, there bool, row ledger.Row) string {
	switch {
	case row.Withdrawn && was.Voided:
		return ""
	case row.Withdrawn:
		return v.say("編集されたので、記録から外しました。%s", "Edited, so it is no longer recorded. %s", v.rowLine(n, was))
	case row.Voided:
		return v.struckStill(n, row)
	case !there:
		return v.say("%s%s", "%s %s", v.recordedHead(1), v.rowLine(n, row))
	}
	return v.putRightLine(n, was, row)
}

// editedItem is the line of a row that an edit has made or changed.
func (v Voice) editedItem(n *names, was ledger.Row, there bool, row ledger.Row, text string) Line {
	if there || !row.Stands() {
		return v.changedItem(n, was, row, v.text(correctedLead), text)
	}
	return Line{
		Text: text, Role: Item, Lead: strings.TrimSpace(v.recordedHead(1)),
		Left: v.rowItem(n, row), Right: v.yen(rowAmount(row)), Note: strings.TrimSpace(v.dayName(row.Date, n.today)),
	}
}

// Buttons.

var oldButton = Phrase{"古いボタンです。何も変えていません。", "That is an old button. Nothing is changed."}

func (v Voice) isAlready(c ledger.Category) string {
	return v.say("もう「%s」になっています。", "It is “%s” already.", v.category(c))
}

func (v Voice) categoryButton(c ledger.Category, operation string) Button {
	name := v.category(c)
	return Button{Label: "→" + name, Text: v.say("%sに変更", "change to %s", name), Tap: operation + ":" + string(c)}
}

func (v Voice) categoryChanged(n *names, before, after ledger.Row) string {
	return v.say("カテゴリを変えました。%s：%s→%s", "Category changed. %s: %s→%s", v.rowLine(n, after), v.category(n.category(before)), v.category(n.category(after)))
}

// What a change can be of.
var (
	entryWord    = Phrase{"記録", "entry"}
	categoryWord = Phrase{"カテゴリ", "category"}
	settingWord  = Phrase{"設定", "setting"}
)

// changeBack says of what a change was taken back, or brought back again.
func (v Voice) changeBack(what Phrase, again bool) string {
	if again {
		return v.say("%sを元に戻しました。", "Brought back the change of the %s.", v.text(what))
	}
	return v.say("%sの変更を取り消しました。", "Took back the change of the %s.", v.text(what))
}

func (v Voice) categoryBack(n *names, before, after ledger.Row, again bool) string {
	return v.say("%s%s：%s→%s", "%s %s: %s→%s", v.changeBack(categoryWord, again), v.rowLine(n, after), v.category(n.category(before)), v.category(n.category(after)))
}
