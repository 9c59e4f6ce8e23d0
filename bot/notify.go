package bot

import (
	"fmt"
	"strings"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
)

// A chat, one of the household, can be told of what members record by a page or the API:
// who is at the till then knows without looking. It costs pushes, so that nobody is told
// unless somebody has asked for it in that chat.

// notifySetting is the setting with the chat, as the door names it; "" for none.
const notifySetting = "notify"

// switches are what one can say of something that is on or off.
var switches = map[string]bool{
	"オン": true, "on": true, "おん": true, "入": true, "あり": true, "はい": true, "ほしい": true, "欲しい": true, "開始": true,
	"オフ": false, "off": false, "おふ": false, "切": false, "なし": false, "いいえ": false, "いらない": false, "停止": false, "解除": false, "止めて": false, "やめて": false, "とめて": false,
}

// setNotify lets this chat be told, or none.
func (t *turn) setNotify() (Reply, error) {
	before, err := t.tx.Setting(notifySetting)
	if err != nil {
		return Reply{}, err
	}
	on, known := switches[strings.ToLower(t.cmd.Value)]
	switch {
	case !known:
		return said(t.howToNotify(before, t.message.Chat)), nil
	case t.sender == 0:
		return said(t.text(whoAreYou)), nil
	case on && before == t.message.Chat, !on && before == "":
		return said(t.notifiedAlready(on)), nil
	case on:
		return t.set(notifySetting, t.message.Chat)
	}
	return t.set(notifySetting, "")
}

// Gone ends, in the event of the bot being removed from a chat, that this one is told: who
// takes it in again may want something else.
func (b *Bot) Gone(tx *store.Tx, chat string) error {
	if told, err := tx.Setting(notifySetting); told != chat || err != nil {
		return err
	}
	return tx.Set(notifySetting, "")
}

// EntryNotice is what a chat hears of an entry that was recorded in this event, by Record.
// chat is "" if none wants to hear of it.
func (b *Bot) EntryNotice(tx *store.Tx, at time.Time, row ledger.Row) (chat string, r Reply, err error) {
	if chat, err = tx.Setting(notifySetting); chat == "" || err != nil {
		return "", Reply{}, err
	}
	t := b.turn(tx, Message{At: at})
	if err := t.speakTo(chat); err != nil {
		return "", Reply{}, err
	}
	n, err := t.names()
	if err != nil {
		return "", Reply{}, fmt.Errorf("looking up names: %w", err)
	}
	rows := []ledger.Row{row}
	a := answer{}
	a.put(headed(t.recordedHead, 1, t.rowItems(n, rows))...)
	a.quiet(t.quietLine(t.fromPages(n.member(row.Member)), t.category(n.commonCategory(rows)), accountsOf(n, rows), t.receiptLabel(commonID(rows))))
	return chat, a.reply(), nil
}

// speakTo lets the turn speak as the person whose chat it is wants it; a group hears
// Japanese.
func (t *turn) speakTo(chat string) error {
	m, known, err := t.tx.MemberByPerson(chat)
	if known && err == nil {
		t.Voice, err = VoiceOf(t.tx, m.ID)
	}
	return err
}

// NoticeState says how far the notice of a receipt is; nil if there is none.
func NoticeState(tx *store.Tx, n ledger.ReceiptNumber) (*Phrase, error) {
	state, ok, err := tx.EntryNotice(n)
	if !ok || err != nil {
		return nil, err
	}
	words, known := noticeStates[state]
	if !known {
		return nil, nil
	}
	return &words, nil
}
