package hook

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// confesses is the line of what checks have printed that tells most of why one of them has failed; empty: none says so.
func confesses(text string) string {
	for line := range strings.Lines(text) {
		if failing(strings.TrimSpace(uncoloured(line))) {
			return telling(text)
		}
	}
	return ""
}

// interpreters are the programs that say it where what they were to run is not there.
var interpreters = []string{"sh", "bash", "dash", "zsh", "ksh", "fish", "env", "timeout", "nohup", "python", "node", "ruby", "perl", "php"}

// missings are their words for it.
var missings = []string{"not found", "nknown command", "No such file or directory", "cannot open ", "can't open file", "No module named ", "Permission denied"}

// unstarted is the line that says that a check was not there to be run; empty: there is none.
func unstarted(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(uncoloured(line))
		who, said, _ := strings.Cut(line, ": ")
		loader := slices.Contains(interpreters, strings.TrimRight(path.Base(who), "0123456789."))
		if loader && slices.ContainsFunc(missings, func(m string) bool { return strings.Contains(said, m) }) || said == "command not found" ||
			strings.HasPrefix(line, "ModuleNotFoundError: ") || strings.HasPrefix(line, "Error: Cannot find module ") {
			return line
		}
	}
	return ""
}

// telling is the line of what a failed check has printed that says most of why: one that names what failed, or else the first that says that something did, has a place in a
// file, or is there at all.
func telling(text string) string {
	var best [4]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(uncoloured(line))
		rank := 3
		switch {
		case line == "" || strings.HasPrefix(line, "Exit code ") || strings.HasPrefix(line, "# "): // the client's own first line; a package of Go's
			continue
		case naming(line):
			return line
		case failing(line) && line != "FAIL" && !strings.HasPrefix(line, "make") && !strings.HasSuffix(line, " failed]"):
			rank = 1
		case placed(line):
			rank = 2
		}
		if best[rank] == "" {
			best[rank] = line
		}
	}
	for _, line := range best {
		if line != "" {
			return line
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return first
}

// namings are what a line begins with that names a test, or an error: go, pytest, unittest, jest, TAP, cargo.
var namings = []string{"--- FAIL: ", "FAILED ", "FAIL: ", "ERROR: ", "ERROR ", "● ", "✕ ", "✗ ", "× ", "not ok ", "error[E", "panic: "}

// naming reports a line that names what failed.
func naming(line string) bool {
	return slices.ContainsFunc(namings, func(begin string) bool { return strings.HasPrefix(line, begin) }) && !strings.HasPrefix(line, "FAILED (") ||
		strings.HasPrefix(line, "test ") && strings.HasSuffix(line, " ... FAILED") || strings.Contains(line, "error TS") || strings.Contains(line, ": error: ")
}

// placed reports a line with a place in a file: a.go:3:5: …
func placed(line string) bool {
	_, rest, ok := strings.Cut(line, ":")
	number, _, more := strings.Cut(rest, ":")
	return ok && more && number != "" && strings.Trim(number, "0123456789") == ""
}

// printed is what a command has printed, or a server's tool has answered, as far as its client says.
func printed(response json.RawMessage) string {
	var all string
	if json.Unmarshal(response, &all) == nil {
		return all
	}
	var parts []string
	var blocks []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(response, &blocks) == nil { // of a server's tool
		for _, b := range blocks {
			parts = append(parts, b.Text)
		}
		return strings.Join(parts, "\n")
	}
	var said map[string]json.RawMessage
	if json.Unmarshal(response, &said) != nil {
		return ""
	}
	for _, name := range []string{"stdout", "stderr", "output", "content", "llmContent"} {
		if part, ok := said[name]; ok {
			parts = append(parts, printed(part))
		}
	}
	return strings.Join(parts, "\n")
}

// failures are what a line begins with by which a tool says that it failed: go, unittest and pytest, cargo, Maven and Gradle, make, npm, TAP.
var failures = []string{"--- FAIL", "FAIL\t", "FAILED (", "FAILED ", "test result: FAILED", "error[E", "error: could not compile", "BUILD FAILED", "[ERROR] BUILD FAILURE", "[INFO] BUILD FAILURE", "npm ERR!", "npm error", "not ok "}

// failing reports a line by which a tool says that it failed.
func failing(line string) bool {
	for _, begin := range failures {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	switch {
	case line == "FAIL", line == "FAILURES!", line == "Failed!":
		return true
	case line != "" && '0' <= line[0] && line[0] <= '9':
		return summing(line)
	case strings.HasPrefix(line, "make"):
		return strings.Contains(line, ": *** ") // make: *** [Makefile:3: test] Error 1
	case strings.HasPrefix(line, "==="):
		return counted(line, " failed") || counted(line, " error") // ==== 1 failed, 2 passed in 0.1s ====
	case strings.HasPrefix(line, "Tests:"), strings.HasPrefix(line, "Test Suites:"), strings.HasPrefix(line, "Tests "), strings.HasPrefix(line, "✖"):
		return counted(line, " failed") || counted(line, " problem") // Tests: 1 failed, 3 passed, 4 total
	}
	return announced(line) || strings.Contains(line, "error TS") && strings.ContainsAny(line, "0123456789") || // src/a.ts(1,2): error TS2322: …
		strings.HasSuffix(line, "...Failed") || // pre-commit
		complaint(line)
}

// announced reports a line that says how many failures there are behind a word of the tool's.
func announced(line string) bool {
	for _, begin := range []string{"# fail ", "ℹ fail "} { // node
		if n, ok := strings.CutPrefix(line, begin); ok {
			return strings.Trim(n, "0") != ""
		}
	}
	return strings.HasPrefix(line, "Found ") && counted(line, " error") || // mypy, ruff
		strings.HasPrefix(line, "Executed ") && counted(line, " failure") || // XCTest
		strings.HasPrefix(line, "Failed!  ") // dotnet
}

// summing reports a line that begins with a number, and says that there are failures.
func summing(line string) bool {
	return (counted(line, " failed") || counted(line, " error")) && strings.Contains(line, " in ") || // 1 failed, 2 passed in 0.12s
		(strings.Contains(line, " example") || strings.Contains(line, " test")) && counted(line, " failure") || // RSpec, ExUnit
		strings.HasSuffix(line, " failing") && counted(line, " failing") || strings.HasSuffix(line, " issues:") || // Mocha, golangci-lint
		strings.HasSuffix(line, " fail") && counted(line, " fail") // Bun
}

// complaint reports a line of a compiler's or a linter's: ./a.go:3:5: undefined: x, a.c:1:2: error: …, a.py:1:1: E302 …. What a search prints has no column.
func complaint(line string) bool {
	file, rest, ok := strings.Cut(strings.TrimPrefix(line, "vet: "), ":")
	if !ok || file == "" || strings.ContainsAny(file, " \t") {
		return false
	}
	row, rest, _ := strings.Cut(rest, ":")
	column, said, placed := strings.Cut(rest, ": ")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	if !digits(row) {
		return false
	}
	if !placed || !digits(column) { // a.py:3: error: …
		return strings.HasPrefix(rest, " error: ")
	}
	code, _, _ := strings.Cut(said, " ")
	letters := strings.TrimRight(code, "0123456789")
	return strings.HasSuffix(file, ".go") || strings.HasPrefix(said, "error: ") || strings.HasPrefix(said, "fatal error: ") ||
		len(code) > len(letters) && letters != "" && strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// counted reports a number, other than none, before a word.
func counted(line, word string) bool {
	before, _, ok := strings.Cut(line, word)
	if !ok {
		return false
	}
	n := before[strings.LastIndexAny(before, " \t")+1:]
	return n != "" && strings.Trim(n, "0123456789") == "" && strings.Trim(n, "0") != ""
}

// uncoloured is a line without the signs that colour it on a terminal.
func uncoloured(line string) string {
	for {
		before, rest, ok := strings.Cut(line, "\x1b[")
		if !ok {
			return line
		}
		_, after, ok := strings.Cut(rest, "m")
		if !ok {
			return before
		}
		line = before + after
	}
}
