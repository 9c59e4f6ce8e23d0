package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"ichido/bot"
	"ichido/store"
)

var (
	// ErrNoMember says that nobody has the name.
	ErrNoMember = errors.New("there is no such member")
	// ErrOwner says that the household needs its owner.
	ErrOwner = errors.New("that is the owner, who hears of what goes wrong")
	// ErrGone says that a person does not belong to the household now.
	ErrGone = errors.New("that person is not in the household now")
	// ErrNoPages says that there are no web pages to get into.
	ErrNoPages = errors.New("there are no web pages")
	// ErrName says that a name is empty, too long, or a word that means something else.
	ErrName = errors.New("nobody can be called that")
)

// Invite lets one person join.
type Invite struct {
	Code  string    `json:"code"`
	Link  string    `json:"link,omitempty"` // opens the chat with the code in it; "" while the door knows none
	Until time.Time `json:"until"`
}

// String tells how to use it.
func (i Invite) String() string {
	lines := []string{i.Code}
	if i.Link != "" {
		lines = append(lines, i.Link)
	}
	how := fmt.Sprintf("lets one person in within %d minutes: add the bot as a friend in LINE and send it the code", int(store.InviteTime.Minutes()))
	if i.Link != "" {
		how += ", or open the link"
	}
	return strings.Join(append(lines, how), "\n")
}

// invite makes a code. It is in the answer only: the file keeps its hash.
func (c *server) invite(w http.ResponseWriter, r *http.Request) error {
	var invite Invite
	err := c.store.Update(r.Context(), func(tx *store.Tx) error {
		code, err := tx.NewInvite()
		if err != nil {
			return err
		}
		link, err := tx.InviteLink(code)
		invite = Invite{code, link, tx.Now().Add(store.InviteTime)}
		return err
	})
	if err != nil {
		return err
	}
	return sendJSON(w, invite)
}

// Link lets a member into the web pages, once.
type Link struct {
	Link  string    `json:"link"`
	Until time.Time `json:"until"`
}

// String tells how to use it.
func (l Link) String() string {
	return fmt.Sprintf("%s\nlets this person in once, within %d minutes", l.Link, int(store.LinkTime.Minutes()))
}

// link makes a link for the member that "who" names. It is in the answer only: the file
// keeps its hash.
func (c *server) link(w http.ResponseWriter, r *http.Request) error {
	var link Link
	err := c.store.Update(r.Context(), func(tx *store.Tx) error {
		m, err := member(tx, r.FormValue("who"))
		if err != nil {
			return err
		}
		if !m.Active() {
			return fmt.Errorf("%s: %w", r.FormValue("who"), ErrGone)
		}
		secret, err := tx.Grant(store.Link, m.ID, "")
		if err != nil {
			return err
		}
		address, err := tx.WebLink(secret)
		if address == "" && err == nil {
			err = ErrNoPages
		}
		link = Link{address, tx.Now().Add(store.LinkTime)}
		return err
	})
	if err != nil {
		return err
	}
	return sendJSON(w, link)
}

// member finds who is meant: by name, by number, or by the ID that LINE has for
// the person.
func member(tx *store.Tx, who string) (store.Member, error) {
	members, err := tx.Members()
	if err != nil {
		return store.Member{}, err
	}
	for _, is := range []func(store.Member) bool{
		func(m store.Member) bool { return m.Name != "" && strings.EqualFold(m.Name, who) },
		func(m store.Member) bool { return strconv.Itoa(int(m.ID)) == who || m.Person == who },
	} {
		for _, m := range members {
			if is(m) {
				return m, nil
			}
		}
	}
	return store.Member{}, fmt.Errorf("%s: %w", who, ErrNoMember)
}

// alter changes the member that "who" names and answers how the member is then.
func (c *server) alter(change func(tx *store.Tx, m store.Member, r *http.Request) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var now Member
		err := c.store.Update(r.Context(), func(tx *store.Tx) error {
			m, err := member(tx, r.FormValue("who"))
			if err != nil {
				return err
			}
			if err := change(tx, m, r); err != nil {
				return fmt.Errorf("%s: %w", r.FormValue("who"), err)
			}
			if m, err = tx.Member(m.ID); err != nil {
				return err
			}
			now, err = view(tx, m)
			return err
		})
		if err != nil {
			return err
		}
		return sendJSON(w, now)
	}
}

func remove(tx *store.Tx, m store.Member, _ *http.Request) error {
	owner, _, err := tx.Owner()
	switch {
	case err != nil:
		return err
	case !m.Removed.IsZero():
		return ErrGone
	case m.ID == owner.ID:
		return ErrOwner
	}
	return tx.Remove(m.ID)
}

func rename(tx *store.Tx, m store.Member, r *http.Request) error {
	name := r.FormValue("name")
	clean := bot.CleanName(name)
	if clean == "" || len([]rune(clean)) < len([]rune(strings.TrimSpace(name))) {
		return ErrName
	}
	_, err := tx.Rename(m.ID, clean, true)
	return err
}

func setOwner(tx *store.Tx, m store.Member, _ *http.Request) error {
	if !m.Active() {
		return ErrGone
	}
	return tx.SetOwner(m.ID)
}

// Invite makes a code that lets one person join.
func (c *Client) Invite(ctx context.Context) (invite Invite, err error) {
	return invite, c.post(ctx, "/invite", nil, &invite)
}

// RemoveMember takes a member's access away; the rows stay.
func (c *Client) RemoveMember(ctx context.Context, who string) (m Member, err error) {
	return m, c.post(ctx, "/members/remove", url.Values{"who": {who}}, &m)
}

// RenameMember gives a member another name, with a letter behind it if somebody
// else has it.
func (c *Client) RenameMember(ctx context.Context, who, name string) (m Member, err error) {
	return m, c.post(ctx, "/members/rename", url.Values{"who": {who}, "name": {name}}, &m)
}

// SetOwner makes a member the owner.
func (c *Client) SetOwner(ctx context.Context, who string) (m Member, err error) {
	return m, c.post(ctx, "/members/owner", url.Values{"who": {who}}, &m)
}
