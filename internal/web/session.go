package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"ichido/bot"
	"ichido/store"
)

// A cookie with the prefix __Host- is only sent by TLS and by no other host. Browsers
// refuse it without TLS, so that on loopback it has a plain name.
const (
	secureCookie = "__Host-ichido"
	plainCookie  = "ichido"
)

func (d *Door) cookieName() string {
	if d.secure() {
		return secureCookie
	}
	return plainCookie
}

// authenticate finds out who asks, if the route needs to know.
func (v *visit) authenticate(n need) error {
	switch n {
	case anybody:
		if !v.entries.allow(address(v.r), v.at) {
			return tooOften
		}
		return nil
	case inProgram:
		values := v.r.Header.Values("Authorization")
		if len(values) != 1 {
			return noToken
		}
		scheme, token, ok := strings.Cut(values[0], " ")
		if !ok || !strings.EqualFold(scheme, "Bearer") {
			return noToken
		}
		return v.identify(store.Token, token)
	}
	cookie, err := v.r.Cookie(v.cookieName())
	if err != nil {
		return notIn
	}
	return v.identify(store.Session, cookie.Value)
}

var tooOften = &refusal{status: http.StatusTooManyRequests, again: true, says: bot.NewPhrase("少し待ってから、もう一度試してください。今回は何もしていません。", "Please wait a moment and try again. This request has done nothing.")}

var noToken = &refusal{status: http.StatusUnauthorized, says: bot.NewPhrase("Authorization: Bearer に続けて、トークンを送ってください。", "Send your token as Authorization: Bearer.")}

// identify finds the member whom the secret lets in.
func (v *visit) identify(kind store.AccessKind, secret string) error {
	stale := false
	err := v.Store.View(func(tx *store.Tx) (err error) {
		if v.access, v.member, stale, err = tx.Access(kind, secret); err != nil {
			return err
		}
		if v.member.Admitted && !v.Admit(v.member.Person) {
			return store.ErrNoAccess // the configuration does not let him in any more
		}
		v.voice, err = bot.VoiceOf(tx, v.member.ID)
		return err
	})
	if err != nil {
		v.member = store.Member{}
		return err
	}
	v.secret = secret
	if !v.calls.allow(fmt.Sprint(v.member.ID), v.at) {
		return tooOften
	}
	if !stale {
		return nil
	}
	if kind == store.Session {
		v.setCookie(secret, store.SessionTime)
	}
	go v.touch(kind, secret) // nobody waits for the writer only to look at something
	return nil
}

// touch notes that the secret has been used.
func (d *Door) touch(kind store.AccessKind, secret string) {
	ctx, cancel := context.WithTimeout(context.Background(), d.Patience)
	defer cancel()
	err := d.Store.Update(ctx, func(tx *store.Tx) error { return tx.Touch(kind, secret) })
	if err != nil && !errors.Is(err, store.ErrNoAccess) && !errors.Is(err, store.ErrClosed) {
		d.Log.Warn("the use of a session or token could not be noted", "error", err)
	}
}

func (v *visit) setCookie(value string, lasts time.Duration) {
	http.SetCookie(v.w, &http.Cookie{
		Name: v.cookieName(), Value: value, Path: "/", MaxAge: int(lasts / time.Second),
		HttpOnly: true, Secure: v.secure(), SameSite: http.SameSiteLaxMode,
	})
}

// offerEntry shows a button: whoever fetches the address for a preview must not use the
// link up.
func (v *visit) offerEntry() error {
	v.page(http.StatusOK, "enter.html", map[string]any{})
	return nil
}

// enter uses the link up.
func (v *visit) enter() error {
	session := ""
	err := v.Store.Update(v.r.Context(), func(tx *store.Tx) (err error) {
		session, v.member, err = tx.Follow(v.r.PathValue("link"), browser(v.r.UserAgent()))
		if err == nil && v.member.Admitted && !v.Admit(v.member.Person) {
			return store.ErrNoAccess
		}
		return err
	})
	if err != nil {
		return err
	}
	v.setCookie(session, store.SessionTime)
	return v.redirect("/")
}

// browser names the browser and the machine, as far as people know them.
func browser(agent string) string {
	find := func(names ...string) string {
		for _, name := range names {
			if strings.Contains(agent, name) {
				return strings.TrimSuffix(name, "/")
			}
		}
		return ""
	}
	program := find("Line/", "Edg/", "Firefox/", "CriOS/", "Chrome/", "Safari/")
	return strings.TrimSpace(program + " " + find("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux"))
}

// leave ends the session.
func (v *visit) leave() error {
	err := v.Store.Update(v.r.Context(), func(tx *store.Tx) error {
		_, err := tx.Revoke(v.member.ID, v.access.ID)
		return err
	})
	if err != nil {
		return err
	}
	v.setCookie("", -time.Second)
	v.member = store.Member{}
	v.page(http.StatusOK, "refusal.html", map[string]any{
		"Title": v.voice.Say("出ました", "You are out"),
		"Says":  v.voice.Say("また入るときは、LINEで「ウェブ」と送ってください。", "To get in again, send “web” in LINE."),
	})
	return nil
}

func (v *visit) listAccess() error { return v.accessPage("") }

// accessPage lists the member's sessions and tokens, and shows one that is new.
func (v *visit) accessPage(token string) error {
	var all []store.Access
	err := v.Store.View(func(tx *store.Tx) (err error) {
		all, err = tx.Accesses(v.member.ID)
		return err
	})
	if err != nil {
		return err
	}
	v.page(http.StatusOK, "access.html", map[string]any{"All": all, "This": v.access.ID, "Token": token, "Zone": v.Zone})
	return nil
}

func (v *visit) revoke() error {
	err := v.Store.Update(v.r.Context(), func(tx *store.Tx) error {
		_, err := tx.Revoke(v.member.ID, v.r.PathValue("id"))
		return err
	})
	if err != nil {
		return err
	}
	return v.redirect("/access")
}

// makeToken shows a new token, once.
func (v *visit) makeToken() error {
	label := strings.TrimSpace(v.r.PostFormValue("label"))
	if label == "" || len([]rune(label)) > maxLabel {
		return refuse(http.StatusUnprocessableEntity, "トークンの名前を、30文字までで書いてください。", "Give the token a name of up to 30 characters.")
	}
	token := ""
	err := v.Store.Update(v.r.Context(), func(tx *store.Tx) (err error) {
		token, err = tx.Grant(store.Token, v.member.ID, label)
		return err
	})
	if err != nil {
		return err
	}
	return v.accessPage(token)
}

const maxLabel = 30
