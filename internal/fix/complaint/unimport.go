package complaint

import (
	"path"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// dropImport takes a name out of an import, or the import with it.
func dropImport(b *bench) {
	var stmt *code.Node
	for n := b.at; n != nil; n = n.Parent {
		if n.Role == code.Import {
			stmt = n
		}
	}
	if stmt == nil {
		for _, n := range b.file.Root.Kids {
			if n.Role == code.Import && n.Start < b.end && b.start < n.End {
				stmt = n
			}
		}
	}
	if stmt == nil || path.Base(b.file.Path) == "__init__.py" || !stmt.Parent.Is(code.Module) && b.file.Facts.Name == "Python" {
		return // what a package gives others, and what only asks whether it is there, is used by being imported
	}
	why := quote(b.Name) + " is imported and never used"
	if b.Name == "" && stmt.Alone() {
		b.propose(1, "nothing that is imported there is used", wholeLines(b.file.Source, stmt.Start, stmt.End))
	}
	if b.Name == "" {
		return
	}
	if e, ok := b.without(stmt); ok {
		b.propose(1, why, e)
	}
}

// without is the edit that takes the complaint's name out of an import of one or several.
func (b *bench) without(stmt *code.Node) (edit.Edit, bool) {
	text := stmt.Text()
	from, to := strings.Index(text, "import ")+len("import "), len(text)
	if b.file.Facts.Name == "Go" {
		i := strings.Index(text, `"`+b.Name+`"`)
		if i < 0 {
			return edit.Edit{}, false
		}
		if strings.Contains(text[:i], "(") {
			return wholeLines(b.file.Source, stmt.Start+i, stmt.Start+i+1), true
		}
		return wholeLines(b.file.Source, stmt.Start, stmt.End), true
	}
	if e, ok := b.ofTwo(stmt); ok {
		return e, true
	}
	if open, end := strings.IndexAny(text, "({"), strings.LastIndexAny(text, ")}"); open >= 0 && end > open {
		from, to = open+1, end
	}
	items := strings.Split(text[from:to], ",")
	at := from
	var kept int
	hit := -1
	for i, item := range items {
		word := strings.TrimSpace(item)
		if word == "" {
			continue
		}
		kept++
		if b.meant(word) {
			hit = i
		}
	}
	if hit < 0 || kept == 1 {
		return wholeLines(b.file.Source, stmt.Start, stmt.End), stmt.Alone() && (hit >= 0 && b.nothingElse(text[:from]) || b.file.Facts.Name == "Java" || b.onlyBinding(text))
	}
	for _, item := range items[:hit] {
		at += len(item) + 1
	}
	end := at + len(items[hit])
	if hit+1 < len(items) {
		end++ // its comma
		if hit == 0 || strings.HasPrefix(items[hit], "\n") == strings.HasPrefix(items[hit+1], "\n") {
			blank := len(items[hit]) - len(strings.TrimLeft(items[hit], " \t\n"))
			next := len(items[hit+1]) - len(strings.TrimLeft(items[hit+1], " \t\n"))
			return replaced(stmt.Start+at+blank, stmt.Start+end+next, ""), true
		}
		return replaced(stmt.Start+at, stmt.Start+end, ""), true
	}
	tail := len(items[hit]) - len(strings.TrimRight(items[hit], " \t\n"))
	return replaced(stmt.Start+at-1, stmt.Start+end-tail, ""), true
}

var (
	beforeList = pattern.New(`^(?:from\s+\S+\s+import|import(?:\s+type)?|const|let|var)\s*[({]?\s*$`)
	oneBinding = pattern.New(`^(?:import\s+(?:type\s+)?(?:\*\s+as\s+)?([\w$]+)\s+from\s|(?:const|let|var)\s+([\w$]+)\s*=\s*require\()`)
)

// twoKinds is an import of JavaScript's of what a module gives first of all, and of more.
var twoKinds = pattern.New(`^import\s+(?:type\s+)?([\w$]+)\s*,\s*(?:\*\s+as\s+([\w$]+)|\{\s*(?:type\s+)?(?:[\w$]+\s+as\s+)?([\w$]+)\s*,?\s*\}|\{[^}]*\})\s*from\s`)

// ofTwo is the edit that takes one of the two parts of such an import out.
func (b *bench) ofTwo(stmt *code.Node) (edit.Edit, bool) {
	m := twoKinds.FindStringSubmatchIndex(stmt.Text())
	if m == nil {
		return edit.Edit{}, false
	}
	part := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return stmt.Text()[m[2*i]:m[2*i+1]]
	}
	switch at := stmt.Start + m[3]; b.Name {
	case part(1):
		rest := strings.TrimLeft(stmt.Text()[m[3]:], ", \t\r\n")
		return replaced(stmt.Start+m[2], stmt.End-len(rest), ""), true
	case part(2), part(3):
		end := stmt.Start + strings.LastIndex(stmt.Text(), "from ")
		return replaced(at, end, " "), true
	}
	return edit.Edit{}, false
}

// nothingElse reports whether an import makes nothing known before its list.
func (b *bench) nothingElse(head string) bool { return beforeList.MatchString(head) }

// onlyBinding reports whether an import of JavaScript's makes the complaint's name known, and no other.
func (b *bench) onlyBinding(text string) bool {
	m := oneBinding.FindStringSubmatch(text)
	return m != nil && (m[1] == b.Name || m[2] == b.Name)
}

// meant reports whether an item of a list of imports is the one that the complaint names: by its own name, the one it goes by, or with
// the module before it.
func (b *bench) meant(item string) bool {
	name, alias, _ := strings.Cut(strings.TrimPrefix(item, "type "), " as ")
	said, as, _ := strings.Cut(b.Name, " as ")
	name, alias = strings.TrimSpace(name), strings.TrimSpace(alias)
	if as != "" {
		return alias == as
	}
	return said == name || said == alias || strings.HasSuffix(said, "."+name)
}

// wholeLines is the edit that takes out the lines of some bytes; at a source's beginning no empty line is left.
func wholeLines(src string, start, end int) edit.Edit {
	start, end = code.Lines(src, start, end)
	for start == 0 && end < len(src) && src[end] == '\n' {
		end++
	}
	return replaced(start, end, "")
}
