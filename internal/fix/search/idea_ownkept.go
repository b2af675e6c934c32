package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// copying is how a language copies a collection: the beginning of the types that it does for, empty for any of the kind, how the copy looks, and what has to be imported for it.
type copying struct {
	on    string
	of    kind
	form  string
	needs string
}

// copyings are the ways to copy, by language, the first that fits counts. T stands for the type where Go spells it.
var copyings = map[string][]copying{
	"Python": {{"dict", kMap, "dict(X)", ""}, {"set", kMap, "set(X)", ""}, {"deque", kList, "X.copy()", ""}, {"tuple", kList, "", ""}, {"", kList, "list(X)", ""}, {"", kMap, "X.copy()", ""}},
	"JavaScript": {
		{"Map", kMap, "new Map(X)", ""}, {"Set", kMap, "new Set(X)", ""}, {"Object", kOther, "{ ...X }", ""}, {"", kList, "[...X]", ""}, {"", kMap, "{ ...X }", ""},
	},
	"Java": {
		{"List", kList, "new ArrayList<>(X)", "java.util.ArrayList"}, {"ArrayList", kList, "new ArrayList<>(X)", "java.util.ArrayList"}, {"LinkedList", kList, "new LinkedList<>(X)", "java.util.LinkedList"},
		{"Map", kMap, "new HashMap<>(X)", "java.util.HashMap"}, {"HashMap", kMap, "new HashMap<>(X)", "java.util.HashMap"}, {"TreeMap", kMap, "new TreeMap<>(X)", "java.util.TreeMap"},
		{"Set", kMap, "new HashSet<>(X)", "java.util.HashSet"}, {"HashSet", kMap, "new HashSet<>(X)", "java.util.HashSet"}, {"TreeSet", kMap, "new TreeSet<>(X)", "java.util.TreeSet"},
	},
	"Go": {{"[]", kList, "append(T(nil), X...)", ""}, {"map", kMap, "maps.Clone(X)", "maps"}},
}

// How likely what is kept, or given away, is meant to be a copy.
const (
	ownSaid     = 0.9 // the function says that it copies
	ownKept     = 0.6
	ownMade     = 0.3 // the function has made it itself
	ownReturned = 0.5
)

// copyCalled is what functions are called that make copies, and copySaid what is said of them.
var (
	copyCalled = pattern.New(`(?i)clone|^cop(?:y|ied)|copy$|snapshot|fork|frozen|freeze|backup|duplicate`)
	copySaid   = pattern.New(`(?i)clone|\b(?:an?|own|new|independent|deep|shallow|defensive) cop(?:y|ies)\b|copied|snapshot|independent|not (?:be )?(?:changed?|modif|mutat)|never changes?`)
)

// saysCopy reports whether a function is called, or documented, as one that makes a copy.
func (u *unit) saysCopy(fn *code.Node) bool {
	says, known := u.copies[fn]
	if !known {
		said := documentation(fn)
		if fn.File.Facts.Braces { // in a class, what stands before it is no word about it
			said = said[strings.LastIndexAny(said, "};")+1:]
		}
		says = copyCalled.MatchString(named(fn)) || copySaid.MatchString(said)
		u.copies[fn] = says
	}
	return says
}

// copyAsSaid copies what is kept or given away in a function that says that it copies: it is shared all the same.
func (s *site) copyAsSaid(try func(change)) {
	s.ownCopyOf(true, ownSaid, try)
}

// keepOwn copies a collection where it is kept in a member, an element or another collection, written into what is made, given back, or given to what makes an object: who changes
// it there changes it for whoever else has it.
func (s *site) keepOwn(try func(change)) {
	s.ownCopyOf(false, 0, try)
}

// ownCopyOf copies what stands where it is kept, at least so likely, in a function that says that it copies, or in one that does not.
func (s *site) ownCopyOf(said bool, least float64, try func(change)) {
	fn := s.Function()
	if fn == nil || !s.Is(code.Name, code.Attr, code.Index) || s.written() || s.Part == code.Callee {
		return
	}
	w := s.kept()
	if w == 0 || s.unit.saysCopy(fn) != said {
		return
	}
	form, needs := s.ownCopy()
	imports, ok := s.importing(needs)
	if form == "" || !ok {
		return
	}
	text := filled(form, s.Text())
	c := replace(s.Node, text, max(w, least), "%s is shared with whoever else has it", quote(s.Text()))
	c.edits = append(imports, c.edits...)
	try(c)
}

// ownCopy is how what the site holds is copied, and what has to be imported for it; empty where that is not known.
func (s *site) ownCopy() (form, needs string) {
	t := s.typeOf(s.Node)
	if made := s.madeAs(); made != "" {
		return "new " + made + "(X)", ""
	}
	for _, c := range copyings[s.fact().Family] {
		if !t.is(c.of) || t.kind&kText != 0 || c.on != "" && !slices.ContainsFunc(t.names, func(n string) bool { return isOf(n, c.on) }) {
			continue
		}
		if strings.Contains(c.form, "T") && len(t.names) > 0 {
			return strings.Replace(c.form, "T(", t.names[0]+"(", 1), c.needs
		}
		return c.form, c.needs
	}
	if s.fact().Family == "Java" && len(t.names) > 0 && strings.HasSuffix(t.names[0], "[]") {
		return "X.clone()", ""
	}
	return "", ""
}

// isOf reports whether a type's name is one, whatever it holds.
func isOf(name, of string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(name, "java.util."), of)
	return ok && (rest == "" || of == "[]" || rest[0] == '<' || rest[0] == '[')
}

// kept is how likely a copy belongs where the site stands; 0: it is only used there.
func (s *site) kept() float64 {
	w := ownKept
	switch p := s.Parent; {
	case s.Part == code.Value && p.Is(code.Assign) && (p.Op == "=" || p.Op == ""):
		if len(p.All(code.Target)) != 1 || !p.Kid(code.Target).Is(code.Attr, code.Index) {
			return 0
		}
	case s.Part == code.Value && p.Is(code.Pair, code.Keyword):
	case p.Is(code.Return):
		if s.Is(code.Name) {
			return 0
		}
		return ownReturned
	case s.Part == code.Arg && p.Is(code.Call):
		callee := p.Kid(code.Callee)
		taken := callee.Is(code.Attr) && slices.Contains(growing, callee.Name) && !s.isModule(callee.Kid(code.Object).Text())
		if !taken && !makesObject(p) {
			return 0
		}
	default:
		return 0
	}
	if s.Is(code.Name) && s.ownMade() {
		return ownMade
	}
	return w
}

// ownMade reports whether the function has made what a name holds.
func (s *site) ownMade() bool {
	a := s.declaring(s.Node).Parent
	return a.Is(code.Assign) && a.Kid(code.Value).Is(code.List, code.Map, code.Comprehension, code.Call)
}

// makesObject reports whether a call makes an object of a class.
func makesObject(call *code.Node) bool {
	name := call.Kid(code.Callee).Text()
	if strings.HasPrefix(call.Text(), "new ") {
		return copied.FindStringSubmatch(name+"(") == nil
	}
	return call.File.Facts.Family == "Python" && name != "" && name[0] >= 'A' && name[0] <= 'Z' && !strings.Contains(name, ".")
}
