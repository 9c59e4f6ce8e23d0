package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"ichido/bot"
	"ichido/internal/exchange"
	"ichido/internal/ledger"
	"ichido/store"
)

// The API. Its request keys are those of the IETF draft "The Idempotency-Key HTTP Header
// Field": a repeat gets the same status and body, other content under the same key 422.

// replayed says in a header that the answer is that of an earlier request.
const replayed = "Idempotent-Replayed"

// apiEntry is an entry in JSON.
type apiEntry struct {
	Type     string          `json:"type"`
	Date     string          `json:"date"`
	Amount   ledger.Yen      `json:"amount"`
	Item     string          `json:"item"`
	Category ledger.Category `json:"category"`
	Account  string          `json:"account"`
	Memo     string          `json:"memo"`
}

// entry reads it. A date that is left out is that of today.
func (e apiEntry) entry(today ledger.Date) bot.Entry {
	if e.Date == "" {
		e.Date = today.String()
	}
	if e.Type == "" {
		e.Type = "expense"
	}
	date, err := ledger.ParseDate(e.Date)
	if err != nil {
		date = 0
	}
	return bot.Entry{
		Type: rowTypes[e.Type], Date: date, Amount: e.Amount, Item: e.Item, Category: e.Category, Account: e.Account, Memo: e.Memo,
	}.Clean()
}

// readEntry reads a body, or gives notJSON. What two readers could understand in two ways
// is none: a field that is there twice or in other letters, or text that is no UTF-8.
func readEntry(body []byte) (e apiEntry, err error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if token, err := decoder.Token(); !utf8.Valid(body) || err != nil || token != json.Delim('{') {
		return e, notJSON
	}
	fields := map[string]any{
		"type": &e.Type, "date": &e.Date, "amount": &e.Amount, "item": &e.Item, "category": &e.Category, "account": &e.Account, "memo": &e.Memo,
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return e, notJSON
		}
		field := fields[name.(string)] // what begins a pair in an object is a string
		delete(fields, name.(string))
		if field == nil || decoder.Decode(field) != nil {
			return e, notJSON
		}
	}
	if _, err := decoder.Token(); err != nil || !atEnd(decoder) { // of the object
		return e, notJSON
	}
	return e, nil
}

// idempotencyKey is a string of the header's syntax, with or without its quotes.
var idempotencyKey = regexp.MustCompile(`^"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"$|^([A-Za-z0-9._~:+/=-]{1,255})$`)

var (
	noKey     = &refusal{status: http.StatusBadRequest, says: bot.NewPhrase("Idempotency-Key がありません。", "The header Idempotency-Key is missing, or no string.")}
	notJSON   = &refusal{status: http.StatusBadRequest, says: bot.NewPhrase("JSONが読めません。", "The body is no JSON object with the fields of an entry.")}
	otherType = &refusal{status: http.StatusUnsupportedMediaType, says: bot.NewPhrase("application/json で送ってください。", "Send it as application/json.")}
	otherUse  = &refusal{status: http.StatusUnprocessableEntity, says: bot.NewPhrase("このキーでは、ほかの内容が記録されています。", "Something else has been recorded with this key.")}
	stillBusy = &refusal{status: http.StatusConflict, again: true, says: bot.NewPhrase("このキーの前の送信を、まだ記録しています。", "An earlier request with this key is still being handled. Ask for its receipt, or send the same again.")}
	notTaken  = &refusal{status: http.StatusServiceUnavailable, again: true, says: bot.NewPhrase("いまは記録できませんでした。", "It could not be recorded in time. Send the same again with the same key: it will not count twice.")}
	erased    = &refusal{status: http.StatusServiceUnavailable, again: true, says: bot.NewPhrase("その間に全データが削除されたので、記録していません。", "Nothing is recorded: meanwhile all data have been erased. Sent again, it is recorded in the new ledger.")}
	noReceipt = &refusal{status: http.StatusNotFound, says: bot.NewPhrase("このキーの受付は、まだありません。記録されていない証拠ではありません。", "There is no receipt for this key yet. That does not prove that nothing is recorded: send the same again with the same key.")}
)

func readKey(r *http.Request) (string, error) {
	values := r.Header.Values("Idempotency-Key")
	if len(values) != 1 {
		return "", noKey
	}
	m := idempotencyKey.FindStringSubmatch(strings.TrimSpace(values[0]))
	if m == nil {
		return "", noKey
	}
	return m[1] + m[2], nil
}

// apiSubmit records an entry, once.
func (v *visit) apiSubmit() error {
	key, err := readKey(v.r)
	if err != nil {
		return err
	}
	if kind, _, err := mime.ParseMediaType(v.r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return otherType
	}
	body, err := io.ReadAll(v.r.Body)
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return err
	} else if err != nil {
		return unreadable // the connection has broken
	}
	in, err := readEntry(body)
	if err != nil {
		return err
	}
	e := in.entry(v.today())
	receipt, outcome, err := v.record(apiDoor, key, e, digest(e, in.Date)) // without a date it is the same on another day
	if faults, ok := errors.AsType[bot.Faults](err); ok {
		return &refusal{status: http.StatusUnprocessableEntity, says: bot.NewPhrase("読めないところがあります。", "Some fields can’t be recorded."), detail: faults}
	}
	switch {
	case err != nil:
		return err
	case outcome == store.Conflict:
		return otherUse
	case outcome == store.Repeated:
		v.w.Header().Set(replayed, "true")
	}
	return v.json(http.StatusCreated, receiptJSON(&receipt))
}

