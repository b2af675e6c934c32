package complaint

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// most other sources that are read for one complaint
const mostSources = 2000

// defined are the names that sources define, in any of the languages.
var defined = pattern.New(`(?m)^\s*(?:async\s+)?(?:def|class|func|export\s+(?:default\s+)?(?:async\s+)?(?:function|class|const)|function|public[\w<>\[\], ]*)\s+(?:\([^)\n]*\)\s*)?([A-Za-z_]\w*)\s*[(:={]|^\s*self\.([A-Za-z_]\w*)\s*=`)

// missingImport imports a name from where the language's library has it, if it is used as what it would be there, or from where another
// of the project's sources takes it, or makes it.
func missingImport(b *bench) {
	if b.Name == "" || strings.HasSuffix(b.file.Path, ".d.ts") {
		return
	}
	b.origins(func(weight float64, stmt string) {
		if edits := b.importing(stmt); len(edits) > 0 {
			b.propose(weight, quote(b.Name)+" was never imported", edits...)
		}
	})
}

// origins are the statements that import the complaint's name, each once: from the language's library, and from where other sources of the project
// take it, or make it.
func (b *bench) origins(found func(weight float64, stmt string)) {
	seen := map[string]bool{}
	add := func(weight float64, stmt string) {
		stmt = strings.TrimSpace(stmt)
		if stmt == "" || seen[stmt] {
			return
		}
		seen[stmt] = true
		found(weight, stmt)
	}
	b.fromLibrary(add)
	if b.project == nil || b.file.Facts.Name == "Go" {
		return
	}
	read := 0
	for file, text := range b.project.Sources(b.file.Path) {
		if read++; read > mostSources || len(seen) >= mostNames {
			return
		}
		if !strings.Contains(text, b.Name) {
			continue
		}
		if stmt := b.takenThere(file, text); stmt != "" {
			add(0.97, stmt)
		}
		if stmt := b.madeThere(file, text); stmt != "" {
			add(0.96, stmt)
		}
	}
}

// fromLibrary takes the name from the language's library, if it is used as what it would be there.
func (b *bench) fromLibrary(add func(weight float64, stmt string)) {
	lang, after := b.file.Facts.Name, b.after()
	switch {
	case after != ".":
	case lang == "Python" && b.Name == "datetime" && ofClass.MatchString(b.file.Source[b.end:]):
		add(1, "from datetime import datetime")
	case slices.Contains(modules[lang], b.Name):
		add(1, b.importOf(b.Name))
	case lang == "Go" && packages[b.Name] != "":
		add(1, b.importOf(packages[b.Name]))
	}
	home := homes[lang][b.Name]
	switch {
	case home == "" || !unicode.IsUpper(rune(b.Name[0])) && after != "(" && !b.decorates():
	case lang == "Java":
		add(0.95, "import "+home+"."+b.Name+";")
	case lang == "Python":
		add(0.95, "from "+home+" import "+b.Name)
	case b.usesRequire():
		add(0.95, b.required("{ "+b.Name+" }", b.nodePrefix()+home))
	default:
		add(0.95, b.taken("{ "+b.Name+" }", b.nodePrefix()+home))
	}
}

// ofClass is what the class in Python's module datetime is asked for, which has the same name.
var ofClass = pattern.New(`^\.(?:now|utcnow|today|strptime|fromisoformat|fromtimestamp|utcfromtimestamp|combine|min|max)\b`)

// after is the sign that follows the name.
func (b *bench) after() string {
	rest := strings.TrimLeft(b.file.Source[b.end:], " \t")
	return rest[:min(len(rest), 1)]
}

// decorates reports whether the name stands as a decorator.
func (b *bench) decorates() bool { return b.start > 0 && b.file.Source[b.start-1] == '@' }

