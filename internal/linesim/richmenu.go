package linesim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg" // the two formats that LINE takes
	_ "image/png"
	"net/http"
	"slices"
	"time"

	"github.com/rivo/uniseg"
)

// Limits of rich menus (LINE reference). Name and chat bar text are counted in
// UTF-16 units, the stricter reading of "characters".
const (
	maxMenus       = 1000 // made through the API, for one bot
	maxMenuName    = 300
	maxChatBarText = 14
	maxAreas       = 20
	maxMenuImage   = 1 << 20 // bytes; LINE says 1 MB
	minMenuWidth   = 800
	maxMenuWidth   = 2500
	minMenuHeight  = 250
	minMenuRatio   = 1.45 // width by height
	maxMenuChanges = 100  // makings of an hour, and as many deletions
	maxAreaLabel   = 20   // grapheme clusters, as the next one
	maxAreaText    = 300
	maxAreaData    = 300
)

// areaActions are the actions that an area may have. LINE has the camera and its like
// only in quick replies.
var areaActions = []string{"message", "postback", "uri", "datetimepicker", "richmenuswitch", "clipboard"}

// RichMenu is a menu below a chat, as it was made.
type RichMenu struct {
	ID          string
	Name        string // for whoever looks after the bot; nobody else sees it
	ChatBarText string // on the bar that opens and closes the menu
	Selected    bool   // it is open at first
	Width       int    // of the image, in pixels, as are all lengths here
	Height      int
	Areas       []MenuArea
	ImageType   string // of Image: "image/png" or "image/jpeg"
	Image       []byte // nil until it is uploaded
}

// MenuArea is a part of the menu's image that can be pressed.
type MenuArea struct {
	X, Y, Width, Height int
	Button
}

// menus is what the API has made, and which of it everybody sees. Guarded by
// Platform.mu.
type menus struct {
	list          []*storedMenu
	everybodys    string // ID; "" = none
	made, removed []time.Time
}

// storedMenu is a menu with the object of which it was made.
type storedMenu struct {
	RichMenu
	object map[string]any
}

// RichMenu returns the menu that everybody sees, false if there is none.
func (p *Platform) RichMenu() (RichMenu, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.menus.find(p.menus.everybodys)
	if m == nil {
		return RichMenu{}, false
	}
	return m.copy(), true
}

// RichMenus returns all menus that were made and not deleted, the oldest first.
func (p *Platform) RichMenus() (all []RichMenu) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.menus.list {
		all = append(all, m.copy())
	}
	return all
}

func (m *storedMenu) copy() RichMenu {
	c := m.RichMenu
	c.Areas, c.Image = slices.Clone(c.Areas), bytes.Clone(c.Image)
	return c
}

func (m *menus) find(id string) *storedMenu {
	for _, known := range m.list {
		if known.ID == id {
			return known
		}
	}
	return nil
}

// menuRoutes are the calls about rich menus. LINE has those with the image on
// another host.
func (p *Platform) menuRoutes() map[string]handler {
	return map[string]handler{
		"POST /v2/bot/richmenu":                p.makeMenu,
		"POST /v2/bot/richmenu/validate":       p.validateMenu,
		"GET /v2/bot/richmenu/list":            p.listMenus,
		"GET /v2/bot/richmenu/{menu}":          p.withMenu(p.menu),
		"DELETE /v2/bot/richmenu/{menu}":       p.withMenu(p.deleteMenu),
		"POST /v2/bot/richmenu/{menu}/content": p.withMenu(p.setMenuImage),
		"GET /v2/bot/richmenu/{menu}/content":  p.withMenu(p.menuImage),
		"GET /v2/bot/user/all/richmenu":        p.defaultMenu,
		"DELETE /v2/bot/user/all/richmenu":     p.clearDefaultMenu,
		"POST /v2/bot/user/all/richmenu/{menu}": p.withMenu(func(_ *call, m *storedMenu) answer {
			if m.Image == nil {
				return failure(http.StatusBadRequest, "must upload richmenu image before applying it to user")
			}
			p.menus.everybodys = m.ID
			return success(http.StatusOK, struct{}{})
		}),
	}
}

