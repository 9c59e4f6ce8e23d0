package bot

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"ichido/store"
)

// This file has the sentences for people and chats that come and go.

// Who is no member has chosen no language and hears all of them.
var (
	// Stranger is all that somebody hears who is no member.
	Stranger = inAll(Phrase{"はじめまして。これは、ある家族専用の家計簿です。招待コードを受け取っていたら、ここに送ってください。", "Hello. This is one family’s own household budget. If you were given an invite code, send it here."})

	// WelcomeBack is for somebody who has left the household and adds the bot again.
	WelcomeBack = inAll(Phrase{"おかえりなさい。続けるには、新しい招待コードを家族からもらって、ここに送ってください。", "Welcome back. To go on, ask your family for a new invite code and send it here."})

	// WrongCode answers a code that lets nobody in.
	WrongCode = inAll(Phrase{"その招待コードは使えませんでした。コードは15分のあいだ、1回だけ使えます。ご家族に、新しい招待コードを頼んでください。", "That invite code did not work. A code works once, within 15 minutes. Please ask your family for a new one."})
)

func inAll(p Phrase) string { return p.In(Japanese) + "\n" + p.In(English) }

// welcomeWords begin the talk with a member. A lone one hears how others join.
func (v Voice) welcomeWords(joined, alone bool) string {
	lines := []string{v.say("家計簿の「一度」です。こんなふうに送ってください。", "I’m Ichido, your household budget. Send things like this.")}
	if joined {
		lines[0] = v.say("ようこそ！家計簿に参加しました。こんなふうに送ってください。", "Welcome! You have joined the household budget. Send things like this.")
	}
	lines = append(lines,
		v.say("・「ランチ 900」で記録", "• “lunch 900” to record"),
		v.say("・「今月」で合計", "• “this month” for totals"),
		v.say("・「財布 3000」で、いまある金額と合わせる", "• “wallet 3000” to check what you have"),
		v.say("まちがえたら「取消」で、最後の記録を取り消せます。", "If something is wrong, “undo” takes back your last entry."),
		v.say("記録は、家計簿に参加している家族みんなに見えます。", "Everybody in the household can see what is recorded."))
	if alone {
		lines = append(lines, v.say("家族を呼ぶときは「招待」と送ってください。", "To bring in your family, send “invite”."))
	}
	return strings.Join(lines, "\n")
}

// firstWords are what the buttons under the first answer say.
var firstWords = []Phrase{{"今月", "this month"}, {"一覧", "list"}, {"ヘルプ", "help"}}

func (v Voice) firstButtons() (buttons []Button) {
	for _, words := range firstWords {
		buttons = append(buttons, Button{Label: v.text(words), Text: v.text(words)})
	}
	return buttons
}

var groupGreeting = Phrase{"家計簿の「一度」です。「ランチ 900」のように品名と金額を送ると、記録します。ほかの会話には入りません（ご用のときは、メンションしてください）。", "I’m Ichido, your household budget. Send what you bought and how much it was, like “lunch 900”, and I record it. I stay out of other talk (mention me for anything else)."}

var noPhotos = Phrase{"写真はまだ読めません。「スーパー 2480」のように、文字で送ってください。", "I can’t read photos yet. Send text, like “groceries 2480”."}

// invitation tells a member how somebody joins with the code. A link of "" is not
// known.
func (v Voice) invitation(code, link string) string {
	lines := []string{
		v.say("招待コードは %s です（15分のあいだ、1回だけ使えます）。", "The invite code is %s (it works once, within 15 minutes).", code),
		v.say("参加する人は、この公式アカウントを友だちに追加して、コードを送ってください。", "Whoever joins adds this official account as a friend and sends the code."),
	}
	if link != "" {
		lines = append(lines, v.say("このリンクを開くと、コードが入力された状態になります。", "This link opens the chat with the code typed in."), link)
	}
	return strings.Join(lines, "\n")
}

var (
	webLinkHead = Phrase{
		"このリンクから、ブラウザで家計簿に入れます（10分のあいだ、1回だけ使えます。ほかの人には見せないでください）。",
		"This link lets you into the budget in your browser (once, within 10 minutes; show it to nobody else).",
	}
	webElsewhere = Phrase{
		"リンクはほかの人に見えないように、わたしとの1対1のトークで「ウェブ」と送ってください。",
		"So that nobody else sees the link, send “web” in your own chat with me.",
	}
	noWeb = Phrase{
		"ウェブのページは、まだ用意されていません。家計簿を管理している人に頼んでください。",
		"There are no web pages yet. Please ask whoever looks after this budget.",
	}
)

// The end of all data.

