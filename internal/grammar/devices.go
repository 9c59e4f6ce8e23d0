package grammar

import "strconv"

// AllDevices is the Value of an order about devices that is to end all of them; that of
// one is its number in the list. "" asks for the list.
const AllDevices = "all"

// devicesPhrase has the words of an order to end browsers and tokens: 端末 2 終了,
// トークン 2 を削除, devices end all. To log out says by itself what is meant.
var devicesPhrase = wordTable[part]{
	core:   "端末 デバイス ブラウザ トークン セッション ログイン device devices browser browsers token tokens session sessions login logins",
	verb:   "終了 終わらせて 終わり 削除 消して 消す 消去 無効 無効化 失効 解除 止めて 切って end remove delete revoke stop kick_out disconnect",
	making: "ログアウト log_out logout sign_out",
	who:    "全部 すべて 全て ぜんぶ 全員 all every everywhere everything",
	filler: "番 番目 番め を の は から も に して する します したい させて させる してください して下さい ください 下さい お願い お願いします おねがい please number no my the of from on",
}.index()

// readDevices reads an order to end a browser or token, or all of them. A number that is
// no place in a list is left to what prices are read by.
func readDevices(l *line) (Command, bool) {
	if !devicesPhrase.mayBegin(l.low[0]) && l.at(0) != digit {
		return Command{}, false
	}
	parts, numbers, ok := l.phrase(devicesPhrase)
	var has [partCount]int
	for _, p := range parts {
		has[p]++
	}
	if !ok || l.asks() || has[making] == 0 && (has[core] == 0 || has[verb] == 0) || has[who] > 1 || numbers == (has[who] == 1) {
		return Command{}, false
	}
	c := Command{Kind: Order, Command: "devices", Value: AllDevices}
	if numbers {
		c.Value, ok = l.placeInList()
	}
	return c, ok
}

// placeInList gives the only number of the line, if it is one of a short list.
func (l *line) placeInList() (place string, ok bool) {
	for i := 0; i < len(l.raw); i++ {
		if l.at(i) != digit {
			continue
		}
		end := i
		for l.at(end) == digit {
			end++
		}
		plain := i == 0 || l.at(i-1) != punct || l.rune(i-1) == '#'
		if n, err := strconv.Atoi(l.str(i, end)); place != "" || !plain || err != nil || n < 1 || n > mostBare || l.rune(i) == '0' {
			return "", false
		}
		place, i = l.str(i, end), end
	}
	return place, place != "" && !l.hasYen()
}
