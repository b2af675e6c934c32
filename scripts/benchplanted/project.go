package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"fettle/scripts/release"
)

// Project is a real project at one version, into whose sources faults are planted.
type Project struct {
	release.Release `yaml:",inline"`
	Language        string   `yaml:"language"`
	Sources         []string `yaml:"sources"` // where faults are put: patterns of names, or folders that end in a slash
	Check           string   `yaml:"check"`   // how its tests run, as in fettle.yaml; empty: as usual in its language
}

// languages are those that a project can be in, in the order of the table, with the way in which tests usually run.
var languages = []struct{ name, check string }{
	{"Python", `{run: [.venv/bin/python, -m, pytest, -q, --tb=short, -p, "no:cacheprovider", -o, junit_family=xunit1, "--junit-xml={report}"], parser: pytest-junit, timeout: 60s}`},
	{"Go", `{run: [go, test, -json, -vet=off, -timeout=50s, ./...], parser: gotest, timeout: 120s}`},
	{"JavaScript", ""}, // every project has its own
	{"Java", `{run: [mvn, -q, -B, -o, test], timeout: 180s, lang: java}`},
}

// config is the project's fettle.yaml: its tests are the one check. The first candidate is applied however sure fettle is of it, because what is
// measured is what it holds likeliest, and how sure it is.
func (p Project) config() string {
	how := p.Check
	for _, l := range languages {
		if l.name == p.Language && how == "" {
			how = l.check
		}
	}
	return "version: 1\nchecks:\n  test: " + how + "\nlimits: {confidence: 0, iterations: 1}\n"
}

// loadProjects reads every project's file, by language and name.
func loadProjects(fsys fs.FS) ([]Project, error) {
	all, err := release.Load(fsys, func(p *Project) (string, error) { return p.Name, p.validate() })
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Config = all[i].config()
	}
	slices.SortStableFunc(all, func(a, b Project) int { return a.order() - b.order() })
	return all, nil
}

// order is the place of the project's language.
func (p Project) order() int {
	for i, l := range languages {
		if l.name == p.Language {
			return i
		}
	}
	return -1
}

// validate says everything that is wrong with a project's file and can be known without its archive.
func (p Project) validate() error {
	errs := []error{p.Validate()}
	if p.order() < 0 {
		errs = append(errs, fmt.Errorf("language %q is unknown", p.Language))
	}
	if len(p.Sources) == 0 {
		errs = append(errs, errors.New("sources: say where faults are put"))
	}
	for _, s := range p.Sources {
		if _, err := filepath.Match(s, ""); err != nil {
			errs = append(errs, fmt.Errorf("sources: %s: %w", s, err))
		}
	}
	if p.Config != "" {
		errs = append(errs, errors.New("config: it is made of check"))
	}
	return errors.Join(errs...)
}
