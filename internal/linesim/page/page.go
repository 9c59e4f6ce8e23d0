// Package page draws a chat of package linesim as HTML, close enough to LINE to judge
// how a bot's messages look: bubbles, quick replies, and Flex messages from their JSON.
//
// A person needs more than a chat to live with a bot: beside it stand its ledger and a
// log of what LINE did, and switches for what LINE and machines do at times. [Document]
// is the page with all that; its parts are drawn again by [Document.Parts], and the
// script of the page puts in what has changed. What happens when something is pressed is
// up to whoever serves the page: the script posts forms (see page.js).
//
// Everything is escaped by html/template, and no style or script stands in the HTML, so
// that [Policy] can forbid both.
package page

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"ichido/internal/linesim"
)

// Policy is the Content-Security-Policy of the page.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// Files has page.css and page.js, which the page asks for beside itself.
//
//go:embed page.css page.js
var Files embed.FS

//go:embed page.html
var source string

var templates = template.Must(template.New("page").Parse(source))

// Document is all that stands on the page.
type Document struct {
	Chat     Chat
	People   []string // who can speak, by name
	Groups   []string // where besides the chat with the bot alone, by name
	Who      string   // speaks now
	Where    string   // the group, "" in the chat with the bot alone
	Theme    string   // "light" or "dark"; "" is as the machine is set
	Alone    bool     // only the chat is shown
	Menu     *Menu    // nil for none
	Switches []Switch
	Running  bool // the bot runs
	Rows     []Row
	Unread   bool // the ledger can't be read at present
	Log      []Note
}

// Switch is something that LINE or the machine does to the bot when it is pressed.
type Switch struct {
	Name  string // posted
	Label string
	Hint  string
	Lasts bool // stays on until it is pressed again, or until what it waits for has happened
	On    bool
}

// Menu is the rich menu, which LINE has in chats with one person only. Its image is asked
// for as menu.
type Menu struct{ linesim.RichMenu }

// tile is an area of a menu.
type tile struct{ Label, CSS string }

// CSS is the shape of the menu.
func (m Menu) CSS() string { return fmt.Sprintf("aspect-ratio:%d/%d;", m.Width, m.Height) }

// Tiles are the areas, with the part of the image that each takes.
func (m Menu) Tiles() (tiles []tile) {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
	for _, a := range m.Areas {
		tiles = append(tiles, tile{a.Label, fmt.Sprintf("left:%.3f%%;top:%.3f%%;width:%.3f%%;height:%.3f%%;",
			share(a.X, m.Width), share(a.Y, m.Height), share(a.Width, m.Width), share(a.Height, m.Height))})
	}
	return tiles
}

// Row is a row of the ledger in words.
type Row struct {
	Number, Date, Item, Amount, Category, Account, Who string
	Struck                                             bool // counts nowhere
}

// Note is a line of the log.
type Note struct {
	At   time.Time
	Side string // who did it: "LINE", "bot"
	Text string
	Bad  bool // a failure
}

// Clock is the time of day of the note.
func (n Note) Clock() string { return n.At.Format("15:04:05") }

// Write writes the whole page.
func (d Document) Write(w io.Writer) error { return templates.ExecuteTemplate(w, "document", d) }

// partNames are the parts that change while the page is open, by the ID of their place.
var partNames = []string{"chat", "quick", "switches", "rows", "log"}

// Parts draws what changes, by the ID of its place on the page.
func (d Document) Parts() (map[string]string, error) {
	parts := make(map[string]string)
	for _, name := range partNames {
		var b strings.Builder
		if err := templates.ExecuteTemplate(&b, name, d); err != nil {
			return nil, err
		}
		parts[name] = b.String()
	}
	return parts, nil
}

// Chat is a chat as one person sees it.
type Chat struct {
	Self    string // the user ID of the person
	Bubbles []linesim.Bubble
	Group   bool
	Name    func(userID string) string
	Facts   func(messageID string) Facts
	Zone    *time.Location
	First   time.Time // the time that the first bubble shows; zero is its own
}

// Facts is what is known of a person's message besides its bubble.
type Facts struct {
	Read   bool   // the bot has taken it
	Kind   string // "photo" or "sticker"; "" for a text
	Edited bool
}

// message is a bubble on its way to the page.
type message struct {
	ID, Name, Clock, Text string
	Lines                 []part
	Mine, Bot, Head       bool // Head: the first of several of the same sender
	Facts                 Facts
	Unsent                bool
	Quote                 *message
	Flex                  *node
}

// Initial is what stands in the place of a picture of the sender.
func (m message) Initial() string {
	for _, r := range m.Name {
		return string(r)
	}
	return ""
}

// part is a piece of a text: plain words, or an address, which LINE underlines.
type part struct {
	Text string
	Link bool
}

// Messages are the bubbles in the order of the chat.
func (c Chat) Messages() []message {
	var list []message
	byID := make(map[string]message)
	for i, b := range c.Bubbles {
		m := c.message(b)
		m.Head = i == 0 || c.Bubbles[i-1].From != b.From || c.Bubbles[i-1].Via == "" != (b.Via == "") || c.Bubbles[i-1].Unsent
		if q, known := byID[b.Quotes]; known && b.Quotes != "" {
			m.Quote = &q
		}
		byID[b.ID] = m
		list = append(list, m)
	}
	return list
}

func (c Chat) message(b linesim.Bubble) message {
	m := message{
		ID: b.ID, Text: b.Text, Lines: links(b.Text), Unsent: b.Unsent, Bot: b.Via != "", Mine: b.Via == "" && b.From == c.Self,
		Clock: c.clock(b.At), Name: linesim.BotName,
	}
	if !m.Bot {
		m.Name, m.Facts = c.Name(b.From), c.Facts(b.ID)
		return m
	}
	if n, _, ok := drawMessage(b.Messages); ok {
		m.Flex = &n
	}
	return m
}

// clock is the time of day beside a bubble, moved so that the first shows First.
func (c Chat) clock(at time.Time) string {
	if !c.First.IsZero() {
		at = c.First.Add(at.Sub(c.Bubbles[0].At))
	}
	return at.In(c.Zone).Format("15:04")
}

// Quick are the quick replies, which LINE shows under the last bubble of the chat only.
func (c Chat) Quick() (id string, buttons []linesim.Button) {
	if len(c.Bubbles) == 0 {
		return "", nil
	}
	last := c.Bubbles[len(c.Bubbles)-1]
	return last.ID, last.QuickReplies
}

// QuickID is the message that the quick replies belong to.
func (c Chat) QuickID() string { id, _ := c.Quick(); return id }

// QuickReplies are the buttons of Quick.
func (c Chat) QuickReplies() []linesim.Button { _, b := c.Quick(); return b }

// links sets addresses in a text apart.
func links(s string) []part {
	var parts []part
	for s != "" {
		i := strings.Index(s, "https://")
		if local := strings.Index(s, "http://127.0.0.1:"); local >= 0 && (i < 0 || local < i) {
			i = local // of a bot on this machine
		}
		if i < 0 {
			return append(parts, part{Text: s})
		}
		if i > 0 {
			parts = append(parts, part{Text: s[:i]})
		}
		end := strings.IndexAny(s[i:], " \n\t　")
		if end < 0 {
			end = len(s) - i
		}
		parts = append(parts, part{s[i : i+end], true})
		s = s[i+end:]
	}
	return parts
}
