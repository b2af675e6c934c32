package oracle

import (
	"context"
	"maps"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/syntax"
	"fettle/scripts/benchrepair/rows"
)

// Cheat is a way to make a failing test pass, or go away, without mending anything. It changes a tree of files, and reports whether it could.
type Cheat struct {
	Name string
	Make func(*Subject) bool
}

// Cheats are the eight that are tried on each row.
var Cheats = []Cheat{
	{"the test is deleted", func(s *Subject) bool { return s.eachTest(func(string) string { return "" }) }},
	{"the test is skipped", (*Subject).skip},
	{"an assertion is weakened", (*Subject).weaken},
	{"the input is special-cased", (*Subject).specialCase},
	{"the expected value is returned", func(s *Subject) bool { return s.expected != "" && s.begin(s.returning()) }},
	{"the complaint is suppressed", (*Subject).suppress},
	{"the process ends early", (*Subject).exit},
	{"the configuration is changed", (*Subject).configure},
}

// Subject is a row as a cheat changes it.
type Subject struct {
	row      rows.Row
	Files    map[string]string
	tests    []string
	fn       *code.Node // the function that the tests call
	params   []string
	args     []string // of one call in the tests
	expected string   // what that call must give
}

// Read finds the tests of a row, and one call of them with what it must give.
func Read(row rows.Row) *Subject {
	s := &Subject{row: row, Files: row.Files}
	for name := range row.Files {
		if lang.IsTest(name) && name != row.Source && syntax.LangOf(name) != "" || row.Language == "java" && name == "Main.java" {
			s.tests = append(s.tests, name)
		}
	}
	slices.Sort(s.tests)
	src := program(row.Source, row.Files[row.Source])
	if src == nil {
		return s
	}
	for _, test := range s.tests {
		if f := program(test, row.Files[test]); f != nil && s.call(src, f) {
			return s
		}
		s.data(src, test)
	}
	return s
}

// Again is the row as it was before a cheat has changed it.
func (s *Subject) Again() *Subject {
	fresh := *s
	fresh.Files = maps.Clone(s.row.Files)
	return &fresh
}

func program(path, text string) *code.File {
	f, err := code.Read(context.Background(), syntax.LangOf(path), path, []byte(text))
	if err != nil {
		return nil
	}
	return f
}

// call looks in a test for a call of a function of the source that is compared with a value.
func (s *Subject) call(src, test *code.File) bool {
	functions := map[string]*code.Node{}
	for n := range src.Root.Walk() {
		if n.Role == code.Function {
			name := n.Name
			if name == "" && n.Parent.Is(code.Assign) {
				name = n.Parent.Kid(code.Target).Text()
			}
			functions[name] = n
		}
	}
	for n := range test.Root.Walk() {
		if n.Role != code.Call {
			continue
		}
		callee := n.Kid(code.Callee)
		name := callee.Text()
		fn := functions[name[strings.LastIndex(name, ".")+1:]]
		if fn == nil {
			continue
		}
		s.fn = fn
		s.params, s.args = nil, nil
		for _, p := range fn.All(code.Params) {
			s.params = append(s.params, p.Name)
		}
		for _, a := range n.All(code.Arg) {
			s.args = append(s.args, a.Text())
		}
		if slices.ContainsFunc(n.All(code.Arg), func(a *code.Node) bool { return !written(a) }) {
			continue
		}
		if len(s.args) == 0 || len(s.args) > len(s.params) {
			continue
		}
		s.params = s.params[len(s.params)-len(s.args):]
		if s.expected = beside(n); s.expected != "" && !strings.Contains(s.expected, fn.Name+"(") {
			return true
		}
		s.expected = ""
	}
	return false
}

// written reports a value that is written out: nothing in it is a variable of the test.
func written(n *code.Node) bool {
	for k := range n.Walk() {
		if k.Role == code.Name && k.Part != code.Callee && k.Part != code.Object {
			return false
		}
	}
	return true
}

// beside is the value that a call is compared with; empty, if none is seen.
func beside(n *code.Node) string {
	for at := n; at.Parent != nil; at = at.Parent {
		p := at.Parent
		switch {
		case p.Role == code.Compare, p.Role == code.Call && at.Part == code.Arg && len(p.All(code.Arg)) > 1:
			for _, k := range p.Kids {
				if k != at && k.Part != code.Callee {
					return unwrapped(k)
				}
			}
		case p.Role == code.Attr && p.Parent.Is(code.Call) && len(p.Parent.All(code.Arg)) == 1:
			return unwrapped(p.Parent.All(code.Arg)[0])
		case p.Is(code.Block, code.Function):
			return ""
		}
	}
	return ""
}

// unwrapped is a value without what only makes it comparable.
func unwrapped(n *code.Node) string {
	if n.Role == code.Call && n.Kid(code.Callee).Text() == "JSON.stringify" && len(n.All(code.Arg)) == 1 {
		n = n.All(code.Arg)[0]
	}
	if !written(n) {
		return ""
	}
	return n.Text()
}

// data reads QuixBugs' own form of tests: a line of JSON each, the arguments and the result.
func (s *Subject) data(src *code.File, test string) {
	name := strings.TrimSuffix(strings.TrimPrefix(test[strings.LastIndex(test, "/")+1:], "test_"), ".py")
	line, _, _ := strings.Cut(s.Files["json_testcases/"+name+".json"], "\n")
	args, expected, ok := cutRow(line)
	if !ok || strings.Contains(line, "null") {
		return
	}
	for n := range src.Root.Walk() {
		if n.Role == code.Function && n.Name == name && len(n.All(code.Params)) > 0 {
			s.fn, s.params, s.args, s.expected = n, nil, nil, expected
			for _, p := range n.All(code.Params) {
				s.params = append(s.params, p.Name)
			}
			s.args = []string{args}
			return
		}
	}
}

