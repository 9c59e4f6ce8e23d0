package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// The texts of the message that is unsent. The second is one that answers cut off;
// all have characters that JSON can write in several ways.
var secrets = []string{`秘密&<プレゼント>`, `とても長い"説明"` + strings.Repeat("　それは秘密です", 20), `M&M's　秘密`}

// forms are the ways in which a text can stand in a file.
func forms(text string) (forms [][]byte) {
	html, _ := json.Marshal(text)
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	ascii := strconv.QuoteToASCII(text)
	for _, form := range []string{text, trim(string(html)), trim(strings.TrimSpace(plain.String())), trim(ascii)} {
		forms = append(forms, []byte(form))
		if runes := []rune(form); len(runes) > 20 {
			forms = append(forms, []byte(string(runes[:17]))) // as it is when it was cut off
		}
	}
	return forms
}

func trim(quoted string) string { return quoted[1 : len(quoted)-1] }

// answer puts an answer to the event in the outbox that shows the texts, as escaped
// by the door.
func answer(tx *store.Tx, escapeHTML bool, cut int, texts ...string) error {
	var shown []map[string]any
	for _, text := range texts {
		if runes := []rune(text); cut > 0 && len(runes) > cut {
			text = string(runes[:cut]) + "…"
		}
		shown = append(shown, map[string]any{"type": "flex", "contents": []any{map[string]string{"text": "記録しました：" + text}}})
	}
	var payload bytes.Buffer
	encoder := json.NewEncoder(&payload)
	encoder.SetEscapeHTML(escapeHTML)
	if err := encoder.Encode(shown); err != nil {
		return err
	}
	_, err := tx.Say(store.Outgoing{Chat: "taro", Payload: payload.Bytes()})
	return err
}

// happenings are what happens to a file.
type happenings []func(*testing.T, *store.Store)