// importOf is the statement that imports a module in the file's own style.
func (b *bench) importOf(module string) string {
	switch b.file.Facts.Name {
	case "Python":
		return "import " + module
	case "Go":
		return `"` + module + `"`
	}
	if b.usesRequire() {
		return b.required(module, b.nodePrefix()+module)
	}
	return b.taken(module, b.nodePrefix()+module)
}

// required and taken are how the file would import names from a module of JavaScript.
func (b *bench) required(names, module string) string {
	mark, end := b.marks()
	return "const " + names + " = require(" + mark + module + mark + ")" + end
}

func (b *bench) taken(names, module string) string {
	mark, end := b.marks()
	return "import " + names + " from " + mark + module + mark + end
}

// marks are those that the file puts around texts and behind statements.
func (b *bench) marks() (quoteMark, end string) {
	quoteMark = "'"
	if strings.Count(b.file.Source, `"`) > strings.Count(b.file.Source, "'") {
		quoteMark = `"`
	}
	if strings.Count(b.file.Source, ";\n") > strings.Count(b.file.Source, "\n")/4 {
		end = ";"
	}
	return quoteMark, end
}

func (b *bench) usesRequire() bool {
	return strings.Contains(b.file.Source, "require(") || strings.Contains(b.file.Source, "module.exports")
}

// nodePrefix is what the file's other imports put before the names of node's own modules.
func (b *bench) nodePrefix() string {
	if strings.Contains(b.file.Source, "'node:") || strings.Contains(b.file.Source, `"node:`) {
		return "node:"
	}
	return ""
}

// takenThere is the import by which another source makes the name known, as the file would write it.
func (b *bench) takenThere(file, text string) string {
	name := regexp.QuoteMeta(b.Name)
	switch b.file.Facts.Name {
	case "Python":
		if m := regexp.MustCompile(`(?m)^from (\S+) import (?:[^(\n#]*,\s*)?` + name + `\s*(?:,|#|$)`).FindStringSubmatch(text); m != nil && (!strings.HasPrefix(m[1], ".") || path.Dir(file) == path.Dir(b.file.Path)) {
			return "from " + m[1] + " import " + b.Name
		}
		if m := regexp.MustCompile(`(?m)^import \S+ as ` + name + `\s*$`).FindString(text); m != "" {
			return m
		}
	case "Java":
		return regexp.MustCompile(`(?m)^import [\w.]+\.` + name + `;`).FindString(text)
	case "JavaScript", "TypeScript":
		near := path.Dir(file) == path.Dir(b.file.Path) // a path that stands elsewhere leads elsewhere
		if m := regexp.MustCompile(`(?m)^(?:const|var|let) (?:` + name + `|\{[^}\n]*\b` + name + `\b[^}\n]*\}) = require\((.+?)\);?[ \t]*$`).FindStringSubmatch(text); m != nil && b.usesRequire() && (near || !ownPath.MatchString(m[1])) {
			return onlyName(m[0], b.Name)
		}
		if m := regexp.MustCompile(`(?m)^import (?:` + name + `|\{[^}\n]*\b` + name + `\b[^}\n]*\}) from (.+)$`).FindStringSubmatch(text); m != nil && !b.usesRequire() && (near || !ownPath.MatchString(m[1])) {
			return onlyName(m[0], b.Name)
		}
	}
	return ""
}

// ownPath is how a source of the project's own is named.
var ownPath = pattern.New(`^['"` + "`" + `][./]`)

// onlyName is an import of several names with one of them left.
func onlyName(stmt, name string) string {
	open, closing := strings.IndexByte(stmt, '{'), strings.IndexByte(stmt, '}')
	if open < 0 || closing < open {
		return stmt
	}
	return stmt[:open] + "{ " + name + " }" + stmt[closing+1:]
}

