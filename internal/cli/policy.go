package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fettle/internal/check"
	"fettle/internal/guard/hook"
	"fettle/internal/policy/shell"
	"fettle/internal/policy/shell/tables"
)

// policies are what is added to fettle's own policy, by those who may: the user, and the project.
type policies struct {
	user    *tables.Document
	project *tables.Document
	from    []hook.Source // the files that they were read from, as they looked before; also when they cannot be used
}

// policiesFor reads the user's policy and that of the project around a place. What cannot be read is an error of wrong use: a guard must not go on
// with a part of what it was told.
func policiesFor(at shell.Place) (*policies, error) {
	var p policies
	for _, name := range hook.Sources(os.Getenv, at.Home, at.Root) {
		p.from = append(p.from, hook.See(name))
	}
	var err error
	if p.user, err = p.readUser(p.from[0].Path); err == nil {
		p.project, err = p.readProject(at.Root)
	}
	if err == nil {
		err = named(p.user.Programs, p.user, p.project)
	}
	return &p, err
}

// named reports a rule of some policies that can match no program, where these are described.
func named(programs []shell.Program, docs ...*tables.Document) error {
	for _, d := range docs {
		if err := d.Named(programs); err != nil {
			return usage("%w", err)
		}
	}
	return nil
}

// settles reports that the user's own file says anything that the guard goes by.
func (p *policies) settles() bool {
	return len(p.user.Programs)+len(p.user.Rules) > 0 || p.user.Validator != nil || p.user.Telemetry != nil
}

// policy is the policy that counts: the user's, tightened by the project's.
func (p *policies) policy() *shell.Policy {
	return &shell.Policy{Programs: p.user.Programs, Rules: p.user.Rules, Stricter: p.project.Rules}
}

// readUser reads a user's own policy, and the files that it names. Without one it is empty.
func (p *policies) readUser(name string) (*tables.Document, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &tables.Document{}, nil
	}
	if err != nil {
		return nil, usage("the policy cannot be read: %w", err)
	}
	doc, err := tables.Read(name, data)
	if err != nil {
		return nil, usage("%w", err)
	}
	if _, err := telemetryOf(doc.Telemetry); err != nil {
		return nil, usage("%w", err)
	}
	return doc, merge(doc, func(file string) ([]byte, string, error) {
		file = namedIn(filepath.Dir(name), file)
		p.from = append(p.from, hook.See(file))
		data, err := os.ReadFile(file)
		return data, file, err
	})
}

// readProject reads the policy of a project's fettle.yaml, and the files that it names: only those of the project itself.
func (p *policies) readProject(root string) (*tables.Document, error) {
	dir, err := os.OpenRoot(root)
	if err != nil { // a folder that is not on this machine has no policy
		return &tables.Document{}, nil
	}
	defer func() { _ = dir.Close() }() // only read
	data, err := dir.ReadFile(check.FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return &tables.Document{}, nil
	}
	if err != nil {
		return nil, usage("the policy cannot be read: %w", err)
	}
	doc, err := tables.Section(check.FileName, data)
	if err == nil {
		err = merge(doc, func(file string) ([]byte, string, error) {
			p.from = append(p.from, hook.See(filepath.Join(root, filepath.FromSlash(file))))
			data, err := dir.ReadFile(filepath.FromSlash(file))
			return data, file, err
		})
	}
	if err != nil {
		return nil, usage("%w", err)
	}
	if len(doc.Programs) > 0 {
		return nil, usage("%s: a project describes no programs, for to describe one is to allow it; %s is the place for them", check.FileName, "~/.config/fettle/policy.yaml")
	}
	if doc.Validator != nil {
		return nil, usage("%w", &tables.Error{File: doc.Validator.File, Line: doc.Validator.Line, Text: "a project names no validator, for that is a program of yours that the guard starts; ~/.config/fettle/policy.yaml is the place for it"})
	}
	if doc.Telemetry != nil {
		return nil, usage("%w", &tables.Error{File: doc.Telemetry.File, Line: doc.Telemetry.Line, Text: "a project names no telemetry, for what you do is sent there; ~/.config/fettle/policy.yaml is the place for it"})
	}
	return doc, nil
}

// namedIn is where a name leads that stands in a file of a folder.
func namedIn(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// merge reads the files that a policy names into it. They name no further ones.
func merge(doc *tables.Document, open func(string) (data []byte, name string, err error)) error {
	ids := map[string]bool{}
	for _, r := range doc.Rules {
		ids[r.ID] = true
	}
	for _, f := range doc.Files {
		data, name, err := open(f.Name)
		if err != nil {
			return usage("%w", &tables.Error{File: f.File, Line: f.Line, Text: fmt.Sprintf("the policy %s cannot be read: %v", f.Name, err)})
		}
		more, err := tables.Read(name, data)
		switch {
		case err != nil:
			return usage("%w", err)
		case len(more.Files) > 0:
			return usage("%w", &tables.Error{File: name, Line: more.Files[0].Line, Text: "a file that a policy names does not name others"})
		}
		if more.Validator != nil {
			return usage("%w", &tables.Error{File: name, Line: more.Validator.Line, Text: "the validator is named by the policy itself"})
		}
		if more.Telemetry != nil {
			return usage("%w", &tables.Error{File: name, Line: more.Telemetry.Line, Text: "telemetry is named by the policy itself"})
		}
		for _, r := range more.Rules {
			if ids[r.ID] {
				return usage("%w", &tables.Error{File: name, Text: "there is a rule " + r.ID + " already"})
			}
			ids[r.ID] = true
		}
		doc.Add(more)
	}
	return nil
}
