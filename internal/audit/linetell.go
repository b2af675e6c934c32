package audit

import (
	"slices"
	"strings"

	"fettle/internal/audit/accounts"
	"fettle/internal/audit/parts"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// lineFact is one thing that a test of a language that is read line by line does or demands, in one spelling.
type lineFact struct {
	text   string
	demand bool
}

// lineAccount is such a test with the values of one row.
type lineAccount struct {
	marks []string
	facts []lineFact
	stood bool // it was there as it is
}

var (
	// plainMark matches what only says that something is a test, or a class of them.
	plainMark = pattern.New(`^\[(Fact|Theory|Test|TestMethod|DataTestMethod|TestFixture|TestClass)(\(\))?\]$`)
	rowMark   = pattern.New(`^\[(?:InlineData|TestCase|DataRow)\((.*)\)\]$`)
	// beside matches what in the lines of a test is none of it: the next helper, what is carried out around tests.
	beside    = pattern.New(`^(def|private|let!?|setup|teardown|before|after|describe|context|included|module|class|it_behaves_like|shared_examples|fn|pub|mod|impl|use|TEST\w*)\b`)
	csParam   = pattern.New(`(\w+)\s*(?:=[^,]*)?$`)
	testUsing = pattern.New(`^(?:using (?:static )?(?:NUnit\.Framework|Xunit|Microsoft\.VisualStudio\.TestTools\.UnitTesting|FluentAssertions|Shouldly)|namespace\b.*)\b.*$`)
)

// lineAccounts tell a test, once for each of its rows; nil where that cannot be done. Of a test that is gone nothing may stand beside it in its lines.
func lineAccounts(s lineSegment, l lang.Language, gone bool) []lineAccount {
	lines := s.told(l)
	at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, s.name) && !strings.HasPrefix(line, "[") })
	if at < 0 || accounts.GoesByName(strings.Join(lines, "\n")) {
		return nil
	}
	var marks []string
	var rows [][]string
	for _, m := range lines[:at] {
		switch row := rowMark.FindStringSubmatch(m); {
		case row != nil:
			rows = append(rows, arguments(row[1]))
		case !plainMark.MatchString(m):
			marks = append(marks, m)
		}
	}
	body, rest := lineBody(lines[at:], l)
	if body == nil || gone && slices.ContainsFunc(rest, func(line string) bool {
		return strings.Trim(line, "})]; ") != "" && line != "end" && !strings.HasPrefix(line, "#endif")
	}) {
		return nil
	}
	var params []string
	if l == lang.CSharp {
		params = parametersIn(lines[at])
	}
	if len(rows) == 0 {
		rows = [][]string{nil}
	}
	var all []lineAccount
	for _, row := range rows {
		if len(row) != len(params) {
			return nil
		}
		a := lineAccount{marks: marks}
		for _, statement := range body {
			for i, p := range params {
				statement = replaceWord(statement, p, row[i])
			}
			a.facts = append(a.facts, spelledLine(statement)...)
		}
		all = append(all, withoutNames(a))
	}
	return all
}

// parametersIn are the names of the parameters in the head of a method of C#'s.
func parametersIn(head string) []string {
	var all []string
	for p := range strings.SplitSeq(enclosed(head, "(", ")"), ",") {
		if m := csParam.FindStringSubmatch(strings.TrimSpace(p)); m != nil {
			all = append(all, m[1])
		}
	}
	return all
}

// enclosed is what stands between two texts.
func enclosed(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	inner, _, _ := strings.Cut(rest, to)
	return inner
}

// lineBody are the statements of a test, from its head on, and what stands behind it.
func lineBody(lines []string, l lang.Language) (body, rest []string) {
	if l == lang.Ruby {
		body = slices.Clone(lines[1:])
		for len(body) > 0 && body[len(body)-1] == "end" {
			body = body[:len(body)-1]
		}
		if slices.ContainsFunc(body, beside.MatchString) {
			return nil, nil
		}
		return body, nil
	}
	depth, begun, open := 0, false, ""
	for i, line := range lines {
		code := unquotedLine(line)
		if i == 0 || !begun {
			begun = begun || strings.Contains(code, "{")
			depth += strings.Count(code, "{") - strings.Count(code, "}")
			if begun && depth == 0 {
				return nil, nil // all of it on one line
			}
			continue
		}
		depth += strings.Count(code, "{") - strings.Count(code, "}")
		if depth <= 0 {
			return body, lines[i+1:]
		}
		open = strings.TrimSpace(open + " " + line)
		if unquoted := unquotedLine(open); strings.Count(unquoted, "(") > strings.Count(unquoted, ")") {
			continue
		}
		body, open = append(body, open), ""
	}
	if open != "" {
		return nil, nil
	}
	return body, nil
}

var lineQuoted = pattern.New(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)

func unquotedLine(line string) string { return lineQuoted.ReplaceAllString(line, `""`) }

// replaceWord puts a value in the place of a name, but for what stands in quotes.
func replaceWord(text, name, value string) string {
	var b strings.Builder
	at := 0
	for _, m := range append(lineQuoted.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		b.WriteString(replacePlain(text[at:m[0]], name, value))
		b.WriteString(text[m[0]:m[1]])
		at = m[1]
	}
	return b.String()
}

func replacePlain(text, name, value string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, name)
		if i < 0 || name == "" {
			return b.String() + text
		}
		end := i + len(name)
		if i > 0 && (parts.IsWord(text[i-1]) || text[i-1] == '.') || end < len(text) && parts.IsWord(text[end]) {
			b.WriteString(text[:end])
		} else {
			b.WriteString(text[:i] + value)
		}
		text = text[end:]
	}
}

// arguments takes a list apart at its commas, but for those in parentheses and quotes.
func arguments(text string) []string {
	var all []string
	depth, from := 0, 0
	var quote rune
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote && text[i-1] != '\\' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.ContainsRune("([{", c):
			depth++
		case strings.ContainsRune(")]}", c):
			depth--
		case c == ',' && depth == 0:
			all = append(all, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	if last := strings.TrimSpace(text[from:]); last != "" {
		all = append(all, last)
	}
	return all
}
