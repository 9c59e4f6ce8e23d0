package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/uuid"
	bolt "go.etcd.io/bbolt"

	"ichido/internal/ledger"
)

// Numbers is a range of receipt numbers, both inclusive.
type Numbers struct {
	From ledger.ReceiptNumber `json:"from"`
	To   ledger.ReceiptNumber `json:"to"`
}

// Salvaged is what came of a damaged file.
type Salvaged struct {
	Sound    bool `json:"sound"` // nothing is wrong with it, and nothing was made
	Receipts int  `json:"receipts"`
	Rows     int  `json:"rows"`
	Other    int  `json:"other"` // other records that were read: names, outgoing messages and such

	// Lost are the numbers whose receipts can't be read, if they were ever given out.
	// Substitutes are those of them that other records point to or tell of: there is a
	// receipt with that number, which does what is known.
	Lost        []Numbers              `json:"lost"`
	Substitutes []ledger.ReceiptNumber `json:"substitutes"`

	// Untold are the receipts whose rows are left without items and categories: whether
	// their messages were unsent can't be read, and what was unsent must not come back.
	Untold []ledger.ReceiptNumber `json:"untold"`

	// Members and accounts that rows mention and whose names are lost. A member is
	// called メンバー 3 and must join again, an account 口座 3.
	Members  []ledger.MemberID  `json:"members"`
	Accounts []ledger.AccountID `json:"accounts"`
}

// Salvage makes a new file at to of what can still be read in the damaged file at from,
// which is only read. It has all that follows from the receipts that are left, and the mark
// of a copy. It appears when it is complete, verified and durable. The path to must not be
// taken. Of a file that is sound it makes none. The error is ErrForeign if there is nothing
// to be read.
func Salvage(ctx context.Context, from, to string, inspector []string) (Salvaged, error) {
	salvaged, err := salvage(ctx, from, to, inspector)
	if err != nil {
		err = fmt.Errorf("repairing %s: %w", from, err)
	}
	return salvaged, err
}

func salvage(ctx context.Context, from, to string, inspector []string) (Salvaged, error) {
	if _, err := os.Lstat(to); err == nil {
		return Salvaged{}, &os.PathError{Op: "create", Path: to, Err: os.ErrExist}
	}
	switch err := CheckFile(ctx, from, inspector); {
	case err == nil:
		return Salvaged{Sound: true}, nil
	case !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrUnverified):
		return Salvaged{}, err
	}
	f, err := os.Open(from)
	if err != nil {
		return Salvaged{}, err
	}
	defer f.Close()
	if err := shareLock(f); err != nil {
		return Salvaged{}, err
	}
	scraps, err := readScraps(f)
	if err != nil {
		return Salvaged{}, err
	}
	if version := scraps.newest(bucketMeta, metaSchema); len(version) == 4 && binary.BigEndian.Uint32(version) > schema {
		return Salvaged{}, ErrNewer
	}
	p := newReplay(scraps)
	result := Salvaged{Receipts: len(p.receipts), Lost: Ranges(p.lostNumbers())}
	p.run()
	if len(p.receipts)+len(scraps.keysOf(bucketMembers)) == 0 {
		return Salvaged{}, ErrForeign
	}
	result.Rows, result.Substitutes = len(p.rows), slices.Sorted(maps.Keys(p.substitutes))
	result.Untold = slices.Sorted(maps.Keys(p.untold))
	dir, err := NewTemp(filepath.Dir(to))
	if err != nil {
		return Salvaged{}, err
	}
	defer dir.Close()
	made := dir.Path("new")
	if err := fill(made); err != nil {
		return Salvaged{}, err
	}
	if err := p.writeTo(made, &result); err != nil {
		return Salvaged{}, err
	}
	if err := CheckFile(ctx, made, inspector); err != nil {
		return Salvaged{}, fmt.Errorf("what was made of it is not sound: %w", err)
	}
	if err := giveTo(made, from); err != nil {
		return Salvaged{}, err
	}
	if err := os.Link(made, to); err != nil {
		return Salvaged{}, err
	}
	return result, SyncPath(filepath.Dir(to))
}

