package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"ichido/internal/ledger"
	"ichido/store"
)

// linearKind is a step of the receipt model. A submission is two steps between its call
// and its return, Accept and Settle: between them it is under way. A look-up is one.
type linearKind int

const (
	linearAccept linearKind = iota
	linearSettle
	linearLookup
)

// linearInput is what a caller wants.
type linearInput struct {
	kind   linearKind
	id     int    // of a submission, among those of the key: less than 64
	digest string // of a submission
	end    error  // how the submission's function ends; nil: it records
}

// linearResult is what a caller was told.
type linearResult struct {
	outcome store.Outcome
	state   store.State // of a look-up
	number  ledger.ReceiptNumber
	digest  string // of the receipt
	err     error
	unknown bool // nobody was told
}

// linearOp is what a caller did, with the times of the call and of the answer.
type linearOp struct {
	linearInput
	key                        string
	called, accepted, returned int64 // accepted: of a submission
	result                     linearResult
}

// receiptState is what the model knows of one key.
type receiptState struct {
	stored   bool
	number   ledger.ReceiptNumber // 0: nobody was told yet
	digest   string
	underWay uint64 // a bit for each submission
}

// receiptModel is the promise for one key, said as plainly as possible.
var receiptModel = (&porcupine.NondeterministicModel{
	Init: func() []any { return []any{receiptState{}} },
	Step: func(state, input, output any) []any {
		in, out := input.(linearInput), output.(linearResult)
		var next []any
		for _, s := range state.(receiptState).step(in, out) {
			next = append(next, s)
		}
		return next
	},
}).ToModel()

// step gives the states in which the key may be after the step, none if the answer can't
// be true.
func (s receiptState) step(in linearInput, out linearResult) []receiptState {
	bit := uint64(1) << in.id
	switch in.kind {
	case linearAccept:
		s.underWay |= bit
		return []receiptState{s}
	case linearSettle:
		if s.underWay&bit == 0 {
			return nil
		}
		s.underWay &^= bit
		return s.settle(in, out)
	}
	switch {
	case out.state == store.Found && s.stored:
		return s.told(out)
	case out.state == store.InProgress && !s.stored && s.underWay != 0,
		out.state == store.NotFound && !s.stored && s.underWay == 0:
		return []receiptState{s}
	}
	return nil
}

// settle is the end of a submission.
func (s receiptState) settle(in linearInput, out linearResult) []receiptState {
	recorded := receiptState{stored: true, number: out.number, digest: in.digest, underWay: s.underWay}
	switch {
	case out.unknown && (s.stored || in.end != nil):
		return []receiptState{s}
	case out.unknown:
		return []receiptState{s, recorded}
	case errors.Is(out.err, context.Canceled), errors.Is(out.err, store.ErrClosed): // it never got there
		return []receiptState{s}
	case s.stored && out.err == nil && out.outcome == repeatOf(s.digest, in.digest):
		return s.told(out)
	case s.stored:
		return nil
	case in.end == nil && out.err == nil && out.outcome == store.Recorded && out.number != 0 && out.digest == in.digest:
		return []receiptState{recorded}
	case in.end == store.Leave && out.err == nil && out.outcome == store.Left,
		in.end != nil && in.end != store.Leave && errors.Is(out.err, in.end) && out.outcome == 0:
		return []receiptState{s}
	}
	return nil
}

func repeatOf(first, again string) store.Outcome {
	if first == again {
		return store.Repeated
	}
	return store.Conflict
}

// told is the state of a key of which a caller was shown the receipt.
func (s receiptState) told(out linearResult) []receiptState {
	if s.digest != out.digest || out.number == 0 || s.number != 0 && s.number != out.number {
		return nil
	}
	s.number = out.number
	return []receiptState{s}
}

// name is the kind of answer.
func (out linearResult) name() string {
	switch {
	case out.unknown:
		return "unknown"
	case errors.Is(out.err, context.Canceled):
		return "withdrawn"
	case errors.Is(out.err, store.ErrClosed):
		return "closed"
	case errors.Is(out.err, store.ErrPanic):
		return "panicked"
	case out.outcome != 0 || out.err != nil:
		return out.outcome.String()
	}
	return [...]string{"not found", "in progress", "found"}[out.state]
}

