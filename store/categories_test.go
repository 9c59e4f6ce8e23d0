package store_test

import (
	"slices"
	"testing"

	"ichido/internal/ledger"
	"ichido/store"
	"ichido/store/storetest"
)

func TestCategories(t *testing.T) {
	s := storetest.New(t)
	now := func() (c store.Categories) {
		view(t, s, func(tx *store.Tx) (err error) {
			c, err = tx.Categories()
			return err
		})
		return c
	}
	if got := now().All(); !slices.Equal(got, ledger.Categories) {
		t.Errorf("without settings they are %v", got)
	}
	for _, c := range [][2]string{
		{"推し活", "推し活"},   // an own one
		{"サブスク", "サブスク"}, // another
		{"食費", "食べ物"},    // renamed
		{"食べ物", "食べ物"},
		{"美容", "衣服"},   // merged
		{"推し活", "オタ活"}, // renamed
		{"オタ活", "オタ活"},
		{"オタ活", "娯楽"}, // and merged
		{"特別費", "その他"},
	} {
		storetest.Submit(t, s, store.Request{Scope: "test", At: after(0), Admit: true}, set("category/"+c[0], c[1]))
	}
	c := now()
	want := []ledger.Category{
		"食べ物", "日用品", "交通費", "交際費", "娯楽", "衣服", "医療費", "住居", "家具・家電",
		"光熱費", "通信費", "教育", "子ども", "車", "保険", "税・社会保険", "ペット", "サブスク", "その他",
	}
	if got := c.All(); !slices.Equal(got, want) {
		t.Errorf("they are %v\nwant %v", got, want)
	}
	for stored, want := range map[ledger.Category]ledger.Category{
		"食費": "食べ物", "推し活": "娯楽", "オタ活": "娯楽", "美容": "衣服", "衣服": "衣服", "": "", "宇宙": "宇宙", "特別費": "その他",
	} {
		if got := c.Of(stored); got != want {
			t.Errorf("%s is shown as %s, want %s", stored, got, want)
		}
	}
	if !c.Known("サブスク") || !c.Known("食べ物") || c.Known("推し活") || c.Known("食費") || c.Known("宇宙") {
		t.Error("another name is known")
	}
}

// Names that lead in a circle, which nothing makes, end somewhere.
func TestCategoriesInACircle(t *testing.T) {
	s := storetest.New(t)
	for _, c := range [][2]string{{"甲", "乙"}, {"乙", "甲"}} {
		storetest.Submit(t, s, store.Request{Scope: "test", At: after(0), Admit: true}, set("category/"+c[0], c[1]))
	}
	view(t, s, func(tx *store.Tx) error {
		c, err := tx.Categories()
		_ = c.Of("甲")
		return err
	})
}
