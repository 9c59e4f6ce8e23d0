package grammar

import "strings"

// where says what must stand around a word of the lexicon.
type where uint16

const (
	anywhere       where = 0
	wordStart      where = 1 << iota // a word may begin here
	wordEnd                          // a word may end here
	clauseEnd                        // nothing follows but よ, ね and the like
	suffix                           // it hangs on a word
	isolated                         // no word touches it, except by a particle
	afterMoney                       // directly behind an amount
	beforeDigit                      // a number follows
	lineStart                        // nothing but blanks before it
	afterNoun                        // behind を, katakana or two kanji
	afterKana                        // behind the end of a word in kana
	beforeCategory                   // a category touches it
	whole          = wordStart | wordEnd
)

// lexeme is a row of the lexicon: words with one meaning, separated by blanks;
// an underscore is a blank inside a word. drop takes the words out of items.
type lexeme struct {
	mark  mark
	where where
	drop  bool
	words string
}

var lexicon = []lexeme{
	{question, anywhere, false, "いつ いくら いくつ 何回 何円 何日 何個 何人 何杯 何本 何枚 何冊 何匹 何件 何時間 何パック 何皿 何泊 何箱 何袋 何台 何着 何足 どれくらい どのくらい どれぐらい どのぐらい 幾ら how_much how_many"},
	{question, anywhere, false, "行ったのいつ 行ったのはいつ に行ったのいつ に行ったのはいつ 買ったのいつ 買ったのはいつ を買ったのいつ を買ったのはいつ 払ったのいつ 払ったのはいつ を払ったのいつ を払ったのはいつ"},
	{question, clauseEnd, false, "ですか ますか ましたか でしたか かしら でしょうか だっけ っけ のか 高い 安い 高かった 安かった 高すぎ 高すぎる"},
	{question, clauseEnd | suffix, false, "かな でいい で大丈夫 でok"},
	{hearsay, clauseEnd | suffix, false, "だって んだって らしい らしいです って聞いた と聞いた だそう だそうだ だそうです とのこと って言われた と言われた って言われました って言ってた と言ってた みたい みたいだ みたいです だったって したって って"},
	{request, clauseEnd, false, "貸して かして ください 下さい ちょうだい 頂戴 お願い お願いします おねがい おねがいします 買ってきて 買っといて 送って 送っといて 振り込んで 振り込んどいて 払っといて 返して 渡して 渡しといて 持ってきて 持って来て 持って行って 持ってって 用意して 準備して くれる くれない もらえる 立て替えて 立替えて 立替て please"},
	{request, clauseEnd, false, "払って 買って"},
	{wish, clauseEnd | suffix, false, "たい たいな たいです たいなあ たいなぁ"},
	{wish, clauseEnd | suffix, false, "たらいいな たらいいなあ たらいいね たらなあ といいな といいなあ といいね ばいいな ばいいのに"},
	{wish, clauseEnd, false, "ほしい 欲しい ほしいな 欲しいな ほしいです 欲しいです want"},
	{plan, clauseEnd, false, "予定だ つもりだ 見込みだ 見込み 見込みです 想定 出品した 出品しました 出品 出品中 予定 予定です つもり つもりです 買おう 行こう しよう 払おう 食べよう 飲もう 頼もう かも かもしれない 買う 行く 払う 使う 食べる 飲む する 買うよ おろす 下ろす 引き出す 預ける 振り込む 返す 貸す 借りる もらう 渡す 送る 頼む 申し込む 買います 行きます 払います 使います 食べます いける 必要 必要です 必要だ 検討中 検討 検討してる 迷い中 迷ってる"},
	{plan, lineStart, false, "もうすぐ そろそろ そのうち いずれ"},
	{plan, clauseEnd, false, "と思う と思います と思ってる と思っている かかりそう なりそう 使いそう 払いそう 買いそう 超えそう かかるそう"},
	{denial, clauseEnd | suffix, false, "なかった ない ません ませんでした なかったです ないです ずに"},
	{denial, whole, false, "not didn't don't haven't won't didn’t don’t haven’t won’t never"},
	{denial, clauseEnd, false, "見送り 保留 却下 お預け 切れた 切れそう 切らした なくなった なくなりそう"},
	{request, clauseEnd, false, "よろしく よろしくです よろしくお願いします"},
	{hearsay, anywhere, false, "って言われ と言われ"},
	{request, beforeDigit, false, "買ってきて 買っといて 持ってきて 渡して 払っといて"},
	{denial, clauseEnd, false, "やめた やめました やめとく 我慢した 諦めた 解約した 解約しました 断った 見送った"},
	{comparison, clauseEnd, false, "多い 少ない 多かった 少なかった 多め 少なめ 足りない 足りなかった 近い 近かった オーバー オーバーした オーバーしました オーバーしてる オーバーしている オーバーしてます オーバーしています オーバー中 超えた 超えました 超えてる 超えている 超えてます 超過 超過した 超過してる 余った 余ってる 浮いた 浮いてる 赤字 黒字 得した 損した 節約 節約した 節約できた 残ってる 残ってない"},
	{comparison, clauseEnd | afterMoney, false, "増 減 増加 減少 アップ ダウン 増えた 減った 増し 高 安 高め 安め"},
	{comparison, whole, false, "残り 内訳"},
	{comparison, wordStart | beforeDigit, false, "あと"},
	{comparison, afterMoney, false, "達成 突破 必要 お買い得 お得"},
	{comparison, beforeDigit, false, "足りない 必要"},
	{comparison, clauseEnd | afterMoney, false, "越え 超え 越えてる 超えてる 越えている 超えている 越えてます 超えてます 越えた 超えた 越えました 超えました 越えそう 超えそう"},
	{comparison, clauseEnd, false, "見積もり 見積り 見積"},
	{comparison, beforeDigit, false, "見積もり 見積り 見積"},
	{comparison, whole | beforeDigit, false, "年収 月収 時給 日給 年商 株価 日経平均 為替 相場 査定 査定額 評価額 目標 目標額 限度額 借金 残債 小銭"},
	{comparison, lineStart, false, "昔は 以前は 当時は 今なら 今だけ 普通は 普段は いつもは もし 仮に 例えば"},
	{comparison, clauseEnd, false, "多く払った 多く払いました 余分に払った 払いすぎた 払い過ぎた"},
	{comparison, suffix | beforeDigit, false, "なら だと は大人 は子ども は子供 は最大 は最低 は一律 は平均"},
	{comparison, suffix, false, "なら片道 だと片道 なら往復 だと往復"},
	{comparison, beforeDigit, false, "まであと まで残り までのこり"},
	{comparison, anywhere, false, "より多い より少ない より高い より安い"},

	{news, clauseEnd | afterMoney, false, "値上げ 値上がり 値上げした 値上がりした 値下げ 値下がり 値下げした 値下がりした も値上げ も値上がり も値上げした も値上がりした 上がった 下がった も上がった も下がった 高くなった 安くなった も高くなった も安くなった"},
	{nextTime, wordStart, false, "次回 次回は 次回の 次回予約 次回予約は 次回の予約 次回の予約は 次の予約 次の予約は 次は つぎは 次"},

	{approximate, wordStart | beforeDigit, true, "約 だいたい 大体 およそ ざっと ちょうど たしか"},
	{approximate, wordStart | beforeDigit, true, "about around roughly approx approximately almost nearly exactly just only"},
	{approximate, afterMoney, true, "or_so ish or_thereabouts"},
	{limit, afterMoney, false, "each apiece per_person a_person per_head per_night a_night per_month a_month per_week a_week per_hour an_hour per_year a_year or_more or_less and_up"},
	{limit, isolated | beforeDigit, false, "less_than more_than over under up_to at_least at_most max maximum minimum"},
	{approximate, afterMoney, true, "くらい ぐらい 位 ほど 前後 程度 ちょっと ちょい 弱 強 だけ 分 なり 也 ちょうど ぴったり きっかり ジャスト ぽっきり ポッキリ"},
	{approximate, afterMoney | clauseEnd, true, "のみ"},
	{half, isolated, true, "半額"},
	{half, afterMoney, true, "の半分"},
	{half, isolated, true, "の半分"},
	{half, clauseEnd, true, "半分払った 半分出した 半分だけ払った 半分だけ出した"},
	{sumWord, wordStart | beforeDigit, true, "金"},
	{limit, afterMoney, false, "以上 以下 以内 未満 まで から 台 ずつ より 超 〜 ~"},
	{limit, afterMoney | beforeDigit, true, "か または もしくは ないし or"},
	{limit, isolated | beforeDigit, false, "または もしくは or"},
	{total, whole, true, "合計 総計 総額 トータル しめて 全部で 合わせて 計 現計 合計金額 お会計 total"},
	{subtotal, whole, true, "小計"},
	{innerTax, wordStart | beforeDigit, true, "内税 内税額 内消費税 内消費税額 内消費税等 うち消費税 うち消費税等 うち税 うち税額 うち税金"},
	{partOf, whole, false, "うち 内"},
	{partOf, afterMoney, false, "のところ のとこ"},
	{partOf, wordStart | beforeDigit, false, "定価 元値 通常 通常価格 割引前 セール セール価格 商品券 ギフト券 手付金 頭金"},
	{takenOff, wordStart | beforeDigit, false, "クーポン 割引 値引き 値引"},
	{takenOff, afterMoney, false, "off discount"},
	{comparison, clauseEnd | afterMoney, false, "cheaper more less extra too_much short over_budget"},
	{news, isolated, false, "went_up went_down goes_up"},
	{request, lineStart, false, "buy get bring pick_up don't_forget fetch give give_me"},
	{takenOff, afterMoney, false, "クーポン クーポン使用 クーポン利用 クーポン券 割引券 値引券"},
	{taxPart, wordStart | beforeDigit, false, "外税 税 税額 消費税"},
	{taxed, anywhere, true, "税込 税込み 税込価格 内税 消費税込 消費税込み incl._tax incl_tax inc._tax inc_tax including_tax tax_included tax_incl tax_incl. tax_inc with_tax incl.tax"},
	{taxed, afterMoney, true, "込み 込"},
	{taxed, isolated, true, "込み 込"},
	{untaxed, anywhere, true, "税抜 税抜き 税別 外税 本体価格 +税 +消費税 plus_tax +_tax +tax excl._tax excl_tax before_tax tax_excluded excluding_tax without_tax"},
	{untaxedOrItem, wordStart, true, "本体"},
	{tendered, wordStart | beforeDigit, true, "お預かり お預り お預かり金額"},
	{tenderedOrItem, wordStart | beforeDigit, true, "預かり"},
	{change, anywhere, false, "お釣り おつり お釣 釣り銭 つり銭 釣銭"},
	{change, isolated | beforeDigit, false, "change got_change change_back"},
	{changeOrItem, wordStart | beforeDigit, false, "釣り つり"},
	{points, wordStart | beforeDigit, true, "うちポイント うちポイント利用 ポイント ポイント利用 ポイント使用 ポイント支払い ポイント還元 tポイント dポイント 楽天ポイント 獲得ポイント"},
	{codeWord, wordStart, false, "お客様コード 会員コード クーポンコード プロモコード シリアルコード 商品コード 認証コード 確認コード 認証番号 確認番号 暗証番号 暗証 password password_is passcode_is pin_is pin_code pin_code_is my_pin_is パスワード ワンタイムパスワード セキュリティコード 予約番号 受付番号 会員番号 注文番号 追跡番号 伝票番号 問い合わせ番号 お問い合わせ番号 電話番号 郵便番号 部屋番号 口座番号 カード番号 クレジットカード番号 マイナンバー ナンバー シリアル番号 製造番号 受験番号 社員番号 学籍番号 診察券番号 整理番号 お客様番号 パスコード ピンコード pin pinコード 暗証コード otp tel fax 内線 passcode verification_code verification_code_is code_is is_your_code is_your_verification_code is_your_otp 品番 型番 商品番号 管理番号 レシート番号 整理券番号"},

	{codeWord, lineStart | beforeDigit, false, "コード code"},
	{codeWord, beforeDigit, false, "番号"},
	{measure, isolated | beforeDigit, false, "体重 体温 血圧 身長 体脂肪 体脂肪率 心拍 心拍数 脈拍 血糖値 気温 室温 湿度 歩数 熱 偏差値 順位 背番号"},
	{measure, isolated | beforeDigit, false, "number order_number order ticket_number tracking tracking_number weight temperature level score zip postcode zip_code"},
	{measure, suffix | beforeDigit, false, "のサイズ"},
	{place, lineStart | beforeDigit, false, "apartment apt room gate platform track exit door seat floor locker terminal"},
	{place, isolated | beforeDigit, false, "page chapter episode season version"},
	{codeWord, lineStart | beforeDigit, false, "call dial ext extension"},
	{place, suffix | beforeDigit, false, "列"},
	{place, lineStart | beforeDigit, false, "部屋 出口 ゲート 搭乗口 サイズ"},
	{because, suffix, true, "なので だから"},
	{because, afterKana, true, "ので"},
	{paid, clauseEnd, true, "使っちゃいました 買っちゃいました 払っちゃいました 食べちゃいました 飲んじゃいました かかっちゃいました 乗った 乗りました 観た 観ました 見た 見ました 切った 切りました 食った 呑んだ 済ませた 済ませました 受けた 受けました 打った 引いた 回した やった やりました 直した 泊まった 泊まりました 遊んだ 遊びました 読んだ 作った 作りました 揃えた 買い足した 買い換えた 買い替えた 奢った おごった おごりました 食べに行った 飲みに行った"},
	{paid, clauseEnd, true, "使った 使いました 使ってしまった つかった つかいました 買った 買いました 払った 払いました 支払った 支払いました 食べた 食べました 飲んだ 飲みました 行った 行きました 行ってきた かかった かかりました 購入 購入した 購入しました 支出 出費 頼んだ 注文した 買ってきた 買ってきました 買っちゃった 使っちゃった 食べちゃった 飲んじゃった 払っちゃった かかっちゃった 買ってしまった 払ってしまった 食べてしまった かかってしまった かかってしまいました 行ってきました 食べてきた 飲んできた 払ってきた 取られた とられた 引かれた ゲット 振り込んだ 振り込みました 納めた 納めました 支払い済み 支払済み 消えた 飛んだ 溶けた"},
	{copula, clauseEnd, true, "です"},
	{copula, clauseEnd | afterMoney, true, "だ だよ だね だな だわ だぞ ですよ ですね"},
	{question, clauseEnd | afterMoney, false, "だよね ですよね かあ かぁ"},
	{copula, clauseEnd | afterMoney, true, "ね ねー よ よー なあ なー"},
	{copula, clauseEnd | isolated, true, "笑 www ww"},
	{copula, clauseEnd | afterMoney, true, "ー ーー っ w ♪ ♪♪ ♬ ♫ ☆ ★ ☆彡 ♡ ♥"},
	{copula, clauseEnd | afterMoney, true, "のほう の方 のほうで の方で のほうだ の方だ のほうです の方です のほうだった の方だった のほうでした の方でした"},
	{paid, clauseEnd | afterMoney, true, "もかかった もかかりました も使った も使いました も払った も払いました も取られた もとられた も使っちゃった も払っちゃった もかかっちゃった で済んだ で済みました ですんだ ですみました"},
	{paid, clauseEnd | afterNoun, true, "した しました"},
	{paid, beforeDigit, true, "使った 買った 払った 支払った 食べた 飲んだ 買いました 払いました 使いました"},
	{paid, beforeDigit, true, "食べて 飲んで 使って 行って 入れて 買って 払って 頼んで 乗って 観て 見て 寄って"},
	{paid, beforeDigit | afterNoun, true, "して"},
	{loan, clauseEnd, false, "貸した 貸しました 預かった 預かりました 借りた 借りました 返した 返しました 返済した 立て替えてもらった 落とした なくした 失くした 無くした 盗まれた 負けた 負けました"},
	{loan, isolated, false, "lent loaned borrowed lend borrow owe owes paid_back pay_back repaid gave_back lost stolen"},
	{loan, clauseEnd, true, "のおごり おごり のおごりで おごりで 奢り の奢り おごってもらった おごってもらいました 奢ってもらった おごってくれた ごちそうになった ごちそうになりました ごちになった"},
	{remains, clauseEnd, false, "しかない しかありません しか残ってない しか入ってない"},
	{interjection, isolated, true, "あ あっ えっと えーと はい うん ありがとう ありがとうございます おはよう おはようございます こんにちは こんばんは お疲れ お疲れ様 お疲れさま お疲れ様です お疲れさまです おつかれ おつかれさま おつかれさまです ただいま それ これ あれ おっと ねえ ねぇ ねえねえ あのさ あのね"},
	{interjection, lineStart | isolated, true, "yes yeah yep ok okay hi hello hey oh"},
	{interjection, clauseEnd, true, "thanks thx thank_you"},
	{recordWord, lineStart, true, "add record please_add please_record can_you_add can_you_record i'd_like_to_add"},
	{apology, isolated, true, "ごめん ごめんなさい ごめんね すみません すいません"},
	{sold, clauseEnd, true, "売れた 売れました 売った 売りました"},
	{got, beforeDigit, true, "got received i_got we_got i_received we_received earned i_earned made"},
	{got, lineStart, true, "received i_received we_received earned i_earned"},
	{gave, lineStart, false, "gave i_gave we_gave"},
	{paid, lineStart, true, "i_spent i_paid i_bought i_had i_ate i_got i_purchased i_ordered we_spent we_paid we_bought we_had we_ate we_got we_ordered had ate got purchased ordered grabbed picked_up just_bought just_paid just_spent went_to went_to_the i_went_to i_went_to_the we_went_to we_went_to_the"},
	{paid, beforeDigit, true, "cost costs was were"},
	{paid, isolated, true, "i_spent we_spent i_paid we_paid i_bought we_bought i_just_paid i_just_bought i_just_spent we_just_paid spent paid bought 支払い 支払 お支払い"},
	{got, clauseEnd, true, "おりた 下りた おりました 下りました もらった 貰った もらいました 貰いました いただいた いただきました 頂いた 頂きました 入った 入りました 入ってきた 届いた 戻ってきた 戻った 戻りました 返ってきた 振り込まれた 振り込まれました 受け取った 受取"},
	{got, clauseEnd, true, "当たった 当たりました 勝った 勝ちました 儲かった 儲けた 稼いだ 稼ぎました 拾った 拾いました"},
	{got, isolated, true, "当たり 勝ち 当選"},
	{gave, clauseEnd, true, "あげた あげました 渡した 渡しました わたした 送った 送りました 出した 包んだ"},
	{topUp, wordEnd, false, "チャージ チャージした チャージしました 入金 入金した 入金しました charge top_up topup"},
	{withdraw, clauseEnd, false, "おろした おろしました 下ろした 下ろしました 引き出した 引き出しました 引出した 出金 出金した"},
	{withdraw, beforeDigit, false, "おろして おろして、"},
	{withdraw, wordEnd | afterMoney, false, "おろして 下ろして 引き出して"},
	{withdrawNoun, whole, false, "引き出し 引出し 引出 引きだし"},
	{deposit, clauseEnd, false, "預けた 預けました 預け入れ 預入 預け入れた"},
	{atm, whole, false, "atm"},
	{cashWord, wordStart, false, "お金"},
	{cashWord, clauseEnd | wordStart, true, "両替 両替した 両替しました"},
	{save, wordEnd, false, "貯金 貯金した 貯金しました 積立 積み立て 積立て nisa つみたてnisa 積立nisa ニーサ つみたてニーサ ideco 貯蓄 定期預金 預金 預金した 預金しました へそくり"},
	{debit, wordEnd, false, "引き落とし 引落し 引落 引き落し 引き落とされた 引き落とされました 引落とし 自動引き落とし"},
	{billed, wordEnd, false, "請求"},
	{refunded, lineStart, false, "returned got_a_refund_for refund_for refund_of"},
	{refunded, wordEnd, false, "返金 返品 払い戻し 払戻し 払戻 返金された 返金あり 返金した 返金しました 返金がありました 返金があった 返金してもらった 返品した 返品しました キャッシュバック refund refunded"},
	{moved, clauseEnd, true, "移した 移しました 移動 移動した 移動しました 入れた 入れました 振り替えた 振替した"},
	{advanced, isolated, true, "立替 立て替え 立替え 立替払い 立て替えた 立替えた"},

	{undoWord, wordEnd, false, "取消 取り消し 取消し 取り消して 取消して 取り消す 取り消した とりけし とりけして 削除 削除して 削除する 消して けして 消す キャンセル キャンセルして なし なしで undo cancel delete"},
	{redoWord, wordEnd, false, "元に戻す 元に戻して もとに戻す もとに戻して 元にもどして 元にもどす もとにもどす もとにもどして 復元 redo restore"},
	{maybeRedo, wordEnd, false, "戻す 戻して もどす もどして"},
	{correction, clauseEnd, false, "直して 直す なおして 変更 変更して 変えて かえて 訂正 訂正して 修正 修正して 間違い 間違いだった 間違いでした 間違えた 間違えました 間違った 間違ってた 間違ってました まちがえた ミス 打ち間違い 金額違う 金額が違う 金額違い 値段違う 値段が違う"},
	{correctionStart, lineStart | isolated, false, "修正"},
	{correctionStart, lineStart | wordEnd, false, "訂正 正しくは"},
	{contradiction, isolated, false, "違う 違うよ 違うって 違うの 違うね 違うわ 違うんだ 違うんです 違います 違いますよ 違いました 違った 違ったよ 違ったわ 違ってた 違くて ちがう ちがうよ ちがうって ちがうの ちがうね ちがうわ ちがうんだ ちがいます ちがった ちがったよ ちがってた ちがくて ごめん違う ごめん違った あ違う あっ違う いや いやいや いえ いいえ wrong"},
	{insteadOf, anywhere, false, "ではなく ではなくて じゃなく じゃなくて でなく でなくて じゃなくって"},
	{was, clauseEnd, true, "だった でした だったよ だったわ"},
	{earlier, wordStart, true, "さっき さっきの 先ほど 先ほどの 先程 先程の ひとつ前の 一つ前の 1つ前の 直前の 最後の いまの 今の やっぱり やっぱ やっぱし やはり"},
	{earlier, wordStart, false, "前の ひとつ前 一つ前 1つ前 直前 今"},

	{wallet, anywhere, false, "財布 さいふ サイフ お財布 おさいふ wallet 所持金 持ち金 手持ち金 手持ち現金 手持ちのお金"},
	{wallet, isolated, false, "手持ち"},
	{balanceWord, wordEnd, false, "残高 残金 balance 残高確認 残高照会 balances"},
	{budgetWord, wordEnd, false, "予算 budget budgets"},
	{budgetWord, wordStart | beforeCategory, false, "予算"},
	{budgetWord, wordEnd, false, "予算から"},
	{budgetWord, clauseEnd, false, "予算あと 予算残り 残り予算"},
	{noBudget, clauseEnd, false, "予算なし 予算無し 予算なしで 予算なしに 予算ゼロ 予算削除 予算解除 予算廃止"},
	{daysLeft, anywhere, false, "予算あと何日 予算残り何日 あと何日 残り何日 のこり何日"},
	{budgetWord, anywhere, false, "予算どれ 予算どの"},
	{daysLeft, anywhere, false, "how_many_days_left how_many_days_are_left"},
	{perDay, isolated, false, "per_day each_day a_day"},
	{budgetLeft, anywhere, false, "いくらまで"},
	{moneyLeft, anywhere, false, "あといくら 残りいくら のこりいくら あとどれくらい あとどのくらい 残りどれくらい 残りどのくらい how_much_left how_much_is_left how_much_money_is_left how_much_can_i_spend how_much_can_we_spend how_much_can_i_still_spend how_much_can_we_still_spend how_much_may_i_spend how_much_do_i_have_left how_much_do_we_have_left how_much_have_i_left how_much_left_to_spend how_much_more_can_i_spend how_much_more_can_we_spend left_to_spend what's_left what_is_left"},
	{budgetLeft, anywhere, false, "使える 使えます 使えそう 予算あと"},
	{queryWord, wordEnd, false, "家計簿 まとめ 集計 サマリー サマリ レポート 収支 カテゴリ別 カテゴリー別 費目別 分類別 summary report spending expenses 支出 使った金額"},
	{listWord, wordEnd, false, "一覧 履歴 明細 リスト list history"},
	{listWord, whole, false, "記録見せて 記録を見せて 記録みせて 記録をみせて 記録確認 記録を確認 最近の記録 直近の記録 これまでの記録"},
	{searchWord, lineStart | wordEnd, false, "find look_for search_for look_up"},
	{searchWord, wordEnd, false, "検索 探して さがして search"},
	{trendWord, wordEnd, false, "推移 グラフ トレンド trend graph trends graphs"},
	{trendWord, isolated, false, "月別 月ごと 月毎"},
	{compareWord, whole, false, "比較 比較して 比べて 比べて見せて 比べる 比べると 比べたら 比べてどう 比べてどうですか くらべて くらべると 比 前の月と比べて 前の月と比較 compare compare_with compare_to compared_with compared_to vs versus compare_it_with comparison"},
	{halfYear, whole, false, "過去半年 過去半年間 直近半年 この半年 半年 半年間 6ヶ月 6か月 6カ月 6ヶ月間 6か月間 六ヶ月"},
	{yearLong, whole, false, "1年 一年 1年間 一年間 12ヶ月 12か月 12カ月 12ヶ月間 12か月間"},
	{yearLong, wordStart, false, "年間"},
	{categoryWord, wordEnd, false, "カテゴリ カテゴリー 分類 費目 categories category"},
	{everyWord, anywhere, false, "毎月 毎週 毎年 毎日 every_month monthly every_week every_year every_day every_monday every_tuesday every_wednesday every_thursday every_friday every_saturday every_sunday"},
	{settingWord, wordStart, false, "締め日 締日 しめ日 月初 月の初め 月の始まり 月の開始日 開始日 通知 タイムゾーン 言語 設定 language"},
	{settingWord, lineStart, false, "closing_day month_start notify notifications timezone time_zone settings"},
	{settingWord, isolated | lineStart, false, "締め"},
	{settleWord, wordEnd, false, "精算 清算 精算して 清算して 立替一覧 立替精算 settle"},
	{splitWord, anywhere, false, "割り勘 割勘 わりかん ワリカン 割り勘した 割り勘しました 割り勘にした 割り勘で 割って 折半 折半した"},
	{splitWord, wordStart, false, "半分ずつ 半分づつ"},
	{splitWord, isolated, false, "半々 半分こ 半分こした 半分こして"},
	{maybeSplit, clauseEnd, false, "割った 割りました 分けた 分けました シェアした"},
	{wholeSum, clauseEnd, true, "全額 全額払った 全額払いました 全額支払った 全額出した 全額払い"},
	{shareWord, beforeDigit, false, "1人 一人 ひとり 一人あたり 1人あたり 一人当たり 1人当たり"},
	{eachWord, wordStart | beforeDigit, true, "単価 各 いずれも それぞれ"},
	{recordWord, clauseEnd | isolated, true, "記録 登録 追加 記帳"},
	{recordWord, clauseEnd, true, "記録して 登録して 追加して メモして つけて つけといて 入れて 入れといて 記帳して"},
	{politeWord, clauseEnd, true, "見せて みせて 教えて おしえて 表示 表示して 出して 知りたい 確認 show"},
	{familyWord, wordEnd, false, "家族で 夫と 妻と 嫁と 旦那と 主人と 彼女と 彼氏と 友達と 友人と"},
}

