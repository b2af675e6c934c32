package accounts

import (
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// markings are the marks of a test that are no table, and what its tables bind its names to, row by row.
func markings(test, fn *code.Node) (marks []string, all []binding, ok bool) {
	switch {
	case parts.IsScript(test.File.Lang):
		marks, all = scriptMarks(test, fn)
	case test.File.Lang == syntax.Java:
		marks, all = javaMarks(test)
	default:
		marks, all = pythonMarks(test)
	}
	if len(all) > 0 {
		marks = append(marks, wanted(fn, all[0])...)
	}
	slices.Sort(marks)
	return marks, all, len(all) > 0 && len(all) <= mostTold
}

// wanted are the parameters of a test that no row has a value for: fixtures.
func wanted(fn *code.Node, row binding) []string {
	var all []string
	for _, p := range patterns(fn.All(code.Params)) {
		for _, name := range append(parts.Targets(p), p.Name) {
			if _, bound := row.env[name]; !bound && name != "" && name != "self" && fn.File.Lang != syntax.Go && !slices.Contains(all, "wants "+name) {
				all = append(all, "wants "+name)
			}
		}
	}
	return all
}

// pythonMarks reads decorators: each parametrize multiplies the rows.
func pythonMarks(test *code.Node) (marks []string, all []binding) {
	all = []binding{noBinding()}
	for at := range parts.Decorators(test) {
		rows := parametrized(at)
		if rows == nil {
			marks = append(marks, parts.Bare(at.Text()))
			continue
		}
		var product []binding
		for _, b := range all {
			for _, row := range rows {
				product = append(product, b.with(row))
			}
		}
		all = product
	}
	if parts.IsCoroutine(test) {
		marks = append(marks, "async")
	}
	return marks, all
}

// scriptMarks reads how a test of JavaScript's is called: it.each(rows), it.skip, xit, and its options.
func scriptMarks(test, fn *code.Node) (marks []string, all []binding) {
	all = []binding{noBinding()}
	callee := test.Kid(code.Callee)
	if callee.Role == code.Call && strings.HasSuffix(callee.Kid(code.Callee).Text(), ".each") && len(callee.All(code.Arg)) == 1 {
		r := &teller{root: test, env: make(map[string]string), rows: make(map[string]map[string]string)}
		table := callee.All(code.Arg)[0]
		if table.Is(code.Name) {
			table = r.given(table)
		}
		if rows := r.bindAll(table, patterns(fn.All(code.Params))); rows != nil {
			all, callee = rows, callee.Kid(code.Callee).Kid(code.Object)
		}
	}
	if mark := strings.TrimPrefix(plainTest.ReplaceAllString(parts.Bare(callee.Text()), "test"), "test"); mark != "" {
		marks = append(marks, "."+strings.TrimPrefix(mark, "."))
	}
	for i, a := range test.All(code.Arg) {
		if i > 0 && a != fn {
			marks = append(marks, parts.Bare(a.Text()))
		}
	}
	return marks, all
}

var plainTest = pattern.New(`^(it|specify|test)\b`)

var (
	javaMark   = pattern.New(`@[\w.]+(\((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*\))?`)
	javaValues = pattern.New(`^@ValueSource\(\w+=\{?(.*?)\}?\)$`)
	javaString = pattern.New(`"(?:[^"\\]|\\.)*"`)
	// javaTimeout and javaLimit match in how many milliseconds JUnit 4, and seconds JUnit 5, wants a test to end.
	javaTimeout = pattern.New(`\btimeout\s*=\s*(\d+)L?\b`)
	javaLimit   = pattern.New(`^@Timeout\((\d+)\)$`)
	javaThrows  = pattern.New(`\bexpected\s*=\s*([\w.]+)\.class`)
)

// annotations are those of a method or class of Java, without what only names it, and in the words of JUnit 5.
func annotations(n *code.Node) []string {
	head := n.Text()
	if body := n.Kid(code.Body); body != nil {
		head = head[:body.Start-n.Start]
	}
	var all []string
	for _, m := range javaMark.FindAllString(head, -1) {
		m = strings.Join(strings.Fields(m), " ")
		name, _, _ := strings.Cut(strings.TrimPrefix(m, "@"), "(")
		switch name {
		case "DisplayName", "Override", "SuppressWarnings":
			continue
		case "Before", "After":
			m += "Each"
		case "BeforeClass", "AfterClass":
			m = strings.TrimSuffix(m, "Class") + "All"
		}
		all = append(all, m)
	}
	return all
}

// javaMarks reads the annotations of a test, and the rows of those that hold some.
func javaMarks(test *code.Node) (marks []string, all []binding) {
	all = []binding{noBinding()}
	params := test.All(code.Params)
	for _, m := range annotations(test) {
		rows := csvRows(m, params)
		switch {
		case rows != nil:
			all = rows
		case m == "@ParameterizedTest" || strings.HasPrefix(m, "@ParameterizedTest("):
			marks = append(marks, "@Test")
		case strings.HasPrefix(m, "@Test("):
			rest := javaThrows.ReplaceAllString(m, "")
			if limit := javaTimeout.FindStringSubmatch(m); limit != nil {
				rest = javaTimeout.ReplaceAllString(rest, "")
				marks = append(marks, "ends in "+limit[1]+"ms")
			}
			if strings.Trim(rest, "@Test() ,") == "" {
				m = "@Test"
			}
			marks = append(marks, m)
		case javaLimit.MatchString(m):
			marks = append(marks, "ends in "+javaLimit.FindStringSubmatch(m)[1]+"000ms")
		default:
			marks = append(marks, m)
		}
	}
	if slices.Contains(strings.Fields(strings.SplitN(test.Text(), test.Name+"(", 2)[0]), "private") {
		marks = append(marks, "private")
	}
	return marks, all
}

// csvRows are the rows of an annotation that writes them out.
func csvRows(mark string, params []*code.Node) []binding {
	var lines [][]string
	values := javaValues.FindStringSubmatch(strings.ReplaceAll(mark, " = ", "="))
	switch {
	case strings.HasPrefix(mark, "@CsvSource({") && !strings.Contains(mark, "='"):
		for _, s := range javaString.FindAllString(mark, -1) {
			lines = append(lines, strings.Split(strings.Trim(s, `"`), ","))
		}
	case values != nil:
		cells := javaString.FindAllString(values[1], -1)
		if len(cells) == 0 {
			cells = strings.Split(values[1], ",")
		}
		for _, s := range cells {
			lines = append(lines, []string{strings.Trim(s, `"`)})
		}
	default:
		return nil
	}
	var all []binding
	for _, cells := range lines {
		if len(cells) != len(params) {
			return nil
		}
		b := noBinding()
		for i, p := range params {
			cell := strings.TrimSpace(cells[i])
			if p.Type == "String" {
				cell = `"` + strings.Trim(cell, "'") + `"`
			}
			b.env[p.Name] = spelledLiteral(cell)
		}
		all = append(all, b)
	}
	return all
}

// skipMark reports whether a mark keeps a test from running, or wants its failure.
func skipMark(l lang.Language, mark string) bool {
	if strings.HasPrefix(mark, ".") {
		mark = "test" + mark
	}
	return len(lang.Skips(l, mark)) > 0 || mark == "testxit" || strings.HasPrefix(mark, "test.x") || strings.HasPrefix(mark, "test.fit")
}
