package hook

import (
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/crypto/blake2s"

	"fettle/internal/guard/transcript"
	"fettle/internal/policy/shell"
)

// failure is a command that ran checks of which one failed, and those of them that have not passed since.
type failure struct {
	What  string `json:"what"`  // "go test ./..."
	Runs  []run  `json:"runs"`  // what has to pass
	Error string `json:"error"` // the line of what the client says that tells most
	Told  bool   `json:"told"`  // the agent has been told
	Agent string `json:"agent"` // of a subagent that ran it
	Sent  bool   `json:"sent"`  // the subagent was sent on once for it
}

// The bounds of what is remembered of failures.
const (
	maxFailures = 8
	maxRuns     = 4    // of one command
	maxGiven    = 2000 // bytes of what one of them was given
)

// failing is the check that failed last and has not passed since; nil: there is none.
func (s *session) failing() *failure {
	if len(s.Failures) == 0 {
		return nil
	}
	return &s.Failures[len(s.Failures)-1]
}

// untold is the last one that the agent has not been told of; nil: there is none. With it, all are told of.
func (s *session) untold() (last *failure) {
	for i := range s.Failures {
		if f := &s.Failures[i]; !f.Told {
			last = f
		}
	}
	return last
}

// tell notes that the agent hears of what fails.
func (s *session) tell() {
	for i := range s.Failures {
		s.Failures[i].Told = true
	}
}

// started is a run that an event speaks of, and what the command's end tells of it.
type started struct {
	run
	ending shell.Ending
}

// ran is what an event's command ran of the project's own code: its tests, its build, its scripts.
func (o *occasion) ran() (shell.Fact, bool) {
	return firstOf(o.judge().Facts, func(f shell.Fact) bool { return f.Kind == shell.Run })
}

// started are all runs of an event's command, without the secrets in them.
func (s *session) started(facts []shell.Fact) (all []started) {
	clean := s.redactor().RedactString
	for _, f := range facts {
		if f.Kind != shell.Run {
			continue
		}
		for _, g := range f.Given() {
			r := run{By: f.By, Target: clip(clean(f.Target), 300), Dir: clean(g.Dir)}
			if n := len(strings.Join(g.Args, " ")); n > maxGiven {
				sum := blake2s.Sum256([]byte(strings.Join(g.Args, "\x00")))
				r.Dir, r.Args = "", []string{hex.EncodeToString(sum[:])} // it is the same only as itself
			} else {
				r.Args, r.Operands = cleaned(g.Args, clean), cleaned(g.Operands, clean)
			}
			all = append(all, started{r, g.Ending})
		}
	}
	return all
}

func cleaned(list []string, clean func(string) string) (all []string) {
	for _, text := range list {
		all = append(all, clean(text))
	}
	return all
}

// ended notes how a call has ended that its client does not say to have failed. Claude Code has another event for those, and Gemini CLI's are told apart before; Codex has neither, but writes exit codes down. A
// server's tool says nothing of them. It reports that nothing is known to have failed.
func (h *Hook) ended(s *session, o *occasion) (passed bool) {
	switch {
	case strings.HasPrefix(o.Tool, "mcp__"):
		return s.succeeded(o, false)
	case !h.codex(s, &o.Event):
		return s.succeeded(o, true)
	case o.command() == "":
		return s.succeeded(o, false)
	}
	code, coded := transcript.Exit(o.Transcript, o.UseID)
	if code != 0 {
		s.failed(o, fmt.Sprintf("Exit code %d\n%s", code, printed(o.Response)))
		return false
	}
	return s.succeeded(o, coded)
}

// maxErrored is how many bytes are remembered of a call that failed.
const maxErrored = 300

// failed notes that a call failed, and the checks that did: those whose failure is the call's, or all, if what was said of it says that one has failed.
func (s *session) failed(o *occasion, said string) {
	s.approved(o.UseID)
	s.leave(o)
	s.Errored = o.Tool
	if command := o.command(); command != "" {
		s.Errored = clip(s.redactor().RedactString(command), maxErrored)
	}
	confessed := confesses(said) != ""
	var all []started
	for _, r := range s.started(o.judge().Facts) {
		if confessed || r.ending == shell.Told {
			all = append(all, r)
		}
	}
	s.fails(o, all, telling(said))
}

// fails remembers checks that failed, and what was said of that.
func (s *session) fails(o *occasion, all []started, said string) {
	if len(all) == 0 {
		return
	}
	f := failure{Agent: o.Agent}
	var what []string
	for _, r := range all[:min(len(all), maxRuns)] {
		s.passed(r.run, o.at.Root) // it is remembered anew
		f.Runs, what = append(f.Runs, r.run), union(what, []string{r.named()})
	}
	clean := s.redactor().RedactString
	f.What, f.Error = clip(strings.Join(what, " and "), 200), clip(clean(said), 200)
	s.Failures = append(s.Failures[max(0, len(s.Failures)-maxFailures+1):], f)
}

// named is what a run is called.
func (r run) named() string {
	if r.Target == r.By { // npm test
		return r.By
	}
	return strings.TrimSpace(r.By + " " + r.Target)
}

// passed forgets what failed and is a part of what a run has checked.
func (s *session) passed(r run, root string) {
	left := s.Failures[:0]
	for _, f := range s.Failures {
		f.Runs = without(f.Runs, func(failed *run) bool { return r.covers(*failed, root) })
		if len(f.Runs) > 0 {
			left = append(left, f)
		}
	}
	clear(s.Failures[len(left):])
	s.Failures = left
}

