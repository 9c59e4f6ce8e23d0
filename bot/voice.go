package bot

import (
	"fmt"
	"strings"

	"ichido/internal/ledger"
)

// Voice is the language in which somebody is answered. Every sentence is a method of it
// or a Phrase, and stands in all languages in one place.
type Voice int

// The voices. The zero value is for whoever has not chosen one.
const (
	Japanese Voice = iota
	English
)

// say puts the arguments into the format of the voice's language, as fmt.Sprintf does.
// Both formats have the same arguments; one may have them in another order.
func (v Voice) say(ja, en string, args ...any) string {
	format := ja
	if v == English {
		format = en
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// Phrase is what is said, in all languages.
type Phrase struct{ ja, en string }

// NewPhrase is for doors that have sentences of their own.
func NewPhrase(ja, en string) Phrase { return Phrase{ja, en} }

// In gives the words for the voice.
func (p Phrase) In(v Voice) string { return v.say(p.ja, p.en) }

// text is In, for those who have a voice.
func (v Voice) text(p Phrase) string { return p.In(v) }

// both says something in all languages.
func both(sentence func(Voice) string) Phrase {
	return Phrase{sentence(Japanese), sentence(English)}
}

// count is a number of things of a sort: 3件, 1 entry, 3 entries.
func (v Voice) count(n int, ja, one, more string) string {
	switch {
	case v == Japanese:
		return fmt.Sprint(n, ja)
	case n == 1:
		return fmt.Sprint(n, " ", one)
	}
	return fmt.Sprint(n, " ", more)
}

// list joins what is of the same sort.
func (v Voice) list(words []string) string { return strings.Join(words, v.say("、", ", ")) }

// CategoryName is what a category is called in the voice's language, and AccountName what
// an account is that the household calls by the name.
func (v Voice) CategoryName(c ledger.Category) string { return v.category(c) }

// AccountName: see CategoryName.
func (v Voice) AccountName(name string) string { return v.place(name) }

// Say is for doors that have sentences of their own.
func (v Voice) Say(ja, en string, args ...any) string { return v.say(ja, en, args...) }