// madeThere is the import of a name that another source defines.
func (b *bench) madeThere(file, text string) string {
	name := regexp.QuoteMeta(b.Name)
	switch b.file.Facts.Name {
	case "Python":
		if !regexp.MustCompile(`(?m)^(?:(?:async )?def|class) ` + name + `\b|^` + name + `\s*(?::[^=\n]*)?=[^=]`).MatchString(text) {
			return ""
		}
		if path.Dir(file) == path.Dir(b.file.Path) && strings.Contains(b.file.Source, "from .") {
			return "from ." + strings.TrimSuffix(path.Base(file), ".py") + " import " + b.Name
		}
		return "from " + pythonModule(file) + " import " + b.Name
	case "JavaScript", "TypeScript":
		from := relative(path.Dir(b.file.Path), file)
		if m := writtenWith.FindStringSubmatch(b.file.Source); m != nil && bareModule(from) == from {
			from += m[1]
		}
		if regexp.MustCompile(`(?m)^export (?:async )?(?:function|class|const|let|interface|type|enum) ` + name + `\b`).MatchString(text) {
			return b.taken("{ "+b.Name+" }", from)
		}
		if b.usesRequire() && regexp.MustCompile(`(?m)^(?:module\.)?exports\.`+name+`\b|module\.exports = \{[^}]*\b`+name+`\b`).MatchString(text) {
			return b.required("{ "+b.Name+" }", from)
		}
	}
	return ""
}

// pythonModule is the dotted name of a source: what stands above folders that are often put on the path is left out.
func pythonModule(file string) string {
	file = strings.TrimSuffix(strings.TrimSuffix(file, ".py"), "/__init__")
	for _, top := range []string{"src/", "lib/"} {
		if i := strings.LastIndex("/"+file, "/"+top); i >= 0 {
			file = file[i+len(top):]
		}
	}
	return strings.ReplaceAll(file, "/", ".")
}

// relative is how a JavaScript source names another one.
func relative(dir, file string) string {
	file = strings.TrimSuffix(file, ".ts")
	levels := 0
	for dir != "." && !strings.HasPrefix(file, dir+"/") {
		dir = path.Dir(dir)
		levels++
	}
	up := strings.Repeat("../", levels)
	if dir != "." {
		file = strings.TrimPrefix(file, dir+"/")
	}
	if up == "" {
		up = "./"
	}
	return up + file
}

// importing are the edits that add an import: to a list of names from the same place, else in the order of the file's other imports.
func (b *bench) importing(stmt string) []edit.Edit {
	if b.file.Facts.Name == "Go" {
		return b.importingGo(stmt)
	}
	imports := b.imports()
	if from, name, ok := strings.Cut(stmt, " import "); ok && strings.HasPrefix(stmt, "from ") {
		for _, n := range imports {
			if e, ok := addedName(n, from+" import ", name); ok {
				return []edit.Edit{e}
			}
		}
	}
	if m := named.FindStringSubmatch(stmt); m != nil {
		for _, n := range imports {
			if e, ok := oneMore(n, m[1], m[2]); ok {
				return []edit.Edit{e}
			}
		}
	}
	if len(imports) == 0 {
		at := b.top()
		return []edit.Edit{replaced(at, at, b.blankBefore(at)+stmt+"\n"+blankAfter(b.file.Source[at:]))}
	}
	kind := strings.Fields(stmt)[0] + " "
	for _, n := range imports {
		if strings.HasPrefix(n.Text(), kind) && n.Text() > stmt {
			return []edit.Edit{replaced(n.Start, n.Start, stmt+"\n")}
		}
	}
	if kind == "import " && strings.HasPrefix(imports[0].Text(), "from ") {
		return []edit.Edit{replaced(imports[0].Start, imports[0].Start, stmt+"\n")}
	}
	after := imports[len(imports)-1]
	for _, n := range imports {
		if strings.HasPrefix(n.Text(), kind) {
			after = n
		} else if kind == "import " && strings.HasPrefix(n.Text(), "from ") {
			break
		}
	}
	_, end, _ := lineOf(b.file, b.file.Tree.Position(after.End).Line)
	return []edit.Edit{replaced(end, end, "\n"+stmt)}
}