// lexiconIndex finds the rows of the lexicon that a word stands in; the same
// word may stand in several, and the first whose place fits is taken.
var lexiconIndex, lexiconRows = indexLexicon()

func indexLexicon() (*trie, [][]int) {
	byWord := map[string][]int{}
	var order []string
	for n, row := range lexicon {
		for _, word := range strings.Fields(row.words) {
			word = strings.ReplaceAll(word, "_", " ")
			if byWord[word] == nil {
				order = append(order, word)
			}
			byWord[word] = append(byWord[word], n)
		}
	}
	t, rows := newTrie(), make([][]int, len(order))
	for i, word := range order {
		t.add([]rune(word), i)
		rows[i] = byWord[word]
	}
	return t, rows
}

// scanLexicon reads an account, a category or a mark at i. A longer word of
// the dictionary is left to be a word.
func scanLexicon(l *line, i int) (span, bool) {
	if s, ok := l.scanAccount(i); ok {
		return s, true
	}
	if s, ok := l.scanDoubtfulAccount(i); ok {
		return s, true
	}
	if s, ok := l.scanCategory(i); ok {
		return s, true
	}
	var row int
	_, end, ok := lexiconIndex.longest(l.low, i, func(n, end int) bool {
		for _, candidate := range lexiconRows[n] {
			if l.fits(lexicon[candidate].where, i, end) {
				row = candidate
				return true
			}
		}
		return false
	})
	if !ok || l.dictionaryGoesOn(i, end) || l.isOnlyPart(lexicon[row].mark, i, end) {
		return span{}, false
	}
	if lexicon[row].drop && lexicon[row].where&clauseEnd != 0 {
		end = l.pastSentenceTail(end)
	}
	return span{kind: markSpan, from: i, to: end, mark: lexicon[row].mark, used: lexicon[row].drop}, true
}

