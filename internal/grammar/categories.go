package grammar

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// categoryIndex finds the categories by name.
var categoryIndex = func() *wordIndex[ledger.Category] {
	x := newWordIndex[ledger.Category]()
	for _, c := range ledger.Categories {
		x.add(c, string(c)+" "+categoryNames[c])
	}
	return x
}()

// categoryNames are what people call the built-in categories besides.
var categoryNames = map[ledger.Category]string{
	"食費": "食料費 食事代", "日用品": "日用品費", "衣服": "衣服費 衣服代 被服費 衣類費 衣料費", "医療費": "医療", "交通費": "交通", "交際費": "交際",
	"娯楽": "娯楽費", "美容": "美容費", "住居": "住居費 住宅費", "光熱費": "水道光熱費 光熱水費 光熱", "通信費": "通信", "教育": "教育費",
	"子ども": "子ども費 子供費 子育て費", "車": "車両費 自動車費", "保険": "保険費", "税・社会保険": "税金", "ペット": "ペット費", "その他": "雑費",
}

// scanCategory reads the name of a category that no other word touches.
func (l *line) scanCategory(i int) (span, bool) {
	c, end, ok := categoryIndex.atIf(l.low, i, func(_ ledger.Category, end int) bool {
		return !isWord(l.at(end)) || l.isolated(i, end) || l.at(end) == kana || l.politeFollows(end) || l.categoryTail(end)
	})
	if !ok || !l.isolatedBefore(i) {
		if s, ok := l.scanEnglishCategory(i); ok {
			return s, true
		}
		return l.scanLooseCategory(i)
	}
	return span{kind: categorySpan, from: i, to: end, name: string(c)}, true
}

// categoryFollows says whether the name of a category that ends there begins at i:
// 予算食費.
func (l *line) categoryFollows(i int) bool {
	_, _, ok := categoryIndex.atIf(l.low, i, func(_ ledger.Category, end int) bool { return !isWord(l.at(end)) || l.at(end) == kana })
	return ok
}

// looseCategories name a category only where blanks stand around them.
var looseCategories = wordTable[ledger.Category]{"子ども": "子供 こども", "家具・家電": "家電 家具", "娯楽": "趣味 レジャー"}.index()

func (l *line) scanLooseCategory(i int) (span, bool) {
	c, end, ok := looseCategories.at(l.low, i)
	if !ok || l.at(i-1) != blank || l.at(end) != blank {
		return span{}, false
	}
	return span{kind: categorySpan, from: i, to: end, name: string(c)}, true
}

func (l *line) isolatedBefore(i int) bool {
	return !isWord(l.at(i-1)) || l.afterSpan() || l.at(i-1) == kana && isParticle(l.rune(i-1)) || l.has(i-2, "から") || l.has(i-2, "それ") || l.has(i-2, "これ")
}

// categoryTails may hang on the name of a category, besides particles.
var categoryTails = wordSet("から まで だけ なら って とか など いくら した しました だった でした だ です じゃ 予算 カテゴリ グラフ 推移 一覧 明細 履歴")

func (l *line) categoryTail(i int) bool {
	_, _, ok := categoryTails.atIf(l.low, i, func(_ bool, end int) bool { return l.at(end-1) != kana || l.at(end) != kana || l.endsClause(end) })
	return ok
}

// claimCategories takes the names of categories out of the items, if a word
// is left to be the item.
func (l *line) claimCategories() {
	found := slices.DeleteFunc(l.find(categorySpan), l.describes)
	if len(found) == 0 {
		return
	}
	for _, i := range found {
		l.spans[i].used = true
	}
	if l.isItem(l.pieces(0, len(l.spans))) {
		return
	}
	if len(found) > 1 && l.count(amountSpan) == 1 {
		found = found[:1] // 食費 500 交際費: the first is the item
	}
	for _, i := range found {
		l.spans[i].used = false
	}
}

// livingCategories are called after what has things and company.
var livingCategories = []string{"子ども", "ペット", "車"}

// describes says whether the category at span i is a word in front of a thing,
// and so a part of the item: 子どもの靴, ペットとカフェ.
func (l *line) describes(i int) bool {
	to := l.spans[i].to
	if i+1 < len(l.spans) && l.spans[i+1].kind == counterSpan {
		return true // 子ども2人
	}
	if l.isDescribed(i) {
		return true
	}
	living := slices.Contains(livingCategories, l.spans[i].name)
	return living && strings.ContainsRune("のとにへ", l.rune(to)) && isWord(l.at(to+1))
}

// isDescribed says whether words with の stand directly in front of the category at
// span i, so that it ends the item: 車の保険.
func (l *line) isDescribed(i int) bool {
	if i == 0 || l.spans[i-1].kind != wordSpan || l.rune(l.spans[i].from-1) != 'の' {
		return false
	}
	return l.spans[i-1].to-l.spans[i-1].from > 1 || i > 1 && l.spans[i-2].kind == categorySpan
}
