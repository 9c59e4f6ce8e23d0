package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ichido/internal/linesim"
	"ichido/store"
)

// The table of the lost answer, over real HTTP: two processes with some callers each send
// to a serve process at the same moment, through a proxy that cuts their connections.

// lostJob is what a process of callers has to send.
type lostJob struct {
	Base, Door string // Door is form or api
	Secret     string // of a session or token
	Key        string // "" is a new one for each try
	Body       string // "" is only to look the receipt up, until it is there
	Callers    int
	Tries      int // 0 is until it is decided
}

// lostStep is one thing that a caller did and what it was told.
type lostStep struct {
	Looked bool // asked for the receipt; else sent the entry
	Lost   bool // no answer, or none that is whole
	Status int
	Words  string
}

var lostNumber = regexp.MustCompile(`受付 (\d+)|No\. (\d+)|"receipt":(\d+)`)

// number is the receipt that the answer names; 0 for none.
func (s lostStep) number() (n uint64) {
	if m := lostNumber.FindStringSubmatch(s.Words); m != nil {
		n, _ = strconv.ParseUint(m[1]+m[2]+m[3], 10, 64)
	}
	return n
}

// sendLost is the process: it does the jobs of the standard input, one after the other.
func sendLost() {
	decoder, encoder := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var j lostJob
		if decoder.Decode(&j) != nil {
			return
		}
		callers := make([][]lostStep, j.Callers)
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() { callers[i] = j.call(i) })
		}
		wg.Wait()
		if encoder.Encode(callers) != nil {
			return
		}
	}
}

// call does what a program or form.js does until it knows: it sends; if no answer comes, it
// looks the receipt up; if there is none, it sends the same again.
func (j lostJob) call(caller int) (steps []lostStep) {
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	do := func(looked bool, method, path, key, body string) lostStep {
		s := j.do(client, method, path, key, body, len(steps) == 0)
		s.Looked = looked
		steps = append(steps, s)
		return s
	}
	const enough = 20 * time.Second // for whoever never comes to know: the test is red then
	for try, begun := 1, time.Now(); time.Since(begun) < enough && (j.Tries == 0 || try <= j.Tries); try++ {
		key := j.Key
		if key == "" {
			key = fmt.Sprintf("%011d%03d%08d", os.Getpid(), caller, try) // 22 characters
		}
		path, receipt := "/entries", "/receipts/"
		if j.Door == "api" {
			path, receipt = "/api/v1"+path, "/api/v1"+receipt
		}
		s := lostStep{Lost: true}
		if j.Body != "" {
			s = do(false, "POST", path, key, j.Body)
		}
		for j.Key != "" && j.Tries == 0 && s.open(j.Door) && time.Since(begun) < enough {
			switch s.Status {
			case http.StatusTooManyRequests:
				time.Sleep(time.Second) // as it is asked to
			case http.StatusAccepted:
				time.Sleep(5 * time.Millisecond)
			}
			if s = do(true, "GET", receipt+key, key, ""); s.Status == http.StatusNotFound {
				break
			}
		}
		if !s.open(j.Door) && s.Status != http.StatusNotFound {
			break
		}
	}
	return steps
}

// open says that the caller does not know yet what became of its entry.
func (s lostStep) open(door string) bool {
	switch s.Status {
	case http.StatusConflict:
		return door == "api" // a form's conflict is decided
	case http.StatusAccepted, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	}
	return s.Lost
}

func (j lostJob) do(client *http.Client, method, path, key, body string, first bool) lostStep {
	if j.Door == "form" && body != "" {
		body = "key=" + key + "&" + body
	}
	req, err := http.NewRequest(method, j.Base+path, strings.NewReader(body))
	if err != nil {
		return lostStep{Words: err.Error()}
	}
	if j.Door == "form" {
		req.AddCookie(&http.Cookie{Name: "ichido", Value: j.Secret})
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	} else {
		req.Header.Set("Authorization", "Bearer "+j.Secret)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", strconv.Quote(key))
	}
	if first {
		req.Header.Set("First-Try", "yes") // what the proxy may cut
	}
	res, err := client.Do(req)
	if err != nil {
		return lostStep{Lost: true}
	}
	defer res.Body.Close()
	words, err := io.ReadAll(res.Body)
	return lostStep{Lost: err != nil, Status: res.StatusCode, Words: string(words)}
}

// cutPoint is where the proxy cuts the connection of a caller's first try.
type cutPoint int