// isOnlyPart says whether the word at [i, end) is a part of the name of a thing:
// いくら軍艦, なしのタルト, ありがとうのお花.
func (l *line) isOnlyPart(m mark, i, end int) bool {
	switch m {
	case question:
		return l.isRoe(i, end) || l.isNever(i, end)
	case change:
		return l.at(i) == latin && i == l.skipBlank(0)
	case sumWord:
		return l.rune(l.readNumeral(end).end) != '円'
	case wallet:
		from, ok := l.englishBefore(i)
		return ok && boughtWallets.has(string(l.low[from:i-1]))
	case recordWord:
		return l.at(i) == latin && (l.rune(end) == '-' || recordThings.startsAt(l.low, l.skipBlank(end)))
	case undoWord:
		return l.has(i, "なし") && l.rune(end) == 'の' && isWord(l.at(end+1))
	case topUp:
		return strings.ContainsRune("式用型器機確", l.rune(end)) && end < len(l.raw)
	case interjection:
		return (l.rune(end) == 'の' || l.rune(end) == 'も') && isWord(l.at(end+1))
	}
	return false
}

// recordThings make record a part of an item: record player 8000.
var recordThings = wordSet("player store shop deck label bag on-")

// boughtWallets are what a wallet is that somebody buys.
var boughtWallets = wordSet("new leather used black brown small coach gucci prada vuitton bought men's women's nice birthday")

