package store

import (
	"bytes"
	"slices"

	"ichido/internal/ledger"
)

func (c *checker) outbox() error {
	carried := map[OutboxID]int{} // less the owners of each
	err := c.tx.SettledOutgoing(func(o Outgoing) error {
		if o.State == Carried {
			carried[o.ID]++
		}
		if o.State == Pending || len(o.Carries) > 0 {
			return c.problem("outgoing message %d is %v and stands in the wrong place", o.ID, o.State)
		}
		return c.outgoing(o)
	})
	if err != nil {
		return err
	}
	err = c.tx.PendingOutgoing(func(o Outgoing) error {
		for _, id := range o.Carries {
			carried[id]--
		}
		if o.State != Pending {
			return c.problem("outgoing message %d is %v and stands in the wrong place", o.ID, o.State)
		}
		return c.outgoing(o)
	})
	for id, n := range carried {
		if err == nil && n != 0 {
			return c.problem("outgoing message %d goes along with none, or with several", id)
		}
	}
	return err
}

// unsaid verifies that what is to be named was not said.
func (c *checker) unsaid() error {
	return c.tx.scan(bucketUnsaid, nil, nil, func(key, _ []byte) error {
		id := OutboxID(parseNumber(key[len(key)-8:]))
		o, _, err := c.tx.Outgoing(id)
		if err == nil && (o.State != Expired || !bytes.Equal(key, unsaidKey(o.Chat, id))) {
			return c.problem("outgoing message %d is to be named and has not expired", id)
		}
		return err
	})
}

// outgoing verifies what the message tells of.
func (c *checker) outgoing(o Outgoing) error {
	if o.Receipt == 0 && o.Notice == "" {
		return c.problem("outgoing message %d tells of nothing", o.ID)
	}
	for _, n := range slices.Concat([]ledger.ReceiptNumber{o.Receipt}, o.Of) {
		if n == 0 {
			continue
		}
		if c.tx.btx.Bucket(bucketReceipts).Get(numberKey(n)) == nil {
			return c.problem("outgoing message %d has no receipt", o.ID)
		}
		if c.unsent[n] && len(o.Payload) > 0 {
			return c.problem("outgoing message %d tells of an unsent message", o.ID)
		}
	}
	return nil
}
