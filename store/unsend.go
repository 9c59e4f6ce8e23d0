package store

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"ichido/internal/ledger"
)

// When a message is unsent, its rows are withdrawn and its text is forgotten
// everywhere in the file: in the rows, in all receipts that hold a version of
// them, in what the bot has still to say. What stays is that there was a message:
// its receipts without digest, its rows without item and category, and a mark, so
// that nothing that comes later about it counts. What a command did stays too, but for
// words that it has taught.

// unsend is what the event does before the caller's function.
func (tx *Tx) unsend() error {
	rows, err := tx.MessageRows()
	if err != nil {
		return err
	}
	var changes []ledger.Change
	for _, row := range rows {
		if !row.Withdrawn {
			after := row
			after.Withdrawn = true
			changes = append(changes, ledger.Change{Before: &row, After: &after})
		}
	}
	if len(changes) > 0 {
		if _, err := tx.Apply(changes...); err != nil {
			return err
		}
	}
	words, err := tx.scrubReceipts(rows)
	if err != nil {
		return err
	}
	if err := tx.scrubRows(rows); err != nil {
		return err
	}
	taught, err := tx.forgetWords(rows)
	if err != nil {
		return err
	}
	return tx.scrubOutbox(append(words, taught...))
}

// scrubReceipts forgets the texts of the rows in all receipts since the message,
// and the digests of the message's own, those under other keys too, and of buttons that
// answered questions about it, which carry its words. It returns the texts.
func (tx *Tx) scrubReceipts(rows []ledger.Row) (words []string, err error) {
	if len(tx.message.Receipts) == 0 {
		return nil, nil
	}
	ids := map[ledger.RowID]bool{}
	for _, r := range rows {
		ids[r.ID] = true
	}
	scrub := func(r *Receipt) (dirty bool) {
		belongs := tx.ofMessage(r) || slices.Contains(tx.message.Receipts, r.Number)
		if (tx.ofMessage(r) || belongs && r.MessageID == "") && r.Digest != nil {
			r.Digest, dirty = nil, true
		}
		if belongs && r.Asked != "" {
			words = append(words, r.Asked) // of a question that followed on an answer too
			r.Asked, dirty = "", true
		}
		for _, c := range slices.Concat(r.Changes, r.Covered) {
			if ids[c.After.ID] {
				words, dirty = append(words, scrubRow(c.Before)...), true
				words = append(words, scrubRow(c.After)...)
			}
		}
		return dirty
	}
	var changed []*Receipt
	err = tx.Receipts(slices.Min(tx.message.Receipts), func(r *Receipt) error {
		if scrub(r) {
			changed = append(changed, r)
		}
		return nil
	})
	for _, r := range changed {
		if err == nil {
			err = tx.putReceipt(r)
		}
	}
	scrub(tx.receipt)
	return words, err
}

// ofMessage says whether the receipt is that of an event that brought a text for the
// message of this event.
func (tx *Tx) ofMessage(r *Receipt) bool {
	return r.Scope == tx.receipt.Scope && r.MessageID == tx.receipt.MessageID && r.About != Unsent
}

// forgetWords takes back the words that the message has taught, or that changes of its
// rows have, and everything that has become of these words since: the names of their
// settings are words of the message. It returns the words as they were typed.
func (tx *Tx) forgetWords(rows []ledger.Row) (words []string, err error) {
	taught := map[string]bool{}
	err = tx.receiptsSince(func(r *Receipt) {
		if tx.ofMessage(r) || slices.ContainsFunc(r.Changes, func(c ledger.Change) bool { return madeAny(rows, c) }) {
			for _, c := range r.Settings {
				taught[c.Name] = taught[c.Name] || strings.HasPrefix(c.Name, WordSetting)
			}
		}
	})
	if !slices.Contains(slices.Collect(maps.Values(taught)), true) || err != nil {
		return nil, err
	}
	before := map[string]string{} // what each was set to earlier
	var changed []*Receipt
	err = tx.receiptsSince(func(r *Receipt) {
		for _, c := range r.Settings {
			if _, seen := before[c.Name]; taught[c.Name] && !seen {
				before[c.Name] = c.Before
			}
			if taught[c.Name] {
				words = append(words, wordAsTyped(c.Before), wordAsTyped(c.After))
			}
		}
		n := len(r.Settings)
		r.Settings = slices.DeleteFunc(r.Settings, func(c SettingChange) bool { return taught[c.Name] })
		if len(r.Settings) < n {
			changed = append(changed, r)
		}
	})
	for _, r := range changed {
		if err == nil {
			err = tx.putReceipt(r)
		}
	}
	for name, value := range before {
		if err == nil {
			err = tx.putSetting(name, value)
		}
	}
	return words, err
}

// wordAsTyped is the item in the value of a taught word, "" if there is none.
func wordAsTyped(value string) string {
	_, item, _ := strings.Cut(value, "\t")
	return item
}

