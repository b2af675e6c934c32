package audit

import (
	"fmt"
	"strings"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/trees"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// retriedChecks looks for checks of a script that are tried again until they end well once: what fails now and then passes so, and after the last try many a script just goes on.
func retriedChecks(v *patchView, f *fileView) []Finding {
	if lang.Of(f.path) != lang.Shell || lang.IsCI(f.path) || f.formatted || !f.text() || len(f.before) == 0 || len(f.after) == 0 {
		return nil
	}
	var all []Finding
	for _, c := range trees.Lacking(triedUntilWell(f.after), triedUntilWell(f.before), func(c command) string { return strings.Join(commands.Checks(c.text), " ") }) {
		all = append(all, Finding{Line: c.number, Effect: v.unless(Healer, Tidier), Evidence: fmt.Sprintf("%q is tried again until it ends well: one failure has to count", phrase.Clip(c.text))})
	}
	return all
}

var (
	blockWord   = pattern.New(`^(?:do|then)\s+`)
	wantsEnd    = pattern.New(`^(?:until\s+|while\s+!\s*)(.+)$`)
	entersLoop  = pattern.New(`^(?:for|while|until|select)\b`)
	ifEndsWell  = pattern.New(`^if\s+([^!\s].*)$`)
	endsBranch  = pattern.New(`^(?:else|elif|fi|\})`)
	thenLeaves  = pattern.New(`^\{?\s*(?:break|(?:exit|return)\s+0)\b`)
	leavesBlock = pattern.New(`^done\b`)
)

// triedUntilWell are the checks of a script at which a loop ends, once they end well.
func triedUntilWell(src []byte) []command {
	var all []command
	loops, asked := 0, command{}
	for i, text := range strings.Split(string(src), "\n") {
		if strings.HasPrefix(strings.TrimSpace(text), "#") {
			continue
		}
		for one := range strings.SplitSeq(text, ";") {
			one = blockWord.ReplaceAllString(strings.TrimSpace(one), "")
			if m := wantsEnd.FindStringSubmatch(one); m != nil && len(commands.Checks(m[1])) > 0 {
				all = append(all, command{text: m[1], number: i + 1})
			}
			tried, then, joined := strings.Cut(one, "&&")
			switch {
			case entersLoop.MatchString(one):
				loops++
			case leavesBlock.MatchString(one):
				loops = max(0, loops-1)
			case endsBranch.MatchString(one):
				asked = command{}
			case thenLeaves.MatchString(one) && asked.number > 0:
				all = append(all, asked)
			case ifEndsWell.MatchString(one):
				asked = checkIn(ifEndsWell.FindStringSubmatch(one)[1], i+1, loops)
			case joined && !strings.HasPrefix(one, "!"):
				c := checkIn(strings.TrimSpace(tried), i+1, loops)
				if then = strings.TrimSpace(then); thenLeaves.MatchString(then) && c.number > 0 {
					all = append(all, c)
				} else if strings.HasPrefix(then, "{") {
					asked = c
				}
			}
		}
	}
	return all
}

// checkIn is a command within a loop that checks; none, if it does not, or stands in no loop.
func checkIn(text string, line, loops int) command {
	if loops == 0 || len(commands.Checks(text)) == 0 {
		return command{}
	}
	return command{text: text, number: line}
}
