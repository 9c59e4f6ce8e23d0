package store_test

import (
	"errors"
	"testing"
	"time"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

// door is a household whose clock the test moves.
type door struct {
	t     *testing.T
	store *store.Store
	now   time.Time
	taro  ledger.MemberID
}

func newDoor(t *testing.T) *door {
	d := &door{t: t, now: after(0)}
	d.store = storetest.NewAt(t, func() time.Time { return d.now })
	d.update(func(tx *store.Tx) error {
		m, err := tx.Join(storetest.Taro, "太郎")
		d.taro = m.ID
		return err
	})
	return d
}

func (d *door) update(fn func(*store.Tx) error) {
	d.t.Helper()
	if err := d.store.Update(d.t.Context(), fn); err != nil {
		d.t.Fatal(err)
	}
}

func (d *door) grant(kind store.AccessKind) (secret string) {
	d.t.Helper()
	d.update(func(tx *store.Tx) (err error) {
		secret, err = tx.Grant(kind, d.taro, "")
		return err
	})
	return secret
}

// opens says whether the secret opens what the kind says.
func (d *door) opens(kind store.AccessKind, secret string) bool {
	d.t.Helper()
	err := d.store.View(func(tx *store.Tx) error {
		_, m, _, err := tx.Access(kind, secret)
		if err == nil && m.ID != d.taro {
			d.t.Errorf("it is access of member %d", m.ID)
		}
		return err
	})
	if err != nil && !errors.Is(err, store.ErrNoAccess) {
		d.t.Fatal(err)
	}
	return err == nil
}

func (d *door) touch(secret string) error {
	return d.store.Update(d.t.Context(), func(tx *store.Tx) error { return tx.Touch(store.Session, secret) })
}

func (d *door) follow(link string) (session string, err error) {
	err = d.store.Update(d.t.Context(), func(tx *store.Tx) (err error) {
		session, _, err = tx.Follow(link, "")
		return err
	})
	return session, err
}

func TestLinkOpensOneSession(t *testing.T) {
	d := newDoor(t)
	link := d.grant(store.Link)
	if d.opens(store.Session, link) || d.opens(store.Token, link) || d.opens(store.Link, link+"x") || d.opens(store.Link, "") {
		t.Error("a link opens what it should not")
	}
	session, err := d.follow(link)
	if err != nil || !d.opens(store.Session, session) {
		t.Fatal("a link opens no session:", err)
	}
	if _, err := d.follow(link); !errors.Is(err, store.ErrNoAccess) {
		t.Error("a link opens two sessions:", err)
	}
	late := d.grant(store.Link)
	d.now = d.now.Add(store.LinkTime)
	if _, err := d.follow(late); !errors.Is(err, store.ErrNoAccess) {
		t.Error("a link is good after ten minutes:", err)
	}
}

func TestSessionLastsWhileItIsUsed(t *testing.T) {
	d := newDoor(t)
	session := d.grant(store.Session)
	for range 3 {
		d.now = d.now.Add(store.SessionTime - time.Hour)
		if err := d.touch(session); err != nil {
			t.Fatal(err)
		}
	}
	d.now = d.now.Add(store.SessionTime)
	if d.opens(store.Session, session) {
		t.Error("a session that nobody used for 30 days is open")
	}
	if err := d.touch(session); !errors.Is(err, store.ErrNoAccess) {
		t.Error("a session that is over can be brought back:", err)
	}
}

func TestTokenLastsUntilItIsRevoked(t *testing.T) {
	d := newDoor(t)
	token, other := d.grant(store.Token), d.grant(store.Token)
	d.now = d.now.AddDate(5, 0, 0)
	if !d.opens(store.Token, token) {
		t.Fatal("a token ends by itself")
	}
	d.update(func(tx *store.Tx) error {
		a, _, _, err := tx.Access(store.Token, token)
		if err != nil {
			return err
		}
		if n, err := tx.Revoke(d.taro+1, a.ID); n != 0 || err != nil {
			t.Errorf("somebody else revokes it: %d, %v", n, err)
		}
		n, err := tx.Revoke(d.taro, a.ID)
		if n != 1 {
			t.Errorf("%d were revoked", n)
		}
		return err
	})
	if d.opens(store.Token, token) || !d.opens(store.Token, other) {
		t.Error("another one was revoked")
	}
}

// Whoever leaves the household, or is sent away, is out at once, and in again with what
// there was before only by coming back.
func TestWhoLeavesIsOut(t *testing.T) {
	d := newDoor(t)
	session, token, link := d.grant(store.Session), d.grant(store.Token), d.grant(store.Link)
	d.update(func(tx *store.Tx) error { return tx.Remove(d.taro) })
	if d.opens(store.Session, session) || d.opens(store.Token, token) || d.opens(store.Link, link) {
		t.Error("somebody who was removed is in")
	}
	if _, err := d.follow(link); !errors.Is(err, store.ErrNoAccess) {
		t.Error("and gets in with a link:", err)
	}
}

func TestAccessIsListed(t *testing.T) {
	d := newDoor(t)
	d.grant(store.Link)
	session := d.grant(store.Session)
	d.now = d.now.Add(time.Minute)
	d.grant(store.Token)
	if err := d.touch(session); err != nil {
		t.Fatal(err)
	}
	list := func() (all []store.Access) {
		err := d.store.View(func(tx *store.Tx) (err error) {
			all, err = tx.Accesses(d.taro)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	all := list()
	if len(all) != 2 || all[0].Kind != store.Token || all[1].Kind != store.Session || !all[1].Used.Equal(d.now) || len(all[0].ID) != 8 || all[0].ID == all[1].ID {
		t.Errorf("there are %+v", all)
	}
	d.now = d.now.Add(2 * store.SessionTime)
	d.grant(store.Token) // forgets what is over
	if all := list(); len(all) != 2 || all[0].Kind != store.Token || all[1].Kind != store.Token {
		t.Errorf("after the session is over there are %+v", all)
	}
}

// A restored copy opens nothing: what was revoked since would open again.
func TestRestoredCopyOpensNothing(t *testing.T) {
	d := newDoor(t)
	session, token := d.grant(store.Session), d.grant(store.Token)
	d.update(func(tx *store.Tx) error { return tx.Resume() })
	if d.opens(store.Session, session) || d.opens(store.Token, token) {
		t.Error("it opens something")
	}
}