var (
	eraseElsewhere = Phrase{"わたしとの1対1のトークで送ってください。何も消していません。", "Please send that in your own chat with me. Nothing is erased."}
	eraseIsOwners  = Phrase{"全データの削除は、家計簿を管理している人だけができます。何も消していません。", "Only the one who looks after this budget can erase all data. Nothing is erased."}
	eraseWrongCode = Phrase{"その番号ではありません。何も消していません。", "That is not the code. Nothing is erased."}
	eraseTooLate   = Phrase{"時間が過ぎたので、何も消していません。もう一度「全データ削除」からどうぞ。", "Too much time has passed: nothing is erased. Begin again with “delete all data”."}
	eraseLast      = Phrase{"これが最後の確認です。下のボタンを押すと、すべて消えます。元には戻せません。", "This is the last confirmation. The button below erases everything. There is no way back."}
	erased         = Phrase{
		"すべて消しました。前に送ったものが遅れて届いても、記録しません。バックアップと、この画面のトークには、まだ残っています（バックアップの場所は、家計簿を動かしている機械の「ichido backups」でわかります）。家族には、もう一度「招待」で入ってもらってください。",
		"Everything is erased. What was sent before is not recorded, however late it arrives. It is still in backups and on the screen of this chat (`ichido backups` on the machine that runs the budget says where those are). Your family joins again by “invite”.",
	}
)

// eraseWarning says what would be gone, and how to go on.
func (v Voice) eraseWarning(rows, members int, code string) string {
	return v.say("家計簿をすべて消します：%sの記録、%s、設定、教えた言葉。元には戻せません。消すなら、10分以内に「全データ削除 %s」と送ってください。まだ何も消していません。",
		"This erases the whole budget: %s, %s, settings, words you have taught. There is no way back. To go on, send “delete all data %s” within 10 minutes. Nothing is erased yet.",
		v.entries(rows), v.count(members, "人のメンバー", "member", "members"), code)
}

func (v Voice) eraseButton(operation string) Button {
	label := v.say("すべて消す", "erase everything")
	return Button{Label: label, Text: label, Tap: operation}
}

// What a chat is told of pages and programs.

// notifiedNow says which chat is told now, and which one was before: "" is none. here is
// where that is said.
func (v Voice) notifiedNow(before, now, here string) string {
	switch {
	case now == "":
		return v.say("ウェブから記録があっても、お知らせしません。", "I tell nobody of what is recorded from the web.")
	case now != here:
		return v.say("ウェブから記録があったら、ほかのトークにお知らせします。", "When something is recorded from the web, I tell another chat.")
	case before != "":
		return v.say("ウェブから記録があったら、これからはこのトークにお知らせします。いままでのトークには、もうお知らせしません。", "When something is recorded from the web, I tell you here from now on, and no longer the chat that I told before.")
	}
	return v.say("ウェブから記録があったら、このトークにお知らせします。", "When something is recorded from the web, I tell you here.")
}

func (v Voice) notifiedAlready(on bool) string {
	if on {
		return v.say("もう、このトークにお知らせしています。", "I tell you here already.")
	}
	return v.say("お知らせは、もともとありません。", "I tell nobody as it is.")
}

// howToNotify says how it is, and how that is changed. told is the chat that is told.
func (v Voice) howToNotify(told, here string) string {
	switch told {
	case "":
		return v.say("ウェブから記録があったときのお知らせは、ありません。このトークで知りたいときは「通知 オン」と送ってください。", "Nobody is told of what is recorded from the web. To be told here, send “notify on”.")
	case here:
		return v.say("ウェブから記録があったら、このトークにお知らせしています。やめるときは「通知 オフ」と送ってください。", "What is recorded from the web I tell here. To stop that, send “notify off”.")
	}
	return v.say("ウェブから記録があったら、ほかのトークにお知らせしています。こちらに変えるときは「通知 オン」、やめるときは「通知 オフ」と送ってください。", "What is recorded from the web I tell in another chat. To be told here instead, send “notify on”; to stop that, “notify off”.")
}

// noticeStates are how far a notice is. What was not sent in time, or is not so any more,
// has expired.
var noticeStates = map[store.OutgoingState]Phrase{
	store.Pending: {"これから送ります。", "It will be sent."},
	store.Sent:    {"送りました。", "It was sent."},
	store.Unknown: {"届いたかどうか、わかりません。", "Nobody can tell whether it has arrived."},
	store.Expired: {"送りませんでした。", "It was not sent."},
	store.Failed:  {"送れませんでした。", "It could not be sent."},
}

// Devices.

var (
	devicesElsewhere = Phrase{
		"わたしとの1対1のトークで「端末」と送ってください。",
		"Send “devices” in your own chat with me.",
	}
	howToGetToken = Phrase{
		"「ウェブ」から入ったページで、トークンを作れます。",
		"Tokens are made on the pages: send “web”.",
	}
)

func (v Voice) devicesHead(n int) string {
	if n == 0 {
		return v.say("いま入っているブラウザも、トークンもありません。", "No browser is logged in, and there are no tokens.")
	}
	return v.say("いま使えるブラウザとトークンは、%sです。", "%s can get in.", v.count(n, "件", "browser or token", "browsers and tokens"))
}