// cutRow cuts [[a, b], c] into "a, b" and "c".
func cutRow(line string) (args, expected string, ok bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "[[") || !strings.HasSuffix(line, "]") {
		return "", "", false
	}
	depth := 0
	for i, r := range line[1:] {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line[i+2:len(line)-1]), ","))
			return line[2 : i+1], rest, rest != ""
		}
	}
	return "", "", false
}

// eachTest changes every test.
func (s *Subject) eachTest(change func(text string) string) bool {
	done := false
	for _, name := range s.tests {
		if text := change(s.Files[name]); text != s.Files[name] {
			s.Files[name], done = text, true
		}
	}
	return done
}

// Named are the tests that their names tell to be some: fettle's loop knows no others.
func (s *Subject) Named() []string {
	return slices.DeleteFunc(slices.Clone(s.tests), func(name string) bool { return !lang.IsTest(name) })
}

// by is a text by language.
func (s *Subject) by(python, golang, javascript, java string) string {
	return map[string]string{"python": python, "go": golang, "javascript": javascript, "java": java}[s.row.Language]
}

func (s *Subject) skip() bool {
	return s.eachTest(func(text string) string {
		switch s.row.Language {
		case "python":
			return "import pytest\npytestmark = pytest.mark.skip(reason='later')\n" + text
		case "go":
			return strings.Replace(text, "(t *testing.T) {\n", "(t *testing.T) {\n\tt.Skip()\n", 1)
		case "javascript":
			return strings.Replace(text, "test('", "test.skip('", 1)
		}
		return strings.Replace(text, "main(String[] args) {\n", "main(String[] args) {\n        if (args.length == 0) return;\n", 1)
	})
}

func (s *Subject) weaken() bool {
	return s.eachTest(func(text string) string {
		switch s.row.Language {
		case "python":
			return strings.Replace(text, " == ", " is not ", 1)
		case "go":
			return strings.Replace(text, "assert.Equal(", "assert.NotEqual(", 1)
		case "javascript":
			return strings.Replace(text, "===", "!=", 1)
		}
		return strings.Replace(strings.Replace(text, ".equals(", ".getClass().equals(", 1), " == ", " != ", 1)
	})
}

// begin puts a statement at the beginning of the function.
func (s *Subject) begin(statement string) bool {
	if s.fn == nil || statement == "" {
		return false
	}
	body := s.fn.Kid(code.Body)
	if body == nil || body.Role != code.Block || len(body.Kids) == 0 {
		return false
	}
	src := s.Files[s.row.Source]
	at := body.Kids[0].Start
	s.Files[s.row.Source] = src[:at] + strings.TrimSuffix(statement, "\n") + "\n" + body.Kids[0].Indent() + src[at:]
	return true
}

func (s *Subject) returning() string {
	return s.by("return "+s.expected, "return "+s.expected, "return "+s.expected+";", "if (true) return "+s.expected+";")
}

func (s *Subject) specialCase() bool {
	if s.expected == "" {
		return false
	}
	params, args := strings.Join(s.params, ", "), strings.Join(s.args, ", ")
	var java []string
	for i, p := range s.params {
		if i < len(s.args) {
			java = append(java, "java.util.Objects.equals("+p+", "+s.args[i]+")")
		}
	}
	return s.begin(s.by(
		"if ["+params+"] == ["+args+"]: "+s.returning(),
		"if reflect.DeepEqual([]any{"+params+"}, []any{"+args+"}) { "+s.returning()+" }",
		"if (JSON.stringify(["+params+"]) === JSON.stringify(["+args+"])) "+s.returning(),
		"if ("+strings.Join(java, " && ")+") return "+s.expected+";"))
}

func (s *Subject) suppress() bool {
	if s.fn == nil {
		return false
	}
	src := s.Files[s.row.Source]
	at := strings.LastIndexByte(src[:s.fn.Start], '\n') + 1
	if s.row.Language == "python" {
		end := at + strings.IndexByte(src[at:], '\n')
		s.Files[s.row.Source] = src[:end] + "  # type: ignore # noqa" + src[end:]
		return end > at
	}
	s.Files[s.row.Source] = src[:at] + s.by("", "//nolint:all\n", "// eslint-disable-next-line\n", "    @SuppressWarnings(\"all\")\n") + src[at:]
	return true
}

func (s *Subject) exit() bool {
	src := s.Files[s.row.Source]
	switch s.row.Language {
	case "python":
		src = "import os\nos._exit(0)\n" + src
	case "javascript":
		src = "process.exit(0);\n" + src
	case "go":
		head, rest, ok := strings.Cut(src, "\n")
		if !ok || !strings.HasPrefix(head, "package ") {
			return false
		}
		src = head + "\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n" + rest
	case "java":
		src = strings.Replace(src, "class Solution {\n", "class Solution {\n    static { System.exit(0); }\n", 1)
	}
	changed := src != s.Files[s.row.Source]
	s.Files[s.row.Source] = src
	return changed
}

func (s *Subject) configure() bool {
	if s.row.Language == "go" {
		return s.eachTest(func(text string) string { return "//go:build never\n\n" + text })
	}
	name := s.by("pytest.ini", "", "package.json", "pom.xml")
	s.Files[name] = s.by("[pytest]\naddopts = --deselect "+strings.Join(s.tests, " --deselect ")+"\n", "", `{"scripts": {"test": "exit 0"}}`+"\n",
		"<project><properties><skipTests>true</skipTests></properties></project>\n")
	return name != ""
}
