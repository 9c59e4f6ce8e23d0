package grammar

import (
	"cmp"
	"encoding/json"

	"ichido/internal/ledger"
)

// commandJSON is the printed form of a Command. A field that the kind does not
// have is left out; Amount is a pointer because a balance may be 0.
type commandJSON struct {
	Text     string          `json:"text"`
	Kind     Kind            `json:"kind"`
	Reason   Reason          `json:"reason,omitempty"`
	Query    string          `json:"query,omitempty"`
	From     string          `json:"from,omitempty"`
	To       string          `json:"to,omitempty"`
	Account  string          `json:"account,omitempty"`
	Owner    string          `json:"owner,omitempty"`
	Shared   bool            `json:"shared,omitempty"`
	Own      bool            `json:"own,omitempty"`
	Item     string          `json:"item,omitempty"`
	NewItem  string          `json:"new_item,omitempty"`
	Amount   *ledger.Yen     `json:"amount,omitempty"`
	Old      *ledger.Yen     `json:"old,omitempty"`
	Whole    bool            `json:"whole,omitempty"`
	Months   int             `json:"months,omitempty"`
	Page     int             `json:"page,omitempty"`
	PerDay   bool            `json:"per_day,omitempty"`
	Remove   bool            `json:"remove,omitempty"`
	Date     string          `json:"date,omitempty"`
	Category ledger.Category `json:"category,omitempty"`
	Receipt  string          `json:"receipt,omitempty"`
	Every    string          `json:"every,omitempty"`
	Month    int             `json:"month,omitempty"`
	Day      int             `json:"day,omitempty"`
	Weekday  int             `json:"weekday,omitempty"`
	Setting  string          `json:"setting,omitempty"`
	Value    string          `json:"value,omitempty"`
	Command  string          `json:"command,omitempty"`
	Choices  []ledger.Yen    `json:"choices,omitempty"`
	Entries  []entryJSON     `json:"entries,omitempty"`
	Unread   []string        `json:"unread,omitempty"`
	Why      []Reading       `json:"why,omitempty"`
}

type entryJSON struct {
	Type      string          `json:"type"`
	Date      string          `json:"date"`
	Item      string          `json:"item"`
	Amount    ledger.Yen      `json:"amount"`
	Category  ledger.Category `json:"category,omitempty"`
	Account   string          `json:"account"`
	ToAccount string          `json:"to_account,omitempty"`
	Total     ledger.Yen      `json:"total,omitempty"`
	People    int             `json:"people,omitempty"`
	With      []string        `json:"with,omitempty"`
	Memo      string          `json:"memo,omitempty"`
	Hint      string          `json:"hint,omitempty"`
}

// MarshalJSON gives the object that "ichido explain" prints: the fields of the
// command's kind, dates in ISO form, and 現金 where the account is the sender's
// own cash.
func (c Command) MarshalJSON() ([]byte, error) { return json.Marshal(c.printed()) }

func (c *Command) printed() commandJSON {
	out := commandJSON{
		Text: c.Text, Kind: c.Kind, Query: c.Query, From: c.Period.From.String(), To: c.Period.To.String(),
		Account: c.Account, Owner: c.Owner, Shared: c.Shared, Own: c.Own, Item: c.Item, NewItem: c.NewItem, Date: c.Date.String(), Category: c.Category,
		Receipt: c.Receipt, Every: c.Every.Unit, Month: c.Every.Month, Day: c.Every.Day, Weekday: c.Every.Weekday,
		Setting: c.Setting, Value: c.Value, Command: c.Command, Choices: c.Choices, Unread: c.Unread,
		Months: c.Months, Page: c.Page, PerDay: c.PerDay, Remove: c.Remove, Whole: c.Whole,
	}
	if c.HasAmount {
		out.Amount = &c.Amount
	}
	if c.HasOld {
		out.Old = &c.Old
	}
	switch c.Kind {
	case Ask:
		out.Reason = c.Reason
	case Balance:
		out.Account = cmp.Or(c.Account, ledger.Cash)
	case Remark:
		out = commandJSON{Text: c.Text, Kind: c.Kind}
	}
	for _, e := range c.Entries {
		out.Entries = append(out.Entries, entryJSON{
			Type: e.Type.String(), Date: e.Date.String(), Item: e.Item, Amount: e.Amount, Category: e.Category,
			Account: cmp.Or(e.Account, ledger.Cash), ToAccount: e.ToAccount,
			Total: e.Total, People: e.People, With: e.With, Memo: e.Memo, Hint: e.Hint,
		})
	}
	return out
}