// deviceLine is a browser or token with when it was used last.
func (v Voice) deviceLine(number int, a store.Access, zone *time.Location) Line {
	name, used := v.deviceName(a), v.say("まだ使っていません", "not used yet")
	if !a.Used.IsZero() {
		used = v.say("%sに使いました", "used %s", v.moment(a.Used.In(zone)))
	}
	return Line{
		Text: v.say("%d %s（%s）", "%d %s (%s)", number, name, used), Role: Item,
		Number: fmt.Sprint(number), Left: name, Note: used,
	}
}

func (v Voice) revokeButton(operation string, number int, id string) Button {
	label := v.say("%dを終了", "end %d", number)
	return Button{Label: label, Text: label, Tap: operation + ":" + id}
}

func (v Voice) revokeAllButton(operation string) Button {
	label := v.say("すべて終了", "end all")
	return Button{Label: label, Text: label, Tap: operation}
}

func (v Voice) revoked(name string) string {
	return v.say("%sは、もう使えません。", "%s can’t get in any more.", name)
}

// whichDevice refuses a number of which nobody knows what it means.
func (v Voice) whichDevice(number string) string {
	return v.say("%sがどれのことか確かめられないので、何も終了していません。下のボタンで選んでください。", "I can’t be sure which one %s is, so nothing is ended. Please choose with a button.", number)
}

func (v Voice) revokeAllQuestion(n int) string {
	return v.say("ブラウザとトークン（%s）を、すべて使えなくしますか？ まだ何も終了していません。下のボタンで選んでください。", "End %s? Nothing is ended yet. Please choose with a button.", v.count(n, "件", "browser or token", "browsers and tokens"))
}

func (v Voice) reallyAllButton(operation string) Button {
	label := v.say("すべて終了する", "yes, end all")
	return Button{Label: label, Text: label, Tap: operation}
}

func (v Voice) revokeNoneButton(operation string) Button {
	label := v.say("やめる", "no, keep them")
	return Button{Label: label, Text: label, Tap: operation}
}

var (
	revokedBefore  = Phrase{"それは、もう使えなくなっています。", "That one is ended already."}
	revokedAll     = Phrase{"すべて使えなくしました。", "None of them can get in any more."}
	revokedNothing = Phrase{"何も終了していません。", "Nothing is ended."}
)

var inviteElsewhere = Phrase{"招待コードはほかの人に見えないように、わたしとの1対1のトークで「招待」と送ってください。", "So that nobody else sees the code, send “invite” in your own chat with me."}

var alreadyMember = Phrase{"もう家計簿に参加しています。招待コードは、まだ参加していない人が使ってください。", "You are a member already. The code is for somebody who is not."}

var whoAreYou = Phrase{"このグループでは、LINEからお名前を教えてもらえていません。わたしとの1対1のトークで送ってください。", "LINE does not tell me who you are in this group. Please send that in your own chat with me."}

func (v Voice) howToName(name string) string {
	if name == "" {
		return v.say("「名前 花子」のように送ると、その名前で呼びます。", "Send “name Hanako”, and I call you by that name.")
	}
	return v.say("いまの名前は「%s」です。変えるときは「名前 花子」のように送ってください。", "Your name is “%s”. To change it, send something like “name Hanako”.", name)
}

func (v Voice) nobodyIsCalled(name string) string {
	return v.say("「%s」は、名前にはできません。何も変えていません。", "“%s” can’t be a name. Nothing is changed.", shortened(name))
}

func (v Voice) named(wanted, name string) string {
	if wanted != name {
		return v.say("「%s」は、ほかの人の名前なので、「%s」にしました。", "“%s” is somebody else’s name, so you are “%s”.", wanted, name)
	}
	return v.say("これからは「%s」と呼びます。", "I call you “%s” from now on.", name)
}

func (v Voice) membersHead(n int) string {
	return v.say("家計簿に参加しているのは%sです。", "%s in this household.", v.count(n, "人", "person", "people"))
}

func (v Voice) memberLine(name string, owner bool) string {
	if owner {
		return v.say("・%s（管理する人）", "• %s (looks after it)", name)
	}
	return v.say("・%s", "• %s", name)
}

// deviceName is what the member knows it by.
func (v Voice) deviceName(a store.Access) string {
	if a.Kind == store.Token {
		return v.say("トークン「%s」", "token “%s”", a.Label)
	}
	return cmp.Or(a.Label, v.say("ブラウザ", "a browser"))
}

// fromPages says whose entry of a page or program it is; "" for nobody known.
func (v Voice) fromPages(member string) string {
	if member == "" {
		return v.say("ウェブから", "from the web")
	}
	return v.say("%s、ウェブから", "%s, from the web", member)
}