// Ranges joins numbers, which ascend, to ranges.
func Ranges(numbers []ledger.ReceiptNumber) (all []Numbers) {
	for _, n := range numbers {
		if last := len(all) - 1; last >= 0 && all[last].To == n-1 {
			all[last].To = n
		} else {
			all = append(all, Numbers{n, n})
		}
	}
	return all
}

// writeTo writes all to a file that has only just been made, and makes it durable.
func (p *replay) writeTo(path string, result *Salvaged) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockTimeout, FreelistType: bolt.FreelistMapType, NoSync: true})
	if err != nil {
		return err
	}
	err = db.Update(func(btx *bolt.Tx) error {
		w := &salvager{replay: p, tx: &Tx{btx: btx, now: now()}, result: result}
		for _, step := range []func() error{
			w.members, w.accounts, w.putReceipts, w.putRows, w.putSettings, w.quotes, w.outbox, w.parked, w.meta, w.sequences,
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, db.Close(), SyncPath(path))
}

// salvager writes what a replay has come to.
type salvager struct {
	*replay
	tx     *Tx
	result *Salvaged
}

// copySure copies the sure records of the bucket that pass.
func (w *salvager) copySure(bucket []byte, pass func(key, value []byte) bool) error {
	records := w.scraps.sure[string(bucket)]
	for _, key := range slices.Sorted(maps.Keys(records)) {
		if !pass([]byte(key), records[key]) {
			continue
		}
		w.result.Other++
		if err := w.tx.put(bucket, []byte(key), bytes.Clone(records[key])); err != nil {
			return err
		}
	}
	return nil
}

// mentioned are the members and accounts that something stands for.
func (w *salvager) mentioned() (members map[ledger.MemberID]bool, accounts map[ledger.AccountID]bool) {
	members, accounts = map[ledger.MemberID]bool{}, map[ledger.AccountID]bool{}
	for _, r := range w.receipts {
		members[r.Member] = true
		for _, c := range slices.Concat(r.Changes, r.Covered) {
			for _, row := range []*ledger.Row{c.Before, c.After} {
				if row != nil {
					members[row.Member], accounts[row.Account], accounts[row.ToAccount] = true, true, true
				}
			}
		}
	}
	delete(members, 0)
	delete(accounts, 0)
	return members, accounts
}

// members writes the members. One whose record is lost is removed, so that nobody gets in
// who was put out; the owner, who can't be put out, stays.
func (w *salvager) members() error {
	members := map[ledger.MemberID]Member{}
	for _, key := range w.keysOf(bucketMembers) {
		var record memberRecord
		if len(key) == 4 && decode(bucketMembers, key, w.newest(bucketMembers, key), &record) == nil {
			id := parseID4[ledger.MemberID](key)
			members[id] = record.member(id)
			w.result.Other++
		}
	}
	persons := map[ledger.MemberID]string{}
	for _, person := range w.keysOf(bucketPersons) {
		if value := w.newest(bucketPersons, person); len(value) == 4 {
			persons[parseID4[ledger.MemberID](value)] = string(person)
		}
	}
	mentioned, _ := w.mentioned()
	for id := range persons {
		mentioned[id] = true
	}
	owner := ledger.MemberID(1)
	if value := w.newest(bucketMeta, metaOwner); len(value) == 4 {
		owner = parseID4[ledger.MemberID](value)
		mentioned[owner] = true
	} else if len(mentioned) > 0 {
		mentioned[owner] = true
	}
	for _, id := range slices.Sorted(maps.Keys(mentioned)) {
		if _, there := members[id]; there {
			continue
		}
		m := Member{ID: id, Person: persons[id], Name: fmt.Sprint("メンバー ", id), Joined: w.tx.now}
		if m.Person == "" {
			m.Person = fmt.Sprint("lost-", id)
		}
		if id != owner {
			m.Removed = w.tx.now
		}
		members[id] = m
		w.result.Members = append(w.result.Members, id)
	}
	taken := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(members)) {
		m := members[id]
		if taken[m.Person] {
			m.Person = fmt.Sprint("lost-", id)
		}
		taken[m.Person] = true
		if err := errors.Join(w.tx.put(bucketPersons, []byte(m.Person), id4(id)), w.tx.putMember(m)); err != nil {
			return err
		}
	}
	if len(members) == 0 {
		return nil
	}
	return w.tx.SetOwner(owner)
}

