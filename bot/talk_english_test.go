package bot

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"ichido/internal/golden"
	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/internal/talk"
	"ichido/store"
)

// translated is a conversation with answers in one language.
type translated struct {
	*conversation
	voice   Voice
	typed   string // all that was typed, and the names
	replies []Reply
	last    talk.Step
}

// newTranslated is a talk in which everybody has chosen the language already. That has no
// receipt, so that the numbers are those of the talk.
func newTranslated(t *testing.T, v Voice) *translated {
	k := &translated{conversation: newTalk(t), voice: v}
	if v == English {
		k.prepare = func(tx *store.Tx) error { return setLanguages(tx, "en") }
	}
	return k
}

// end takes the languages back: the store is held to its receipts.
func (k *translated) end() {
	k.prepare = func(tx *store.Tx) error { return setLanguages(tx, "") }
	k.submit(store.Request{Person: k.last.Who}, Message{At: k.last.At, Direct: true, Text: "ヘルプ"})
}

func setLanguages(tx *store.Tx, value string) error {
	for member := range ledger.MemberID(10) {
		if err := tx.Set(languageOf(member), value); err != nil {
			return err
		}
	}
	tx.Receipt().Settings = nil
	return nil
}

// Do does what the step says.
func (k *translated) Do(s talk.Step) ([]talk.Answer, error) {
	k.typed += "\n" + s.Text + "\n" + s.Who
	k.last = s
	switch s.Verb {
	case talk.Join:
		k.join(s.Who, s.Text)
		return nil, nil
	case talk.Says:
		m := Message{Text: s.Text, At: s.At, Direct: s.Group == "", Chat: k.chat(s.Who, s.Group == "")}
		reply, receipt := k.submit(store.Request{Person: s.Who}, m)
		k.checkClaims(s.Text, receipt, reply)
		if err := checkParts(reply); err != nil {
			k.t.Error(err)
		}
		k.replies = append(k.replies, reply)
		return answers(s, reply), nil
	}
	return nil, errors.New("a talk without LINE has no such thing")
}

// play has the conversation and returns it with the answers in the language.
func (k *translated) play(file string) string {
	k.t.Helper()
	k.open(file)
	var out strings.Builder
	if err := talk.Play(&out, file, tokyo, time.Time{}, k); err != nil {
		k.t.Fatal(err)
	}
	k.end()
	return unlinked(out.String())
}

// englishClaims are how an answer says what it has done.
var englishClaims = map[string][]store.Kind{
	"Recorded": {store.Record, store.Balance},
	"Undone":   {store.Undo, store.Strike},
	"Undid":    {store.Undo, store.Strike},
	"Restored": {store.Redo},
}

// checkClaims is checkHonesty for English.
func (k *translated) checkClaims(text string, r store.Receipt, reply Reply) {
	if k.voice != English {
		return
	}
	for claim, kinds := range englishClaims {
		did := slices.Contains(kinds, r.Kind) && len(r.Changes) > 0
		if claims := strings.Contains("\n"+reply.Text(), "\n"+claim); claims && !did {
			k.t.Errorf("%q: claims %s, did not", text, claim)
		}
	}
}

// TestEnglishTalk plays the conversations in testdata/talk with answers in English, as
// testdata/english has them. Each answer must say the same figures and offer the same as
// in Japanese.
func TestEnglishTalk(t *testing.T) {
	files, err := filepath.Glob("testdata/talk/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no talk files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			ja, en := newTranslated(t, Japanese), newTranslated(t, English)
			ja.play(string(source))
			got := en.play(string(source))
			if len(ja.replies) != len(en.replies) {
				t.Fatalf("there are %d answers, in English %d", len(ja.replies), len(en.replies))
			}
			for i := range ja.replies {
				compareReplies(t, ja.replies[i], en.replies[i])
			}
			en.checkScript()
			en.checkExamples()
			golden.Check(t, filepath.Join("testdata/english", filepath.Base(file)), got)
		})
	}
}

