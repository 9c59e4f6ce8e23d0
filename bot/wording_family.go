package bot

import (
	"strings"
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
