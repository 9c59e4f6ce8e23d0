package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"ichido/store"
)

// ErrBrokenOff says that the answer is not complete: the server died, or it could
// not read the file any more.
var ErrBrokenOff = errors.New("the server broke its answer off")

// Client calls the handler of New.
type Client struct{ http http.Client }

// Dial returns a client of the server that listens on the socket, or ErrNoServer
// if there is none.
func Dial(socket string) (*Client, error) {
	conn, err := connect(socket)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", socket, err)
	}
	conn.Close()
	return &Client{http.Client{Transport: &http.Transport{
		DialContext:        func(context.Context, string, string) (net.Conn, error) { return connect(socket) },
		DisableCompression: true,
	}}}, nil
}

// Local returns a client that calls the handler in this process. The caller
// keeps the store open while it uses the client.
func Local(s *store.Store) *Client {
	return &Client{http.Client{Transport: inProcess{New(s, Door{})}}}
}

// Export writes the ledger to w in the named format.
func (c *Client) Export(ctx context.Context, format string, w io.Writer) error {
	_, err := c.stream(ctx, "/export?format="+url.QueryEscape(format), w, nil)
	return err
}

// Backup writes a proven copy of the file to w and returns its size, of which begin is
// told before, unless it is nil. What is written is good only if the error is nil.
func (c *Client) Backup(ctx context.Context, w io.Writer, begin func(size int64)) (int64, error) {
	return c.stream(ctx, "/backup", w, begin)
}

// Check verifies every invariant of the file.
func (c *Client) Check(ctx context.Context) (t Totals, err error) {
	return t, c.get(ctx, "/check", &t)
}

// Totals says how much the file holds.
func (c *Client) Totals(ctx context.Context) (t Totals, err error) {
	return t, c.get(ctx, "/totals", &t)
}

// Health says how the server is.
func (c *Client) Health(ctx context.Context) (h Health, err error) {
	return h, c.get(ctx, "/healthz", &h)
}

// Link makes a link that lets the member into the web pages, once.
func (c *Client) Link(ctx context.Context, who string) (link Link, err error) {
	return link, c.post(ctx, "/link", url.Values{"who": {who}}, &link)
}

// Members returns the members, removed ones too.
func (c *Client) Members(ctx context.Context) (members []Member, err error) {
	return members, c.get(ctx, "/members", &members)
}

// Outbox returns the pending messages, or all, and their texts if text says so.
func (c *Client) Outbox(ctx context.Context, all, text bool) (box Outbox, err error) {
	return box, c.get(ctx, fmt.Sprintf("/outbox?all=%t&text=%t", all, text), &box)
}

// Parked returns the parked events, whole if text says so.
func (c *Client) Parked(ctx context.Context, text bool) (parked []Parked, err error) {
	return parked, c.get(ctx, fmt.Sprintf("/parked?text=%t", text), &parked)
}

func (c *Client) get(ctx context.Context, path string, v any) error {
	return c.call(ctx, http.MethodGet, path, nil, v)
}

// post asks for a change.
func (c *Client) post(ctx context.Context, path string, arguments url.Values, v any) error {
	return c.call(ctx, http.MethodPost, path, arguments, v)
}

// call makes v of the answer to a request.
func (c *Client) call(ctx context.Context, method, path string, arguments url.Values, v any) error {
	resp, err := c.do(ctx, method, path, arguments)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil {
		return fmt.Errorf("reading the server's answer: %w", err)
	}
	return nil
}

func (c *Client) stream(ctx context.Context, path string, w io.Writer, begin func(size int64)) (int64, error) {
	resp, err := c.do(ctx, http.MethodGet, path, nil)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if begin != nil {
		begin(resp.ContentLength)
	}
	n, err := io.Copy(w, resp.Body)
	if err == nil && n != resp.ContentLength {
		err = ErrBrokenOff
	}
	return n, translate(err)
}

// do sends a request and makes an error of an answer that is one.
func (c *Client) do(ctx context.Context, method, path string, arguments url.Values) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://ichido"+path, strings.NewReader(arguments.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, translate(err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	var f failure
	if err := json.NewDecoder(resp.Body).Decode(&f); err != nil || f.Error == "" {
		return nil, fmt.Errorf("the server answered %q; it may be of another version", resp.Status)
	}
	return nil, &serverError{f.Error, kinds[f.Kind]}
}

// translate takes off what net/http puts before errors, an address that nobody
// has typed, and recognises a server that died.
func translate(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return ErrBrokenOff
	}
	return err
}

// serverError is a failure that has crossed the socket.
type serverError struct {
	sentence string
	kind     error // one of the store's errors, or nil
}

func (e *serverError) Error() string { return e.sentence }
func (e *serverError) Unwrap() error { return e.kind }
