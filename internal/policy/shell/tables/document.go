package tables

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"fettle/internal/near"
	"fettle/internal/policy/shell"
)

// Document is a policy as people write it: a file of their own, or the section "policy" of a project's fettle.yaml.
type Document struct {
	Programs  []shell.Program
	Rules     []shell.Rule
	Tests     []Test
	Files     []Place    // further files of the same form
	Validator *Validator // nil: none
	Telemetry *Telemetry // nil: none

	places map[string]Place // of the rules, by their names
}

// Add takes in the rules, programs and tests of a further file.
func (d *Document) Add(more *Document) {
	d.Rules, d.Programs, d.Tests = append(d.Rules, more.Rules...), append(d.Programs, more.Programs...), append(d.Tests, more.Tests...)
	if d.places == nil {
		d.places = map[string]Place{}
	}
	maps.Copy(d.places, more.places)
}

// Named reports the first rule about programs of which one can match none, where these programs are described beside fettle's own.
func (d *Document) Named(programs []shell.Program) error {
	for i := range d.Rules {
		if why := d.Rules[i].Unnamed(programs); why != "" {
			at := d.places[d.Rules[i].ID]
			return &Error{at.File, at.Line, "rule " + d.Rules[i].ID + ": " + why}
		}
	}
	return nil
}

// Telemetry says where the guard's decisions are sent to, as people write it.
type Telemetry struct {
	Endpoint    string
	Headers     map[string]string
	Unencrypted string // the host that may be spoken to without TLS
	File        string
	Line        int
}

// Validator is a program that gives second opinions, as people write it.
type Validator struct {
	Command  []string
	Deadline time.Duration // zero: the usual one
	Strict   bool          // every call waits for it
	Stages   []string      // what it is asked about; empty: everything
	File     string
	Line     int
}

// Place is a name in a file, and where it stands.
type Place struct {
	Name string
	File string
	Line int
}

// Test says what must become of one command, or of one tool call.
type Test struct {
	Command string
	Tool    string          // instead of a command: the tool's name
	Input   json.RawMessage // what the tool is given
	Want    shell.Decision
	Why     string
	File    string
	Line    int
}

// Error is one thing that is wrong with a policy, in one line, with its place.
type Error struct {
	File string
	Line int // zero: unknown
	Text string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Text
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + e.Text
}

// documentReader reads one file. It stops at the first thing that is wrong: half a policy is none.
type documentReader struct {
	file string
	ids  map[string]int // rules, and the lines where they stand
	doc  Document
}

// Read reads a policy file. The name is for what is said about it.
func Read(name string, data []byte) (*Document, error) {
	root, err := parse(name, data)
	if err != nil || root == nil {
		return &Document{}, err
	}
	return read(name, root)
}

// section is the key of a fettle.yaml below which its policy stands.
const section = "policy"

// Section reads the section "policy" of a fettle.yaml; what else stands there is others' to read. Without the section the document is empty. What would have a
// policy passed over is wrong all the same: a file of another version, and a key that was meant to be this one.
func Section(name string, data []byte) (*Document, error) {
	root, err := parse(name, data)
	if err != nil || root == nil || root.Kind != yaml.MappingNode {
		return &Document{}, err
	}
	doc := &Document{}
	for i := 0; i+1 < len(root.Content) && err == nil; i += 2 {
		switch key, val := root.Content[i], target(root.Content[i+1]); {
		case key.Value == section:
			doc, err = read(name, val)
		case key.Value == "version" && val.Value != "1":
			err = &Error{name, val.Line, "version should be 1: the only one that this fettle knows"}
		case near.Name(key.Value, []string{section}) != "":
			err = &Error{name, key.Line, fmt.Sprintf("unknown key %q in the file; did you mean %q?", key.Value, section)}
		}
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// yamlError is how the YAML reader begins its errors.
var yamlError = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors:\s*)?(?:line (\d+): )?`)

// parse is the file's one document; nil if there is nothing in it.
func parse(name string, data []byte) (*yaml.Node, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var root, more yaml.Node
	if err := d.Decode(&root); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, fromYAML(name, 0, err)
	}
	if err := d.Decode(&more); err == nil {
		return nil, &Error{name, more.Line, "a second document begins here; the file holds one"}
	} else if !errors.Is(err, io.EOF) {
		return nil, fromYAML(name, 0, err)
	}
	return root.Content[0], nil
}

// fromYAML is an error of the YAML reader in one line.
func fromYAML(file string, line int, err error) *Error {
	first, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: unmarshal errors:\n  "), "\n")
	if m := yamlError.FindStringSubmatch(first); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
		first = first[len(m[0]):]
	}
	return &Error{file, line, "this is not YAML as a policy has it: " + first}
}

func read(file string, root *yaml.Node) (*Document, error) {
	r := &documentReader{file: file, ids: map[string]int{}, doc: Document{places: map[string]Place{}}}
	root = target(root)
	if root.ShortTag() == "!!null" {
		return &r.doc, nil
	}
	err := r.keys(root, "a policy", "rules", "programs", "tests", "files", "validator", "telemetry")
	for i := 0; err == nil && i+1 < len(root.Content); i += 2 {
		switch val := target(root.Content[i+1]); root.Content[i].Value {
		case "rules":
			err = r.items(val, "rules", r.rule)
		case "programs":
			err = r.programs(val)
		case "tests":
			err = r.items(val, "tests", r.test)
		case "validator":
			err = r.validator(val)
		case "telemetry":
			err = r.telemetry(val)
		case "files":
			err = r.items(val, "files", func(n *yaml.Node) error {
				if n.Kind != yaml.ScalarNode || n.Value == "" {
					return r.wrong(n, "a file is named by one text")
				}
				r.doc.Files = append(r.doc.Files, Place{n.Value, file, n.Line})
				return nil
			})
		}
	}
	if err != nil {
		return nil, err
	}
	return &r.doc, nil
}

func (r *documentReader) wrong(n *yaml.Node, format string, args ...any) error {
	return &Error{r.file, n.Line, fmt.Sprintf(format, args...)}
}

// target is the node that an alias stands for, or the node itself.
func target(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// keys refuses what is no mapping, and keys that are unknown or stand there twice.
func (r *documentReader) keys(n *yaml.Node, what string, known ...string) error {
	if n.Kind != yaml.MappingNode {
		return r.wrong(n, "%s should hold keys and values", what)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch key := n.Content[i]; {
		case !slices.Contains(known, key.Value):
			hint := "; it may have " + strings.Join(known, ", ")
			if meant := near.Name(key.Value, known); meant != "" {
				hint = `; did you mean "` + meant + `"?`
			}
			return r.wrong(key, "unknown key %q in %s%s", key.Value, what, hint)
		case seen[key.Value]:
			return r.wrong(key, "key %q stands in %s twice", key.Value, what)
		default:
			seen[key.Value] = true
		}
	}
	return nil
}

// items goes through a list.
func (r *documentReader) items(n *yaml.Node, what string, do func(*yaml.Node) error) error {
	if n.ShortTag() == "!!null" {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return r.wrong(n, "%s should be a list", what)
	}
	for _, item := range n.Content {
		if err := do(target(item)); err != nil {
			return err
		}
	}
	return nil
}
