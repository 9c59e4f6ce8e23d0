package grammar

// mostPages is the last page that somebody asks for.
const mostPages = 999

// readPage reads which page of a list or a search is asked for: 一覧 2ページ, 一覧 2,
// list page 2. Its number is no amount and no item.
func (l *line) readPage() {
	if !l.hasMark([]mark{listWord, searchWord}) || l.first(urlSpan) != nil {
		return
	}
	for i := range l.spans {
		from, to, page := l.pageAt(i)
		if page < 1 || page > mostPages {
			continue
		}
		was := append([]span(nil), l.spans[from:to+1]...)
		for n := from; n <= to; n++ {
			s := &l.spans[n]
			s.used = true
			if s.kind == amountSpan {
				s.kind, s.fault = counterSpan, ""
			}
		}
		if l.marked(listWord) == nil && l.itemWithout(l.lastMarked(searchWord)) == "" && l.first(categorySpan) == nil {
			copy(l.spans[from:], was) // nothing else is searched for
			return
		}
		l.page = page
		return
	}
}

// pageAt gives the spans around the number at span i that name a page, and which;
// 0 if they don't.
func (l *line) pageAt(i int) (from, to, page int) {
	s := &l.spans[i]
	page = int(min(s.amount.value, mostPages+1))
	switch {
	case s.kind == counterSpan && (s.unit == "ページ" || s.unit == "頁"):
		to = i
		if i+1 < len(l.spans) && l.spans[i+1].kind == wordSpan && l.str(l.spans[i+1].from, l.spans[i+1].to) == "目" {
			to++
		}
		return i, to, page
	case s.kind != amountSpan || s.amount.yen || s.fault != "" || s.amount.sign != 0:
		return i, i, 0
	}
	before := l.neighbour(i, -1)
	if before > 0 && l.spans[before].kind == punctSpan && l.rune(l.spans[before].from) == '.' {
		before = l.neighbour(before, -1)
	}
	if before < 0 {
		return i, i, 0
	}
	b := &l.spans[before]
	if b.kind == wordSpan || b.kind == markSpan && b.mark == place {
		switch string(l.low[b.from:b.to]) {
		case "page", "p", "ページ":
			return before, i, page
		}
	}
	if b.kind == markSpan && b.mark == listWord && l.neighbour(i, +1) < 0 && page <= mostBare {
		return i, i, page
	}
	return i, i, 0
}