// compareReplies holds an English answer to the Japanese one.
func compareReplies(t *testing.T, ja, en Reply) {
	t.Helper()
	if want, got := figuresIn(unlinked(ja.Text())), figuresIn(unlinked(en.Text())); !slices.Equal(want, got) {
		t.Errorf("figures %v, in English %v:\n%s\n---\n%s", want, got, ja.Text(), en.Text())
	}
	if !utf8.ValidString(en.Text()) {
		t.Errorf("this is no text: %q", en.Text())
	}
	if len(ja.Lines) != len(en.Lines) {
		t.Errorf("%d lines, in English %d:\n%s\n---\n%s", len(ja.Lines), len(en.Lines), ja.Text(), en.Text())
	}
	if len(ja.Buttons) != len(en.Buttons) {
		t.Errorf("%d buttons, in English %d:\n%s\n---\n%s", len(ja.Buttons), len(en.Buttons), ja.Text(), en.Text())
		return
	}
	for i, b := range en.Buttons {
		compareButtons(t, ja.Buttons[i], b)
	}
}

// byChance are the IDs of sessions and tokens.
var byChance = regexp.MustCompile(`^[0-9a-f]{8}$`)

// compareButtons holds a button to doing what the Japanese one does.
func compareButtons(t *testing.T, ja, en Button) {
	t.Helper()
	if len([]rune(en.Label)) > 20 || en.Label == "" || en.Text == "" {
		t.Errorf("the label %q, %q is too long or empty", en.Label, en.Text)
	}
	verb, argument := splitTap(ja.Tap)
	enVerb, enArgument := splitTap(en.Tap)
	if verb != enVerb || argument != enArgument && !strings.Contains(argument, "円") && !byChance.MatchString(argument) {
		t.Errorf("%+v does something else than %+v", en, ja)
	}
	if en.Tap != "" {
		return
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	want, got := grammar.Parse(ja.Text, now), grammar.Parse(en.Text, now)
	want.Text, got.Text = "", ""
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("%q says something else than %q:\n%s", en.Text, ja.Text, diff)
	}
}

// figureRE finds amounts, numbers and dates.
var figureRE = regexp.MustCompile(`\d[\d,]*`)

// wordFigures are the words of one language with a figure in the other.
var wordFigures = strings.NewReplacer(append(monthFigures(),
	"1か月", "", "1つ", "", "、1日", "", "（1日 ", "", "1日に", "", "1回だけ", "", "1人分", "", "1対1", "", "この1年", "", "「1年の", "12")...)

// monthFigures are the months as Japanese has them.
func monthFigures() (pairs []string) {
	for m := time.January; m <= time.December; m++ {
		number := strconv.Itoa(int(m))
		pairs = append(pairs, m.String(), number, m.String()[:3]+" ", number+" ")
	}
	return pairs
}

// figuresIn gives the figures of a text in order of size.
func figuresIn(text string) []string {
	figures := figureRE.FindAllString(wordFigures.Replace(text), -1)
	for i, f := range figures {
		figures[i] = strings.TrimLeft(strings.ReplaceAll(f, ",", ""), "0")
	}
	slices.SortFunc(figures, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return figures
}

var japaneseWords = regexp.MustCompile(`[\p{Han}\p{Hiragana}\p{Katakana}ー]+`)

// checkScript looks for Japanese in English answers that nobody has typed.
func (k *translated) checkScript() {
	items := ""
	err := k.store.View(func(tx *store.Tx) error {
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			items += "\n" + r.Item
			return nil
		})
	})
	if err != nil {
		k.t.Fatal(err)
	}
	for _, reply := range k.replies {
		for _, word := range japaneseWords.FindAllString(reply.Text(), -1) {
			if !strings.Contains(k.typed, word) && !strings.Contains(items, word) {
				k.t.Errorf("nobody has said %q:\n%s", word, reply.Text())
			}
		}
		for _, b := range reply.Buttons {
			for _, word := range japaneseWords.FindAllString(b.Label, -1) {
				if !strings.Contains(k.typed, word) && !strings.Contains(items, word) {
					k.t.Errorf("the button %q is in Japanese", b.Label)
				}
			}
		}
	}
}

// checkExamples types what the English answers quote that is not quoted from the members.
func (k *translated) checkExamples() {
	var own *grammar.Names
	err := k.store.View(func(tx *store.Tx) (err error) {
		own, err = ownWords(tx)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	for _, reply := range k.replies {
		for _, m := range englishExample.FindAllStringSubmatch(reply.Text(), -1) {
			if slices.Contains(onlyNames, m[1]) || strings.Contains(k.typed, m[1]) || strings.HasPrefix(m[1], "balance of ") {
				continue
			}
			if c := own.Parse(m[1], k.last.At); !isUnderstood(c) && own.Parse(m[1]+" 900", k.last.At).Kind != grammar.Record {
				k.t.Errorf("nobody understands %q (%s %s):\n%s", m[1], c.Kind, c.Reason, reply.Text())
			}
		}
	}
}
