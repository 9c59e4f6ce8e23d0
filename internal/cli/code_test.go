package cli

import (
	"strings"
	"testing"
	"time"

	"ichido/internal/grammar"
	"ichido/internal/talk"
	"ichido/store"
	"ichido/store/storetest"
)

// saying answers everything with one text.
type saying string

func (s saying) Until(time.Time) ([]talk.Answer, error) { return nil, nil }

func (s saying) Do(step talk.Step) ([]talk.Answer, error) {
	return []talk.Answer{{Chat: step.Who, Text: string(s)}}, nil
}

// The codes that the store makes have the form that the grammar and the talk files know.
func TestFormOfCodes(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		for range 2000 {
			code, err := tx.NewInvite()
			if err != nil {
				return err
			}
			symbols := strings.ReplaceAll(code, "-", "")
			for _, text := range []string{code, strings.ToLower(code), "招待コード " + code} {
				if got := grammar.InviteCode(text); got != symbols {
					t.Errorf("the grammar reads %q as %q", text, got)
				}
			}
			if got := store.NormalizeInvite(code); got != symbols {
				t.Errorf("the store reads %q as %q", code, got)
			}
			var out strings.Builder
			if err := talk.Play(&out, "太郎> 招待", time.UTC, storetest.Noon, saying(code)); err != nil {
				return err
			}
			if !strings.Contains(out.String(), "<code>") {
				t.Errorf("a talk shows %q", out.String())
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
