package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"ichido/bot"
	"ichido/internal/ledger"
	"ichido/store"
)

// formDoor and apiDoor begin the scopes of keys.
const (
	formDoor = "web"
	apiDoor  = "api"
)

// newKey makes a key for one request.
func newKey() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// formKey is what newKey makes.
var formKey = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)

// form is what a person has typed, as it was typed.
type form struct {
	Key, Type, Date, Amount, Item, Category, Account, Memo string

	Faults map[string]string // what is wrong, in words
}

// fault is what is wrong with one field; Says is "" if nothing is.
type fault struct {
	Field, Says string
	First       bool // of those on the page
}

// Fault is for the page.
func (f form) Fault(field string) fault {
	for _, name := range []string{"type", "item", "amount", "date", "category", "account", "memo"} {
		if f.Faults[name] != "" {
			return fault{field, f.Faults[field], name == field}
		}
	}
	return fault{}
}

func readForm(r *http.Request) form {
	f := func(name string) string { return r.PostFormValue(name) }
	return form{Key: f("key"), Type: f("type"), Date: f("date"), Amount: f("amount"), Item: f("item"), Category: f("category"), Account: f("account"), Memo: f("memo")}
}

// twice says whether a field is there more than once, as no form of ours has it.
func twice(fields url.Values) bool {
	for _, values := range fields {
		if len(values) > 1 {
			return true
		}
	}
	return false
}

// rowTypes are the types that a form or program can name.
var rowTypes = map[string]ledger.RowType{"expense": ledger.Expense, "income": ledger.Income, "refund": ledger.Refund}

// entry reads the form. What can't be read is the zero value, which no entry may have.
func (f form) entry() bot.Entry {
	amount, err := strconv.ParseInt(narrowDigits(f.Amount), 10, 64)
	if err != nil {
		amount = 0
	}
	date, err := ledger.ParseDate(f.Date)
	if err != nil {
		date = 0
	}
	return bot.Entry{
		Type: rowTypes[f.Type], Date: date, Amount: ledger.Yen(amount), Item: f.Item,
		Category: ledger.Category(f.Category), Account: f.Account, Memo: f.Memo,
	}.Clean()
}

// narrowDigits reads amounts as people write them: 1,200 and １２００円.
func narrowDigits(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= '０' && r <= '９':
			return r - '０' + '0'
		case r == ',' || r == '，' || r == '¥' || r == '￥' || r == '円' || r == ' ' || r == '　':
			return -1
		}
		return r
	}, s)
	return s
}

// digest is of all that decides what an entry does. The date is as it was sent, "" if it
// was left out.
func digest(e bot.Entry, date string) store.Digest {
	return store.NewDigest("entry", e.Type.String(), date, strconv.FormatInt(int64(e.Amount), 10), e.Item, string(e.Category), e.Account, e.Memo)
}

// othersForm answers a form that was opened by another member, in the same browser before.
var othersForm = &refusal{status: http.StatusForbidden, says: bot.NewPhrase("この入力欄は、ほかの人が開いたものです。今回は何も記録していません。その人が入り直すか、はじめから入力してください。", "This form was opened by somebody else. Nothing is recorded by it now. Either that person gets in again, or you fill in a new one.")}

var (
	badForm = &refusal{status: http.StatusBadRequest, says: bot.NewPhrase("この入力欄は使えません。はじめから開いてください。何も記録していません。", "This form can’t be used. Please open it anew. Nothing is recorded.")}
	noForm  = &refusal{status: http.StatusUnsupportedMediaType, says: bot.NewPhrase("入力欄から送ってください。何も記録していません。", "Please send it by the form. Nothing is recorded.")}
)

