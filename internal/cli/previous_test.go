package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// released are the commits of versions of which files may exist, the oldest first. The file
// of each must open for ever: store/testdata/db has one of each schema, and here the
// program of the time writes one.
var released = []string{
	"f1a0b63", // the first with pages in the browser
}

// talkOfThen is what somebody says to the program of then.
const talkOfThen = "財布 3000\nランチ 900\nスーパー 2480 カード\n給料 250000\n昨日 電車 210\nランチは交際費\nカフェ 480\n取消\n予算 食費 30000\nSuica 2000 チャージ\n"

// A file that an earlier version has written is opened, holds what that version says it
// holds, and goes on.
func TestLongReleasedVersions(t *testing.T) {
	if !*long {
		t.Skip("builds earlier versions: run with -long")
	}
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		t.Fatal("the history is needed: ", err)
	}
	for _, commit := range released {
		t.Run(commit, func(t *testing.T) {
			dir := shortDir(t)
			run := func(in string, name string, args ...string) string {
				t.Helper()
				c := exec.Command(name, args...)
				c.Dir, c.Stdin = dir, strings.NewReader(in)
				c.Env = append(os.Environ(), "ICHIDO_DB=", "ICHIDO_SOCKET=")
				var stderr bytes.Buffer
				c.Stderr = &stderr
				out, err := c.Output()
				if err != nil {
					t.Fatalf("%s %q: %v\n%s", name, args, err, stderr.String())
				}
				return string(out)
			}
			archive := run("", "git", "-C", strings.TrimSpace(string(root)), "archive", commit)
			run(archive, "tar", "x")
			run("", "go", "build", "-o", "then", ".")
			then := filepath.Join(dir, "then")
			run(talkOfThen, then, "chat", "--db", "ichido.db")
			rows := run("", then, "export", "--db", "ichido.db", "--format", "jsonl")
			if strings.Count(rows, "\n") < 7 {
				t.Fatalf("it has recorded only\n%s", rows)
			}
			run("", "ichido", "check", "--db", "ichido.db")
			said := run("今月\nお茶 150\n取消\n一覧\n", "ichido", "chat", "--db", "ichido.db")
			for _, want := range []string{"記録しました。お茶 150円", "取り消しました", "スーパー"} {
				if !strings.Contains(said, want) {
					t.Errorf("now it does not say %q:\n%s", want, said)
				}
			}
			now := run("", "ichido", "export", "--db", "ichido.db", "--format", "jsonl")
			for line := range strings.Lines(rows) {
				if !strings.Contains(now, strings.TrimSuffix(strings.TrimSpace(line), "}")) {
					t.Errorf("a row of then is not there any more: %s", line)
				}
			}
		})
	}
}
