package store

import "slices"

// A setting is what the household has decided about its ledger ("wallet": one for
// all). It changes by receipts, as rows do, so that it can be taken back. "" is
// the same as never set.

// SettingChange is a setting before and after.
type SettingChange struct{ Name, Before, After string }

// Setting returns the value of the setting, "" if it was never set.
func (tx *Tx) Setting(name string) (string, error) {
	value, err := tx.get(bucketSettings, []byte(name))
	return string(value), err
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
		switch now {
		case c.Before:
		case c.After:
			changes = append(changes, SettingChange{c.Name, now, c.Before})
		default:
			return nil, ErrChanged
		}
		reverted[c.Name] = c.Before
	}
	return changes, nil
}
