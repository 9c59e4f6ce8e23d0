package bot

import (
	"fmt"
	"slices"
	"strings"

	"ichido/store"
)

// happening makes up what happens next.
func (f *family) happening() happening {
	e := happening{person: pick(f, f.people...), direct: f.IntN(3) > 0, mention: f.IntN(4) == 0}
	if !e.direct && f.IntN(8) == 0 {
		e.person = ""
	}
	switch n := f.IntN(100); {
	case n < 13 && len(f.buttons) > 0:
		return f.press(e)
	case n < 23 && len(f.said) > 0:
		return f.edit(e)
	case n < 26 && len(f.said) > 0:
		m := pick(f, f.said...)
		return happening{about: store.Unsent, what: Edited, id: m.id, person: m.person}
	case n < 29 && len(f.said)+len(f.ours) > 0:
		e.quotes = f.quoted()
		e.text = pick(f, "取消", "削除", "元に戻す", "ランチ 900", "ありがとう")
		return e
	case n < 31:
		return happening{what: pick(f, Followed, Grouped, Photo), person: pick(f, f.people...), direct: true}
	case n < 33 && len(f.codes) > 0:
		f.people = append(f.people, fmt.Sprint("guest", f.count))
		e.person, e.text, e.direct = f.people[len(f.people)-1], f.codes[0], true
		f.codes = f.codes[1:]
		e.begins = "ようこそ"
		return e
	}
	e.text = f.says()
	if e.direct || e.mention {
		e.begins = begins(f, e.text)
	}
	return e
}

// press presses a button, mostly one of the last.
func (f *family) press(e happening) happening {
	from := 0
	if f.IntN(3) > 0 {
		from = max(0, len(f.buttons)-8)
	}
	b := pick(f, f.buttons[from:]...)
	e.button, e.text = &b, b.Text
	if b.Tap != "" {
		e.what, e.text = Tapped, b.Tap
	}
	return e
}

// edit gives a message another text.
func (f *family) edit(e happening) happening {
	m := f.said[max(0, len(f.said)-1-f.IntN(8))]
	e.what, e.about, e.id, e.person, e.direct = Edited, store.Edited, m.id, m.person, m.direct
	switch f.IntN(5) {
	case 0:
		e.text = m.text + "\n" + f.row()
	case 1:
		e.text = m.text + pick(f, "0", " カード", " 交際費", " 昨日")
	case 2:
		e.text, _, _ = strings.Cut(m.text, "\n")
	case 3:
		e.text = f.record()
	default:
		e.text = f.says()
	}
	if e.person == "" && f.IntN(2) == 0 {
		e.person = f.people[0] // whoever it is, it is always the same
	}
	return e
}

// quoted is the ID of a message: the bot's, somebody's, or one that nobody knows.
func (f *family) quoted() string {
	ids := slices.Clone(f.ours[max(0, len(f.ours)-10):])
	for _, m := range f.said[max(0, len(f.said)-10):] {
		ids = append(ids, m.id)
	}
	return pick(f, append(ids, "unknown")...)
}

// says makes up a text.
func (f *family) says() string {
	if f.fond != nil && f.IntN(3) == 0 {
		return f.fond()
	}
	switch f.IntN(12) {
	case 0, 1:
		return f.half()
	case 2:
		return f.correction()
	}
	switch n := f.IntN(100); {
	case n < 38:
		return f.record()
	case n < 48:
		return f.statement()
	case n < 60:
		return pick(f, "取消", "取消", "取り消し", "元に戻す", "元に戻す")
	case n < 70:
		return f.byNumber()
	case n < 74:
		return pick(f, "", "昨日の") + f.item() + pick(f, "", " 900", " 2480円") + pick(f, "を取り消し", " 取消")
	case n < 91:
		return f.question()
	case n < 93:
		return f.household()
	case n < 96:
		return pick(f, "財布 共有", "財布 別々", "名前 太郎", "名前 花子", "名前 たろう", "名前 みんな", "名前", "招待", "招待")
	}
	return pick(f, pick(f, f.texts...), pick(f, f.texts...), "ありがとう", "おはよう", "夜ごはん何？")
}

