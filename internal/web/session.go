package web

import (
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
		if !v.entries.allow(address(v.r)) {
			return refuse(http.StatusTooManyRequests, "少し待ってから、もう一度開いてください。", "Please wait a moment and open it again.")
		}
		return nil
	case inProgram:
		token, ok := strings.CutPrefix(v.r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			return noToken
		}
		if err := v.identify(store.Token, token); err != nil {
			return err
		}
		if !v.calls.allow(fmt.Sprint(v.member.ID)) {
			return refuse(http.StatusTooManyRequests, "少し待ってから、もう一度送ってください。", "Please wait a moment and send it again.")
		}
		return nil
	}
	cookie, err := v.r.Cookie(v.cookieName())
	if err != nil {
		return notIn
	}
	return v.identify(store.Session, cookie.Value)
}

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
	if !stale {
		return nil
	}
	if err := v.Store.Update(v.r.Context(), func(tx *store.Tx) error { return tx.Touch(kind, secret) }); err != nil {
		v.Log.Warn("the use of a session or token could not be noted", "error", err)
	} else if kind == store.Session {
		v.setCookie(secret, store.SessionTime)
	}
	return nil
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
	v.page(http.StatusOK, "enter.html", map[string]any{"Link": v.r.PathValue("link")})
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
	v.page(http.StatusOK, "refusal.html", map[string]any{"Says": v.voice.Say("出ました。", "You are out.")})
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
	label := strings.TrimSpace(v.r.FormValue("label"))
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
