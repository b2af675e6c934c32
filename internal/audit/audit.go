// Package audit answers "is it honest and safe?": it judges a patch by what the patch itself introduces, never by what the
// files held before.
//
// Tests are evidence, so a patch that was asked to make them pass may not weaken them: it may not touch a test, a check's
// configuration or CI (formatting that leaves the syntax as it was is fine), delete or skip a test, drop an assertion, or
// silence a finding. Beside that it stays in scope and in size, keeps generated and vendored files and locks alone, replaces
// no code by a placeholder, brings in nothing dangerous and no secret, and smuggles in no hidden character, no conflict marker,
// no binary.
//
// Every rule stands in one list ([Rules]); each looks at the contents before and after and yields findings. What a finding
// means for the patch is its [Effect]; the strongest one decides. A patch that cannot be read, or a rule that crashes,
// refuses the patch: a judge that could not work has not approved.
//
// What rules ask of sources is answered in rooms of their own, which know no patch: what a part of a program is (parts), which functions there are (functions), what a test
// demands (assertions), what it does (accounts), with which values (examples) and what it puts in the place of what it asks (doubles); what a configuration sets (settings), demands as
// a whole (configs), starts (commands) and holds (trees), and what CI carries out (jobs); whether a change is form alone (same), and leaves names that nothing
// defines (undefined). Here stands what the answers mean for a patch.
//
// The package is pure: contents in, findings out. An audit that is stopped has not approved either. Of who made the patch it knows one thing, for what it was made ([Maker]): what a person may
// do to a test of their own is another matter for a fixer that has to make that test pass.
package audit

import (
	"context"
	"fmt"
	"slices"

	"fettle/internal/edit"
)

// Input is what is judged, and by which measure.
type Input struct {
	Patch  edit.Patch
	Source edit.Source // the contents that the patch was made for
	Goal   Goal
	Limits Limits // zero fields take the default
	// Links are the files that are symbolic links afterwards: where they lead is what they hold.
	Links map[string]bool
	// Evidence are the tests that the patch was made to pass, as far as they are known: the patch may not hold their answers, and
	// whatever they are called, they are tests.
	Evidence []string
	// Files lists the files of the repository, so that their tests can be asked what they expect, and whether a file is a part of the
	// program; nil: only Evidence and the patch are known.
	Files func() []string
}

// Goal is what the session is allowed to do. The zero Goal is the strictest but for the scope: every path is in it.
type Goal struct {
	InScope   func(path string) bool // nil: every path
	Protected func(path string) bool // further files that need a person; nil: none
	Tests     bool                   // the goal says that tests may change; weakening one still needs a person
	Configs   bool                   // the goal says that check configurations and CI may change; weakening one still needs a person
	By        Maker                  // who made the patch, and for what
}

// Maker is who made a patch, and for what.
type Maker int

// The makers, from whom least is allowed to whom most is.
const (
	// Healer is a fixer that works on its own and has to make failing tests pass: what they ask and expect is not its affair.
	Healer Maker = iota
	// Tidier is a fixer that works on its own and has to mend what a check complains of, which is no failing test.
	Tidier
	// Person answers for the change: what demands more than before is worth a note, and of what demands less others say what it means.
	Person
)

// Limits bound how much one patch may change. Beyond them a person is asked. Files that were only formatted do not count.
type Limits struct {
	Files    int // changed files; default 50
	Lines    int // added and removed lines; default 1500
	Edits    int // separate places in one file; default 30
	FileSize int // bytes of a file afterwards; default 10 MiB. A larger one is refused, and read by no other rule
}

func (l Limits) orDefault() Limits {
	set := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	set(&l.Files, 50)
	set(&l.Lines, 1500)
	set(&l.Edits, 30)
	set(&l.FileSize, 10<<20)
	return l
}

// Rule is one thing the audit looks for.
type Rule struct {
	Name  string // as it stands in findings: "protected"
	Means string // what it looks for, one line for people
	find  func(*patchView) []Finding
}

// Rules is every rule, in the order in which they are asked.
func Rules() []Rule {
	var all []Rule
	for _, family := range [][]Rule{scopeRules, lockRules, pathRules, protectedRules, testRules, configRules, silenceRules, strictRules, sizeRules, codeRules, wordRules, nameRules, evasionRules, answerRules, dangerRules, bytesRules} {
		all = append(all, family...)
	}
	return all
}

// Audit judges a patch by every rule. When the context ends, what was not yet asked refuses the patch.
func Audit(ctx context.Context, in Input) Report { return judge(ctx, in, Rules()) }

// By judges a patch by one rule, for whoever asks one thing of many changes. One that does not exist has not approved.
func By(ctx context.Context, name string, in Input) Report {
	all := Rules()
	i := slices.IndexFunc(all, func(r Rule) bool { return r.Name == name })
	if i < 0 {
		return Report{Findings: []Finding{{Rule: name, Evidence: "there is no such rule", Effect: Refuse}}}
	}
	return judge(ctx, in, all[i:i+1])
}

func judge(ctx context.Context, in Input, rules []Rule) Report {
	var v *patchView
	sized := slices.ContainsFunc(rules, func(r Rule) bool { return r.Name == sizeRules[0].Name })
	unread := guarded("unreadable", func() []Finding {
		var err error
		if v, err = view(ctx, in, sized); err != nil {
			return []Finding{{Evidence: err.Error(), Effect: Refuse}}
		}
		return nil
	})
	r := Report{Findings: unread}
	if len(unread) > 0 {
		return r
	}
	for _, rule := range rules {
		r.Findings = append(r.Findings, guarded(rule.Name, func() []Finding { return rule.find(v) })...)
		if ctx.Err() != nil {
			r.Findings = append(r.Findings, Finding{Rule: rule.Name, Evidence: "the audit was stopped here: " + context.Cause(ctx).Error(), Effect: Refuse})
			break
		}
	}
	return r
}

// guarded is what a rule finds. A crash is a refusal that names the rule, because a judge that crashed has not approved.
func guarded(rule string, find func() []Finding) (found []Finding) {
	defer func() {
		if p := recover(); p != nil {
			found = []Finding{{Rule: rule, Evidence: fmt.Sprintf("the rule crashed: %v", p), Effect: Refuse}}
		}
	}()
	found = find()
	for i := range found {
		found[i].Rule = rule
	}
	return found
}
