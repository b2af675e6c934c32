package audit

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
	"fettle/internal/silence"
	"fettle/internal/syntax"
)

// wordRules look for what people wrote for people, and is gone.
var wordRules = []Rule{
	{"deleted-comment", "comments or docstrings are gone, and the code that they speak of is not", each(deletedComments)},
	{"deleted-docs", "a page of the documentation, a licence, or most of one, is gone", each(deletedDocs)},
}

// manyComments is how many lines of comments may go before somebody has to look: an edit that drops a comment on its way does so once or twice.
const manyComments = 3

// deletedComments looks for comments whose code is still there. What silences a check may go, as may code that was commented out: nobody can tell
// that from a comment but by how it looks.
func deletedComments(v *patchView, f *fileView) []Finding {
	if f.formatted || !f.text() || f.change.Op != edit.Modify {
		return nil
	}
	gone := orphanedComments(f.path, f.before, f.after)
	gone = append(gone, lostDocstrings(f)...)
	if len(gone) == 0 {
		return nil
	}
	slices.SortFunc(gone, func(a, b line) int { return a.number - b.number })
	found := Finding{Line: gone[0].number, Effect: Note, Evidence: fmt.Sprintf("%s gone, and the code is still there: %q", phrase.Count(len(gone), "comment line"), phrase.Clip(gone[0].text))}
	if len(gone) >= manyComments && v.goal.By != Person || slices.ContainsFunc(gone, func(l line) bool { return legal.MatchString(l.text) }) {
		found.Effect = Ask
	}
	return []Finding{found}
}

var legal = pattern.New(`(?i)copyright|licen[sc]e|spdx-`)

// orphanedComments are the lines of comments that are gone though the next line of code is where it was. What a file's head says of its licence is
// about the whole file, whatever becomes of the line below.
func orphanedComments(name string, before, after []byte) []line {
	l := lang.Of(name)
	c := l.Comments()
	if c.Line == "" {
		return nil
	}
	left, words := make(map[string]int), make(map[string]bool)
	for text := range strings.Lines(string(after)) {
		t := strings.TrimSpace(text)
		left[t]++
		if t, ok := comment(t, c); ok {
			for w := range strings.FieldsSeq(t) {
				words[w] = true
			}
		}
	}
	var gone, block []line
	head := true
	for i, text := range strings.Split(string(before), "\n") {
		t := strings.TrimSpace(text)
		if t == "" {
			continue
		}
		if words, is := comment(t, c); is {
			if len(words) > 0 && !blank.MatchString(words) && len(silence.Marks(l, t)) == 0 && !disabled.MatchString(words) {
				block = append(block, line{i + 1, t})
			}
			continue
		}
		for _, b := range block {
			if left[t] == 0 && (!head || !legal.MatchString(b.text) || bytes.Contains(after, []byte(strings.Trim(b.text, "/*#-! \t")))) {
				continue
			}
			if left[b.text]--; left[b.text] < 0 && !kept(b.text, c, words) {
				gone = append(gone, b)
			}
		}
		block, head = nil, false
	}
	return gone
}

// kept reports whether the words of a comment are still in comments: it was wrapped or worded otherwise.
func kept(text string, c lang.Comments, words map[string]bool) bool {
	t, _ := comment(text, c)
	all, still := 0, 0
	for w := range strings.FieldsSeq(t) {
		if all++; words[w] {
			still++
		}
	}
	return still*3 >= all*2
}

// comment is what a line that is a comment says.
func comment(text string, c lang.Comments) (says string, is bool) {
	for _, mark := range []string{c.Line, c.Open, "*/"} {
		if mark != "" && strings.HasPrefix(text, mark) {
			return strings.Trim(text, "/*#-! \t"), true
		}
	}
	if c.Open == "/*" && (text == "*" || strings.HasPrefix(text, "* ")) {
		return strings.Trim(text, "* \t"), true
	}
	return "", false
}

// blank matches words that stand where something is yet to come.
var blank = pattern.New(`(?i)not[ _-]?(yet[ _-])?implemented|unimplemented|\btodo\b|fixme|implement me|your \w+ (goes )?here`)

// disabled matches comments that look like code.
var disabled = pattern.New(`[;{}]$|^\w+\(.*\)$|^\w[\w.]* [-+*:]?= |^(return|import|from|if|for|def|assert|print)\b.*[:)(=]`)

// lostDocstrings are those of modules, functions and classes of Python that are still there, and say no more what they do.
func lostDocstrings(f *fileView) []line {
	if f.programBefore == nil || f.programAfter == nil || f.programBefore.Lang != syntax.Python {
		return nil
	}
	is := docstrings(f.programAfter)
	var all []line
	for name, was := range docstrings(f.programBefore) {
		now, there := is[name]
		if there && was != nil && now == nil {
			if said := mainLine(was); !blank.MatchString(said) {
				all = append(all, line{was.Line(), said})
			}
		}
	}
	return all
}

// mainLine is the line of a docstring that counts: the one about the licence, or the first.
func mainLine(doc *code.Node) string {
	lines := strings.Split(strings.Trim(doc.Text(), "\"'rR \n"), "\n")
	if i := slices.IndexFunc(lines, legal.MatchString); i >= 0 {
		return strings.TrimSpace(lines[i])
	}
	return lines[0]
}

// docstrings are what a module, its functions and its classes say of themselves, by their titles; nil for one that says nothing. A module has none,
// and one that holds nothing says nothing.
func docstrings(f *code.File) map[string]*code.Node {
	all := make(map[string]*code.Node)
	if len(f.Root.Kids) > 0 {
		all[""] = docstring(f.Root.Kids)
	}
	for n := range f.Root.Walk() {
		if !n.Is(code.Function, code.Class) || n.Name == "" {
			continue
		}
		name := parts.Title(n)
		all[name] = nil
		if b := n.Kid(code.Body); b != nil {
			all[name] = docstring(b.Kids)
		}
	}
	return all
}

// docstring is the text with which statements begin; nil where they do not.
func docstring(stmts []*code.Node) *code.Node {
	if len(stmts) > 0 && stmts[0].Role == code.Eval && stmts[0].Kid(code.Value).Is(code.Str) {
		return stmts[0].Kid(code.Value)
	}
	return nil
}

// deletedDocs looks for pages that are gone, or of which less than half is left where there was more than a little.
func deletedDocs(v *patchView, f *fileView) []Finding {
	moved := slices.ContainsFunc(v.files, func(o *fileView) bool { return o.change.Op == edit.Create && bytes.Equal(o.after, f.before) })
	if !isDocs(f.path) || f.before == nil || !f.text() || moved {
		return nil
	}
	was, is := bytes.Count(f.before, []byte("\n")), bytes.Count(f.after, []byte("\n"))
	switch {
	case f.change.Op == edit.Delete:
		return []Finding{{Effect: Ask, Evidence: "a page that people read is gone: keep it, or let a person confirm"}}
	case was >= 20 && is*2 < was:
		return []Finding{{Effect: Ask, Evidence: fmt.Sprintf("it had %d lines and has %d now: keep what is true of it, or let a person confirm", was, is)}}
	}
	return nil
}

// isDocs reports whether people read a file to learn about the project.
func isDocs(name string) bool {
	base := strings.ToUpper(path.Base(name))
	for _, word := range []string{"README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG", "CONTRIBUTING", "SECURITY", "AUTHORS", "CODE_OF_CONDUCT"} {
		if strings.HasPrefix(base, word) {
			return true
		}
	}
	return slices.Contains([]string{".md", ".rst", ".adoc"}, path.Ext(name)) && !lang.IsTest(name)
}
