package check

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Problem is one thing wrong with the configuration file.
type Problem struct {
	Line, Column int // 1-based; zero when unknown
	Text         string
}

// ConfigError is everything that is wrong with the configuration file, in the order of the file.
type ConfigError struct {
	File     string
	Problems []Problem
}

// Error is one line for each problem, as compilers print them.
func (e *ConfigError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = e.File + ":"
		if p.Line > 0 {
			lines[i] += fmt.Sprintf("%d:", p.Line)
		}
		if p.Column > 0 {
			lines[i] += fmt.Sprintf("%d:", p.Column)
		}
		lines[i] += " " + p.Text
	}
	return strings.Join(lines, "\n")
}

// decoder fills Go values from YAML nodes, strictly: it knows every key, and where everything stands. It goes on after a
// problem, so that a person sees them all at once.
type decoder struct {
	problems []Problem
	places   map[string]*yaml.Node // by key path, joined with sep
	names    map[string]*yaml.Node // the keys of mappings themselves, by key path
	order    map[string][]string   // the keys of a mapping as they stand in the file, by key path
}

// sep joins keys into a path; keys may hold dots.
const sep = "\x00"

// positioned is an error about a node other than the one that was asked to be read.
type positioned struct {
	node *yaml.Node
	err  error
}

func (e *positioned) Error() string { return e.err.Error() }
func (e *positioned) Unwrap() error { return e.err }

func at(n *yaml.Node, err error) error {
	var p *positioned
	if errors.As(err, &p) {
		return err
	}
	return &positioned{n, err}
}

// target is the node that an alias stands for, or the node itself.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func (d *decoder) problem(n *yaml.Node, format string, args ...any) {
	d.problems = append(d.problems, Problem{n.Line, n.Column, fmt.Sprintf(format, args...)})
}

// at is the node that a key path leads to, or the nearest one above it.
func (d *decoder) at(keys ...string) *yaml.Node {
	for ; len(keys) > 0; keys = keys[:len(keys)-1] {
		if n := d.places[strings.Join(keys, sep)]; n != nil {
			return n
		}
	}
	return d.places[""]
}

// name is where the last of the keys itself stands, which must be in the file.
func (d *decoder) name(keys ...string) *yaml.Node { return d.names[strings.Join(keys, sep)] }

// decode reads a node into a value. A null leaves the value as it is.
func (d *decoder) decode(n *yaml.Node, v reflect.Value, keys []string) {
	n = target(n)
	d.places[strings.Join(keys, sep)] = n
	if n.ShortTag() == "!!null" {
		return
	}
	if c, ok := v.Addr().Interface().(choice); ok {
		v = reflect.ValueOf(c.form(n)).Elem()
	}
	if s, ok := v.Addr().Interface().(scalar); ok {
		if err := s.read(n); err != nil {
			var p *positioned
			if errors.As(err, &p) {
				n = p.node
			}
			d.problem(n, "%s: %v", strings.Join(keys, "."), err)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.fields(n, v, keys)
	case reflect.Map:
		d.entries(n, v, keys)
	case reflect.Slice:
		d.items(n, v, keys)
	case reflect.Pointer: // what is at its default is not there
		e := reflect.New(v.Type().Elem())
		d.decode(n, e.Elem(), keys)
		v.Set(e)
	default:
		d.basic(n, v, keys)
	}
}

// pairs calls f for each key of a mapping, and complains about what is no mapping and about keys that come twice.
func (d *decoder) pairs(n *yaml.Node, keys []string, f func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		d.problem(n, "%s should hold keys and values", where(keys))
		return
	}
	seen := make(map[string]int)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if line, ok := seen[key.Value]; ok {
			d.problem(key, "key %q stands in %s twice; the first is on line %d", key.Value, where(keys), line)
			continue
		}
		seen[key.Value] = key.Line
		if key.Kind != yaml.ScalarNode {
			d.problem(key, "a key of %s should be text", where(keys))
			continue
		}
		f(key, n.Content[i+1])
	}
}

func (d *decoder) fields(n *yaml.Node, v reflect.Value, keys []string) {
	known := make(map[string]reflect.Value)
	var names []string
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		known[name] = v.Field(i)
		names = append(names, name)
	}
	d.pairs(n, keys, func(key, value *yaml.Node) {
		field, ok := known[key.Value]
		if !ok {
			d.problem(key, "unknown key %q in %s%s", key.Value, where(keys), didYouMean(key.Value, names))
			return
		}
		d.decode(value, field, append(slices.Clone(keys), key.Value))
	})
}

func (d *decoder) entries(n *yaml.Node, v reflect.Value, keys []string) {
	m := reflect.MakeMap(v.Type())
	path := strings.Join(keys, sep)
	d.pairs(n, keys, func(key, value *yaml.Node) {
		e := reflect.New(v.Type().Elem()).Elem()
		here := append(slices.Clone(keys), key.Value)
		d.names[strings.Join(here, sep)] = key
		d.decode(value, e, here)
		m.SetMapIndex(reflect.ValueOf(key.Value), e)
		d.order[path] = append(d.order[path], key.Value)
	})
	v.Set(m)
}

func (d *decoder) items(n *yaml.Node, v reflect.Value, keys []string) {
	if n.Kind != yaml.SequenceNode {
		d.problem(n, "%s should be a list", where(keys))
		return
	}
	if len(n.Content) == 0 {
		v.SetZero() // an empty list says the same as none
		return
	}
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, c := range n.Content {
		d.decode(c, list.Index(i), append(slices.Clone(keys), strconv.Itoa(i+1)))
	}
	v.Set(list)
}

// basic reads a scalar of a type that YAML knows.
func (d *decoder) basic(n *yaml.Node, v reflect.Value, keys []string) {
	want, tags := "text", []string{"!!str"}
	switch v.Kind() { //nolint:exhaustive // the kinds that the document has
	case reflect.Int, reflect.Int64:
		want, tags = "a whole number", []string{"!!int"}
	case reflect.Float64:
		want, tags = "a number", []string{"!!int", "!!float"}
	case reflect.Bool:
		want, tags = "true or false", []string{"!!bool"}
	}
	if n.Kind != yaml.ScalarNode || !slices.Contains(tags, n.ShortTag()) || n.Decode(v.Addr().Interface()) != nil {
		d.problem(n, "%s should be %s", where(keys), want)
	}
}

// where names a place in the file for people.
func where(keys []string) string {
	if len(keys) == 0 {
		return "the file"
	}
	return strings.Join(keys, ".")
}
