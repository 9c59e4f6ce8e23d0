package powercut

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lines is a record. Where its strings are not in hex, they are understood all the same.
func lines(t *testing.T, all ...string) []*Call {
	t.Helper()
	calls, err := Parse(strings.NewReader(strings.Join(all, "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

func TestParse(t *testing.T) {
	calls := lines(t,
		`7  openat(AT_FDCWD</d>, "\x2f\x64\x2f\x61", O_RDWR|O_CREAT|O_CLOEXEC, 0600) = 5<\x2f\x64\x2f\x61>`,
		`7  pwrite64(5<\x2f\x64\x2f\x61>, "\x41\x42", 2, 4096 <unfinished ...>`,
		`8  read(6<socket:[12]>,  <unfinished ...>`,
		`7  <... pwrite64 resumed>)            = 2`,
		`8  <... read resumed>"\x43", 4096)   = 1`,
		`8  fdatasync(5<\x2f\x64\x2f\x61>)      = -1 EIO (Input/output error)`,
		`8  ???( <unfinished ...>`,
		`8  +++ killed by SIGKILL +++`,
	)
	var got []string
	for _, c := range calls {
		got = append(got, fmt.Sprintf("%s %d-%d = %d %s %s %q", c.Name, c.Begin, c.End, c.Result, c.Opened, c.file(0), c.data(1)))
	}
	want := []string{
		`openat 1-1 = 5 /d/a /d "/d/a"`,
		`pwrite64 2-4 = 2  /d/a "AB"`,
		`read 3-5 = 1  socket:[12] "C"`,
		`fdatasync 6-6 = -1  /d/a ""`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A file is made, filled, synced and given its name, which is synced, too.
var made = []string{
	`1  mkdirat(AT_FDCWD</>, "/d/t", 0700) = 0`,
	`1  openat(AT_FDCWD</>, "/d/t/x", O_RDWR|O_CREAT, 0600) = 5</d/t/x>`,
	`1  pwrite64(5</d/t/x>, "old", 3, 0) = 3`,
	`1  fsync(5</d/t/x>) = 0`,
	`1  linkat(AT_FDCWD</>, "/d/t/x", AT_FDCWD</>, "/d/x", 0) = 0`,
	`1  fsync(6</d>) = 0`,
}

// statesOf gives the contents that the file may have at the end of the record.
func statesOf(t *testing.T, record ...string) []string {
	t.Helper()
	d := newDisk("/d")
	changes := map[*Call][]*change{}
	for _, c := range lines(t, record...) {
		made, err := d.begin(c)
		if err != nil {
			t.Fatal(err)
		}
		if changes[c] = made; c.End == c.Begin {
			d.end(c, made)
			d.fold()
		}
	}
	var all []string
	dir := t.TempDir()
	for _, happen := range wholes(len(d.pendingNames("/d/x")), 100, nil) {
		f := d.at("/d/x", chosen(d.pendingNames("/d/x"), happen))
		if f == nil {
			all = append(all, "none")
			continue
		}
		for _, plan := range planWholes(wholes(len(f.pending()), 100, nil)) {
			path := filepath.Join(dir, "x")
			if err := f.state(plan).Write(path); err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(bytes.ReplaceAll(content, []byte{0}, []byte("."))))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// What is synced is there, and what is not is there or is not.
func TestStates(t *testing.T) {
	for name, c := range map[string]struct {
		more []string
		want []string
	}{
		"all is synced":        {nil, []string{"old"}},
		"a write":              {[]string{`1  pwrite64(5</d/x>, "n", 1, 0) = 1`}, []string{"nld", "old"}},
		"two writes":           {[]string{`1  pwrite64(5</d/x>, "n", 1, 0) = 1`, `1  pwrite64(5</d/x>, "w", 1, 2) = 1`}, []string{"nld", "nlw", "old", "olw"}},
		"a synced write":       {[]string{`1  pwrite64(5</d/x>, "n", 1, 0) = 1`, `1  fdatasync(5</d/x>) = 0`}, []string{"nld"}},
		"a sync that failed":   {[]string{`1  pwrite64(5</d/x>, "n", 1, 0) = 1`, `1  fdatasync(5</d/x>) = -1 EIO (Input)`}, []string{"nld", "old"}},
		"a sync under way":     {[]string{`1  pwrite64(5</d/x>, "n", 1, 0) = 1`, `1  fdatasync(5</d/x> <unfinished ...>`}, []string{"nld", "old"}},
		"a write after it":     {[]string{`1  fdatasync(5</d/x>) = 0`, `1  pwrite64(5</d/x>, "n", 1, 0) = 1`}, []string{"nld", "old"}},
		"longer":               {[]string{`1  ftruncate(5</d/x>, 5) = 0`}, []string{"old", "old.."}},
		"longer and fdatasync": {[]string{`1  ftruncate(5</d/x>, 5) = 0`, `1  fdatasync(5</d/x>) = 0`}, []string{"old", "old.."}},
		"longer and fsync":     {[]string{`1  ftruncate(5</d/x>, 5) = 0`, `1  fsync(5</d/x>) = 0`}, []string{"old.."}},
		"removed":              {[]string{`1  unlinkat(AT_FDCWD</>, "/d/x", 0) = 0`}, []string{"none", "old"}},
		"removed and synced":   {[]string{`1  unlinkat(AT_FDCWD</>, "/d/x", 0) = 0`, `1  fsync(6</d>) = 0`}, []string{"none"}},
		"replaced": {[]string{
			`1  openat(AT_FDCWD</>, "/d/y", O_RDWR|O_CREAT, 0600) = 5</d/y>`, `1  write(5</d/y>, "new", 3) = 3`, `1  fsync(5</d/y>) = 0`,
			`1  renameat(AT_FDCWD</>, "/d/y", AT_FDCWD</>, "/d/x") = 0`,
		}, []string{"new", "old"}},
		"replaced by what is not synced": {[]string{
			`1  openat(AT_FDCWD</>, "/d/y", O_RDWR|O_CREAT, 0600) = 5</d/y>`, `1  write(5</d/y>, "n", 1) = 1`, `1  write(5</d/y>, "ew", 2) = 2`,
			`1  renameat(AT_FDCWD</>, "/d/y", AT_FDCWD</>, "/d/x") = 0`, `1  fsync(6</d>) = 0`,
		}, []string{"", ".ew", "n", "new"}},
	} {
		if got := statesOf(t, slices.Concat(made, c.more)...); !slices.Equal(got, c.want) {
			t.Errorf("%s: the file may be %q, want %q", name, got, c.want)
		}
	}
	for i, want := range [][]string{{"none"}, {"none"}, {"none"}, {"none"}, {"none", "old"}, {"old"}} {
		n := i + 1
		if got := statesOf(t, made[:n]...); !slices.Equal(got, want) {
			t.Errorf("after %d calls the file may be %q, want %q", n, got, want)
		}
	}
}

// A name in a directory that is new is there only with that.
func TestNewDirectory(t *testing.T) {
	inside := []string{
		`1  mkdirat(AT_FDCWD</>, "/d/x", 0700) = 0`,
		`1  openat(AT_FDCWD</>, "/d/x/f", O_RDWR|O_CREAT, 0600) = 5</d/x/f>`,
		`1  fsync(6</d/x>) = 0`,
	}
	d := newDisk("/d")
	for _, c := range lines(t, inside...) {
		made, err := d.begin(c)
		if err != nil {
			t.Fatal(err)
		}
		d.end(c, made)
		d.fold()
	}
	if pending := d.pendingNames("/d/x/f"); len(pending) != 1 || d.at("/d/x/f", nil) != nil || d.at("/d/x/f", pending) == nil {
		t.Errorf("%d changes of names are pending", len(pending))
	}
}

// What is not known is an error and not overlooked.
func TestUnknownCalls(t *testing.T) {
	for _, line := range []string{
		`1  copy_file_range(4</e/x>, NULL, 5</d/x>, NULL, 10, 0) = 10`,
		`1  fallocate(5</d/x>, 0, 0, 10) = 0`,
		`1  pwritev(5</d/x>, [{iov_base="x", iov_len=1}], 1, 0) = 1`,
		`1  mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 5</d/x>, 0) = 0x7f0000000000`,
		`1  pwrite64(5</d/z>, "n", 1, 0) = 1`,
		`1  fsync(5</d/z>) = 0`,
	} {
		r := Replay{Calls: lines(t, slices.Concat(made, []string{line})...), Root: "/d", Path: "/d/x"}
		if _, _, err := r.Cuts(); err == nil {
			t.Errorf("%s is overlooked", line)
		}
	}
}

// A torn write has the parts of 512 B or 4 KiB that it should have, and no others.
func TestTorn(t *testing.T) {
	old := content{}.with(&change{data: bytes.Repeat([]byte("a"), 3*pageSize)}, nil)
	write := &change{offset: 100, data: bytes.Repeat([]byte("b"), 2*pageSize)}
	after := old.with(write, func(sector int) bool { return sector == 1 })
	path := filepath.Join(t.TempDir(), "x")
	if err := after.writeTo(path); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("a"), 3*pageSize)
	copy(want[512:1024], bytes.Repeat([]byte("b"), 512))
	if !bytes.Equal(got, want) {
		t.Error("the second sector, and only that, should be new")
	}
	if old.hash() == after.hash() {
		t.Error("two contents have the same hash")
	}
}
