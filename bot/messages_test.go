package bot

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ichido/internal/grammar"
)

var messages = flag.Int("messages", 300, "texts in TestEveryMessage; all of them take minutes")

// TestEveryMessage says what the grammar's tests know, or a part of it, by two
// members and out of order, mixed with what takes back. No message may fail,
// claim what it did not do or break an invariant of the store.
func TestEveryMessage(t *testing.T) {
	k := newTalk(t)
	k.join("taro", "太郎")
	k.join("hanako", "花子")
	random := rand.New(rand.NewPCG(1, 2))
	texts := grammarMessages(t)
	random.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	k.clock = time.Date(2026, 11, 30, 12, 0, 0, 0, tokyo)
	texts = texts[:min(*messages, len(texts))]
	for _, text := range texts {
		if grammar.Parse(text, k.clock).Setting == "language" {
			continue // the checks read Japanese
		}
		for _, said := range []string{text, []string{"取消", "元に戻す", "財布 3000", "財布 2000 昨日", "一覧"}[random.IntN(5)]} {
			person := []string{"taro", "hanako"}[random.IntN(2)]
			k.say(person, said, k.clock.Add(time.Duration(random.IntN(600))*time.Second), random.IntN(4) > 0)
		}
	}
}

func grammarMessages(t *testing.T) (texts []string) {
	t.Helper()
	files, err := filepath.Glob("../internal/grammar/testdata/*.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		table, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(table)) {
			if text, _, ok := strings.Cut(line, "\t"); ok {
				texts = append(texts, strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`).Replace(text))
			}
		}
	}
	if len(texts) < 100 {
		t.Fatalf("only %d messages", len(texts))
	}
	return texts
}
