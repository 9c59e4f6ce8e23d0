package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"ichido/internal/ledger"
)

// maxProblems is how many problems a check collects before it stops.
const maxProblems = 20

// Check verifies every invariant of the file and returns all that is wrong with
// it joined into one error, or nil:
//
//   - bbolt's pages are sound and every record has its checksum
//   - every row follows from the changes of the receipts, and a receipt's changes
//     fit what was there
//   - each index points to what points back to it, and a message is what the
//     receipts say that tell of it
//   - of a message that was unsent there is no digest, no text and no standing row
//   - settings follow from the receipts
//   - a running balance is the sum of its account's rows, an adjustment is what
//     was stated less what the books had
//   - a month's totals are those of its rows
//   - outgoing messages have a receipt or are a notice, and one that goes along with
//     another does so with one only; what is to be named has expired
//
// It needs memory for all rows. The program runs it in a child process, because
// damage can kill the process that reads it.
func (s *Store) Check() error { return s.View((*Tx).checkAll) }

func (tx *Tx) checkAll() error {
	var first error
	for err := range tx.btx.Check() { // to the end: it runs in a goroutine of its own
		if first == nil {
			first = err
		}
	}
	if first != nil {
		return first // nothing else makes sense then
	}
	if err := errors.Join(tx.checkSums(), tx.checkSequences()); err != nil {
		return err
	}
	c := checker{
		tx: tx, rows: map[ledger.RowID]*ledger.Row{}, sets: map[string]string{},
		unsent: map[ledger.ReceiptNumber]bool{}, edited: map[string]bool{}, unsentAt: map[string]time.Time{},
	}
	for _, step := range []func() error{c.receipts, c.indexes, c.keys, c.settings, c.ledgerRows, c.accounts, c.statements, c.totals, c.members, c.outbox, c.unsaid} {
		if err := step(); err == errEnough {
			break
		} else if err != nil {
			return errors.Join(append(c.problems, err)...)
		}
	}
	return errors.Join(c.problems...)
}

// errEnough ends a check that has found maxProblems.
var errEnough = errors.New("enough problems")