// atEnd says whether nothing but blanks follows.
func atEnd(decoder *json.Decoder) bool {
	_, err := decoder.Token()
	return err == io.EOF
}

// apiReceipt is what is answered about a receipt. It tells of what was recorded, and
// never changes.
type apiReceipt struct {
	Receipt ledger.ReceiptNumber `json:"receipt"`
	At      string               `json:"at"` // RFC 3339
	Entries []apiRecorded        `json:"entries"`
}

type apiRecorded struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Date     ledger.Date     `json:"date"`
	Amount   ledger.Yen      `json:"amount"`
	Item     string          `json:"item"`
	Category ledger.Category `json:"category"`
	Memo     string          `json:"memo"`
}

func receiptJSON(r *store.Receipt) apiReceipt {
	answer := apiReceipt{Receipt: r.Number, At: r.At.UTC().Format("2006-01-02T15:04:05.000Z"), Entries: []apiRecorded{}}
	for _, c := range r.Changes {
		row := c.After
		answer.Entries = append(answer.Entries, apiRecorded{
			ID: row.ID.String(), Type: row.Type.String(), Date: row.Date, Amount: row.Amount, Item: row.Item, Category: row.Category, Memo: row.Memo,
		})
	}
	return answer
}

// apiReceipt answers what became of a key.
func (v *visit) apiReceipt() error {
	receipt, state, err := v.Store.Lookup(v.scope(apiDoor), v.r.PathValue("key"))
	switch {
	case err != nil:
		return err
	case state == store.NotFound:
		return noReceipt
	case state == store.InProgress:
		v.w.Header().Set("Retry-After", "1")
		return v.json(http.StatusAccepted, map[string]string{"state": "in progress"})
	}
	return v.json(http.StatusOK, receiptJSON(&receipt))
}

// apiEntries lists the rows of a month, this one if none is named.
func (v *visit) apiEntries() error {
	p, err := v.month()
	if err != nil {
		return err
	}
	rows := []exchange.Row{}
	err = v.Store.View(func(tx *store.Tx) error {
		n, err := tx.Names()
		if err != nil {
			return err
		}
		names := exchange.Names{Accounts: n.Accounts, Members: n.Members, Category: n.Categories.Of}
		return tx.Rows(p, func(r *ledger.Row) error {
			rows = append(rows, names.Row(r))
			return nil
		})
	})
	if err != nil {
		return err
	}
	return v.json(http.StatusOK, map[string]any{"month": p.From.String()[:7], "entries": rows})
}

var noMonth = &refusal{status: http.StatusBadRequest, says: bot.NewPhrase("month は 2026-11 のように書いてください。", "Write month like 2026-11.")}

func (v *visit) month() (ledger.Period, error) {
	name := v.r.URL.Query().Get("month")
	if name == "" {
		return ledger.Month(v.today(), 0), nil
	}
	first, err := ledger.ParseDate(name + "-01")
	if err != nil {
		return ledger.Period{}, noMonth
	}
	return ledger.Month(first, 0), nil
}

// apiSummary gives the sums of a month.
func (v *visit) apiSummary() error {
	p, err := v.month()
	if err != nil {
		return err
	}
	var s bot.Sums
	err = v.Store.View(func(tx *store.Tx) (err error) {
		s, err = v.Bot.Sums(tx, p)
		return err
	})
	if err != nil {
		return err
	}
	return v.json(http.StatusOK, map[string]any{
		"month": p.From.String()[:7], "spent": s.Spent, "income": s.Income, "moved": s.Moved, "unexplained": s.Unexplained, "categories": s.Categories,
	})
}

// problemType begins the types of problems, which are addresses only in form.
const problemType = "about:blank"

// problem answers with problem details (RFC 9457).
func (v *visit) problem(said *refusal) {
	type fault struct {
		Field  bot.Field `json:"field"`
		Detail string    `json:"detail"`
	}
	p := struct {
		Type   string  `json:"type"`
		Title  string  `json:"title"`
		Status int     `json:"status"`
		Detail string  `json:"detail"`
		Errors []fault `json:"errors,omitempty"`
	}{problemType, http.StatusText(said.status), said.status, said.says.In(bot.English), nil}
	for _, f := range said.detail {
		p.Errors = append(p.Errors, fault{f.Field, f.Says.In(bot.English)})
	}
	if said.status == http.StatusUnauthorized {
		v.w.Header().Set("WWW-Authenticate", "Bearer")
	}
	v.write(said.status, "application/problem+json", p)
}

func (v *visit) json(status int, value any) error {
	v.write(status, "application/json", value)
	return nil
}

func (v *visit) write(status int, kind string, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		v.Log.Error("an answer could not be made", "error", err)
		http.Error(v.w, "this answer could not be made", http.StatusInternalServerError)
		return
	}
	v.w.Header().Set("Content-Type", kind)
	v.w.WriteHeader(status)
	_, _ = v.w.Write(append(body, '\n')) // who is gone can't be told
}
