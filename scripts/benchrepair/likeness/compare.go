package likeness

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/code"
	"fettle/internal/syntax"
	"fettle/scripts/benchrepair/rows"
	"fettle/scripts/lay"
)

// Most inputs that are tried; they are made from the calls that stand in the tests.
const Most = 400

const (
	variants = 40               // of each call
	patience = 60 * time.Second // for a driver that runs them all
)

// compare runs the mended source and the reference on inputs made from those of the tests. It returns on how many both gave an answer, and the
// first on which they differ. In languages without a driver there are no such inputs.
func compare(ctx context.Context, row rows.Row, after string) (inputs int, differs string, err error) {
	if _, ok := drivers[row.Language]; !ok {
		return 0, "", nil
	}
	calls, err := callsOf(ctx, row)
	if err != nil || len(calls) == 0 {
		return 0, "", err
	}
	made := vary(calls)
	want, err := drive(ctx, row, row.Reference, made)
	if err != nil {
		return 0, "", ctx.Err() // such calls cannot be made from without: what they need is made in the tests
	}
	got, err := drive(ctx, row, after, made)
	if err != nil {
		return 0, "", fmt.Errorf("the mended source on generated inputs: %w", err)
	}
	lates := 0
	for i, call := range made {
		w, g := want[i], got[i]
		if w == "" || strings.HasPrefix(w, failed) {
			continue // not what the program is meant for
		}
		inputs++
		if g == late && w != g {
			if lates++; lates <= mostLate {
				continue // so may a machine that has other work to do
			}
		}
		if w != g {
			return inputs, fmt.Sprintf("%s is %s, not %s", call, Clip(g), Clip(w)), nil
		}
	}
	return inputs, "", nil
}

// What a driver says of a call that threw something begins with failed; late it says of one that took longer than a second.
const (
	failed   = "!"
	late     = "!late"
	mostLate = 4
)

// Clip is the beginning of a text that is long.
func Clip(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:197]) + "…"
	}
	return s
}

// call is a call of what the source defines, with arguments written out.
type call struct {
	before, after string // what stands before the arguments, and after them
	args          string
	literals      []span // of args
}

type span struct {
	start, end int
	role       code.Role
}

