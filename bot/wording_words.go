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
// called now. here is the chat in which that is said.
func (v Voice) settingsNow(here string, called store.Categories, changes []store.SettingChange) (lines []string) {
	for _, c := range changes {
		if line := v.settingNow(here, called, c, changes); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// settingNow is a line of settingsNow; "" where another change says it all.
func (v Voice) settingNow(here string, called store.Categories, c store.SettingChange, all []store.SettingChange) string {
	sort, name, _ := strings.Cut(c.Name, "/")
	switch sort + "/" {
	case store.WordSetting:
		return v.wordNow(called, c)
	case categorySetting:
		return v.categoryNow(called, name, c, all)
	case accountSetting:
		return v.accountNow(name, c.After != "")
	}
	if strings.HasPrefix(c.Name, languageSetting) {
		return v.languageNow(languages[c.After])
	}
	if c.Name == notifySetting {
		return v.notifiedNow(c.Before, c.After, here)
	}
	if c.Name == walletSetting {
		return v.walletIsNow(c.After)
	}
	return ""
}

// Words.

func (v Voice) wordNow(called store.Categories, c store.SettingChange) string {
	if c.After == "" {
		_, item := splitWord(c.Before)
		return v.say("「%s」のカテゴリは、おまかせになりました。", "The category of “%s” is up to me again.", item)
	}
	category, item := splitWord(c.After)
	return v.say("これからは「%s」を%sにします。", "“%s” goes to %s from now on.", item, v.category(called.Of(category)))
}

func (v Voice) wordsHead(n int) string {
	return v.say("教えてもらった言葉は%sです。", "You have taught me %s.", v.count(n, "こ", "word", "words"))
}

func (v Voice) wordLine(item string, c ledger.Category) string {
	return v.say("・%s：%s", "• %s: %s", item, v.category(c))
}

var (
	wordsFoot = Phrase{"「辞書 ランチ 削除」のように送ると、忘れます。", "Send “dictionary lunch remove” to make me forget one."}
	noWords   = Phrase{"教えてもらった言葉は、まだありません。「ランチは交際費」のように送るか、記録の下のボタンでカテゴリを変えると、覚えます。", "You have not taught me any words yet. Send something like “lunch is socialising”, or change the category with a button under an entry, and I remember."}
)

func (v Voice) notTaught(item string) string {
	return v.say("「%s」は、教えてもらっていません。「辞書」で、教えてもらった言葉を見られます。何も変えていません。", "You have not taught me “%s”. “dictionary” shows the words that you have. Nothing is changed.", item)
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
		return v.say("カテゴリ「%s」は、もとにもどりました。", "The category “%s” is as it was.", name)
	case c.After == name:
		return v.say("カテゴリに「%s」があります。「ランチ 900 %s」のように使えます。", "There is a category “%s”. Use it like “lunch 900 %s”.", name, name)
	case c.After != "":
		return v.say("「%s」は、いままでの記録も「%s」になりました。", "“%s” is “%s” now, for earlier entries too.", name, v.category(called.Of(ledger.Category(c.After))))
	case c.Before == name:
		return v.say("カテゴリ「%s」はなくなりました。", "The category “%s” is gone.", name)
	}
	return v.say("カテゴリ「%s」は、もとにもどりました。", "The category “%s” is as it was.", name)
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
	return v.say("「%s」は、カテゴリの名前にはできません。数字のない、%d文字までの名前にしてください。何も変えていません。", "“%s” can’t be a category. Use a name without digits, of at most %d characters. Nothing is changed.", shortened(typed), longestName)
}

func (v Voice) categoryIsThere(name string) string {
	return v.say("「%s」というカテゴリは、もうあります。何も変えていません。", "There is a category “%s” already. Nothing is changed.", name)
}

func (v Voice) mergeInstead(from ledger.Category, name string) string {
	return v.say("1つにまとめるなら「カテゴリ 統合 %s %s」と送ってください。", "To make them one, send “category merge %s %s”.", v.category(from), name)
}

// nameMeansElse refuses a name that would take a word away which is needed otherwise.
func (v Voice) nameMeansElse(name string) string {
	return v.say("「%s」は、ほかの意味で読む言葉なので、名前にはできません。何も変えていません。", "“%s” means something else to me, so it can’t be a name. Nothing is changed.", name)
}

func (v Voice) nameIsAccount(name string) string {
	return v.say("「%s」は、お金のあるところの名前なので、カテゴリにはできません。何も変えていません。", "“%s” is a place for money, so it can’t be a category. Nothing is changed.", name)
}

func (v Voice) noSuchCategory(name string) string {
	return v.say("「%s」というカテゴリはありません。「カテゴリ」で、いまのカテゴリを見られます。何も変えていません。", "There is no category “%s”. “categories” shows what there is. Nothing is changed.", name)
}

func (v Voice) sameCategory(c ledger.Category) string {
	return v.say("「%s」どうしは、まとめられません。何も変えていません。", "“%s” can’t be merged with itself. Nothing is changed.", v.category(c))
}

var otherStays = Phrase{"「その他」は、どのカテゴリでもないもののためにあるので、変えられません。何も変えていません。", "“Other” is for whatever has no category, so it can’t be changed. Nothing is changed."}

// Accounts.

func (v Voice) accountNow(name string, there bool) string {
	if !there {
		return v.say("「%s」は、口座の名前ではなくなりました。いままでの記録はそのままです。", "“%s” is no longer an account. What was recorded stays as it is.", name)
	}
	return v.say("口座に「%s」があります。「%s残高 30000」や「本 900 %s」のように使えます。", "There is an account “%s”. Use it like “%s balance 30000” or “book 900 %s”.", name, name, name)
}

func (v Voice) noAccountName(typed string) string {
	return v.say("「%s」は、口座の名前にはできません。数字のない、%d文字までの名前にしてください。何も変えていません。", "“%s” can’t be an account. Use a name without digits, of at most %d characters. Nothing is changed.", shortened(typed), longestName)
}

func (v Voice) accountIsThere(name string) string {
	return v.say("「%s」は、もう口座の名前として使えます。何も変えていません。", "“%s” is an account already. Nothing is changed.", name)
}

func (v Voice) nameIsCategory(name string) string {
	return v.say("「%s」はカテゴリの名前なので、口座にはできません。何も変えていません。", "“%s” is a category, so it can’t be an account. Nothing is changed.", name)
}

func (v Voice) noSuchAccount(name string) string {
	return v.say("「%s」という口座は、足してもらっていません。何も変えていません。", "You have not added an account “%s”. Nothing is changed.", name)
}

// Wallets.

func (v Voice) walletIsNow(value string) string {
	if value == walletShared {
		return v.say("これからは「財布」を、みんなで1つにします。いままでのそれぞれの財布は、そのまま残ります。", "From now on “wallet” is one for everybody. The wallets that each of you has stay.")
	}
	return v.say("これからは「財布」を、ひとりずつ分けます。みんなの財布は、そのまま残ります。", "From now on each of you has a “wallet” of your own. The one for everybody stays.")
}

func (v Voice) walletIsAlready(value string) string {
	if value == walletShared {
		return v.say("財布は、もうみんなで1つにしてあります。", "There is already one wallet for everybody.")
	}
	return v.say("財布は、もうひとりずつに分けてあります。", "Each of you already has a wallet of your own.")
}

// Languages.

var (
	howToSetLanguage = Phrase{
		"日本語で返事をしています。英語にするときは「言語 英語」と送ってください。",
		"I answer in English. To change that send “language ja”.",
	}
	languageIsAlready = Phrase{"もう日本語で返事をしています。", "I answer in English already."}
)

func (v Voice) languageNow(l Voice) string {
	if l == English {
		return v.say("これからは英語で返事をします。", "From now on I answer you in English.")
	}
	return v.say("これからは日本語で返事をします。", "From now on I answer you in Japanese.")
}

func (v Voice) noSuchLanguage(name string) string {
	return v.say("「%s」では、まだ返事ができません。「言語 英語」か「言語 日本語」と送ってください。何も変えていません。",
		"I can’t answer in “%s” yet. Send “language en” or “language ja”. Nothing is changed.", shortened(name))
}
