package cli

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ichido/bot"
	"ichido/internal/linesim"
	"ichido/store"
)

// bubble is a message that LINE has taken from the bot.
type bubble struct {
	chat, text string
	named      []uint64 // receipts of which it says that their answers came too late
	data       []string // of its buttons
	call       *linesim.Call
}

var (
	unsaidNote = regexp.MustCompile(`\n+※ 受付 ([0-9、]+) のお返事は、.*`)
	itemWord   = regexp.MustCompile(`item[a-z]{5}`)
	smallPrint = regexp.MustCompile(`\n[^\n]*受付 (?s:.*)`)
	receiptIn  = regexp.MustCompile(`受付 ([0-9]+)`)
)

// shown gives all that LINE has taken, whether or not the person has blocked the bot,
// but for what strangers are told.
func (e *ending) shown() (all []bubble) {
	for _, c := range e.platform.Calls() {
		if !c.Accepted {
			continue
		}
		for _, m := range messagesOf(&c) {
			said := m.words()
			if slices.Contains([]string{bot.Stranger, bot.WelcomeBack, bot.WrongCode}, said) {
				continue
			}
			b := bubble{chat: c.To, text: unsaidNote.ReplaceAllString(said, ""), data: m.data(), call: &c}
			for _, note := range unsaidNote.FindAllStringSubmatch(said, -1) {
				for number := range strings.SplitSeq(note[1], "、") {
					n, _ := strconv.ParseUint(number, 10, 64)
					b.named = append(b.named, n)
				}
			}
			all = append(all, b)
		}
	}
	return all
}

// messageJSON is a text or a card.
type messageJSON struct {
	Text, AltText string
	Contents      any // of a card
	QuickReply    struct {
		Items []struct{ Action struct{ Data string } }
	}
}

// words are all that the message says: of a card that is longer than its altText may be,
// what stands in it, too.
func (m *messageJSON) words() string {
	if m.Contents == nil || !strings.HasSuffix(m.AltText, "…") {
		return m.Text + m.AltText
	}
	return m.AltText + "\n" + strings.Join(stringsAt(m.Contents, "text"), "\n")
}

// data are what the buttons carry.
func (m *messageJSON) data() []string {
	data := stringsAt(m.Contents, "data")
	for _, item := range m.QuickReply.Items {
		data = append(data, item.Action.Data)
	}
	return data
}

// stringsAt finds the strings of a JSON value that have the key, in their order in lists.
func stringsAt(value any, key string) (found []string) {
	switch v := value.(type) {
	case []any:
		for _, inside := range v {
			found = append(found, stringsAt(inside, key)...)
		}
	case map[string]any:
		if s, is := v[key].(string); is {
			found = append(found, s)
		}
		for _, inside := range v {
			found = append(found, stringsAt(inside, key)...)
		}
	}
	return found
}

func messagesOf(c *linesim.Call) []messageJSON {
	var body struct{ Messages []messageJSON }
	_ = json.Unmarshal(c.Body, &body) // what can't be read has no messages
	return body.Messages
}

// heads are the beginnings of answers that tell of a change.
var heads = []struct {
	kind answerKind
	head *regexp.Regexp
}{
	{ofText, regexp.MustCompile(`^([0-9]+件を)?記録しました|^直しました|^編集されたので、`)},
	{ofUndo, regexp.MustCompile(`^([0-9]+件を)?取り消しました`)},
	{ofRedo, regexp.MustCompile(`^([0-9]+件を)?元に戻しました`)},
	{ofCategory, regexp.MustCompile(`^カテゴリ|^記録(の変更を取り消しました|を元に戻しました)`)}, // the latter of what is struck
}

// class are answers that are told apart by nothing but their order.
type class struct {
	chat, message string
	kind          answerKind
}

func (e *ending) classOf(b bubble) class {
	for _, h := range heads {
		if h.head.MatchString(b.text) {
			return class{b.chat, e.items[itemWord.FindString(b.text)], h.kind}
		}
	}
	return class{b.chat, "", otherwise}
}

