package audit

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

	"fettle/internal/code"
	"fettle/internal/ordinary"
)

// tree is a configuration as its tool reads it: each value is text, a []any, or a tree. What is not there is nil.
type tree = map[string]any

// errNoTree is said of a text that is no mapping of values, or more of one than anybody writes.
var errNoTree = errors.New("it is no mapping that can be read")

// mostNodes is how many values a configuration may have, those that are repeated by a name counted each time.
const mostNodes = 50_000

// yamlTree reads YAML, with its anchors and what is merged resolved. A key that stands twice is an error, for tools differ about which one counts.
func yamlTree(src []byte) (tree, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(src, &root); err != nil {
		return nil, fmt.Errorf("read YAML: %w", err)
	}
	left := mostNodes
	v, err := yamlValue(&root, &left)
	if err != nil {
		return nil, err
	}
	t, ok := v.(tree)
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
	own, merged := tree{}, tree{}
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
		for _, from := range slices.Backward(listOf(v)) { // the first counts
			part, ok := from.(tree)
			if !ok {
				return nil, errNoTree
			}
			maps.Copy(merged, part)
		}
	}
	maps.Copy(merged, own)
	return merged, nil
}

// jsonTree reads JSON, also with comments and with commas behind the last.
func jsonTree(src []byte) (tree, error) {
	d := json.NewDecoder(bytes.NewReader(ordinary.JSON(src)))
	d.UseNumber()
	var v tree
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	t, _ := inWords(v).(tree)
	return t, nil
}

// inWords is a value of JSON with text for all that is neither a list nor an object.
func inWords(v any) any {
	switch v := v.(type) {
	case tree:
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

// iniTree reads sections of keys with values, whose lines go on where they are indented; those are kept apart by line feeds. What stands before the first section is that without a name.
func iniTree(src []byte) (tree, error) {
	all, section, key := tree{}, tree{}, ""
	all[""] = section
	for line := range strings.SplitSeq(string(src), "\n") {
		line = strings.TrimRight(line, " \t\r")
		text := strings.TrimSpace(line)
		switch {
		case text == "" || text[0] == '#' || text[0] == ';':
		case text != line && line[0] != '[' && key != "":
			section[key] = strings.TrimPrefix(textOf(section[key])+"\n"+text, "\n")
		case text[0] == '[' && strings.HasSuffix(text, "]"):
			name := text[1 : len(text)-1]
			if _, twice := all[name]; twice {
				return nil, errNoTree
			}
			section, key = tree{}, ""
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

// propertiesTree reads lines of a key and a value.
func propertiesTree(src []byte) (tree, error) {
	if bytes.Contains(src, []byte("\\\n")) {
		return nil, errNoTree
	}
	all, err := iniTree(src)
	if err != nil || len(all) != 1 {
		return nil, errNoTree
	}
	return all[""].(tree), nil
}

// xmlTree reads elements: one that holds others is a tree of lists by their names, one that holds none is its text. An attribute is called with an @.
func xmlTree(src []byte) (tree, error) {
	d := xml.NewDecoder(bytes.NewReader(src))
	for {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("read XML: %w", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			v, err := xmlElement(d, start)
			return tree{start.Name.Local: []any{v}}, err
		}
	}
}

func xmlElement(d *xml.Decoder, start xml.StartElement) (any, error) {
	all := tree{}
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
			all[token.Name.Local] = append(listOf(all[token.Name.Local]), v)
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

// codeValue is a value that a program writes out. What is no literal is its text, marked as what it is.
func codeValue(n *code.Node) any {
	switch {
	case n == nil:
		return nil
	case n.Role == code.Str && len(n.Kids) == 0:
		return strings.Trim(n.Text(), "'\"`")
	case n.Is(code.Int, code.Float, code.Bool):
		return n.Text()
	case n.Role == code.List:
		all := []any{}
		for _, k := range n.Kids {
			all = append(all, codeValue(k))
		}
		return all
	case n.Role == code.Map:
		all := tree{}
		for i, k := range n.Kids {
			if k.Role != code.Pair || k.Kid(code.Key) == nil {
				all[fmt.Sprintf("…%d", i)] = asCode(k)
				continue
			}
			key := strings.Trim(k.Kid(code.Key).Text(), "'\"`")
			if _, twice := all[key]; twice {
				key += "…"
			}
			if all[key] = codeValue(k.Kid(code.Value)); all[key] == nil {
				all[key] = asCode(k)
			}
		}
		return all
	}
	return asCode(n)
}

func asCode(n *code.Node) string { return "code:" + bare(n.Text()) }

// listOf is a value as a list: one that is none is a list of one.
func listOf(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	default:
		return []any{v}
	}
}

// textOf is a value that is text; empty, if it is none.
func textOf(v any) string {
	s, _ := v.(string)
	return s
}

// treeOf is a value that is a tree; an empty one, if it is none.
func treeOf(v any) tree {
	t, _ := v.(tree)
	return t
}

// wordsOf are the texts of a list, or the one that is none, without those that are empty.
func wordsOf(v any) []string {
	var all []string
	for _, x := range listOf(v) {
		if s := textOf(x); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// at is the value below some keys.
func at(t tree, keys ...string) any {
	var v any = t
	for _, k := range keys {
		v = treeOf(v)[k]
	}
	return v
}

// numberOf is a value that is a number, also in percent.
func numberOf(v any) (float64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(textOf(v), "%"), 64)
	return f, err == nil
}
