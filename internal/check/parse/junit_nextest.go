package parse

import (
	"strings"
)

// nextestCase is a test case of cargo-nextest, whose suites are test programs: "calc" for a library's own tests,
// "calc::it" for the file tests/it.rs, "calc::bin/calc" for a program's. Its id is the one that cargo test gives.
func (j *junit) nextestCase(c *junitCase) {
	program := c.class
	if n := len(j.suites); program == "" && n > 0 {
		program = j.suites[n-1]
	}
	if _, target, ok := cutLast(program, "::"); ok {
		program = target[strings.LastIndexByte(target, '/')+1:]
	}
	id := strings.TrimPrefix(rustName(program)+"::"+c.name, "::")
	j.test(id, c.outcome, seconds(c.time))
	for _, f := range c.faults {
		text := strings.Split(cleanText(f.text), "\n")
		d := j.rustFault(text, c.name, "")
		if d.Message == "the test failed" && f.message != "" {
			d.Message = firstLine(f.message)
		}
		d.Tool, d.Test = "cargo", id
		j.add(d)
	}
}
