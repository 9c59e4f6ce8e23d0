package line

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"ichido/internal/golden"
)

// TestManual has the conversations of testdata/manual, of which the manual and the first
// lines of the README are made: what stands there is what the bot says. A file is a talk
// file; its second line is its title, what stands above "# ---" is not shown, and other
// comments are paragraphs. -update writes all three.
func TestManual(t *testing.T) {
	const folder = "testdata/manual"
	files, err := filepath.Glob(folder + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no conversations", err)
	}
	talks := map[string]string{} // by name, with their answers
	playAll(t, folder, func(t *testing.T, file, said string) {
		var got string
		synctest.Test(t, func(t *testing.T) { got, _ = playTalk(t, said) })
		golden.Check(t, file, got)
		talks[strings.TrimSuffix(filepath.Base(file), ".txt")] = got
	})
	if len(talks) != len(files) {
		t.Skip("only a part was had")
	}
	golden.Check(t, "../../docs/talk.md", manual(files, talks))
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)(<!-- begin: written by TestManual -->\n).*?(<!-- end -->)")
	if !block.Match(readme) {
		t.Fatal("README.md has no place for the conversation")
	}
	first := sectionOf(talks["readme"])
	golden.Check(t, "../../README.md", block.ReplaceAllStringFunc(string(readme), func(old string) string {
		m := block.FindStringSubmatch(old)
		return m[1] + "```\n" + first.chat + "\n```\n" + m[2]
	}))
}

// manual is all conversations, Japanese first.
func manual(files []string, talks map[string]string) string {
	var b strings.Builder
	b.WriteString("# 話しかけかた\n\n家計簿「一度」との会話の例です。返事は、プログラムが実際に返したものです。[English below](#talking-to-ichido).\n")
	english := false
	for _, part := range []string{"ja_", "en_"} {
		if part == "en_" && !english {
			english = true
			b.WriteString("\n# Talking to Ichido\n\nConversations with the bot. The answers are what the program really said. Send “language en” to be answered in English.\n")
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".txt")
			if !strings.HasPrefix(name, part) {
				continue
			}
			s := sectionOf(talks[name])
			b.WriteString("\n## " + s.title + "\n\n")
			if s.words != "" {
				b.WriteString(s.words + "\n\n")
			}
			b.WriteString("```\n" + s.chat + "\n```\n")
		}
	}
	return b.String()
}

// section is a conversation as the manual shows it.
type section struct{ title, words, chat string }

var happens = map[string]string{
	"LINE repeats":         "（LINEが、いまのメッセージをもう一度届けます / LINE delivers that message again）",
	"LINE loses an answer": "（LINEの返事がなくなります / LINE’s answer to the bot gets lost）",
}

var button = regexp.MustCompile(`\[([^\]:]+)(?:: [^\]]*)?\]`)

// sectionOf reads a talk file.
func sectionOf(file string) (s section) {
	file, _, _ = strings.Cut(file, "\nledger:\n")
	head, body, _ := strings.Cut(file, "# ---\n")
	s.title = strings.TrimPrefix(strings.Split(head, "\n")[1], "# ")
	var words, chat []string
	for line := range strings.SplitSeq(strings.TrimSpace(body), "\n") {
		answer, isAnswer := strings.CutPrefix(line, "bot> ")
		comment, isComment := strings.CutPrefix(line, "# ")
		further, isFurther := strings.CutPrefix(line, "    | ")
		switch {
		case isComment && len(chat) == 0:
			words = append(words, comment)
		case isComment:
		case line == "bot>":
			chat = append(chat, "      （返事はありません / no answer）")
		case isAnswer:
			chat = append(chat, "一度> "+answer)
		case isFurther:
			chat = append(chat, "      "+further)
		case strings.HasPrefix(line, "    ["):
			chat = append(chat, "      "+button.ReplaceAllString(strings.TrimSpace(line), "[$1]"))
		case happens[line] != "":
			chat = append(chat, happens[line])
		default:
			chat = append(chat, spoken(line))
		}
	}
	s.words, s.chat = strings.Join(words, "\n\n"), strings.Join(chat, "\n")
	return s
}

// spoken shows what somebody does: what is no message in brackets.
func spoken(line string) string {
	line = strings.ReplaceAll(line, "bot@", "一度@")
	for verb, words := range map[string]string{
		" presses> ": "（ボタン） ", " edits> ": "（編集） ", " unsends": "（送信取消）", " follows": "（友だち追加）", " adds the bot": "（一度をグループに招待）",
	} {
		if who, what, ok := strings.Cut(line, verb); ok {
			return who + "> " + words + what
		}
	}
	return line
}
