package check

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/near"
)

// Select picks checks by name, in the order of the configuration: a kind ("lint"), a whole name or its beginning up to a
// dot ("lint.ruff"), "all", or "check" (all but the tests). No names at all are all checks. A name that picks nothing is a
// *NameError that says what there is.
func (c *Config) Select(names []string) ([]Check, error) {
	if len(names) == 0 {
		return slices.Clone(c.Checks), nil
	}
	picked := make([]bool, len(c.Checks))
	for _, name := range names {
		found := false
		for i, k := range c.Checks {
			if k.answersTo(name) {
				picked[i], found = true, true
			}
		}
		if !found {
			return nil, c.unknown(name)
		}
	}
	var out []Check
	for i, k := range c.Checks {
		if picked[i] {
			out = append(out, k)
		}
	}
	return out, nil
}

func (c Check) answersTo(name string) bool {
	switch name {
	case All:
		return true
	case Quality:
		return c.Kind() != "test"
	}
	return c.Name == name || strings.HasPrefix(c.Name, name+".")
}

// unknown says that no check answers to a name.
func (c *Config) unknown(name string) error {
	e := &NameError{Given: name}
	if strings.HasPrefix(name, "-") {
		_, _, err := ValidateCommand(&name, nil)
		return err
	}
	if len(c.Checks) == 0 {
		e.Message = "This repository has no checks\nWrite some into " + FileName
		return e
	}
	var here []string
	for _, k := range c.Checks {
		here = append(here, k.Name)
	}
	have := "\nChecks of this repository: " + strings.Join(here, ", ")
	if slices.Contains(Commands(), name) {
		e.Message = "This repository has no check of the kind " + quote(name) + have
		return e
	}
	for _, k := range c.Checks {
		here = append(here, k.Kind())
	}
	e.Message, e.Meant = "Unknown check: "+quote(name)+have, near.Name(name, append(here, All, Quality))
	return e
}

// Pick picks checks by what a person wrote: names as [Config.Select] takes them, and targets as [ParseTarget] reads them
// in the folder root, seen from the folder from (a slash path from the root, see [From]). A name that could be both is the
// check's (write ./test for the folder). For a target it picks the test checks that can run it, narrowed; a check that was
// also named itself stays whole. The targets come back too.
func (c *Config) Pick(root, from string, args []string) ([]Check, []Target, error) {
	if len(args) == 0 {
		checks, err := c.Select(nil)
		return checks, nil, err
	}
	whole := make([]bool, len(c.Checks))
	parts := make([][]Target, len(c.Checks))
	var targets []Target
	for _, arg := range args {
		found := false
		for i, k := range c.Checks {
			if k.answersTo(arg) {
				whole[i], found = true, true
			}
		}
		if found {
			continue
		}
		t, ok, err := ParseTarget(root, From(root, from, arg))
		if err != nil && ok {
			return nil, nil, err
		}
		if !ok {
			return nil, nil, c.unknown(arg)
		}
		if err := c.assign(t, parts); err != nil {
			return nil, nil, err
		}
		targets = append(targets, t)
	}
	var out []Check
	for i, k := range c.Checks {
		switch {
		case whole[i]:
			out = append(out, k)
		case len(parts[i]) > 0:
			n, ok := k.Narrow(parts[i]...)
			if !ok { // each part alone can be named, all together cannot
				n = k
			}
			out = append(out, n)
		}
	}
	return out, targets, nil
}

// assign gives a target to every test check that can run it alone.
func (c *Config) assign(t Target, parts [][]Target) error {
	found := false
	for i, k := range c.Checks {
		if k.Kind() != "test" || t.Lang != "" && k.Lang != "" && t.Lang != k.Lang {
			continue
		}
		if _, ok := k.Narrow(t); ok {
			parts[i] = append(parts[i], t)
			found = true
		}
	}
	if !found {
		return fmt.Errorf("no test check of this repository can run %s alone; name a whole check instead", t)
	}
	return nil
}