func (f *family) byNumber() string {
	number := fmt.Sprint(1 + f.IntN(len(f.now.receipts)+1))
	if len(f.now.rows) > 0 && f.IntN(2) > 0 {
		number = pick(f, f.now.rows...).ID.String()
	}
	return pick(f, "取消 ", "取消 ", "削除 ", "元に戻す ", "受付 ") + number
}

func (f *family) item() string {
	return pick(f, "ランチ", "ランチ", "スーパー", "スーパー", "本", "薬", "シャツ", "お茶", "牛乳", "バス", "なぞの品", "返品送料")
}

func (f *family) amount() int { return pick(f, 100, 198, 900, 900, 2480, 2480, 12345, 1000000) }

func (f *family) row() string {
	day := pick(f, "", "", "", "", "昨日 ", "一昨日 ", "11/15 ", "10/31 ", "1/3 ", "12/25 ")
	sum := f.amount()
	switch f.IntN(12) {
	case 0:
		return day + pick(f, "給料", "バイト代", "利息") + fmt.Sprint(" ", sum)
	case 1:
		return day + f.item() + fmt.Sprint(" 返金 ", sum)
	case 2:
		return day + pick(f, fmt.Sprintf("銀行からSuicaに%d円", sum), fmt.Sprintf("銀行から財布に%d円", sum), fmt.Sprint("Suicaチャージ ", sum), fmt.Sprint("貯金 ", sum))
	}
	return day + f.item() + fmt.Sprint(" ", sum) + pick(f, "", "", "", "", " カード", " PayPay", " Suica", " 交際費", " 銀行")
}

// record makes up one row, sometimes more, rarely very many.
func (f *family) record() string {
	rows := []string{f.row()}
	switch f.IntN(16) {
	case 0, 1, 2:
		for range 1 + f.IntN(3) {
			rows = append(rows, f.row())
		}
	case 3:
		rows = append(rows, "お菓子 1,20", f.row())
	case 4:
		return f.item() + fmt.Sprintf(" %d %d人で割り勘", f.amount(), 2+f.IntN(3))
	case 5:
		for range 25 * f.IntN(2) {
			rows = append(rows, f.row())
		}
	}
	return strings.Join(rows, "\n")
}

func (f *family) statement() string {
	account := pick(f, "財布", "財布", "財布", "財布", "花子の財布", "太郎さんの財布", "ペンの財布", "共有の財布", "Suica残高", "銀行残高", "カード残高")
	return account + fmt.Sprint(" ", pick(f, 0, 500, 3000, 3000, 20000)) + pick(f, "", "", "", " 昨日", " 一昨日", " 明日")
}

func (f *family) question() string {
	switch f.IntN(6) {
	case 0, 1:
		return f.asks()
	case 2:
		return f.budgeting()
	}
	return pick(f, "今月", "今月", "先月", "今日", "昨日", "今週", "一覧", "一覧", "先月の一覧", "今日の一覧", "11/15の一覧", "今月の食費", "食費の一覧",
		"今月のスーパー", "ランチの一覧", "今月の収入", "先月の収入", "財布", "財布", "残高", "残高", "Suica残高", "銀行残高", "花子の財布", "共有の財布", "太郎の財布",
		"記録できた？", "記録できた？", "メンバー", "ヘルプ", "今月の太郎", "予算", "精算", "去年", "10月", "収入の一覧")
}

// begins is how the answer to a question begins, for those of which that is plain.
func begins(f *family, text string) string {
	switch text {
	case "今月", "今月の食費", "今月のスーパー", "今月の収入", "今日", "今日の一覧":
		return text[:len("今月")]
	case "一覧":
		return "今月の記録"
	case "先月", "先月の一覧", "先月の収入":
		last := f.clock.AddDate(0, 0, -f.clock.Day())
		if last.Year() != f.clock.Year() {
			return fmt.Sprintf("%d年%d月", last.Year(), last.Month())
		}
		return fmt.Sprintf("%d月", last.Month())
	}
	return ""
}
