package search

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fettle/internal/code"
	"fettle/internal/edit"
)

// Bounds of what is said as a neighbour says it.
const (
	longestAlike = 300 // bytes of what is compared
	mostAnew     = 16  // parts that an analogy may change where the two are built differently
	leastSame    = 4   // … and parts that it must leave
	otherShape   = 0.8 // the two are built differently
	partOfName   = 0.9 // a part of a name is exchanged: minWidth, maxWidth
	oneFurther   = 0.7 // another one stands between the two
)

// analogy says here what a neighbour says, with this place's own names: statements that stand beside each other, operands and elements are often written by
// copying one and changing it, and what is overlooked then is in the last of them more often than chance would have it (A. Karpov, "The last line effect", 2014). Numbers
// go on as they do in the neighbours.
func analogy(s *site, try func(change)) {
	if len(s.Text()) > longestAlike || s.Part == code.Target || s.Is(code.Name, code.Member) {
		return
	}
	own := parted(s.Text())
	if len(own) < leastSame {
		return
	}
	tried := map[string]bool{undivided(own): true}
	propose := func(text string, weight float64, why string) {
		if key := undivided(parted(text)); !tried[key] {
			tried[key] = true
			try(replace(s.Node, text, weight, "%s", why))
		}
	}
	for _, n := range s.neighbours() {
		for _, r := range append(n.given, likenings(n.text, own)...) {
			if text := r.apply(n.text); r.parts[0] == "" || s.namesKnown(text) { // only parts of names make names that stand nowhere yet
				propose(text, r.weight*n.weight, quote(r.to)+" was not treated as "+quote(r.from)+" beside it is")
			}
		}
	}
	s.progress(own, func(text string) {
		propose(text, 1, "the numbers in "+quote(s.Text())+" do not go on as those beside them do")
	})
}

// neighbour is a text that stands beside a place, how near it is, and what is known to stand for what.
type neighbour struct {
	text   string
	weight float64
	given  []likening
}

// neighbours are the parts of the same kind beside the node, two on each side; of an operand the other operands of the same chain.
func (s *site) neighbours() (out []neighbour) {
	kin := s.operands()
	if kin == nil && s.Parent != nil {
		kin = s.Parent.All(s.Part)
	}
	i, targets := slices.Index(kin, s.Node), s.targets()
	for _, by := range []int{-1, 1, -2, 2} {
		j := i + by
		if i < 0 || j < 0 || j >= len(kin) || kin[j].Role != s.Role || len(kin[j].Text()) > longestAlike {
			continue
		}
		n := neighbour{text: kin[j].Text(), weight: 1}
		if by*by > 1 {
			n.weight = oneFurther
		}
		if len(targets) == len(kin) {
			from, to := targets[j].Text(), targets[i].Text()
			n.given = []likening{{from: from, to: to, renames: map[string]string{from: to}, weight: 1}}
		}
		out = append(out, n)
	}
	return out
}

// targets are what the node and those beside it are assigned to, where several are in one statement.
func (s *site) targets() []*code.Node {
	list := s.Node
	if s.Part == code.Elem {
		for list = s.Parent; list.Parent.Is(code.Group); {
			list = list.Parent
		}
	}
	if list.Part != code.Value || !list.Parent.Is(code.Assign) {
		return nil
	}
	targets := list.Parent.All(code.Target)
	if len(targets) == 1 && targets[0].Is(code.List) {
		targets = targets[0].All(code.Elem)
	}
	return targets
}

// operands are those of the chain of one operator that the node is an operand of, in their order: a, b and c of a && b && c.
func (s *site) operands() (out []*code.Node) {
	chain := s.Parent
	if !chain.Is(code.Logic, code.Arith) || s.Part != code.Left && s.Part != code.Right {
		return nil
	}
	more := func(n, in *code.Node) bool { return n.Is(in.Role) && n.Op == in.Op }
	for chain.Part == code.Left && more(chain.Parent, chain) {
		chain = chain.Parent
	}
	for more(chain.Kid(code.Left), chain) {
		out = append(out, chain.Kid(code.Right))
		chain = chain.Kid(code.Left)
	}
	out = append(out, chain.Kid(code.Right), chain.Kid(code.Left))
	slices.Reverse(out)
	return out
}