// accounts writes the accounts, with nothing in them yet.
func (w *salvager) accounts() error {
	_, mentioned := w.mentioned()
	for _, key := range w.keysOf(bucketAccounts) {
		var record accountRecord
		if len(key) != 4 || decode(bucketAccounts, key, w.newest(bucketAccounts, key), &record) != nil {
			continue
		}
		id := parseID4[ledger.AccountID](key)
		delete(mentioned, id)
		w.result.Other++
		if err := w.tx.putAccount(ledger.Account{ID: id, Name: record.Name, Owner: record.Owner}); err != nil {
			return err
		}
	}
	w.result.Accounts = slices.Sorted(maps.Keys(mentioned))
	for _, id := range w.result.Accounts {
		if err := w.tx.putAccount(ledger.Account{ID: id, Name: fmt.Sprint("口座 ", id)}); err != nil {
			return err
		}
	}
	return nil
}

// putReceipts writes the receipts with the indexes that follow from them.
func (w *salvager) putReceipts() error {
	keys := map[string]bool{}
	for _, n := range w.numbers() {
		r := w.receipts[n]
		if key := eventKey(r.Scope, r.Key); r.Key != "" && !keys[string(key)] {
			keys[string(key)] = true
			if err := w.tx.put(bucketKeys, key, numberKey(n)); err != nil {
				return err
			}
		} else {
			r.Key = ""
		}
		if err := w.tx.putReceipt(r); err != nil {
			return err
		}
		if r.Kind != Other {
			if err := w.tx.put(bucketTimeline, r.timelineKey(), []byte{byte(r.Kind)}); err != nil {
				return err
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(w.messages)) {
		if err := w.tx.putRecord(bucketKeys, []byte(key), w.messages[key].record()); err != nil {
			return err
		}
	}
	return nil
}

// putRows writes the rows, from which balances, statements and totals follow.
func (w *salvager) putRows() error {
	rows := slices.SortedFunc(maps.Values(w.rows), func(a, b ledger.Row) int {
		return cmpRows(&a, &b)
	})
	for _, row := range rows {
		if err := w.tx.addRow(&row, adjustments{}); err != nil {
			return err
		}
	}
	return nil
}

// cmpRows is the order in which rows count on an account.
func cmpRows(a, b *ledger.Row) int {
	return bytes.Compare(statementKey(0, a.Time, a.ID), statementKey(0, b.Time, b.ID))
}

func (w *salvager) putSettings() error {
	for _, name := range slices.Sorted(maps.Keys(w.sets)) {
		if value := w.sets[name]; value != "" {
			if err := w.tx.putSetting(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// quotes writes what the bot's own messages stood for and which buttons were pressed.
func (w *salvager) quotes() error {
	for _, key := range w.keysOf(bucketKeys) {
		_, rest, _ := bytes.Cut(key, []byte{0})
		value := w.newest(bucketKeys, key)
		if len(value) != 8 || len(rest) == 0 || rest[0] != 's' && rest[0] != 'o' || w.receipts[parseNumber(value)] == nil {
			continue
		}
		w.result.Other++
		if err := w.tx.put(bucketKeys, key, bytes.Clone(value)); err != nil {
			return err
		}
	}
	return nil
}

// outbox writes the outgoing messages whose receipts are there. What one carries that is
// lost it does not carry; what went along with a lost one is unknown.
func (w *salvager) outbox() error {
	all := map[OutboxID]Outgoing{}
	carrier := map[OutboxID]bool{}
	for key, value := range w.scraps.sure[string(bucketOutbox)] {
		var record outgoingRecord
		if len(key) != 9 || decode(bucketOutbox, []byte(key), value, &record) != nil {
			continue
		}
		o := record.outgoing(OutboxID(binary.BigEndian.Uint64([]byte(key[1:]))))
		if o.Receipt != 0 && w.receipts[o.Receipt] == nil || slices.ContainsFunc(o.Of, func(n ledger.ReceiptNumber) bool { return n != 0 && w.receipts[n] == nil }) {
			continue
		}
		if slices.ContainsFunc(slices.Concat(o.Of, []ledger.ReceiptNumber{o.Receipt}), w.unsent) {
			o.Payload = nil
		}
		all[o.ID] = o
	}
	ids := slices.Sorted(maps.Keys(all))
	for _, id := range ids {
		o := all[id]
		o.Carries = slices.DeleteFunc(o.Carries, func(id OutboxID) bool {
			gone := all[id].State != Carried || carrier[id]
			carrier[id] = true
			return gone
		})
		all[id] = o
	}
	for _, id := range ids {
		o := all[id]
		if o.State == Carried && !carrier[id] {
			o.State = Unknown
		}
		w.result.Other++
		if err := w.tx.putOutgoing(o); err != nil {
			return err
		}
	}
	return w.copySure(bucketUnsaid, func(key, _ []byte) bool {
		if len(key) < 8 {
			return false
		}
		o := all[OutboxID(parseNumber(key[len(key)-8:]))]
		return o.State == Expired && bytes.Equal(key, unsaidKey(o.Chat, o.ID))
	})
}

// unsent says whether the receipt is of a message that was unsent.
func (w *salvager) unsent(n ledger.ReceiptNumber) bool {
	return slices.ContainsFunc(w.messagesOf(w.receipts[n]), func(key string) bool { return w.messages[key] != nil && w.messages[key].Unsent() })
}

// parked writes the events that wait, but for those that have a receipt by now.
func (w *salvager) parked() error {
	return w.copySure(bucketParked, func(key, _ []byte) bool {
		scope, name, _ := bytes.Cut(key, []byte{0})
		return w.tx.btx.Bucket(bucketKeys).Get(eventKey(string(scope), string(name))) == nil
	})
}

// meta writes what tells the file from others, the facts and the mark of a copy.
func (w *salvager) meta() error {
	id := w.newest(bucketMeta, metaFile)
	if len(id) != 16 {
		fresh := uuid.New()
		id = fresh[:]
	}
	if err := w.tx.put(bucketMeta, metaFile, bytes.Clone(id)); err != nil {
		return err
	}
	if erased := w.newest(bucketMeta, metaErased); len(erased) == 8 {
		if err := w.tx.put(bucketMeta, metaErased, bytes.Clone(erased)); err != nil {
			return err
		}
	}
	err := w.copySure(bucketMeta, func(key, _ []byte) bool { return bytes.HasPrefix(key, factKey("")) })
	if err != nil {
		return err
	}
	at, err := w.tx.newest()
	if err != nil {
		return err
	}
	if at.IsZero() {
		at = w.tx.now
	}
	return markCopy(w.tx.btx, at)
}

// sequences lets no number be given out a second time.
func (w *salvager) sequences() error {
	used := map[string]uint64{string(bucketReceipts): uint64(w.replay.last)}
	for _, name := range [][]byte{bucketMembers, bucketAccounts, bucketOutbox} {
		err := w.tx.scan(name, nil, nil, func(key, _ []byte) error {
			n := uint64(0)
			if len(key) == 4 {
				n = uint64(binary.BigEndian.Uint32(key))
			} else {
				n = binary.BigEndian.Uint64(key[1:])
			}
			used[string(name)] = max(used[string(name)], n)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for name, n := range used {
		if given := w.scraps.last[name]; given < n+mostLeftOut {
			n = max(n, given)
		}
		if err := w.tx.btx.Bucket([]byte(name)).SetSequence(n); err != nil {
			return err
		}
	}
	return nil
}