// wantAnswers wants each answer to have been said once at most, and said or in the
// outbox.
func (e *ending) wantAnswers(kills int) {
	count := map[class]int{}
	texts := map[string]bool{}
	bubbles := e.shown()
	for _, b := range bubbles {
		c := e.classOf(b)
		count[c]++
		if said := smallPrint.ReplaceAllString(b.text, ""); c.kind == ofText && texts[said] {
			e.t.Errorf("%q was said twice", said)
		} else {
			texts[said] = true
		}
		e.wantNumbers(b, c)
	}
	left := e.left()
	least, most := e.wanted(left)
	for c := range most {
		count[c] += 0
	}
	for c, n := range count {
		if n < least[c] || n > most[c] {
			e.t.Errorf("%v was said %d times, want %d to %d", c, n, least[c], most[c])
		}
	}
	e.wantNamed(bubbles, left)
	e.wantFewUnknown(kills, left)
}

// left gives what the outbox has of the answer to each receipt.
func (e *ending) left() map[uint64]store.Outgoing {
	left := map[uint64]store.Outgoing{}
	for _, o := range e.box {
		if _, twice := left[uint64(o.Receipt)]; twice || o.State != store.Expired && o.State != store.Unknown {
			e.t.Errorf("the answer to receipt %d is %v, twice %t", o.Receipt, o.State, twice)
		}
		left[uint64(o.Receipt)] = o
	}
	return left
}

// wanted gives how often there must and may be answers of a class.
func (e *ending) wanted(left map[uint64]store.Outgoing) (least, most map[class]int) {
	least, most = map[class]int{}, map[class]int{}
	for n, did := range e.replay.did {
		o, unsaid := left[n]
		if did.answer == noAnswer {
			if unsaid {
				e.t.Errorf("receipt %d has an answer in the outbox, and none was to be said", n)
			}
			continue
		}
		c := class{chat: e.chatOf[n], kind: did.answer}
		if did.message != nil && did.answer != otherwise {
			c.message = did.message.id
		}
		switch {
		case !unsaid:
			least[c]++
			most[c]++
		case o.State == store.Unknown:
			most[c]++
		default:
			most[c] += 0
		}
	}
	return least, most
}

// wantNumbers wants the numbers of what was said to mean that in the file.
func (e *ending) wantNumbers(b bubble, c class) {
	for _, data := range b.data {
		n := receiptOf(data)
		if r := e.byNumber[n]; n != 0 && (r == nil || !r.Carries(data)) {
			e.t.Errorf("a button says %s, and receipt %d is another", data, n)
		}
	}
	if c.kind == otherwise || c.kind == ofCategory {
		return
	}
	n := uint64(0)
	if number := receiptIn.FindStringSubmatch(b.text); number != nil {
		n, _ = strconv.ParseUint(number[1], 10, 64)
	}
	if r := e.byNumber[n]; r == nil || r.MessageID != c.message {
		e.t.Errorf("%q was said, and receipt %d is of another message than %s", b.text, n, c.message)
	}
}

// wantNamed wants what certainly was not said to be named once at most, and if not,
// to be there still to be named; unless its message was unsent or its chat gone.
func (e *ending) wantNamed(bubbles []bubble, left map[uint64]store.Outgoing) {
	named := map[uint64]int{}
	for _, b := range bubbles {
		for _, n := range b.named {
			if named[n]++; named[n] > 1 || left[n].State != store.Expired {
				e.t.Errorf("receipt %d is named as not answered %d times, and is %v", n, named[n], left[n].State)
			}
		}
	}
	for _, o := range e.box {
		for _, id := range o.Names { // of those that perhaps were named
			e.unsaid[id] = true
		}
	}
	for n, o := range left {
		did := e.replay.did[n]
		excused := e.gone[o.Chat] || did.text && did.message.unsent
		if o.State == store.Expired && named[n] == 0 && !e.unsaid[o.ID] && !excused {
			e.t.Errorf("nothing tells that receipt %d was not answered", n)
		}
	}
}

// wantFewUnknown wants no more answers of which nobody knows whether they were said
// than there were calls with such an end.
func (e *ending) wantFewUnknown(kills int, left map[uint64]store.Outgoing) {
	limit := 0
	chats := map[string]bool{}
	for _, c := range e.platform.Calls() {
		chats[c.To] = true
		if c.Method == http.MethodPost && (c.Status == 0 || c.Status >= 500) {
			limit += len(messagesOf(&c))
		}
	}
	unknown := 0
	for _, o := range left {
		if o.State == store.Unknown {
			unknown++
		}
	}
	if limit += kills * len(chats); unknown > limit {
		e.t.Errorf("%d answers are unknown, but only %d calls ended so", unknown, limit)
	}
}