// namesKnown reports whether the file already has every name of a text.
func (s *site) namesKnown(text string) bool {
	for _, p := range parted(text) {
		if p.kind == aWord && !mentions(s.File.Source, p.text) {
			return false
		}
	}
	return true
}

// kindOfPart is what a part of a text is: one word is like another one, one number like another one, and so are literals; signs are what they are.
type kindOfPart byte

const (
	aSign kindOfPart = iota
	aWord
	aNumber
	aText
)

// part is a word, a number, a literal or a sign of a text.
type part struct {
	kind  kindOfPart
	text  string
	start int
}

// like reports whether two parts are of the same kind, and the same where they are signs.
func (p part) like(o part) bool { return p.kind == o.kind && (p.kind != aSign || p.text == o.text) }

// parted takes a text apart, in any language that is written in words, numbers, literals and signs.
func parted(text string) (out []part) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		end, kind := i+size, aSign
		switch {
		case unicode.IsSpace(r):
			i = end
			continue
		case unicode.IsDigit(r):
			end, kind = run(text, end, func(r rune) bool { return r == '.' || inName(r) }), aNumber
		case inName(r):
			end, kind = run(text, end, inName), aWord
		case strings.ContainsRune("\"'`", r):
			end, kind = closed(text, i), aText
		}
		out = append(out, part{kind, text[i:end], i})
		i = end
	}
	return out
}

func inName(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// run is where the letters that belong to something end.
func run(text string, from int, belongs func(rune) bool) int {
	if n := strings.IndexFunc(text[from:], func(r rune) bool { return !belongs(r) }); n >= 0 {
		return from + n
	}
	return len(text)
}

// closed is where a literal ends that begins at i.
func closed(text string, i int) int {
	for at := i + 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case text[i]:
			return at + 1
		}
	}
	return len(text)
}

// undivided is a text by its parts, whatever blanks stand between them.
func undivided(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text)
		b.WriteByte(' ')
	}
	return b.String()
}

// likening is what has to be exchanged in a neighbour to say the same here.
type likening struct {
	from, to string // the first of it, for people
	renames  map[string]string
	parts    [2]string // a part of names and what stands for it here
	weight   float64
}

// likenings are the ways in which a neighbour could be said here: the parts of both that stand in the same places say what is called how. Where one name stands for
// several, each is tried.
func likenings(text string, own []part) (out []likening) {
	theirs := parted(text)
	n, m := len(theirs), len(own)
	first := 0
	for first < min(n, m) && theirs[first].like(own[first]) {
		first++
	}
	last := 0
	for last < min(n, m)-first && theirs[n-1-last].like(own[m-1-last]) {
		last++
	}
	weight := 1.0
	if first+last < max(n, m) {
		if first+last < leastSame || max(n, m)-first-last > mostAnew {
			return nil
		}
		weight = otherShape
	}
	images := map[string][]string{}
	var order []string
	for i := range first + last {
		a, b := i, i
		if i >= first {
			a, b = n-first-last+i, m-first-last+i
		}
		from, to := bare(theirs[a]), bare(own[b])
		if from == "" || to == "" {
			continue
		}
		if images[from] == nil {
			order = append(order, from)
		}
		if !slices.Contains(images[from], to) {
			images[from] = append(images[from], to)
		}
	}
	base := map[string]string{}
	for _, from := range order {
		base[from] = images[from][0]
	}
	return chosen(base, images, order, weight)
}

// chosen are the likenings by the first image of each name, by another one of one name, and by a part of two names that differ in one.
func chosen(base map[string]string, images map[string][]string, order []string, weight float64) (out []likening) {
	for _, from := range order {
		for i, to := range images[from] {
			if from == to {
				continue
			}
			if i == 0 && len(out) == 0 {
				out = append(out, likening{from: from, to: to, renames: base, weight: weight})
			}
			if len(images[from]) > 1 {
				renames := maps.Clone(base)
				renames[from] = to
				out = append(out, likening{from: from, to: to, renames: renames, weight: weight})
			}
			if a, b, ok := otherPart(from, to); ok {
				out = append(out, likening{from: from, to: to, renames: base, parts: [2]string{a, b}, weight: weight * partOfName})
			}
		}
	}
	return out
}

