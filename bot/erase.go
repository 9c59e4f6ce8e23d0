package bot

import (
	"fmt"
	"strings"
	"time"

	"ichido/store"
)

// eraseTime is how long the owner has from one step of erasing all to the next.
const eraseTime = 10 * time.Minute

// factErase is where the code stands that the first step has named, with its end.
const factErase = "erase"

// erase is the way to the end of all data, for the owner in his own chat. It has two
// confirmations of different kinds, so that neither a slip nor an old message on the screen
// gets through: a code that is typed, and a button that works once and soon.
func (t *turn) erase() (Reply, error) {
	owner, ok, err := t.tx.Owner()
	switch {
	case err != nil:
		return Reply{}, err
	case !t.message.Direct:
		return said(t.text(eraseElsewhere)), nil
	case !ok || owner.ID != t.sender:
		return said(t.text(eraseIsOwners)), nil
	}
	known, err := t.tx.Fact(factErase)
	if err != nil {
		return Reply{}, err
	}
	code, until, _ := strings.Cut(known, " ")
	if t.cmd.Value == "" || t.cmd.Value != code || t.at.Format(time.RFC3339) > until {
		return t.eraseFirst(t.cmd.Value != "")
	}
	if err := t.tx.SetFact(factErase, ""); err != nil {
		return Reply{}, err
	}
	operation, err := t.tx.Operation(tapErase)
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	a.add(t.text(eraseLast))
	a.offer(t.eraseButton(operation))
	return a.reply(), nil
}

// eraseFirst says what would be gone and asks for the code. wrong says that a code was
// given which is none.
func (t *turn) eraseFirst(wrong bool) (Reply, error) {
	f, err := t.tx.Figures()
	if err != nil {
		return Reply{}, err
	}
	members, err := t.activeMembers()
	if err != nil {
		return Reply{}, err
	}
	code := fmt.Sprintf("%04d", 1000+uint64(t.tx.Receipt().Number)*7919%9000)
	until := t.at.Add(eraseTime).Format(time.RFC3339)
	if err := t.tx.SetFact(factErase, code+" "+until); err != nil {
		return Reply{}, err
	}
	a := answer{}
	if wrong {
		a.add(t.text(eraseWrongCode))
	}
	a.add(t.eraseWarning(f.Rows, len(members), code))
	return a.reply(), nil
}

// tapErase erases all.
func (t *turn) tapErase(p pressed) (Reply, error) {
	if p.used || t.at.Sub(p.target.At) > eraseTime || !t.message.Direct {
		return said(t.text(eraseTooLate)), nil
	}
	switch err := t.tx.Erase(); {
	case err == store.ErrNotOwner:
		return said(t.text(eraseIsOwners)), nil
	case err != nil:
		return Reply{}, err
	}
	return said(t.text(erased)), nil
}
