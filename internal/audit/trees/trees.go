// Package trees answers "what does this configuration hold?": it reads YAML, TOML, JSON, INI, XML, properties and makefiles into one kind of [Tree], so that whoever compares two of them need not
// know how they are written. It knows no tool, and what can be read in two ways is an error.
//
// What a tree holds is asked for by what it should be ([Text], [List], [Of], [Number], [TruthOf]); what is something else, or not there, is empty.
package trees

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"fettle/internal/ordinary"
)

// Tree is a configuration as its tool reads it: each value is text, a []any, or a tree. What is not there is nil.
type Tree = map[string]any

// errNoTree is said of a text that is no mapping of values, or more of one than anybody writes.
var errNoTree = errors.New("it is no mapping that can be read")

// mostNodes is how many values a configuration may have, those that are repeated by a name counted each time.
const mostNodes = 50_000

// YAML reads YAML, with its anchors and what is merged resolved. A key that stands twice is an error, for tools differ about which one counts.
func YAML(src []byte) (Tree, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(src, &root); err != nil {
		return nil, fmt.Errorf("read YAML: %w", err)
	}
	left := mostNodes
	v, err := yamlValue(&root, &left)
	if err != nil {
		return nil, err
	}
	t, ok := v.(Tree)
	if !ok {
		return nil, errNoTree
	}
	return t, nil
}

func yamlValue(n *yaml.Node, left *int) (any, error) {
	if *left--; *left < 0 {
		return nil, errNoTree
	}
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) != 1 {
			return nil, errNoTree
		}
		return yamlValue(n.Content[0], left)
	case yaml.AliasNode:
		return yamlValue(n.Alias, left)
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return "", nil
		}
		return n.Value, nil
	case yaml.SequenceNode:
		all := []any{}
		for _, k := range n.Content {
			v, err := yamlValue(k, left)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		return all, nil
	case yaml.MappingNode:
		return yamlMapping(n, left)
	default:
		return nil, errNoTree
	}
}

func yamlMapping(n *yaml.Node, left *int) (any, error) {
	own, merged := Tree{}, Tree{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		v, err := yamlValue(n.Content[i+1], left)
		if err != nil {
			return nil, err
		}
		key := n.Content[i].Value
		if key != "<<" {
			if _, twice := own[key]; twice {
				return nil, errNoTree
			}
			own[key] = v
			continue
		}
		for _, from := range slices.Backward(List(v)) { // the first counts
			part, ok := from.(Tree)
			if !ok {
				return nil, errNoTree
			}
			maps.Copy(merged, part)
		}
	}
	maps.Copy(merged, own)
	return merged, nil
}

// JSON reads JSON, also with comments and with commas behind the last.
func JSON(src []byte) (Tree, error) {
	d := json.NewDecoder(bytes.NewReader(ordinary.JSON(src)))
	d.UseNumber()
	var v Tree
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	t, _ := inWords(v).(Tree)
	return t, nil
}

