package bot

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ichido/internal/grammar"
	"ichido/internal/ledger"
	"ichido/store"
)

// askPatterns are the lines of questions and of what comes of the answers.
var askPatterns = append(questionPatterns(),
	says("recorded already", "", `もう記録してあります（受付 `+idRE+`）。`, (*hearing).recordedAlready),
	says("a card's debit", "", regexp.QuoteMeta(unclearBecause[grammar.CardDebit].ja), func(*hearing, []string) error { return nil }),
	says("to get back", "", `返してもらったら「(.+) 返金 (\d+)」のように送ってください。`, (*hearing).toGetBack),
	says("divided", "", `(.+) ([\d,]+)円を(\d+)人で割った1人分です(（端数は切り上げ）)?。`, (*hearing).divided),
)

// questionPatterns are the questions about what was understood, as they are asked in 1:1
// and in a group.
func questionPatterns() (patterns []pattern) {
	add := func(name, sentence string, check func(*hearing, []string) error) {
		both := []string{sentence, orHalf.ReplaceAllString(sentence, "送ってください")}
		for _, sentence := range slices.Compact(both) {
			re := regexp.QuoteMeta(sentence)
			re = strings.NewReplacer(`\{what\}`, `([^。「」]+)`, `\{example\}`, `(.+)`).Replace(re)
			patterns = append(patterns, says("ask "+name, "", re, check))
		}
	}
	for reason, sentence := range unclearAbout {
		switch reason {
		case grammar.AmountOnly, grammar.AccountOnly:
			add(string(reason), sentence.ja, (*hearing).asksAboutAmount)
		default:
			add(string(reason), sentence.ja, (*hearing).asksAbout)
		}
	}
	add("who shared", Japanese.text(whoShared), func(h *hearing, m []string) error { return h.isSaid(m[1]) })
	add("what was bought", Japanese.text(boughtWith), (*hearing).asksAboutAmount)
	return patterns
}

// spoken is what was said and what it answers.
func (h *hearing) spoken() string {
	words := h.said
	for n := h.receipt.Answers; n != 0; n = h.after.receipts[n].Answers {
		words += " " + h.after.receipts[n].Asked
	}
	return words
}

// bareText is a text without what a bot may write otherwise: width, spaces, separators.
func bareText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(" 　,，、.．円\n", r):
			return -1
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		}
		return r
	}, strings.ToLower(text))
}

// isSaid says whether each of the words was said, or is the only amount that was.
func (h *hearing) isSaid(words string) error {
	said := bareText(h.spoken())
	for _, word := range strings.Fields(strings.TrimSuffix(words, "…")) {
		number, err := strconv.Atoi(bareText(word))
		if strings.Contains(said, bareText(word)) || strings.Contains(strings.NewReplacer("o", "0", "l", "1", "i", "1").Replace(said), word) || err == nil && ledger.Yen(number) == h.read(h.saidPart()).Amount {
			continue
		}
		if day, err := h.day(word); err == nil && day == h.saidDay() {
			continue
		}
		return fmt.Errorf("nobody said %q", word)
	}
	return nil
}

// read understands a text with the household's own words.
func (h *hearing) read(text string) grammar.Command {
	return grammar.NewNames(h.ownNames()).Parse(text, h.at)
}

// saidPart is what was typed, or the text of a pressed button.
func (h *hearing) saidPart() string {
	if parts := strings.SplitN(h.said, ":", 4); h.tapped && len(parts) == 4 {
		return parts[3]
	}
	return h.said
}

func (h *hearing) saidDay() ledger.Date { return h.read(h.saidPart()).Date }

// exampleAmounts are those that the bot makes up.
var exampleAmounts = strings.Fields("900 80000 8000 4000 5000 10000 3000 20000 1500 320 250000")

