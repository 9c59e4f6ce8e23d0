package store

import (
	"slices"
	"strings"
)

// A setting is what the household has decided about its ledger. It changes by
// receipts, as rows do, so that it can be taken back. "" is the same as never set.
// These are all:
//
//	"wallet"              "shared" for one of all, "" for each member's own
//	"word/" key           what is taught for an item: its category, a tab, the item as typed
//	"budget/" category    yen a month in digits; of everything for no category
//	"category/" name      name of an own category; another one if renamed, or merged into that
//	"account/" name       the same name: an account word of the household's own
//	"notify"             the chat that is told of entries of pages and programs, "" for none
//	"language/" member     the language in which the member is answered; "" is Japanese
//
// The store itself only reads the categories, and forgets words; what the others mean is
// the bot's business.

// WordSetting begins the names of settings that have words of messages in them. They are
// forgotten when the message is unsent that taught them.
const WordSetting = "word/"

// SettingChange is a setting before and after.
type SettingChange struct{ Name, Before, After string }

// Setting returns the value of the setting, "" if it was never set.
func (tx *Tx) Setting(name string) (string, error) {
	value, err := tx.get(bucketSettings, []byte(name))
	return string(value), err
}

// Settings calls each for the settings of which the names begin with the prefix, in
// the order of their names, which come without it.
func (tx *Tx) Settings(prefix string, each func(name, value string) error) error {
	return tx.scan(bucketSettings, []byte(prefix), prefixEnd([]byte(prefix)), func(name, value []byte) error {
		return each(string(name[len(prefix):]), string(value))
	})
}

// Set changes the setting and adds the change to the receipt of the event that is
// being handled. A value that is set already is no change.
func (tx *Tx) Set(name, value string) error {
	if tx.receipt == nil {
		return errNoEvent
	}
	before, err := tx.Setting(name)
	if err != nil || before == value {
		return err
	}
	tx.receipt.Settings = append(tx.receipt.Settings, SettingChange{name, before, value})
	return tx.putSetting(name, value)
}

func (tx *Tx) putSetting(name, value string) error {
	if value == "" {
		return tx.delete(bucketSettings, []byte(name))
	}
	return tx.put(bucketSettings, []byte(name), []byte(value))
}

// revertSettings gives what takes back the receipt's changes of settings: the
// last one first, and of what is back already none.
func (tx *Tx) revertSettings(target *Receipt) (changes []SettingChange, err error) {
	reverted := map[string]string{} // as the changes leave them
	for _, c := range slices.Backward(target.Settings) {
		now, again := reverted[c.Name]
		if !again {
			if now, err = tx.Setting(c.Name); err != nil {
				return nil, err
			}
		}
		switch {
		case now == c.Before:
		case now == c.After:
			changes = append(changes, SettingChange{c.Name, now, c.Before})
		case strings.HasPrefix(c.Name, WordSetting) && len(target.Changes) > 0:
			continue // it was taught along with a row, which goes back all the same
		default:
			return nil, ErrChanged
		}
		reverted[c.Name] = c.Before
	}
	return changes, nil
}
