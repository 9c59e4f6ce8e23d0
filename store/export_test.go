package store

import (
	"os"

	bolt "go.etcd.io/bbolt"
)

// LivePages gives the bytes of all pages of a closed file that are in use.
func LivePages(path string) (live []byte, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	db, err := bolt.Open(path, 0, &bolt.Options{ReadOnly: true, Timeout: lockTimeout, PreLoadFreelist: true})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	err = db.View(func(btx *bolt.Tx) error {
		size := db.Info().PageSize
		for id := 0; ; {
			info, err := btx.Page(id)
			if info == nil || err != nil {
				return err
			}
			pages := 1
			if info.Type != "free" {
				pages += info.OverflowCount
				live = append(live, content[id*size:(id+pages)*size]...)
			}
			id += pages
		}
	})
	return live, err
}