// succeeded notes that checks which failed before have passed, or have failed all the same, and that a plan was approved. Coded is that the command's exit code is known
// to be 0; else what it has printed is all there is. It reports that nothing is known to have failed.
func (s *session) succeeded(o *occasion, coded bool) (passed bool) {
	s.approved(o.UseID)
	s.leave(o)
	if o.Tool == "ExitPlanMode" {
		s.approvedPlan(o)
	}
	facts := o.judge().Facts
	runs := s.started(facts)
	if len(runs) == 0 || !o.over() {
		return true
	}
	text := printed(o.Response)
	shown := evident(text, facts, o.command())
	said := confesses(text)
	if said == "" && !shown.passed() {
		said = unstarted(text)
	}
	var failing []started
	for _, r := range runs {
		switch {
		case coded && r.ending == shell.Told:
			s.passed(r.run, o.at.Root)
		case said != "":
			failing = append(failing, r)
		case shown.passed() || shown.content(r):
			s.passed(r.run, o.at.Root)
		}
	}
	s.fails(o, failing, said)
	return len(failing) == 0
}

// over reports that a call is over, and was not broken off: a client goes on while a command runs in the background, and nobody knows how that will end.
func (o *occasion) over() bool {
	var background, interrupted bool
	var task, shell string
	_ = read(o.Input, []part{{name: "run_in_background", at: &background}}) // what cannot be read says nothing
	_ = read(o.Response, []part{{name: "backgroundTaskId", at: &task}, {name: "shellId", at: &shell}, {name: "interrupted", at: &interrupted}})
	return !background && task == "" && shell == "" && !interrupted
}

// command is what the shell was given.
func (o *occasion) command() string { return o.told("command") + o.told("cmd") }

// hiding are programs that leave out some of what a check has printed, and with it that something failed.
var hiding = []string{"grep", "egrep", "fgrep", "rg", "ag", "head", "sed", "awk", "gawk", "mawk", "wc", "cut", "jq", "sort", "uniq", "tr", "xargs"}

// evidence is what a command's output shows of checks whose exit code nobody knows.
type evidence struct {
	whole, part bool // a check has said that it, or a part of it, has passed
	hidden      bool // some of the output was left out, or thrown away
	silent      bool // there is none
}

// passed reports that what was printed says so.
func (e evidence) passed() bool { return e.whole || e.part && !e.hidden }

// content reports a check that would have complained in what was printed, and has not. One that says nothing at all may not have run, but for those that have nothing
// to say when they are content.
func (e evidence) content(r started) bool {
	complains := r.ending == shell.Told || r.ending == shell.Piped && !e.hidden
	return complains && (!e.silent || quiet(r.run))
}

// quiets are words in the names of programs, and of scripts and goals, that print nothing when they have found nothing.
var quiets = []string{"lint", "linter", "vet", "types", "typecheck", "tsc", "eslint", "oxlint", "stylelint", "flake8", "pyflakes", "pycodestyle", "pydocstyle", "vulture", "shellcheck", "yamllint", "hadolint", "actionlint", "markdownlint",
	"staticcheck", "errcheck", "ineffassign", "revive", "golint", "clippy", "javac", "kotlinc", "gcc", "cc", "clang", "compileall", "codespell"}

// quiet reports a run that prints nothing when it has passed.
func quiet(r run) bool {
	name, _, _ := strings.Cut(r.Target, " ")
	return r.By == "go build" || mentions(r.By+" "+path.Base(name), quiets)
}

// evident is what a command has printed, as evidence. The command's own words are none.
func evident(text string, facts []shell.Fact, command string) (e evidence) {
	e.hidden = strings.Contains(command, "/dev/null") || slices.ContainsFunc(facts, func(f shell.Fact) bool { return f.Kind == shell.Exec && slices.Contains(hiding, f.Target) })
	e.silent = strings.TrimSpace(text) == ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(uncoloured(line), "\r\n")
		if strings.Contains(command, strings.TrimSpace(line)) {
			continue // the command's own words
		}
		e.whole, e.part = e.whole || sumsUp(strings.TrimSpace(line)), e.part || passes(line)
	}
	return e
}

// sumsUp reports a line by which a test runner says that all has passed: pytest, unittest, jest, vitest, mocha, bun, RSpec, Maven, Gradle, dotnet; or an exit code of 0 that was printed.
func sumsUp(line string) bool {
	switch bare := strings.Trim(line, "= "); {
	case counted(bare, " passed") && strings.Contains(bare, " in "), line == "OK", strings.HasPrefix(line, "OK ("):
		return true
	case strings.HasPrefix(line, "Tests:"), strings.HasPrefix(line, "Tests "):
		return counted(line, " passed")
	case strings.Contains(line, " passing"), strings.HasSuffix(line, " pass"):
		return counted(line, " pass")
	case strings.HasSuffix(line, " 0 failures"):
		return counted(line, " example") || counted(line, " test")
	}
	return slices.ContainsFunc([]string{"[INFO] BUILD SUCCESS", "BUILD SUCCESS", "Passed!  "}, func(begin string) bool { return strings.HasPrefix(line, begin) }) || wentWell(line)
}

// wentWell reports a line like "exit code: 0", "exit=0" or "rc 0".
func wentWell(line string) bool {
	line = strings.ToLower(line)
	rest, ok := strings.CutSuffix(line, "0")
	word := strings.TrimRight(rest, " :=")
	return ok && len(word) < len(rest) && slices.ContainsFunc([]string{"exit", "code", "status", "rc", "result"}, func(end string) bool { return strings.HasSuffix(word, end) })
}

// passes reports a line by which a test runner says of one of several parts that it has passed: Go's packages, cargo's programs, TAP.
func passes(line string) bool {
	return slices.ContainsFunc([]string{"ok  \t", "ok \t", "test result: ok.", "ok 1 ", "# fail 0", "ℹ fail 0", "Finished ", "    Finished "}, func(begin string) bool { return strings.HasPrefix(line, begin) })
}
