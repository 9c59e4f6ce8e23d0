package bot

import (
	"strings"

	"ichido/internal/ledger"
	"ichido/store"
)

// This file has the sentences about settings: words, categories and accounts of the
// household's own, and the wallet. Names of members are in wording_family.go, budgets in
// wording_budget.go.

// settingsNow says what the changed settings are now, with the categories as they are
// called now.
func (v Voice) settingsNow(called store.Categories, changes []store.SettingChange) (lines []string) {
	for _, c := range changes {
		if line := v.settingNow(called, c, changes); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// settingNow is a line of settingsNow; "" where another change says it all.
func (v Voice) settingNow(called store.Categories, c store.SettingChange, all []store.SettingChange) string {
	sort, name, _ := strings.Cut(c.Name, "/")
	switch sort + "/" {
	case store.WordSetting:
		return v.wordNow(called, c)
	case categorySetting:
		return v.categoryNow(called, name, c, all)
	case accountSetting:
		return v.accountNow(name, c.After != "")
	}
	if c.Name == walletSetting {
		return v.walletIsNow(c.After)
	}
	return ""
}

// settingsBack says that settings were changed back, or again.
func (v Voice) settingsBack(again bool) string { return v.changeBack(v.say("設定", ""), again) }

// Words.

func (v Voice) wordNow(called store.Categories, c store.SettingChange) string {
	if c.After == "" {
		_, item := splitWord(c.Before)
		return v.say("「%s」のカテゴリは、おまかせになりました。", "", item)
	}
	category, item := splitWord(c.After)
	return v.say("これからは「%s」を%sにします。", "", item, called.Of(category))
}

func (v Voice) wordsHead(n int) string {
	return v.say("教えてもらった言葉は %dこです。", "", n)
}

func (v Voice) wordLine(item string, c ledger.Category) string {
	return v.say("・%s：%s", "", item, c)
}

var (
	wordsFoot = Phrase{"「辞書 ランチ 削除」のように送ると、忘れます。", ""}
	noWords   = Phrase{"教えてもらった言葉は、まだありません。「ランチは交際費」のように送るか、記録の下のボタンでカテゴリを変えると、覚えます。", ""}
)

func (v Voice) notTaught(item string) string {
	return v.say("「%s」は、教えてもらっていません。「辞書」で、教えてもらった言葉を見られます。何も変えていません。", "", item)
}

// Categories.

// categoryNow says what became of a category: one that is new, has another name, was
// merged into another, or is again as it was. A renaming is two changes; the one of the
// old name says it.
func (v Voice) categoryNow(called store.Categories, name string, c store.SettingChange, all []store.SettingChange) string {
	switch {
	case c.After == name && isTarget(name, all), c.After == "" && isTarget(name, all):
		return ""
	case c.After == name && c.Before != "":
		return v.say("カテゴリ「%s」は、もとにもどりました。", "", name)
	case c.After == name:
		return v.say("カテゴリに「%s」があります。「ランチ 900 %s」のように使えます。", "", name, name)
	case c.After != "":
		return v.say("「%s」は、いままでの記録も「%s」になりました。", "", name, called.Of(ledger.Category(c.After)))
	case c.Before == name:
		return v.say("カテゴリ「%s」はなくなりました。", "", name)
	}
	return v.say("カテゴリ「%s」は、もとにもどりました。", "", name)
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

func (v Voice) noCategoryName(typed string) string {
	return v.say("「%s」は、カテゴリの名前にはできません。数字のない、%d文字までの名前にしてください。何も変えていません。", "", shortened(typed), longestName)
}

func (v Voice) categoryIsThere(name string) string {
	return v.say("「%s」というカテゴリは、もうあります。何も変えていません。", "", name)
}

func (v Voice) mergeInstead(from ledger.Category, name string) string {
	return v.say("1つにまとめるなら「カテゴリ 統合 %s %s」と送ってください。", "", from, name)
}

// nameMeansElse refuses a name that would take a word away which is needed otherwise.
func (v Voice) nameMeansElse(name string) string {
	return v.say("「%s」は、ほかの意味で読む言葉なので、名前にはできません。何も変えていません。", "", name)
}

func (v Voice) nameIsAccount(name string) string {
	return v.say("「%s」は、お金のあるところの名前なので、カテゴリにはできません。何も変えていません。", "", name)
}

func (v Voice) noSuchCategory(name string) string {
	return v.say("「%s」というカテゴリはありません。「カテゴリ」で、いまのカテゴリを見られます。何も変えていません。", "", name)
}

func (v Voice) sameCategory(c ledger.Category) string {
	return v.say("「%s」どうしは、まとめられません。何も変えていません。", "", c)
}

var otherStays = Phrase{"「その他」は、どのカテゴリでもないもののためにあるので、変えられません。何も変えていません。", ""}

// Accounts.

func (v Voice) accountNow(name string, there bool) string {
	if !there {
		return v.say("「%s」は、口座の名前ではなくなりました。いままでの記録はそのままです。", "", name)
	}
	return v.say("口座に「%s」があります。「%s残高 30000」や「本 900 %s」のように使えます。", "", name, name, name)
}

func (v Voice) noAccountName(typed string) string {
	return v.say("「%s」は、口座の名前にはできません。数字のない、%d文字までの名前にしてください。何も変えていません。", "", shortened(typed), longestName)
}

func (v Voice) accountIsThere(name string) string {
	return v.say("「%s」は、もう口座の名前として使えます。何も変えていません。", "", name)
}

func (v Voice) nameIsCategory(name string) string {
	return v.say("「%s」はカテゴリの名前なので、口座にはできません。何も変えていません。", "", name)
}

func (v Voice) noSuchAccount(name string) string {
	return v.say("「%s」という口座は、足してもらっていません。何も変えていません。", "", name)
}

// Wallets.

func (v Voice) walletIsNow(value string) string {
	if value == walletShared {
		return v.say("これからは「財布」を、みんなで1つにします。いままでのそれぞれの財布は、そのまま残ります。", "")
	}
	return v.say("これからは「財布」を、ひとりずつ分けます。みんなの財布は、そのまま残ります。", "")
}

func (v Voice) walletIsAlready(value string) string {
	if value == walletShared {
		return v.say("財布は、もうみんなで1つにしてあります。", "")
	}
	return v.say("財布は、もうひとりずつに分けてあります。", "")
}