// withMenu answers 404 if the path names no menu.
func (p *Platform) withMenu(h func(*call, *storedMenu) answer) handler {
	return func(c *call) answer {
		if m := p.menus.find(c.r.PathValue("menu")); m != nil {
			return h(c, m)
		}
		return failure(http.StatusNotFound, "richmenu not found")
	}
}

func (p *Platform) makeMenu(c *call) answer {
	m, refusal, ok := readMenu(c)
	switch {
	case !ok:
		return refusal
	case !spend(&p.menus.made, c.At):
		return failure(http.StatusTooManyRequests, MessageRateLimit)
	case len(p.menus.list) >= maxMenus:
		return failure(http.StatusBadRequest, "The number of rich menus exceeds the limit")
	}
	m.ID = "richmenu-" + newToken()
	p.menus.list = append(p.menus.list, m)
	return success(http.StatusOK, map[string]string{"richMenuId": m.ID})
}

func (p *Platform) validateMenu(c *call) answer {
	if _, refusal, ok := readMenu(c); !ok {
		return refusal
	}
	return success(http.StatusOK, struct{}{})
}

func (p *Platform) listMenus(*call) answer {
	list := []any{}
	for _, m := range p.menus.list {
		list = append(list, m.shown())
	}
	return success(http.StatusOK, map[string]any{"richmenus": list})
}

func (p *Platform) menu(_ *call, m *storedMenu) answer { return success(http.StatusOK, m.shown()) }

// shown is the object of which the menu was made, with its ID.
func (m *storedMenu) shown() map[string]any {
	o := map[string]any{"richMenuId": m.ID}
	for key, value := range m.object {
		o[key] = value
	}
	return o
}

// deleteMenu also ends that everybody sees it.
func (p *Platform) deleteMenu(c *call, m *storedMenu) answer {
	if !spend(&p.menus.removed, c.At) {
		return failure(http.StatusTooManyRequests, MessageRateLimit)
	}
	p.menus.list = slices.DeleteFunc(p.menus.list, func(known *storedMenu) bool { return known == m })
	if p.menus.everybodys == m.ID {
		p.menus.everybodys = ""
	}
	return success(http.StatusOK, struct{}{})
}

// spend notes a change of which LINE allows maxMenuChanges an hour, unless there
// were as many already.
func spend(changes *[]time.Time, now time.Time) bool {
	*changes = slices.DeleteFunc(*changes, func(t time.Time) bool { return now.Sub(t) >= time.Hour })
	if len(*changes) >= maxMenuChanges {
		return false
	}
	*changes = append(*changes, now)
	return true
}

// setMenuImage takes the image of a menu that has none yet: another one needs
// another menu.
func (p *Platform) setMenuImage(c *call, m *storedMenu) answer {
	mediaType := c.r.Header.Get("Content-Type")
	if mediaType != "image/png" && mediaType != "image/jpeg" {
		return failure(http.StatusUnsupportedMediaType, "The content type must be image/jpeg or image/png")
	}
	if len(c.Body) > maxMenuImage {
		return failure(http.StatusRequestEntityTooLarge, "The image is too large")
	}
	if m.Image != nil {
		return failure(http.StatusBadRequest, "An image has already been uploaded to the richmenu")
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(c.Body))
	if err != nil || "image/"+format != mediaType {
		return failure(http.StatusBadRequest, "Invalid image")
	}
	if config.Width != m.Width || config.Height != m.Height {
		return failure(http.StatusBadRequest, "The image size does not match the richmenu size")
	}
	m.Image, m.ImageType = bytes.Clone(c.Body), mediaType
	return success(http.StatusOK, struct{}{})
}

func (p *Platform) menuImage(c *call, m *storedMenu) answer {
	if m.Image == nil {
		return notFound(c)
	}
	return answer{status: http.StatusOK, body: m.Image, mediaType: m.ImageType}
}

func (p *Platform) defaultMenu(*call) answer {
	if p.menus.everybodys == "" {
		return failure(http.StatusNotFound, "no default richmenu")
	}
	return success(http.StatusOK, map[string]string{"richMenuId": p.menus.everybodys})
}

