package bot

import (
	"strings"
)

// This file has the sentences for people and chats that come and go.

// Stranger is all that somebody hears who is no member.
const Stranger = "はじめまして。これは、ある家族専用の家計簿です。招待コードを受け取っていたら、ここに送ってください。"

// WelcomeBack is for somebody who has left the household and adds the bot again.
const WelcomeBack = "おかえりなさい。続けるには、新しい招待コードを家族からもらって、ここに送ってください。"

// WrongCode answers a code that lets nobody in.
const WrongCode = "その招待コードは使えませんでした。コードは15分のあいだ、1回だけ使えます。ご家族に、新しい招待コードを頼んでください。"

// welcomeWords begin the talk with a member. A lone one hears how others join.
func (v Voice) welcomeWords(joined, alone bool) string {
	lines := []string{v.say("家計簿の「一度」です。こんなふうに送ってください。", "")}
	if joined {
		lines[0] = v.say("ようこそ！家計簿に参加しました。こんなふうに送ってください。", "")
	}
	lines = append(lines,
		v.say("・「ランチ 900」で記録", ""),
		v.say("・「今月」で合計", ""),
		v.say("・「財布 3000」で、いまある金額と合わせる", ""),
		v.say("まちがえたら「取消」で、最後の記録を取り消せます。", ""),
		v.say("記録は、家計簿に参加している家族みんなに見えます。", ""))
	if alone {
		lines = append(lines, v.say("家族を呼ぶときは「招待」と送ってください。", ""))
	}
	return strings.Join(lines, "\n")
}

var firstButtons = []Button{{Label: "今月", Text: "今月"}, {Label: "一覧", Text: "一覧"}, {Label: "ヘルプ", Text: "ヘルプ"}}

var groupGreeting = Phrase{"家計簿の「一度」です。「ランチ 900」のように品名と金額を送ると記録し、ほかの会話には口をはさみません（ほかのご用は、メンションしてください）。", ""}

var noPhotos = Phrase{"写真はまだ読めません。「スーパー 2480」のように、文字で送ってください。", ""}

// invitation tells a member how somebody joins with the code. A link of "" is not
// known.
func (v Voice) invitation(code, link string) string {
	lines := []string{
		v.say("招待コードは %s です（15分のあいだ、1回だけ使えます）。", "", code),
		v.say("参加する人は、この公式アカウントを友だちに追加して、コードを送ってください。", ""),
	}
	if link != "" {
		lines = append(lines, v.say("このリンクを開くと、コードが入力された状態になります。", ""), link)
	}
	return strings.Join(lines, "\n")
}

var inviteElsewhere = Phrase{"招待コードはほかの人に見えないように、わたしとの1対1のトークで「招待」と送ってください。", ""}

var alreadyMember = Phrase{"もう家計簿に参加しています。招待コードは、まだ参加していない人が使ってください。", ""}

var whoAreYou = Phrase{"このグループでは、LINEからお名前を教えてもらえていません。わたしとの1対1のトークで送ってください。", ""}

func (v Voice) howToName(name string) string {
	if name == "" {
		return v.say("「名前 花子」のように送ると、その名前で呼びます。", "")
	}
	return v.say("いまの名前は「%s」です。変えるときは「名前 花子」のように送ってください。", "", name)
}

func (v Voice) nobodyIsCalled(name string) string {
	return v.say("「%s」は、名前にはできません。何も変えていません。", "", shortened(name))
}

func (v Voice) named(wanted, name string) string {
	if wanted != name {
		return v.say("「%s」は、ほかの人の名前なので、「%s」にしました。", "", wanted, name)
	}
	return v.say("これからは「%s」と呼びます。", "", name)
}

func (v Voice) membersHead(n int) string {
	return v.say("家計簿に参加しているのは %d人です。", "", n)
}

func (v Voice) memberLine(name string, owner bool) string {
	if owner {
		return v.say("・", "• ") + name + v.say("（管理する人）", "")
	}
	return v.say("・", "• ") + name
}
