// Package grammar reads what a person typed into the chat and says what it
// means: a row for the ledger, a question about it, a command, or nothing.
// It is pure: no clock, no files, no network, no state. The same text at the
// same instant always gives the same Command.
//
// The reading has four steps, and each can be understood alone:
//
//  1. fold makes a text out of what was typed: width is folded, zero-width
//     characters vanish, and every rune gets its class of script.
//  2. scan (span.go) cuts each line into spans: amounts, counters, dates,
//     accounts, marks (words that change the meaning, such as a question), plain
//     words. The table scanners says what is tried at each position. The words
//     that they know stand in lexicon.go, units.go, accounts.go, categories.go and
//     dates.go; those of dictionary.tsv are left whole.
//  3. relabel (relabel.go) looks at the spans in their company: which numbers are
//     multiplied, which are no price, which belong to a name. The table
//     relabellings has its steps in order.
//  4. rules.go holds an ordered table of rules over spans. The first rule that
//     recognises a line decides; the last one always does. lines.go puts the lines
//     of a message together.
//
// What is typed in English goes through the same steps. Besides, english*.go have
// the words that only count in the company of certain others (card, food), the
// numbers that are no price, and a table of whole sentences, because orders and
// corrections in English can't be told from a row by a single word.
//
// A new word is a row in a table, and a new kind of sentence is a row in the
// table of rules. A rule that wants words of its own has them in a wordTable
// beside it.
//
// Parse knows the built-in words only. A household may have accounts and
// categories of its own: they make a Names, whose Parse takes them for what the
// built-in ones are. Explain says of each span which scanner, relabelling or rule
// made it what it is, and which rule decided. Key and Folded give the forms in
// which others compare and remember items.
//
// The package prefers to ask. A number that could be misread makes an Ask with
// a Reason, never a guess, and an Item is always a part of what was typed.
package grammar
