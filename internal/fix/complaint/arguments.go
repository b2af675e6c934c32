package complaint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// calledFor finds in the words of a complaint the function that is called with too many arguments, or too few, and the parameter that gets none.
var (
	calledFor = pattern.New("(?:in call to [\"'`]?|no suitable (?:method|constructor) found for |for [\"'`]|^\\s*method [\"'`]?)(?:[\\w.]+\\.)?(\\w+)[\"'`]?")
	lacking   = pattern.New(`(?:Missing positional arguments?|Arguments? missing for parameters?|No value for argument) ["'](\w+)["']`)
	surplus   = pattern.New(`(?i)too many|Expected \d+ positional arguments?$|No parameter named|Unexpected keyword argument|Expected (\d+)(?:-(\d+))? arguments?, but got (\d+)`)
)

// javac's words about a call that does not fit stand below the first line.
var (
	javaWants = pattern.New(`required:\s+(.+)`)
	javaHas   = pattern.New(`found:\s+(.+)`)
)

// listed is how many types javac lists.
func listed(types string) int {
	types = strings.TrimSpace(types)
	if strings.HasPrefix(types, "no arguments") {
		return 0
	}
	n, depth := 1, 0
	for _, c := range types {
		switch {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case c == ',' && depth == 0:
			n++
		}
	}
	return n
}

// tooMany reports whether a call has more arguments than it may have.
func (b *bench) tooMany() bool {
	if r, f := javaWants.FindStringSubmatch(b.Finding.Detail), javaHas.FindStringSubmatch(b.Finding.Detail); r != nil && f != nil {
		return listed(f[1]) > listed(r[1])
	}
	m := surplus.FindStringSubmatch(b.Finding.Message)
	if m == nil || m[3] == "" {
		return m != nil
	}
	most := m[1]
	if m[2] != "" {
		most = m[2]
	}
	return len(m[3]) > len(most) || len(m[3]) == len(most) && m[3] > most
}

// callee is the call that has the wrong number of arguments: the one on the line of the function that the words name, else the one at the place.
func (b *bench) callee() *code.Node {
	name := ""
	if m := calledFor.FindStringSubmatch(b.Finding.Message); m != nil {
		name = m[1]
	}
	var found *code.Node
	for n := range b.file.Root.Walk() {
		if !n.Is(code.Call) || n.Kid(code.Callee) == nil || b.file.Tree.Position(n.Start).Line > b.Finding.Range.Start.Line || b.file.Tree.Position(n.End).Line < b.Finding.Range.Start.Line {
			continue
		}
		switch {
		case name != "" && n.Calls() == name, name == "" && b.start <= n.End && (n.Start < b.start || n.Start == b.start && (!b.tooMany() || b.Finding.Tool == "pylint")): // an argument too many is what is pointed at, but by pylint
			found = n
		}
	}
	return found
}

// fewerArguments leaves out one of too many: the last, as nobody asks for it; what is worked out by a call may matter, and comes later.
func fewerArguments(b *bench) {
	call := b.callee()
	if call == nil || !b.tooMany() {
		return
	}
	args := call.All(code.Arg)
	for i, a := range slices.Backward(args) {
		start, end := a.Start, a.End
		switch {
		case i > 0:
			start = args[i-1].End
		case len(args) > 1:
			end = args[1].Start
		}
		weight := 1 - 0.2*float64(len(args)-1-i)
		if effective(a) {
			weight /= 2
		}
		if weight > 0 {
			b.propose(weight, fmt.Sprintf("%s takes no such argument as %s", quote(call.Kid(code.Callee).Text()), quote(a.Text())), replaced(start, end, ""))
		}
	}
}

// moreArguments gives a call the argument that it lacks: the variable of the parameter's name, then those that were used last before.
func moreArguments(b *bench) {
	call := b.callee()
	if call == nil || b.tooMany() {
		return
	}
	wanted := ""
	if m := lacking.FindStringSubmatch(b.Finding.Message); m != nil {
		wanted = m[1]
	}
	args := call.All(code.Arg)
	at, before := call.End-1, ""
	if len(args) > 0 {
		at, before = args[len(args)-1].End, ", "
	}
	if !strings.HasSuffix(call.Text(), ")") {
		return
	}
	names := b.nearest(call, wanted)
	if len(names) == 0 && len(args) > 0 && args[len(args)-1].Is(code.Name) {
		names = []string{args[len(args)-1].Name} // the square's height is its width
	}
	for i, name := range names[:min(len(names), 4)] {
		b.propose(1-0.2*float64(i), fmt.Sprintf("%s asks for one more argument, and %s is the nearest", quote(call.Kid(code.Callee).Text()), quote(name)), replaced(at, at, before+name))
	}
}

// nearest are the variables that a call could have as well and does not have yet, the one that was used last before it first; one of the wanted
// name comes before all.
func (b *bench) nearest(call *code.Node, wanted string) []string {
	had := map[string]bool{}
	for n := range call.Walk() {
		had[n.Name] = true
	}
	before := b.file.Source[:call.Start]
	if fn := call.Function(); fn != nil {
		before = b.file.Source[fn.Start:call.Start]
	}
	last := map[string]int{}
	var names []string
	for _, v := range call.Scope() {
		if v.Near > 0 || had[v.Name] || v.Kind != code.Local && v.Kind != code.Parameter {
			continue
		}
		names = append(names, v.Name)
		last[v.Name] = -1
		for at := code.Word(before, v.Name, 0); at >= 0; at = code.Word(before, v.Name, at+1) {
			last[v.Name] = at
		}
		if v.Name == wanted {
			last[v.Name] = len(before)
		}
	}
	slices.SortStableFunc(names, func(x, y string) int { return last[y] - last[x] })
	return names
}

// nearParameter names an argument as the function's parameter is named that is spelled like it.
func nearParameter(b *bench) {
	call := b.callee()
	if call == nil || b.Name == "" || b.end-b.start != len(b.Name) {
		return
	}
	given := map[string]bool{}
	for _, a := range call.All(code.Arg) {
		if a.Is(code.Keyword) {
			given[a.Name] = true
		}
	}
	names := b.parametersHere(call.Calls())
	if len(names) == 0 && b.Hint == "" {
		names = b.parametersThere(call.Calls())
	}
	b.spelledLike([]source{{slices.DeleteFunc(names, func(n string) bool { return n == "" || given[n] }), 1}})
}

// parametersHere are the names of the parameters of the file's functions and classes of a name.
func (b *bench) parametersHere(name string) (out []string) {
	for n := range b.file.Root.Walk() {
		if n.Is(code.Function) && (n.Name == name || n.Name == "__init__" && n.Up(code.Class) != nil && n.Up(code.Class).Name == name) {
			for _, p := range n.All(code.Params) {
				out = append(out, p.Name)
			}
		}
	}
	return out
}

// parametersThere are those of the functions that other sources define.
func (b *bench) parametersThere(name string) (out []string) {
	if b.project == nil {
		return nil
	}
	head := regexp.MustCompile(`(?m)^\s*(?:async )?def ` + regexp.QuoteMeta(name) + `\(([^)]*)\)`)
	for _, text := range b.project.Sources(b.file.Path) {
		for _, m := range head.FindAllStringSubmatch(text, -1) {
			for p := range strings.SplitSeq(m[1], ",") {
				out = append(out, word.FindString(p))
			}
		}
	}
	return out
}