// callsOf finds the calls in the row's tests whose arguments are written out.
func callsOf(ctx context.Context, row rows.Row) ([]call, error) {
	if row.Set == rows.QuixBugs {
		return callsOfCases(row), nil
	}
	src, err := read(ctx, row, row.Source)
	if err != nil {
		return nil, err
	}
	defined := definedIn(src)
	var out []call
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(row.Files)) {
		if name == row.Source || syntax.LangOf(name) == "" || strings.HasPrefix(name, "assert/") {
			continue
		}
		f, err := read(ctx, row, name)
		if err != nil {
			return nil, err
		}
		for n := range f.Root.Walk() {
			callee := n.Kid(code.Callee)
			if n.Role != code.Call || callee == nil || !defined[calledName(callee)] || seen[n.Text()] || len(n.All(code.Arg)) == 0 || !writtenOut(n, defined) {
				continue
			}
			seen[n.Text()] = true
			args := n.All(code.Arg)
			start, end := args[0].Start, args[len(args)-1].End
			c := call{before: f.Source[n.Start:start], after: f.Source[end:n.End], args: f.Source[start:end]}
			for _, a := range args {
				c.literals = append(c.literals, literals(a, start)...)
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// definedIn are the names of a source's functions.
func definedIn(src *code.File) map[string]bool {
	defined := map[string]bool{}
	for n := range src.Root.Walk() {
		if n.Role == code.Function && n.Name != "" {
			defined[n.Name] = true
		}
		if t := n.Parent.Kid(code.Target); n.Role == code.Function && n.Parent.Is(code.Assign) && t.Is(code.Name) {
			defined[t.Name] = true
		}
	}
	return defined
}

func read(ctx context.Context, row rows.Row, name string) (*code.File, error) {
	return code.Read(ctx, syntax.LangOf(name), name, []byte(row.Files[name]))
}

func calledName(callee *code.Node) string {
	if callee.Role == code.Attr {
		return callee.Kid(code.Mem).Name
	}
	return callee.Name
}

// writtenOut reports whether a call needs nothing but what its language gives everybody.
func writtenOut(n *code.Node, defined map[string]bool) bool {
	for _, a := range n.All(code.Arg) {
		for k := range a.Walk() {
			if k.Role == code.Function || k.Role == code.Name && k.Part != code.Callee && !anywhere[k.Name] && !defined[k.Name] {
				return false
			}
		}
	}
	return true
}

// anywhere are names that arguments may mention.
var anywhere = map[string]bool{
	"Arrays": true, "List": true, "Map": true, "Set": true, "Optional": true, "Integer": true, "None": true, "nil": true, "undefined": true, "math": true,
	"NaN": true, "Infinity": true, "ArrayList": true, "HashMap": true, "Collections": true,
}

// literals are the literals below a node, with places counted from base.
func literals(n *code.Node, base int) []span {
	var out []span
	for k := range n.Walk() {
		switch {
		case k.Is(code.Int, code.Float, code.Str, code.Char, code.Bool) && len(k.Kids) == 0:
			out = append(out, span{k.Start - base, k.End - base, k.Role})
		case k.Role == code.List && len(k.All(code.Elem)) > 1, k.Role == code.Call && len(k.All(code.Arg)) > 1:
			out = append(out, elements(k, base)...)
		}
	}
	return out
}

// elements are the stretches of a list that may be left out: each element but the first with the comma before it.
func elements(n *code.Node, base int) []span {
	kids := n.All(code.Elem)
	if n.Role == code.Call {
		kids = n.All(code.Arg)
	}
	var out []span
	for i := 1; i < len(kids); i++ {
		out = append(out, span{kids[i-1].End - base, kids[i].End - base, code.List})
	}
	return out
}

// callsOfCases are the calls of a row whose cases stand in a JSON file, each of them [arguments, result].
func callsOfCases(row rows.Row) []call {
	name := strings.TrimSuffix(path.Base(row.Source), ".py")
	cases, ok := row.Files["json_testcases/"+name+".json"]
	if !ok {
		return nil
	}
	var out []call
	for line := range strings.Lines(cases) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		f, err := code.Read(context.Background(), syntax.Python, "case.py", []byte(line))
		if err != nil {
			continue
		}
		for n := range f.Root.Walk() {
			if n.Role == code.List && len(n.All(code.Elem)) == 2 && n.Parent.Is(code.Eval) {
				in := n.All(code.Elem)[0]
				c := call{before: "list_or_value(" + name + "(*(", args: in.Text(), after: ")))"}
				if !in.Is(code.List) {
					c.before, c.after = "list_or_value("+name+"(", "))"
				}
				c.literals = literals(in, in.Start)
				out = append(out, c)
				break
			}
		}
	}
	return out
}

// drive runs a driver with these calls beside one version of the source. Its answers are those of the calls, in order.
func drive(ctx context.Context, row rows.Row, source string, calls []string) ([]string, error) {
	dir, err := os.MkdirTemp("", "fettle-compare-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	files := maps.Clone(row.Files)
	files[row.Source] = source
	d := drivers[row.Language]
	for name := range d.without {
		delete(files, name)
	}
	name, text := d.text(row, source, calls)
	files[name] = text
	if err := lay.Files(dir, files); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, d.run[0], d.run[1:]...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	var errs bytes.Buffer
	cmd.Stderr = &errs
	stdout, err := cmd.Output()
	out := make([]string, len(calls))
	n := 0
	for line := range strings.Lines(string(stdout)) {
		at, answer, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		i, bad := strconv.Atoi(strings.TrimPrefix(at, "#"))
		if ok && bad == nil && strings.HasPrefix(at, "#") && i < len(out) {
			out[i] = answer
			n++
		}
	}
	if n == 0 {
		return nil, fmt.Errorf("%w: %s", err, lastLine(errs.String()))
	}
	return out, nil
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " | ")
}
