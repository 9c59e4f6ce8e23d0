package grammar

import "ichido/internal/ledger"

// Kind says what a message is.
type Kind string

// The kinds of message.
const (
	Record    Kind = "record"    // rows to write: Entries
	Balance   Kind = "balance"   // what an account really holds: Account, Amount, Date
	Correct   Kind = "correct"   // change an earlier row: Item, Old or Receipt names it; Amount, Date, Category, Account, NewItem are new; nothing new asks how a category is changed
	Undo      Kind = "undo"      // take back: Receipt or Item names what, else the last
	Redo      Kind = "redo"      // take back an undo: Receipt is its own, or what it took back; else the last
	Query     Kind = "query"     // a question about the ledger: Query, Period
	Budget    Kind = "budget"    // a limit: Category, Amount; Remove takes it away
	Recurring Kind = "recurring" // rows that come again: Every, Entries
	Setting   Kind = "setting"   // Setting and its Value; Item is what a word, category or account was called until now
	Settle    Kind = "settle"    // who owes whom
	Order     Kind = "command"   // the machine room: Command
	Help      Kind = "help"
	Ask       Kind = "ask"    // might be for the ledger but can't be read safely: Reason
	Remark    Kind = "remark" // not for the ledger
)

// The values of Command.Query.
const (
	Summary    = "summary"
	List       = "list"
	Search     = "search"
	Balances   = "balance"
	Budgets    = "budget"
	Categories = "categories"
	Trend      = "trend"
	Last       = "last"    // was the last message recorded?
	Members    = "members" // who belongs to the household
	Words      = "words"   // which words were taught
	Compare    = "compare" // Period beside the one before it
)

// Reason says why the bot must ask, or of which sort a remark is. The values
// are stable: the bot has a sentence for each.
type Reason string

// Reasons of an Ask.
const (
	AmountOnly     Reason = "amount-only"      // an amount, but for what?
	ItemOnly       Reason = "item-only"        // a known item, but how much?
	AccountOnly    Reason = "account-only"     // an account and an amount: balance or expense?
	TwoAmounts     Reason = "two-amounts"      // several amounts for one item: Choices
	GluedNumber    Reason = "glued-number"     // the number may belong to the name
	BadGrouping    Reason = "bad-grouping"     // 1,20
	Decimal        Reason = "decimal"          // 1.200
	LetterDigit    Reason = "letter-for-digit" // 9O0
	ForeignMoney   Reason = "foreign-currency"
	TooLarge       Reason = "too-large"
	NotPositive    Reason = "not-positive" // 0, or a minus where none can be
	LeadingZero    Reason = "leading-zero" // 0900
	UnclearNumber  Reason = "unclear-number"
	VagueAmount    Reason = "vague-amount" // 数千円, 3000円以上
	BeforeTax      Reason = "before-tax"   // only the price without tax
	Discount       Reason = "discount"     // a discount that can't be worked out
	TotalMismatch  Reason = "total-mismatch"
	NoSuchDate     Reason = "no-such-date"
	NoDay          Reason = "no-day"     // a month or week alone before an item
	VagueDate      Reason = "vague-date" // 先日
	NotARow        Reason = "not-a-row"  // a question, wish, hearsay, plan … with an amount
	Lent           Reason = "lent"       // what was lent or borrowed, and what of that was given back
	IncomeOrNot    Reason = "income-or-expense"
	WhichAccount   Reason = "which-account" // a transfer without its account
	CardDebit      Reason = "card-debit"
	MaybeCorrect   Reason = "maybe-correction"
	WalletOrItem   Reason = "wallet-or-item"
	WhoseWallet    Reason = "whose-wallet" // Owner may be a member, or not
	HowManyPeople  Reason = "how-many-people"
	SplitWhat      Reason = "split-what"     // a division without an item
	NothingToMake  Reason = "amount-missing" // a command that lacks its amount
	UnclearCommand Reason = "unclear-command"

	Change          Reason = "change"             // money that came back: what was paid?
	Multiplied      Reason = "multiplied-by-word" // 1900×大人2
	ReceiptAlone    Reason = "receipt-alone"      // 受付 4: Receipt
	SeveralReceipts Reason = "several-receipts"   // 取消 4 5
	WhichBalance    Reason = "which-balance"      // 残高 3200: of what?
	PutOrHolds      Reason = "put-or-holds"       // 財布に5000円
	SavedOrHolds    Reason = "saved-or-holds"     // 貯金が50000円
	BetweenPeople   Reason = "between-people"     // 太郎に5000円渡した
	UnclearLine     Reason = "unclear-line"       // a line with only a date or account: for which rows?
	SendApart       Reason = "send-apart"         // a command among rows
	AnothersWallet  Reason = "anothers-wallet"    // paid from the wallet of Owner, which a row can't say
)