// isNever says whether いつ at i is a part of another word: いつも, あいつ.
func (l *line) isNever(i, end int) bool {
	return l.has(i, "いつ") && end == i+2 && (strings.ContainsRune("もかまの", l.rune(end)) || i > 0 && strings.ContainsRune("あこそどは", l.rune(i-1)))
}

// askedOfMoney begin the verbs that stand behind いくら where it asks how much.
const askedOfMoney = "使払掛出支持残貯入円得返借貸要余浮"

// isRoe says whether いくら at i is food: a noun follows and a price stands in
// the line.
func (l *line) isRoe(i, end int) bool {
	if !l.has(i, "いくら") || end != i+3 || !l.hasDigit || l.asking {
		return false
	}
	if l.rune(end) == 'の' {
		end++
	}
	next := l.at(end)
	return (next == kanji || next == katakana || l.knownStart(end)) && !strings.ContainsRune(askedOfMoney, l.rune(end))
}

// dictionaryGoesOn says whether a word of the dictionary begins at i and is
// longer.
func (l *line) dictionaryGoesOn(i, end int) bool {
	if !l.startsWord(i) {
		return false
	}
	longer, _, ok := words().at(&l.text, i)
	return ok && longer > end
}

// fits checks the conditions of a row of the lexicon for a word at [i, end).
func (l *line) fits(w where, i, end int) bool {
	switch {
	case w&wordStart != 0 && !l.startsWord(i) && !l.afterSpan(),
		w&wordEnd != 0 && !l.endsWord(end) && !l.politeFollows(end),
		w&clauseEnd != 0 && !l.endsClause(end),
		w&suffix != 0 && !isWord(l.at(i-1)) && l.at(i-1) != digit,
		w&isolated != 0 && !l.isolated(i, end),
		w&afterMoney != 0 && !l.behindMoney(),
		w&beforeDigit != 0 && !l.digitFollows(end),
		w&lineStart != 0 && l.skipBlank(0) != i,
		w&afterNoun != 0 && !l.behindNoun(i),
		w&beforeCategory != 0 && !l.categoryFollows(end),
		w&afterKana != 0 && (l.at(i-1) != kana || l.afterSpan()):
		return false
	}
	return true
}

