package grammar

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	b, err := os.ReadFile("/tmp/blind/probe.txt")
	if err != nil {
		t.Skip()
	}
	for _, s := range strings.Split(strings.TrimRight(string(b), "\n"), "\n") {
		s = strings.ReplaceAll(s, `\n`, "\n")
		p, _ := json.Marshal(Parse(s, testNow))
		fmt.Println(strings.ReplaceAll(string(p), `"date":"2026-11-30",`, ""))
	}
}
