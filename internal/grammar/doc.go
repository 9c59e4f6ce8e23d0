// Package grammar reads what a person typed into the chat and says what it
// means: a row for the ledger, a question about it, a command, or nothing.
// It is pure: no clock, no files, no network, no state. The same text at the
// same instant always gives the same Command.
//
// The reading has three steps, and each can be understood alone:
//
//  1. fold makes a text out of what was typed: width is folded, zero-width
//     characters vanish, and every rune gets its class of script.
//  2. scan cuts each line into spans: amounts, counters, dates, accounts,
//     marks (words that change the meaning, such as a question), plain words.
//     The words it knows stand in lexicon.go and in dictionary.tsv.
//  3. rules.go holds an ordered table of rules over spans. The first rule that
//     recognises a line decides; the last one always does.
//
// A new word is a row in a table, and a new kind of sentence is a row in the
// table of rules. No rule looks at the text with an expression of its own.
//
// The package prefers to ask. A number that could be misread makes an Ask with
// a Reason, never a guess, and an Item is always a part of what was typed.
package grammar
