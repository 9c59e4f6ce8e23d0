package linesim

// Tap is Press on a button that is at hand, of any bubble of the chat: LINE keeps those
// inside of bubbles for ever.
func (p *Platform) Tap(s Source, b Button) (e Event, ok bool) { return p.press(s, b) }
