package web

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

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

func readForm(r *http.Request) form {
	f := func(name string) string { return r.PostFormValue(name) }
	return form{Key: f("key"), Type: f("type"), Date: f("date"), Amount: f("amount"), Item: f("item"), Category: f("category"), Account: f("account"), Memo: f("memo")}
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

// digest is of all that decides what an entry does.
func digest(e bot.Entry) store.Digest {
	return store.NewDigest("entry", e.Type.String(), e.Date.String(), strconv.FormatInt(int64(e.Amount), 10), e.Item, string(e.Category), e.Account, e.Memo)
}

// submit records what the form says, once, and goes on to its receipt. The key is looked
// up before anything else is: whatever is wrong with the form, what was recorded with it
// is shown.
func (v *visit) submit() error {
	if err := v.r.ParseForm(); err != nil {
		return err
	}
	f := readForm(v.r)
	if !formKey.MatchString(f.Key) {
		return refuse(http.StatusBadRequest, "この入力欄は使えません。はじめから開いてください。何も記録していません。", "This form can’t be used. Please open it anew. Nothing is recorded.")
	}
	e := f.entry()
	_, state, err := v.Store.Lookup(v.scope(formDoor), f.Key)
	if err != nil {
		return err
	}
	if state == store.NotFound {
		if f.Faults, err = v.check(e); err != nil {
			return err
		}
		if len(f.Faults) > 0 {
			return v.startPage(http.StatusUnprocessableEntity, f)
		}
	}
	receipt, outcome, err := v.record(formDoor, f.Key, e)
	if err != nil {
		return err
	}
	if outcome == store.Conflict {
		return v.conflict(f, receipt)
	}
	return v.redirect("/receipts/" + url.PathEscape(f.Key))
}

// check says in words what is wrong with the entry.
func (v *visit) check(e bot.Entry) (map[string]string, error) {
	faults, err := v.faults(e)
	words := map[string]string{}
	for _, fault := range faults {
		words[string(fault.Field)] = fault.Says.In(v.voice)
	}
	return words, err
}

func (v *visit) faults(e bot.Entry) (faults []bot.Fault, err error) {
	err = v.Store.View(func(tx *store.Tx) (err error) {
		faults, err = v.Bot.Check(tx, v.member.ID, v.today(), e)
		return err
	})
	return faults, err
}

// record brings the entry to the ledger.
func (v *visit) record(door, key string, e bot.Entry) (store.Receipt, store.Outcome, error) {
	req := store.Request{
		Scope: v.scope(door), Key: key, Digest: digest(e), At: v.at, Person: v.member.Person, Admit: v.Admit(v.member.Person),
	}
	return v.Store.Submit(v.r.Context(), req, func(tx *store.Tx) error {
		_, err := v.Bot.Record(tx, v.at, e)
		return err
	})
}

// conflict shows what was recorded with the key. Another key is the person's decision.
func (v *visit) conflict(f form, r store.Receipt) error {
	shown, err := v.shown(&r)
	if err != nil {
		return err
	}
	f.Key = newKey()
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
	var month, rows bot.Reply
	var categories []ledger.Category
	var accounts []string
	err = v.Store.View(func(tx *store.Tx) (err error) {
		if month, err = v.Bot.Answer(tx, v.member.ID, "今月", v.at); err != nil {
			return err
		}
		if rows, err = v.Bot.Answer(tx, v.member.ID, "一覧", v.at); err != nil {
			return err
		}
		if categories, err = v.Bot.CategoriesFor(tx, ledger.Expense); err != nil {
			return err
		}
		accounts, err = v.Bot.AccountsFor(tx, v.member.ID)
		return err
	})
	if err != nil {
		return err
	}
	v.page(status, "start.html", map[string]any{
		"Form": f, "Month": month.Lines, "Rows": latest(rows.Lines), "Categories": categories, "Accounts": accounts,
		"Used": state == store.Found, "Number": receipt.Number, "NewKey": newKey(),
	})
	return nil
}

// latest are the first rows of a list.
func latest(lines []bot.Line) (items []bot.Line) {
	for _, line := range lines {
		if line.Role == bot.Item && len(items) < 10 {
			items = append(items, line)
		}
	}
	return items
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
		v.page(http.StatusOK, "receipt.html", map[string]any{"Number": receipt.Number, "At": receipt.At.In(v.Zone), "Shown": shown})
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
