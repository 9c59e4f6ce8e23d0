// Package talk reads, plays and writes talk files: conversations that a person
// can read as a chat, and that are tests and examples at once. It knows no bot;
// what a line does is up to a [Scene], which a [Stage] helps to happen in LINE.
//
// A file consists of
//
//	# 2026-11-30 12:00        sets the clock; what a person does moves it on a minute
//	# anything else           a comment
//	allow 太郎                 the configuration lets the person in, or all in the group
//	join taro 太郎             makes a member with a name; the name may be missing
//	$ ichido invite           what is typed on the machine
//	太郎> ランチ 900            a message in the chat with the bot alone
//	    | スーパー 2480         its next line
//	太郎@家族> ランチ 900        a message in a group
//	太郎(12:01)> 取消          typed at 12:01, delivered now; the clock stays
//	太郎 mentions> 今月         a message that mentions the bot
//	太郎 quotes "記録"> 取消     a message that quotes the latest one that begins so
//	太郎 edits> ランチ 950      changes the person's latest message here
//	太郎 unsends               takes it back; both also with "the beginning" of another
//	太郎 presses> 取消 1        the button with this label
//	太郎 follows               adds the bot as a friend, or ends a block
//	太郎 blocks                blocks the bot
//	太郎 sends a photo         or a sticker
//	太郎@家族 adds the bot      to the group; also: removes the bot, joins, leaves
//	LINE repeats              the last event is delivered again
//	LINE loses an answer      the end of the bot's next call stays unknown to the bot
//	LINE is busy              and takes nothing until "LINE is back"
//	bot> ...                  the answer in the same chat; nothing after the mark is silence
//	    | ...                 its next line
//	    [取消 1] [元に戻す: 元に戻す 2]   its buttons, with what they say if that differs
//	bot@家族> ...              what it says in another chat or by itself: in a group
//	bot to 花子> ...           and to a person
//
// and ends with the ledger: see [WriteLedger]. In answers a joining code stands as
// <code>, the next one as <code 2>, and a person can say <code>.
package talk

import (
	"fmt"
	"regexp"
	"strings"
)

// Verb is what somebody does. It is the words of the file.
type Verb string

// What a person does. Says has no word of its own.
const (
	Says         Verb = "says"
	Mentions     Verb = "mentions"
	Quotes       Verb = "quotes"
	Edits        Verb = "edits"
	Unsends      Verb = "unsends"
	Presses      Verb = "presses"
	Follows      Verb = "follows"
	Blocks       Verb = "blocks"
	SendsPhoto   Verb = "sends a photo"
	SendsSticker Verb = "sends a sticker"
	AddsBot      Verb = "adds the bot"
	RemovesBot   Verb = "removes the bot"
	Joins        Verb = "joins"
	Leaves       Verb = "leaves"
)

// What LINE does.
const (
	Repeats Verb = "repeats"
	Loses   Verb = "loses an answer"
	Busy    Verb = "is busy"
	Back    Verb = "is back"
)

// What is done to the household from outside. Who is the person; of Allow it may
// be a group, of a command nobody.
const (
	Allow   Verb = "allow"
	Join    Verb = "join"    // Text is the name, "" for none
	Command Verb = "$"       // Text is what is typed
	comment Verb = "comment" // Text is the line
)

// speech says which verbs have a text, and unanswered which can't get an answer.
var (
	speech     = map[Verb]bool{Says: true, Mentions: true, Quotes: true, Edits: true, Presses: true}
	unanswered = map[Verb]bool{Unsends: true, Blocks: true, RemovesBot: true, Joins: true, Leaves: true}
)

// Line is one line of a file, with the further lines that belong to it.
type Line struct {
	Source string // as it stands in the file
	Verb   Verb
	Who    string // who does it; "" for LINE and for nobody
	Group  string // where; "" is the chat with the bot alone
	Typed  string // "12:01", or "" for now
	Of     string // how the message begins that is quoted, edited or taken back; "" is the latest
	Text   string
}

// further begins the further lines of a message or an answer.
const further = "    | "

var (
	spoken = regexp.MustCompile(`^([\pL\pN_]+)(?:@([\pL\pN_]+))?(?:\((\d\d:\d\d)\))?` +
		`(?: ([a-z][a-z ]*[a-z]))?(?: "(.*?)")?(?:>(?: (.*))?)?$`)
	verbs = []Verb{
		Says, Mentions, Quotes, Edits, Unsends, Presses, Follows, Blocks, SendsPhoto, SendsSticker,
		AddsBot, RemovesBot, Joins, Leaves,
	}
	ofLINE = []Verb{Repeats, Loses, Busy, Back}
)

// Read returns the lines of a file without what was answered and without the
// ledger at its end.
func Read(file string) ([]Line, error) {
	file, _, _ = strings.Cut(file, "\nledger:\n")
	var lines []Line
	answering := false // what is indented belongs to an answer
	for i, source := range strings.Split(strings.TrimSpace(file), "\n") {
		switch {
		case strings.HasPrefix(source, "    ") && answering:
		case strings.HasPrefix(source, further) && len(lines) > 0 && speech[lines[len(lines)-1].Verb]:
			last := &lines[len(lines)-1]
			last.Source += "\n" + source
			last.Text += "\n" + strings.TrimPrefix(source, further)
		case isAnswer(source):
			answering = true
		default:
			line, ok := read(source)
			if !ok {
				return nil, fmt.Errorf("line %d can't be read: %q", i+1, source)
			}
			lines = append(lines, line)
			answering = line.Verb == Command
		}
	}
	return lines, nil
}

var answered = regexp.MustCompile(`^bot(@[\pL\pN_]+| to [\pL\pN_]+)?>`)

func isAnswer(source string) bool { return answered.MatchString(source) }

// read understands a line that is no answer.
func read(source string) (Line, bool) {
	line := Line{Source: source, Verb: comment, Text: source}
	if source == "" || strings.HasPrefix(source, "#") {
		return line, true
	}
	word, rest, _ := strings.Cut(source, " ")
	switch line.Text = rest; word {
	case "$":
		line.Verb = Command
		return line, rest != ""
	case "allow", "join":
		line.Verb = Verb(word)
		line.Who, line.Text, _ = strings.Cut(rest, " ")
		return line, line.Who != ""
	case "LINE":
		line.Text = ""
		return line, line.setVerb(rest, ofLINE)
	}
	m := spoken.FindStringSubmatch(source)
	if m == nil {
		return line, false
	}
	line.Who, line.Group, line.Typed, line.Of, line.Text = m[1], m[2], m[3], m[5], m[6]
	if m[4] == "" {
		m[4] = string(Says)
	}
	return line, line.setVerb(m[4], verbs) && speech[line.Verb] == strings.Contains(source, ">")
}

func (l *Line) setVerb(name string, among []Verb) bool {
	for _, v := range among {
		if name == string(v) {
			l.Verb = v
			return true
		}
	}
	return false
}
