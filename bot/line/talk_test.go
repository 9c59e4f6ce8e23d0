package line

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ichido/internal/control"
	"ichido/internal/golden"
	"ichido/internal/talk"
	"ichido/store"
)

// TestTalk holds the conversations in testdata/talk, through the door and LINE:
// see package talk. They run on the clock of the file. Answers, ledger and
// accounts are what -update writes, and into testdata/flex the messages as LINE gets
// them.
func TestTalk(t *testing.T) {
	playAll(t, "testdata/talk", func(t *testing.T, file, said string) {
		var got string
		var messages []byte
		synctest.Test(t, func(t *testing.T) { got, messages = playTalk(t, said) })
		golden.Check(t, file, got)
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		golden.Check(t, filepath.Join("testdata/flex", name+".json"), string(messages))
	})
}

func playAll(t *testing.T, folder string, play func(t *testing.T, file, said string)) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no talk files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			said, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			play(t, file, string(said))
		})
	}
}

// playTalk has the conversation and returns it with the answers that the bot
// gives, and these as LINE gets them. Nobody is a member yet.
func playTalk(t *testing.T, file string) (said string, messages []byte) {
	w := newWorld(t)
	s := &scene{world: w, stage: talk.NewStage(w.platform), allowed: make(map[string]bool)}
	w.door.admit = func(id string) bool { return s.allowed[id] }
	if s.pages = strings.Contains(file, "\n# With pages"); s.pages {
		w.update(func(tx *store.Tx) error { return tx.SetFact(store.FactWebAddress, "https://kakeibo.example.com") })
	}
	var out strings.Builder
	if err := talk.Play(&out, file, tokyo, time.Now(), s); err != nil {
		t.Fatal(err)
	}
	err := w.store.View(func(tx *store.Tx) error {
		return talk.WriteLedger(&out, tx, func(m store.Member) string { return s.stage.Name(m.Person) })
	})
	if err != nil {
		t.Fatal(err)
	}
	w.close()
	s.checkMessages()
	return pageLink.ReplaceAllString(out.String(), "/enter/<link>"), s.messages()
}

// scene is a household with its door, on the clock of a synctest bubble.
type scene struct {
	*world
	stage   *talk.Stage
	allowed map[string]bool // users and groups
	pages   bool            // every link to them that is said is followed, in Chrome
}

var pageLink = regexp.MustCompile(`/enter/([\w-]{32})`)

// follow follows the links that were said.
func (s *scene) follow(said []talk.Answer) []talk.Answer {
	s.t.Helper()
	for _, a := range said {
		if link := pageLink.FindStringSubmatch(a.Text); s.pages && link != nil {
			s.update(func(tx *store.Tx) error {
				_, _, err := tx.Follow(link[1], "Chrome")
				return err
			})
		}
	}
	return said
}

// Until lets the time come. The sender starts with the clock of the file: until
// then, its timers would go off for decades.
func (s *scene) Until(at time.Time) ([]talk.Answer, error) {
	if d := time.Until(at); d > 0 {
		time.Sleep(d)
	} else if d <= -time.Minute {
		return nil, fmt.Errorf("the clock goes back by %v", -d)
	}
	if s.stop == nil {
		s.run()
	}
	synctest.Wait()
	return s.stage.Heard(), nil
}

// Do does what the step says.
func (s *scene) Do(step talk.Step) ([]talk.Answer, error) {
	switch step.Verb {
	case talk.Allow:
		s.allowed[s.stage.Person(step.Who)] = true
		s.allowed[s.stage.Group(step.Who)] = true
		return nil, nil
	case talk.Join:
		person := s.stage.Person(step.Who)
		return nil, s.store.Update(s.t.Context(), func(tx *store.Tx) error {
			_, err := tx.Join(person, step.Text)
			return err
		})
	case talk.Command:
		return s.command(step.Text)
	}
	if s.stage.Trouble(step.Verb) {
		return nil, nil
	}
	e, err := s.stage.Event(step)
	if err != nil {
		return nil, err
	}
	status, err := s.platform.Deliver(s.t.Context(), e)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the door answers with %d", status)
	}
	synctest.Wait()
	return s.follow(s.stage.Heard()), err
}

// command is what is typed on the machine; a door alone knows little of that.
func (s *scene) command(line string) (said []talk.Answer, err error) {
	if line != "ichido invite" {
		return nil, errors.New("a door has no such command")
	}
	invite, err := control.Local(s.store).Invite(s.t.Context())
	return []talk.Answer{{Text: invite.String()}}, err
}
