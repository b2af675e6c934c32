package undefined

import (
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
)

// Java looks for methods that a class calls on itself where the change made that no class of the file has them. What a class may have from
// elsewhere (a superclass, an interface, a static import, a record's or an annotation's own methods) leaves no opinion on what is new.
func Java(before, after *code.File) []Use {
	if parts.Broken(after) {
		return nil
	}
	had, has := methods(before), methods(after)
	called, calledBefore := ownCalls(after), ownCalls(before)
	inherits := elsewhere.MatchString(after.Source)
	var all []Use
	for name, line := range called {
		switch {
		case has[name], objectMethods[name], strings.Contains(after.Source, "."+name+";"):
			continue
		case had[name]:
			all = append(all, Use{Name: name, Line: line, Taken: true, Sure: !inherits}) // a superclass may have one of the name
		case inherits, calledBefore[name] > 0:
			continue
		default:
			all = append(all, Use{Name: name, Line: line, Sure: true})
		}
	}
	return all
}

// elsewhere matches what gives a class methods that do not stand in its file.
var elsewhere = pattern.New(`\b(extends|implements|record|enum|@interface|lombok)\b|import static [\w.]+\.\*|\bnew [\w.<>, ]+\([^;{}]*\)\s*\{`)

var objectMethods = map[string]bool{
	"hashCode": true, "equals": true, "toString": true, "getClass": true, "notify": true, "notifyAll": true, "wait": true, "clone": true, "finalize": true, "this": true, "super": true,
}

func methods(f *code.File) map[string]bool {
	all := make(map[string]bool)
	if f == nil {
		return all
	}
	for n := range f.Root.Walk() {
		if n.Role == code.Function && n.Name != "" {
			all[n.Name] = true
		}
	}
	return all
}

// ownCalls are the methods that are called on nothing, by their first line.
func ownCalls(f *code.File) map[string]int {
	all := make(map[string]int)
	if f == nil {
		return all
	}
	for n := range f.Root.Walk() {
		if n.Role != code.Call || !n.Kid(code.Callee).Is(code.Name) {
			continue
		}
		if name := n.Kid(code.Callee).Name; name != "" && all[name] == 0 {
			all[name] = n.Line()
		}
	}
	return all
}
