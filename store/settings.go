package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ichido/internal/ledger"
)

// A setting is what the household has decided about its ledger ("wallet": one for
// all). It changes by receipts, as rows do, so that it can be taken back. "" is
// the same as never set.
//
// A fact is what the program notes for itself. No receipt tells of it.

// SettingChange is a setting before and after.
type SettingChange struct{ Name, Before, After string }

// Setting returns the value of the setting, "" if it was never set.
func (tx *Tx) Setting(name string) (string, error) {
	value, err := tx.get(bucketSettings, []byte(name))
	return string(value), err
}

// Set changes the setting and adds the change to the receipt of the event that is
// being handled. A value that is set already is no change.
func (tx *Tx) Set(name, value string) error {
	if tx.receipt == nil {
		return errNoEvent
	}
	before, err := tx.Setting(name)
	if err != nil || before == value {
		return err
	}
	tx.receipt.Settings = append(tx.receipt.Settings, SettingChange{name, before, value})
	if value == "" {
		return tx.delete(bucketSettings, []byte(name))
	}
	return tx.put(bucketSettings, []byte(name), []byte(value))
}

// revertSettings gives what takes back the receipt's changes of settings: the
// last one first, and of what is back already none.
func (tx *Tx) revertSettings(target *Receipt) (changes []SettingChange, err error) {
	reverted := map[string]string{} // as the changes leave them
	for _, c := range slices.Backward(target.Settings) {
		now, again := reverted[c.Name]
		if !again {
			if now, err = tx.Setting(c.Name); err != nil {
				return nil, err
			}
		}
		switch now {
		case c.Before:
		case c.After:
			changes = append(changes, SettingChange{c.Name, now, c.Before})
		default:
			return nil, ErrChanged
		}
		reverted[c.Name] = c.Before
	}
	return changes, nil
}

func factKey(name string) []byte { return []byte("fact/" + name) }

// Fact returns what the program has noted under the name, "" for nothing.
func (tx *Tx) Fact(name string) (string, error) {
	value, err := tx.get(bucketMeta, factKey(name))
	return string(value), err
}

// SetFact notes a value under the name; "" forgets it.
func (tx *Tx) SetFact(name, value string) error {
	if value == "" {
		return tx.delete(bucketMeta, factKey(name))
	}
	return tx.put(bucketMeta, factKey(name), []byte(value))
}

// OperationState is what became of a button.
type OperationState int

// The states. The zero value is a button that this file never made.
const (
	UnknownOperation OperationState = iota
	FreshOperation                  // pressed for the first time, by this event
	UsedOperation                   // pressed before
)

// errOperation says that an operation was asked for outside of an event.
var errOperation = errors.New("a button outside of an event")

// Operation returns what a button under the answer to this event carries: the
// verb, the receipt's number and a random part, joined by colons. Each works once.
func (tx *Tx) Operation(verb string) (string, error) {
	if tx.receipt == nil {
		return "", errOperation
	}
	if tx.receipt.Nonce == nil {
		tx.receipt.Nonce = newNonce()
	}
	return operation(verb, tx.receipt), nil
}

// Consume uses up the operation of a pressed button. target is the receipt under
// whose answer the button was; nil for an unknown one.
func (tx *Tx) Consume(data string) (verb string, target *Receipt, state OperationState, err error) {
	if tx.receipt == nil {
		return "", nil, UnknownOperation, errOperation
	}
	verb, number := parseOperation(data)
	if number == 0 {
		return "", nil, UnknownOperation, nil
	}
	target, err = tx.ReceiptByNumber(number)
	if target == nil || err != nil || len(target.Nonce) == 0 || operation(verb, target) != data {
		return "", nil, UnknownOperation, err
	}
	used, err := tx.get(bucketKeys, operationKey(data))
	if err != nil {
		return "", nil, UnknownOperation, err
	}
	if used != nil {
		return verb, target, UsedOperation, nil
	}
	return verb, target, FreshOperation, tx.put(bucketKeys, operationKey(data), numberKey(tx.receipt.Number))
}

func operation(verb string, r *Receipt) string {
	return fmt.Sprintf("%s:%d:%x", verb, r.Number, r.Nonce)
}

func parseOperation(data string) (verb string, number ledger.ReceiptNumber) {
	parts := strings.Split(data, ":")
	if len(parts) != 3 {
		return "", 0
	}
	n, err := strconv.ParseUint(parts[1], 10, 63)
	if err != nil {
		return "", 0
	}
	return parts[0], ledger.ReceiptNumber(n)
}

func newNonce() []byte {
	nonce := make([]byte, 8)
	rand.Read(nonce) // never fails
	return nonce
}
