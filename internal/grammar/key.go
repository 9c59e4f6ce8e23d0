package grammar

import "strings"

// Key gives the form under which an item is remembered, so that a word that was
// taught is found however it is typed: width, case and the kind of kana are
// folded, runs of blanks are one, お and ご in front and 代, 料, 費 behind are left
// out. Of an item that is not blank something always stays.
func Key(item string) string {
	return withoutFee(withoutHonorific(Folded(item)))
}

// Folded gives the form in which texts are compared: width, case and the kind of kana
// are folded, and runs of blanks are one.
func Folded(text string) string { return strings.Join(strings.Fields(foldKey(text)), " ") }

// withoutHonorific leaves ごみ and オーブン alone, where お or ご is a part of the
// word: what is left must be able to stand alone. オレンジ is not レンジ.
func withoutHonorific(key string) string {
	runes := []rune(key)
	if key == "おれんじ" {
		return key
	}
	if len(runes) < 2 || runes[0] != 'お' && runes[0] != 'ご' && runes[0] != '御' {
		return key
	}
	rest := runes[1:]
	switch scriptOf(rest[0]) {
	case kanji:
		return string(rest)
	case kana:
		if len(rest) > 1 && !strings.ContainsRune("ぁぃぅぇぉゃゅょっんゔー", rest[0]) {
			return string(rest)
		}
	}
	return key
}

func withoutFee(key string) string {
	runes := []rune(key)
	last := len(runes) - 1
	if last < 1 || !isFeeSuffix(runes[last]) || !isWord(scriptOf(runes[last-1])) {
		return key
	}
	return string(runes[:last])
}
