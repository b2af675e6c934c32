package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/policy/shell"
)

// Own is what belongs to the guard itself. An agent that reads it could speak to the guard in the client's name.
type Own struct {
	Folders []string // what it keeps
	Files   []string // settings in which its token stands
	Listen  string   // where a guard that stays answers: host:port
}

// OwnOf is what the guard keeps in a place, wherever it is installed.
func OwnOf(at shell.Place) Own {
	own := Own{Folders: []string{path.Join(at.Home, ".local/state/fettle/guard")}}
	for _, guarded := range at.Guarded {
		if strings.HasSuffix(guarded, "/fettle/guard") {
			own.Folders = append(own.Folders, guarded)
		}
	}
	return own
}

// Heed makes a verdict a refusal, if the call reaches for what is the guard's own.
func (o Own) Heed(v shell.Verdict, call Call, at shell.Place) shell.Verdict {
	if v.Decision == shell.Deny {
		return v
	}
	for _, f := range v.Facts {
		if why := o.reached(f, at); why != "" {
			return Refused(v, why)
		}
	}
	if why := o.named(v, string(call.Input)); why != "" {
		return Refused(v, why)
	}
	return v
}

// Refused is the verdict of a call that reaches for what is the guard's own.
func Refused(v shell.Verdict, why string) shell.Verdict {
	v.Decision, v.Final, v.Class, v.Rule, v.Reason, v.Loosened = shell.Deny, true, "guard", "guard-own", why, nil
	v.Alternative = "`fettle guard log`, `fettle guard status` and `fettle guard explain` say what an agent may know; the person does the rest"
	return v
}

// reached says how a fact reaches for what is the guard's own; empty: it does not.
func (o Own) reached(f shell.Fact, at shell.Place) string {
	is := func(kinds ...shell.Kind) bool { return slices.Contains(kinds, f.Kind) }
	// find lists names; what it runs has facts of its own.
	if is(shell.Read, shell.Send, shell.Link) && f.By != "find" {
		for _, p := range slices.Concat(o.Folders, o.Files) {
			if leads(f.Target, p, at.Home) {
				return fmt.Sprintf("%s is the guard's own, and %s would read it", f.Target, f.By)
			}
		}
	}
	switch port := o.port(); {
	case port != "" && is(shell.Send, shell.Fetch, shell.Kill) && number(f.Target, port):
		return fmt.Sprintf("the guard itself answers at %s, and %s would speak to it, or end it", o.Listen, f.By)
	case is(shell.Service) && strings.Contains(f.Target, "fettle-guard"):
		return fmt.Sprintf("%s would end or change the guard: %s", f.By, f.Target)
	case is(shell.Unknown, shell.Exec, shell.Run) && path.Base(f.Target) == "fettle-guard":
		return "the guard's program is the client's to start, and nobody else's"
	}
	return ""
}

// leads reports that what is read at a path has the guard's own in it: the path is it, lies below it, or is a folder around it, down from the home. A path may
// have stars in it, each for any part of a name. A home as a whole is read by tools that pass over hidden folders, and is no reach for the guard.
func leads(read, own, home string) bool {
	there, here := strings.Split(strings.Trim(read, "/"), "/"), strings.Split(strings.Trim(own, "/"), "/")
	if strings.HasPrefix(strings.TrimSuffix(home, "/")+"/", strings.TrimSuffix(read, "/")+"/") {
		return false
	}
	for i := range min(len(there), len(here)) {
		if ok, err := path.Match(there[i], here[i]); there[i] != here[i] && (err != nil || !ok) {
			return false
		}
	}
	return true
}

// unclear are the kinds of facts that leave open what is read or spoken to. A mode of chmod's that begins with a hyphen leaves no fact of its own.
var unclear = []shell.Kind{shell.Unknown, shell.Code, shell.Data, shell.Opaque, shell.Kill, shell.Send}

// named says how a call whose facts leave something open names the guard's own; empty: it does not.
func (o Own) named(v shell.Verdict, text string) string {
	if !slices.ContainsFunc(v.Facts, func(f shell.Fact) bool {
		return slices.Contains(unclear, f.Kind) || f.Kind == shell.Exec && f.Target == "chmod" || f.Is(shell.Vague) || f.Kind == shell.Tool && strings.HasPrefix(f.Target, "mcp__")
	}) {
		return ""
	}
	why := o.Names(text)
	if why == "" && strings.Contains(strings.ToLower(text), "guard serve") && slices.ContainsFunc(v.Facts, func(f shell.Fact) bool { return f.Kind == shell.Kill }) {
		why = "it would end the guard"
	}
	return why
}

