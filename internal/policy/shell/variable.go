package shell

import (
	"slices"
	"strconv"
	"strings"
)

// variable is what a variable holds, and whether that is known.
func (s *shell) variable(name string) (value, bool) {
	name = s.target(name)
	if strings.Contains(name, string(hole)) {
		return anything, false
	}
	if v, ok := s.vars.get(name); ok && !volatile(name) {
		return v, true
	}
	if list, ok := s.lists.get(name); ok {
		return s.element(name, list, 0, true), len(list) > 0
	}
	switch name {
	case "HOME":
		return known(s.at.Home), true
	case "PWD":
		return s.cwd, true
	case "TMPDIR":
		return known("/tmp"), true
	case "IFS":
		return known(" \t\n"), true
	case "!":
		return known("%1"), true // a job of this shell
	case "#":
		return known(strconv.Itoa(len(s.args))), true
	case "$", "PPID", "BASHPID":
		return known("4242"), true // a process, and not the first
	case "UID", "EUID", "RANDOM", "SRANDOM", "SECONDS", "LINENO", "SHLVL", "COLUMNS", "LINES", "EPOCHSECONDS", "?", "BASH_SUBSHELL", "OPTIND":
		return known("1"), true
	case "0", "BASH_SOURCE":
		return s.scriptName(name)
	case "BASH", "SHELL":
		return known("bash"), true
	case "-":
		return known("hB"), true
	}
	if i, err := strconv.Atoi(name); err == nil {
		return s.positional(i)
	}
	if v, ok := s.at.Env[name]; ok {
		return known(v), true
	}
	if secretVariable(name) {
		return unknown(fromSecret), false
	}
	return anything, false
}

// scriptName is $0, and BASH_SOURCE: the first of its elements, of the file that has sourced this one nothing is said.
func (s *shell) scriptName(name string) (value, bool) {
	switch {
	case name == "0" && s.zero.empty():
		return known("bash"), true
	case name == "0":
		return s.zero, true
	case s.source != "":
		return known(s.source), false
	}
	return anything, false
}

// positional is $1 and its like.
func (s *shell) positional(i int) (value, bool) {
	switch {
	case i > 0 && i <= len(s.args):
		return s.args[i-1], true
	case s.args != nil && !s.more:
		return value{}, true
	}
	return anything, false
}

// volatile reports a variable that bash itself sets with every command, whatever is assigned to it.
func volatile(name string) bool {
	switch name {
	case "_", "BASH_COMMAND", "BASH_REMATCH", "PIPESTATUS", "FUNCNAME", "BASH_SOURCE", "BASH_LINENO", "BASH_ARGV", "BASH_ARGC", "BASH_EXECUTION_STRING", "DIRSTACK", "GROUPS",
		"RANDOM", "SRANDOM", "SECONDS", "LINENO", "BASHPID", "EPOCHSECONDS", "EPOCHREALTIME", "HISTCMD", "BASH_SUBSHELL":
		return true
	}
	return false
}

// secretWords are in the names of environment variables that hold secrets.
var secretWords = []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL", "_PAT", "DATABASE_URL", "DSN", "_AUTH", "COOKIE", "JWT"}

func secretVariable(name string) bool {
	upper := strings.ToUpper(name)
	return slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(upper, w) })
}
