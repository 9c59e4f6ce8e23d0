package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// actsInGroup says whether the line is meant for the bot where nobody addressed
// it: a whole record, a named command, a question back about an item with 円.
// Whatever may as well be talk is left alone, because an answer to it disturbs
// and a change by it is worse than none.
func (l *line) actsInGroup(c *Command) bool {
	if l.asks() || l.quiet {
		return false
	}
	switch c.Kind {
	case Record:
		return !l.onlyPeople(c.Entries)
	case Balance:
		return true
	case Undo, Redo:
		return l.undoesPlainly(c)
	case Correct:
		return l.correctsPlainly(c)
	case Budget:
		return c.Item == "" && c.Category != "" // 予算 30000 may be that of a party
	case Help:
		return l.isHelp()
	case Settle:
		return true
	case Ask:
		return l.asksInGroup(c)
	case Query:
		return l.namesQuery()
	}
	return false
}

// isHelp says whether the line is the word ヘルプ: 使い方 and メニュー are talk.
func (l *line) isHelp() bool {
	from, to := l.trimTo(0, len(l.raw), isPhraseRune)
	_, ok := helpWords.whole(l.low[from:to])
	return ok
}

var helpWords = wordSet("ヘルプ へるぷ help ヘルプもっと ヘルプ_もっと help_more")

// onlyPeople says whether no row has an item but somebody: 子どもは500円 may be
// what a ticket costs.
func (l *line) onlyPeople(rows []Entry) bool {
	return !slices.ContainsFunc(rows, func(e Entry) bool { return !l.isPossessor(e.Item) })
}

// plainUndo are the words of undo and redo that nobody says to the family:
// 消して may be about the light.
var plainUndo = wordSet("取消 取り消し 取消し 取り消して 取消して 取り消す とりけし 削除 削除して 削除する undo delete 元に戻す もとに戻す 元に戻して もとに戻して 復元 redo restore")

// undoesPlainly says whether the undo is named by a word of its own, and what it
// is about may be a row: 予約の取り消し and アプリを削除して are not.
func (l *line) undoesPlainly(c *Command) bool {
	m := l.marked(undoWord, redoWord)
	if m == nil {
		return l.asksUndo()
	}
	word := string(l.low[m.from:m.to])
	if plain := plainUndo.has(word); !plain {
		return false
	}
	return c.Item == "" || l.knownIn() && !strings.HasSuffix(word, "して")
}

// asksUndo says whether a fixed phrase has the word: 取り消しお願いします.
func (l *line) asksUndo() bool {
	return plainUndo.startsAt(l.low, l.skipBlank(0))
}

// correctsPlainly says whether the correction names itself as one and says what
// is new. だった alone may be the answer to a question of the family.
func (l *line) correctsPlainly(c *Command) bool {
	if l.explicit && c.HasAmount {
		return true
	}
	if l.marked(correctionStart) != nil || l.has(l.skipBlank(0), "訂正") || l.marked(correction) != nil && (c.HasAmount || c.Category != "" || c.changesNothing()) {
		return true // but not 歯医者を明日に変更
	}
	if c.Receipt != "" {
		return l.has(l.skipBlank(0), "受付")
	}
	explicit := l.marked(insteadOf) != nil || l.marked(earlier, apology) != nil && l.marked(was) != nil
	return explicit && c.HasAmount
}

// changesNothing says whether the correction only asks how a category is changed.
func (c *Command) changesNothing() bool {
	return !c.HasAmount && !c.Whole && c.Date == 0 && c.Account == "" && c.Category == "" && c.NewItem == ""
}

// asksInGroup says whether the question is about what most likely is a row: it
// has an item and 円. A wallet with an amount is a statement.
func (l *line) asksInGroup(c *Command) bool {
	switch c.Reason {
	case WhoseWallet:
		return c.HasAmount
	case NotARow, Lent, BetweenPeople:
		return false
	}
	return c.Item != "" && l.hasYen()
}

func (l *line) hasYen() bool {
	for i := range l.spans {
		if s := &l.spans[i]; s.kind == amountSpan && s.amount.yen {
			return true
		}
	}
	return false
}

// plainQueries are the words of queries that are commands anywhere; レポート and
// リスト are words of school and shopping as well.
var plainQueries = wordSet("家計簿 一覧 残高 残高確認 残高照会 予算 balance budget list")

// besideQuery are the marks whose words may stand in a query of a group.
var besideQuery = []mark{queryWord, listWord, balanceWord, budgetWord, trendWord, categoryWord, total, politeWord, wallet}

// namesQuery says whether the line is made of the names of queries, periods,
// categories and accounts, and of nothing else, and at least one of them is a
// command: 家計簿, 今月, 食費 先月.
func (l *line) namesQuery() bool {
	named := false
	for i := range l.spans {
		switch s := &l.spans[i]; {
		case s.kind == markSpan && slices.Contains(besideQuery, s.mark):
			_, plain := plainQueries.whole(l.low[s.from:s.to])
			named = named || plain
		case s.kind == periodSpan:
			named = named || l.isRecentMonth(s)
		case s.kind == dateSpan, s.kind == categorySpan, s.kind == accountSpan, s.kind == spaceSpan, s.kind == punctSpan, l.at(s.from) == other:
		case s.used && l.page > 0 && (s.kind != markSpan || s.mark == place):
		case l.isParticleSpan(i) && i+1 < len(l.spans):
		default:
			return false
		}
	}
	return named
}

// isRecentMonth says whether the span is a word for this month or the last: the
// names of other months are talk about plans.
func (l *line) isRecentMonth(s *span) bool {
	if s.unit != "month" || l.at(s.from) == digit || l.at(s.from) == latin && !l.has(s.from, "this") && !l.has(s.from, "last") {
		return false
	}
	return s.period == ledger.Month(l.today, 0) || s.period == ledger.Month(l.today, -1)
}
