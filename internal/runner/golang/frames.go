package golang

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"sync"

	"fettle/internal/diag"
	"fettle/internal/pattern"
	"fettle/internal/runner"
)

// position is the second line of a stack frame in a Go trace: a tab, a file, a line, an offset.
var position = pattern.New(`^\t(.+\.go):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=0x[0-9a-f]+ sp=0x[0-9a-f]+ pc=0x[0-9a-f]+)?$`)

// frames reads the stack frames inside the root that stand in what a test printed, innermost first. A trace of a panic
// that was raised again names the same frames twice; each counts once.
func (s *Suite) frames(output string) []diag.Frame {
	var out []diag.Frame
	seen := map[diag.Frame]bool{}
	previous := ""
	for sc := lines(output); sc.Scan(); {
		line := sc.Text()
		if m := position.FindStringSubmatch(line); m != nil {
			if file, ok := s.rel(m[1]); ok {
				n, _ := strconv.Atoi(m[2])
				f := diag.Frame{File: file, Line: n, Func: funcName(previous)}
				if !seen[f] {
					seen[f] = true
					out = append(out, f)
				}
			}
		}
		previous = line
	}
	return out
}

// funcName takes the arguments off a frame's first line: "example.com/m/pkg.(*T).F(0x1, …)" is "(*T).F".
func funcName(line string) string {
	if i := strings.LastIndex(line, "("); i > 0 {
		line = line[:i]
	}
	line = line[strings.LastIndex(line, "/")+1:]
	_, name, ok := strings.Cut(line, ".")
	if !ok {
		return line
	}
	return name
}

func lines(s string) *bufio.Scanner {
	sc := bufio.NewScanner(strings.NewReader(s))
	sc.Buffer(nil, 1<<20)
	return sc
}

// extents knows from where to where functions reach.
type extents struct {
	suite *Suite
	mu    sync.Mutex
	files map[string][]runner.Lines
}

func newExtents(s *Suite) *extents { return &extents{suite: s, files: map[string][]runner.Lines{}} }

// of are the whole functions that the frames stand in, tests apart: what a test that died surely entered, if not ran.
func (e *extents) of(frames []diag.Frame) []runner.Lines {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []runner.Lines
	for _, f := range frames {
		if strings.HasSuffix(f.File, "_test.go") {
			continue
		}
		for _, b := range e.funcs(f.File) {
			if b.Line <= f.Line && f.Line <= b.EndLine {
				out = append(out, b)
			}
		}
	}
	return out
}

func (e *extents) funcs(file string) []runner.Lines {
	if known, ok := e.files[file]; ok {
		return known
	}
	var out []runner.Lines
	if src, err := e.suite.Place.ReadFile(file); err == nil {
		fset := token.NewFileSet()
		f, _ := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
		if f != nil {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					out = append(out, runner.Lines{File: file, Line: fset.Position(fn.Pos()).Line, EndLine: fset.Position(fn.End()).Line})
				}
			}
		}
	}
	e.files[file] = out
	return out
}