// inWords is a value of JSON with text for all that is neither a list nor an object.
func inWords(v any) any {
	switch v := v.(type) {
	case Tree:
		for k, x := range v {
			v[k] = inWords(x)
		}
		return v
	case []any:
		for i, x := range v {
			v[i] = inWords(x)
		}
		return v
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// INI reads sections of keys with values, whose lines go on where they are indented; those are kept apart by line feeds. What stands before the first section is that without a name.
func INI(src []byte) (Tree, error) {
	all, section, key := Tree{}, Tree{}, ""
	all[""] = section
	for line := range strings.SplitSeq(string(src), "\n") {
		line = strings.TrimRight(line, " \t\r")
		text := strings.TrimSpace(line)
		switch {
		case text == "" || text[0] == '#' || text[0] == ';':
		case text != line && line[0] != '[' && key != "":
			section[key] = strings.TrimPrefix(Text(section[key])+"\n"+text, "\n")
		case text[0] == '[' && strings.HasSuffix(text, "]"):
			name := text[1 : len(text)-1]
			if _, twice := all[name]; twice {
				return nil, errNoTree
			}
			section, key = Tree{}, ""
			all[name] = section
		default:
			at := strings.IndexAny(text, "=:")
			if at < 0 {
				return nil, errNoTree
			}
			key = strings.TrimSpace(text[:at])
			if _, twice := section[key]; twice {
				return nil, errNoTree
			}
			section[key] = strings.TrimSpace(text[at+1:])
		}
	}
	return all, nil
}

// Properties reads lines of a key and a value.
func Properties(src []byte) (Tree, error) {
	if bytes.Contains(src, []byte("\\\n")) {
		return nil, errNoTree
	}
	all, err := INI(src)
	if err != nil || len(all) != 1 {
		return nil, errNoTree
	}
	return all[""].(Tree), nil
}

// XML reads elements: one that holds others is a tree of lists by their names, one that holds none is its text. An attribute is called with an @.
func XML(src []byte) (Tree, error) {
	d := xml.NewDecoder(bytes.NewReader(src))
	for {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("read XML: %w", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			v, err := xmlElement(d, start)
			return Tree{start.Name.Local: []any{v}}, err
		}
	}
}

func xmlElement(d *xml.Decoder, start xml.StartElement) (any, error) {
	all := Tree{}
	for _, a := range start.Attr {
		all["@"+a.Name.Local] = a.Value
	}
	var text strings.Builder
	for {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("read XML: %w", errors.Join(err, io.ErrUnexpectedEOF))
		}
		switch token := token.(type) {
		case xml.StartElement:
			v, err := xmlElement(d, token)
			if err != nil {
				return nil, err
			}
			all[token.Name.Local] = append(List(all[token.Name.Local]), v)
		case xml.CharData:
			text.Write(token)
		case xml.EndElement:
			if len(all) == 0 {
				return strings.TrimSpace(text.String()), nil
			}
			if t := strings.TrimSpace(text.String()); t != "" {
				all["#"] = t
			}
			return all, nil
		}
	}
}

// List is a value as a list: one that is none is a list of one.
func List(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	default:
		return []any{v}
	}
}

// Text is a value that is text; empty, if it is none.
func Text(v any) string {
	s, _ := v.(string)
	return s
}

// Of is a value that is a tree; an empty one, if it is none.
func Of(v any) Tree {
	t, _ := v.(Tree)
	return t
}

// Is reports whether a value is a tree.
func Is(v any) bool {
	_, is := v.(Tree)
	return is
}

// Words are the texts of a list, or the one that is none, without those that are empty.
func Words(v any) []string {
	var all []string
	for _, x := range List(v) {
		if s := Text(x); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// At is the value below some keys.
func At(t Tree, keys ...string) any {
	var v any = t
	for _, k := range keys {
		v = Of(v)[k]
	}
	return v
}

// Number is a value that is a number, also in percent.
func Number(v any) (float64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(Text(v), "%"), 64)
	return f, err == nil
}

// Truth is what a value says that may say yes or no.
type Truth int

// What a value can say.
const (
	Neither Truth = iota // it says something else, or nothing
	No
	Yes
)

// TruthOf is what a text says, however tools spell it.
func TruthOf(text string) Truth { return truth[strings.Trim(strings.ToLower(text), `"'`+"`;) ")] }

var truth = map[string]Truth{"true": Yes, "yes": Yes, "on": Yes, "false": No, "no": No, "off": No}

// Without lists what of a list another lacks.
func Without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

// Items are those of a list that is written on one line, whatever brackets and signs it is written with.
func Items(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune("[](){},\"' \t", r) })
}

// One is the tree that a list of one holds.
func One(v any) Tree {
	if list := List(v); len(list) == 1 {
		return Of(list[0])
	}
	return nil
}

// First is the text that a list begins with.
func First(v any) string {
	if list := Words(v); len(list) > 0 {
		return list[0]
	}
	return ""
}

// Lacking are those of a list that another one has not, or less often, by what tells them from one another.
func Lacking[T any, K comparable](list, other []T, key func(T) K) []T {
	has := make(map[K]int)
	for _, x := range other {
		has[key(x)]++
	}
	var all []T
	for _, x := range list {
		k := key(x)
		if has[k]--; has[k] < 0 {
			all = append(all, x)
		}
	}
	return all
}

// Under is what stands under a key.
func Under(n *yaml.Node, key string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
