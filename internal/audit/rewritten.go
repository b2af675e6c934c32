package audit

import (
	"slices"
	"strings"

	"fettle/internal/audit/accounts"
	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// part is a test of a file, or a helper, as text.
type part struct {
	text    string
	demands []string // what it demands, each in one spelling
	test    bool
}

// testParts are the tests and functions of a file of tests, by their names.
func testParts(f *fileView, src []byte, program *code.File, proven []assertions.Test) map[string]part {
	all := make(map[string]part)
	if program == nil {
		l := lang.Of(f.path)
		for _, s := range segments(f.path, src) {
			p := part{text: strings.Join(s.told(l), "\n"), test: s.name != ""}
			for _, line := range s.told(l) {
				if demanding.MatchString(line) && !vacuous.MatchString(line) {
					p.demands = append(p.demands, strings.ReplaceAll(parts.Bare(line), "@", ""))
				}
			}
			all[s.name] = p
		}
		return all
	}
	for name, fn := range parts.Functions(program) {
		all[name] = part{text: parts.WithMarks(fn), demands: demandTexts(fn)}
	}
	for _, p := range proven {
		if p.Name != "" {
			all[p.Name] = part{text: parts.WithMarks(p.Node), demands: demandTexts(p.Node), test: true}
		}
	}
	return all
}

func demandTexts(n *code.Node) []string {
	var all []string
	for _, a := range assertions.Of(n) {
		if a.Says > assertions.Nothing {
			all = append(all, strings.ReplaceAll(a.Text, "self.", ""))
		}
	}
	for k := range n.Walk() {
		if k.Is(code.Call) && parts.Bare(k.Kid(code.Callee).Text()) == "pytest.raises" {
			all = append(all, parts.Bare(k.Text()))
			if strings.Contains(k.Text(), "match=") {
				all = append(all, "match of "+parts.Bare(k.Text()))
			}
		}
	}
	return all
}

var (
	// calledName matches what a text calls, or reads of an object.
	calledName = pattern.New(`(?:\.|->|::)\s*([A-Za-z_]\w*[?!]?)|\b([A-Za-z_]\w*[?!]?)\s*\(`)
	// runnersWord matches what runners, their assertions and the words of languages are called.
	runnersWord = pattern.New(`(?i)^(assert\w*|refute\w*|expect\w*|require\w*|should\w*|be|be_\w+|eq|eql|equals?|same|not|to|not_to|to_not|is\w*equal\w*|tobe\w*|toequal|tohave\w*|tomatch\w*|tothrow\w*|tocontain\w*|raises?|raise_error|throws?|rejects|resolves|exception|value|that|true|false|null|nil|noerror|error|errorf|errors|fatal|fatalf|helper|run|skip\w*|describe|it|test|context|specify|before\w*|after\w*|setup|teardown|fn|if|for|foreach|while|switch|catch|function|return|and|or|in|match|any|includes?|contain\w*|within|of|is|as|on|once|done|mock\w*|fail|parallel|cleanup|log|logf|print\w*|format|printf|sprintf|str|repr|list|len|length|size|range|new|class|message|getmessage|name|join|string|tostring|map|keys|as|wait\w*|sleep|append|push)$`)
	accessor    = pattern.New(`^(?:get|set|is|has|to)_?([A-Za-z]\w*[?!]?)$`)
)

// ownObjects takes away how a test names what is its own.
var ownObjects = strings.NewReplacer("self.", "", "this.", "", "$this->", "")

// calledNames are what a text calls or reads, but for what runners have, and as a property is called whose accessor it is.
func calledNames(text string) map[string]bool {
	all := make(map[string]bool)
	for _, m := range calledName.FindAllStringSubmatch(ownObjects.Replace(text), -1) {
		name := m[1] + m[2]
		if runnersWord.MatchString(name) {
			continue
		}
		if a := accessor.FindStringSubmatch(name); a != nil {
			name = a[1]
		}
		all[strings.ToLower(name)] = true
	}
	return all
}

// newParts are what a file has of tests that are new, and of what serves them: as text, with what they demand, and whether there are any.
func newParts(f *fileView, was, is map[string]part) (text string, demands map[string]bool, tests bool) {
	had := make(map[string]bool)
	for _, p := range was {
		had[p.text] = true
	}
	demands = make(map[string]bool)
	var all []string
	for key, p := range is {
		_, old := was[key]
		if had[p.text] || p.test && (old || len(lang.Skips(lang.Of(f.path), p.text)) > 0) {
			continue
		}
		all = append(all, p.text)
		tests = tests || p.test
		if key == "" {
			continue
		}
		for _, d := range p.demands {
			demands[d] = true
		}
	}
	return strings.Join(all, "\n"), demands, tests
}

// rewriting is what became of the tests of a file as a whole: each that is gone is held against it.
type rewriting struct {
	was    map[string]part
	own    map[string]bool // what the tests before had of their own, by name
	names  map[string]bool // what the new tests, and what serves them, call and read
	enough bool            // tests are new, and demand as many different things as all that are gone
	single bool            // nothing in the file stands in for another thing
}

// rewriting reads it, once.
func (f *fileView) rewriting() *rewriting {
	if f.rewritten != nil {
		return f.rewritten
	}
	was, is := testParts(f, f.before, f.programBefore, f.proofsBefore), testParts(f, f.after, f.programAfter, f.proofsAfter)
	fresh, demands, tests := newParts(f, was, is)
	r := &rewriting{was: was, own: make(map[string]bool), names: calledNames(fresh), single: !testDouble.Match(f.after)}
	lost := make(map[string]bool)
	for key, p := range was {
		r.own[key] = true
		if short := strings.ToLower(key); strings.Contains(short, ".") {
			r.own[short[strings.LastIndexByte(short, '.')+1:]] = true
		}
		if _, there := is[key]; there || !p.test {
			continue
		}
		for _, d := range p.demands {
			if !r.single || !askedOfDouble.MatchString(d) {
				lost[d] = true
			}
		}
	}
	r.enough = tests && len(demands) >= max(1, len(lost))
	f.rewritten = r
	return r
}

// toldAnew reports whether a person wrote a test anew that is gone: tests that are new, and what serves them, call and read all that it did, and demand as many different things as all
// that are gone. That may be so or not: somebody has to look at it.
func (v *patchView) toldAnew(f *fileView, name string) bool {
	if v.goal.By != Person || f.before == nil || len(f.after) == 0 {
		return false
	}
	r := f.rewriting()
	old := r.was[name].text
	if r.single { // what the calls on a double were is told by nobody who uses none
		old = askedOfDouble.ReplaceAllString(old, "")
	}
	some := false
	for n := range calledNames(old) {
		if !r.own[n] && !r.names[n] {
			return false
		}
		some = some || !r.own[n]
	}
	return some && r.enough && len(r.was[name].demands) > 0
}

var (
	testDouble = pattern.New(`\b(?:\w*Mock|mock|mocker|patch|monkeypatch|create_autospec)\b`)
	// askedOfDouble matches statements by which a test of Python's asks a double how it was called.
	askedOfDouble = pattern.New(`[\w.()]+\.assert_(?:called|not_called|has_calls|any_call)\w*\([^\n]*`)
)

// asksAsMuch reports whether a person's test that was told otherwise still calls and reads all that it did, and demands at least as many things, each as much: in all of its rows, and in
// the helpers that it calls. What it expects may be another thing all the same.
func (v *patchView) asksAsMuch(was, is assertions.Test) bool {
	if v.goal.By != Person || was.Name == "" {
		return false
	}
	had, has := demandsInAll(was), demandsInAll(is)
	if earlyEnds(is.Node) > earlyEnds(was.Node) {
		return false
	}
	if len(had) > len(has) || len(had) == 0 {
		return false
	}
	for i, says := range had {
		if says > has[i] {
			return false
		}
	}
	text := parts.WithMarks(is.Node)
	for name, fn := range parts.Functions(is.Node.File) {
		if parts.Mentions([]byte(text), name) && assertions.TestName(fn) == "" {
			text += "\n" + fn.Text()
		}
	}
	names := calledNames(text)
	for n := range calledNames(was.Node.Text()) {
		if !names[n] {
			return false
		}
	}
	return true
}

// waitsForPage reports whether a person's test that asked a browser once what its page shows waits now until that shows what is written out, and demands at least as many things so.
func (v *patchView) waitsForPage(was, is assertions.Test) bool {
	if v.goal.By != Person || was.Name == "" || len(was.Demands) == 0 || len(is.Demands) < len(was.Demands) || earlyEnds(is.Node) > earlyEnds(was.Node) {
		return false
	}
	return !slices.ContainsFunc(was.Demands, func(a assertions.Assertion) bool { return !shownOnce.MatchString(a.Text) }) &&
		!slices.ContainsFunc(is.Demands, func(a assertions.Assertion) bool {
			return a.Lost || a.Says == assertions.Nothing || !isAwaited(a.At) || !shownInTime.MatchString(a.Text)
		})
}

// isAwaited reports whether a call is awaited.
func isAwaited(n *code.Node) bool { return n != nil && n.Parent.Is(code.Wait) }

var (
	// shownOnce matches what Playwright's tests ask of a page at one moment, shownInTime what they wait for.
	shownOnce   = pattern.New(`^expect\(await[\w.]+.*\.is(?:Visible|Hidden|Enabled|Disabled|Checked|Editable)\(`)
	shownInTime = pattern.New(`^expect\(page\b.*\)\.to(?:HaveText|ContainText|HaveURL|HaveTitle|HaveValue|HaveCount)\([^)]`)
)

// earlyEnds counts where a test may end before its end.
func earlyEnds(test *code.Node) int {
	count := 0
	for n := range test.Walk() {
		if n.Is(code.Return, code.Raise) {
			count++
		}
	}
	return count
}

// demandsInAll is how much a test demands, the most first: row by row and with its helpers, or as it stands there, whichever is more.
func demandsInAll(p assertions.Test) []assertions.Strength {
	all := accounts.Strengths(p.Node)
	var plain []assertions.Strength
	for _, a := range p.Demands {
		if a.Says > assertions.Nothing {
			plain = append(plain, a.Says)
		}
	}
	if len(plain) > len(all) {
		all = plain
	}
	slices.Sort(all)
	slices.Reverse(all)
	return all
}

// fewer is the effect of a test with fewer assertions: a person is asked about one that has them in rows, or in helpers.
func (v *patchView) fewer(f *fileView, name string) Effect {
	is, ok := v.proofNow(f, name)
	i := slices.IndexFunc(f.proofsBefore, func(p assertions.Test) bool { return p.Name == name })
	if ok && i >= 0 && v.asksAsMuch(f.proofsBefore[i], is) {
		return Ask
	}
	return v.weakens()
}

// gone is the effect of a test that is gone: a person is asked about one that was written anew.
func (v *patchView) gone(f *fileView, name string) Effect {
	if v.toldAnew(f, name) {
		return Ask
	}
	return v.weakens()
}
