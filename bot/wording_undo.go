package bot

import (
	"slices"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
)

func (v Voice) undoneHead(n int) string {
	if n == 1 {
		return v.say("取り消しました。", "Undone. ")
	}
	return v.say("%d件を取り消しました。", "Undid %d entries.", n)
}

func (v Voice) redoneHead(n int) string {
	if n == 1 {
		return v.say("元に戻しました。", "Restored. ")
	}
	return v.say("%d件を元に戻しました。", "Restored %d entries.", n)
}

var (
	nothingToUndo = Phrase{"取り消すものがありません。", "There is nothing to undo."}
	nothingToRedo = Phrase{"元に戻すものがありません。", "There is nothing to redo."}
	noLastToRedo  = Phrase{
		"元に戻すものがありません。番号で戻すなら「元に戻す 12」のように送ってください。",
		"There is nothing to redo. To redo by number send “redo 12”.",
	}
	whichOne = Phrase{"どれを取り消しますか？まだ何も取り消していません。", "Which one shall I undo? Nothing is undone yet."}
)

func (v Voice) noSuchNumber(number string) string {
	return v.say("受付 %s に、取り消せる記録はありません。「一覧」で番号を見られます。", "No. %s has nothing to undo. “list” shows the numbers.", number)
}

// nothingLikeIt says that no row fits what the command describes.
func (v Voice) nothingLikeIt(c grammar.Command) string {
	words := []string{c.Date.String(), c.Item}
	if c.HasAmount {
		words = append(words, v.yen(c.Amount))
	}
	return v.say("この24時間にあなたが送った中に、「%s」はありません。「一覧」で番号を見て、「取消 12」のように送ってください。",
		"There is no “%s” among what you sent in these 24 hours. Look for its number in “list” and send it like “undo 12”.", spaced(words...))
}

// spaced joins the words that there are.
func spaced(words ...string) string {
	words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
	return strings.Join(words, " ")
}

func (v Voice) alreadyRedone(id ledger.RowID) string {
	return v.say("もう元に戻してあります（受付 %s）。", "That is back already (No. %s).", id)
}

func (v Voice) alreadyUndone(id ledger.RowID) string {
	return v.say("もう取り消してあります（受付 %s）。", "That is undone already (No. %s).", id)
}

func (v Voice) changedSince(id ledger.RowID) string {
	return v.say("受付 %s は、そのあとで変わっているので、このままでは取り消せません。何も変えていません。",
		"No. %s has been changed since, so it can’t be undone as it is. Nothing is changed.", id)
}

func (v Voice) tooOld(n *names, rows []ledger.Row, number ledger.ReceiptNumber) string {
	return v.say("最後の記録は、24時間より前の受付 %[1]d（%[2]s）です。これを取り消すなら「取消 %[1]d」と送ってください。まだ何も取り消していません。",
		"Your last record is No. %[1]d (%[2]s), more than 24 hours ago. To undo it send “undo %[1]d”. Nothing is undone yet.", number, v.rowList(n, rows))
}

// oldChange is tooOld for what changed a setting or a category.
func (v Voice) oldChange(number ledger.ReceiptNumber) string {
	return v.say("最後に変えたのは、24時間より前の受付 %[1]d です。これを取り消すなら「取消 %[1]d」と送ってください。まだ何も取り消していません。",
		"Your last change is No. %[1]d, more than 24 hours ago. To undo it send “undo %[1]d”. Nothing is undone yet.", number)
}

// undoButton says what it takes back. With a Tap it does that itself.
func (v Voice) undoButton(id ledger.RowID) Button {
	text := v.say("取消 %s", "undo %s", id)
	return Button{Label: text, Text: text}
}

// redoButton names the 取消 that it takes back, so that everybody in the chat sees
// what is being brought back.
func (v Voice) redoButton(undo ledger.ReceiptNumber) Button {
	return Button{Label: v.say("元に戻す", "redo"), Text: v.say("元に戻す %d", "redo %d", undo)}
}

var (
	quotedUnknown = Phrase{
		"引用されたメッセージの記録は、見つかりませんでした。何も変えていません。",
		"I found no record of the quoted message. Nothing is changed.",
	}
	quotedNothing = Phrase{
		"引用されたメッセージには、取り消せる記録がありません。何も変えていません。",
		"The quoted message has nothing to undo. Nothing is changed.",
	}
	whoseLast = Phrase{
		"だれの記録か、LINEから教えてもらえていません。「取消 12」のように番号をつけるか、取り消すメッセージを引用して送ってください。何も取り消していません。",
		"LINE does not tell me who you are. Send a number, like “undo 12”, or quote the message to undo. Nothing is undone.",
	}
)
