package store

import (
	"bytes"
	"encoding/binary"
	"strings"
	"time"

	"ichido/internal/ledger"
)

// Member is a person who may talk to the bot, or might once.
type Member struct {
	ID       ledger.MemberID
	Person   string // as the door knows the person: a LINE user ID
	Name     string // "" until it is known
	Named    bool   // the person chose the name; else it is the door's
	Admitted bool   // a member only as long as the configuration lets the person in
	Joined   time.Time
	Removed  time.Time // when the owner removed the person; else zero
	Left     time.Time // when the person blocked the bot or left the group; zero for who is there
	Moved    time.Time // of the last coming or going that is known
}

// Active says whether the person belongs to the household now.
func (m *Member) Active() bool { return m.ID != 0 && m.Removed.IsZero() && m.Left.IsZero() }

func (r *memberRecord) member(id ledger.MemberID) Member {
	return Member{
		ID: id, Person: r.Person, Name: r.Name, Named: r.Named, Admitted: r.Admitted, Joined: fromMillis(r.Joined),
		Removed: fromMillis(r.Removed), Left: fromMillis(r.Left), Moved: fromMillis(r.Moved),
	}
}

// MayTalk says whether the person is a member, or would become one because the
// configuration lets the person in.
func (tx *Tx) MayTalk(person string, admit bool) (bool, error) {
	_, ok, err := tx.talker(person, admit, tx.now)
	return ok, err
}

// talker is MayTalk at the time and also returns the member: the zero one for a
// person who is none yet, or whom the door can't tell. What a member said before
// leaving is heard, whenever it arrives.
func (tx *Tx) talker(person string, admit bool, at time.Time) (m Member, may bool, err error) {
	if person == "" {
		return Member{}, admit, nil
	}
	m, known, err := tx.MemberByPerson(person)
	if !known || err != nil {
		return Member{}, admit, err
	}
	there := m.Left.IsZero() || at.Before(m.Left)
	return m, m.Removed.IsZero() && (admit || !m.Admitted && there), nil
}

// admit finds the member who sent the event, or makes one of a person whom the
// configuration or a code lets in. A message that the file holds may be unsent by
// anybody.
func (tx *Tx) admit(req Request, held bool) (Member, error) {
	m, may, err := tx.talker(req.Person, req.Admit, req.At)
	if err != nil {
		return Member{}, err
	}
	if req.Invite != "" && req.Person != "" && (!may || m.ID == 0 || m.Admitted || !m.Left.IsZero()) {
		if tx.joined, err = tx.redeem(req.Invite); err != nil {
			return Member{}, err
		} else if tx.joined {
			return tx.join(req.Person, "", req.At)
		}
	}
	switch {
	case !may && held && req.About == Unsent:
		return m, nil
	case !may:
		return Member{}, ErrStranger
	case m.ID == 0 && req.Person != "":
		return tx.addMember(Member{Person: req.Person, Admitted: true, Joined: tx.now, Moved: wholeMillis(req.At)})
	case req.At.After(m.Left) && !m.Left.IsZero(): // back, as the configuration allows
		m.back(req.At)
		return m, tx.putMember(m)
	}
	return m, nil
}

// JustJoined says whether a code in this event has made its sender a member.
func (tx *Tx) JustJoined() bool { return tx.joined }

// Join makes the person a member, whatever the configuration says, also one who was
// removed or has left. The name, made another one if somebody has it, is for who has
// none.
func (tx *Tx) Join(person, name string) (Member, error) { return tx.join(person, name, tx.now) }

func (tx *Tx) join(person, name string, at time.Time) (Member, error) {
	m, ok, err := tx.MemberByPerson(person)
	if err != nil {
		return Member{}, err
	}
	if !ok {
		m = Member{Person: person, Joined: tx.now}
	}
	if m.Name == "" && name != "" {
		if m.Name, err = tx.freeName(m.ID, name); err != nil {
			return Member{}, err
		}
	}
	m.Admitted, m.Removed = false, time.Time{}
	m.back(at)
	if !ok {
		return tx.addMember(m)
	}
	return m, tx.putMember(m)
}

// back notes that the person is there since the time: a going that is older and
// comes to be known later does not count.
func (m *Member) back(at time.Time) {
	m.Left = time.Time{}
	if at.After(m.Moved) {
		m.Moved = wholeMillis(at)
	}
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
		Person: m.Person, Name: m.Name, Named: m.Named, Admitted: m.Admitted, Joined: millis(m.Joined),
		Removed: millis(m.Removed), Left: millis(m.Left), Moved: millis(m.Moved),
	})
}

// Move notes that the person was there, or went, at the time. Who has left is not back
// by being there: a code, or the configuration at the next message, brings a member
// back. What is older than what is known already changes nothing. It reports whether it
// was noted.
func (tx *Tx) Move(person string, at time.Time, here bool) (bool, error) {
	m, known, err := tx.MemberByPerson(person)
	if !known || err != nil || m.Moved.After(at) {
		return false, err
	}
	m.Moved = wholeMillis(at)
	if !here {
		m.Left = m.Moved
	}
	return true, tx.putMember(m)
}

// Remove takes the member's access away until a code brings it back, ends sessions and
// tokens for good, and what is pending for the person. The rows stay.
func (tx *Tx) Remove(id ledger.MemberID) error {
	m, err := tx.Member(id)
	if err != nil {
		return err
	}
	m.Removed = tx.now
	if err := tx.putMember(m); err != nil {
		return err
	}
	if _, err := tx.Revoke(id, ""); err != nil {
		return err
	}
	return tx.DropOutgoing(m.Person)
}

// Rename gives the member the name, with a letter behind it (花子B) if somebody else
// of the household has it, as digits would look like an amount, and returns the name
// as it is now. A name that the person has chosen gives way only to another one that
// is, and none to an empty one.
func (tx *Tx) Rename(id ledger.MemberID, name string, chosen bool) (string, error) {
	m, err := tx.Member(id)
	if err != nil || m.Named && !chosen || name == "" {
		return m.Name, err
	}
	if m.Name, err = tx.freeName(id, name); err != nil {
		return "", err
	}
	m.Named = chosen
	return m.Name, tx.putMember(m)
}

// freeName is the name that the member gets who wants this one.
func (tx *Tx) freeName(id ledger.MemberID, name string) (string, error) {
	members, err := tx.Members()
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}
	for _, other := range members {
		if other.ID != id {
			taken[strings.ToLower(other.Name)] = true
		}
	}
	free := name
	for letter := 'B'; taken[strings.ToLower(free)]; letter++ {
		free = name + string(letter) // after Z whatever comes: it need only be another name
	}
	return free, nil
}

// Owner returns who looks after the machine: the first to join, unless SetOwner has
// named somebody else. False if nobody has joined.
func (tx *Tx) Owner() (Member, bool, error) {
	value, err := tx.get(bucketMeta, metaOwner)
	if err != nil {
		return Member{}, false, err
	}
	id := ledger.MemberID(1)
	if value != nil {
		id = ledger.MemberID(binary.BigEndian.Uint32(value))
	}
	if uint64(id) > tx.sequence(bucketMembers) {
		return Member{}, false, nil
	}
	m, err := tx.Member(id)
	return m, err == nil, err
}

// SetOwner makes the member the owner.
func (tx *Tx) SetOwner(id ledger.MemberID) error {
	if _, err := tx.Member(id); err != nil {
		return err
	}
	return tx.put(bucketMeta, metaOwner, id4(id))
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
