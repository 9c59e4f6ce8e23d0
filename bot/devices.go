package bot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"ichido/internal/grammar"
	"ichido/store"
)

// maxRevocable is how many sessions and tokens have buttons of their own.
const maxRevocable = 10

// devices lists what the sender's browsers and programs have, sessions and tokens, or ends
// one of them or all. A new token is to be had on the page only: said here, the outbox and
// LINE would keep it.
func (t *turn) devices() (Reply, error) {
	if refusal, err := t.noPages(devicesElsewhere); refusal != "" || err != nil {
		return said(refusal), err
	}
	switch t.cmd.Value {
	case "":
		return t.listDevices("")
	case grammar.AllDevices:
		return t.askToRevokeAll()
	}
	return t.revokeNumber(t.cmd.Value)
}

// listDevices shows the list, under a sentence about what is in it, if there is one.
func (t *turn) listDevices(above string) (Reply, error) {
	all, err := t.tx.Accesses(t.sender)
	if err != nil {
		return Reply{}, err
	}
	if err := t.noteDevices(all); err != nil {
		return Reply{}, err
	}
	operation, err := t.tx.Operation(tapRevoke)
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	if len(all) > 0 {
		a.add(above)
	}
	a.add(t.devicesHead(len(all)))
	for i, one := range all {
		a.put(t.deviceLine(i+1, one, t.zone))
		if i < maxRevocable {
			a.offer(t.revokeButton(operation, i+1, one.ID))
		}
	}
	if len(all) > 1 {
		a.offer(t.revokeAllButton(operation))
	}
	a.quiet(t.text(howToGetToken))
	return a.reply(), nil
}

// revokeNumber ends what stood at the place in the list that the sender has seen. If that
// can't be known it ends nothing, and shows the list.
func (t *turn) revokeNumber(number string) (Reply, error) {
	seen, err := t.seenDevices()
	if err != nil {
		return Reply{}, err
	}
	id := ""
	if n, err := strconv.Atoi(number); err == nil {
		id = seen.at(n, t.at)
	}
	if id == "" {
		return t.listDevices(t.whichDevice(number))
	}
	return t.revoke(id)
}

// revoke ends one session or token of the sender's.
func (t *turn) revoke(id string) (Reply, error) {
	all, err := t.tx.Accesses(t.sender)
	if err != nil {
		return Reply{}, err
	}
	i := slices.IndexFunc(all, func(a store.Access) bool { return a.ID == id })
	if i < 0 {
		return said(t.text(revokedBefore)), nil
	}
	_, err = t.tx.Revoke(t.sender, id)
	return said(t.revoked(t.deviceName(all[i]))), err
}

// askToRevokeAll asks before all are ended.
func (t *turn) askToRevokeAll() (Reply, error) {
	all, err := t.tx.Accesses(t.sender)
	if err != nil {
		return Reply{}, err
	}
	if len(all) == 0 {
		return t.listDevices("")
	}
	operation, err := t.tx.Operation(tapRevoke)
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	a.add(t.revokeAllQuestion(len(all)))
	a.offer(t.reallyAllButton(operation+":"+revokeAll), t.revokeNoneButton(operation+":"+revokeNone))
	return a.reply(), nil
}

// What stands behind the operation in the place of an ID.
const (
	revokeAll  = "all"
	revokeNone = "none"
)

// tapRevoke ends what the button names, asks before it ends all, and ends all when that has
// been asked: once, for there may be others by then.
func (t *turn) tapRevoke(p pressed) (Reply, error) {
	all := p.argument == revokeAll || p.argument == revokeNone
	switch {
	case p.target.Member != t.sender, all && p.used:
		return said(t.text(oldButton)), nil
	case p.argument == "":
		return t.askToRevokeAll()
	case p.argument == revokeNone:
		return said(t.text(revokedNothing)), nil
	case p.argument == revokeAll:
		_, err := t.tx.Revoke(t.sender, "")
		return said(t.text(revokedAll)), err
	}
	return t.revoke(p.argument)
}

// A number that is typed means what stood at its place in the list that the person was
// looking at. Which that was nobody knows, for an answer may be late or lost: it is known
// what the number means if all lists of the last day have the same at that place, and the
// last of them is not old.
const (
	listedFor  = 10 * time.Minute
	comparedIn = 24 * time.Hour
)

// seenDevices are the lists that a member was shown: at each place the ID that all of them
// have there, or differing.
type seenDevices struct {
	last time.Time // when the last of them was asked for; zero for none
	ids  []string
}

const differing = "-"

func (t *turn) devicesFact() string { return fmt.Sprint("devices/", t.sender) }

func (t *turn) seenDevices() (seen seenDevices, err error) {
	noted, err := t.tx.Fact(t.devicesFact())
	fields := strings.Fields(noted)
	if len(fields) == 0 || err != nil {
		return seenDevices{}, err
	}
	millis, err := strconv.ParseInt(fields[0], 10, 64)
	return seenDevices{time.UnixMilli(millis), fields[1:]}, err
}

// at gives the ID at the place, as somebody who types at the time has seen it; "" if that
// can't be known.
func (s *seenDevices) at(place int, typed time.Time) string {
	since := typed.Sub(s.last)
	if place < 1 || place > len(s.ids) || since < 0 || since > listedFor || s.ids[place-1] == differing {
		return ""
	}
	return s.ids[place-1]
}

// noteDevices notes that the sender is shown the list.
func (t *turn) noteDevices(all []store.Access) error {
	seen, err := t.seenDevices()
	if err != nil {
		return err
	}
	if t.at.Sub(seen.last) > comparedIn {
		seen.ids = nil
	}
	for i, one := range all {
		switch {
		case i == len(seen.ids):
			seen.ids = append(seen.ids, one.ID)
		case seen.ids[i] != one.ID:
			seen.ids[i] = differing
		}
	}
	if seen.last.Before(t.at) {
		seen.last = t.at
	}
	return t.tx.SetFact(t.devicesFact(), fmt.Sprint(seen.last.UnixMilli(), " ", strings.Join(seen.ids, " ")))
}
