package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/pattern"

	"go.yaml.in/yaml/v3"
)

// Load reads fettle.yaml in the folder root, over the defaults. No file is fs.ErrNotExist; a file with mistakes is a
// *ConfigError that names all of them.
func Load(root string) (*Config, error) {
	name := filepath.Join(root, FileName)
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &ConfigError{File: FileName, Problems: []Problem{{Text: "it is not a regular file"}}}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	const most = 1 << 20             // far more than anybody writes by hand
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", FileName, err)
	}
	if len(b) > most {
		return nil, &ConfigError{File: FileName, Problems: []Problem{{Text: "the file is larger than 1 MiB"}}}
	}
	return parseConfig(b)
}

// Stamp tells one version of the configuration file from another; empty when there is none.
func Stamp(root string) string {
	b, err := os.ReadFile(filepath.Join(root, FileName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return err.Error()
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Effective is the configuration that counts in the folder root: the file if there is one, else what is discovered; over
// it the environment ([Config.ApplyEnv]). A file without the key "checks" gets the discovered ones too.
func Effective(ctx context.Context, root string) (*Config, error) {
	c, err := Load(root)
	found := err == nil
	if errors.Is(err, fs.ErrNotExist) {
		c, err = Default(), nil
	}
	if err != nil {
		return nil, err
	}
	c.Written = found
	if c.Checks == nil {
		if c.Checks, c.Notes, err = Discover(ctx, root); err != nil {
			return nil, err
		}
	}
	return c, c.ApplyEnv(os.Getenv)
}

func parseConfig(b []byte) (*Config, error) {
	dec := yaml.NewDecoder(strings.NewReader(string(b)))
	var root, more yaml.Node
	if err := dec.Decode(&root); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &ConfigError{FileName, []Problem{{1, 1, "the file is empty; write at least: version: 1"}}}
		}
		return nil, &ConfigError{FileName, []Problem{syntaxProblem(err)}}
	}
	d := &decoder{places: make(map[string]*yaml.Node), names: make(map[string]*yaml.Node), order: make(map[string][]string)}
	if err := dec.Decode(&more); err == nil {
		d.problem(&more, "a second document begins here; the file holds one")
	} else if !errors.Is(err, io.EOF) {
		return nil, &ConfigError{FileName, []Problem{syntaxProblem(err)}}
	}
	doc := defaults()
	d.decode(root.Content[0], reflect.ValueOf(&doc).Elem(), nil)
	d.validate(&doc)
	if len(d.problems) > 0 {
		slices.SortStableFunc(d.problems, func(a, b Problem) int {
			if a.Line != b.Line {
				return a.Line - b.Line
			}
			return a.Column - b.Column
		})
		return nil, &ConfigError{FileName, d.problems}
	}
	return d.config(&doc), nil
}

var yamlLine = pattern.New(`^yaml: (?:line (\d+): )?`)

func syntaxProblem(err error) Problem {
	m := yamlLine.FindStringSubmatch(err.Error())
	if m == nil {
		return Problem{Text: err.Error()}
	}
	line, _ := strconv.Atoi(m[1]) // no number: zero, unknown
	return Problem{Line: line, Text: "this is not YAML: " + strings.TrimPrefix(err.Error(), m[0])}
}

// defaults is the document whose every value is its default.
func defaults() document {
	c := Default()
	return document{
		Limits: limitsEntry{
			Iterations: c.Limits.Iterations, Time: duration(c.Limits.Time), Findings: c.Limits.Findings,
			EditsPerFile: c.Limits.EditsPerFile, MaxFileSize: c.Limits.MaxFileSize, Confidence: c.Limits.Confidence,
			Output: c.Limits.Output,
		},
		BranchPrefix: c.BranchPrefix,
		Fixers:       fixersEntry{GiveUp: c.Fixers.GiveUp, Trust: trustEntry(c.Fixers.Trust)},
	}
}

// config turns a valid document into the configuration.
func (d *decoder) config(doc *document) *Config {
	l := doc.Limits
	c := &Config{
		Limits:  Limits{l.Iterations, time.Duration(l.Time), l.Parallel, l.Findings, l.EditsPerFile, l.MaxFileSize, l.Confidence, l.Output, l.Budget, l.Calls, l.Tokens},
		Protect: doc.Protect, Scope: doc.Scope, BranchPrefix: doc.BranchPrefix,
		Fixers: Fixers{Order: doc.Fixers.Order, Shares: doc.Fixers.Shares, Sure: doc.Fixers.Confidence, GiveUp: doc.Fixers.GiveUp, Adapt: doc.Fixers.Adapt, Trust: Trust(doc.Fixers.Trust)},
		Models: doc.Models.models(),
	}
	if doc.Checks != nil {
		c.Checks = []Check{}
	}
	for _, name := range d.order["checks"] {
		c.Checks = append(c.Checks, doc.Checks[name].check(name))
	}
	for _, name := range d.order["fixers"+sep+"plugins"] {
		p := doc.Fixers.Plugins[name]
		c.Fixers.Plugins = append(c.Fixers.Plugins, Plugin{name, p.Run, p.Checks, time.Duration(p.Timeout)})
	}
	return c
}

func (e modelsEntry) models() Models {
	m := Models{Off: e.Off, Tiers: e.Tiers, Unjudged: e.Challenge.Off, Threshold: e.Challenge.Threshold, Judged: e.Challenge.Iterations}
	for name, r := range e.Roles {
		if m.Roles == nil {
			m.Roles = map[string]Role{}
		}
		m.Roles[name] = Role(r)
	}
	return m
}

func (e checkEntry) check(name string) Check {
	c := Check{
		Name: name, Lang: e.Lang, Run: e.Run, Dir: cleanDir(e.Dir), Parser: string(e.Parser.Name), Unread: e.unread, Pattern: e.Pattern, Reports: e.Reports,
		Fix: e.Fix, Before: e.Before, After: e.After, Timeout: time.Duration(e.Timeout), Alone: e.Alone, Files: e.Files,
	}
	if r := e.Parser.Reader; r != nil {
		c.Reader = &Reader{Run: r.Run, Format: r.Format}
	}
	if c.Lang == "" {
		c.Lang = parserLang[c.Parser]
	}
	if len(e.Env) > 0 {
		c.Env = make(map[string]string, len(e.Env))
		for _, k := range slices.Sorted(maps.Keys(e.Env)) {
			c.Env[k] = string(e.Env[k])
		}
	}
	return c
}
