package cli

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ichido/internal/linesim"
)

func TestReadLineSecrets(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := os.Mkdir(filepath.Join(dir, "credentials"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("credentials/"+nameSecret, "sesame-credential\n")
	write("credentials/"+nameChannelID, "3\n")
	file := write("file", " sesame-file \r\n")
	number, empty := write("number", "2\n"), write("empty", "\n")
	type env map[string]string
	for name, c := range map[string]struct {
		env    env
		want   lineSecrets
		err    error
		warned bool
	}{
		"channel ID":         {env: env{nameSecret: "sesame", nameChannelID: "1"}, want: lineSecrets{"sesame", "", "1"}},
		"token":              {env: env{nameSecret: "sesame", nameToken: "sesame-token"}, want: lineSecrets{"sesame", "sesame-token", ""}},
		"both":               {env: env{nameSecret: "sesame", nameChannelID: "1", nameToken: "sesame-token"}, want: lineSecrets{"sesame", "", "1"}, warned: true},
		"neither":            {env: env{nameSecret: "sesame"}, err: errNoTokens},
		"both empty":         {env: env{nameSecret: "sesame", nameChannelID: " ", nameToken + "_FILE": empty}, err: errNoTokens},
		"one empty":          {env: env{nameSecret: "sesame", nameChannelID: " ", nameToken: "sesame-token"}, want: lineSecrets{"sesame", "sesame-token", ""}},
		"no secret":          {env: env{nameChannelID: "1"}, err: errNoSecret},
		"an empty secret":    {env: env{nameSecret + "_FILE": empty, nameChannelID: "1"}, err: errNoSecret},
		"files":              {env: env{nameSecret + "_FILE": file, nameChannelID + "_FILE": number}, want: lineSecrets{"sesame-file", "", "2"}},
		"a file of a token":  {env: env{nameSecret: "sesame", nameToken + "_FILE": file}, want: lineSecrets{"sesame", "sesame-file", ""}},
		"no file":            {env: env{nameSecret: "sesame", nameToken + "_FILE": filepath.Join(dir, "no")}, err: os.ErrNotExist},
		"a directory":        {env: env{nameSecret + "_FILE": dir, nameChannelID: "1"}, err: errReadingSecret},
		"credentials":        {env: env{"CREDENTIALS_DIRECTORY": filepath.Join(dir, "credentials")}, want: lineSecrets{"sesame-credential", "", "3"}},
		"file or credential": {env: env{"CREDENTIALS_DIRECTORY": filepath.Join(dir, "credentials"), nameSecret + "_FILE": file}, want: lineSecrets{"sesame-file", "", "3"}},
		"environment first":  {env: env{"CREDENTIALS_DIRECTORY": filepath.Join(dir, "credentials"), nameSecret + "_FILE": file, nameSecret: "sesame"}, want: lineSecrets{"sesame", "", "3"}},
		"two lines":          {env: env{nameSecret: "sesame\nsesame", nameChannelID: "1"}, err: errNoWord},
		"quotes":             {env: env{nameSecret: "sesame", nameToken: `"sesame"`}, err: errNoWord},
		"a byte order mark":  {env: env{nameSecret: "\ufeffsesame", nameChannelID: "1"}, err: errNoWord},
		"in the wrong place": {env: env{nameSecret: "1", nameChannelID: "sesame"}, err: errNoNumber},
	} {
		t.Run(name, func(t *testing.T) {
			for _, name := range []string{nameSecret, nameChannelID, nameToken, nameSecret + "_FILE", nameChannelID + "_FILE", nameToken + "_FILE", "CREDENTIALS_DIRECTORY"} {
				t.Setenv(name, c.env[name])
			}
			var log bytes.Buffer
			got, err := readLineSecrets(slog.New(slog.NewTextHandler(&log, nil)))
			if !errors.Is(err, c.err) || err == nil && got != c.want {
				t.Errorf("got %+v, %v, want %+v, %v", got, err, c.want, c.err)
			}
			if warned := log.Len() > 0; warned != c.warned {
				t.Errorf("the log says %q", log.String())
			}
			report(&log, err)
			if strings.Contains(log.String(), "sesame") {
				t.Errorf("a secret is told: %s", log.String())
			}
			if err != nil && !strings.Contains(log.String(), "\nhint: ") {
				t.Errorf("no hint: %s", log.String())
			}
		})
	}
}

// Tokens are issued by channel ID and secret. When the console has issued another
// secret, it takes a restart: what was recorded is said, and nothing twice.
func TestServeWithIssuedTokens(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	secret := filepath.Join(shortDir(t), "secret")
	put := func(content string) {
		if err := os.WriteFile(secret, []byte(content+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(s.platform.Secret())
	s.env = []string{nameToken + "=", nameSecret + "=", nameSecret + "_FILE=" + secret, nameChannelID + "=" + linesim.DefaultChannelID}
	s.start()
	taro := s.users[0]
	s.deliver(s.platform.Text(taro, "ランチ 900"))
	if _, err := s.platform.Wait(t.Context(), taro, 1); err != nil {
		t.Fatal(err)
	}
	s.platform.Fail(linesim.NotAccepted(429, ""))
	s.deliver(s.platform.Text(taro, "カフェ 480"))
	old := s.platform.Secret()
	s.platform.Reissue("11111111111111111111111111111111", "")
	lost := s.platform.Text(taro, "本 1200")
	if code := s.deliver(lost); code != 401 {
		t.Errorf("a webhook with another secret is answered with %d", code)
	}
	log := s.stderr
	if status := s.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	put(s.platform.Secret())
	s.start()
	if code := s.deliver(lost.Redelivered()); code != 200 {
		t.Errorf("after the restart it is answered with %d", code)
	}
	if _, err := s.platform.Wait(t.Context(), taro, 3); err != nil {
		t.Fatal(err)
	}
	if items := s.exported(); len(items) != 3 {
		t.Errorf("the ledger holds %v", items)
	}
	s.terminate()
	for _, item := range []string{"ランチ", "カフェ", "本"} {
		if n := strings.Count(strings.Join(s.platform.BotTexts(taro), "\n"), "。"+item+" "); n != 1 {
			t.Errorf("%s was said %d times: %q", item, n, s.platform.BotTexts(taro))
		}
	}
	if text := log.String() + s.stderr.String(); strings.Contains(text, old) || strings.Contains(text, s.platform.Secret()) {
		t.Errorf("a secret is in the log:\n%s", text)
	}
}
