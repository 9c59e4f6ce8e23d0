package bot

import (
	"errors"
	"fmt"
	"strings"

	"ichido/internal/ledger"
)

// wordsPatterns are the lines about words, categories and accounts of the household's
// own.
var wordsPatterns = []pattern{
	says("taught", "", `これからは「(.+)」を(.+)にします。`, (*hearing).taught),
	says("forgotten", "", `「(.+)」のカテゴリは、おまかせになりました。`, (*hearing).forgotten),
	says("words", "", `教えてもらった言葉は(\d+)こです。`, (*hearing).words),
	says("word", "words", `・(.+)：(.+)`, (*hearing).word),
	says("more words", "words", `…ほかに (\d+)件`, (*hearing).moreWords),
	says("no words", "", `教えてもらった言葉は、まだありません。「ランチは交際費」のように送るか、記録の下のボタンでカテゴリを変えると、覚えます。`, func(h *hearing, _ []string) error {
		return wrong(len(h.after.words()) > 0, "there are some")
	}),
	says("not taught", "", `「(.*)」は、教えてもらっていません。「辞書」で、教えてもらった言葉を見られます。何も変えていません。`, (*hearing).notTaught),

	says("new category", "", `カテゴリに「(.+)」があります。「ランチ 900 (.+)」のように使えます。`, (*hearing).newCategory),
	says("category renamed", "", `「(.+)」は、いままでの記録も「(.+)」になりました。`, (*hearing).renamedCategory),
	says("category as before", "", `カテゴリ「(.+)」は、もとにもどりました。`, (*hearing).categoryAsBefore),
	says("no more category", "", `カテゴリ「(.+)」はなくなりました。`, (*hearing).noMoreCategory),
	says("no such category", "", `「(.*)」というカテゴリはありません。「カテゴリ」で、いまのカテゴリを見られます。何も変えていません。`, (*hearing).noSuchCategory),
	says("category is there", "", `「(.+)」というカテゴリは、もうあります。何も変えていません。`, func(h *hearing, m []string) error {
		return wrong(!h.after.showsCategory(m[1]), "there is none")
	}),
	says("merge instead", "", `1つにまとめるなら「カテゴリ 統合 (.+) (.+)」と送ってください。`, func(h *hearing, m []string) error {
		return errors.Join(h.isSaid(m[1]+" "+m[2]), wrong(m[1] == m[2] || !h.after.showsCategory(m[1]) || !h.after.showsCategory(m[2]), "there is no such category"))
	}),
	says("no name for a category", "", `「(.*)」は、カテゴリの名前にはできません。数字のない、15文字までの名前にしてください。何も変えていません。`, (*hearing).quotesMe),
	says("same category", "", `「(.+)」どうしは、まとめられません。何も変えていません。`, func(h *hearing, m []string) error {
		return wrong(!h.after.showsCategory(m[1]), "there is none")
	}),
	says("account", "", `口座に「(.+)」があります。「(.+)残高 30000」や「本 900 (.+)」のように使えます。`, (*hearing).newAccount),
	says("no more account", "", `「(.+)」は、口座の名前ではなくなりました。いままでの記録はそのままです。`, (*hearing).noMoreAccount),
	says("no such account", "", `「(.*)」という口座は、足してもらっていません。何も変えていません。`, func(h *hearing, m []string) error {
		return errors.Join(h.quotesMe(m), wrong(h.after.settings["account/"+m[1]] != "", "there is"))
	}),
	says("no name for an account", "", `「(.*)」は、口座の名前にはできません。数字のない、15文字までの名前にしてください。何も変えていません。`, (*hearing).quotesMe),
	says("account is there", "", `「(.+)」は、もう口座の名前として使えます。何も変えていません。`, func(h *hearing, m []string) error {
		return errors.Join(h.quotesMe(m), wrong(h.read(m[1]+"残高").Account == "", "it is none"))
	}),
	says("name means something else", "", `「(.+)」は、ほかの意味で読む言葉なので、名前にはできません。何も変えていません。`, (*hearing).quotesMe),
	says("name is an account", "", `「(.+)」は、お金のあるところの名前なので、カテゴリにはできません。何も変えていません。`, (*hearing).quotesMe),
	says("name is a category", "", `「(.+)」はカテゴリの名前なので、口座にはできません。何も変えていません。`, func(h *hearing, m []string) error {
		return wrong(!h.after.showsCategory(m[1]) && m[1] != "収入", "there is none")
	}),
}

