package store

import (
	"slices"
	"strings"

	"ichido/internal/ledger"
)

// What a repair makes of messages: what was unsent is forgotten, and each message knows the
// receipts that tell of it.

// takeMessages reads what the file says of messages. What stray versions say of the time at
// which one was taken back counts, too: that is never changed.
func (p *replay) takeMessages() {
	read := func(key string, value []byte) (m Message, ok bool) {
		var record messageRecord
		ok = isMessageKey(key) && decode(bucketKeys, []byte(key), value, &record) == nil
		return record.message(), ok
	}
	for key, versions := range p.stray[string(bucketKeys)] {
		for _, value := range versions {
			m, ok := read(key, value)
			for _, n := range m.Receipts {
				ok = ok && n <= p.last
			}
			old := p.noted[key]
			newer := m.Unsent() && !old.Unsent() || m.Unsent() == old.Unsent() && len(m.Receipts) >= len(old.Receipts)
			if ok && newer {
				p.noted[key] = m
			}
		}
	}
	for key, value := range p.scraps.sure[string(bucketKeys)] {
		if m, ok := read(key, value); ok {
			p.noted[key] = m
		}
	}
}

func isMessageKey(key string) bool {
	_, rest, _ := strings.Cut(key, "\x00")
	return strings.HasPrefix(rest, "m")
}

// parts of a message's key.
func parseMessageKey(key string) (scope, id string) {
	scope, rest, _ := strings.Cut(key, "\x00")
	return scope, strings.TrimPrefix(rest, "m")
}

// messageOf are the keys of the message that the receipt is of and of those about which
// it answers a question.
func (p *replay) messagesOf(r *Receipt) (keys []string) {
	for r != nil {
		if r.MessageID != "" && r.About != Unsent {
			keys = append(keys, string(messageKey(r.Scope, r.MessageID)))
		}
		if r.Answers >= r.Number {
			return keys
		}
		r = p.receipts[r.Answers]
	}
	return keys
}

// forget takes texts out of all receipts, as unsend does, of messages that were unsent. It
// does so too where nobody can tell: the receipt is a stray version, what the file says of
// its message is lost and so are receipts after it, and no sure record shows the texts.
func (p *replay) forget() {
	unsent := p.unsends()
	for key, m := range p.noted {
		unsent[key] = unsent[key] || m.Unsent()
	}
	listed := map[ledger.ReceiptNumber]bool{}
	for key, m := range p.noted {
		for _, n := range m.Receipts {
			listed[n] = listed[n] || unsent[key]
		}
	}
	shown, doubtful := p.shown(), p.lastGap()
	gone, taught := map[ledger.RowID]bool{}, map[string]bool{}
	for _, r := range p.receipts {
		keys := p.messagesOf(r)
		certain := slices.ContainsFunc(keys, func(key string) bool { return unsent[key] }) || listed[r.Number]
		doubt := !p.sure[r.Number] && r.Number < doubtful && slices.ContainsFunc(keys, func(key string) bool {
			return p.scraps.sure[string(bucketKeys)][key] == nil
		})
		if certain || doubt {
			r.Asked = ""
		}
		if r.MessageID == "" && certain || doubt || r.MessageID != "" && unsent[string(messageKey(r.Scope, r.MessageID))] && r.About != Unsent {
			r.Digest = nil
		}
		for _, c := range r.Changes {
			if c.Before == nil && (certain || doubt && !shown[c.After.ID]) {
				gone[c.After.ID] = true
				if !certain && hasText(c.After) {
					p.untold[c.After.ID.Receipt] = true
				}
			}
		}
		for _, c := range r.Settings {
			taught[c.Name] = taught[c.Name] || certain && strings.HasPrefix(c.Name, WordSetting)
		}
	}
	for _, r := range p.receipts {
		for _, c := range slices.Concat(r.Changes, r.Covered) {
			if gone[c.After.ID] {
				scrubRow(c.Before)
				scrubRow(c.After)
			}
		}
		r.Settings = slices.DeleteFunc(r.Settings, func(c SettingChange) bool { return taught[c.Name] })
	}
}

// unsends are the keys of the messages that receipts have taken back.
func (p *replay) unsends() map[string]bool {
	unsent := map[string]bool{}
	for _, r := range p.receipts {
		if r.About == Unsent {
			unsent[string(messageKey(r.Scope, r.MessageID))] = true
		}
	}
	return unsent
}

// shown says of which rows sure records show texts: these were not forgotten.
func (p *replay) shown() map[ledger.RowID]bool {
	shown := map[ledger.RowID]bool{}
	for n := range p.sure {
		for _, c := range p.receipts[n].Changes {
			shown[c.After.ID] = shown[c.After.ID] || hasText(c.After)
		}
	}
	for _, r := range p.stored() {
		shown[r.ID] = shown[r.ID] || hasText(r)
	}
	return shown
}

// lastGap is the largest number that is lost; one beyond all if later ones may have been.
func (p *replay) lastGap() ledger.ReceiptNumber {
	if p.isLost(bucketReceipts, numberKey(p.last+1)) {
		return p.last + 1
	}
	for n := p.last; n > 0; n-- {
		if p.receipts[n] == nil && p.isLost(bucketReceipts, numberKey(n)) {
			return n
		}
	}
	return 0
}

// referMessage makes substitutes for the lost receipts of a message.
func (p *replay) referMessage(key string, m Message, unsends map[string]bool) {
	scope, id := parseMessageKey(key)
	of := func(n ledger.ReceiptNumber, about About) *Receipt {
		r := p.need(n)
		if p.substitutes[n] && r.MessageID == "" {
			r.Scope, r.MessageID, r.About = scope, id, about
		}
		return r
	}
	if m.Said != 0 && (p.receipts[m.Said] == nil || p.substitutes[m.Said]) {
		of(m.Said, Said).At = m.At
	}
	for i, n := range m.Receipts {
		switch {
		case n == 0 || p.receipts[n] != nil && !p.substitutes[n] || n == m.Said:
		case !m.EditedAt.IsZero():
			of(n, Edited).At = m.EditedAt
		case i > 0: // nothing else can have come after the message itself
			p.need(n).Answers = m.Receipts[i-1]
		}
	}
	if !m.Unsent() {
		return
	}
	if unsends[key] {
		return
	}
	r := p.unused(slices.Max(append(m.Receipts, 0)))
	r.Scope, r.MessageID, r.About, r.At = scope, id, Unsent, m.UnsentAt
}

// makeMessages makes of the receipts what is known of messages, as keepMessage and Answers
// do.
func (p *replay) makeMessages() {
	for _, n := range p.numbers() {
		r := p.receipts[n]
		if q := p.receipts[r.Answers]; q != nil && q.About == Unsent {
			r.Answers = 0 // nobody is asked when a message is unsent: the number of a lost question was taken for that
		}
		for _, key := range p.messagesOf(p.receipts[r.Answers]) {
			if m := p.messages[key]; m != nil && !slices.Contains(m.Receipts, n) {
				m.Receipts = append(m.Receipts, n)
			}
		}
		if r.MessageID == "" {
			continue
		}
		key := string(messageKey(r.Scope, r.MessageID))
		m := p.messages[key]
		if m == nil {
			m = &Message{}
			p.messages[key] = m
		}
		if r.About == Said && m.Said != 0 {
			r.First = m.Said
			continue
		}
		if r.About == Said {
			r.First = 0
		}
		m.note(r)
	}
	for key, m := range p.messages {
		if m.Said == 0 && !m.Unsent() {
			m.Text = p.noted[key].Text
		}
	}
}
