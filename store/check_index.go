package store

import (
	"bytes"
	"slices"
)

// index counts what the receipt must have in the indexes and looks it up there.
func (c *checker) index(r *Receipt) error {
	if r.Key != "" {
		c.counts.keys++
		if value, err := c.tx.get(bucketKeys, eventKey(r.Scope, r.Key)); err != nil {
			return err
		} else if len(value) != 8 || parseNumber(value) != r.Number {
			return c.problem("receipt %d is not found by its key", r.Number)
		}
	}
	if r.MessageID != "" {
		if err := c.message(r); err != nil {
			return err
		}
	}
	if err := c.answers(r); r.Kind == Other || err != nil {
		return err
	}
	c.counts.timeline++
	if value, err := c.tx.get(bucketTimeline, r.timelineKey()); err != nil {
		return err
	} else if !bytes.Equal(value, []byte{byte(r.Kind)}) {
		return c.problem("receipt %d is not in the timeline", r.Number)
	}
	return nil
}

// message compares the receipt with what the index knows of its message.
func (c *checker) message(r *Receipt) error {
	m, known, err := c.tx.messageByID(r.Scope, r.MessageID)
	if err != nil {
		return err
	}
	id, ok := string(messageKey(r.Scope, r.MessageID)), known
	switch {
	case r.About == Unsent:
		ok = ok && m.Unsent()
		if c.unsentAt[id].IsZero() {
			c.unsentAt[id] = r.At
		}
	case m.Unsent():
		ok = ok && len(r.Digest) == 0 && r.Asked == ""
		c.unsent[r.Number] = true
	}
	switch {
	case r.First != 0:
		ok = ok && m.Said == r.First && r.About == Said
	case r.About == Said:
		ok = ok && m.Said == r.Number && m.At.Equal(r.At)
		c.counts.said++
	case r.About == Edited:
		ok = ok && !m.EditedAt.Before(r.At)
		if m.EditedAt.Equal(r.At) {
			c.edited[id] = true
		}
	}
	if r.About != Unsent && r.First == 0 {
		c.counts.messages++
		ok = ok && slices.Contains(m.Receipts, r.Number)
	}
	if !ok {
		return c.problem("receipt %d is not what its message says", r.Number)
	}
	return nil
}

// answers looks up the answer to a question among the receipts of the message that was
// asked about.
func (c *checker) answers(r *Receipt) error {
	if r.Answers == 0 {
		return nil
	}
	question, err := c.tx.ReceiptByNumber(r.Answers)
	if err != nil {
		return err
	}
	if question == nil || r.Answers >= r.Number {
		return c.problem("receipt %d answers a question that is not there", r.Number)
	}
	seen := map[string]bool{}
	return c.tx.questions(question, func(q *Receipt) error {
		key := string(messageKey(q.Scope, q.MessageID))
		m, known, err := c.tx.messageByID(q.Scope, q.MessageID)
		if !known || seen[key] || err != nil {
			return err
		}
		seen[key] = true
		c.counts.messages++
		if !slices.Contains(m.Receipts, r.Number) {
			return c.problem("receipt %d answers a message that does not know it", r.Number)
		}
		return nil
	})
}

// indexes compares the number of entries: each receipt's entry is there, so one
// too many is one that points nowhere.
func (c *checker) indexes() error {
	n, err := c.count(bucketTimeline)
	if err == nil && n != c.counts.timeline {
		return c.problem("the timeline has %d entries, the receipts account for %d", n, c.counts.timeline)
	}
	return err
}

// keys goes over the bucket of that name, as indexes does, and makes sure that all
// that points to a receipt points to one.
func (c *checker) keys() error {
	keys, messages, said := 0, 0, 0
	err := c.tx.scan(bucketKeys, nil, nil, func(key, value []byte) error {
		_, rest, _ := bytes.Cut(key, []byte{0})
		if len(rest) == 0 {
			return c.problem("an entry of keys is of no kind")
		}
		switch kind := rest[0]; kind {
		case 'm':
			var record messageRecord
			if err := decode(bucketKeys, key, value, &record); err != nil {
				return err
			}
			messages += len(record.Receipts)
			if record.Said != 0 {
				said++
			}
			if !c.possible(string(key), record.message()) {
				return c.problem("a message is not what its receipts say")
			}
		case 'k', 's', 'o':
			if kind == 'k' {
				keys++
			}
			if len(value) != 8 || c.tx.btx.Bucket(bucketReceipts).Get(value) == nil {
				return c.problem("an entry of keys points to no receipt")
			}
		default:
			return c.problem("an entry of keys is of no kind")
		}
		return nil
	})
	if err == nil && (keys != c.counts.keys || messages != c.counts.messages || said != c.counts.said) {
		return c.problem("there are %d keys and %d receipts of messages, %d said; the receipts account for %d, %d and %d",
			keys, messages, said, c.counts.keys, c.counts.messages, c.counts.said)
	}
	return err
}

// possible says whether there were events that make the message what it is.
func (c *checker) possible(key string, m Message) bool {
	return (m.Said == 0) == m.At.IsZero() && (m.Text == "" || m.Said == 0 && !m.Unsent()) &&
		!m.EditedAt.IsZero() == c.edited[key] && m.UnsentAt.Equal(c.unsentAt[key])
}

func (c *checker) settings() error {
	err := c.tx.scan(bucketSettings, nil, nil, func(name, value []byte) error {
		if c.sets[string(name)] != string(value) {
			return c.problem("the setting %q is not what the receipts say", name)
		}
		delete(c.sets, string(name))
		return nil
	})
	for name, value := range c.sets {
		if err == nil && value != "" {
			return c.problem("the setting %q is missing", name)
		}
	}
	return err
}
