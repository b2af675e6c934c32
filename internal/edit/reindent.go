package edit

import (
	"fmt"
	"strings"
)

// reindent gives the replacement lines the indentation that the lines in the file have where the search lines have theirs. It
// knows three ways in which a proposal can be off, and refuses every other: all lines lack the same indentation, all have
// the same too much, or each depth is written in another way (tabs for blanks).
func reindent(search, file, replace []string) ([]string, error) {
	depths := map[string]string{} // indentation in the proposal → in the file
	add, cut := "", ""
	adds, cuts, maps := true, true, true
	first := true
	for i, s := range search {
		if strings.TrimSpace(s) == "" {
			continue
		}
		have, want := indentOf(s), indentOf(file[i])
		if first {
			add, cut, first = strings.TrimSuffix(want, have), strings.TrimSuffix(have, want), false
		}
		adds = adds && want == add+have
		cuts = cuts && have == cut+want
		if known, ok := depths[have]; ok && known != want {
			maps = false
		}
		depths[have] = want
	}
	out := make([]string, len(replace))
	for i, line := range replace {
		if strings.TrimSpace(line) == "" {
			continue // a line without words has no blanks either
		}
		indent := indentOf(line)
		want, known := depths[indent]
		switch {
		case adds:
			out[i] = add + line
		case cuts && strings.HasPrefix(line, cut):
			out[i] = line[len(cut):]
		case maps && known:
			out[i] = want + line[len(indent):]
		default:
			return nil, fmt.Errorf("the search text is indented otherwise than the file, and line %d of the replacement (%q) has an indentation that it does not explain", i+1, line)
		}
	}
	return out, nil
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }
