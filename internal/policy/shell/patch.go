package shell

import (
	"strconv"
	"strings"
)

// patch changes the files that a patch names, which is an operand, an option's value, or what it reads.
func patch(v *invocation, args []value) (value, bool) {
	strip, text := -1, v.in
	for i, a := range args {
		if n, ok := strings.CutPrefix(a.text, "-p"); ok {
			strip = atoi(n, strip)
		}
		if n, ok := strings.CutPrefix(a.text, "--strip="); ok {
			strip = atoi(n, strip)
		}
		if (a.text == "-i" || a.text == "--input") && i+1 < len(args) {
			text = v.readFile(args[i+1], v.name)
		}
	}
	if len(v.operands) > 1 {
		text = v.readFile(v.operands[1], v.name)
	}
	if text.from&(fromNetwork|fromDecoder) != 0 {
		v.fact(Fact{Kind: Code, Target: "a patch", By: v.name})
	}
	if len(v.operands) == 0 {
		v.patched(text, strip)
	}
	return value{}, false
}

func atoi(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}

// patched notes the files that a patch names; where that is not known, those of the folder.
func (v *invocation) patched(text value, strip int) {
	if text.holed() || text.empty() {
		at := v.locate(known("."), v.cwd)
		if at.path == v.at.Root {
			at.zone = Project
		}
		v.fact(at.fact(Format, v.name))
	}
	if exact, known := text.exact(); known && exact != "" && !strings.Contains(exact, "\n@@ ") { // a form of patch that is not read here
		v.fact(Fact{Kind: Code, Target: "a patch", By: v.name})
	}
	for line := range strings.Lines(text.text) {
		name, ok := strings.CutPrefix(line, "+++ ")
		if !ok {
			name, ok = strings.CutPrefix(line, "--- ")
		}
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(strings.TrimSpace(name), "\t")
		if name == "/dev/null" {
			continue
		}
		rest := name
		for n := strip; n > 0; n-- {
			if _, after, found := strings.Cut(rest, "/"); found {
				rest = after
			}
		}
		if strip < 0 {
			rest = strings.TrimPrefix(strings.TrimPrefix(rest, "a/"), "b/")
		}
		v.change(Writes, value{rest, text.from})
	}
}