// politeWords may hang on the word of a command.
var politeWords = wordSet("見せ みせ 教え おしえ 表示 出して 確認 ください 下さい お願い おねがい いくら")

func (l *line) politeFollows(end int) bool {
	return politeWords.startsAt(l.low, end)
}

// afterSpan says whether something other than a word was recognised directly
// before, so that a word may begin.
func (l *line) afterSpan() bool {
	n := len(l.spans)
	return n == 0 || l.spans[n-1].kind != wordSpan
}

func (l *line) behindNoun(i int) bool {
	before := l.at(i - 1)
	return l.rune(i-1) == 'を' || before == katakana || before == kanji && l.at(i-2) == kanji
}

func (l *line) behindMoney() bool {
	n := len(l.spans)
	if n > 1 && l.spans[n-1].kind == spaceSpan && l.at(l.spans[n-1].to) == latin {
		n-- // English parts its words
	}
	return n > 0 && l.spans[n-1].kind == amountSpan
}

// sentenceTail is what may still follow the last word of a sentence.
const sentenceTail = "よねなわぞさーっんw笑"

func (l *line) endsClause(i int) bool {
	const longest = 5
	end := l.pastSentenceTail(i)
	s := l.at(end)
	return end <= i+longest && (s == blank || s == punct || s == other)
}

func (l *line) pastSentenceTail(i int) int {
	for i < len(l.raw) && strings.ContainsRune(sentenceTail, l.rune(i)) {
		i++
	}
	return i
}

// isolated says whether no word touches the range, except by a particle.
func (l *line) isolated(i, end int) bool {
	before := !isWord(l.at(i-1)) || l.afterSpan() || l.at(i-1) == kana && isParticle(l.rune(i-1))
	after := !isWord(l.at(end)) || l.at(end) == kana && isParticle(l.rune(end))
	return before && after
}

// digitFollows says whether a number begins behind the range, perhaps after a
// blank, a colon or a particle.
func (l *line) digitFollows(end int) bool {
	i := l.skipBlank(end)
	if strings.ContainsRune("はがで:：", l.rune(i)) {
		i = l.skipBlank(i + 1)
	}
	return l.at(i) == digit || l.rune(i) == '¥' || isNumeralRune(l.rune(i))
}
