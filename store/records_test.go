package store

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The numbers of the fields on the disk: a released one never changes.
func TestFieldNumbers(t *testing.T) {
	for _, tt := range []struct {
		record any
		want   string
	}{
		{receiptRecord{}, "Scope 1, Key 2, Digest 3, At 4, Now 5, Member 6, Message 7, Kind 8, Changes 9, Dates 10, Undoes 11, First 12, About 13, Typed 14, Nonce 15, Sets 16, Asked 17, Answers 18, Covered 19"},
		{settingRecord{}, "Name 1, Before 2, After 3"},
		{messageRecord{}, "Receipts 1, Said 2, At 3, EditedAt 4, UnsentAt 5, Text 6"},
		{inviteRecord{}, "Expires 1"},
		{accessRecord{}, "Kind 1, Member 2, Label 3, Made 4, Used 5, Expires 6"},
		{changeRecord{}, "Receipt 1, Index 2, Before 3, After 4"},
		{rowRecord{}, "Type 1, Date 2, Time 3, Amount 4, Stated 5, Opening 6, Item 7, Category 8, Account 9, ToAccount 10, Member 11, Scope 12, Voided 13, Withdrawn 14, Memo 15"},
		{accountRecord{}, "Name 1, Owner 2, Balance 3"},
		{totalRecord{}, "Sum 1, Rows 2"},
		{memberRecord{}, "Person 1, Name 2, Admitted 3, Joined 4, Removed 5, Left 6, Named 7, Moved 8"},
		{outgoingRecord{}, "Receipt 1, Notice 2, Chat 3, ReplyToken 4, Payload 5, State 6, Doubt 7, Tries 8, RetryKey 9, Created 10, Settled 11, Pushing 12, Names 13, Carries 14, Of 15"},
		{parkedRecord{}, "Event 1, Tries 2, Since 3, Last 4, Why 5"},
	} {
		var fields []string
		record := reflect.TypeOf(tt.record)
		for field := range record.Fields() {
			number, rest, _ := strings.Cut(field.Tag.Get("cbor"), ",")
			if rest != "keyasint,omitempty" {
				t.Errorf("%s.%s is written as %q", record.Name(), field.Name, rest)
			}
			fields = append(fields, fmt.Sprint(field.Name, " ", number))
		}
		if diff := cmp.Diff(tt.want, strings.Join(fields, ", ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", record.Name(), diff)
		}
	}
}
