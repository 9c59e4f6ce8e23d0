package bot

import (
	"slices"
	"strings"
	"unicode"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// walletSetting is the setting that says whose wallet is meant by 財布: "" each
// one's own, walletShared one for all.
const (
	walletSetting = "wallet"
	walletShared  = "shared"
)

// welcome says to a member what there is to say.
func (t *turn) welcome() (Reply, error) {
	members, err := t.activeMembers()
	if err != nil {
		return Reply{}, err
	}
	return Reply{Lines: sentences(t.welcomeWords(t.tx.JustJoined(), len(members) == 1)), Buttons: t.firstButtons()}, nil
}

// photo says once a day that pictures can't be read.
func (t *turn) photo() (Reply, error) {
	if !t.message.Direct {
		return Reply{}, store.Leave
	}
	fact := "photo/" + t.tx.Sender().Person
	told, err := t.tx.Fact(fact)
	if err != nil {
		return Reply{}, err
	}
	if told >= t.today.String() {
		return Reply{}, store.Leave
	}
	return said(t.text(noPhotos)), t.tx.SetFact(fact, t.today.String())
}

// invite makes a code that lets somebody join.
func (t *turn) invite() (Reply, error) {
	if !t.message.Direct {
		return said(t.text(inviteElsewhere)), nil
	}
	code, err := t.tx.NewInvite()
	if err != nil {
		return Reply{}, err
	}
	link := ""
	if t.message.InviteLink != nil {
		link = t.message.InviteLink(code)
	}
	return said(t.invitation(code, link)), nil
}

// webLink answers with a link that lets the sender into the pages.
func (t *turn) webLink() (Reply, error) {
	if refusal, err := t.noPages(webElsewhere); refusal != "" || err != nil {
		return said(refusal), err
	}
	secret, err := t.tx.Grant(store.Link, t.sender, "")
	if err != nil {
		return Reply{}, err
	}
	link, err := t.tx.WebLink(secret)
	return said(t.text(webLinkHead), link), err
}

// noPages says why nothing about the pages can be said here: there are none, or others would
// read it, as the words for elsewhere say; "" if it can.
func (t *turn) noPages(elsewhere Phrase) (refusal string, err error) {
	address, err := t.tx.WebLink("")
	switch {
	case err != nil:
		return "", err
	case address == "":
		return t.text(noWeb), nil
	case !t.message.Direct:
		return t.text(elsewhere), nil
	}
	return "", nil
}

// InviteCode is the code for joining that the message has, "" if it has none.
func (m Message) InviteCode() string {
	if m.cmd == nil || m.cmd.Reason != grammar.JoinCode {
		return ""
	}
	return grammar.InviteCode(m.Text)
}

// setting changes what the household or the sender wants to be so.
func (t *turn) setting() (Reply, error) {
	switch t.cmd.Setting {
	case "name":
		return t.rename()
	case "wallet":
		return t.setWallet()
	case "language":
		return t.setLanguage()
	case "notify":
		return t.setNotify()
	case "word-forget":
		return t.forgetWord()
	case "category-add":
		return t.addCategory()
	case "category-rename":
		return t.renameCategory()
	case "category-merge":
		return t.mergeCategory(t.cmd.Value)
	case "category-remove":
		return t.mergeCategory(string(ledger.Other))
	case "account-add":
		return t.addAccount()
	case "account-remove":
		return t.removeAccount()
	}
	return said(t.text(noSetting)), nil
}

// maxName is the length of a name in runes.
const maxName = 20

// rename gives the sender the name that he wants.
func (t *turn) rename() (Reply, error) {
	me := t.tx.Sender()
	name := CleanName(t.cmd.Value)
	switch {
	case me.ID == 0:
		return said(t.text(whoAreYou)), nil
	case name == "" && t.cmd.Value != "":
		return said(t.nobodyIsCalled(t.cmd.Value)), nil
	case name == "":
		return said(t.howToName(me.Name)), nil
	}
	now, err := t.tx.Rename(me.ID, name, true)
	return said(t.named(name, now)), err
}

// nobodysNames mean something else in front of の財布.
var nobodysNames = []string{everybody.ja, you.ja, wallet, "家", "うち", "共有", "自分", "わたし", "私", "家族"}

// CleanName is a name as somebody typed it elsewhere, without what is not seen and
// on one line, and not too long. It is empty if nobody can be called so.
func CleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	name = strings.Join(strings.Fields(name), " ")
	if runes := []rune(name); len(runes) > maxName {
		name = strings.TrimSpace(string(runes[:maxName]))
	}
	if slices.Contains(nobodysNames, name) {
		return ""
	}
	return name
}

// setWallet says whether there is one wallet for all.
func (t *turn) setWallet() (Reply, error) {
	value := ""
	if t.cmd.Value == grammar.WalletShared {
		value = walletShared
	}
	before, err := t.tx.Setting(walletSetting)
	if err != nil {
		return Reply{}, err
	}
	if before == value {
		return said(t.walletIsAlready(value)), nil
	}
	return t.set(walletSetting, value)
}

// activeMembers gives those who belong to the household now.
func (t *turn) activeMembers() (active []store.Member, err error) {
	members, err := t.tx.Members()
	for _, m := range members {
		if m.Active() {
			active = append(active, m)
		}
	}
	return active, err
}

// members says who belongs to the household. Who has no name is called here as
// everywhere, by the place among all who ever belonged to it.
func (t *turn) members() (Reply, error) {
	members, err := t.tx.Members()
	if err != nil {
		return Reply{}, err
	}
	owner, _, err := t.tx.Owner()
	if err != nil {
		return Reply{}, err
	}
	a := answer{}
	for i, m := range members {
		if m.Active() {
			a.add(t.memberLine(t.called(m, i+1, len(members)), m.ID == owner.ID))
		}
	}
	a.lines = append(sentences(t.membersHead(len(a.lines))), a.lines...)
	return a.reply(), nil
}
