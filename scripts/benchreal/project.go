package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettle/scripts/release"
)

// Project is a real project at one version, and the faults that are put into it.
type Project struct {
	release.Release `yaml:",inline"`
	Language        string   `yaml:"language"`
	Versions        []string `yaml:"versions"` // commands that print the versions of its own tools
	Why             string   `yaml:"why"`      // why it needs a fettle.yaml
	Checks          []string `yaml:"checks"`   // the names of the checks that fettle must come to
	Faults          []Fault  `yaml:"faults"`
}

// Fault is one exact change for the worse.
type Fault struct {
	Kind     string     `yaml:"kind"` // one of kinds
	What     string     `yaml:"what"` // in one line
	Check    string     `yaml:"check"`
	File     string     `yaml:"file"`
	Find     string     `yaml:"find"`    // stands exactly once in the file
	Replace  string     `yaml:"replace"` // what comes in its place
	Reviewed []Reviewed `yaml:"reviewed"`
}

// Reviewed is another text that fettle has put in a fault's place, read by a person.
type Reviewed struct {
	Text       string `yaml:"text"`
	Equivalent bool   `yaml:"equivalent"` // it does what the original does
	Because    string `yaml:"because"`
}

// kinds are the faults that every project has, in this order.
var kinds = []string{"format", "lint", "type", "logic", "logic"}

// languages are those that a project can be in, in the order of the table.
var languages = []string{"Go", "Python", "JavaScript", "Rust", "Java"}

// loadProjects reads every project's file, in the order of the table.
func loadProjects(fsys fs.FS) ([]Project, error) {
	all, err := release.Load(fsys, func(p *Project) (string, error) { return p.Name, p.validate() })
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b Project) int {
		return slices.Index(languages, a.Language) - slices.Index(languages, b.Language)
	})
	return all, nil
}

// validate says everything that is wrong with a project's file and can be known without its archive.
func (p Project) validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if err := p.Validate(); err != nil {
		errs = append(errs, err)
	}
	if !slices.Contains(languages, p.Language) {
		bad("language %q is none of %s", p.Language, strings.Join(languages, ", "))
	}
	if len(p.Checks) == 0 {
		bad("checks: say which checks fettle must find")
	}
	if (p.Config == "") != (p.Why == "") {
		bad("config and why go together")
	}
	var have []string
	seen := map[string]bool{}
	for i, f := range p.Faults {
		have = append(have, f.Kind)
		if err := f.validate(p.Checks); err != nil {
			bad("fault %d: %w", i+1, err)
		}
		if seen[f.File+"\x00"+f.Find] {
			bad("fault %d stands twice", i+1)
		}
		seen[f.File+"\x00"+f.Find] = true
	}
	if !slices.Equal(have, kinds) {
		bad("the kinds of its faults are %v, not %v", have, kinds)
	}
	return errors.Join(errs...)
}

func (f Fault) validate(checks []string) error {
	switch {
	case f.What == "" || strings.Contains(f.What, "\n"):
		return errors.New("what: say it in one line")
	case !slices.Contains(checks, f.Check):
		return fmt.Errorf("check %q is none of the project's", f.Check)
	case f.File == "" || path.Clean(f.File) != f.File || !filepath.IsLocal(f.File):
		return fmt.Errorf("file %q is no path in the project", f.File)
	case f.Find == f.Replace:
		return errors.New("it changes nothing")
	case f.Find == "" || f.Replace == "":
		return errors.New("find and replace must both say something, so that each can be found again")
	}
	for _, r := range f.Reviewed {
		if r.Text == "" || r.Because == "" {
			return errors.New("reviewed: text and because are needed")
		}
	}
	return nil
}

// put returns the file's content with the fault in it.
func (f Fault) put(content []byte) ([]byte, error) {
	if n := bytes.Count(content, []byte(f.Find)); n != 1 {
		return nil, fmt.Errorf("%s: the text to replace (%s) stands there %d times, not once", f.File, f.What, n)
	}
	return bytes.Replace(content, []byte(f.Find), []byte(f.Replace), 1), nil
}

// as returns the file's content with another text in the fault's place.
func (f Fault) as(content []byte, text string) ([]byte, error) {
	f.Replace = text
	return f.put(content)
}

// line is the number of the first line that the fault changes.
func (f Fault) line(content []byte) int {
	at := bytes.Index(content, []byte(f.Find))
	same := 0
	for same < min(len(f.Find), len(f.Replace)) && f.Find[same] == f.Replace[same] {
		same++
	}
	return 1 + bytes.Count(content[:at+same], []byte("\n"))
}

// lines is the number of lines that the fault covers, from that first line on.
func (f Fault) lines() int {
	return 1 + max(strings.Count(f.Find, "\n"), strings.Count(f.Replace, "\n"))
}

// tryFaults puts every fault into the tree's files on paper: each on its own and all together.
func (p Project) tryFaults(dir string) error {
	together := map[string][]byte{}
	for _, f := range p.Faults {
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.File)))
		if err != nil {
			return err
		}
		if _, err := f.put(b); err != nil {
			return err
		}
		if together[f.File] == nil {
			together[f.File] = b
		}
		if together[f.File], err = f.put(together[f.File]); err != nil {
			return fmt.Errorf("together with the others: %w", err)
		}
	}
	return nil
}
