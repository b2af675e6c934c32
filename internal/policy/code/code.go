// Package code answers "what does this code bring in that is dangerous?".
//
// What a source could do beyond computing is a list of capabilities: it starts programs, runs text as code, reads objects out
// of bytes, removes or overwrites files outside of the project, passes by the language's safety, sends secrets away, or turns
// off what protects. [Find] lists them for one source, function by function; [Change] says what a change brought in.
// What a file could do before is not the change's fault, and an import alone is nothing.
//
// A source is read as a program ([code.Read]), never searched as text. Names are followed through imports, aliases,
// destructuring and assignments; texts are computed through concatenation, join, format, chr, bytes.fromhex, base64, rot13 and
// their like; and what getattr, vars, globals, __import__, require, or an index gives for a known text is what that text names.
// So a capability has the same name however it was spelled. A mention counts as a call, because decorators, defaults and
// callbacks call what they are given. What is called under a name that cannot be computed is for a person to look at.
//
// What requests and the entries of archives say is followed to files that are opened, addresses that are fetched, redirections, pages and templates. What
// looks at it on the way (a base name, a comparison, a list, a check by a function) makes it a program's own affair; how well it looks is for people.
//
// What is judged by what a value is made of (a signature, a key, all of a request, all of the environment, words of a request) is hunted through what only
// puts values together: see hunt.go. Tests are left alone where it does no harm what they do.
//
// Shell scripts are judged by policy/shell, as the commands of agents are.
//
// Values are followed through the file's own functions: a parameter is what its callers give, a call what its function gives back, and a member of an
// object what any method of its class puts there, or of one that it is made from. Functions that are handed to others get what these are known to call
// them with.
//
// What is not promised: values are followed without regard to the order of statements, and within one file; a language's library has more doors than the
// tables here.
package code

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/syntax"
)

// Class is a kind of harm.
type Class string

// The classes.
const (
	Process         Class = "process"         // another program is started by way of a shell, or with a command that is not known
	Dynamic         Class = "dynamic code"    // text becomes code, or a name is computed and then called
	Deserialization Class = "deserialization" // bytes become objects, and may run code doing so
	Injection       Class = "injection"       // a value is spliced into SQL or HTML, or is a path, an address or a template that others choose
	Destruction     Class = "destruction"     // files are removed, or overwritten outside of the project
	Secrets         Class = "secrets"         // keys, credentials or the whole environment are read, or sent away
	Network         Class = "network"         // another machine is talked to
	Native          Class = "native"          // memory and native code, past the language's safety
	Weakening       Class = "weakening"       // a protection is turned off: certificates, permissions, escaping
	Interference    Class = "interference"    // the language's own machinery is changed, or the process ended while loading
)

// Grade is how sure it is that a person would object.
type Grade int

// The grades. A greater one is worse.
const (
	Note   Grade = iota // worth knowing
	Review              // depends on where the values come from: somebody has to look
	Danger              // no ordinary repair needs it
)

// Capability is one thing that a source could do.
type Capability struct {
	Class    Class
	Grade    Grade
	Name     string // what does it, however it was spelled: "os.system"
	Function string // the function in which it stands, with its class; empty: outside of functions
	Line     int
}

// Reads reports whether [Find] can read the file, judged by its name and content.
func Reads(path string, src []byte) bool {
	l, script := language(path, src)
	return script || rules[l] != nil
}

// language is the language of a file by its name, or else by the program that its first line names; script: it is one of the shell's.
func language(path string, src []byte) (l syntax.Lang, script bool) {
	if l = syntax.LangOf(path); rules[l] != nil {
		return l, false
	}
	if lang.Of(path) == lang.Shell {
		return "", true
	}
	if l = interpreted[interpreter(src)]; l == scripts {
		return "", true
	}
	return l, false
}

// scripts stands for what the shell carries out, which has no grammar here.
const scripts = syntax.Lang(lang.Shell)

// interpreted are the languages of programs that first lines name, without their versions.
var interpreted = map[string]syntax.Lang{
	"sh": scripts, "bash": scripts, "dash": scripts, "ash": scripts, "zsh": scripts, "ksh": scripts, "mksh": scripts, "fish": scripts, "yash": scripts, "csh": scripts, "tcsh": scripts, "busybox": scripts,
	"python": syntax.Python, "pypy": syntax.Python, "uv": syntax.Python, "node": syntax.JavaScript, "nodejs": syntax.JavaScript, "bun": syntax.TypeScript, "deno": syntax.TypeScript,
	"ts-node": syntax.TypeScript, "tsx": syntax.TypeScript, "java": syntax.Java, "go": syntax.Go,
}

