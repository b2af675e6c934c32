package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// bitwise sets or clears the bits of one number in another one, where they are added or taken away, in a function that has to do with bits.
func (s *site) bitwise(try func(change)) {
	with := map[string]string{"+": "|", "-": "& ~", "^": "& ~"}[s.Op]
	right := s.Kid(code.Right)
	if with == "" || s.Op != "^" && !s.aboutBits() || literal(right) {
		return
	}
	if s.fact().Family == "Go" && with == "& ~" {
		with = "&^"
	}
	text := s.Kid(code.Left).Text() + " " + with
	if !strings.HasSuffix(with, "~") {
		text += " "
	}
	if !right.Is(code.Name, code.Attr, code.Index, code.Call, code.Group) {
		return
	}
	text += right.Text()
	if s.Parent.Is(code.Arith, code.Compare) {
		text = "(" + text + ")"
	}
	try(replace(s.Node, text, 0.5, "the arithmetic used %s where bits are meant, by %s", quote(s.Op), quote(with)))
}

// bitNames are parts of the names of what holds bits.
var bitNames = []string{"bit", "flag", "mask"}

// bitsSaid is how documentations say that a function has to do with bits.
var bitsSaid = pattern.New(`(?i)\b(?:xor|exclusive or|bitwise|bit ?masks?|bits)\b`)

// aboutBits reports whether the site's function shifts, joins or masks bits, or has a name for them, or its documentation says so.
func (s *site) aboutBits() bool {
	fn := s.Function()
	if fn == nil {
		return false
	}
	if bitsSaid.MatchString(documentation(fn)) {
		return true
	}
	for n := range fn.Own() {
		switch {
		case n.Is(code.Arith) && n != s.Node && slices.Contains([]string{"|", "&", "<<", ">>", "^"}, n.Op), n.Is(code.Assign) && n != s.Node && slices.Contains([]string{"|=", "&=", "^=", "<<=", ">>="}, n.Op):
			return true
		case n.Is(code.Name, code.Member) && slices.ContainsFunc(bitNames, func(b string) bool { return strings.Contains(strings.ToLower(n.Name), b) }):
			return true
		}
	}
	return false
}

// widths are masks with one bit more, and with one less: of 0x1F 0x3F and 0x0F.
func (s *site) widths(try func(change)) {
	mask, err := strconv.ParseInt(s.Text(), 0, 64)
	if s.Parent.Op != "&" && s.Parent.Op != "&=" || err != nil || mask < 3 || mask&(mask+1) != 0 || mask >= 1<<40 {
		return
	}
	for i, other := range []int64{mask<<1 | 1, mask >> 1} {
		text := strconv.FormatInt(other, 10)
		if digits, ok := strings.CutPrefix(strings.ToLower(s.Text()), "0x"); ok {
			text = fmt.Sprintf("%s%0*X", s.Text()[:2], len(digits), other)
			if s.Text()[2:] == digits {
				text = strings.ToLower(text)
			}
		} else if strings.HasPrefix(strings.ToLower(s.Text()), "0b") {
			text = s.Text()[:2] + strconv.FormatInt(other, 2)
		}
		try(replace(s.Node, text, 0.8-0.1*float64(i), "the mask %s should be %s", quote(s.Text()), quote(text)))
	}
}

// ofBits are the operators by which an update joins bits, where it has them added up or taken away, or joins them otherwise.
func (s *site) ofBits(try func(change)) {
	if !slices.Contains([]string{"+=", "-=", "|=", "&=", "^="}, s.Op) || !s.Is(code.Assign) || !s.aboutBits() || literal(s.Kid(code.Value)) {
		return
	}
	for i, op := range []string{"^=", "|=", "&="} {
		if op != s.Op {
			try(operator(s.Node, op, 0.6-0.1*float64(i), "the variable was updated with %s where %s is meant", quote(s.Op), quote(op)))
		}
	}
}

// clearBits takes bits out of a number where they are turned over, set, or taken away as a sum.
func (s *site) clearBits(try func(change)) {
	bits := s.Kid(code.Value)
	if !slices.Contains([]string{"^=", "|=", "-=", "&="}, s.Op) || !s.aboutBits() || s.of(s.Kid(code.Target)).kind&^kInt != 0 || s.of(bits).kind&^kInt != 0 || !bits.Is(code.Name, code.Attr, code.Index, code.Call, code.Group) {
		return
	}
	op, text := "&=", "~"+bits.Text()
	if s.fact().Family == "Go" {
		op, text = "&^=", bits.Text()
	}
	try(change{[]edit.Edit{{Start: s.OpStart, End: s.OpEnd, New: []byte(op)}, {Start: bits.Start, End: bits.End, New: []byte(text)}}, 0.6,
		quote(s.Text()) + " does not take the bits out"})
}

// allBits asks for all bits of a mask where one of them is enough, and the other way round: flags & needed != 0 for flags & needed == needed.
func (s *site) allBits(try func(change)) {
	l, r := s.Kid(code.Left), s.Kid(code.Right)
	if !s.Is(code.Compare) || r == nil || s.Op == "" {
		return
	}
	masked := l
	for masked.Is(code.Group) {
		masked = masked.Kid(code.Operand)
	}
	if !masked.Is(code.Arith) || masked.Op != "&" {
		return
	}
	operands := []*code.Node{masked.Kid(code.Right), masked.Kid(code.Left)}
	equal, differs := s.fact().Equal, strings.Replace(s.fact().Equal, "==", "!=", 1)
	for i, mask := range operands {
		w := 0.9 - 0.2*float64(i)
		switch {
		case r.Text() == "0" && (s.Op == differs || s.Op == ">") && !literal(mask):
			try(replace(s.Node, l.Text()+" "+equal+" "+mask.Text(), w, "one of the bits of %s is enough, where all of them are meant", quote(mask.Text())))
		case r.Text() == "0" && s.Op == equal && !literal(mask):
			try(replace(s.Node, l.Text()+" "+differs+" "+mask.Text(), w, "none of the bits of %s may be there, where not all of them is meant", quote(mask.Text())))
		case s.Op == equal && dense(r.Text()) == dense(mask.Text()):
			try(replace(s.Node, l.Text()+" "+differs+" 0", w, "all of the bits of %s are asked for, where one of them is enough", quote(mask.Text())))
		}
	}
}