// Names says how a text that runs as code names the guard's own; empty: it does not.
func (o Own) Names(text string) string {
	low := strings.ToLower(text)
	for _, p := range slices.Concat(o.Folders, o.Files) {
		// Where the home is may be written in many ways: the end of the path tells.
		if end := tail(p); strings.Contains(low, strings.ToLower(end)) {
			return fmt.Sprintf("it names %s, which is the guard's own, and what it does there cannot be known", end)
		}
	}
	if port := o.port(); port != "" && number(text, port) && slices.ContainsFunc(loopback, func(s string) bool { return strings.Contains(low, s) }) {
		return fmt.Sprintf("it names %s, where the guard itself answers, and what it does there cannot be known", o.Listen)
	}
	switch {
	case ends(low, o.port()):
		return "it would end the guard, which it looks for among what runs"
	case strings.Contains(low, "share/fettle/bin"):
		return "it names the guard's program, and what it does with it cannot be known"
	case unhooks(low):
		return "it would start an agent that nothing guards"
	}
	words := strings.FieldsFunc(low, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()'\"\\,[]{}", r) })
	for i, w := range words {
		if path.Base(w) == "fettle" && slices.Contains(words[i:], "guard") && slices.ContainsFunc(words[i:], func(w string) bool { return slices.Contains(meddling, w) }) {
			return "it names a command that changes or ends the guard, and what it does cannot be known"
		}
	}
	return ""
}

// ends reports a text in lower case that ends processes and looks for the guard among them: by its name (kill $(pgrep fettle), ps | grep '[f]ettle' | xargs kill),
// or by the port at which it answers (kill $(lsof -ti :PORT)). What looks, and what it looks for, stand in one pipe.
func ends(low, port string) bool {
	if !strings.Contains(low, "kill") {
		return false
	}
	for _, end := range []string{";", "&&", "||", `\n`, "`", ")"} { // the end of a line as JSON has it, too
		low = strings.ReplaceAll(low, end, "\n")
	}
	for line := range strings.Lines(low) {
		looks, inside := false, false
		for _, w := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n|()$\"',{}", r) }) {
			switch name := path.Base(w); {
			case slices.Contains(containers, name): // their ps lists other things
				inside = true
			case slices.Contains(processFinders, name):
				looks = !inside
			case looks && strings.Contains(strings.NewReplacer("[", "", "]", "").Replace(name), "fettle"), looks && port != "" && number(w, port):
				return true
			}
		}
	}
	return false
}

// processFinders are programs that say which processes run, by which name, or at which port.
var processFinders = []string{"pgrep", "pidof", "ps", "lsof", "fuser", "ss", "netstat"}

// containers are programs whose own commands are called as some of them.
var containers = []string{"docker", "podman", "nerdctl", "docker-compose"}

// loopback are words by which a text says that it speaks to this machine, or to any.
var loopback = []string{"127.", "localhost", "::1", "0.0.0.0", "2130706433", "0x7f", "socket", "/dev/tcp", "connect"}

// unhooks reports words by which an agent is started so that no hook runs: Claude Code's, those of Gemini CLI's settings, and Codex's, of which some have the feature's earlier name.
func unhooks(low string) bool {
	low = strings.ReplaceAll(strings.ReplaceAll(low, "codex_hooks", "hooks"), "disable=", "disable ")
	return strings.Contains(low, "disableallhooks") || strings.Contains(low, "hooksconfig") || strings.Contains(low, "features.hooks") || strings.Contains(low, "disable hooks")
}

// meddling are the commands of `fettle guard` that are the person's.
var meddling = []string{"install", "uninstall", "serve", "telemetry", "compile"}

// tail is the part of a path that stays when a home or a variable stands before it: .claude/settings.json, state/fettle/guard.
func tail(p string) string {
	parts := strings.Split(p, "/")
	n := 2
	if strings.HasSuffix(p, "/fettle/guard") {
		n = 3
	}
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}

func (o Own) port() string { return o.Listen[strings.LastIndexByte(o.Listen, ':')+1:] }

// number reports a number that stands in a text, and is no part of a longer one.
func number(text, n string) bool {
	for rest := text; ; {
		i := strings.Index(rest, n)
		if i < 0 {
			return false
		}
		after := rest[i+len(n):]
		if (i == 0 || !digit(rest[i-1])) && (after == "" || !digit(after[0])) {
			return true
		}
		rest = after
	}
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