// tellHistory writes the history of a key, by the times of the calls.
func tellHistory(ops []porcupine.Operation) string {
	ops = slices.Clone(ops)
	slices.SortFunc(ops, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var lines []string
	for _, op := range ops {
		in, out := op.Input.(linearInput), op.Output.(linearResult)
		switch in.kind {
		case linearLookup:
			lines = append(lines, fmt.Sprintf("%5d to %5d: look up: %s, %d %.4x", op.Call, op.Return, out.name(), out.number, out.digest))
		case linearSettle:
			lines = append(lines, fmt.Sprintf("%5d to %5d: submit %d, %.4x, ending with %v: %s, %d %.4x",
				op.Call, op.Return, in.id, in.digest, in.end, out.name(), out.number, out.digest))
		}
	}
	return strings.Join(lines, "\n")
}

// The model refuses the lies that it is there for.
func TestLinearModel(t *testing.T) {
	submit := func(call, ret int64, id int, digest string, out linearResult) []porcupine.Operation {
		in := linearInput{kind: linearSettle, id: id, digest: digest}
		accept := in
		accept.kind = linearAccept
		return []porcupine.Operation{{Input: accept, Call: call, Output: out, Return: ret}, {Input: in, Call: call, Output: out, Return: ret}}
	}
	lookup := func(call, ret int64, state store.State, n ledger.ReceiptNumber, digest string) []porcupine.Operation {
		return []porcupine.Operation{{Input: linearInput{kind: linearLookup}, Call: call, Output: linearResult{state: state, number: n, digest: digest}, Return: ret}}
	}
	recorded := linearResult{outcome: store.Recorded, number: 1, digest: "a"}
	repeated := linearResult{outcome: store.Repeated, number: 1, digest: "a"}
	for name, c := range map[string]struct {
		ops  [][]porcupine.Operation
		want bool
	}{
		"recorded, repeated, found": {[][]porcupine.Operation{submit(1, 2, 0, "a", recorded), submit(3, 4, 1, "a", repeated), lookup(5, 6, store.Found, 1, "a")}, true},
		"recorded twice":            {[][]porcupine.Operation{submit(1, 4, 0, "a", recorded), submit(2, 3, 1, "a", recorded)}, false},
		"repeated first":            {[][]porcupine.Operation{submit(1, 2, 0, "a", repeated), submit(3, 4, 1, "a", recorded)}, false},
		"repeated, other content":   {[][]porcupine.Operation{submit(1, 2, 0, "a", recorded), submit(3, 4, 1, "b", repeated)}, false},
		"another number":            {[][]porcupine.Operation{submit(1, 2, 0, "a", recorded), lookup(3, 4, store.Found, 2, "a")}, false},
		"another digest":            {[][]porcupine.Operation{submit(1, 2, 0, "a", recorded), lookup(3, 4, store.Found, 1, "b")}, false},
		"gone after the answer":     {[][]porcupine.Operation{submit(1, 2, 0, "a", recorded), lookup(3, 4, store.NotFound, 0, "")}, false},
		"in progress too late":      {[][]porcupine.Operation{submit(1, 2, 0, "a", recorded), lookup(3, 4, store.InProgress, 0, "")}, false},
		"in progress of nothing":    {[][]porcupine.Operation{lookup(1, 2, store.InProgress, 0, ""), submit(3, 4, 0, "a", recorded)}, false},
		"not found, then underway":  {[][]porcupine.Operation{submit(1, 6, 0, "a", recorded), lookup(2, 3, store.NotFound, 0, ""), lookup(4, 5, store.InProgress, 0, "")}, true},
		"underway, then not found":  {[][]porcupine.Operation{submit(1, 6, 0, "a", recorded), lookup(2, 3, store.InProgress, 0, ""), lookup(4, 5, store.NotFound, 0, "")}, false},
		"found, then underway":      {[][]porcupine.Operation{submit(1, 6, 0, "a", recorded), lookup(2, 3, store.Found, 1, "a"), lookup(4, 5, store.InProgress, 0, "")}, false},
		"a read before its write":   {[][]porcupine.Operation{lookup(1, 2, store.Found, 1, "a"), submit(3, 4, 0, "a", recorded)}, false},
		"stored and withdrawn":      {[][]porcupine.Operation{submit(1, 2, 0, "a", linearResult{err: context.Canceled}), lookup(3, 4, store.Found, 1, "a")}, false},
		"nobody was told, stored":   {[][]porcupine.Operation{submit(1, 2, 0, "a", linearResult{unknown: true}), lookup(3, 4, store.Found, 1, "a")}, true},
		"nobody was told, not":      {[][]porcupine.Operation{submit(1, 2, 0, "a", linearResult{unknown: true}), lookup(3, 4, store.NotFound, 0, "")}, true},
	} {
		if got := porcupine.CheckOperations(receiptModel, slices.Concat(c.ops...)); got != c.want {
			t.Errorf("%s: linearizable is %t", name, got)
		}
	}
}
