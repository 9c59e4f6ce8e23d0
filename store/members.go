package store

import (
	"bytes"
	"time"

	"ichido/internal/ledger"
)

// Member is a person who may talk to the bot.
type Member struct {
	ID       ledger.MemberID
	Person   string // as the door knows the person: a LINE user ID
	Name     string // "" until it is known
	Admitted bool   // a member only as long as the configuration lets the person in
	Joined   time.Time
	Removed  time.Time // zero for who is still there
}

// Owner is the first to join, who looks after the machine.
const Owner ledger.MemberID = 1

func (r *memberRecord) member(id ledger.MemberID) Member {
	return Member{ID: id, Person: r.Person, Name: r.Name, Admitted: r.Admitted, Joined: fromMillis(r.Joined), Removed: fromMillis(r.Removed)}
}

// MayTalk says whether the person is a member, or would become one because the
// configuration lets the person in. A person without a name is nobody.
func (tx *Tx) MayTalk(person string, admit bool) (bool, error) {
	_, ok, err := tx.talker(person, admit)
	return ok, err
}

// talker is MayTalk and also returns the member: the zero one for a person who
// is none yet.
func (tx *Tx) talker(person string, admit bool) (m Member, may bool, err error) {
	if person == "" {
		return Member{}, false, nil
	}
	m, known, err := tx.MemberByPerson(person)
	if !known || err != nil {
		return Member{}, admit, err
	}
	return m, m.Removed.IsZero() && (admit || !m.Admitted), nil
}

// admit finds the member who sent the event, or makes one of a person whom the
// configuration lets in.
func (tx *Tx) admit(req Request) (Member, error) {
	m, may, err := tx.talker(req.Person, req.Admit)
	switch {
	case err != nil:
		return Member{}, err
	case !may:
		return Member{}, ErrStranger
	case m.ID != 0:
		return m, nil
	}
	return tx.addMember(Member{Person: req.Person, Admitted: true, Joined: tx.now})
}

// Join makes the person a member under the name, whatever the configuration says.
// Of somebody who is a member already only a missing name is filled in.
func (tx *Tx) Join(person, name string) (Member, error) {
	m, ok, err := tx.MemberByPerson(person)
	switch {
	case err != nil:
		return Member{}, err
	case !ok:
		return tx.addMember(Member{Person: person, Name: name, Joined: tx.now})
	case m.Name == "":
		m.Name = name
		return m, tx.putMember(m)
	}
	return m, nil
}

func (tx *Tx) addMember(m Member) (Member, error) {
	id, err := tx.nextID(bucketMembers)
	if err != nil {
		return Member{}, err
	}
	m.ID = ledger.MemberID(id)
	if err := tx.put(bucketPersons, []byte(m.Person), id4(m.ID)); err != nil {
		return Member{}, err
	}
	return m, tx.putMember(m)
}

func (tx *Tx) putMember(m Member) error {
	return tx.putRecord(bucketMembers, id4(m.ID), &memberRecord{
		Person: m.Person, Name: m.Name, Admitted: m.Admitted, Joined: millis(m.Joined), Removed: millis(m.Removed),
	})
}

// MemberByPerson returns the member, removed ones too, and whether there is one.
func (tx *Tx) MemberByPerson(person string) (Member, bool, error) {
	value, err := tx.get(bucketPersons, []byte(person))
	if value == nil || err != nil {
		return Member{}, false, err
	}
	m, err := tx.Member(parseID4[ledger.MemberID](value))
	return m, err == nil, err
}

// Member returns the member; it must exist.
func (tx *Tx) Member(id ledger.MemberID) (Member, error) {
	key := id4(id)
	var record memberRecord
	ok, err := tx.read(bucketMembers, key, &record)
	if err == nil && !ok {
		err = damage(bucketMembers, key, "no such member")
	}
	return record.member(id), err
}

// Members returns all members, removed ones too, in the order in which they
// joined.
func (tx *Tx) Members() (members []Member, err error) {
	err = tx.scan(bucketMembers, nil, nil, func(key, value []byte) error {
		var record memberRecord
		if err := decode(bucketMembers, bytes.Clone(key), value, &record); err != nil {
			return err
		}
		members = append(members, record.member(parseID4[ledger.MemberID](key)))
		return nil
	})
	return members, err
}
