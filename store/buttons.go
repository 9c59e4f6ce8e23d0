package store

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"

	"ichido/internal/ledger"
)

// OperationState is what became of a button.
type OperationState int

// The states. The zero value is a button that this file never made.
const (
	UnknownOperation OperationState = iota
	FreshOperation                  // pressed for the first time, by this event
	UsedOperation                   // pressed before
)

// Operation returns what a button under the answer to this event carries: the
// verb, the receipt's number and a random part, joined by colons. Each works once.
func (tx *Tx) Operation(verb string) (string, error) {
	if tx.receipt == nil {
		return "", errNoEvent
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
		return "", nil, UnknownOperation, errNoEvent
	}
	verb, number := parseOperation(data)
	if number == 0 {
		return "", nil, UnknownOperation, nil
	}
	target, err = tx.ReceiptByNumber(number)
	if target == nil || err != nil || len(target.Nonce) == 0 || operation(verb, target) != data {
		return "", nil, UnknownOperation, err
	}
	state, err = tx.useUp(data)
	return verb, target, state, err
}

// UseUp uses up the buttons with the verb under the answer to the receipt, as if one
// had been pressed. Of an answer without buttons it does nothing.
func (tx *Tx) UseUp(verb string, r *Receipt) error {
	if tx.receipt == nil {
		return errNoEvent
	}
	if len(r.Nonce) == 0 {
		return nil
	}
	_, err := tx.useUp(operation(verb, r))
	return err
}

// Used says whether the buttons with the verb under the answer to the receipt are used up.
func (tx *Tx) Used(verb string, r *Receipt) (bool, error) {
	if len(r.Nonce) == 0 {
		return false, nil
	}
	used, err := tx.get(bucketKeys, operationKey(operation(verb, r)))
	return used != nil, err
}

func (tx *Tx) useUp(operation string) (OperationState, error) {
	key := operationKey(operation)
	used, err := tx.get(bucketKeys, key)
	if err != nil {
		return UnknownOperation, err
	}
	if used != nil {
		return UsedOperation, nil
	}
	return FreshOperation, tx.put(bucketKeys, key, numberKey(tx.receipt.Number))
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
