package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"ichido/bot"
	"ichido/bot/line"
	"ichido/internal/backups"
	"ichido/internal/control"
	"ichido/internal/web"
	"ichido/store"
)

// defaultListen is for a reverse proxy on the same machine.
const defaultListen = "127.0.0.1:8080"

// stopTime is how long requests under way may take when the server stops.
const stopTime = 5 * time.Second

type serveCmd struct {
	Listen   string     `env:"ICHIDO_LISTEN" placeholder:"ADDRESS" help:"Where LINE's webhooks come in, behind a reverse proxy (default: 127.0.0.1:8080)."`
	Public   string     `name:"public-url" env:"ICHIDO_PUBLIC_URL" placeholder:"URL" help:"How browsers reach the web pages, through a proxy with TLS: https://YOUR.NAME. Without it there are none."`
	Allow    []string   `env:"ICHIDO_ALLOW" placeholder:"ID" help:"LINE IDs of users, groups and rooms that need no code, separated by commas."`
	Verbose  bool       `env:"ICHIDO_VERBOSE" help:"Log each event and each message that was sent."`
	Backup   backupPlan `embed:""`
	Endpoint string     `name:"line-endpoint" env:"LINE_API_ENDPOINT" placeholder:"URL" help:"LINE's API, if it is another one than LINE's."`
}

// Help is shown by ichido serve --help.
func (serveCmd) Help() string {
	return "Secrets have no flags. LINE_CHANNEL_SECRET is needed, and with it LINE_CHANNEL_ID, by which tokens for " +
		"LINE's API are issued, or LINE_CHANNEL_ACCESS_TOKEN, a long-lived token. Each may be in the environment, in a " +
		"file named by the same name with _FILE at its end, or in a systemd credential of the name."
}

// Run serves until a signal comes.
func (c *serveCmd) Run(ctx context.Context, p *program) error {
	// A write beyond a file size limit shall be an error and not the end.
	signal.Ignore(syscall.SIGXFSZ)
	// The heap is a few MiB: it may grow to three times that before it is collected.
	debug.SetGCPercent(200)
	options := &slog.HandlerOptions{}
	if c.Verbose {
		options.Level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(p.stderr, options))
	secrets, err := readLineSecrets(log)
	if err == nil {
		err = c.check()
	}
	plan, err2 := c.Backup.plan(p.zone)
	if err = cmp.Or(err, err2); err != nil {
		return settingError{err}
	}
	var opened atomic.Pointer[line.Door]
	s, err := store.Open(p.db, store.Options{Log: log, Fatal: func(err error) {
		tellBroken(opened.Load(), log)
		p.fatal(err)
	}})
	if err != nil {
		return err
	}
	ids := c.allowed(log)
	if err := hintAtInvite(s, ids, log); err != nil {
		return errors.Join(err, s.Close())
	}
	door, err := line.New(line.Config{
		Store: s, Bot: bot.New(p.zone), Secret: secrets.channel, Token: secrets.token, ChannelID: secrets.channelID, Endpoint: c.Endpoint,
		Admit: func(id string) bool { return slices.Contains(ids, id) }, Zone: p.zone, Log: log,
		Free: func() (uint64, error) { return freeBytes(filepath.Dir(p.db)) },
	})
	if err != nil {
		return errors.Join(err, s.Close())
	}
	opened.Store(door)
	if err := door.Resume(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	pages, err := c.pages(ctx, p, s, door, ids, log)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	var keeper *backups.Keeper
	if plan.Dir != "" {
		plan.HookOutput = p.stderr
		keeper = backups.New(backups.Config{Store: s, Plan: plan, Log: log, Tell: door.BackupsFail})
	}
	return errors.Join(serveAll(ctx, cmp.Or(c.Listen, defaultListen), p.socket, s, door, pages, keeper, log), s.Close())
}

// pages makes the web pages, nil if there are to be none, and notes their address, by which
// links to them are made.
func (c *serveCmd) pages(ctx context.Context, p *program, s *store.Store, door *line.Door, ids []string, log *slog.Logger) (http.Handler, error) {
	address := strings.TrimSuffix(c.Public, "/")
	err := s.Update(ctx, func(tx *store.Tx) error {
		known, err := tx.Fact(store.FactWebAddress)
		if known == address || err != nil {
			return err
		}
		return tx.SetFact(store.FactWebAddress, address)
	})
	if address == "" || err != nil {
		return nil, err
	}
	public, err := url.Parse(address)
	if err != nil {
		return nil, settingError{fmt.Errorf("%w: %v", errPublicURL, err)}
	}
	return web.New(web.Config{
		Store: s, Bot: bot.New(p.zone), Zone: p.zone, Public: public, Log: log, TellEntry: door.TellEntry,
		Admit: func(person string) bool { return slices.Contains(ids, person) },
	}), nil
}

// tellBroken tells the owner that the program ends because the disk can't be trusted.
// A nil door can tell nobody.
func tellBroken(door *line.Door, log *slog.Logger) {
	if door == nil {
		return
	}
	if err := door.Alert(context.Background(), line.AlertBroken, bot.StoreBroken); err != nil {
		log.Error("the owner was not told that the program ends", "error", err)
	}
}

var (
	errListen    = errors.New("--listen is no address")
	errEndpoint  = errors.New("--line-endpoint is no address of the web")
	errPublicURL = errors.New("--public-url is no address that browsers can reach")
)

// check refuses addresses that can't be ones.
func (c *serveCmd) check() error {
	if _, err := net.ResolveTCPAddr("tcp", cmp.Or(c.Listen, defaultListen)); err != nil {
		return fmt.Errorf("%w: %v", errListen, err)
	}
	if u, err := url.Parse(c.Public); c.Public != "" && (err != nil || !isPublic(u)) {
		return errPublicURL
	}
	if c.Endpoint == "" {
		return nil
	}
	if u, err := url.Parse(c.Endpoint); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errEndpoint
	}
	return nil
}

