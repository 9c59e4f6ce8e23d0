package line

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"

	"github.com/line/line-bot-sdk-go/v8/linebot/messaging_api"
)

// menuImage is drawn beforehand: docs/richmenu.
//
//go:embed menu.png
var menuImage []byte

const (
	menuWidth   = 2500 // pixels of menuImage
	menuHeight  = 843
	menuColumns = 3
	menuBarText = "メニュー"
)

// menuTexts are what the areas of the menu say when they are pressed, and are
// labelled with, row by row.
var menuTexts = []string{"今月", "一覧", "予算", "財布", "取消", "ヘルプ"}

// menuNames are the names of the menus that this program and its other versions have
// made. No other menu is touched.
var menuNames = regexp.MustCompile(`^ichido menu [0-9a-f]{16}$`)

// newMenu is the rich menu. It is the low one of LINE's sizes and open at first: to
// type, one has to tap the bar once, whether the menu is open or not; an open one
// shows what there is besides typing, and the low one leaves room for the answers.
func newMenu() (*messaging_api.RichMenuRequest, error) {
	menu := &messaging_api.RichMenuRequest{
		Size:     &messaging_api.RichMenuSize{Width: menuWidth, Height: menuHeight},
		Selected: true, ChatBarText: menuBarText, Areas: menuAreas(),
	}
	object, err := json.Marshal(menu)
	if err != nil {
		return nil, fmt.Errorf("making the rich menu: %w", err)
	}
	sum := sha256.Sum256(append(object, menuImage...))
	menu.Name = fmt.Sprintf("ichido menu %x", sum[:8])
	return menu, nil
}

// menuAreas covers the image with areas, without a gap.
func menuAreas() (areas []messaging_api.RichMenuArea) {
	rows := len(menuTexts) / menuColumns
	for i, text := range menuTexts {
		column, row := i%menuColumns, i/menuColumns
		left, right := edge(menuWidth, column, menuColumns), edge(menuWidth, column+1, menuColumns)
		top, bottom := edge(menuHeight, row, rows), edge(menuHeight, row+1, rows)
		areas = append(areas, messaging_api.RichMenuArea{
			Bounds: &messaging_api.RichMenuBounds{X: left, Y: top, Width: right - left, Height: bottom - top},
			Action: &messaging_api.MessageAction{Label: text, Text: text},
		})
	}
	return areas
}

// edge is where part i of n equal ones begins.
func edge(length, i, n int) int64 { return int64(length * i / n) }

// Menus says which rich menus the channel has.
type Menus struct {
	Current  string   // ID of the one that this program makes; "" = it is not there
	HasImage bool     // of Current
	Old      []string // IDs of those that other versions made, and of doubles
	Default  string   // ID of the one that everybody sees; "" = none
}

// Good says that there is nothing to do.
func (m Menus) Good() bool {
	return m.Current != "" && m.HasImage && m.Default == m.Current && len(m.Old) == 0
}

// Menus looks at the rich menus. LINE shows only those made through its API.
func (c *Channel) Menus(ctx context.Context) (m Menus, err error) {
	menu, err := newMenu()
	if err != nil {
		return m, err
	}
	if m.Default, err = c.defaultMenu(ctx); err != nil {
		return m, err
	}
	if err := c.findMenus(ctx, menu.Name, &m); err != nil || m.Current == "" {
		return m, err
	}
	status, err := c.call(ctx, "looking for the image of the rich menu", func(_ *messaging_api.MessagingApiAPI, data *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, image, err := data.GetRichMenuImageWithHttpInfo(m.Current)
		if image != nil {
			image.Body.Close()
		}
		return res, err
	})
	if status == http.StatusNotFound || status == http.StatusBadRequest {
		return m, nil // LINE does not say which it is
	}
	m.HasImage = err == nil
	return m, err
}