const (
	noCut        cutPoint = iota
	cutBefore             // nothing of it reaches the server
	cutSent               // the whole of it has been sent
	cutAnswer             // the whole answer has come, and nothing of it is passed on
	cutMidAnswer          // its last bytes are missing
)

// cutter is a proxy between the callers and the server.
type cutter struct {
	to   string
	mu   sync.Mutex
	cut  cutPoint
	sent chan struct{} // has room for one; a first try has been passed on
}

func newCutter(t *testing.T, to string) (c *cutter, base string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c = &cutter{to: to, sent: make(chan struct{}, 1)}
	var passing sync.WaitGroup
	passing.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			passing.Go(func() { c.pass(conn.(*net.TCPConn)) })
		}
	})
	t.Cleanup(func() { l.Close(); passing.Wait() })
	return c, "http://" + l.Addr().String()
}

// set has the first tries cut at the point from now on.
func (c *cutter) set(cut cutPoint) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = cut
	select {
	case <-c.sent:
	default:
	}
}

// pass passes one request on, and its answer back.
func (c *cutter) pass(from *net.TCPConn) {
	defer from.Close()
	var raw bytes.Buffer
	req, err := http.ReadRequest(bufio.NewReader(io.TeeReader(from, &raw)))
	if err != nil {
		return
	}
	if _, err := io.Copy(io.Discard, req.Body); err != nil {
		return
	}
	c.mu.Lock()
	cut := c.cut
	c.mu.Unlock()
	first := req.Method == http.MethodPost && req.Header.Get("First-Try") != ""
	if !first {
		cut = noCut
	}
	if cut == cutBefore {
		_ = from.SetLinger(0)
		return
	}
	to, err := net.Dial("tcp", c.to)
	if err != nil {
		return
	}
	defer to.Close()
	if _, err := to.Write(raw.Bytes()); err != nil {
		return
	}
	if first {
		select {
		case c.sent <- struct{}{}:
		default:
		}
	}
	if cut == cutSent {
		return
	}
	answer, err := io.ReadAll(to)
	switch {
	case err != nil || cut == cutAnswer:
	case cut == cutMidAnswer:
		_, _ = from.Write(answer[:max(0, len(answer)-20)])
	default:
		_, _ = from.Write(answer)
	}
}

// lostCase is a row of the table. What is not said is: both processes send the same, with
// the same key, as the same member.
type lostCase struct {
	name    string
	cut     cutPoint
	blind   bool // no key is kept: each try has a new one
	others  bool // the second process is another member
	changed bool // the second process sends another amount, once the first is done
	order   bool // the second process has its fields in another order
	look    bool // the second process sends nothing and asks for the receipt all the time
	full    bool // the disk is full at first
	kill    bool // the server dies in the meantime
}

var lostCases = []lostCase{
	{name: "no key and a blind retry are two", blind: true, cut: cutMidAnswer},
	{name: "never arrived", cut: cutBefore},
	{name: "cut after it was sent", cut: cutSent},
	{name: "the answer is lost", cut: cutAnswer},
	{name: "cut in the middle of the answer", cut: cutMidAnswer},
	{name: "the same key, changed content", cut: cutAnswer, changed: true},
	{name: "failure and rollback, then a retry", full: true},
	{name: "callers at once"},
	{name: "looked up while it is on its way", look: true},
	{name: "another scope, the same key", cut: cutMidAnswer, others: true},
	{name: "another order of the fields", cut: cutAnswer, order: true},
	{name: "the server is killed", cut: cutAnswer, kill: true},
}

const lostCallers = 4 // of each of the two processes

// lostHouse is a served household with two processes of callers.
type lostHouse struct {
	*server
	t         *testing.T
	proxy     *cutter
	base      string
	secrets   map[string][]string // door -> one of each member
	processes [2]struct {
		in  *json.Encoder
		out *json.Decoder
	}
}

func newLostHouse(t *testing.T) *lostHouse {
	h := &lostHouse{server: newServer(t), t: t}
	h.users = nil
	for i := range lostCases { // a member each: nobody is too fast
		h.users = append(h.users, linesim.UserID(fmt.Sprint("caller ", i)))
	}
	h.secrets = makeHousehold(t, h.db, h.users)
	h.env = append(h.env, "ICHIDO_PUBLIC_URL=http://"+h.listen)
	h.start()
	h.proxy, h.base = newCutter(t, h.listen)
	for i := range h.processes {
		process := exec.Command("callers")
		process.Stderr = os.Stderr
		in, err := process.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := process.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { in.Close(); _ = process.Wait() })
		h.processes[i].in, h.processes[i].out = json.NewEncoder(in), json.NewDecoder(out)
	}
	return h
}

