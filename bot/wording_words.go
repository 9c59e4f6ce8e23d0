package bot

import (
	"fmt"
	"strings"

	"ichido/internal/ledger"
	"ichido/store"
)

// This file has the sentences about settings: words, categories and accounts of the
// household's own, and the wallet. Names of members are in wording_family.go, budgets in
// wording_budget.go.

// settingsNow says what the changed settings are now, with the categories as they are
// called now.
func settingsNow(called store.Categories, changes []store.SettingChange) (lines []string) {
	for _, c := range changes {
		if line := settingNow(called, c, changes); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// settingNow is a line of settingsNow; "" where another change says it all.
func settingNow(called store.Categories, c store.SettingChange, all []store.SettingChange) string {
	sort, name, _ := strings.Cut(c.Name, "/")
	switch sort + "/" {
	case store.WordSetting:
		return wordNow(called, c)
	case categorySetting:
		return categoryNow(called, name, c, all)
	case accountSetting:
		return accountNow(name, c.After != "")
	}
	if c.Name == walletSetting {
		return walletIsNow(c.After)
	}
	return ""
}

// settingsBack says that settings were changed back, or again.
func settingsBack(again bool) string { return changeBack("設定", again) }

// Words.

func wordNow(called store.Categories, c store.SettingChange) string {
	if c.After == "" {
		_, item := splitWord(c.Before)
		return fmt.Sprintf("「%s」のカテゴリは、おまかせになりました。", item)
	}
	category, item := splitWord(c.After)
	return fmt.Sprintf("これからは「%s」を%sにします。", item, called.Of(category))
}

func wordsHead(n int) string { return fmt.Sprintf("教えてもらった言葉は %dこです。", n) }

func wordLine(item string, c ledger.Category) string { return fmt.Sprintf("・%s：%s", item, c) }

const (
	wordsFoot = "「辞書 ランチ 削除」のように送ると、忘れます。"
	noWords   = "教えてもらった言葉は、まだありません。「ランチは交際費」のように送るか、記録の下のボタンでカテゴリを変えると、覚えます。"
)

func notTaught(item string) string {
	return fmt.Sprintf("「%s」は、教えてもらっていません。「辞書」で、教えてもらった言葉を見られます。何も変えていません。", item)
}

// Categories.

// categoryNow says what became of a category: one that is new, has another name, was
// merged into another, or is again as it was. A renaming is two changes; the one of the
// old name says it.
func categoryNow(called store.Categories, name string, c store.SettingChange, all []store.SettingChange) string {
	switch {
	case c.After == name && isTarget(name, all), c.After == "" && isTarget(name, all):
		return ""
	case c.After == name && c.Before != "":
		return fmt.Sprintf("カテゴリ「%s」は、もとにもどりました。", name)
	case c.After == name:
		return fmt.Sprintf("カテゴリに「%s」があります。「ランチ 900 %s」のように使えます。", name, name)
	case c.After != "":
		return fmt.Sprintf("「%s」は、いままでの記録も「%s」になりました。", name, called.Of(ledger.Category(c.After)))
	case c.Before == name:
		return fmt.Sprintf("カテゴリ「%s」はなくなりました。", name)
	}
	return fmt.Sprintf("カテゴリ「%s」は、もとにもどりました。", name)
}

// isTarget says whether another of the changes gives a category the name, or took it
// from it.
func isTarget(name string, all []store.SettingChange) bool {
	for _, c := range all {
		if c.Name != categorySetting+name && strings.HasPrefix(c.Name, categorySetting) && (c.After == name || c.Before == name) {
			return true
		}
	}
	return false
}

func noCategoryName(typed string) string {
	return fmt.Sprintf("「%s」は、カテゴリの名前にはできません。数字のない、%d文字までの名前にしてください。何も変えていません。", shortened(typed), longestName)
}

func categoryIsThere(name string) string {
	return fmt.Sprintf("「%s」というカテゴリは、もうあります。何も変えていません。", name)
}

func mergeInstead(from ledger.Category, name string) string {
	return fmt.Sprintf("1つにまとめるなら「カテゴリ 統合 %s %s」と送ってください。", from, name)
}

// nameMeansElse refuses a name that would take a word away which is needed otherwise.
func nameMeansElse(name string) string {
	return fmt.Sprintf("「%s」は、ほかの意味で読む言葉なので、名前にはできません。何も変えていません。", name)
}

func nameIsAccount(name string) string {
	return fmt.Sprintf("「%s」は、お金のあるところの名前なので、カテゴリにはできません。何も変えていません。", name)
}

func noSuchCategory(name string) string {
	return fmt.Sprintf("「%s」というカテゴリはありません。「カテゴリ」で、いまのカテゴリを見られます。何も変えていません。", name)
}

func sameCategory(c ledger.Category) string {
	return fmt.Sprintf("「%s」どうしは、まとめられません。何も変えていません。", c)
}

const otherStays = "「その他」は、どのカテゴリでもないもののためにあるので、変えられません。何も変えていません。"

// Accounts.

func accountNow(name string, there bool) string {
	if !there {
		return fmt.Sprintf("「%s」は、口座の名前ではなくなりました。いままでの記録はそのままです。", name)
	}
	return fmt.Sprintf("口座に「%s」があります。「%s残高 30000」や「本 900 %s」のように使えます。", name, name, name)
}

func noAccountName(typed string) string {
	return fmt.Sprintf("「%s」は、口座の名前にはできません。数字のない、%d文字までの名前にしてください。何も変えていません。", shortened(typed), longestName)
}

func accountIsThere(name string) string {
	return fmt.Sprintf("「%s」は、もう口座の名前として使えます。何も変えていません。", name)
}

func nameIsCategory(name string) string {
	return fmt.Sprintf("「%s」はカテゴリの名前なので、口座にはできません。何も変えていません。", name)
}

func noSuchAccount(name string) string {
	return fmt.Sprintf("「%s」という口座は、足してもらっていません。何も変えていません。", name)
}

// Wallets.

func walletIsNow(value string) string {
	if value == walletShared {
		return "これからは「財布」を、みんなで1つにします。いままでのそれぞれの財布は、そのまま残ります。"
	}
	return "これからは「財布」を、ひとりずつ分けます。みんなの財布は、そのまま残ります。"
}

func walletIsAlready(value string) string {
	if value == walletShared {
		return "財布は、もうみんなで1つにしてあります。"
	}
	return "財布は、もうひとりずつに分けてあります。"
}