// checkSums verifies the checksum of every record.
func (tx *Tx) checkSums() error {
	for _, name := range buckets {
		if err := tx.scan(name, nil, nil, func(_, _ []byte) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// checkSequences verifies that no number will be given out a second time.
func (tx *Tx) checkSequences() error {
	last := func(bucket []byte) uint64 {
		key, _ := tx.btx.Bucket(bucket).Cursor().Last()
		switch len(key) {
		case 4:
			return uint64(binary.BigEndian.Uint32(key))
		case 8:
			return binary.BigEndian.Uint64(key)
		}
		return 0
	}
	for _, bucket := range [][]byte{bucketReceipts, bucketAccounts, bucketMembers} {
		if given, used := tx.sequence(bucket), last(bucket); used > given {
			return damage(bucket, nil, fmt.Sprintf("number %d is used, but only %d were given out", used, given))
		}
	}
	return tx.outgoingRange(nil, nil, func(o Outgoing) error {
		if given := tx.sequence(bucketOutbox); uint64(o.ID) > given {
			return damage(bucketOutbox, nil, fmt.Sprintf("number %d is used, but only %d were given out", o.ID, given))
		}
		return nil
	})
}

// checker replays the receipts and compares.
type checker struct {
	tx       *Tx
	problems []error
	rows     map[ledger.RowID]*ledger.Row // as the receipts say, then as stored
	sets     map[string]string            // settings as the receipts say

	unsent map[ledger.ReceiptNumber]bool // those of messages that were unsent

	// By the key of a message, as the receipts say:
	edited   map[string]bool      // one of its latest edit is there
	unsentAt map[string]time.Time // when it was taken back

	counts struct{ keys, messages, said, timeline, statements int }
}

// problem notes what is wrong and returns errEnough when that is enough.
func (c *checker) problem(format string, args ...any) error {
	c.problems = append(c.problems, fmt.Errorf(format, args...))
	if len(c.problems) >= maxProblems {
		return errEnough
	}
	return nil
}

func (c *checker) receipts() error { return c.tx.Receipts(0, c.receipt) }

func (c *checker) receipt(r *Receipt) error {
	if err := c.index(r); err != nil {
		return err
	}
	for _, change := range slices.Concat(r.Changes, r.Covered) {
		if c.unsent[change.After.ID.Receipt] && (hasText(change.Before) || hasText(change.After)) {
			return c.problem("receipt %d tells of an unsent message", r.Number)
		}
	}
	created := 0
	for _, change := range r.Changes {
		now, there := c.rows[change.After.ID]
		if change.Before == nil {
			created++
			if there || change.After.ID.Receipt != r.Number {
				return c.problem("receipt %d makes row %v, which is not new", r.Number, change.After.ID)
			}
		} else if !there || *now != change.Before.Facts() {
			return c.problem("receipt %d changes row %v from something that it was not", r.Number, change.After.ID)
		}
		facts := change.After.Facts()
		c.rows[change.After.ID] = &facts
	}
	for _, set := range r.Settings {
		if c.sets[set.Name] != set.Before {
			return c.problem("receipt %d changes the setting %q from something that it was not", r.Number, set.Name)
		}
		c.sets[set.Name] = set.After
	}
	told := len(r.Dates)
	for _, date := range r.Dates {
		if date == 0 {
			told--
		}
	}
	if created != told {
		return c.problem("receipt %d made %d rows and tells of %d", r.Number, created, told)
	}
	for _, n := range []ledger.ReceiptNumber{r.Undoes, r.First} {
		if n == 0 {
			continue
		}
		if target, err := c.tx.ReceiptByNumber(n); err != nil {
			return err
		} else if target == nil || n >= r.Number {
			return c.problem("receipt %d points to %d, which is not there", r.Number, n)
		}
	}
	return nil
}

func hasText(r *ledger.Row) bool { return r != nil && (r.Item != "" || r.Category != "") }

func (c *checker) count(bucket []byte) (n int, err error) {
	err = c.tx.scan(bucket, nil, nil, func(_, _ []byte) error {
		n++
		return nil
	})
	return n, err
}

func (c *checker) ledgerRows() error {
	n := 0
	err := c.tx.Rows(AllRows, func(r *ledger.Row) error {
		n++
		want, there := c.rows[r.ID]
		if !there || r.Facts() != *want {
			return c.problem("row %v does not follow from the receipts", r.ID)
		}
		found, err := c.tx.Row(r.ID)
		if err != nil {
			return err
		}
		if found == nil || *found != *r {
			return c.problem("row %v is not where its receipt says", r.ID)
		}
		if c.unsent[r.ID.Receipt] && !r.Withdrawn {
			return c.problem("row %v is of an unsent message and not withdrawn", r.ID)
		}
		c.rows[r.ID] = r
		return nil
	})
	if err == nil && n != len(c.rows) {
		return c.problem("there are %d rows, the receipts made %d", n, len(c.rows))
	}
	return err
}

// accounts recomputes balances and adjustments from the rows in the order of
// each account.
func (c *checker) accounts() error {
	accounts, err := c.tx.Accounts()
	if err != nil {
		return err
	}
	byAccount := map[ledger.AccountID][]*ledger.Row{}
	for _, r := range c.rows {
		byAccount[r.Account] = append(byAccount[r.Account], r)
		if r.ToAccount != 0 {
			byAccount[r.ToAccount] = append(byAccount[r.ToAccount], r)
		}
	}
	for _, a := range accounts {
		if err := c.account(a, byAccount[a.ID]); err != nil {
			return err
		}
		delete(byAccount, a.ID)
	}
	if len(byAccount) > 0 {
		return c.problem("there are rows on accounts that do not exist")
	}
	return nil
}

func (c *checker) account(a ledger.Account, rows []*ledger.Row) error {
	slices.SortFunc(rows, func(x, y *ledger.Row) int {
		return bytes.Compare(statementKey(a.ID, x.Time, x.ID), statementKey(a.ID, y.Time, y.ID))
	})
	var sum ledger.Yen
	opening := true
	for _, r := range rows {
		if r.Type == ledger.Adjustment && r.Stands() {
			c.counts.statements++
			if r.Amount != r.Stated-sum || r.Opening != opening {
				if err := c.problem("row %v adjusts account %d by %d instead of %d", r.ID, a.ID, r.Amount, r.Stated-sum); err != nil {
					return err
				}
			}
			opening = false
		}
		sum += r.Effect(a.ID)
	}
	if sum != a.Balance {
		return c.problem("account %d has a balance of %d, its rows add up to %d", a.ID, a.Balance, sum)
	}
	return nil
}

func (c *checker) statements() error {
	n := 0
	err := c.tx.scan(bucketStatements, nil, nil, func(key, value []byte) error {
		n++
		account, t, id := parseStatementKey(key)
		r, there := c.rows[id]
		if !there || !r.Stands() || r.Account != account || !r.Time.Equal(t) || r.Date != parseID4[ledger.Date](value) {
			return c.problem("statement %v is not where its row says", id)
		}
		return nil
	})
	if err == nil && n != c.counts.statements {
		return c.problem("there are %d statements in the index and %d among the rows", n, c.counts.statements)
	}
	return err
}

func (c *checker) totals() error {
	want := map[string]totalRecord{}
	for _, r := range c.rows {
		if r.Counts() {
			key := string(totalKey(r))
			total := want[key]
			want[key] = totalRecord{total.Sum + r.Amount, total.Rows + 1}
		}
	}
	err := c.tx.scan(bucketTotals, nil, nil, func(key, value []byte) error {
		var record totalRecord
		if err := decode(bucketTotals, key, value, &record); err != nil {
			return err
		}
		if want[string(key)] != record {
			return c.problem("a total of month %d is %d in %d rows, the rows say otherwise", parseID4[ledger.Date](key), record.Sum, record.Rows)
		}
		delete(want, string(key))
		return nil
	})
	if err == nil && len(want) > 0 {
		return c.problem("%d totals are missing", len(want))
	}
	return err
}

func (c *checker) members() error {
	members, err := c.tx.Members()
	if err != nil {
		return err
	}
	for _, m := range members {
		found, ok, err := c.tx.MemberByPerson(m.Person)
		if err != nil {
			return err
		}
		if !ok || found.ID != m.ID {
			return c.problem("member %d is not found by person", m.ID)
		}
	}
	if owner, err := c.tx.get(bucketMeta, metaOwner); err != nil {
		return err
	} else if owner != nil && c.tx.btx.Bucket(bucketMembers).Get(owner) == nil {
		return c.problem("the owner is no member")
	}
	n, err := c.count(bucketPersons)
	if err == nil && n != len(members) {
		return c.problem("there are %d persons and %d members", n, len(members))
	}
	if err != nil {
		return err
	}
	return c.access()
}

func (c *checker) access() error {
	nobodys := 0
	err := c.tx.eachAccess(func(_ []byte, a Access) {
		if c.tx.btx.Bucket(bucketMembers).Get(id4(a.Member)) == nil {
			nobodys++
		}
	})
	if err == nil && nobodys > 0 {
		return c.problem("%d secrets open something to nobody", nobodys)
	}
	return err
}

// CheckFile checks the file in a child process; see Check. Nil means that all is
// well. The command is as in Options.Inspector.
func CheckFile(ctx context.Context, path string, command []string) error {
	return inspectInChild(ctx, path, true, command)
}