// unsentHistories are the ways in which a message can come to be unsent, and its texts
// be anywhere before.
func unsentHistories() map[string]happenings {
	with := func(also func(tx *store.Tx) error, items ...string) func(*store.Tx) error {
		return func(tx *store.Tx) error { return errors.Join(storetest.Hear(items...)(tx), also(tx)) }
	}
	none := func(*store.Tx) error { return nil }
	shown := func(escapeHTML bool, cut int, texts ...string) func(*store.Tx) error {
		return func(tx *store.Tx) error { return answer(tx, escapeHTML, cut, texts...) }
	}
	submit := func(req store.Request, apply func(*store.Tx) error) func(*testing.T, *store.Store) {
		return func(t *testing.T, s *store.Store) { storetest.Submit(t, s, req, apply) }
	}
	said := submit(storetest.Said("m", secrets[0], after(0)), with(none, secrets[0], secrets[1]))
	answered := submit(storetest.Said("m", secrets[0], after(0)), with(shown(true, 0, secrets...), secrets...))
	edited := submit(storetest.Edited("m", secrets[2], after(1)), with(none, secrets[2]))
	again := storetest.Said("m", secrets[0], after(0))
	again.Key = "again"
	unsent := submit(storetest.Unsent("m", after(5)), storetest.Hear())
	category := submit(lunch("category"), update(ledger.RowID{Receipt: 1}, func(r *ledger.Row) { r.Category = "秘密の費目" }))
	asked := submit(storetest.Said("m", secrets[0], after(0)), func(tx *store.Tx) error { return tx.Ask("chat", secrets[0]) })
	other := func(key string, apply func(*store.Tx) error) func(*testing.T, *store.Store) {
		return submit(storetest.Said("other "+key, "", after(1)), apply)
	}
	taught := func(category string, n ledger.ReceiptNumber) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			return errors.Join(tx.Set(store.WordSetting+secrets[0], category), update(ledger.RowID{Receipt: n}, func(r *ledger.Row) { r.Category = ledger.Category(category) })(tx))
		}
	}
	answers := func(items ...string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			question, err := tx.OpenQuestion("chat")
			return errors.Join(err, tx.Answers(question), storetest.Hear(items...)(tx))
		}
	}
	settled := func(state store.OutgoingState, ids ...store.OutboxID) func(*testing.T, *store.Store) {
		return func(t *testing.T, s *store.Store) {
			for _, id := range ids {
				end(t, s, id, state)
			}
		}
	}
	late := func(t *testing.T, s *store.Store) {
		put(t, s, 1, func(o *store.Outgoing) { o.Pushing = true })
		answerWithLate(t, s, "late", 5)
	}
	return map[string]happenings{
		"said":                     {said, unsent},
		"said and delivered again": {said, submit(again, nil), unsent},
		"unsent first":             {unsent, said, edited},
		"edited":                   {said, edited, unsent},
		"edited after it":          {said, unsent, edited},
		"only edited":              {edited, unsent},
		"said after the edit":      {edited, said, unsent},
		"undone":                   {said, submit(lunch("undo"), storetest.Undo(1)), unsent},
		"undone and redone":        {said, submit(lunch("undo"), storetest.Undo(1)), submit(lunch("redo"), storetest.Undo(2)), unsent},
		"changed":                  {submit(storetest.Said("m", "", after(0)), with(none, secrets[0])), category, unsent},
		"changed back":             {submit(storetest.Said("m", "", after(0)), with(none, secrets[0])), category, submit(lunch("undo"), storetest.Undo(2)), unsent},
		"the answer is pending":    {answered, unsent},
		"the answer is unknown":    {answered, settled(store.Unknown, 1), unsent},
		"the answer is carried":    {answered, late, unsent},
		"the carrier is unknown":   {answered, late, settled(store.Unknown, 2), unsent},
		"listed":                   {said, submit(lunch("list"), shown(true, 0, "x", secrets[0], secrets[1])), unsent},
		"listed without escapes":   {said, submit(lunch("list"), shown(false, 0, secrets[0])), unsent},
		"listed and cut off":       {said, submit(lunch("list"), shown(false, 18, secrets[1])), unsent},
		"listed and settled":       {said, submit(lunch("list"), shown(true, 0, secrets[1])), settled(store.Failed, 1), unsent},
		"in what can't be read": {said, submit(lunch("list"), func(tx *store.Tx) error {
			_, err := tx.Say(store.Outgoing{Payload: []byte("[" + secrets[0])})
			return err
		}), unsent},
		"listed, before it was edited": {said, submit(lunch("list"), shown(true, 0, secrets[0])), edited, unsent},
		"unsent twice":                 {said, unsent, submit(lunch("list"), none), edited, unsent},
		"asked about":                  {asked, unsent},
		"asked about and answered":     {asked, other("answer", answers(secrets[0])), unsent},
		"asked about and settled":      {asked, submit(pressed(secrets[0]), answers(secrets[0])), unsent},
		"asked about and edited":       {asked, edited, unsent},
		"taught by itself":             {submit(storetest.Said("m", "", after(0)), set(store.WordSetting+secrets[0], "食費")), unsent},
		"taught by a change":           {submit(storetest.Said("m", "", after(0)), with(none, secrets[0])), other("a", taught("食費", 1)), unsent},
		"taught and taken back":        {submit(storetest.Said("m", "", after(0)), with(none, secrets[0])), submit(lunch("a"), taught("食費", 1)), submit(lunch("b"), storetest.Undo(2)), unsent},
		"taught and listed":            {submit(storetest.Said("m", "", after(0)), set(store.WordSetting+"key", "食費\t"+secrets[0])), submit(lunch("list"), shown(true, 0, secrets[0])), unsent},
		"taught twice":                 {submit(storetest.Said("m", "", after(0)), with(none, secrets[0])), other("a", taught("食費", 1)), other("b", taught("娯楽", 1)), unsent},
		"its text is kept, not read":   {submit(storetest.Edited("m", "", after(1)), func(tx *store.Tx) error { tx.KeepText(secrets[1]); return nil }), unsent},
	}
}

// compacted are the histories after which the file is compacted, too: it would take
// seconds for all.
var compacted = []string{"said", "edited", "unsent first", "undone", "listed", "listed and settled", "the answer is unknown"}

