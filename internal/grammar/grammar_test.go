package grammar

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

//go:embed testdata/messages.tsv
var messagesTSV string

//go:embed testdata/own.tsv
var ownTSV string

// blindTSV was written from the description of the language alone, before
// anybody looked at what Parse makes of it.
//
//go:embed testdata/blind.tsv
var blindTSV string

// kindsTSV has one or two texts of each kind that was once read wrongly.
//
//go:embed testdata/kinds.tsv
var kindsTSV string

// householdTSV has the commands about the members of a household, and what
// looks like them.
//
//go:embed testdata/household.tsv
var householdTSV string

// trialTSV has what a family typed when it tried the bot, and what looks like
// it.
//
//go:embed testdata/trial.tsv
var trialTSV string

// commandsTSV has commands in many wordings, and what looks like them. Most of
// it was written before anybody looked at what Parse makes of it.
//
//go:embed testdata/commands.tsv
var commandsTSV string

// talkTSV has small talk with the Reason of its Remark; "" is no such talk.
//
//go:embed testdata/talk.tsv
var talkTSV string

// testNow is a Monday.
var testNow = time.Date(2026, 11, 30, 12, 0, 0, 0, time.FixedZone("JST", 9*60*60))

// notYet names texts that are not read as the table wants. A text that is read
// rightly must leave the list.
var notYet = map[string]bool{}

type sample struct {
	text   string
	expect map[string]any
}

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")

func readSamples(t testing.TB, tsv string) []sample {
	t.Helper()
	var all []sample
	for n, line := range strings.Split(strings.TrimRight(tsv, "\n"), "\n")[1:] {
		text, expect, ok := strings.Cut(line, "\t")
		s := sample{text: unescape.Replace(text)}
		if err := json.Unmarshal([]byte(expect), &s.expect); err != nil || !ok {
			t.Fatalf("row %d: %v", n+2, err)
		}
		all = append(all, s)
	}
	return all
}

// differs says how got differs from what is wanted, "" if it has all of it.
func differs(want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		if list, ok := want["any_of"].([]any); ok {
			return differsFromAll(list, got)
		}
		have, _ := got.(map[string]any)
		for key, value := range want {
			if d := differs(value, have[key]); d != "" {
				return key + ": " + d
			}
		}
	case []any:
		have, _ := got.([]any)
		if len(have) != len(want) {
			return fmt.Sprintf("%d entries, want %d", len(have), len(want))
		}
		for i := range want {
			if d := differs(want[i], have[i]); d != "" {
				return fmt.Sprintf("%d: %s", i, d)
			}
		}
	default:
		if !reflect.DeepEqual(want, got) {
			return fmt.Sprintf("%v, want %v", got, want)
		}
	}
	return ""
}

func differsFromAll(list []any, got any) string {
	all := ""
	for _, want := range list {
		d := differs(want, got)
		if d == "" {
			return ""
		}
		all += d + "; "
	}
	return all
}

func testSamples(t *testing.T, tsv string) {
	t.Helper()
	t.Parallel()
	for _, s := range readSamples(t, tsv) {
		printed, err := json.Marshal(Parse(s.text, testNow))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(printed, &got); err != nil {
			t.Fatal(err)
		}
		switch d := differs(s.expect, got); {
		case d != "" && !notYet[s.text]:
			t.Errorf("%q: %s\n\tgot %s", s.text, d, printed)
		case d == "" && notYet[s.text]:
			t.Errorf("%q is read rightly now: take it off the list", s.text)
		}
	}
}

func TestMessages(t *testing.T) { testSamples(t, messagesTSV) }

func TestOwnMessages(t *testing.T) { testSamples(t, ownTSV) }

func TestBlindMessages(t *testing.T) { testSamples(t, blindTSV) }

func TestKinds(t *testing.T) { testSamples(t, kindsTSV) }

func TestHousehold(t *testing.T) { testSamples(t, householdTSV) }

func TestTrial(t *testing.T) { testSamples(t, trialTSV) }

func TestCommands(t *testing.T) { testSamples(t, commandsTSV) }

func TestTalk(t *testing.T) {
	for n, row := range strings.Split(strings.TrimRight(talkTSV, "\n"), "\n")[1:] {
		text, reason, ok := strings.Cut(row, "\t")
		if !ok {
			t.Fatalf("row %d: %q", n+2, row)
		}
		if c := Parse(text, testNow); c.Kind != Remark || c.Reason != Reason(reason) {
			t.Errorf("%q: %s %q, want %q", text, c.Kind, c.Reason, reason)
		}
	}
}
