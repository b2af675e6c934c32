package audit

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
	danger "fettle/internal/policy/code"
)

// end is a place of a program that ends the process with success, or has somebody else do so later.
type end struct {
	at    *code.Node
	what  string // by what: of equals within one function it does not matter which is new
	asked bool   // it stands in a function that gives a value, or is carried out whenever the file is loaded
}

// exitFunctions end a process with what they are given, by what their names stand for.
var exitFunctions = map[string]bool{
	"os._exit": true, "sys.exit": true, "exit": true, "quit": true, "SystemExit": true, "process.exit": true, "process.reallyExit": true, "os.Exit": true, "syscall.Exit": true,
	"System.exit": true, "java.lang.System.exit": true,
}

// exits refuses an end with success where a value is computed, and while a file is loaded: nobody who called or loaded it gets
// to say whether it was right. Elsewhere it may be a program's own end, which a person has to look at.
func exits(v *patchView, f *fileView) []Finding {
	if v.goal.By == Person && onlyRead(f) {
		return nil
	}
	all := v.newEnds(f)
	if parts.Broken(f.programAfter) {
		for _, found := range f.introduced(assertions.GoodExit, Ask, endsWell) {
			if !slices.ContainsFunc(all, func(o Finding) bool { return o.Line == found.Line }) {
				all = append(all, found)
			}
		}
	}
	return all
}

// onlyRead reports whether a file is a page that nobody carries out: it has none of the examples that Python's doctest does.
func onlyRead(f *fileView) bool {
	return slices.Contains([]string{".md", ".rst", ".adoc"}, path.Ext(f.path)) && !bytes.Contains(f.after, []byte(">>> "))
}

const endsWell = "ends the process with success"

// newEnds compares the ends with success of a program, function by function. What stood in a function that has another name now is not new, unless it is
// asked for a value that it was not asked for before.
func (v *patchView) newEnds(f *fileView) []Finding {
	was, is := f.names()
	fresh := goodEnds(f.programAfter, is)
	if len(fresh) == 0 {
		return nil
	}
	still := parts.Functions(f.programAfter)
	here, moved := make(map[string]int), make(map[string]int)
	for _, e := range goodEnds(f.programBefore, was) {
		here[e.key()]++
		if within := parts.Title(e.at.Function()); within != "" && still[within] == nil {
			moved[e.kind()]++
		}
	}
	text := ""
	if f.programBefore != nil && parts.Broken(f.programBefore) {
		text = parts.Bare(string(f.before))
	}
	var all []Finding
	for _, e := range fresh {
		if here[e.key()]--; here[e.key()] >= 0 {
			continue
		}
		if moved[e.kind()]--; moved[e.kind()] >= 0 || strings.Contains(text, parts.Bare(e.at.Text())) {
			continue
		}
		found := Finding{Line: e.at.Line(), Effect: Ask, Evidence: fmt.Sprintf("%q %s", phrase.Clip(e.at.Text()), endsWell)}
		switch {
		case !e.asked && v.goal.By == Person && informs(e.at):
			found.Effect = Note
		case e.asked:
			found.Effect = Refuse
			found.Evidence += " where it is asked for a value: it has to give one"
		}
		all = append(all, found)
	}
	return all
}

// key tells an end from those by other means, and of other functions.
func (e end) key() string { return e.what + "\x00" + parts.Title(e.at.Function()) }

// kind tells an end from those by other means, and those where less or more is wanted of what ends.
func (e end) kind() string { return fmt.Sprint(e.what, "\x00", e.asked) }

// goodEnds lists the ends with success of a program.
func goodEnds(f *code.File, names *danger.Names) []end {
	if names == nil {
		return nil
	}
	var all []end
	for n := range f.Root.Walk() {
		if what := endOf(n, names); what != "" {
			all = append(all, end{at: n, what: what})
		}
	}
	if len(all) == 0 {
		return nil
	}
	first := make(map[int]*code.Node) // of each line: what hands an end on is carried out where it stands
	for n := range f.Root.Walk() {
		if n.Is(code.Call, code.Raise) && first[n.Line()] == nil {
			first[n.Line()] = n
		}
	}
	gives := make(map[*code.Node]bool)
	for i, e := range all {
		n := first[e.at.Line()]
		if n == nil {
			n = e.at
		}
		fn := n.Function()
		if _, known := gives[fn]; !known {
			gives[fn] = givesValue(fn)
		}
		all[i].asked = gives[fn] || fn == nil && n.Up(code.If) == nil
	}
	return all
}

