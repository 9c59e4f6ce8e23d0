package bot

import (
	"fmt"

	"ichido/internal/ledger"
	"ichido/store"
)

// languageSetting begins the names of the settings in which members have chosen the
// languages of their answers; behind it stands the member's number. Notices to the owner
// are in the owner's language. What a member of the household says is read in all
// languages, whichever is chosen.
const languageSetting = "language/"

// languages are the voices by the values of the setting, which are also those of a
// grammar command.
var languages = map[string]Voice{"": Japanese, "ja": Japanese, "en": English}

func languageOf(m ledger.MemberID) string { return fmt.Sprint(languageSetting, m) }

// VoiceOf gives the voice for a member. 0 and whoever has chosen none are answered in
// Japanese.
func VoiceOf(tx *store.Tx, m ledger.MemberID) (Voice, error) {
	value, err := tx.Setting(languageOf(m))
	return languages[value], err
}

// setLanguage lets the sender be answered in another language, from this answer on.
func (t *turn) setLanguage() (Reply, error) {
	voice, known := languages[t.cmd.Value]
	switch {
	case t.cmd.Value == "":
		return said(t.text(howToSetLanguage)), nil
	case t.sender == 0:
		return said(t.text(whoAreYou)), nil
	case !known:
		return said(t.noSuchLanguage(t.cmd.Value)), nil
	case voice == t.Voice:
		return said(t.text(languageIsAlready)), nil
	}
	value := t.cmd.Value
	if voice == Japanese {
		value = ""
	}
	t.Voice = voice
	return t.set(languageOf(t.sender), value)
}
