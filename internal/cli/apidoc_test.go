package cli

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"ichido/store"
)

// The examples of docs/api.md are run as they stand there, by a shell and curl against a
// served household; the answers are those that it shows.
func TestExamplesOfTheAPI(t *testing.T) {
	doc, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("ICHIDO_BROWSER") == "required" {
				t.Fatal(err) // the gate installs them
			}
			t.Skip(err)
		}
	}
	s := newServer(t)
	file, err := store.Open(s.db, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	token := ""
	err = file.Update(t.Context(), func(tx *store.Tx) error {
		m, err := tx.Join(s.users[0], "太郎")
		if err == nil {
			token, err = tx.Grant(store.Token, m.ID, "test")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "ICHIDO_PUBLIC_URL=http://"+s.listen)
	s.start()

	var script strings.Builder
	shown := ""
	for _, block := range regexp.MustCompile("(?s)```\n(.*?)```").FindAllStringSubmatch(string(doc), -1) {
		if strings.HasPrefix(block[1], "{") {
			shown = strings.TrimSpace(block[1])
		} else {
			script.WriteString(block[1])
		}
	}
	shell := exec.CommandContext(t.Context(), "bash", "-euc", strings.ReplaceAll(script.String(), "https://YOUR.NAME", "http://"+s.listen))
	shell.Env = append(os.Environ(), "TOKEN="+token)
	shell.Stderr = os.Stderr
	out, err := shell.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(answers) != 4 {
		t.Fatalf("the answers are %q", answers)
	}
	varies := regexp.MustCompile(`"receipt":\d+|"at":"[^"]+"|"id":"\d+"`)
	if got, want := varies.ReplaceAllString(answers[0], ""), varies.ReplaceAllString(shown, ""); got != want {
		t.Errorf("the answer is %s, and the page shows %s", answers[0], shown)
	}
	if answers[1] != answers[0] {
		t.Errorf("looked up it is %s", answers[1])
	}
	if !strings.Contains(answers[2], "ランチ") || !strings.Contains(answers[3], `"spent":900`) {
		t.Errorf("the month is %s %s", answers[2], answers[3])
	}
}
