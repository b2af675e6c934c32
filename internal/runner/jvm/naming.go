package jvm

import (
	"maps"
	"slices"
	"strings"

	"fettle/internal/runner"
)

// naming matches the names of tests in reports to what a machine runs.
type naming struct {
	events map[string]event    // by key
	exact  map[string][]string // keys by the name that is most exact
	loose  map[string][]string // keys by the others
}

func newNaming(events []event) *naming {
	n := &naming{events: map[string]event{}, exact: map[string][]string{}, loose: map[string][]string{}}
	n.add(events)
	return n
}

func (n *naming) add(events []event) {
	for _, e := range events {
		if _, had := n.events[e.key]; e.outcome == "none" || had {
			continue
		}
		n.events[e.key] = e
		for i, name := range e.names {
			to := n.loose
			if i == 0 {
				to = n.exact
			}
			if name = plainName(name); !slices.Contains(to[name], e.key) {
				to[name] = append(to[name], e.key)
			}
		}
	}
}

// plainName is a name with what differs from version to version of the tools put the same way.
func plainName(s string) string {
	return strings.TrimSuffix(strings.NewReplacer("{", "(", "}", ")", ", ", ",").Replace(s), "()")
}

// keys are those of the test that has this id; none when nothing of the name ran.
func (n *naming) keys(id string) []string {
	id = plainName(id)
	if k := n.exact[id]; len(k) > 0 {
		return k
	}
	return n.loose[id]
}

func (n *naming) passed(t test) bool {
	return !slices.ContainsFunc(t.keys, func(k string) bool { return n.events[k].outcome != "pass" })
}

// passed reports whether all of a test's keys have passed in a run of the stage that it was placed in.
func (t *test) passed(bits string) bool {
	return !slices.ContainsFunc(t.at, func(i int) bool { return i >= len(bits) || bits[i] != '1' })
}

// place lists the keys of tests, each once, and notes for each test where its own are.
func place(tests []test) []string {
	var keys []string
	at := map[string]int{}
	for i := range tests {
		t := &tests[i]
		t.at = nil
		for _, k := range t.keys {
			if _, had := at[k]; !had {
				at[k] = len(keys)
				keys = append(keys, k)
			}
			t.at = append(t.at, at[k])
		}
	}
	return keys
}

func classOf(id string) string {
	class, _, _ := strings.Cut(id, "#")
	return class
}

// methodOf is a test's class and method, without what tells apart its runs with several arguments.
func methodOf(id string) string {
	at := strings.Index(id, "#") + 1
	if i := strings.IndexAny(id[at:], "([{ "); i >= 0 {
		return id[:at+i]
	}
	return id
}

// classesOf are the classes of tests, and those around them, sorted.
func classesOf(ids []string) []string {
	set := map[string]bool{}
	for _, id := range ids {
		class := classOf(id)
		set[class] = true
		outer, _, _ := strings.Cut(class, "$")
		set[outer] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// nearest puts classes in order of how much their names have in common with those of the failing tests.
func nearest(classes, failing []string) []string {
	near := map[string]int{}
	for _, c := range classes {
		for _, id := range failing {
			f := classOf(id)
			n := shared(strings.ReplaceAll(c, ".", "/"), strings.ReplaceAll(f, ".", "/")) * 2
			if c == f {
				n++
			}
			near[c] = max(near[c], n)
		}
	}
	slices.SortStableFunc(classes, func(a, b string) int { return near[b] - near[a] })
	return classes
}

// ordered puts passing tests in the order of their classes. Within one, those of a method that also fails with other arguments come first, then
// some of each method.
func (s *suite) ordered(passing []test, classes []string) []test {
	place := map[string]int{}
	for i, c := range classes {
		place[c] = 2*i + 1
	}
	failing := map[string]bool{}
	for _, id := range s.group.failing {
		failing[methodOf(id)] = true
	}
	by := map[string]test{}
	var ids []string
	for _, x := range passing {
		by[x.id] = x
		ids = append(ids, x.id)
	}
	out := make([]test, 0, len(passing))
	for _, id := range runner.Nearest(ids, func(id string) int {
		if failing[methodOf(id)] {
			return place[classOf(id)] - 1
		}
		return place[classOf(id)]
	}, methodOf) {
		out = append(out, by[id])
	}
	return out
}