// isPublic says whether browsers can be sent to the address: by TLS, but for one on this
// machine, and with nothing behind the name.
func isPublic(u *url.URL) bool {
	local := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	return u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && local) && strings.Trim(u.Path, "/") == "" &&
		u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

// lineID is what LINE calls a user, a group or a room.
var lineID = regexp.MustCompile(`^[UCR][0-9a-f]{32}$`)

// allowed gives the listed IDs, and warns of those that will let nobody in.
func (c *serveCmd) allowed(log *slog.Logger) (ids []string) {
	for i, id := range c.Allow {
		if id = strings.TrimSpace(id); id == "" {
			continue
		}
		if !lineID.MatchString(id) {
			// Not the entry itself: it could be a secret in the wrong place.
			log.Warn("--allow has an entry that is no ID of LINE's (U, C or R, and 32 digits or letters a to f)", "entry", i+1)
		}
		ids = append(ids, id)
	}
	return ids
}

// hintAtInvite says how somebody gets in where nobody can talk to the bot.
func hintAtInvite(s *store.Store, allowed []string, log *slog.Logger) error {
	return s.View(func(tx *store.Tx) error {
		members, err := tx.Members()
		active := func(m store.Member) bool { return m.Active() && !m.Admitted }
		if err == nil && len(allowed) == 0 && !slices.ContainsFunc(members, active) {
			log.Warn("nobody can talk to the bot yet: ichido invite makes a code; who is the first to send it to the bot is the owner")
		}
		return err
	})
}

// serveAll runs the webhook's server, the control socket and the door until ctx
// ends or one of them fails. Then no more requests are taken, those under way
// are finished, and last the sender stops between two calls.
func serveAll(ctx context.Context, address, socket string, s *store.Store, door *line.Door, pages http.Handler, keeper *backups.Keeper, log *slog.Logger) error {
	public, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	local, err := control.Listen(socket)
	if err != nil {
		return errors.Join(err, public.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("/line/webhook", door)
	mux.Handle("GET /healthz", health{s})
	if pages != nil {
		mux.Handle("/", pages)
	}
	servers := []*http.Server{
		{
			Handler: mux, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), MaxHeaderBytes: 16 << 10,
			ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		},
		{Handler: control.New(s, byHand(s, door, keeper)), ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)},
	}
	failed := make(chan error, len(servers)+1)
	var requests, sending sync.WaitGroup
	for i, listener := range []net.Listener{public, local} {
		requests.Go(func() {
			if err := servers[i].Serve(listener); !errors.Is(err, http.ErrServerClosed) {
				failed <- err
			}
		})
	}
	sendCtx, stopSending := context.WithCancel(context.WithoutCancel(ctx))
	defer stopSending()
	sending.Go(func() {
		if err := door.Run(sendCtx); err != nil {
			failed <- err
		}
	})
	if keeper != nil {
		sending.Go(func() { keeper.Run(sendCtx) })
	}
	log.Info("serving", "address", public.Addr().String(), "socket", socket)
	notifySystemd(log, daemon.SdNotifyReady)
	go feedWatchdog(sendCtx, s, log)

	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	counts := door.Counts()
	log.Info("stopping", "recorded", counts.Recorded.Load(), "repeated", counts.Repeated.Load(), "conflicts", counts.Conflicts.Load(),
		"ignored", counts.Ignored.Load(), "strangers", counts.Strangers.Load(), "parked", counts.Parked.Load(), "forged", counts.Forged.Load())
	notifySystemd(log, daemon.SdNotifyStopping)
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	for _, server := range servers {
		if server.Shutdown(stopCtx) != nil {
			server.Close()
		}
	}
	requests.Wait()
	stopSending()
	sending.Wait()
	return err
}

// byHand is what the control socket asks of the running server. keeper may be nil.
func byHand(s *store.Store, door *line.Door, keeper *backups.Keeper) control.Door {
	d := control.Door{RetryOutgoing: door.RetryOutgoing, RetryParked: door.RetryParked, ForgetParked: door.ForgetParked, Health: health{s}.reason}
	if keeper != nil {
		d.Backups = keeper.Status
	}
	return d
}