// words gives the categories of what was taught, by the words as typed.
func (w *world) words() map[string]string {
	words := map[string]string{}
	for name, value := range w.settings {
		if strings.HasPrefix(name, "word/") {
			category, item, _ := strings.Cut(value, "\t")
			words[item] = category
		}
	}
	return words
}

// showsCategory says whether a category is called so now.
func (w *world) showsCategory(name string) bool {
	for _, c := range ledger.Categories {
		if w.category(ledger.Row{Type: ledger.Expense, Category: c}) == name {
			return true
		}
	}
	return w.settings["category/"+name] == name
}

// settled holds a line to a setting that the receipt changed, from one value to
// another.
func (h *hearing) settled(name string, before, after string) error {
	h.other = true
	for _, c := range h.receipt.Settings {
		if c.Name == name && (before == "*" || c.Before == before) && (after == "*" || c.After == after) && h.after.settings[name] == c.After {
			return nil
		}
	}
	return fmt.Errorf("%s did not become so", name)
}

func (h *hearing) taught(m []string) error {
	h.other = true
	for _, c := range h.receipt.Settings {
		if _, item, _ := strings.Cut(c.After, "\t"); strings.HasPrefix(c.Name, "word/") && item == m[1] {
			row := ledger.Row{Type: ledger.Expense, Category: ledger.Category(h.after.words()[item])}
			return wrong(h.after.category(row) != m[2], "it is not so")
		}
	}
	return errors.New("nobody taught that")
}

func (h *hearing) forgotten(m []string) error {
	h.other = true
	_, known := h.after.words()[m[1]]
	_, knew := h.before.words()[m[1]]
	return wrong(known || !knew, "it is not so")
}

func (h *hearing) notTaught(m []string) error {
	_, known := h.after.words()[m[1]]
	return errors.Join(h.quotesMe(m), wrong(known, "it is"))
}

func (h *hearing) words(m []string) error {
	h.section, h.left = "words", len(h.after.words())
	return wrong(m[1] != fmt.Sprint(h.left), fmt.Sprintf("it is %d", h.left))
}

func (h *hearing) word(m []string) error {
	h.left--
	c, known := h.after.words()[m[1]]
	row := ledger.Row{Type: ledger.Expense, Category: ledger.Category(c)}
	return wrong(!known || h.after.category(row) != m[2], "it is not so")
}

func (h *hearing) moreWords(m []string) error {
	left := h.left
	h.left = 0
	return wrong(m[1] != fmt.Sprint(left), fmt.Sprintf("it is %d", left))
}

func (h *hearing) newCategory(m []string) error {
	return errors.Join(h.settled("category/"+m[1], "*", m[1]), wrong(m[1] != m[2] || !h.after.showsCategory(m[1]), "there is none"))
}

func (h *hearing) renamedCategory(m []string) error {
	row := ledger.Row{Type: ledger.Expense, Category: ledger.Category(m[1])}
	return errors.Join(h.settled("category/"+m[1], "*", "*"), wrong(h.after.category(row) != m[2] || m[1] == m[2], "its rows are shown otherwise"))
}

func (h *hearing) categoryAsBefore(m []string) error {
	h.other = true
	row := ledger.Row{Type: ledger.Expense, Category: ledger.Category(m[1])}
	return wrong(h.after.category(row) != m[1] || h.before.category(row) == m[1], "it is not so")
}

func (h *hearing) noMoreCategory(m []string) error {
	return errors.Join(h.settled("category/"+m[1], m[1], ""), wrong(h.after.showsCategory(m[1]), "it is there"))
}

func (h *hearing) noSuchCategory(m []string) error {
	return wrong(h.after.showsCategory(m[1]), "there is")
}

func (h *hearing) newAccount(m []string) error {
	return errors.Join(h.settled("account/"+m[1], "", m[1]), wrong(m[1] != m[2] || m[1] != m[3], "it says two names"))
}

func (h *hearing) noMoreAccount(m []string) error { return h.settled("account/"+m[1], m[1], "") }

// household says something about words, categories and accounts.
func (f *family) household() string {
	word := pick(f, "推し活", "オタ活", "ランチ", "食費", "ペット", "へそくり", "娯楽", "豆貯金")
	other := pick(f, "推し活", "食費", "娯楽", "食べ物", "その他", "123")
	return strings.NewReplacer("A", word, "B", other).Replace(pick(f, "AはB", "辞書", "辞書 A 削除", "カテゴリ 追加 A", "カテゴリ 名前変更 A B", "カテゴリ 統合 A B",
		"カテゴリ 削除 A", "口座 追加 A", "口座 削除 A", "本 900 A", "A残高 3000", "今月のA"))
}