// After a message is unsent, no page of the file that is in use has its texts, and
// after Compact there are no others.
func TestUnsentIsNowhere(t *testing.T) {
	for name, steps := range unsentHistories() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "ichido.db")
			s, err := store.Open(path, store.Options{NoSync: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range steps {
				step(t, s)
			}
			if err := errors.Join(s.Check(), s.Close()); err != nil {
				t.Fatal(err)
			}
			live, err := store.LivePages(path)
			if err != nil {
				t.Fatal(err)
			}
			wantNoSecrets(t, "the pages in use", live)
			if !slices.Contains(compacted, name) {
				return
			}
			if err := store.Compact(t.Context(), path, nil); err != nil {
				t.Fatal(err)
			}
			all, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			wantNoSecrets(t, "the compacted file", all)
		})
	}
}

func wantNoSecrets(t *testing.T, where string, content []byte) {
	t.Helper()
	for _, text := range append(secrets, "秘密の費目") {
		for _, form := range forms(text) {
			if bytes.Contains(content, form) {
				t.Errorf("%s have %s", where, form)
			}
		}
	}
	for _, text := range secrets {
		for _, digest := range []store.Digest{storetest.Said("m", text, after(0)).Digest, pressed(text).Digest} {
			if bytes.Contains(content, digest) {
				t.Errorf("%s have the digest of %s", where, text)
			}
		}
	}
}

// pressed is the event that somebody has pressed a button with the text.
func pressed(text string) store.Request {
	return store.Request{Scope: "line", Key: "pressed", Digest: store.NewDigest("choose:1:code:" + text), At: after(1), Person: storetest.Taro, Admit: true}
}

// The test above finds what is there: an answer that tells of the message in
// another way, and a message that was not unsent.
func TestSecretsAreFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ichido.db")
	s, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Submit(t, s, storetest.Said("m", secrets[0], after(0)), storetest.Hear(secrets[0], secrets[1]))
	storetest.Submit(t, s, lunch("list"), func(tx *store.Tx) error { return answer(tx, true, 18, secrets...) })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	live, err := store.LivePages(path)
	if err != nil {
		t.Fatal(err)
	}
	html, _ := json.Marshal(secrets[0])
	cut := string([]rune(secrets[1])[:17])
	for _, form := range []string{secrets[0], secrets[1], trim(string(html)), cut} {
		if !bytes.Contains(live, []byte(form)) {
			t.Errorf("%q is not there", form)
		}
	}
	if !bytes.Contains(live, storetest.Said("m", secrets[0], after(0)).Digest) {
		t.Error("the digest is not there")
	}
}

// Answers to the unsent message stop and are not named; those to others that show
// it are, if they certainly were not said. The rest of the outbox stays.
func TestUnsendInTheOutbox(t *testing.T) {
	s := storetest.New(t)
	own := func(text string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			return errors.Join(storetest.Hear("秘密")(tx), answer(tx, true, 0, text))
		}
	}
	storetest.Submit(t, s, storetest.Said("m", "", after(0)), own("受け付けました"))                  // 1: answer 1
	storetest.Submit(t, s, storetest.Edited("m", "", after(1)), own("書き直しました"))                // 2: answer 2
	for i, text := range []string{"秘密 100", "秘密 100", "秘密 100", "別 100", "秘密 100", "秘密 100"} { // 3 to 8
		storetest.Submit(t, s, lunch(fmt.Sprint(i)), func(tx *store.Tx) error { return answer(tx, true, 0, text) })
	}
	say(t, s, "of", store.Outgoing{Chat: "taro", Payload: []byte(`["別", "受け付けました"]`), Of: []ledger.ReceiptNumber{9, 1}}) // 9
	put(t, s, 4, func(o *store.Outgoing) { o.Doubt = true })
	end(t, s, 5, store.Unknown)
	end(t, s, 2, store.Expired)
	end(t, s, 7, store.Expired) // to be named
	if ids := unsaid(t, s); len(ids) != 2 {
		t.Fatalf("%v are named", ids)
	}
	end(t, s, 8, store.Expired)
	storetest.Submit(t, s, storetest.Unsent("m", after(2)), storetest.Hear())
	wantBox(t, s, "6 pending "+string(payloadOf(t, s, 6)), "1 expired ", "2 expired ", "3 expired ", "4 unknown ", "5 unknown ", "7 expired ", "8 expired ", "9 expired ")
	if got := fmt.Sprint(unsaid(t, s)); got != "[3 8 9]" {
		t.Errorf("%s are named, want 3, 8 and 9", got)
	}
}

