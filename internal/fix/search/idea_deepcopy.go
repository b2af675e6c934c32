package search

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// shallow is how a language copies a collection without what is in it: how that looks, and copies of what is in it as well, X standing for the collection.
type shallow struct {
	looks *pattern.Pattern
	deep  []string
}

var shallows = map[string][]shallow{
	"Python": {
		{pattern.New(`^(?:dict\(([\w.]+)\)|\{\*\*([\w.]+)\}|([\w.]+)\.copy\(\)|copy\.copy\(([\w.]+)\))$`), []string{"{k: list(v) for k, v in X.items()}", "{k: dict(v) for k, v in X.items()}", "{k: set(v) for k, v in X.items()}"}},
		{pattern.New(`^(?:list\(([\w.]+)\)|([\w.]+)\[:\]|([\w.]+)\.copy\(\)|\[\*([\w.]+)\]|copy\.copy\(([\w.]+)\))$`), []string{"[list(v) for v in X]", "[dict(v) for v in X]"}},
	},
	"JavaScript": {
		{pattern.New(`^(?:\[\.\.\.([\w.]+)\]|([\w.]+)\.slice\(\))$`), []string{"X.map((v) => [...v])", "X.map((v) => ({ ...v }))"}},
		{pattern.New(`^(?:\{ ?\.\.\.([\w.]+) ?\}|Object\.assign\(\{\}, ([\w.]+)\))$`), []string{"Object.fromEntries(Object.entries(X).map(([k, v]) => [k, [...v]]))", "Object.fromEntries(Object.entries(X).map(([k, v]) => [k, { ...v }]))"}},
		{pattern.New(`^new Map\(([\w.]+)\)$`), []string{"new Map([...X].map(([k, v]) => [k, [...v]]))", "new Map([...X].map(([k, v]) => [k, new Set(v)]))"}},
	},
	"Java": {
		{pattern.New(`^(\w+)\.clone\(\)$`), []string{"Arrays.stream(X).map(int[]::clone).toArray(int[][]::new)", "Arrays.stream(X).map(char[]::clone).toArray(char[][]::new)"}},
	},
}

// wholly is how a language copies a value with all that is in it, however deep, X standing for the value, and the module that has to be known.
var wholly = map[string]struct{ form, module string }{"Python": {"copy.deepcopy(X)", "copy"}, "JavaScript": {"structuredClone(X)", ""}}

// ofRows reports whether the value is given to what is declared as rows of numbers or letters, in Java.
func (s *site) ofRows() bool {
	to := s.Parent.Kid(code.Target)
	return to.Is(code.Name) && (s.typeOf(to).begins("int[][]") || s.typeOf(to).begins("char[][]"))
}

// copyGiven is how likely a copy that a function is given, or a collection holds, has to be a deeper one, against one that is kept or given back.
const copyGiven = 0.6

// copyDeeper copies what is in a collection as well, where the collection alone is copied: who changes a list in the copy changes it in the original.
func (s *site) copyDeeper(try func(change)) {
	if s.copyRows(try); !s.Is(code.Call, code.Slice, code.List, code.Map, code.Comprehension) {
		return
	}
	kept := s.Part == code.Value && s.Parent.Is(code.Assign, code.Return)
	if !kept && s.Part != code.Arg && s.Part != code.Elem && s.Part != code.Value {
		return
	}
	tried := 0
	for _, sh := range shallows[s.fact().Family] {
		m := sh.looks.FindStringSubmatch(s.Text())
		if m == nil || s.fact().Family == "Java" && !s.ofRows() {
			continue
		}
		of := strings.Join(m[1:], "")
		if tried == 0 {
			s.copyWhole(of, kept, try)
		}
		if !kept {
			return
		}
		for _, form := range sh.deep {
			text := strings.ReplaceAll(form, "X", of)
			try(replace(s.Node, text, 0.9-0.1*float64(tried), "the copy shares what is in it with %s", quote(of)))
			tried++
		}
	}
}

