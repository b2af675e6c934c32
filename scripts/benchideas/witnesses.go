package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/fix/search"
)

// witnessed are the bugs that people found an idea to mend, a line each: the idea, the bug, where it is told of.
//
//go:embed witnesses.tsv
var witnessed string

// witnesses reads such bugs, as links, by idea.
func witnesses(text string) (map[string][]string, error) {
	out, ideas := map[string][]string{}, search.Ideas()
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 3 {
			return nil, fmt.Errorf("witnesses.tsv:%d: an idea, a bug and an address are wanted, with tabs between them", i+1)
		}
		idea, link := parts[0], fmt.Sprintf("[%s](%s)", parts[1], parts[2])
		switch {
		case !slices.Contains(ideas, idea):
			return nil, fmt.Errorf("witnesses.tsv:%d: there is no idea %q", i+1, idea)
		case slices.Contains(out[idea], link):
			return nil, fmt.Errorf("witnesses.tsv:%d: %s stands there twice", i+1, parts[1])
		}
		out[idea] = append(out[idea], link)
	}
	return out, nil
}