// findMenus fills in Current and Old. Of two current ones, which an answer that was
// lost can leave behind, that which everybody sees is kept.
func (c *Channel) findMenus(ctx context.Context, name string, m *Menus) error {
	var list []messaging_api.RichMenuResponse
	_, err := c.call(ctx, "listing the rich menus", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, answer, err := api.GetRichMenuListWithHttpInfo()
		if err == nil {
			list = answer.Richmenus
		}
		return res, err
	})
	for _, menu := range list {
		switch id := menu.RichMenuId; {
		case !menuNames.MatchString(menu.Name):
		case menu.Name != name:
			m.Old = append(m.Old, id)
		case m.Current == "":
			m.Current = id
		case id == m.Default:
			m.Old, m.Current = append(m.Old, m.Current), id
		default:
			m.Old = append(m.Old, id)
		}
	}
	return err
}

// defaultMenu is the ID of the menu that everybody sees, "" for none.
func (c *Channel) defaultMenu(ctx context.Context) (id string, err error) {
	status, err := c.call(ctx, "asking for the rich menu that everybody sees", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, answer, err := api.GetDefaultRichMenuIdWithHttpInfo()
		if err == nil {
			id = answer.RichMenuId
		}
		return res, err
	})
	if status == http.StatusNotFound {
		return "", nil
	}
	return id, err
}

// MenuChanges says what SetUpMenu has done.
type MenuChanges struct {
	Made     bool // the menu
	Uploaded bool // its image
	Shown    bool // it, to everybody
	Replaced bool // Shown, in the place of a menu that is not of this program
	Deleted  int  // old menus
}

// SetUpMenu brings the rich menu to everybody: it does what is missing of that, so
// that it may be broken off and run again at any point. Old menus go last, when the
// new one is there. What was done is returned with an error, too.
func (c *Channel) SetUpMenu(ctx context.Context) (done MenuChanges, err error) {
	m, err := c.Menus(ctx)
	if err != nil {
		return done, err
	}
	if m.Current == "" {
		if m.Current, err = c.makeMenu(ctx); err != nil {
			return done, err
		}
		done.Made = true
	}
	if !m.HasImage {
		if err := c.uploadMenuImage(ctx, m.Current); err != nil {
			return done, err
		}
		done.Uploaded = true
	}
	if m.Default != m.Current {
		if err := c.showMenu(ctx, m.Current); err != nil {
			return done, err
		}
		done.Shown = true
		done.Replaced = m.Default != "" && !slices.Contains(m.Old, m.Default)
	}
	for _, id := range m.Old {
		if err := c.deleteMenu(ctx, id); err != nil {
			return done, err
		}
		done.Deleted++
	}
	return done, nil
}

func (c *Channel) makeMenu(ctx context.Context) (id string, err error) {
	menu, err := newMenu()
	if err != nil {
		return "", err
	}
	_, err = c.call(ctx, "making the rich menu", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, answer, err := api.CreateRichMenuWithHttpInfo(menu)
		if err == nil {
			id = answer.RichMenuId
		}
		return res, err
	})
	if err == nil && id == "" {
		err = fmt.Errorf("making the rich menu: %w: its answer names none", ErrUnreachable)
	}
	return id, err
}

func (c *Channel) uploadMenuImage(ctx context.Context, id string) error {
	_, err := c.call(ctx, "uploading the image of the rich menu", func(_ *messaging_api.MessagingApiAPI, data *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, _, err := data.SetRichMenuImageWithHttpInfo(id, "image/png", bytes.NewReader(menuImage))
		return res, err
	})
	return err
}

func (c *Channel) showMenu(ctx context.Context, id string) error {
	_, err := c.call(ctx, "showing the rich menu to everybody", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, _, err := api.SetDefaultRichMenuWithHttpInfo(id)
		return res, err
	})
	return err
}

func (c *Channel) deleteMenu(ctx context.Context, id string) error {
	status, err := c.call(ctx, "deleting an old rich menu", func(api *messaging_api.MessagingApiAPI, _ *messaging_api.MessagingApiBlobAPI) (*http.Response, error) {
		res, _, err := api.DeleteRichMenuWithHttpInfo(id)
		return res, err
	})
	if status == http.StatusNotFound {
		return nil // it is gone, which is what was wanted
	}
	return err
}