// copyWhole copies a value with all that is in it.
func (s *site) copyWhole(of string, kept bool, try func(change)) {
	how := wholly[s.fact().Family]
	known, ok := s.importing(how.module)
	if how.form == "" || !ok {
		return
	}
	w := 1.0
	if len(known) > 0 {
		w = 0.85 // nobody has copied so here
	}
	if !kept {
		w *= copyGiven
	}
	c := replace(s.Node, strings.ReplaceAll(how.form, "X", of), w, "the copy shares what is in it with %s", quote(of))
	c.edits = append(known, c.edits...)
	try(c)
}

// copyRows copies each row behind the statement that copies a collection of them, in Go and Java, whose collections copy their own elements alone.
func (s *site) copyRows(try func(change)) {
	if !s.isStatement() || !s.Alone() {
		return
	}
	what := assignment(s.Node)
	to, from := what.Kid(code.Target), what.Kid(code.Value)
	if what.Is(code.Call) && what.Calls() == "copy" && len(what.All(code.Arg)) == 2 {
		to, from = what.All(code.Arg)[0], what
	}
	if !to.Is(code.Name) || !from.Is(code.Call) {
		return
	}
	text := ""
	switch s.fact().Family {
	case "Go":
		text = s.rowsOfGo(to, from)
	case "Java":
		text = s.rowsOfJava(to, from)
	}
	if text != "" && !strings.Contains(unspaced(s.Function().Text()), unspaced(text)) {
		try(insert(s.End+len(s.end(s.Node)), "\n"+s.Indent()+text, 0.9, "the copy shares what is in it with what it is made of"))
	}
}

// rowsOfGo is the loop that gives a copied slice, or map, of slices its own ones.
func (s *site) rowsOfGo(to, from *code.Node) string {
	how := from.Kid(code.Callee).Text()
	names := s.of(to).names
	if !slices.Contains([]string{"copy", "append", "slices.Clone", "maps.Clone"}, how) || how == "append" && !emptySlice(from.Kid(code.Arg)) || len(names) != 1 {
		return ""
	}
	elem, key := strings.TrimPrefix(names[0], "[]"), "i"
	if rest, ok := strings.CutPrefix(names[0], "map["); ok {
		_, elem, _ = strings.Cut(rest, "]")
		key = "k"
	}
	if !strings.HasPrefix(elem, "[]") || elem == names[0] {
		return ""
	}
	key = unusedName(s.Function(), key, "n", "at")
	row := fmt.Sprintf("%s[%s]", to.Name, key)
	return s.block("for "+key+" := range "+to.Name, []string{row + " = append(" + elem + "(nil), " + row + "...)"}, s.Indent())
}

// emptySlice reports whether a value is a slice of Go's with nothing in it, to which others are appended to copy them.
func emptySlice(n *code.Node) bool {
	return n != nil && (strings.HasSuffix(n.Text(), "(nil)") || strings.HasSuffix(n.Text(), "{}"))
}

// rowsOfJava is the call that gives a copied list, or map, of collections its own ones.
func (s *site) rowsOfJava(to, from *code.Node) string {
	how, declared := from.Text(), s.typeOf(to)
	switch {
	case !strings.HasPrefix(how, "new ") || len(from.All(code.Arg)) != 1:
		return ""
	case declared.begins("List<List"):
		return to.Name + ".replaceAll(ArrayList::new);"
	case declared.begins("List<Set"):
		return to.Name + ".replaceAll(HashSet::new);"
	case !declared.begins("Map"):
		return ""
	case strings.Contains(declared.names[0], ", List<"):
		return to.Name + ".replaceAll((k, v) -> new ArrayList<>(v));"
	case strings.Contains(declared.names[0], ", Set<"):
		return to.Name + ".replaceAll((k, v) -> new HashSet<>(v));"
	}
	return ""
}
