package code

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/pattern"
	"fettle/internal/policy/shell"
)

// runsText reports a program that takes commands as a text.
func runsText(program string) bool {
	command, _ := commandOf([]value{text(program), text("-c"), {}})
	return slices.ContainsFunc((*shell.Policy)(nil).Facts(command, where), func(f shell.Fact) bool {
		return f.Kind == shell.Code && f.Zone == "" && ofShells[f.Target]
	})
}

// where is the place at which commands in source code are judged; only what they do outside of it matters.
var where = shell.Place{Root: "/project", Home: "/home/user"}

// harmless reports whether a command that is wholly known may run without a question.
func harmless(v value) bool {
	return v.known() && (*shell.Policy)(nil).Judge(v.text, where).Decision == shell.Allow
}

// runners are paths that name a program: the one that carries the source out.
var runners = map[string]string{
	"sys.executable": "python3", "process.execPath": "node", "process.argv0": "node", "Deno.execPath()": "deno",
}

// slashed matches an option as Windows writes them, ofWindows a program, whose case it does not ask for; adding a command that sets a value of its registry, atLogin keys of that
// with what it starts.
var (
	slashed   = pattern.New(`^/[A-Za-z]$`)
	ofWindows = pattern.New(`(?i)\.exe$|(^|[\\/])(cmd|powershell|pwsh)$`)
	adding    = pattern.New(`(?i)^'reg(\.exe)?' 'add' `)
	atLogin   = pattern.New(`(?i)\\(CurrentVersion\\+(Run|RunOnce|RunServices|Policies\\+Explorer\\+Run|Image File Execution Options)|Windows NT\\+CurrentVersion\\+Winlogon)\b`)
)

// registers judges a value of Windows' registry by the text of its key: programs that start at every login stand there.
func (c *call) registers(key string) *hit {
	return given(atLogin.MatchString(key), Interference, c.path+": what starts at every login")
}

// What code that nobody can see is written in: ofShells tell programs what to do, filters only change what goes through them.
var (
	ofShells = set("sh other")
	filters  = set("sed awk")
)

// commandOf writes a list as a command, and says whether all of it is known: what is not stands there as a variable of which a shell knows nothing.
func commandOf(list []value) (command string, known bool) {
	var b strings.Builder
	known, open := true, 0
	for i, v := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch program := runners[v.path]; {
		case program != "":
			v = text(program)
		case temporary.MatchString(v.path):
			v = text("/tmp/made")
		case i == 0 && ofWindows.MatchString(v.text):
			v.text = strings.TrimSuffix(strings.ToLower(v.text[strings.LastIndexAny(v.text, `/\`)+1:]), ".exe")
		case i > 0 && slashed.MatchString(v.text):
			v.text = "-" + strings.ToLower(v.text[1:])
		}
		for j, part := range strings.Split(v.part(), unknown) {
			if j > 0 {
				fmt.Fprintf(&b, `"$unknown%d"`, open)
				known, open = false, open+1
			}
			if part != "" || v.text == "" && v.isText {
				b.WriteString(shell.Quote(part))
			}
		}
	}
	return b.String(), known
}

// argv judges a command that is a list by what the policy for commands says of it: what must not run at all, code that nobody can see, and folders that are
// removed. Another program is what the file's author says it is, and what it is given that is not known his, too.
func (c *call) argv(v value) *hit {
	if !v.isList || len(v.list) == 0 {
		return nil
	}
	if installs(v.list) {
		return c.hit(Process, Review)
	}
	command, known := commandOf(v.list)
	var worst *hit
	if adding.MatchString(command) {
		worst = c.registers(command)
	}
	for _, f := range (*shell.Policy)(nil).Facts(command, where) {
		if h := c.does(f, known); h != nil && (worst == nil || h.grade > worst.grade) {
			worst = h
		}
	}
	return worst
}

// does judges one thing that a program would do that is started with words of which all are known, or not.
func (c *call) does(f shell.Fact, known bool) *hit {
	if f.Kind == shell.Code && f.Zone == "" {
		return c.runsCode(f.Target, known)
	}
	switch verdict := (*shell.Policy)(nil).Decide([]shell.Fact{f}); {
	case verdict.Decision != shell.Deny:
		return nil
	case known, f.Kind == shell.Remote, f.Kind == shell.Decoded:
		return c.hit(Process, Danger)
	case f.Kind == shell.Delete && f.Zone == shell.Anywhere && (f.By == "mv" || f.Target != where.Root+"/…"):
		return nil // what is moved is still there, and what stands under a name of the source is its own
	case f.Zone == "", f.Zone == shell.Anywhere:
		return c.hit(Process, Review)
	}
	return c.hit(Process, Danger)
}

// runsCode judges code in a language that nobody can see; where all words are known, it is read from whoever starts the program, or stands in the source.
func (c *call) runsCode(language string, known bool) *hit {
	switch {
	case filters[language], known && language != "sh":
		return nil
	case known, !ofShells[language]:
		return c.hit(Process, Review)
	}
	return c.hit(Process, Danger)
}
