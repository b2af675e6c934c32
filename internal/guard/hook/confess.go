package hook

import (
	"encoding/json"
	"strings"
)

// confesses is the first line of what a check has printed that says it failed, where its exit code does not tell: behind a pipe, a list or a `|| true` it is
// another program's, and not every client says it (coded). Empty: none does.
func confesses(o *occasion, coded bool) string {
	var in struct {
		Command string `json:"command"`
		Cmd     string `json:"cmd"`
	}
	if json.Unmarshal(o.Input, &in) != nil || coded && !strings.ContainsAny(in.Command+in.Cmd, "|;&\n") {
		return ""
	}
	for line := range strings.Lines(printed(o.Response)) {
		if line = strings.TrimSpace(uncoloured(line)); failing(line) {
			return line
		}
	}
	return ""
}

// printed is what a command has printed, as far as its client says.
func printed(response json.RawMessage) string {
	var all string
	if json.Unmarshal(response, &all) == nil {
		return all
	}
	var said map[string]json.RawMessage
	if json.Unmarshal(response, &said) != nil {
		return ""
	}
	var parts []string
	for _, name := range []string{"stdout", "stderr", "output"} {
		var text string
		if json.Unmarshal(said[name], &text) == nil {
			parts = append(parts, text)
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
	case line == "FAIL":
		return true
	case strings.HasPrefix(line, "make"):
		return strings.Contains(line, ": *** ") // make: *** [Makefile:3: test] Error 1
	case strings.HasPrefix(line, "==="):
		return counted(line, " failed") || counted(line, " error") // ==== 1 failed, 2 passed in 0.1s ====
	case strings.HasPrefix(line, "Tests:"), strings.HasPrefix(line, "Test Suites:"), strings.HasPrefix(line, "Tests "), strings.HasPrefix(line, "✖"):
		return counted(line, " failed") || counted(line, " problem") // Tests: 1 failed, 3 passed, 4 total
	}
	return strings.Contains(line, "error TS") && strings.ContainsAny(line, "0123456789") // src/a.ts(1,2): error TS2322: …
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
