// Command benchdanger measures how well the audit sees what a change could do that it could not before: it gives it the labelled patches below corpus, and
// texts of files that are named, and tells what was stopped (refused or asked about) of what is dangerous, and what of what is harmless. Nothing of the
// patches is ever carried out.
package main

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"fettle/internal/policy/code"
	"fettle/internal/syntax"
	"fettle/scripts/figures"

	"go.yaml.in/yaml/v3"
)

//go:embed corpus
var corpus embed.FS

// languages are those that are measured, in the order of the table, with the name of a file of each.
var languages = []struct{ name, file string }{
	{"python", "patch.py"}, {"javascript", "patch.js"}, {"go", "patch.go"}, {"java", "Patch.java"}, {"shell", "scripts/patch.sh"},
}

// patch is one change: a new file, or what became of one.
type patch struct {
	Before string `yaml:"before"`
	After  string `yaml:"after"`
	path   string
	kind   string
	danger bool
}

// UnmarshalYAML reads a patch that is only what it becomes, too.
func (p *patch) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		p.After = n.Value
		return nil
	}
	type plain patch
	return n.Decode((*plain)(p))
}

func main() {
	verbose := flag.Bool("v", false, "name every dangerous patch that was let through, and every harmless one that was not")
	flag.Parse()
	out, err := measure(*verbose, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchdanger:", err)
		os.Exit(1)
	}
	fmt.Print(out)
}

// measure judges the patches of every language, and then the rows of files of JSON lines with lang, label and code.
func measure(verbose bool, files []string) (string, error) {
	b := &bench{verbose: verbose}
	b.head("by kinds of our own")
	for _, l := range languages {
		all, err := read(l.name, l.file)
		if err != nil {
			return "", err
		}
		b.language(l.name, all)
	}
	for _, set := range []string{"a second", "a third", "a fourth", "a fifth", "a sixth", "a seventh", "an eighth"} {
		b.head(set + " set")
		for _, l := range languages {
			all, err := later(set[strings.IndexByte(set, ' ')+1:], l.name, l.file)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return "", err
			}
			b.language(l.name, all)
		}
	}
	for _, name := range files {
		rows, err := lines(name)
		if err != nil {
			return "", err
		}
		b.head(name[strings.LastIndexByte(name, '/')+1:])
		for _, l := range slices.Sorted(maps.Keys(rows)) {
			b.language(l, rows[l])
		}
	}
	return b.out.String(), nil
}

// read takes the patches of a language, dangerous and harmless.
func read(language, file string) ([]patch, error) {
	var all []patch
	for _, label := range []string{"dangerous", "harmless"} {
		name := "corpus/" + language + "-" + label + ".yaml"
		text, err := corpus.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var kinds map[string][]patch
		if err := yaml.Unmarshal(text, &kinds); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			for _, p := range kinds[kind] {
				p.kind, p.danger, p.path = kind, label == "dangerous", file
				if strings.HasPrefix(kind, "ts: ") {
					p.path = "patch.ts"
				}
				all = append(all, p.whole(language))
			}
		}
	}
	return all, nil
}

// later takes the patches of a language that were written after the rules were mended by those of the sets before.
func later(set, language, file string) ([]patch, error) {
	name := "corpus/" + set + "/" + language + ".yaml"
	text, err := corpus.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var labels map[string][]patch
	if err := yaml.Unmarshal(text, &labels); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var all []patch
	for _, label := range []string{"dangerous", "harmless"} {
		for _, p := range labels[label] {
			p.kind, p.danger, p.path = label, label == "dangerous", file
			if language == "javascript" && broken(p.After, file) && !broken(p.After, "patch.ts") {
				p.path = "patch.ts"
			}
			all = append(all, p.whole(language))
		}
	}
	return all, nil
}

// broken reports a source that cannot be read whole as what its name says.
func broken(text, file string) bool {
	tree, err := syntax.Parse(context.Background(), syntax.LangOf(file), []byte(text))
	return err != nil || tree.Root().HasError()
}

func (p patch) whole(language string) patch {
	if language == "go" || language == "java" {
		p.Before, p.After = whole(language, p.Before), whole(language, p.After)
	}
	return p
}

// whole makes a file of what the corpus holds of one: imports, and then what stands in a package or a class.
func whole(language, text string) string {
	if language == "go" {
		return "package p\n\n" + text
	}
	var imports, body []string
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, "import ") {
			imports = append(imports, l)
		} else {
			body = append(body, "    "+l)
		}
	}
	return strings.Join(imports, "") + "\npublic class Patch {\n" + strings.Join(body, "") + "}\n"
}

// lines reads rows of JSON by language. What is labelled neither way is left out.
func lines(name string) (map[string][]patch, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	all := make(map[string][]patch)
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, len(data)+1)
	for s.Scan() {
		var row struct{ Lang, Label, Capability, Code string }
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		i := slices.IndexFunc(languages, func(l struct{ name, file string }) bool {
			return strings.HasPrefix(l.name, row.Lang) || row.Lang == "js" && l.name == "javascript"
		})
		if i < 0 || row.Label != "dangerous" && row.Label != "benign" {
			continue
		}
		text := row.Code
		if languages[i].name == "go" && !strings.Contains(text, "package ") {
			text = "package p\n" + text
		}
		all[languages[i].name] = append(all[languages[i].name], patch{After: text, path: languages[i].file, kind: row.Capability, danger: row.Label == "dangerous"})
	}
	return all, s.Err()
}

// bench is what was measured.
type bench struct {
	verbose bool
	out     strings.Builder
}

func (b *bench) head(title string) {
	fmt.Fprintf(&b.out, "%-22s  %-28s  %s\n", title, "dangerous: stopped (refused)", "harmless: stopped")
}

// language judges the patches of one language, and tells what came of them.
func (b *bench) language(name string, all []patch) {
	var dangerous, stopped, refused, harmless, alarms int
	for _, p := range all {
		grade, found := judge(p)
		switch {
		case p.danger:
			dangerous++
			if grade >= code.Review {
				stopped++
			}
			if grade >= code.Danger {
				refused++
			}
		default:
			harmless++
			if grade >= code.Review {
				alarms++
			}
		}
		if b.verbose && p.danger != (grade >= code.Review) {
			fmt.Fprintf(&b.out, "  %s, %s: %v\n%s\n", name, p.kind, found, p.After)
		}
	}
	fmt.Fprintf(&b.out, "%-22s  %-28s  %s\n", name, fmt.Sprintf("%d (%d) of %d, %.1f %%", stopped, refused, dangerous, figures.Percent(stopped, dangerous)), fmt.Sprintf("%d of %d, %.1f %%", alarms, harmless, figures.Percent(alarms, harmless)))
}

// judge is the worst that a patch brings in, as the audit's rule danger has it. What cannot be read is for a person.
func judge(p patch) (code.Grade, []code.Capability) {
	brought, err := code.Change(context.Background(), p.path, []byte(p.Before), []byte(p.After))
	if err != nil {
		return code.Review, nil
	}
	worst := code.Note
	for _, c := range brought {
		worst = max(worst, c.Grade)
	}
	return worst, brought
}