// receiptsSince calls fn for the receipts from the message's first on.
func (tx *Tx) receiptsSince(fn func(*Receipt)) error {
	if len(tx.message.Receipts) == 0 {
		return nil
	}
	return tx.Receipts(slices.Min(tx.message.Receipts), func(r *Receipt) error {
		fn(r)
		return nil
	})
}

// madeAny says whether the change is about one of the rows.
func madeAny(rows []ledger.Row, c ledger.Change) bool {
	return slices.ContainsFunc(rows, func(r ledger.Row) bool { return r.ID == c.After.ID })
}

// scrubRow forgets the texts of a version of a row and returns them.
func scrubRow(r *ledger.Row) (words []string) {
	if r == nil {
		return nil
	}
	words = append(words, r.Item, r.Memo)
	r.Item, r.Memo, r.Category = "", "", ""
	return words
}

// scrubRows forgets the texts of the rows themselves. They are withdrawn, so that
// no total and no balance knows of them.
func (tx *Tx) scrubRows(rows []ledger.Row) error {
	for _, r := range rows {
		now, err := tx.Row(r.ID)
		if err != nil {
			return err
		}
		scrubRow(now)
		if err := tx.putRow(now); err != nil {
			return err
		}
	}
	return nil
}

// scrubOutbox ends what would tell of the message and forgets what it says. An
// answer to another message that shows one of the texts is named to its chat
// later, if it certainly was not said.
func (tx *Tx) scrubOutbox(words []string) error {
	telling, err := tx.telling(words)
	if err != nil {
		return err
	}
	for _, id := range telling {
		o, ok, err := tx.Outgoing(id)
		if err != nil {
			return err
		}
		if !ok {
			return damage(bucketOutbox, outboxKey(id, true), "is missing")
		}
		own := slices.Contains(tx.message.Receipts, o.Receipt)
		o.Payload = nil
		if o.State == Pending {
			err = tx.Abandon(o)
		} else {
			err = tx.putOutgoing(o)
		}
		if err == nil && own {
			err = tx.delete(bucketUnsaid, unsaidKey(o.Chat, o.ID))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// telling finds what tells of the message: the answers to it, what shows one of
// the texts, and what carries such a message. The pending ones come first.
func (tx *Tx) telling(words []string) (pending []OutboxID, err error) {
	words = starts(words)
	tells := map[OutboxID]bool{}
	var settled []OutboxID
	find := func(found *[]OutboxID) func(Outgoing) error {
		return func(o Outgoing) error {
			about := func(n ledger.ReceiptNumber) bool { return slices.Contains(tx.message.Receipts, n) }
			if about(o.Receipt) || slices.ContainsFunc(o.Of, about) ||
				slices.ContainsFunc(o.Carries, func(id OutboxID) bool { return tells[id] }) ||
				o.Receipt != 0 && shows(o.Payload, words) { // a notice shows no texts
				tells[o.ID] = true
				*found = append(*found, o.ID)
			}
			return nil
		}
	}
	if err := tx.SettledOutgoing(find(&settled)); err != nil {
		return nil, err
	}
	err = tx.PendingOutgoing(find(&pending))
	return append(pending, settled...), err
}

// wordStart is how many bytes of a text are looked for: an answer may be cut off
// in the middle of one.
const wordStart = 48

// starts gives the beginnings of the texts, whole characters, without empty ones.
func starts(words []string) (starts []string) {
	for _, word := range words {
		n := min(len(word), wordStart)
		for n < len(word) && n > 0 && !utf8.RuneStart(word[n]) {
			n--
		}
		if n > 0 {
			starts = append(starts, word[:n])
		}
	}
	return starts
}

// shows says whether one of the texts stands in a text of the payload's messages.
func shows(payload []byte, words []string) bool {
	var value any
	if len(payload) == 0 || len(words) == 0 {
		return false
	}
	if json.Unmarshal(payload, &value) != nil {
		return true // it may say anything
	}
	return showsIn(value, words)
}

func showsIn(value any, words []string) bool {
	switch v := value.(type) {
	case []any:
		return slices.ContainsFunc(v, func(v any) bool { return showsIn(v, words) })
	case map[string]any:
		for key, v := range v {
			text, is := v.(string)
			if is && (key == "text" || key == "altText") && saysAny(text, words) || !is && showsIn(v, words) {
				return true
			}
		}
	}
	return false
}

// saysAny says whether one of the words stands in the text, or the beginning of one
// where the text was cut off.
func saysAny(text string, words []string) bool {
	cut := strings.Split(text, "…")
	cut = cut[:len(cut)-1] // what stands before each ellipsis
	return slices.ContainsFunc(words, func(word string) bool {
		return strings.Contains(text, word) ||
			slices.ContainsFunc(cut, func(before string) bool { return endsInStart(before, word) })
	})
}

// endsInStart says whether the text ends in at least one character with which the
// word begins.
func endsInStart(text, word string) bool {
	for i := range word {
		if i > 0 && strings.HasSuffix(text, word[:i]) {
			return true
		}
	}
	return strings.HasSuffix(text, word)
}