// interpreter is the program that the first line of a file names, without its version: "python" of "#!/usr/bin/env -S python3.12 -u".
func interpreter(src []byte) string {
	const longest = 256
	first, _, _ := strings.Cut(string(src[:min(len(src), longest)]), "\n")
	line, ok := strings.CutPrefix(first, "#!")
	if !ok {
		return ""
	}
	for i, word := range strings.Fields(line) {
		if i > 0 {
			word = strings.TrimPrefix(strings.TrimPrefix(word, "-S"), "--split-string=")
		}
		name := word[strings.LastIndexByte(word, '/')+1:]
		if name == "" || name == "env" || name == "npx" || strings.HasPrefix(name, "-") || strings.Contains(name, "=") {
			continue
		}
		return strings.TrimRight(name, "0123456789.")
	}
	return ""
}

// Find lists what a source could do, in its order. A language that is not known has no capabilities. Broken source is read as
// far as it can be.
func Find(ctx context.Context, path string, src []byte) ([]Capability, error) {
	_, found, err := find(ctx, path, src)
	return found, err
}

// find is Find, and the program that was read; it is nil for scripts, and in languages that are not known.
func find(ctx context.Context, path string, src []byte) (*program.File, []Capability, error) {
	if len(src) == 0 {
		return nil, nil, nil
	}
	l, isScript := language(path, src)
	if isScript {
		return nil, script(path, string(src)), nil
	}
	r := rules[l]
	if r == nil {
		return nil, nil, nil
	}
	f, err := program.Read(ctx, l, path, src)
	if err != nil {
		return nil, nil, err
	}
	found, err := capabilities(ctx, f, r())
	return f, found, err
}

// capabilities are what a program could do that was read.
func capabilities(ctx context.Context, f *program.File, r *ruleset) ([]Capability, error) {
	s := newScan(ctx, f, r)
	s.look(f.Root)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("look through %s: %w", f.Path, err)
	}
	s.marks()
	s.leaks()
	s.collects()
	s.fetched()
	s.unfollowed()
	slices.SortStableFunc(s.found, func(a, b Capability) int { return cmp.Compare(a.Line, b.Line) })
	return slices.CompactFunc(s.found, func(a, b Capability) bool {
		return a.Class == b.Class && a.Name == b.Name && a.Function == b.Function && a.Line == b.Line
	}), nil
}

// Change lists what a change of a file brings in: what the source after could do that the one before could not, and what it does not protect any more.
// A source before that cannot be read excuses nothing; the error is that of [Find] for the one after.
func Change(ctx context.Context, path string, before, after []byte) ([]Capability, error) {
	was, could, err := find(ctx, path, before)
	if err != nil {
		could = nil
	}
	is, can, err := find(ctx, path, after)
	if err != nil {
		return nil, err
	}
	return append(delta(could, can, functionsOf(was), functionsOf(is)), lost(was, is)...), nil
}

// functionsOf are the names of the functions of a program, as capabilities have them.
func functionsOf(f *program.File) map[string]bool {
	all := make(map[string]bool)
	if f == nil {
		return all
	}
	for n := range f.Root.Walk() {
		if n.Role == program.Function {
			all[function(n)] = true
		}
	}
	delete(all, "")
	return all
}

// place is what capabilities are counted by.
type place struct {
	class    Class
	name     string
	function string
}

// delta lists what the source after could do that the one before could not: a function that was dangerous may stay so, may
// be renamed, and may hand what it does on to a new one, but not become more so. The functions are those that either source defines.
func delta(before, after []Capability, defined, defines map[string]bool) []Capability {
	had, kept := make(map[place]int), make(map[string]bool)
	for _, c := range before {
		had[place{c.Class, c.Name, c.Function}]++
	}
	for _, c := range after {
		kept[c.Function] = true
	}
	var fresh []Capability
	for _, c := range after {
		at := place{c.Class, c.Name, c.Function}
		if had[at] > 0 {
			had[at]--
			continue
		}
		fresh = append(fresh, c)
	}
	// What a function could do that is gone, or whose code is in a new one, went with its code to where it is now.
	return slices.DeleteFunc(fresh, func(c Capability) bool {
		for at, n := range had {
			if n > 0 && at.class == c.Class && at.name == c.Name && !kept[at.function] && (!defines[at.function] || !defined[c.Function]) {
				had[at]--
				return true
			}
		}
		return false
	})
}