// submit records what the form says, once, and goes on to its receipt. The key is looked
// up before anything else is: whatever is wrong with the form, what was recorded with it
// is shown.
func (v *visit) submit() error {
	if kind, _, err := mime.ParseMediaType(v.r.Header.Get("Content-Type")); err != nil || kind != "application/x-www-form-urlencoded" {
		return noForm
	}
	f := readForm(v.r)
	if !formKey.MatchString(f.Key) || twice(v.r.PostForm) {
		return badForm
	}
	if whose := v.r.PostFormValue("member"); whose != "" && whose != fmt.Sprint(v.member.ID) {
		return othersForm
	}
	e := f.entry()
	digest := digest(e, e.Date.String())
	receipt, outcome, err := v.record(formDoor, f.Key, e, digest)
	if faults, ok := errors.AsType[bot.Faults](err); ok {
		f.Faults = map[string]string{}
		for _, fault := range faults {
			f.Faults[string(fault.Field)] = fault.Says.In(v.voice)
		}
		return v.startPage(http.StatusUnprocessableEntity, f)
	}
	if err == stillBusy || err == notTaken { // the receipt's page finds out
		return v.redirect("/receipts/" + url.PathEscape(f.Key))
	}
	if err != nil {
		return err
	}
	if outcome == store.Conflict {
		f.Key = v.otherKey(f.Key, digest)
		return v.conflict(f, receipt)
	}
	return v.redirect("/receipts/" + url.PathEscape(f.Key))
}

// errUndecided says that an entry may be recorded yet, or not: nobody knows so far.
var errUndecided = errors.New("it takes too long")

// record brings the entry to the ledger. If that takes too long, or whoever sent it has
// gone, the answer is what the key has brought before; if that is nothing so far, the error
// is stillBusy or notTaken. What can't be recorded as it is gives bot.Faults, unless the key
// has brought something before.
func (v *visit) record(door, key string, e bot.Entry, digest store.Digest) (store.Receipt, store.Outcome, error) {
	receipt, outcome, err := v.submitInTime(door, key, e, digest)
	if outcome == store.Left {
		return receipt, 0, erased
	}
	if err != errUndecided {
		return receipt, outcome, err
	}
	receipt, state, err := v.Store.Lookup(v.scope(door), key)
	switch {
	case err != nil:
		return receipt, 0, err
	case state == store.InProgress:
		return receipt, 0, stillBusy
	case state == store.NotFound:
		return receipt, 0, notTaken
	case !bytes.Equal(receipt.Digest, digest):
		return receipt, store.Conflict, nil
	}
	return receipt, store.Repeated, nil
}

// submitInTime submits the entry, and gives errUndecided when it takes too long.
func (v *visit) submitInTime(door, key string, e bot.Entry, digest store.Digest) (store.Receipt, store.Outcome, error) {
	req := store.Request{
		Scope: v.scope(door), Key: key, Digest: digest, At: v.at, Person: v.member.Person, Admit: v.Admit(v.member.Person),
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), v.Patience)
	type end struct {
		receipt store.Receipt
		outcome store.Outcome
		err     error
	}
	ended := make(chan end, 1)
	go func() {
		defer cancel()
		receipt, outcome, err := v.submitEntry(ctx, req, e)
		ended <- end{receipt, outcome, err}
	}()
	// What the writer has not taken ends with ctx; for what it has, nobody waits longer.
	given := time.NewTimer(v.Patience + time.Second)
	defer given.Stop()
	select {
	case end := <-ended:
		if end.err != nil && ctx.Err() != nil && errors.Is(end.err, ctx.Err()) {
			return store.Receipt{}, 0, errUndecided // of the same key there may be another one
		}
		return end.receipt, end.outcome, end.err
	case <-given.C:
		return store.Receipt{}, 0, errUndecided
	}
}

// submitEntry records the entry and lets the household's chat hear of it.
func (v *visit) submitEntry(ctx context.Context, req store.Request, e bot.Entry) (store.Receipt, store.Outcome, error) {
	return v.Store.Submit(ctx, req, func(tx *store.Tx) error {
		row, err := v.Bot.Record(tx, v.at, e)
		if err != nil || v.TellEntry == nil {
			return err
		}
		chat, notice, err := v.Bot.EntryNotice(tx, v.at, row)
		if chat != "" && err == nil {
			err = v.TellEntry(tx, chat, notice)
		}
		return err
	})
}

// otherKey is the key of content that was sent with the key of something else. It is
// always the same one: whoever adds it all the same, and does so again when no answer
// comes, adds it once.
func (v *visit) otherKey(key string, digest store.Digest) string {
	made := store.NewDigest("other content", v.scope(formDoor), key, string(digest))
	return base64.RawURLEncoding.EncodeToString(made[1:17])
}

