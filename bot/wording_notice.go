package bot

import (
	"fmt"
	"strings"
	"time"
)

// This file has what is told without having been asked: notices to the owner, and what
// could not be said in time.

// ParkedNotice tells the owner that an event could not be handled.
var ParkedNotice = Phrase{"うまく処理できないメッセージがありました。なくならないように取ってありますが、まだ記録していません。家計簿を動かしている機械で「ichido parked」を確かめてください。", "There was a message that I could not handle. It is kept, but not recorded yet. Please look at `ichido parked` on the machine that runs the budget."}

// DiskFilling tells the owner that there will soon be no room for records.
var DiskFilling = Phrase{"家計簿を動かしている機械のディスクが、もうすぐいっぱいになります。いっぱいになると記録できません。いらないファイルを消して、空きを作ってください。", "The disk of the machine that runs the budget will soon be full. Nothing can be recorded then. Please delete files that nobody needs."}

// BackupsFail tells the owner that no backup could be made. The last good one is of the
// time, which is zero if there is none.
func BackupsFail(last time.Time, zone *time.Location) Phrase {
	if last.IsZero() {
		return noBackup
	}
	return both(func(v Voice) string {
		return v.say("家計簿のバックアップができませんでした。いちばん新しいものは、%sの分です。記録はいつもどおりできます。家計簿を動かしている機械で「ichido backups」を確かめてください。", "The budget could not be backed up. The newest backup is of %s. Recording goes on as ever. Please look at `ichido backups` on the machine that runs the budget.", v.moment(last.In(zone)))
	})
}

// BackupNotTaken tells the owner that the backup of the time is good, but that what is to
// be done with it has failed.
func BackupNotTaken(last time.Time, zone *time.Location) Phrase {
	return both(func(v Voice) string {
		return v.say("家計簿のバックアップ（%sの分）はできましたが、そのあとの処理（ほかの場所への写しや、古いものの整理）がうまくいきませんでした。家計簿を動かしている機械で「ichido backups」を確かめてください。", "The budget was backed up (%s), but what follows has failed: copying it elsewhere, or tidying up old ones. Please look at `ichido backups` on the machine that runs the budget.", v.moment(last.In(zone)))
	})
}

var noBackup = Phrase{"家計簿のバックアップができませんでした。まだ1つもありません。記録はいつもどおりできます。家計簿を動かしている機械で「ichido backups」を確かめてください。", "The budget could not be backed up, and there is no backup yet. Recording goes on as ever. Please look at `ichido backups` on the machine that runs the budget."}

// moment is a day and an hour, for machines' matters.
func (v Voice) moment(at time.Time) string {
	return v.say("%d年%d月%d日 %s", "%d/%d/%d %s", at.Year(), at.Month(), at.Day(), at.Format("15:04"))
}

// WritesFail tells the owner that nothing has been stored for some minutes.
var WritesFail = Phrase{"しばらく前から、家計簿に書き込めていません。そのあいだに送られたものには、返事がありません。家計簿を動かしている機械で、ディスクの空きを確かめてください。直ったら、記録されたかを「一覧」で見てください。", "For some minutes nothing could be written to the budget. What was sent meanwhile has no answer. Please check for free space on the disk of the machine that runs the budget. Once that is mended, see with “list” what was recorded."}

// StoreBroken tells the owner that the program has ended because it can't trust the
// disk. Something starts it again.
var StoreBroken = Phrase{"家計簿のディスクに異常があったので、いったん止めました。返事のなかったものは、記録されたかを「一覧」で見てください。くり返すときは、家計簿を動かしている機械のディスクを調べてください。", "Something was wrong with the disk, so I stopped for a moment. For what had no answer, see with “list” whether it was recorded. If this happens again, please have the disk of the machine that runs the budget checked."}

// Unsaid tells of receipts whose answers could not be delivered in time: a line for
// each outcome that there is, which claims no more than that.
func (v Voice) Unsaid(receipts []Unanswered) string {
	var lines []string
	for outcome, words := range unsaidOutcomes {
		var numbers []string
		for _, r := range receipts {
			if r.Outcome == Outcome(outcome) {
				numbers = append(numbers, fmt.Sprint(r.Receipt))
			}
		}
		if len(numbers) > 0 {
			lines = append(lines, v.say("※ 受付 %s のお返事は、時間内に届けられませんでした。%s", "* The answer to No. %s could not be delivered in time. %s", v.list(numbers), v.text(words)))
		}
	}
	return strings.Join(lines, "\n")
}

var unsaidOutcomes = [...]Phrase{
	Stands:  {"記録はしてあります。", "It is recorded."},
	Gone:    {"いまは記録がありません。", "Nothing of it is recorded now."},
	Nothing: {"必要なら、もう一度送ってください。", "If you need it, please send it again."},
	Mixed:   {"いまの記録は「一覧」で見られます。", "“list” shows what is recorded now."},
}

// Restored tells the owner that the file was restored from a backup that was
// made at the given time.
func Restored(at time.Time, zone *time.Location) Phrase {
	return both(func(v Voice) string {
		when := v.moment(at.In(zone))
		return v.say("家計簿を、%sのバックアップから戻しました。それよりあとの記録は入っていません。「一覧」で確かめて、ないものはもう一度送ってください。", "The budget was restored from the backup of %s. What was recorded after that is not in it. Please check with “list” and send what is missing again.", when)
	})
}
