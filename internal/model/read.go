package model

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"go.yaml.in/yaml/v3"

	"fettle/internal/near"
)

// FileName is the name of a person's own file, in the folder of fettle's configuration.
const FileName = "models.yaml"

// Folder is that of a person's own configuration, where what they say about models and their prompts lie: $XDG_CONFIG_HOME/fettle, or ~/.config/fettle. Empty: the environment does not say.
func Folder(getenv func(string) string) string {
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "fettle")
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "fettle")
	}
	return ""
}

// LoadOwn reads a person's own models.yaml, in their [Folder]. Where there is none, nothing is said.
func LoadOwn(getenv func(string) string) (Own, error) {
	dir := Folder(getenv)
	if dir == "" {
		return Own{}, nil
	}
	file := filepath.Join(dir, FileName)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // a HOME that is no folder holds nothing
		return Own{}, nil
	}
	if err != nil {
		return Own{}, fmt.Errorf("your models cannot be read: %w", err)
	}
	return ReadOwn(file, text)
}

// ReadOwn reads the text of a models.yaml.
func ReadOwn(file string, text []byte) (Own, error) {
	var o Own
	if err := read(file, text, &o); err != nil {
		return Own{}, err
	}
	for name, p := range o.Models {
		if err := p.check(name); err != nil {
			return Own{}, fmt.Errorf("%s: %w", file, err)
		}
	}
	for name, s := range o.Providers {
		if s.Script != "" && !filepath.IsAbs(s.Script) { // seen from the file that names it
			s.Script = filepath.Join(filepath.Dir(file), s.Script)
			o.Providers[name] = s
		}
	}
	for i, a := range o.Agents {
		if a.Name == "" || a.Turns < 0 || a.Time < 0 {
			return Own{}, fmt.Errorf("%s: agents.%d should have a name, and no turns or time below zero", file, i+1)
		}
	}
	for key, d := range map[string]*float64{"usd_per_session": o.PerSession, "usd_per_day": o.PerDay} {
		if d != nil && !(*d >= 0 && *d <= 1_000_000) { // so that NaN is refused too
			return Own{}, fmt.Errorf("%s: %s should be an amount of dollars", file, key)
		}
	}
	if o.CallsPerDay < 0 || o.TokensPerDay < 0 {
		return Own{}, fmt.Errorf("%s: calls_per_day and tokens_per_day should be at least 1", file)
	}
	return o, nil
}

// UnmarshalYAML reads an agent, of which its name alone may be written.
func (a *Agent) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		a.Name = n.Value
		return nil
	}
	type rows Agent
	return n.Decode((*rows)(a))
}

func read(file string, text []byte, into any) error {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if doc.Kind == 0 {
		return nil // nothing is written
	}
	if err := strict(doc.Content[0], reflect.TypeOf(into).Elem(), nil); err != nil {
		return fmt.Errorf("%s:%w", file, err)
	}
	if err := doc.Decode(into); err != nil {
		return fmt.Errorf("%s: %s", file, inOneLine(err))
	}
	return nil
}

// strict refuses keys that a form does not have, and says which was meant. What stands behind a key is never shown: people write passwords into wrong places.
func strict(n *yaml.Node, t reflect.Type, path []string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if t == reflect.TypeFor[Agent]() && n.Kind == yaml.ScalarNode {
		return nil // its name alone
	}
	switch {
	case t.Kind() == reflect.Struct && n.Kind == yaml.MappingNode:
		return strictKeys(n, t, path)
	case t.Kind() == reflect.Map && n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if err := strict(n.Content[i+1], t.Elem(), append(slices.Clone(path), n.Content[i].Value)); err != nil {
				return err
			}
		}
	case t.Kind() == reflect.Slice && n.Kind == yaml.SequenceNode:
		for i, item := range n.Content {
			if err := strict(item, t.Elem(), append(slices.Clone(path), strconv.Itoa(i+1))); err != nil {
				return err
			}
		}
	case (t.Kind() == reflect.Struct || t.Kind() == reflect.Map) && n.ShortTag() != "!!null":
		return fmt.Errorf("%d:%d: %s should hold keys and values", n.Line, n.Column, strings.Join(path, "."))
	}
	return nil
}

// strictKeys is [strict] for keys that a form has by name.
func strictKeys(n *yaml.Node, t reflect.Type, path []string) error {
	fields := map[string]reflect.Type{}
	var names []string
	for f := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(f).Tag.Get("yaml"), ",")
		fields[name] = t.Field(f).Type
		names = append(names, name)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		field, ok := fields[key.Value]
		if !ok {
			return fmt.Errorf("%d:%d: %s", key.Line, key.Column, unknownKey(key.Value, path, names))
		}
		if err := strict(n.Content[i+1], field, append(slices.Clone(path), key.Value)); err != nil {
			return err
		}
	}
	return nil
}

func unknownKey(key string, path, names []string) string {
	where := strings.Join(path, ".")
	if where == "" {
		where = "models"
	}
	if slices.Contains([]string{"key", "api_key", "apikey", "token", "auth_token", "secret", "password", "authorization"}, strings.ToLower(strings.ReplaceAll(key, "-", "_"))) {
		return "keys are never written into a file: put the key into a variable of the environment, and name that in key_env of your own " + FileName
	}
	text := fmt.Sprintf("%s has no key %q", where, key)
	if looksLikeKey(key) {
		text = where + " has a key that it does not know"
	}
	if meant := near.Name(key, names); meant != "" {
		return text + fmt.Sprintf("; did you mean %q?", meant)
	}
	return text + "; there are " + strings.Join(names, ", ")
}

// inOneLine is what the YAML reader says of the first value that it cannot use.
func inOneLine(err error) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: unmarshal errors:\n"), "\n")
	return strings.TrimPrefix(strings.TrimSpace(first), "yaml: ")
}