// conflict shows what was recorded with the key. Another key is the person's decision.
func (v *visit) conflict(f form, r store.Receipt) error {
	shown, err := v.shown(&r)
	if err != nil {
		return err
	}
	v.page(http.StatusConflict, "conflict.html", map[string]any{"Number": r.Number, "Shown": shown, "Form": f})
	return nil
}

func (v *visit) shown(r *store.Receipt) (shown bot.Shown, err error) {
	err = v.Store.View(func(tx *store.Tx) (err error) {
		shown, err = v.Bot.Show(tx, v.member.ID, r, v.at)
		return err
	})
	return shown, err
}

// notice says how far the notice in the household's chat is; "" if there is none.
func (v *visit) notice(r *store.Receipt) (words string, err error) {
	err = v.Store.View(func(tx *store.Tx) error {
		state, err := bot.NoticeState(tx, r.Number)
		if state != nil {
			words = state.In(v.voice)
		}
		return err
	})
	return words, err
}

// start shows this month and the form. The form's key stands in the address, so that
// reloading, going back and another tab have the same.
func (v *visit) start() error {
	key := v.r.URL.Query().Get("key")
	if !formKey.MatchString(key) {
		return v.redirect("/?key=" + newKey())
	}
	return v.startPage(http.StatusOK, form{Key: key, Type: "expense", Date: v.today().String()})
}

func (v *visit) startPage(status int, f form) error {
	receipt, state, err := v.Store.Lookup(v.scope(formDoor), f.Key)
	if err != nil {
		return err
	}
	var month bot.Reply
	var rows []bot.Line
	var categories, incomes []ledger.Category
	var accounts []string
	err = v.Store.View(func(tx *store.Tx) (err error) {
		if month, err = v.Bot.Answer(tx, v.member.ID, "今月", v.at); err != nil {
			return err
		}
		if rows, err = v.Bot.Latest(tx, v.member.ID, 10, v.at); err != nil {
			return err
		}
		if categories, err = bot.CategoriesFor(tx, ledger.Expense); err != nil {
			return err
		}
		if incomes, err = bot.CategoriesFor(tx, ledger.Income); err != nil {
			return err
		}
		accounts, err = bot.Accounts(tx)
		return err
	})
	if err != nil {
		return err
	}
	data := map[string]any{
		"Form": f, "Month": month.Lines, "Rows": rows, "Categories": categories, "Incomes": incomes, "Accounts": accounts,
		"Used": state == store.Found, "Number": receipt.Number, "NewKey": newKey(),
	}
	if len(f.Faults) > 0 {
		data["Title"] = v.voice.Say("入力を直してください", "Please correct the form")
	}
	v.page(status, "start.html", data)
	return nil
}

// receipt answers what became of a key.
func (v *visit) receipt() error {
	key := v.r.PathValue("key")
	receipt, state, err := v.Store.Lookup(v.scope(formDoor), key)
	if err != nil {
		return err
	}
	asJSON := strings.Contains(v.r.Header.Get("Accept"), "application/json")
	switch {
	case state == store.Found && asJSON:
		return v.json(http.StatusOK, map[string]any{"state": "found", "receipt": receipt.Number})
	case state == store.Found:
		shown, err := v.shown(&receipt)
		if err != nil {
			return err
		}
		notice, err := v.notice(&receipt)
		if err != nil {
			return err
		}
		v.page(http.StatusOK, "receipt.html", map[string]any{
			"Title": v.voice.Say("受付", "No.") + " " + fmt.Sprint(receipt.Number), "Number": receipt.Number, "At": receipt.At.In(v.Zone), "Shown": shown, "Notice": notice,
		})
	case state == store.InProgress && asJSON:
		return v.json(http.StatusAccepted, map[string]any{"state": "in progress"})
	case state == store.InProgress:
		v.w.Header().Set("Refresh", "1")
		v.page(http.StatusAccepted, "waiting.html", map[string]any{})
	case asJSON:
		return v.json(http.StatusNotFound, map[string]any{"state": "not found"})
	default:
		v.page(http.StatusNotFound, "notfound.html", map[string]any{"Key": key, "Own": formKey.MatchString(key)})
	}
	return nil
}
