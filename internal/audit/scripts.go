package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/commands"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// script is what a shell script says of how it ends when a check fails.
type script struct {
	errexit, pipefail bool
	lines             []command
	traps             []command         // what is carried out at its end
	bodies            map[string]string // of its functions
	statuses          bool              // it asks by itself how something ended
}

// command is a line of a script.
type command struct {
	text   string
	number int
	depth  int // how many functions, loops and conditions it stands in
}

var (
	shebangExit  = pattern.New(`^#!.*\s-[a-z]*e`)
	setOption    = pattern.New(`^set\s+([-+])`)
	functionHead = pattern.New(`^(?:function\s+)?([\w:.-]+)\s*(?:\(\s*\))\s*\{?$|^function\s+([\w:.-]+)\s*\{?$`)
	opens        = pattern.New(`^(if|case|for|while|until|select)\b|\{$`)
	closes       = pattern.New(`^(fi|esac|done|\})`)
	trapped      = pattern.New(`^trap\s+(?:--\s+)?('[^']*'|"[^"]*"|[\w:.-]+)\s+(.*)$`)
	atItsEnd     = pattern.New(`(?i)\b(SIG)?(EXIT|ERR|0)\b`)
	leavesOK     = pattern.New(`(^|[;&{\s])exit(\s+0)?\s*(;|\}|$)`)
	askedStatus  = pattern.New(`\$\?|\bPIPESTATUS\b|\bpipestatus\b`)
	heeded       = pattern.New(`\|\|\s*(\{|exit\b|return\b|die\b|fail\w*\b|abort\b|err\w*\b|\w+=)|^(if|elif|while|until|!)\b|&&\s*$|\\$`)
	unheeded     = pattern.New(`\|\|\s*(true|:|exit 0|echo\b[^|&;]*|printf\b[^|&;]*)\s*$|;\s*(true|:|exit 0)\s*$|[^&]&\s*$`)
)

// readScript reads one, line by line.
func readScript(src []byte) script {
	s := script{bodies: make(map[string]string)}
	depth, within, inner := 0, "", 0
	for i, raw := range strings.Split(string(src), "\n") {
		text := strings.TrimSpace(raw)
		if i == 0 && strings.HasPrefix(text, "#!") {
			s.errexit = shebangExit.MatchString(text)
		}
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		s.statuses = s.statuses || askedStatus.MatchString(text)
		if closes.MatchString(text) && depth > 0 {
			if depth--; depth < inner {
				within = ""
			}
		}
		if m := functionHead.FindStringSubmatch(text); m != nil {
			within, inner = m[1]+m[2], depth+1
		} else if within != "" {
			s.bodies[within] += text + "\n"
		}
		if m := trapped.FindStringSubmatch(text); m != nil && atItsEnd.MatchString(m[2]) {
			s.traps = append(s.traps, command{text: strings.Trim(m[1], `"'`), number: i + 1})
		}
		if setOption.MatchString(text) && depth == 0 {
			s.set(strings.Fields(text)[1:])
		}
		s.lines = append(s.lines, command{text, i + 1, depth})
		if opens.MatchString(text) && !closedAgain.MatchString(text) || strings.HasSuffix(text, "()") {
			depth++
		}
	}
	return s
}

// closedAgain matches what opens and closes something on one line.
var closedAgain = pattern.New(`(;|\s)(fi|esac|done|\})\s*;?$`)

// set is told of options: an option that is set back later in the script counts as set, for what stands between is asked about by itself.
func (s *script) set(words []string) {
	for i, w := range words {
		if !strings.HasPrefix(w, "-") {
			continue
		}
		s.errexit = s.errexit || !strings.HasPrefix(w, "--") && strings.Contains(w, "e")
		if strings.HasSuffix(w, "o") && i+1 < len(words) {
			s.errexit = s.errexit || words[i+1] == "errexit"
			s.pipefail = s.pipefail || words[i+1] == "pipefail"
		}
	}
}

// checked are the lines that start checks.
func (s *script) checked() []command {
	return slices.DeleteFunc(slices.Clone(s.lines), func(c command) bool { return len(commands.Checks(strings.TrimLeft(c.text, "! "))) == 0 })
}

// last is the last line of a script outside of its functions; empty, if there is none.
func (s *script) last() command {
	for i := len(s.lines) - 1; i >= 0; i-- {
		if s.lines[i].depth == 0 && !closes.MatchString(s.lines[i].text) {
			return s.lines[i]
		}
	}
	return command{}
}

// endsWell lists what a script carries out at its end by which it ends with success.
func (s *script) endsWell() []command {
	return slices.DeleteFunc(slices.Clone(s.traps), func(t command) bool {
		return !leavesOK.MatchString(t.text) && !slices.ContainsFunc(strings.Split(s.bodies[t.text], "\n"), leavesOK.MatchString)
	})
}

// loses are the checks of which a script does not hear how they ended, each with why.
func (s *script) loses() map[string]command {
	all := make(map[string]command)
	end := s.last()
	for _, c := range s.checked() {
		tools := commands.Checks(strings.TrimLeft(c.text, "! "))
		handing, _ := commands.InPipes(c.text)
		why := ""
		switch {
		case unheeded.MatchString(c.text) && !strings.HasSuffix(c.text, "&&"):
			why = "its failure is ignored"
		case s.statuses || heeded.MatchString(c.text):
		case len(handing) > 0 && !s.pipefail:
			why = "it is lost in a pipe without pipefail"
		case !s.errexit && c != end && c.depth == 0:
			why = "the script goes on without set -e"
		}
		if why != "" {
			all[tools[0]+"\x00"+why] = c
		}
	}
	return all
}

// weakenedScripts compares scripts that run checks by which failures they end well after.
func weakenedScripts(v *patchView, f *fileView) []Finding {
	if lang.Of(f.path) != lang.Shell || lang.IsCI(f.path) || f.formatted || !f.text() || len(f.before) == 0 || len(f.after) == 0 {
		return nil
	}
	was, is := readScript(f.before), readScript(f.after)
	if len(was.checked()) == 0 {
		return nil
	}
	var all []Finding
	add := func(c command, says string) {
		all = append(all, Finding{Line: c.number, Effect: v.unless(Healer, Tidier), Evidence: fmt.Sprintf("%q: %s", phrase.Clip(c.text), says)})
	}
	lost := was.loses()
	for what, c := range is.loses() {
		if _, had := lost[what]; !had {
			tool, why, _ := strings.Cut(what, "\x00")
			add(c, fmt.Sprintf("how %s ends counts no more: %s", tool, why))
		}
	}
	if ends := is.endsWell(); len(ends) > len(was.endsWell()) {
		add(ends[len(ends)-1], "the script ends with success then, whatever failed")
	}
	for _, c := range is.earlyEnds(was) {
		add(c, "the script ends with success here, whatever failed or was still to be checked")
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	return all
}

// earlyEnds are the ends with success outside of any condition which another form of the script has not: before checks, or behind them where their failures did not end it.
func (s *script) earlyEnds(was script) []command {
	had := make(map[string]bool)
	for _, c := range was.lines {
		had[c.text] = had[c.text] || c.depth == 0
	}
	checks := s.checked()
	return slices.DeleteFunc(slices.Clone(s.lines), func(c command) bool {
		ends := c.depth == 0 && (c.text == "exit 0" || c.text == "exit" || c == s.last() && (c.text == "true" || c.text == ":"))
		behind := slices.ContainsFunc(checks, func(k command) bool { return k.number > c.number })
		return !ends || had[c.text] || !behind && (s.errexit || s.statuses)
	})
}