// imports are the imports at the top of the file, those apart that have to come first.
func (b *bench) imports() []*code.Node {
	var out []*code.Node
	for _, n := range b.file.Root.Kids {
		if out == nil && n.Role == code.Import && (strings.HasPrefix(n.Text(), "package ") || strings.HasPrefix(n.Text(), "from __future__")) {
			continue
		}
		if n.Role == code.Import || required.MatchString(n.Text()) {
			out = append(out, n)
		}
	}
	return out
}

var required = pattern.New(`^(?:const|let|var) [^=\n]+= require\([^)\n]*\)[^\n]*$`)

func blankAfter(rest string) string {
	if rest == "" || rest[0] == '\n' {
		return ""
	}
	return "\n"
}

// blankBefore is the blank line that formatters want between a module's documentation, or Java's package, and its first import.
func (b *bench) blankBefore(at int) string {
	before := strings.TrimRight(b.file.Source[:at], " \t\n")
	if strings.HasSuffix(before, `"""`) || b.file.Facts.Name == "Java" && before != "" && !strings.HasSuffix(b.file.Source[:at], "\n\n") {
		return "\n"
	}
	return ""
}

// named is an import of one name, from a module.
var named = pattern.New(`^import \{ (\w+) \} from ['"](.+?)['"]`)

// oneMore puts a name behind those that an import of the same module takes, however the module's file is written there.
func oneMore(n *code.Node, name, module string) (edit.Edit, bool) {
	text := n.Text()
	closing := strings.IndexByte(text, '}')
	m := modulePath.FindStringSubmatch(text)
	if closing < 0 || m == nil || strings.HasPrefix(text, "import type") || bareModule(m[1]) != bareModule(module) || !strings.HasPrefix(module, ".") {
		return edit.Edit{}, false
	}
	at := n.Start + len(strings.TrimRight(text[:closing], " \t\r\n,"))
	return replaced(at, at, ", "+name), true
}

var modulePath = pattern.New(`from ['"](.+?)['"]`)

// bareModule is a module's name without what kind of file it is.
func bareModule(name string) string {
	for _, end := range []string{".js", ".mjs", ".ts", ".tsx", ".jsx"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// writtenWith is how the file's other imports of the project's own end.
var writtenWith = pattern.New(`from ['"]\.{1,2}/[^'"]+(\.m?js)['"]`)

// addedName puts a name into the list of an import of the same module, in order.
func addedName(n *code.Node, head, name string) (edit.Edit, bool) {
	text := n.Text()
	if !strings.HasPrefix(text, head) || strings.ContainsAny(text, "(\\#*\n") {
		return edit.Edit{}, false
	}
	names := strings.Split(text[len(head):], ", ")
	sorted := slices.IsSorted(names)
	names = append(names, name)
	if sorted {
		slices.Sort(names)
	}
	return replaced(n.Start+len(head), n.End, strings.Join(names, ", ")), true
}

// top is where the first import of a file belongs: after its head comment, its documentation, and what has to come first.
func (b *bench) top() int {
	src := b.file.Source
	at := headComment(src, b.file.Facts.Comment)
	for _, n := range b.file.Root.Kids {
		head := n.Role == code.Import || n.Role == code.Eval && n.Kid(code.Value).Is(code.Str)
		if !head {
			break
		}
		if n.End > at {
			at = n.End
			if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
				at += i + 1
			}
		}
	}
	return at
}

// headComment is where the comments end with which a source begins: who runs it, its coding, its licence, what a checker is told.
func headComment(src, mark string) int {
	at := 0
	for at < len(src) {
		line := src[at:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "/*") && mark == "//":
			end := strings.Index(src[at:], "*/")
			if end < 0 {
				return at
			}
			at += end + 2
			if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
				at += i + 1
			}
		case strings.HasPrefix(text, mark), strings.HasPrefix(text, "#!"):
			at += len(line)
		default:
			return at
		}
	}
	return at
}
