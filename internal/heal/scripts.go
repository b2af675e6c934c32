package heal

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// judges are the files of the repository that the commands of checks and fixers execute: scripts that judge. A patch to one
// needs a person, since it could make its check say anything.
func (l *Loop) judges() map[string]bool {
	if l.scripts != nil {
		return l.scripts
	}
	l.scripts = map[string]bool{}
	add := func(dir string, argv []string) {
		for _, word := range programs(argv) {
			p := path.Join(dir, filepath.ToSlash(word))
			if f, err := l.tree.Source()(p); err == nil && f.Exists {
				l.scripts[p] = true
			}
		}
	}
	for _, c := range l.Config.Checks {
		for _, argv := range append(c.Commands(), c.Fix...) {
			add(c.Dir, argv)
		}
	}
	for _, p := range l.Config.Fixers.Plugins {
		add("", p.Run)
	}
	return l.scripts
}

// launchers are programs that execute the file, or the command, that their first operand names.
var launchers = []string{
	"sh", "bash", "dash", "zsh", "ksh", "python", "python3", "pypy3", "node", "deno", "bun", "ruby", "perl", "php", "lua",
	"env", "nice", "nohup", "timeout", "time", "xargs", "sudo", "uv", "poetry", "run", "npx", "go", "java",
}

// programs are the words of a command that name what it executes: its program, the script that an interpreter is given, and
// the first word of each command in a shell's -c text.
func programs(argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	out := []string{argv[0]}
	if !slices.Contains(launchers, path.Base(filepath.ToSlash(argv[0]))) {
		return out
	}
	java := strings.HasPrefix(path.Base(argv[0]), "java")
	for i := 1; i < len(argv); i++ {
		switch word := argv[i]; {
		case java && slices.Contains([]string{"-cp", "-classpath", "--class-path", "-p", "--module-path"}, word):
			i++ // what follows is no program
		case word == "-c" && i+1 < len(argv):
			for _, part := range strings.FieldsFunc(argv[i+1], func(r rune) bool { return strings.ContainsRune(";&|\n(){}!", r) }) {
				out = append(out, programs(strings.Fields(part))...)
			}
			return out
		case word == "-m": // a module, not a file
			return out
		case strings.HasPrefix(word, "-"), strings.Contains(word, "="):
		case java && !strings.HasSuffix(word, ".java"): // a class
			return append(out, strings.ReplaceAll(word, ".", "/")+".java")
		default:
			return append(out, programs(argv[i:])...)
		}
	}
	return out
}
