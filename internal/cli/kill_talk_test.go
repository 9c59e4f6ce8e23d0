package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/internal/linesim"
	"ichido/store"
)

// talker is somebody who does one thing after another alone with the bot while the server
// is killed, so that it is known what each message must come to.
type talker struct {
	*server
	id       linesim.Source
	number   int // of the talker
	own      string
	rounds   int
	rows     map[string]entry // by item; amount 0: it was taken back, unsent or never recorded
	category map[string]string
	unsent   []string // items of messages that were unsent
	budget   string
	counts   map[string]int
}

// TestKillTalk is TestKill for questions, answered by words, by buttons and by both at once,
// for corrections, taught words and budgets: what each has come to is what would have come of
// it without the kills, once.
func TestKillTalk(t *testing.T) {
	t.Parallel()
	kills := 8
	switch {
	case *long:
		kills = 150
	case testing.Short():
		kills = 3
	}
	s := newServer(t)
	s.platform.SetFault(unreliable)
	s.start()
	stopped := make(chan struct{})
	var talkers []*talker
	var talks sync.WaitGroup
	for i, user := range s.users {
		k := &talker{server: s, id: linesim.User(user), number: i, own: "推し" + []string{"甲", "乙", "丙", "丁"}[i], rows: map[string]entry{}, category: map[string]string{}, counts: map[string]int{}}
		talkers = append(talkers, k)
		talks.Go(func() { k.talk(stopped) })
	}
	s.killOften(kills, 300*time.Millisecond)
	close(stopped)
	talks.Wait()
	s.sayAll()
	if status := s.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if err := store.CheckFile(t.Context(), s.db, nil); err != nil {
		t.Error(err)
	}
	rows, settings := s.rowsAndSettings()
	for _, k := range talkers {
		k.verify(rows, settings)
	}
	s.wantForgotten(talkers)
}

func (k *talker) talk(stopped chan struct{}) {
	k.send(k.platform.TextIn(k.id, "カテゴリ 追加 "+k.own))
	for {
		select {
		case <-stopped:
			return
		default:
		}
		item := "item" + letters(26*26*26*k.number+k.rounds)
		k.rounds++
		[]func(string){k.ask, k.ask, k.correct, k.teach, k.setBudget}[rand.IntN(5)](item)
	}
}

// send delivers the events at once, each until it is taken, at times again. No two are of
// one millisecond.
func (k *talker) send(all ...linesim.Event) {
	time.Sleep(2 * time.Millisecond)
	var posts sync.WaitGroup
	for _, e := range all {
		posts.Go(func() {
			if rand.IntN(6) == 0 {
				k.platform.DeliverTimes(k.t.Context(), 2, e)
			}
			if _, err := k.platform.DeliverUntil2xx(k.t.Context(), 1000, 20*time.Millisecond, e); err != nil {
				k.t.Errorf("an event was never taken: %v", err)
			}
			if rand.IntN(6) == 0 {
				_, _ = k.platform.Deliver(k.t.Context(), e.Redelivered()) // it may hit a server that is being killed
			}
		})
	}
	posts.Wait()
}

func (k *talker) say(text string) linesim.Event {
	time.Sleep(2 * time.Millisecond)
	e := k.platform.TextIn(k.id, text)
	k.send(e)
	return e
}

