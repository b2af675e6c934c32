package trees

import (
	"fmt"
	"strings"

	"fettle/internal/pattern"
)

var (
	makeRule     = pattern.New(`^([\w./ -]+?)\s*:([^:=].*)?$`)
	makeVariable = pattern.New(`^([A-Za-z_]\w*)\s*(\?=|:=|::=|=)\s*(.*)$`)
)

// Makefile reads a makefile of plain rules and variables: what each target needs, and its recipe. One with conditions, patterns, or files that it includes is an error.
func Makefile(src []byte) (Tree, error) {
	targets, variables := Tree{}, Tree{}
	all := Tree{"targets": targets, "variables": variables}
	var open []string
	text := strings.ReplaceAll(string(src), "\\\n", " ")
	for line := range strings.SplitSeq(text, "\n") {
		plain := strings.TrimSpace(line)
		if m := makeVariable.FindStringSubmatch(line); m != nil {
			variables[m[1]] = m[3]
			open = nil
			continue
		}
		rule := makeRule.FindStringSubmatch(line)
		switch {
		case plain == "" || strings.HasPrefix(plain, "#"):
		case strings.HasPrefix(line, "\t") && open != nil:
			for _, name := range open {
				own := Of(targets[name])
				if own["made"] != nil {
					return nil, fmt.Errorf("read makefile: %s is made in two ways: %w", name, errNoTree)
				}
				own["recipe"] = append(List(own["recipe"]), strings.Join(strings.Fields(plain), " "))
			}
		case strings.HasPrefix(plain, ".DEFAULT_GOAL"):
			_, goal, _ := strings.Cut(plain, "=")
			all["goal"] = strings.TrimSpace(goal)
		case rule == nil || strings.ContainsAny(line, "%=;"):
			return nil, fmt.Errorf("read makefile: %w", errNoTree)
		default:
			open = strings.Fields(rule[1])
			for _, name := range open {
				own := Of(targets[name])
				if own == nil {
					own = Tree{}
					targets[name] = own
				}
				if own["recipe"] != nil {
					own["made"] = "already"
				}
				needs, _, _ := strings.Cut(rule[2], "#")
				own["needs"] = append(List(own["needs"]), anyOfWords(strings.Fields(needs))...)
			}
			if all["goal"] == nil && !strings.HasPrefix(open[0], ".") {
				all["goal"] = open[0]
			}
		}
	}
	return all, nil
}

func anyOfWords(words []string) []any {
	all := []any{}
	for _, w := range words {
		all = append(all, w)
	}
	return all
}
