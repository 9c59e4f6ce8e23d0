package grammar

import (
	"regexp"
	"slices"
	"strings"
)

// paidBy finds who has paid, if that is said: 花子が払った, paid by Hanako, Hanako paid 900.
var paidBy = []*regexp.Regexp{
	regexp.MustCompile(`(?:^|[\s、。,])(?:.*は)?([^\s、。,0-9円]{1,12}?)(?:さん|ちゃん|くん|君)?が(?:払っ|はらっ|支払っ|出し|だし|立て替え|立替え|たてかえ)`),
	regexp.MustCompile(`(?:^|\s)(?:was |were )?paid by ([\p{L}'’]{2,20})`),
	regexp.MustCompile(`^([\p{L}'’]{2,20}) paid (?:¥|￥)?[0-9]`),
}

// notPayers are words that are nobody: what it was paid with, and what has an amount.
var notPayers = wordSet("just already have has had still also i we you it they who card cash credit debit bank wallet transfer paypay suica the my mum_and_i 私 わたし 僕 ぼく 俺 おれ 自分 うち 家 誰 だれ みんな 全員 二人 会費 費用 お金 金額 合計")

// readPaidByAnother asks about what somebody else has paid: a row is of who writes it.
func readPaidByAnother(l *line) (Command, bool) {
	text := string(l.low)
	if !strings.Contains(text, "が") && !strings.Contains(text, "paid ") || l.count(amountSpan) == 0 || l.asks() {
		return Command{}, false
	}
	for _, pattern := range paidBy {
		m := pattern.FindStringSubmatch(text)
		if m == nil || notPayers.has(strings.ReplaceAll(m[1], " ", "_")) || isSelf(m[1]) || l.isAccountIn(m[1]) {
			continue
		}
		c := l.ask(AnothersWallet)
		c.Owner = m[1]
		return c, true
	}
	return Command{}, false
}

// isAccountIn says whether the text has the word of an account of the line in it.
func (l *line) isAccountIn(text string) bool {
	return slices.ContainsFunc(l.spans, func(s span) bool {
		return s.kind == accountSpan && strings.Contains(text, string(l.low[s.from:s.to]))
	})
}
