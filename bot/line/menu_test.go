package line

import (
	"bytes"
	"errors"
	"image/png"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ichido/internal/linesim"
)

// newChannel is a channel on a platform on a real socket.
func newChannel(t *testing.T, p *linesim.Platform) *Channel {
	t.Helper()
	url, stop := p.Start()
	t.Cleanup(stop)
	c, err := NewChannel(Config{Secret: p.Secret(), ChannelID: linesim.DefaultChannelID, Endpoint: url})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The image has the size of the menu and is one that LINE takes, and the areas cover
// it without gaps.
func TestMenuImage(t *testing.T) {
	config, err := png.DecodeConfig(bytes.NewReader(menuImage))
	if err != nil || config.Width != menuWidth || config.Height != menuHeight || len(menuImage) > 1_000_000 {
		t.Errorf("the image has %d x %d pixels and %d bytes: %v", config.Width, config.Height, len(menuImage), err)
	}
	covered := int64(0)
	for _, area := range menuAreas() {
		covered += area.Bounds.Width * area.Bounds.Height
	}
	if covered != menuWidth*menuHeight {
		t.Errorf("the areas cover %d pixels of %d", covered, menuWidth*menuHeight)
	}
}

func TestSetUpMenu(t *testing.T) {
	p := linesim.New(linesim.Options{})
	c := newChannel(t, p)
	done, err := c.SetUpMenu(t.Context())
	if want := (MenuChanges{Made: true, Uploaded: true, Shown: true}); err != nil || done != want {
		t.Fatalf("done %+v, %v", done, err)
	}
	m, ok := p.RichMenu()
	if !ok || m.ChatBarText != "メニュー" || !m.Selected || !bytes.Equal(m.Image, menuImage) || !menuNames.MatchString(m.Name) {
		t.Errorf("people see %q %q with %d bytes of image", m.Name, m.ChatBarText, len(m.Image))
	}
	var texts []string
	for _, area := range m.Areas {
		if area.Type != "message" || area.Label != area.Text {
			t.Errorf("an area is %+v", area)
		}
		texts = append(texts, area.Text)
	}
	if got := strings.Join(texts, " "); got != "今月 一覧 予算 財布 取消 ヘルプ" {
		t.Errorf("the areas say %s", got)
	}
	calls := len(p.Calls())
	if done, err := c.SetUpMenu(t.Context()); err != nil || done != (MenuChanges{}) {
		t.Errorf("run again it has done %+v, %v", done, err)
	}
	for _, call := range p.Calls()[calls:] {
		if call.Method != http.MethodGet {
			t.Errorf("run again it calls %s %s", call.Method, call.Path)
		}
	}
}

// menuSteps are the calls that change something, in their order.
var menuSteps = []struct {
	method string
	path   *regexp.Regexp
}{
	{"POST", regexp.MustCompile(`^/v2/bot/richmenu$`)},
	{"POST", regexp.MustCompile(`/content$`)},
	{"POST", regexp.MustCompile(`^/v2/bot/user/all/richmenu/`)},
	{"DELETE", regexp.MustCompile(`^/v2/bot/richmenu/`)},
}

// Whatever breaks it off, the next run brings it to its end and the one after that
// changes nothing. Menus of others stay.
func TestSetUpMenuBrokenOff(t *testing.T) {
	for name, fault := range map[string]linesim.Fault{
		"refused": linesim.Refuse(), "lost": linesim.Lost(), "500": linesim.NotAccepted(500, ""),
		"accepted 500": linesim.Accepted500(), "rate limit": linesim.NotAccepted(429, ""),
	} {
		for i, step := range menuSteps {
			t.Run(name+"/"+step.path.String(), func(t *testing.T) {
				p := linesim.New(linesim.Options{})
				c := newChannel(t, p)
				plantMenu(t, c, "somebody else's")
				plantMenu(t, c, "ichido menu 0123456789abcdef")
				p.SetFault(func(r *http.Request) linesim.Fault {
					if r.Method == step.method && step.path.MatchString(r.URL.Path) {
						return fault
					}
					return linesim.Fault{}
				})
				if _, err := c.SetUpMenu(t.Context()); !errors.Is(err, ErrUnreachable) && !errors.Is(err, ErrRefused) {
					t.Fatalf("step %d: %v", i, err)
				}
				p.SetFault(nil)
				if _, err := c.SetUpMenu(t.Context()); err != nil {
					t.Fatalf("the second run: %v", err)
				}
				if done, err := c.SetUpMenu(t.Context()); err != nil || done != (MenuChanges{}) {
					t.Errorf("the third run has done %+v, %v", done, err)
				}
				m, _ := p.RichMenu()
				if all := p.RichMenus(); len(all) != 2 || all[0].Name != "somebody else's" || all[1].ID != m.ID || len(m.Image) == 0 {
					t.Errorf("%d menus are left: %q", len(all), m.Name)
				}
			})
		}
	}
}

// plantMenu makes a menu without an image.
func plantMenu(t *testing.T, c *Channel, name string) (id string) {
	t.Helper()
	menu, err := newMenu()
	if err != nil {
		t.Fatal(err)
	}
	menu.Name = name
	made, err := c.api.CreateRichMenu(menu)
	if err != nil {
		t.Fatal(err)
	}
	return made.RichMenuId
}

// A menu of another version gives way, also one that everybody sees; one of somebody
// else is only not shown any more.
func TestSetUpMenuReplaces(t *testing.T) {
	for name, c := range map[string]struct {
		want MenuChanges
		left int
	}{
		"ichido menu fedcba9876543210": {MenuChanges{Made: true, Uploaded: true, Shown: true, Deleted: 1}, 1},
		"ichido menu":                  {MenuChanges{Made: true, Uploaded: true, Shown: true, Replaced: true}, 2},
	} {
		p := linesim.New(linesim.Options{})
		channel := newChannel(t, p)
		id := plantMenu(t, channel, name)
		if err := channel.uploadMenuImage(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if err := channel.showMenu(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if done, err := channel.SetUpMenu(t.Context()); err != nil || done != c.want {
			t.Errorf("%s: done %+v, %v", name, done, err)
		}
		if left := p.RichMenus(); len(left) != c.left {
			t.Errorf("%s: %d menus are left", name, len(left))
		}
	}
}

// Of two with the right name that which people see stays, whichever was made first.
func TestSetUpMenuDoubles(t *testing.T) {
	for name, seen := range map[string]int{"the older": 0, "the newer": 1} {
		t.Run(name, func(t *testing.T) {
			p := linesim.New(linesim.Options{})
			c := newChannel(t, p)
			menu, err := newMenu()
			if err != nil {
				t.Fatal(err)
			}
			ids := []string{plantMenu(t, c, menu.Name), plantMenu(t, c, menu.Name)}
			if err := c.uploadMenuImage(t.Context(), ids[seen]); err != nil {
				t.Fatal(err)
			}
			if err := c.showMenu(t.Context(), ids[seen]); err != nil {
				t.Fatal(err)
			}
			if done, err := c.SetUpMenu(t.Context()); err != nil || done != (MenuChanges{Deleted: 1}) {
				t.Errorf("done %+v, %v", done, err)
			}
			if now, _ := p.RichMenu(); now.ID != ids[seen] || len(p.RichMenus()) != 1 {
				t.Error("the menu that people saw is gone")
			}
		})
	}
}

// Another image and other areas make another menu of it.
func TestMenuName(t *testing.T) {
	name := func() string {
		menu, err := newMenu()
		if err != nil {
			t.Fatal(err)
		}
		return menu.Name
	}
	image, texts := menuImage, menuTexts
	defer func() { menuImage, menuTexts = image, texts }()
	first := name()
	menuImage = append(slices.Clone(image), 0)
	second := name()
	menuImage, menuTexts = image, append(slices.Clone(texts[:5]), "使いかた")
	if third := name(); first == second || first == third || second == third {
		t.Errorf("the menus are called %s, %s, %s", first, second, third)
	}
}
