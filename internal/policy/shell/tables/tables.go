// Package tables answers "which programs are there, and which rules?". It reads the YAML files that describe them: fettle's
// own, which scripts/shelltables makes into Go, and a team's, which fettle reads when it runs. The form is the same:
//
//	rm unlink:                      # the names of programs that are alike
//	  options:
//	    -r -R --recursive: recursive  # an option's names: what it does
//	    -t= --target=: into           # it has a value; "=~" is one that may be left out
//	    --emit=: "part:write:=…,"     # what stands between = and a comma, or the end, of its value is a file that is written
//	  operands: [none, read]        # what becomes of each operand; the last is for all that follow
//	  does: install+declared        # a fact that every run leaves
//	  subs: {…}                     # its first operand is one of these, in the same form
package tables

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"fettle/internal/policy/shell"
)

// program is a program as a file writes it.
type program struct {
	Style    shell.Style `yaml:"style"`
	Strict   bool        `yaml:"strict"`
	Options  yaml.Node   `yaml:"options"`
	Operands list        `yaml:"operands"`
	Does     list        `yaml:"does"`
	Bare     list        `yaml:"bare"`
	Prints   string      `yaml:"prints"`
	Subs     yaml.Node   `yaml:"subs"`
	Special  string      `yaml:"special"`
}

// list is one text, or several.
type list []string

// UnmarshalYAML reads one text as a list of one.
func (l *list) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*l = list{n.Value}
		return nil
	}
	return n.Decode((*[]string)(l))
}

// Programs reads a file of programs.
func Programs(data []byte) ([]shell.Program, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("the programs cannot be read: %w", err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return programs(doc.Content[0])
}

func programs(n *yaml.Node) ([]shell.Program, error) {
	var out []shell.Program
	err := eachPair(n, func(key, val *yaml.Node) error {
		p, err := programAt(key, val)
		if err == nil {
			out = append(out, p)
		}
		return err
	})
	return out, err
}

// eachPair goes through a mapping in the order of its keys, which must not be there twice.
func eachPair(n *yaml.Node, do func(key, val *yaml.Node) error) error {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == 0 {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: names and what they stand for are expected here", n.Line)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		for name := range strings.FieldsSeq(key.Value) {
			if seen[name] {
				return fmt.Errorf("%s stands here twice", name)
			}
			seen[name] = true
		}
		if err := do(key, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func programAt(key, val *yaml.Node) (shell.Program, error) {
	var p program
	if err := decode(val, &p); err != nil {
		return shell.Program{}, fmt.Errorf("%s: %w", key.Value, err)
	}
	if strings.TrimSpace(key.Value) == "" {
		return shell.Program{}, fmt.Errorf("line %d: a program has no name", key.Line)
	}
	out := shell.Program{Names: strings.Fields(key.Value), Style: p.Style, Strict: p.Strict, Prints: p.Prints, Special: p.Special}
	for _, r := range p.Operands {
		out.Operands = append(out.Operands, shell.Role(r))
	}
	for _, e := range []struct {
		from list
		to   *[]shell.Effect
	}{{p.Does, &out.Does}, {p.Bare, &out.Bare}} {
		for _, text := range e.from {
			*e.to = append(*e.to, Effect(text))
		}
	}
	err := eachPair(&p.Options, func(key, val *yaml.Node) error {
		o, err := option(key, val)
		out.Options = append(out.Options, o...)
		return err
	})
	if err == nil {
		out.Subs, err = programs(&p.Subs)
	}
	if err != nil {
		return out, fmt.Errorf("%s: %w", out.Names[0], err)
	}
	return out, out.Valid()
}

// decode reads a node strictly: what is misspelled is said, not passed over.
func decode(n *yaml.Node, into any) error {
	data, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// Effect reads "kind:target+trait".
func Effect(text string) shell.Effect {
	text, trait, has := strings.Cut(text, "+")
	kind, target, _ := strings.Cut(text, ":")
	e := shell.Effect{Kind: shell.Kind(kind), Target: target}
	if has {
		e.Traits = []shell.Trait{shell.Trait(trait)}
	}
	return e
}

// option reads one line of options. Names with and without a value may stand together: they make one option for each arity.
func option(key, val *yaml.Node) ([]shell.Option, error) {
	var acts list
	if err := val.Decode(&acts); err != nil {
		return nil, fmt.Errorf("%s: %w", key.Value, err)
	}
	byArity := map[shell.Arity][]string{}
	for name := range strings.FieldsSeq(key.Value) {
		arity := shell.None
		if n, ok := strings.CutSuffix(name, "=~"); ok {
			name, arity = n, shell.Optional
		} else if n, ok := strings.CutSuffix(name, "="); ok {
			name, arity = n, shell.Required
		}
		byArity[arity] = append(byArity[arity], name)
	}
	var out []shell.Option
	for _, arity := range []shell.Arity{shell.None, shell.Optional, shell.Required} {
		if names := byArity[arity]; names != nil {
			o := shell.Option{Names: names, Value: arity}
			for _, a := range acts {
				o.Acts = append(o.Acts, splitActs(a)...)
			}
			o.Acts = slices.DeleteFunc(o.Acts, func(a string) bool { return a == "none" })
			out = append(out, o)
		}
	}
	return out, nil
}

// splitActs divides what an option does at blanks; an effect's target, which ends in "!", may have blanks in it.
func splitActs(text string) []string {
	words := strings.Fields(text)
	for i, w := range words {
		if strings.Contains(w, ":") && strings.HasSuffix(text, "!") {
			return append(words[:i:i], strings.Join(words[i:], " "))
		}
	}
	return words
}

// Rules reads a file of rules.
func Rules(data []byte) ([]shell.Rule, error) {
	var raw []rawRule
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&raw); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the rules cannot be read: %w", err)
	}
	out := make([]shell.Rule, len(raw))
	for i := range raw {
		var err error
		if out[i], err = raw[i].rule(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func as[T ~string](l list) []T {
	var out []T
	for _, s := range l {
		out = append(out, T(s))
	}
	return out
}

// Languages reads a file of languages.
func Languages(data []byte) ([]shell.Language, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil || len(doc.Content) == 0 {
		return nil, err
	}
	var out []shell.Language
	err := eachPair(doc.Content[0], func(key, val *yaml.Node) error {
		var raw struct {
			Comment []string
			Quotes  string
			Shell   string
			Calls   yaml.Node
			Ask     []string
			Known   []string
		}
		if err := decode(val, &raw); err != nil {
			return fmt.Errorf("%s: %w", key.Value, err)
		}
		l := shell.Language{Name: key.Value, Comment: raw.Comment, Quotes: raw.Quotes, Shell: raw.Shell, Ask: raw.Ask, Known: raw.Known}
		slices.Sort(l.Ask)
		err := eachPair(&raw.Calls, func(names, does *yaml.Node) error {
			for name := range strings.FieldsSeq(names.Value) {
				c := shell.Call{Name: name, Does: does.Value}
				if err := c.Valid(); err != nil {
					return err
				}
				l.Calls = append(l.Calls, c)
			}
			return nil
		})
		out = append(out, l)
		return err
	})
	return out, err
}

// Variables reads the file of environment variables.
func Variables(data []byte) (shell.Variables, error) {
	var raw struct{ Commands, Prompts, Paths, Loads, Proxies, Unsafe, Unhooks, Writes []string }
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	err := d.Decode(&raw)
	return shell.Variables(raw), err
}
