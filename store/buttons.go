package store

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
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

// Operation returns what a button under the answer to this event carries, before it is
// sealed: the verb, the receipt's number and its nonce, joined by colons. An argument may
// be put behind it with another colon. Each verb works once.
func (tx *Tx) Operation(verb string) (string, error) {
	if tx.receipt == nil {
		return "", errNoEvent
	}
	tx.receipt.makeNonce()
	return operation(verb, tx.receipt), nil
}

// Seal returns the operation as it leaves the house, with or without an argument: a code
// over verb and argument stands instead of the nonce, which nobody is told. So a button
// does what it was made to do and nothing else, whatever a client makes of it.
func (tx *Tx) Seal(draft string) (string, error) {
	if tx.receipt == nil {
		return "", errNoEvent
	}
	verb, _, _, argument := parseOperation(draft)
	behind, ok := strings.CutPrefix(draft, operation(verb, tx.receipt))
	if !ok || len(tx.receipt.Nonce) == 0 {
		return "", fmt.Errorf("sealing what is no operation of receipt %d", tx.receipt.Number)
	}
	return fmt.Sprintf("%s:%d:%s%s", verb, tx.receipt.Number, tx.receipt.seal(verb, argument), behind), nil
}

// Consume uses up the operation of a pressed button, whatever its argument. target is the
// receipt under whose answer the button was; nil for an unknown one.
func (tx *Tx) Consume(data string) (verb string, target *Receipt, state OperationState, err error) {
	if tx.receipt == nil {
		return "", nil, UnknownOperation, errNoEvent
	}
	verb, number, _, _ := parseOperation(data)
	if number == 0 {
		return "", nil, UnknownOperation, nil
	}
	target, err = tx.ReceiptByNumber(number)
	if target == nil || err != nil || !target.Carries(data) {
		return "", nil, UnknownOperation, err
	}
	state, err = tx.useUp(operation(verb, target))
	return verb, target, state, err
}

// Carries says whether a button under the answer to the receipt carries the data. Those of
// the first versions carried the nonce itself; they still work where there is no argument
// that somebody who has seen one could change.
func (r *Receipt) Carries(data string) bool {
	verb, _, code, argument := parseOperation(data)
	prefix := fmt.Sprintf("%s:%d:%s", verb, r.Number, code)
	return len(r.Nonce) > 0 && (data == prefix || strings.HasPrefix(data, prefix+":")) &&
		(hmac.Equal([]byte(code), []byte(r.seal(verb, argument))) || argument == "" && hmac.Equal([]byte(code), []byte(hex.EncodeToString(r.Nonce))))
}

// seal is the code over what an operation of the receipt's does.
func (r *Receipt) seal(verb, argument string) string {
	code := hmac.New(sha256.New, r.Nonce)
	io.WriteString(code, verb+":"+argument) // never fails
	return hex.EncodeToString(code.Sum(nil)[:8])
}

// UseUp uses up the buttons with the verb under the answer to the receipt, as if one
// had been pressed. Of an answer without buttons, to which nothing was asked either, it
// does nothing.
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

// parseOperation parts verb:number:code and perhaps :argument. The number is 0 if it is none.
func parseOperation(data string) (verb string, number ledger.ReceiptNumber, code, argument string) {
	parts := strings.SplitN(data, ":", 4)
	if len(parts) < 3 {
		return "", 0, "", ""
	}
	n, err := strconv.ParseUint(parts[1], 10, 63)
	if err != nil {
		return "", 0, "", ""
	}
	return parts[0], ledger.ReceiptNumber(n), parts[2], strings.Join(parts[3:], "")
}

// makeNonce makes the secret from which the codes of the receipt's buttons come.
func (r *Receipt) makeNonce() {
	if r.Nonce == nil {
		r.Nonce = make([]byte, 8)
		rand.Read(r.Nonce) // never fails
	}
}
