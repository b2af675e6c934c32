package tables

import (
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"fettle/internal/policy/shell"
)

// rawRule is a rule as a file writes it.
type rawRule struct {
	ID                                               string `yaml:"id"`
	Kinds, Zones, Traits, Without, Targets, Programs list
	Decision                                         string
	Final                                            bool
	Class, Reason, Alternative                       string
}

// rule is the rule, if it can be used.
func (raw *rawRule) rule() (shell.Rule, error) {
	out := shell.Rule{ID: raw.ID, Kinds: as[shell.Kind](raw.Kinds), Zones: as[shell.Zone](raw.Zones), Traits: as[shell.Trait](raw.Traits),
		Without: as[shell.Trait](raw.Without), Targets: raw.Targets, Programs: raw.Programs, Final: raw.Final,
		Class: shell.Class(raw.Class), Reason: raw.Reason, Alternative: raw.Alternative}
	if raw.ID != "" && raw.Decision == "" { // what is left out must not mean that it is allowed
		return out, fmt.Errorf("rule %s: it has no decision: allow, ask or deny", raw.ID)
	}
	if raw.Decision != "" {
		if err := out.Decision.UnmarshalText([]byte(raw.Decision)); err != nil {
			return out, fmt.Errorf("rule %s: %w", raw.ID, err)
		}
	}
	return out, out.Valid()
}

func (r *documentReader) rule(n *yaml.Node) error {
	if err := r.keys(n, "a rule", "id", "kinds", "zones", "traits", "without", "targets", "programs", "decision", "final", "class", "reason", "alternative"); err != nil {
		return err
	}
	var raw rawRule
	if err := n.Decode(&raw); err != nil {
		return fromYAML(r.file, n.Line, err)
	}
	rule, err := raw.rule()
	if err != nil {
		return r.wrong(n, "%v", err)
	}
	if line, ok := r.ids[rule.ID]; ok {
		return r.wrong(n, "there is a rule %s already, on line %d", rule.ID, line)
	}
	r.ids[rule.ID] = n.Line
	r.doc.places[rule.ID] = Place{rule.ID, r.file, n.Line}
	if rule.Reason == "" && rule.Decision > shell.Allow {
		rule.Reason = "the rule " + rule.ID + " is about {target}"
	}
	if rule.Class == "" {
		rule.Class = "own"
	}
	r.doc.Rules = append(r.doc.Rules, rule)
	return nil
}

// programs reads the descriptions one by one, so that an error has the line of its program.
func (r *documentReader) programs(n *yaml.Node) error {
	return r.located(n, eachPair(n, func(key, val *yaml.Node) error {
		if err := r.program(key.Value, target(val)); err != nil {
			return err
		}
		p, err := programAt(key, val)
		if err != nil {
			return r.wrong(key, "%v", err)
		}
		r.doc.Programs = append(r.doc.Programs, p)
		return nil
	}))
}

// program looks at the keys of a description, and of those of its subcommands.
func (r *documentReader) program(name string, n *yaml.Node) error {
	if n.ShortTag() == "!!null" {
		return nil
	}
	if err := r.keys(n, "the program "+name, "style", "strict", "options", "operands", "does", "bare", "prints", "subs", "special"); err != nil {
		return err
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != "subs" {
			continue
		}
		subs := target(n.Content[i+1])
		if err := r.located(subs, eachPair(subs, func(key, val *yaml.Node) error { return r.program(name+" "+key.Value, target(val)) })); err != nil {
			return err
		}
	}
	return nil
}

// located gives an error the node's place, if it has none yet.
func (r *documentReader) located(n *yaml.Node, err error) error {
	var e *Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return r.wrong(n, "%v", err)
}

func (r *documentReader) test(n *yaml.Node) error {
	if err := r.keys(n, "a test", "command", "tool", "input", "want", "why"); err != nil {
		return err
	}
	var raw struct {
		Command, Tool, Want, Why string
		Input                    map[string]any
	}
	if err := n.Decode(&raw); err != nil {
		return fromYAML(r.file, n.Line, err)
	}
	t := Test{Command: raw.Command, Tool: raw.Tool, Why: raw.Why, File: r.file, Line: n.Line}
	if (raw.Command == "") == (raw.Tool == "") {
		return r.wrong(n, "a test has a command, or a tool and its input")
	}
	if raw.Input != nil {
		if raw.Tool == "" {
			return r.wrong(n, "a test with a command has no input")
		}
		var err error
		if t.Input, err = json.Marshal(raw.Input); err != nil {
			return r.wrong(n, "the input cannot be written as JSON: %v", err)
		}
	}
	if raw.Want == "" {
		return r.wrong(n, "a test says what it wants: allow, ask or deny")
	}
	if err := t.Want.UnmarshalText([]byte(raw.Want)); err != nil {
		return r.wrong(n, "%v", err)
	}
	r.doc.Tests = append(r.doc.Tests, t)
	return nil
}
