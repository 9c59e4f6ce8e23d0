package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ichido/bot"
	"ichido/internal/ledger"
)

// spec is the description of the API, against which every answer of it in any test is held.
type spec struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct {
				Schema struct {
					Ref string `json:"$ref"`
				}
			}
		}
	}
	schemas map[string]*jsonschema.Schema // by the references to them
}

var description = sync.OnceValues(func() (*spec, error) {
	content, err := os.ReadFile("openapi.json")
	if err != nil {
		return nil, err
	}
	s := &spec{schemas: map[string]*jsonschema.Schema{}}
	if err := json.Unmarshal(content, s); err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("openapi.json", doc); err != nil {
		return nil, err
	}
	for _, operations := range s.Paths {
		for _, operation := range operations {
			for _, response := range operation.Responses {
				for _, content := range response.Content {
					ref := content.Schema.Ref
					if ref == "" {
						continue // the description itself
					}
					if s.schemas[ref], err = c.Compile("openapi.json" + ref); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return s, nil
})

// holds says what of the answer is not as described.
func (s *spec) holds(res *http.Response, body string) error {
	method, path := strings.ToLower(res.Request.Method), res.Request.URL.Path
	if rest, ok := strings.CutPrefix(path, "/api/v1/receipts/"); ok && rest != "" {
		path = "/api/v1/receipts/{key}"
	}
	operation, ok := s.Paths[path][method]
	if !ok {
		return nil // there is no such address; the mux says so
	}
	response, ok := operation.Responses[fmt.Sprint(res.StatusCode)]
	if !ok {
		return fmt.Errorf("%s %s: status %d is not described", method, path, res.StatusCode)
	}
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	content, ok := response.Content[kind]
	if !ok {
		return fmt.Errorf("%s %s: %d is of the type %s", method, path, res.StatusCode, kind)
	}
	if content.Schema.Ref == "" {
		return nil // the description itself
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		return err
	}
	if err := s.schemas[content.Schema.Ref].Validate(value); err != nil {
		return fmt.Errorf("%s %s: %d: %w in %s", method, path, res.StatusCode, err, body)
	}
	return nil
}

// Each status that is described is one that happens; that each answer is as described the
// person who asks sees in all tests.
func TestDescribedAnswersHappen(t *testing.T) {
	s, err := description()
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t)
	p := h.program("taro")
	happened := map[string]bool{}
	note := func(res *http.Response, body string) {
		t.Helper()
		path := res.Request.URL.Path
		if strings.HasPrefix(path, "/api/v1/receipts/") {
			path = "/api/v1/receipts/{key}"
		}
		happened[fmt.Sprint(strings.ToLower(res.Request.Method), " ", path, " ", res.StatusCode)] = true
	}
	plain := func(p *person, method, path string) { note(p.request(method, path, "")) }
	note(p.api("one", lunchJSON))
	note(p.api("one", strings.Replace(lunchJSON, "900", "901", 1)))
	note(p.api("two", `{"item":""}`))
	note(p.api("two", `{`))
	note(p.api("two", `{"memo":"`+strings.Repeat("a", maxBody)+`"}`))
	note(p.request("POST", "/api/v1/entries", "a=b", "Content-Type", "text/plain", "Idempotency-Key", "two"))
	note(p.request("POST", "/api/v1/entries", lunchJSON, "Sec-Fetch-Site", "cross-site"))
	plain(p, "GET", "/api/v1/receipts/one")
	plain(p, "GET", "/api/v1/receipts/none")
	gets := []string{"/api/v1/entries", "/api/v1/summary", "/api/v1/receipts/one"}
	for _, path := range append(gets, "/api/v1/entries?month=x", "/api/v1/summary?month=x", "/api/v1/openapi.json") {
		plain(p, "GET", path)
	}
	stranger := &person{h: h, client: p.client, token: "guess"}
	for _, path := range gets {
		plain(stranger, "GET", path)
	}
	note(stranger.api("one", lunchJSON))

	hasty := h.impatient()
	hastyProgram := &person{h: hasty, client: p.client, token: p.token}
	release := h.holdUp()
	var first sync.WaitGroup
	first.Go(func() { p.api("slow", lunchJSON) })
	for {
		res, body := p.get("/api/v1/receipts/slow")
		if note(res, body); res.StatusCode == http.StatusAccepted {
			break
		}
	}
	note(hastyProgram.api("slow", lunchJSON))
	for !happened["post /api/v1/entries 503"] { // it is withdrawn a moment later
		note(hastyProgram.api("alone", lunchJSON))
	}
	release()
	first.Wait()

	slow := newLimiters(1<<60, 1)
	slow.allow(fmt.Sprint(h.members["taro"]), time.Now())
	limited := New(Config{Store: h.store, Bot: bot.New(tokyo), Zone: tokyo})
	limited.calls, limited.entries = slow, newLimiters(1<<60, 0)
	full := *h
	full.server = httptest.NewServer(limited)
	t.Cleanup(full.server.Close)
	tired := &person{h: &full, client: p.client, token: p.token}
	for _, path := range append(gets, "/api/v1/openapi.json") {
		plain(tired, "GET", path)
	}
	note(tired.api("one", lunchJSON))

	for path, methods := range s.Paths {
		for method, operation := range methods {
			for status := range operation.Responses {
				if name := method + " " + path + " " + status; !happened[name] && status != "500" {
					t.Errorf("%s is described and was not seen", name)
				}
			}
		}
	}
}

// The limits that are described are those that hold.
func TestDescribedLimits(t *testing.T) {
	content, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct {
			Schemas struct {
				Entry struct {
					Properties map[string]struct {
						MaxLength, Maximum int
						Enum               []string
					}
				}
			}
		}
	}
	if err := json.Unmarshal(content, &doc); err != nil {
		t.Fatal(err)
	}
	p := doc.Components.Schemas.Entry.Properties
	if p["item"].MaxLength != bot.MaxItem || p["memo"].MaxLength != bot.MaxMemo || p["amount"].Maximum != int(ledger.MaxAmount) {
		t.Errorf("described are %+v", p)
	}
	for name := range rowTypes {
		if !slices.Contains(p["type"].Enum, name) {
			t.Errorf("the type %s is not described", name)
		}
	}
	for _, field := range []bot.Field{bot.FieldType, bot.FieldDate, bot.FieldAmount, bot.FieldItem, bot.FieldCategory, bot.FieldAccount, bot.FieldMemo} {
		if _, ok := p[string(field)]; !ok {
			t.Errorf("the field %s is not described", field)
		}
	}
}
