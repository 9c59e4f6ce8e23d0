package line

import (
	"time"

	"ichido/store"
)

// People come and go, and so does the bot. LINE may tell of it late and in any
// order: what is older than what is known already changes nothing.

// knows says whether the person is, or was, a member.
func (d *Door) knows(person string) bool {
	known := false
	err := d.store.View(func(tx *store.Tx) (err error) {
		_, known, err = tx.MemberByPerson(person)
		return err
	})
	return known || err != nil // the writer will meet the error again
}

// left says whether the person was a member who has gone by himself.
func (d *Door) left(person string) bool {
	var m store.Member
	err := d.store.View(func(tx *store.Tx) (err error) {
		m, _, err = tx.MemberByPerson(person)
		return err
	})
	return err == nil && !m.Left.IsZero() && m.Removed.IsZero()
}

// unfollow is somebody blocking the bot. Nothing that is said to him arrives.
func (h *handling) unfollow(tx *store.Tx) error {
	e := h.event
	noted, err := tx.Move(e.from.person, e.at, false)
	if !noted || err != nil {
		return err
	}
	return tx.DropOutgoing(e.from.chat)
}

// leave is the bot being removed from a group or room.
func (h *handling) leave(tx *store.Tx) error {
	e := h.event
	noted, err := moveBot(tx, e.from.chat, e.at)
	if !noted || err != nil {
		return err
	}
	if err := h.door.bot.Gone(tx, e.from.chat); err != nil {
		return err
	}
	return tx.DropOutgoing(e.from.chat)
}

// ends gives the chats in which such an event may end messages of the outbox.
func (e *event) ends() []string {
	switch e.kind {
	case unsent, unfollowed, botLeft:
		return []string{e.from.chat}
	case peopleLeft:
		return e.people
	}
	return nil
}

// part is people leaving a group or room. Whom the configuration names stays; the
// others are told nothing any more.
func (h *handling) part(tx *store.Tx) error {
	for _, person := range h.event.people {
		if h.door.admit(person) {
			continue
		}
		noted, err := tx.Move(person, h.event.at, false)
		if err == nil && noted {
			err = tx.DropOutgoing(person)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// moveBot notes when the bot last came into a group or room, or left it, and says
// whether this was the last time.
func moveBot(tx *store.Tx, chat string, at time.Time) (noted bool, err error) {
	fact := "line/moved/" + chat
	const sorts = "2006-01-02T15:04:05.000"
	known, err := tx.Fact(fact)
	if now := at.UTC().Format(sorts); err == nil && known <= now {
		return true, tx.SetFact(fact, now)
	}
	return false, err
}

// tellOfChat tells in the log of a group that would hear the bot if the
// configuration let it in.
func (d *Door) tellOfChat(e *event) {
	asked := e.kind == botJoined || e.kind == said
	if asked && !e.from.direct() && d.told.allow(e.from.chat, time.Now()) {
		d.log.Info("the bot is in a chat that --allow does not name, and is silent there", e.from.kind, e.from.chat)
	}
}
