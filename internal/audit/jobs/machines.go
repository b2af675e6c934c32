package jobs

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// job is a job of CI, by where and with what it runs.
type job struct {
	line    int
	systems []string            // kinds of machines; nil, where nobody can tell
	axes    map[string][]string // of its matrix
	rows    map[string]int      // how many it includes and excludes
	without []map[string]string // what it excludes, by its axes
	uses    string              // all of it but its matrix
}

// Machines looks for jobs that check something, and do so on fewer systems, or with fewer versions, than before.
func Machines(before, after []byte) []Loss {
	was, is := readJobs(before), readJobs(after)
	var all []Loss
	for _, name := range slices.Sorted(maps.Keys(was)) {
		now, stays := is[name]
		if !stays {
			continue
		}
		for _, g := range fewer(was[name], now) {
			all = append(all, Loss{Line: now.line, Evidence: fmt.Sprintf("%s: these checks run on less than before (%s)", name, g.what), Values: g.values, Oldest: g.oldest})
		}
	}
	return all
}

// narrowing is what a job does not run on any more.
type narrowing struct {
	what   string
	values []string
	oldest bool // what is gone are the lowest versions, and there are still others
}

func fewer(was, is job) []narrowing {
	var all []narrowing
	if gone := trees.Without(was.systems, is.systems); len(gone) > 0 && is.systems != nil {
		all = append(all, narrowing{what: strings.Join(gone, ", ")})
	}
	for _, axis := range slices.Sorted(maps.Keys(was.axes)) {
		gone := trees.Without(was.axes[axis], is.axes[axis])
		used := "matrix." + axis
		switch {
		case len(is.axes[axis]) < len(was.axes[axis]) && len(was.axes[axis]) > 1:
			all = append(all, narrowing{axis + ": " + strings.Join(gone, ", "), gone, oldest(gone, is.axes[axis])})
		case strings.Contains(was.uses, used) && !strings.Contains(is.uses, used) && len(is.axes[axis]) > 1:
			all = append(all, narrowing{what: axis + " is not used"})
		}
	}
	if excluded(was, is) > was.rows["exclude"] && len(all) == 0 {
		all = append(all, narrowing{what: "exclude"})
	}
	if is.rows["include"] < was.rows["include"] && len(is.axes) <= len(was.axes) && len(all) == 0 {
		all = append(all, narrowing{what: "include"})
	}
	return all
}

// excluded counts what a job excludes of what it ran on: where a value is new, what is excluded with it never ran.
func excluded(was, is job) int {
	count := 0
	for _, row := range is.without {
		fresh := false
		for axis, value := range row {
			fresh = fresh || len(was.axes[axis]) > 0 && !slices.Contains(was.axes[axis], value)
		}
		if !fresh {
			count++
		}
	}
	return count
}

// oldest reports whether some versions are lower than all of at least two others.
func oldest(gone, left []string) bool {
	if len(gone) == 0 || len(left) < 2 {
		return false
	}
	for _, g := range gone {
		for _, l := range left {
			if !versionWord.MatchString(g) || !versionWord.MatchString(l) || !lower(g, l) {
				return false
			}
		}
	}
	return true
}

var versionWord = pattern.New(`^v?\d+(\.(\d+|x|\*))*$`)

// lower compares two versions part by part.
func lower(a, b string) bool {
	x, y := strings.Split(strings.TrimPrefix(a, "v"), "."), strings.Split(strings.TrimPrefix(b, "v"), ".")
	for i := range min(len(x), len(y)) {
		if m, n := numbered(x[i]), numbered(y[i]); m != n {
			return m < n
		}
	}
	return false
}

// numbered is a part of a version that is a number, and 0 for one that is none.
func numbered(part string) float64 {
	n, _ := strconv.ParseFloat(part, 64)
	return n
}

// readJobs reads those of a workflow of GitHub's and its like that check something.
func readJobs(src []byte) map[string]job {
	var root yaml.Node
	if yaml.Unmarshal(src, &root) != nil || len(root.Content) == 0 {
		return nil
	}
	list := trees.Under(root.Content[0], "jobs")
	if list == nil {
		return nil
	}
	all := make(map[string]job)
	for i := 0; i+1 < len(list.Content); i += 2 {
		if n := list.Content[i+1]; n.Kind == yaml.MappingNode && len(checksBelow(n)) > 0 {
			all[list.Content[i].Value] = readJob(n)
		}
	}
	return all
}

func readJob(n *yaml.Node) job {
	j := job{line: n.Line, axes: make(map[string][]string), rows: make(map[string]int)}
	var rows []*yaml.Node
	if strategy := trees.Under(n, "strategy"); strategy != nil {
		j.line = strategy.Line
		if matrix := trees.Under(strategy, "matrix"); matrix != nil {
			for i := 0; i+1 < len(matrix.Content); i += 2 {
				name, values := matrix.Content[i].Value, matrix.Content[i+1]
				switch {
				case name == "include" || name == "exclude":
					j.rows[name] = len(values.Content)
					if name == "include" {
						rows = values.Content
						continue
					}
					for _, row := range values.Content {
						j.without = append(j.without, pairsIn(row))
					}
				case values.Kind == yaml.SequenceNode:
					j.axes[name] = scalars(values)
				}
			}
		}
	}
	j.systems = systemsOf(trees.Under(n, "runs-on"), j.axes, rows)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != "strategy" {
			j.uses += strings.Join(scalars(n.Content[i+1]), "\n")
		}
	}
	return j
}

// pairsIn are the names and plain values of a part of a file.
func pairsIn(n *yaml.Node) map[string]string {
	all := make(map[string]string)
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		all[n.Content[i].Value] = n.Content[i+1].Value
	}
	return all
}

// scalars are the values in a part of a file, each without the names of those that have names.
func scalars(n *yaml.Node) []string {
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var all []string
	for _, k := range n.Content {
		all = append(all, scalars(k)...)
	}
	return all
}

// systemsOf are the kinds of machines that a job runs on: as it says, or as its matrix does; nil where something else decides.
func systemsOf(runsOn *yaml.Node, axes map[string][]string, rows []*yaml.Node) []string {
	if runsOn == nil {
		return nil
	}
	names := scalars(runsOn)
	if m := ofMatrix.FindStringSubmatch(strings.Join(names, " ")); m != nil {
		names = slices.Clone(axes[m[1]])
		for _, r := range rows {
			if v := trees.Under(r, m[1]); v != nil {
				names = append(names, v.Value)
			}
		}
	}
	var all []string
	for _, name := range names {
		if strings.Contains(name, "${{") {
			return nil
		}
		for kind, words := range systems {
			if words.MatchString(name) && !slices.Contains(all, kind) {
				all = append(all, kind)
			}
		}
	}
	slices.Sort(all)
	return all
}

var ofMatrix = pattern.New(`^\s*\$\{\{\s*matrix\.([\w-]+)\s*\}\}\s*$`)

// systems are the kinds of machines, by what their names have in them.
var systems = map[string]*pattern.Pattern{"Linux": pattern.New(`(?i)ubuntu|linux|debian|alpine`), "Windows": pattern.New(`(?i)windows|\bwin`), "macOS": pattern.New(`(?i)macos|\bmac\b|darwin|osx`)}
