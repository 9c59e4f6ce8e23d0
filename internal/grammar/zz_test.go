package grammar

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	b, _ := os.ReadFile("/tmp/gx/in")
	for _, s := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		s = strings.ReplaceAll(s, `\n`, "\n")
		c := Parse(s, testNow)
		p, _ := json.Marshal(c)
		q := string(p)
		q = q[strings.Index(q, `"kind"`):]
		fmt.Println(strings.ReplaceAll(s, "\n", `\n`), "=>", q)
	}
}