// givesValue reports whether a function gives one to who calls it.
func givesValue(fn *code.Node) bool {
	if fn == nil || strings.HasSuffix(fn.Name, "main") {
		return false
	}
	for k := range fn.Own() {
		if k.Role == code.Return && len(k.Kids) > 0 {
			return true
		}
	}
	return false
}

// endOf is by what a node ends the process with success: a call, an exception, the code that it is told to end with, a text that says it in a program's
// words, a function that is handed to somebody who calls it later (atexit.register(os._exit, 0)). It is empty for what does not.
func endOf(n *code.Node, names *danger.Names) string {
	switch n.Role {
	case code.Call:
		return endOfCall(n, names)
	case code.Raise:
		if v := n.Kid(code.Value); v.Is(code.Name) && names.Path(v) == "SystemExit" {
			return "SystemExit"
		}
	case code.Assign:
		if names.Path(n.Kid(code.Target)) == "process.exitCode" && n.Kid(code.Value).Text() == "0" {
			return "process.exitCode"
		}
	case code.Str:
		if n.Part != code.Stmt && !n.Parent.Is(code.Str) {
			return assertions.GoodExit.FindString(strings.Trim(n.Text(), "\"'`"))
		}
	default: // ends nothing by itself
	}
	return ""
}

func endOfCall(n *code.Node, names *danger.Names) string {
	args, where := n.All(code.Arg), names.Path(n.Kid(code.Callee))
	if (exitFunctions[where] || parts.LastName(n) == "halt" && n.Kid(code.Callee).Is(code.Attr) && len(args) > 0) && (len(args) == 0 || len(args) == 1 && succeeds[args[0].Text()]) {
		return where + "()"
	}
	for i, a := range args {
		if a.Is(code.Name, code.Attr) && exitFunctions[names.Path(a)] && leavesWell(n, args[i+1:]) {
			return parts.Bare(n.Text())
		}
	}
	return ""
}

// succeeds are values with which a process ends well.
var succeeds = map[string]bool{"0": true, "None": true, "False": true, "os.EX_OK": true, "undefined": true}

// leavesWell reports whether what is behind an exit function in a call makes it a success: 0, or nothing where the end of the process is what it waits for.
func leavesWell(n *code.Node, rest []*code.Node) bool {
	if len(rest) > 0 {
		return rest[0].Text() == "0" || strings.HasSuffix(parts.Bare(rest[0].Text()), "=0") || parts.Bare(rest[0].Text()) == "(0,)" || parts.Bare(rest[0].Text()) == "[0]"
	}
	return slices.Contains([]string{"register", "on", "once", "addListener"}, parts.LastName(n))
}

// introduced lists the new lines of a file that match a pattern, where the file holds what matched more often than before.
func (f *fileView) introduced(re *pattern.Pattern, effect Effect, says string) []Finding {
	added := slices.DeleteFunc(f.newLines(), func(l line) bool { return !re.MatchString(l.text) })
	if len(added) == 0 {
		return nil
	}
	var all []Finding
	fresh := matchesOf(re, f.after)
	for text, n := range matchesOf(re, f.before) {
		fresh[text] -= n
	}
	for _, l := range added {
		for _, m := range re.FindAll([]byte(l.text), -1) {
			if fresh[parts.Bare(string(m))] > 0 {
				all = append(all, Finding{Line: l.number, Effect: effect, Evidence: fmt.Sprintf("%q %s", phrase.Clip(l.text), says)})
				break
			}
		}
	}
	return all
}

// matchesOf counts what of a text a pattern matches, line by line.
func matchesOf(re *pattern.Pattern, text []byte) map[string]int {
	all := make(map[string]int)
	for l := range bytes.SplitSeq(text, []byte("\n")) {
		for _, m := range re.FindAll(bytes.TrimSpace(l), -1) {
			all[parts.Bare(string(m))]++
		}
	}
	return all
}
