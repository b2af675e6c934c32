package shell

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:generate go run fettle/scripts/shelltables

// The names that a policy may use.
var (
	kinds = []Kind{Exec, Run, Unknown, Code, Remote, Decoded, Opaque, Bomb, Read, Write, Format, Empty, Delete, Chmod, Chown, Link, Mount, Print, Protects,
		Fetch, Send, Listen, Shell, Discard, Rewrite, Record, Publish, Force, Unhooked, Config, Env, Privilege, Persist, Install, Kill, Power, Service, Data, Cloud, Consent, Tool}
	zones  = []Zone{Nowhere, Scratch, Generated, Project, Tests, Checks, Git, Agent, Guidance, Startup, Secrets, Above, Home, System, Device, Network, Elsewhere, Anywhere}
	traits = []Trait{Recursive, Forced, Glob, Vague, Secret, Upload, Open, Local, Declared, Named, Inside, Fresh, Guessed}
	roles  = []Role{Ignored, Reads, Writes, Formats, Empties, Deletes, Chmods, Chowns, Links, Copies, Moves, Symlinks, Into, Changes, Runs, Argv, Words, Script,
		Setting, Fetches, Sends, Uploads, Attached, Hosts, Listens, Remotes, Mode, Sub, Asks, Statement, Bound, Binding, Placeholder, Divider, Each, Jobs, Strip, Below, InPlace, ScriptFile, RemoteName, Form, Header, Makefile, Archive, Checkpoint, IntoDir, GitRemote, SSHSetting, GitSetting, KubeKind, Object, Package, Folder, Method, Include, Classes,
		Own, ClassPath, Module, INISetting, Sources, Compiles, Variable, Executes, Builds, DeskCode, DeskFile, JVMLog}
	styles = []Style{"", Single, Bundle}
	prints = []string{"", "network", "decoder", "secret", "names", "nothing", "no end", setup}
)

// Known reports a kind that there is: one out of a file may be anything.
func (k Kind) Known() bool { return slices.Contains(kinds, k) }

// Valid reports the first name in a rule that does not exist.
func (r *Rule) Valid() error {
	if r.ID == "" {
		return errors.New("a rule has no id")
	}
	if r.Decision < Allow || r.Decision > Deny {
		return fmt.Errorf("rule %s: it has no decision", r.ID)
	}
	wrap := func(err error) error { return fmt.Errorf("rule %s: %w", r.ID, err) }
	for _, k := range r.Kinds {
		if err := oneOf("kind", k, kinds); err != nil {
			return wrap(err)
		}
	}
	for _, z := range r.Zones {
		if err := oneOf("zone", z, zones); err != nil {
			return wrap(err)
		}
	}
	for _, t := range append(slices.Clip(r.Traits), r.Without...) {
		if err := oneOf("trait", t, traits); err != nil {
			return wrap(err)
		}
	}
	for _, p := range append(slices.Clip(r.Targets), r.Programs...) {
		if _, err := path.Match(p, ""); err != nil {
			return wrap(fmt.Errorf("the pattern %q: %w", p, err))
		}
	}
	return nil
}

// Valid reports the first name in a program's description that does not exist.
func (p *Program) Valid() error {
	if len(p.Names) == 0 {
		return errors.New("a program has no name")
	}
	wrap := func(err error) error { return fmt.Errorf("%s: %w", p.Names[0], err) }
	if err := oneOf("style", p.Style, styles); err != nil {
		return wrap(err)
	}
	if err := oneOf("source of what is printed", p.Prints, prints); err != nil {
		return wrap(err)
	}
	if p.Special != "" && specials(p.Special) == nil {
		return wrap(fmt.Errorf("there is no special %q", p.Special))
	}
	for _, r := range p.Operands {
		if err := validRole(r); err != nil {
			return wrap(err)
		}
	}
	for _, e := range append(slices.Clip(p.Does), p.Bare...) {
		if err := oneOf("kind", e.Kind, kinds); err != nil {
			return wrap(err)
		}
	}
	for i := range p.Subs {
		if err := p.Subs[i].Valid(); err != nil {
			return wrap(err)
		}
	}
	for _, o := range p.Options {
		if err := oneOf("arity", o.Value, []Arity{None, Required, Optional}); err != nil {
			return wrap(err)
		}
		for _, a := range o.Acts {
			if err := o.validAct(a); err != nil {
				return wrap(fmt.Errorf("%s: %w", strings.Join(o.Names, " "), err))
			}
		}
	}
	return nil
}

// Valid reports the first name in a call's description that does not exist.
func (c *Call) Valid() error {
	does, trait := c.role()
	switch {
	case strings.HasSuffix(c.Does, "!"):
		kind, _, _ := strings.Cut(strings.TrimSuffix(c.Does, "!"), ":")
		return oneOf("kind", Kind(kind), kinds)
	case trait != "":
		if err := oneOf("trait", Trait(trait), traits); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	if oneWord(" open chain git ", does) {
		return nil
	}
	return validRole(Role(does))
}

func (o *Option) validAct(a string) error {
	if effect, ok := strings.CutSuffix(a, "!"); ok {
		kind, target, _ := strings.Cut(effect, ":")
		if _, trait, ok := strings.Cut(target, "+"); ok {
			if err := oneOf("trait", Trait(trait), traits); err != nil {
				return err
			}
		}
		return oneOf("kind", Kind(kind), kinds)
	}
	if a == dry || a == last || slices.Contains(traits, Trait(a)) || slices.Contains(flags, a) {
		return nil
	}
	if part, ok := strings.CutPrefix(a, partOf); ok {
		role, template, _ := strings.Cut(part, ":")
		if before, _, ok := strings.Cut(template, "…"); !ok || before == "" {
			return fmt.Errorf("%s: it does not say by … where the part stands, and behind what", a)
		}
		a = role
	}
	return validRole(Role(a))
}

func validRole(r Role) error {
	name, more, _ := strings.Cut(string(r), ":")
	if (name == "code" || name == "run" || Role(name) == Options) && more != "" {
		return nil
	}
	return oneOf("role", r, roles)
}

func oneOf[T ~string](what string, name T, known []T) error {
	if slices.Contains(known, name) {
		return nil
	}
	var names []string
	for _, k := range known {
		if k != "" { // what is left out need not be said
			names = append(names, string(k))
		}
	}
	return &UnknownError{What: what, Name: string(name), Known: names}
}