// button waits a while for the button under the answer about the item.
func (k *talker) button(item, label string) string {
	for range 100 {
		for _, b := range slices.Backward(k.platform.Chat(k.id.Chat())) {
			if b.Via == "" || !strings.Contains(b.Text, item) {
				continue
			}
			for _, reply := range b.AllButtons() {
				if reply.Label == label {
					return reply.Data
				}
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return "" // the answer is lost, or waits
}

// ask says something that is asked about and answers it: by words, by a button, by both.
// At times the question is unsent, or the answer taken back.
func (k *talker) ask(item string) {
	question := k.say(item + " 1,50")
	data := ""
	if rand.IntN(3) > 0 {
		data = k.button(item, "150円")
	}
	tap := func() linesim.Event { return k.platform.Postback(k.id, data, nil) }
	switch how := rand.IntN(3); {
	case data != "" && how == 0:
		k.send(tap())
		k.counts["button"]++
	case data != "" && how == 1:
		k.send(tap(), tap(), k.platform.TextIn(k.id, "150"))
		k.counts["button and words"]++
	default:
		k.say("150")
		k.counts["words"]++
	}
	k.rows[item] = entry{item, 150}
	switch rand.IntN(5) {
	case 0:
		k.send(k.platform.Unsend(question))
		k.rows[item] = entry{}
		k.unsent = append(k.unsent, item)
		k.counts["unsent question"]++
		if data != "" {
			k.send(tap())
		}
	case 1:
		k.say("取消 " + item)
		k.rows[item] = entry{item, 0}
		k.counts["undone answer"]++
	}
}

// correct records something and puts it right in words, at times for a while only.
func (k *talker) correct(item string) {
	record := k.say(item + " 300")
	k.say(item + "を350円に")
	k.rows[item] = entry{item, 350}
	k.counts["corrected"]++
	switch rand.IntN(4) {
	case 0:
		k.say("取消")
		k.rows[item] = entry{item, 300}
		k.counts["undone correction"]++
	case 1:
		k.say("取消")
		k.say("元に戻す")
		k.counts["redone correction"]++
	case 2:
		k.send(k.platform.Unsend(record))
		k.rows[item] = entry{}
		k.unsent = append(k.unsent, item)
		k.counts["unsent record"]++
	}
}

// teach teaches a category for the item and records it; at times the teaching is unsent.
func (k *talker) teach(item string) {
	teaching := k.say(item + "は" + k.own)
	k.category[item] = k.own
	k.counts["taught"]++
	if rand.IntN(3) == 0 {
		k.send(k.platform.Unsend(teaching))
		k.category[item] = ""
		k.counts["unsent teaching"]++
	}
	k.say(item + " 200")
	k.rows[item] = entry{item, 200}
}

func (k *talker) setBudget(string) {
	k.budget = fmt.Sprint(1000 + k.rounds)
	k.say(fmt.Sprintf("予算 %s %s", k.own, k.budget))
	k.counts["budget"]++
	if rand.IntN(4) == 0 {
		k.say("予算 " + k.own + " 削除")
		k.budget = ""
	}
}

func (s *server) rowsAndSettings() (rows map[string][]ledger.Row, settings map[string]string) {
	rows, settings = map[string][]ledger.Row{}, map[string]string{}
	file, err := store.Open(s.db, store.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	defer file.Close()
	err = file.View(func(tx *store.Tx) error {
		if err := tx.Settings("", func(name, value string) error { settings[name] = value; return nil }); err != nil {
			return err
		}
		return tx.Rows(store.AllRows, func(r *ledger.Row) error {
			if r.Stands() {
				rows[r.Item] = append(rows[r.Item], *r)
			}
			return nil
		})
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return rows, settings
}

// verify wants what stands to be what was said, once.
func (k *talker) verify(rows map[string][]ledger.Row, settings map[string]string) {
	for item, want := range k.rows {
		got := rows[item]
		switch {
		case want.amount == 0 && len(got) == 0:
		case len(got) != 1 || int(got[0].Amount) != want.amount || string(got[0].Category) != k.category[item]:
			k.t.Errorf("%s: %+v, want %d yen of the category %q", item, got, want.amount, k.category[item])
		}
	}
	if got := settings["budget/"+k.own]; got != k.budget {
		k.t.Errorf("the budget of %s is %q, want %q", k.own, got, k.budget)
	}
	for item, category := range k.category {
		if word := settings[store.WordSetting+item]; !strings.HasPrefix(word, category) || (word == "") != (category == "") {
			k.t.Errorf("%s is taught as %q, want %q", item, word, category)
		}
	}
	said := map[string]bool{}
	for _, text := range k.platform.BotTexts(k.id.Chat()) {
		if line, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(line, "記録しました") {
			if said[line] {
				k.t.Errorf("%q was said twice", line)
			}
			said[line] = true
		}
	}
	k.t.Logf("%d rounds: %v", k.rounds, k.counts)
}

// wantForgotten wants no item of an unsent message to be in the file.
func (s *server) wantForgotten(talkers []*talker) {
	if err := store.Compact(s.t.Context(), s.db, nil); err != nil {
		s.t.Fatal(err)
	}
	file, err := os.ReadFile(s.db)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, k := range talkers {
		for _, item := range k.unsent {
			if bytes.Contains(file, []byte(item)) {
				s.t.Errorf("the file has %s", item)
			}
		}
	}
}