// makeHousehold makes a file with the people as members and returns with what each gets
// into the form and the API: a session and a token.
func makeHousehold(t *testing.T, path string, people []string) (secrets map[string][]string) {
	file, err := store.Open(path, store.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	secrets = map[string][]string{}
	for _, person := range people {
		err := file.Update(t.Context(), func(tx *store.Tx) error {
			m, err := tx.Join(person, person[:6])
			if err != nil {
				return err
			}
			session, err := tx.Grant(store.Session, m.ID, "test")
			if err != nil {
				return err
			}
			token, err := tx.Grant(store.Token, m.ID, "test")
			secrets["form"], secrets["api"] = append(secrets["form"], session), append(secrets["api"], token)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return secrets
}

// send gives the processes their jobs at once and returns what their callers went through.
// meanwhile is called as soon as they have them; nil is nothing.
func (h *lostHouse) send(meanwhile func(), jobs ...lostJob) (told [][]lostStep) {
	h.t.Helper()
	for i, j := range jobs {
		if err := h.processes[i].in.Encode(j); err != nil {
			h.t.Fatal(err)
		}
	}
	if meanwhile != nil {
		meanwhile()
	}
	for i := range jobs {
		var callers [][]lostStep
		if err := h.processes[i].out.Decode(&callers); err != nil {
			h.t.Fatal(err)
		}
		told = append(told, callers...)
	}
	return told
}

func TestLostAnswers(t *testing.T) {
	h := newLostHouse(t)
	for i, c := range lostCases {
		if t.Failed() {
			return // the others would wait as long
		}
		for d, door := range []string{"form", "api"} {
			t.Run(c.name+" "+door, func(t *testing.T) {
				h.run(t, c, door, fmt.Sprintf("品%c%d", 'A'+i, d), fmt.Sprintf("%021d%d", i, d), i)
			})
		}
	}
	if status := h.terminate(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if strings.Contains(h.logs.String(), "品") {
		t.Error("the log has what was recorded")
	}
}

// run plays the case with an item and a key of its own.
func (h *lostHouse) run(t *testing.T, c lostCase, door, item, key string, member int) {
	h.proxy.set(c.cut)
	defer h.proxy.set(noCut)
	first := lostJob{Base: h.base, Door: door, Secret: h.secrets[door][member], Key: key, Body: lostBody(door, item, 900, false), Callers: lostCallers}
	if c.blind {
		first.Key = ""
	}
	second := first
	second.Body = lostBody(door, item, 900, c.order)
	want := 1
	switch {
	case c.blind:
		want = 4 * lostCallers
	case c.others:
		want, second.Secret = 2, h.secrets[door][(member+1)%len(h.users)]
	case c.look:
		second.Body = ""
	case c.changed:
		wantReceipt(t, door, item, h.send(nil, first))
		h.proxy.set(noCut)
		second.Body = lostBody(door, item, 950, false)
	}
	var meanwhile func()
	if c.kill {
		meanwhile = func() { <-h.proxy.sent; h.kill(); h.start() }
	}
	if c.full {
		h.refuseWrites(t, door, item, first, second)
	}
	told := h.send(meanwhile, first, second)
	if c.changed {
		number := wantReceipt(t, door, item, told[:lostCallers])
		for _, steps := range told[lostCallers:] {
			wantConflict(t, door, number, steps)
		}
		told = told[:lostCallers]
	}
	together := len(told) // callers who have one receipt
	switch {
	case c.blind:
		together = 1
	case c.others:
		together = lostCallers
	}
	numbers := map[uint64]bool{}
	for same := range slices.Chunk(told, together) {
		numbers[wantReceipt(t, door, item, same)] = true
	}
	if n := len(told) / together; len(numbers) != n {
		t.Errorf("the receipts are %v, want %d", numbers, n)
	}
	rows := 0
	for number, recorded := range h.exported() {
		if recorded == item {
			rows++
			delete(numbers, number)
		}
	}
	if rows != want || len(numbers) > 0 {
		t.Errorf("there are %d rows, want %d; without any are the receipts %v", rows, want, numbers)
	}
}

// refuseWrites has the callers' entries fail for want of room and checks that they leave
// nothing and that everybody is told so.
func (h *lostHouse) refuseWrites(t *testing.T, door, item string, jobs ...lostJob) {
	limit := func(bytes uint64) {
		if err := unix.Prlimit(h.process.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil); err != nil {
			t.Fatal(err)
		}
	}
	limit(4096)
	for i := range jobs {
		jobs[i].Tries = 1
	}
	told := h.send(nil, jobs...)
	limit(unix.RLIM_INFINITY)
	says := map[string]string{"form": "ディスクがいっぱいで、記録できませんでした。", "api": "The disk is full: nothing was recorded."}[door]
	for _, steps := range told {
		if s := steps[len(steps)-1]; s.Status != http.StatusServiceUnavailable || !strings.Contains(s.Words, says) {
			t.Errorf("on a full disk: %+v", s)
		}
	}
	for number, recorded := range h.exported() {
		if recorded == item {
			t.Errorf("receipt %d of a full disk is there", number)
		}
	}
}

func lostBody(door, item string, amount int, reversed bool) string {
	date := "2026-11-30"
	switch {
	case door == "api" && reversed:
		return fmt.Sprintf(`{ "date":%q, "amount":%d, "type":"expense", "item":%q }`, date, amount, item)
	case door == "api":
		return fmt.Sprintf(`{"item":%q,"type":"expense","amount":%d,"date":%q}`, item, amount, date)
	case reversed:
		return fmt.Sprintf("date=%s&amount=%d&type=expense&item=%s", date, amount, url.QueryEscape(item))
	}
	return fmt.Sprintf("item=%s&type=expense&amount=%d&date=%s", url.QueryEscape(item), amount, date)
}

// wantReceipt checks that all callers were told nothing but the truth, and in the end the
// same receipt, which it returns.
func wantReceipt(t *testing.T, door, item string, told [][]lostStep) (number uint64) {
	t.Helper()
	for _, steps := range told {
		wantTrue(t, door, steps)
		last := steps[len(steps)-1]
		status := http.StatusOK
		if door == "api" && !last.Looked {
			status = http.StatusCreated
		}
		says := map[string]string{"form": "記録してあります。", "api": `"amount":900,`}[door]
		if last.Lost || last.Status != status || !strings.Contains(last.Words, says) || !strings.Contains(last.Words, item) {
			t.Errorf("a caller ends with %+v", last)
		}
		n := last.number()
		if n == 0 || number != 0 && n != number {
			t.Errorf("receipt %d, and %d", number, n)
		}
		number = n
	}
	return number
}

// wantConflict checks that the caller was told what is recorded, and that what it sent is
// not.
func wantConflict(t *testing.T, door string, number uint64, steps []lostStep) {
	t.Helper()
	last := steps[len(steps)-1]
	switch {
	case last.Looked || last.Lost:
		t.Errorf("no answer to changed content: %+v", last)
	case door == "form" && (last.Status != http.StatusConflict || last.number() != number || !strings.Contains(last.Words, "いま送られた内容は記録していません。") || !strings.Contains(last.Words, "900円")):
		t.Errorf("changed content: %+v", last)
	case door == "api" && (last.Status != http.StatusUnprocessableEntity || !strings.Contains(last.Words, "Something else has been recorded with this key.")):
		t.Errorf("changed content: %+v", last)
	}
}

// lostWords are what a caller may be told while nothing is decided, by door and status.
var lostWords = map[string]map[int]string{
	"form": {
		http.StatusAccepted:           "いま記録しています。",
		http.StatusNotFound:           "記録されていない証拠ではありません。",
		http.StatusTooManyRequests:    "今回は何もしていません。",
		http.StatusServiceUnavailable: "同じ内容をもう一度送ってください。",
	},
	"api": {
		http.StatusAccepted:           `"in progress"`,
		http.StatusNotFound:           "That does not prove that nothing is recorded",
		http.StatusTooManyRequests:    "This request has done nothing.",
		http.StatusServiceUnavailable: "Send the same again",
		http.StatusConflict:           "still being handled",
	},
}

// wantTrue checks what a caller was told on its way: what has a receipt does not lose it
// again, and what has none yet is not called lost.
func wantTrue(t *testing.T, door string, steps []lostStep) {
	t.Helper()
	for _, s := range steps[:len(steps)-1] {
		if s.Lost {
			continue
		}
		if says := lostWords[door][s.Status]; says == "" || !strings.Contains(s.Words, says) || s.number() != 0 {
			t.Errorf("on its way a caller is told %+v", s)
		}
	}
}