// asksAbout holds what the question names, and its example, to what was said.
func (h *hearing) asksAbout(m []string) error {
	if err := h.isSaid(m[1]); err != nil {
		return err
	}
	example := m[2]
	for _, phrase := range []string{"4人で割り勘", "あげた"} {
		example = strings.ReplaceAll(example, " "+phrase, "")
		example = strings.ReplaceAll(example, phrase+" ", "")
	}
	if way := regexp.MustCompile(`^銀行から財布に(\d+)円$`).FindStringSubmatch(example); way != nil {
		return h.isSaid(way[1])
	}
	words := strings.Fields(example)
	if words[0] == fmt.Sprintf("%d/%d", h.today.Month(), h.today.Day()) {
		words = words[1:]
	}
	last := words[len(words)-1]
	if slices.Contains(exampleAmounts, last) || h.taxed(last) {
		words = words[:len(words)-1]
	}
	return h.isSaid(strings.Join(words, " "))
}

// taxed says whether the amount comes of numbers that were said: with a tenth of it, as the
// difference of two where there was change or a discount, or less so many of a hundred.
func (h *hearing) taxed(amount string) bool {
	var numbers []int
	for _, number := range regexp.MustCompile(`\d+`).FindAllString(strings.ReplaceAll(strings.Map(halfWidth, h.spoken()), ",", ""), -1) {
		n, _ := strconv.Atoi(number)
		numbers = append(numbers, n)
	}
	less := regexp.MustCompile("おつり|引|オフ|OFF|半額|半分|割|%|％|ポイント|クーポン").MatchString(h.said)
	return slices.ContainsFunc(numbers, func(n int) bool {
		of := []int{n + n/10}
		for _, m := range numbers {
			if less {
				of = append(of, m-n, m/2, m*(100-n)/100, m*(10-n)/10)
			}
		}
		return slices.ContainsFunc(of, func(sum int) bool { return strconv.Itoa(sum) == amount })
	})
}

// asksAboutAmount holds the question to the amount, and the example to one that may cost
// so much.
func (h *hearing) asksAboutAmount(m []string) error {
	parts := regexp.MustCompile(`^(?:(\S+) )?(?:(.+)の)?([\d,]+)円$`).FindStringSubmatch(m[1])
	if parts == nil {
		return errors.New("it names no amount")
	}
	read := h.read(h.saidPart())
	account := read.Account
	if read.Kind == grammar.Correct { // another amount for what was asked about
		asked := h.read(h.receipt.Asked)
		account, read.Date = cmp.Or(account, asked.Account), cmp.Or(read.Date, asked.Date)
	}
	if account == "現金" {
		account = ""
	}
	named := strings.ReplaceAll(parts[2], "財布", "")
	sum, err := amount(parts[3])
	switch {
	case err != nil:
		return err
	case sum != read.Amount:
		return fmt.Errorf("%d was said", read.Amount)
	case named != account:
		return fmt.Errorf("%q was said", account)
	}
	if parts[1] != "" {
		day, err := h.day(parts[1])
		if asked := h.after.receipts[h.receipt.Answers]; asked != nil && read.Date == 0 {
			read.Date = ledger.DateOf(asked.TypedAt().In(tokyo)) // when it was typed
		}
		if err != nil || day != read.Date {
			return fmt.Errorf("another day was said, %v", err)
		}
	}
	item := "家賃"
	for _, of := range []struct {
		less ledger.Yen
		item string
	}{{50000, "シャツ"}, {10000, "スーパー"}, {2000, "ランチ"}, {300, "お茶"}} {
		if sum < of.less {
			item = of.item
		}
	}
	want := strings.TrimSpace(fmt.Sprintf("%s %d %s", item, sum, account))
	return wrong(m[2] != want, "the example should be "+want)
}

