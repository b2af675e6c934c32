package guard

import (
	"slices"
	"strings"
)

// renamed are names that mean something else to PowerShell than to a shell; itsOwn are commands of PowerShell's, whose options are not what they are elsewhere.
var (
	renamed = []string{"type", "fc", "h", "r", "set", "using"}
	itsOwn  = []string{"cat", "cd", "clear", "compare", "copy", "cp", "curl", "diff", "dir", "echo", "history", "kill", "ls", "man", "measure", "mkdir", "more", "mount", "move", "mv",
		"popd", "ps", "pushd", "pwd", "rm", "rmdir", "select", "sleep", "sort", "start", "tee", "wget", "where", "write"}
)

// unlike reports a command that may be another one to PowerShell than to a shell, as which it is read, since most of them start a program: what the two take for
// different words (a backslash, a backtick, commas, braces, what is piped to a command) may do something else than was read.
func unlike(command string) bool {
	program := ""
	for rest := command; rest != ""; {
		if next, and := strings.CutPrefix(rest, "&& "); and || rest[0] == '\n' || rest[0] == ';' {
			program, rest = "", strings.TrimLeft(next, "\n;")
			continue
		}
		if rest[0] == ' ' {
			rest = rest[1:]
			continue
		}
		n := alike(rest)
		if n == 0 || n < len(rest) && !slices.Contains([]byte(" \n;"), rest[n]) {
			return true
		}
		word := strings.ToLower(rest[:n])
		rest = rest[n:]
		switch {
		case program == "":
			program = word
			if slices.Contains(renamed, word) {
				return true
			}
		case word[0] == '-' && slices.Contains(itsOwn, program):
			return true
		}
	}
	return false
}

// alike is how long the word is that a text begins with, if both read it alike: a plain one, or one in quotation marks in which nothing means anything. 0: they do not.
func alike(text string) int {
	plain := "_/=+-.:"
	if text[0] == '-' {
		plain = "_/=+-"
	}
	n := len(text) - len(strings.TrimLeftFunc(text, func(r rune) bool { return simple(r, plain) }))
	if n == len(text) || text[n] != '"' && text[n] != '\'' || n > 0 && (text[0] != '-' || text[n-1] != '=') {
		return n
	}
	inner, _, ended := strings.Cut(text[n+1:], text[n:n+1])
	within := " _./=+:,()<>|!#%{}@^-"
	if text[n] == '"' {
		within += "'"
	}
	if !ended || strings.TrimLeftFunc(inner, func(r rune) bool { return simple(r, within) }) != "" {
		return 0
	}
	return n + len(inner) + 2
}

// simple reports a letter, a digit, or one of some marks.
func simple(r rune, marks string) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(marks, r)
}
