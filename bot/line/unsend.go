package line

import "ichido/store"

// A message that is taken back is forgotten wherever it is: by the store in the
// file, here in the parked events, on the disk and in memory.

// unsend is what the event does in its transaction besides. In a chat where the
// door does not listen it is none of ours, unless the message is.
func (h *handling) unsend(tx *store.Tx) (err error) {
	if h.forgotten, err = unpark(tx, h.event.message.id); err != nil {
		return err
	}
	if held := len(tx.Message().Receipts) > 0 || len(h.forgotten) > 0; !held && !h.open {
		return store.Leave
	}
	return nil
}

// takesBackParked says whether the event takes back what is parked. Anybody may.
func (h *handling) takesBackParked() bool {
	if h.event.kind != unsent {
		return false
	}
	var parked []store.Parked
	err := h.door.store.View(func(tx *store.Tx) (err error) {
		parked, err = parkedOf(tx, h.event.message.id)
		return err
	})
	return err == nil && len(parked) > 0
}

// unpark forgets the parked events that bring or change the message, and returns
// their keys.
func unpark(tx *store.Tx, messageID string) (keys []string, err error) {
	parked, err := parkedOf(tx, messageID)
	for _, p := range parked {
		if err == nil {
			err = tx.Unpark(p.Scope, p.Key)
		}
		keys = append(keys, p.Key)
	}
	return keys, err
}

func parkedOf(tx *store.Tx, messageID string) (found []store.Parked, err error) {
	all, err := tx.AllParked(Scope)
	for _, p := range all {
		if decode(p.Event).message.id == messageID {
			found = append(found, p)
		}
	}
	return found, err
}