// recordedAlready is the answer to a button under a question, whose data names the
// receipt of that.
func (h *hearing) recordedAlready(m []string) error {
	parts := strings.Split(h.said, ":")
	if !h.tapped || len(parts) < 2 || len(h.standing(m[1])) == 0 {
		return errors.New("nothing of it stands")
	}
	for _, r := range h.after.rowsOf(numberOf(parts[1])) {
		if there(r) && !h.after.named(m[1], r) {
			return fmt.Errorf("it is %v", r.ID)
		}
	}
	return wrong(len(h.after.rowsOf(numberOf(parts[1]))) == 0, "it is of another question")
}

// toGetBack holds the hint to the row that has become the whole.
func (h *hearing) toGetBack(m []string) error {
	for _, c := range h.receipt.Changes {
		if c.After.Item == m[1] && c.Before != nil && strconv.Itoa(int(c.After.Amount-c.Before.Amount)) == m[2] {
			return nil
		}
	}
	return errors.New("no row has grown by that")
}

// of says whether the receipt's row belongs to the message of receipt n: that message has
// made it, or an answer to a question about that message.
func (w *world) of(row, n ledger.ReceiptNumber) bool {
	for first := true; row != 0; first = false {
		r := w.receipts[row]
		if r == nil {
			return false
		}
		if w.sameMessage(row, n) && (first || r.MessageID != "") {
			return true
		}
		row = r.Answers
	}
	return false
}

// half says a half of a record, or something that is asked about, or what may answer.
func (f *family) half() string {
	switch f.IntN(4) {
	case 0:
		return pick(f, "", "", "昨日 ") + pick(f, "500", "700円", "12000", "カード 3000", "PayPay 900", "Suicaに2000円", "2480 カード")
	case 1:
		return pick(f, "ランチ", "スーパー", "カフェ", "なぞの品", "本", "ピアノ", "もらった", "あげた", "4人", "昨日", "残高", "食費", "850", "家族", "友達と", "記録して")
	case 2:
		return pick(f, "ランチ 850 900", "ランチ 1,20", "本 1.200", "薬 9O0", "シャツ 0900", "シャツ 3000税抜", "ランチ -500", "先日 本 1200", "11月 ランチ 800", "6/31 本 900")
	}
	return pick(f, "お年玉 5000", "入金 20000", "健に3000円渡した", "ATM 20000", "残高 3200", "財布に5000円", "貯金が50000円", "カード引き落とし 35000", "財布 3000円 買った",
		"牛乳198円だって", "飲み会 12000 割り勘", "飲み会 10000 2人で割り勘", "飲み会 10000 3人で割り勘", "8000 4人で割り勘", "焼肉 8000 家族で割り勘", "飲み会 6000 花子と割り勘",
		"12/28 ランチ 900", "PayPayチャージ 3000")
}

// keptChoice compares what a button under a question or a record did with its label.
func (f *family) keptChoice(r store.Receipt, e happening) error {
	if e.button == nil || len(r.Changes) == 0 {
		return nil
	}
	verb, _, _ := strings.Cut(e.button.Tap, ":")
	label := e.button.Label
	row := r.Changes[0].After
	switch words := strings.Fields(label); {
	case (verb == tapChoose || verb == tapWhole) && strings.HasSuffix(label, "円"):
		has := func(c ledger.Change) bool {
			return is(strings.TrimSuffix(words[len(words)-1], "円"), c.After.Amount) == nil
		}
		return wrong(!slices.ContainsFunc(r.Changes, has), fmt.Sprintf("%s recorded %+v", label, row))
	case verb == tapChoose && f.now.showsCategory(label):
		return wrong(f.now.category(*row) != label, fmt.Sprintf("%s recorded %+v", label, row))
	case verb == tapToday:
		day := fmt.Sprintf("今日（%d/%d）にする", row.Date.Month(), row.Date.Day())
		return wrong(day != label, fmt.Sprintf("%s moved a row to %v", label, row.Date))
	case verb == tapSource:
		return wrong(!strings.Contains(f.now.account(row.Account, r.Member), strings.NewReplacer("から", "", "で", "", "に", "").Replace(label)), fmt.Sprintf("%s: %+v", label, row))
	}
	return nil
}