// Sorts of a Remark. An empty Reason is any other remark.
const (
	Greeting     Reason = "greeting"
	FirstMeeting Reason = "first-meeting"
	Morning      Reason = "good-morning"
	Evening      Reason = "good-evening"
	Night        Reason = "good-night"
	WellDone     Reason = "well-done" // お疲れさま, 疲れた
	Laughter     Reason = "laughter"
	Thanks       Reason = "thanks"
	Apology      Reason = "apology"
	Praise       Reason = "praise"
	Agreed       Reason = "agreed"      // はい, 了解
	HowToUndo    Reason = "how-to-undo" // 間違えた, but what?
	WhatIsGone   Reason = "what-is-gone"
	JoinCode     Reason = "code" // has the form of a code for joining

	Leaving      Reason = "leaving"       // how does one leave the household?
	RemoveMember Reason = "remove-member" // somebody else is to leave it
	Photos       Reason = "photos"        // can it read pictures?
)

// Entry is one row to write. Account "" is the sender's own cash, except where
// OpenSource says that the source of a transfer was not named.
type Entry struct {
	Type       ledger.RowType
	Date       ledger.Date
	Item       string
	Amount     ledger.Yen
	Category   ledger.Category // "" when nothing fits
	Account    string
	ToAccount  string
	OpenSource bool       // a transfer whose source was not named
	Total      ledger.Yen // of a divided bill: the whole; else 0
	People     int        // of a divided bill; else 0
	With       []string   // of a divided bill: the others, as named; they may be members or not
	Memo       string

	SaidCategory bool   // the category was written in the text, not found by the item
	Hint         string // account that the dictionary expects for such an item; "" mostly
}

// Every says when a recurring row is due. The zero value of a field means that
// it was not named.
type Every struct {
	Unit    string // "month", "week", "year", "day"
	Month   int    // of a year
	Day     int    // of a month; 32 is its last day, whatever its length
	Weekday int    // of a week: 1 is Monday, 7 is Sunday
}

// MonthEnd is the Day of Every that means the last of each month.
const MonthEnd = 32

// Command is the meaning of one message.
type Command struct {
	Text    string // as typed
	Kind    Kind
	Entries []Entry
	Unread  []string // lines of a Record that could not be read, as typed

	Account   string // "" is the sender's own cash
	Owner     string // whose wallet, if it is named as another's; whose rows a Query is about
	Shared    bool   // the wallet is named as that of all: 共有の財布; Owner is ""
	Own       bool   // the sender is named: 自分の財布, 俺いくら使った？; the wallet or the rows are his, even where one is shared; Owner is ""
	Amount    ledger.Yen
	HasAmount bool
	Old       ledger.Yen // of a Correct: what the amount was, as the text says
	HasOld    bool
	Whole     bool        // of a Correct: all of a divided bill was paid, not a share: 全額払った
	Date      ledger.Date // 0: not named
	Item      string
	NewItem   string // of a Correct: what the item should have been
	Category  ledger.Category
	Receipt   string // "12" or "12-2"

	Query  string
	Period ledger.Period // zero: not named
	Months int           // of a Trend: 6 or 12; else 0
	Page   int           // of a List or Search: which page of it; 0 is the first
	PerDay bool          // of Budgets: what is left for each day, or for how many days
	Remove bool          // of a Budget: there is to be none

	Every   Every
	Setting string
	Value   string // of a Setting; "" asks how it is, or how it is set. The code of the Order "erase", "" for none; of "devices" which to end, a number or AllDevices. HelpMore of a Help that asks for all
	Command string // "backup", "devices", "erase", "export", "invite" or "web"

	Reason  Reason
	Choices []ledger.Yen // amounts that the bot may offer as buttons

	// InGroup says that the message is meant for the bot even in a group where
	// nobody addressed it.
	InGroup bool
}
