package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// Whatever a program sends, it is recorded once or refused with a sentence, and what is
// recorded can be shown.
func FuzzAPI(f *testing.F) {
	for _, body := range []string{
		lunchJSON, `{}`, `null`, `[]`, `{"item":"x","amount":1e3}`, `{"item":"\ud800","amount":1}`, `{"item":"a\u0000b","amount":1}`,
		`{"item":"x","amount":1,"date":"0000-00-00"}`, `{"item":"x","amount":-1,"type":"refund","category":"食費","account":"カード","memo":"\n"}`,
	} {
		f.Add("key", body)
	}
	s := storetest.New(f)
	d := New(Config{Store: s, Bot: bot.New(tokyo), Zone: tokyo})
	d.calls = newLimiters(0, 1e9)
	token := ""
	err := s.Update(f.Context(), func(tx *store.Tx) error {
		m, err := tx.Join("taro", "太郎")
		if err != nil {
			return err
		}
		token, err = tx.Grant(store.Token, m.ID, "")
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	count := func() (rows int) {
		err := s.View(func(tx *store.Tx) error {
			return tx.Rows(store.AllRows, func(r *ledger.Row) error {
				if !utf8.ValidString(r.Item + r.Memo) {
					panic("what is recorded is no text: " + r.ID.String())
				}
				rows++
				return nil
			})
		})
		if err != nil {
			panic(err)
		}
		return rows
	}
	send := func(key, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/api/v1/entries", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", key)
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		return w
	}
	f.Fuzz(func(t *testing.T, key, body string) {
		before := count()
		first, again := send(key, body), send(key, body)
		if first.Code >= 500 || first.Code != again.Code {
			t.Fatalf("%d, then %d: %s", first.Code, again.Code, first.Body)
		}
		switch rows := count() - before; {
		case first.Code != http.StatusCreated && rows > 0, rows > 1:
			t.Fatalf("%d rows, answered with %d", rows, first.Code)
		case first.Code == http.StatusCreated && first.Body.String() != again.Body.String():
			t.Fatalf("%s, then %s", first.Body, again.Body)
		}
	})
}