func (p *Platform) clearDefaultMenu(*call) answer {
	p.menus.everybodys = ""
	return success(http.StatusOK, struct{}{})
}

// readMenu makes a menu of a body, or tells what LINE finds wrong with it.
func readMenu(c *call) (m *storedMenu, refusal answer, ok bool) {
	var req struct {
		Size struct{ Width, Height int }

		Selected          *bool
		Name, ChatBarText string
		Areas             []struct {
			Bounds struct{ X, Y, Width, Height int }
			Action map[string]any
		}
	}
	m = new(storedMenu)
	if refusal, ok := c.parse(&req); !ok {
		return nil, refusal, false
	}
	_ = json.Unmarshal(c.Body, &m.object) // it was readable above
	m.Name, m.ChatBarText, m.Width, m.Height = req.Name, req.ChatBarText, req.Size.Width, req.Size.Height
	var rd menuReader
	rd.size(m.Width, m.Height)
	rd.length("name", utf16Len(m.Name), maxMenuName)
	rd.length("chatBarText", utf16Len(m.ChatBarText), maxChatBarText)
	if req.Selected == nil {
		rd.fail("selected", "May not be empty")
	} else {
		m.Selected = *req.Selected
	}
	if n := len(req.Areas); req.Areas == nil || n > maxAreas {
		rd.fail("areas", "Size must be between 0 and %d", maxAreas)
	}
	for i, area := range req.Areas {
		at := fmt.Sprintf("areas[%d]", i)
		placed := MenuArea{X: area.Bounds.X, Y: area.Bounds.Y, Width: area.Bounds.Width, Height: area.Bounds.Height}
		rd.area(placed, m.Width, m.Height, at+".bounds")
		placed.Button = rd.action(area.Action, at+".action")
		m.Areas = append(m.Areas, placed)
	}
	if len(rd.details) > 0 {
		return nil, badBody(rd.details...), false
	}
	return m, answer{}, true
}

// menuReader collects what is wrong with a menu.
type menuReader struct{ details []detail }

func (rd *menuReader) fail(at, format string, args ...any) {
	rd.details = append(rd.details, detail{fmt.Sprintf(format, args...), at})
}

// length checks a text that must not be empty.
func (rd *menuReader) length(at string, n, limit int) {
	switch {
	case n == 0:
		rd.fail(at, "May not be empty")
	case n > limit:
		rd.fail(at, "Length must be between 0 and %d", limit)
	}
}

func (rd *menuReader) size(width, height int) {
	if width < minMenuWidth || width > maxMenuWidth {
		rd.fail("size.width", "Must be between %d and %d", minMenuWidth, maxMenuWidth)
	}
	if height < minMenuHeight || float64(width)/float64(height) < minMenuRatio {
		rd.fail("size.height", "Must be at least %d, and the width at least %v times as much", minMenuHeight, minMenuRatio)
	}
}

// area wants an area within the image. What LINE does with one that juts out it does
// not say.
func (rd *menuReader) area(a MenuArea, width, height int, at string) {
	if a.X < 0 || a.Y < 0 || a.Width < 1 || a.Height < 1 || a.X+a.Width > width || a.Y+a.Height > height {
		rd.fail(at, "Must be within the rich menu")
	}
}

func (rd *menuReader) action(action map[string]any, at string) Button {
	field := func(key string) string { s, _ := action[key].(string); return s }
	b := Button{Type: field("type"), Label: field("label"), Text: field("text"), Data: field("data")}
	if !slices.Contains(areaActions, b.Type) {
		rd.fail(at+".type", "Must be one of the following values: %v", areaActions)
	}
	if uniseg.GraphemeClusterCount(b.Label) > maxAreaLabel {
		rd.fail(at+".label", "Length must be between 0 and %d", maxAreaLabel)
	}
	switch b.Type {
	case "message":
		rd.length(at+".text", uniseg.GraphemeClusterCount(b.Text), maxAreaText)
	case "postback", "datetimepicker":
		b.Text = field("displayText")
		rd.length(at+".data", utf16Len(b.Data), maxAreaData)
	}
	return b
}