// Only what shows the text ends: in a text that people read, whole or as its beginning
// before an ellipsis. Notices show none.
func TestUnsendEndsOnlyWhatShows(t *testing.T) {
	for _, tt := range []struct {
		item, payload string
		ends          bool
	}{
		{"text", `[{"type":"text","text":"残高 100"}]`, false},
		{"取消", `[{"type":"text","text":"残高 100","quickReply":{"items":[{"action":{"label":"取消","data":"取消"}}]}}]`, false},
		{"残高", `[{"type":"text","text":"残高 100"}]`, true},
		{"残高", `[{"type":"flex","altText":"残高 100","contents":{"type":"bubble"}}]`, true},
		{"box", `[{"type":"flex","altText":"残高 100","contents":{"type":"bubble","body":{"type":"box","layout":"box"}}}]`, false},
		{"残高", `[{"type":"flex","altText":"x","contents":{"body":{"contents":[{"type":"text","contents":[{"type":"span","text":"残高"}]}]}}}]`, true},
		{"秘密", `[{"type":"text","text":"x","quickReply":{"items":[{"action":{"text":"秘密 100"}}]}}]`, true},
		{"ひみつの品", `[{"type":"text","text":"1 ひ…"}]`, true},
		{"ひみつの品", `[{"type":"text","text":"1 ひみつの…\n\n※ 受付 3"}]`, true},
		{"ひみつの品", `[{"type":"text","text":"1 ひみつの品…"}]`, true},
		{"ひみつの品", `[{"type":"text","text":"1 ひみ"}]`, false},
		{"ひみつの品", `[{"type":"text","text":"ひみつ。\n…ほかに 3件"}]`, false},
		{"ひみつの品", `[{"type":"text","text":"つの…"}]`, false},
		{strings.Repeat("x", 60), `[{"type":"text","text":"` + strings.Repeat("x", 40) + `… 900円"}]`, true},
	} {
		s := storetest.New(t)
		storetest.Submit(t, s, storetest.Said("m", "", after(0)), storetest.Hear(tt.item))
		answer := say(t, s, "1", store.Outgoing{Chat: "taro", Payload: []byte(tt.payload)})
		var notice store.Outgoing
		change(t, s, func(tx *store.Tx) (err error) {
			notice, err = tx.Say(store.Outgoing{Chat: "taro", Notice: "disk", Payload: []byte(tt.payload)})
			return err
		})
		storetest.Submit(t, s, storetest.Unsent("m", after(1)), storetest.Hear())
		view(t, s, func(tx *store.Tx) error {
			a, _, err := tx.Outgoing(answer.ID)
			n, _, err2 := tx.Outgoing(notice.ID)
			if ended := a.State == store.Expired && a.Payload == nil; ended != tt.ends {
				t.Errorf("%s in %s: %v %s", tt.item, tt.payload, a.State, a.Payload)
			}
			if n.State != store.Pending || n.Payload == nil {
				t.Errorf("%s in a notice %s: %v", tt.item, tt.payload, n.State)
			}
			return errors.Join(err, err2)
		})
	}
}

// What carries an answer to the message stops too, whatever it shows.
func TestUnsendOfWhatIsCarried(t *testing.T) {
	s := storetest.New(t)
	storetest.Submit(t, s, storetest.Said("m", "", after(0)), func(tx *store.Tx) error {
		_, err := tx.Say(store.Outgoing{Chat: "taro", Pushing: true, Payload: []byte(`["受け付けました"]`)})
		return errors.Join(err, storetest.Hear("秘密")(tx))
	})
	answerWithLate(t, s, "another", 5)
	storetest.Submit(t, s, storetest.Unsent("m", after(1)), storetest.Hear())
	wantBox(t, s, "1 expired ", "2 expired ")
	if got := fmt.Sprint(unsaid(t, s)); got != "[2]" {
		t.Errorf("%s are named, want 2", got)
	}
}

func payloadOf(t *testing.T, s *store.Store, id store.OutboxID) (payload []byte) {
	view(t, s, func(tx *store.Tx) error {
		o, _, err := tx.Outgoing(id)
		payload = o.Payload
		return err
	})
	if len(payload) == 0 {
		t.Errorf("message %d has no payload", id)
	}
	return payload
}