// bare is what a name or a literal of one word says; empty for anything else.
func bare(p part) string {
	switch p.kind {
	case aWord:
		return p.text
	case aText:
		if word := strings.Trim(p.text, "\"'`"); word != "" && run(word, 0, inName) == len(word) {
			return word
		}
	default:
	}
	return ""
}

// otherPart is the one part in which two names differ: min and max of minWidth and maxWidth.
func otherPart(a, b string) (from, to string, ok bool) {
	x, y := nameParts(a), nameParts(b)
	if len(x) != len(y) || len(x) < 2 {
		return "", "", false
	}
	for i := range x {
		if strings.EqualFold(x[i], y[i]) {
			continue
		}
		if ok {
			return "", "", false
		}
		from, to, ok = strings.ToLower(x[i]), strings.ToLower(y[i]), true
	}
	return from, to, ok
}

// nameParts are the words of a name with what separates them, as they are written: a part begins at a capital letter behind a small one, or behind a sign.
func nameParts(name string) (out []string) {
	from := 0
	for i := 1; i < len(name); i++ {
		if name[i] == '_' || name[i-1] == '_' || unicode.IsUpper(rune(name[i])) && !unicode.IsUpper(rune(name[i-1])) {
			out = append(out, name[from:i])
			from = i
		}
	}
	return append(out, name[from:])
}

// apply says a neighbour's text as it is said here.
func (l likening) apply(text string) string {
	var edits []edit.Edit
	for _, p := range parted(text) {
		word := bare(p)
		to, ok := l.renames[word]
		if word == "" || ok && to == word && l.parts[0] == "" {
			continue
		}
		if !ok || to == word {
			to = l.otherPart(word)
		}
		if to != word {
			at := p.start + strings.Index(p.text, word)
			edits = append(edits, edit.Edit{Start: at, End: at + len(word), New: []byte(to)})
		}
	}
	out, _ := apply(text, edits)
	return out
}

// otherPart is a name with the other part in it, written as the one that stood there.
func (l likening) otherPart(name string) string {
	if l.parts[0] == "" {
		return name
	}
	parts := nameParts(name)
	for i, p := range parts {
		if strings.EqualFold(p, l.parts[0]) {
			to := l.parts[1]
			switch {
			case p == strings.ToUpper(p) && len(p) > 1:
				to = strings.ToUpper(to)
			case unicode.IsUpper(rune(p[0])):
				to = strings.ToUpper(to[:1]) + to[1:]
			}
			parts[i] = to
		}
	}
	return strings.Join(parts, "")
}

// progress hands on the text with each number as the neighbours have it go on: the one between 1 and 5 is 3, and what follows 1 and 3 is 5.
func (s *site) progress(own []part, try func(text string)) {
	before, next := s.Prev(), s.Next()
	for _, p := range []struct {
		a, b *code.Node
		goes func(a, b int) int
	}{
		{before, next, func(a, b int) int { return (a + b) / 2 }},
		{before.Prev(), before, func(a, b int) int { return 2*b - a }},
		{next.Next(), next, func(a, b int) int { return 2*b - a }},
	} {
		if p.a == nil || p.b == nil || p.a.Role != s.Role || p.b.Role != s.Role {
			continue
		}
		if text, ok := progressed(s.Text(), own, parted(p.a.Text()), parted(p.b.Text()), p.goes); ok {
			try(text)
		}
	}
}

// progressed is a text with its numbers as two others have them go on; no text if the three are not built alike, or every number is so already.
func progressed(text string, own, a, b []part, goes func(a, b int) int) (string, bool) {
	if len(a) != len(own) || len(b) != len(own) {
		return "", false
	}
	var edits []edit.Edit
	moves := false
	for i, p := range own {
		if !p.like(a[i]) || !p.like(b[i]) {
			return "", false
		}
		x, errX := strconv.Atoi(a[i].text)
		y, errY := strconv.Atoi(b[i].text)
		if p.kind != aNumber || errX != nil || errY != nil {
			continue
		}
		moves = moves || x != y
		if n := strconv.Itoa(goes(x, y)); n != p.text && goes(x, y) >= 0 {
			edits = append(edits, edit.Edit{Start: p.start, End: p.start + len(p.text), New: []byte(n)})
		}
	}
	if !moves || len(edits) == 0 {
		return "", false
	}
	out, ok := apply(text, edits)
	return out, ok
}
