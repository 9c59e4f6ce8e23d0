package store

// A fact is what the program notes for itself. No receipt tells of it, and what is lost
// with it is a convenience. The names share one name space; these are all:
//
//	"line/invite-link"   FactInviteLink
//	"web/address"        FactWebAddress
//	"line/moved/" chat   when the bot last came into the group or left it (bot/line)
//	"disk told"          the day on which the owner last heard of a full disk (bot/line)
//	"backup told"        the day on which the owner last heard of backups that fail (bot/line)
//	"erase"              the code with which the owner may go on to erase all, and until when (bot)
//	"entry told " number which message tells a chat of the entry, or that one has (outbox.go)
//	"devices/" member    which lists of browsers and tokens the member was shown (bot)
//	"photo/" person      the day on which the person last heard of photos (bot)
//	"month told " member the first day of the month in which the member heard of the one before (bot)
//	"asked/" member "/" chat   the receipt of the question that is open there (questions.go)

// FactInviteLink is where the door notes what makes a link of a joining code that is
// put behind it. Nothing is noted while the door does not know.
const FactInviteLink = "line/invite-link"

// InviteLink is the link with which the code, as NewInvite gives it, is sent to the
// bot; "" while the door has noted none.
func (tx *Tx) InviteLink(code string) (string, error) {
	link, err := tx.Fact(FactInviteLink)
	if link == "" || err != nil {
		return "", err
	}
	return link + code, nil
}

// FactWebAddress is where the server notes how the world reaches its pages, without a slash
// at its end. Nothing is noted while there are none.
const FactWebAddress = "web/address"

// WebLink is the address at which the secret of a link lets somebody in; "" while there are
// no pages.
func (tx *Tx) WebLink(secret string) (string, error) {
	address, err := tx.Fact(FactWebAddress)
	if address == "" || err != nil {
		return "", err
	}
	return address + "/enter/" + secret + "?openExternalBrowser=1", nil
}

func factKey(name string) []byte { return []byte("fact/" + name) }

// Fact returns what the program has noted under the name, "" for nothing.
func (tx *Tx) Fact(name string) (string, error) {
	value, err := tx.get(bucketMeta, factKey(name))
	return string(value), err
}

// SetFact notes a value under the name; "" forgets it.
func (tx *Tx) SetFact(name, value string) error {
	if value == "" {
		return tx.delete(bucketMeta, factKey(name))
	}
	return tx.put(bucketMeta, factKey(name), []byte(value))
}
