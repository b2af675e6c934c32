// Package wording answers "in which words is a model asked?": in templates that come with the program, a file each, and in a person's own in their place.
//
// A template is chosen for what it is asked about, the most special one first. What a person has written takes the place of the program's words and of nothing else: how material is told
// from instructions, which answers there are and how they are read is the program's, whatever a template says.
package wording

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"

	"fettle/internal/near"
	"fettle/internal/quote"
)

// Texts are the templates of one role.
type Texts struct {
	Role    string   // the folder of its templates
	Builtin fs.FS    // the program's: templates/ROLE/NAME.md
	Own     fs.FS    // the person's: ROLE/NAME.md, or ROLE/NAME.SPECIAL.md; nil: none
	For     []string // what is asked about, the most special first: a check, its kind
}

// Read gives the most special template of a name that there is, of the person's; else the program's own.
func (t Texts) Read(name string) (string, error) {
	if t.Own != nil {
		for _, special := range append(suffixed(name, t.For), name) {
			file := path.Join(t.Role, special+".md")
			b, err := fs.ReadFile(t.Own, file)
			switch {
			case err == nil && strings.TrimSpace(string(b)) == "":
				return "", fmt.Errorf("the prompt %s of yours is empty: write it, or remove the file", file)
			case err == nil:
				return string(b), nil
			case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid):
				return "", fmt.Errorf("read the prompt %s of yours: %w", file, err)
			}
		}
	}
	b, err := fs.ReadFile(t.Builtin, path.Join("templates", t.Role, name+".md"))
	return string(b), err
}

func suffixed(name string, specials []string) (out []string) {
	for _, s := range specials {
		out = append(out, name+"."+s)
	}
	return out
}

// Names are those of a role's templates among the program's.
func Names(builtin fs.FS, role string) (all []string) {
	entries, _ := fs.ReadDir(builtin, path.Join("templates", role)) // they come with the program
	for _, e := range entries {
		all = append(all, strings.TrimSuffix(e.Name(), ".md"))
	}
	return all
}

// Unknown says which of a person's templates, or of the folders of them, is one that nobody would ever read, and what there is instead; nil: all are known. Roles without names have their own say.
func Unknown(own fs.FS, known map[string][]string) error {
	roles := slices.Sorted(maps.Keys(known))
	entries, err := fs.ReadDir(own, ".")
	if err != nil {
		return err
	}
	for _, role := range entries {
		names, ok := known[role.Name()]
		if !ok {
			return fmt.Errorf("%s is no folder of prompts%s: there are %s", role.Name(), meant(role.Name(), roles), strings.Join(roles, ", "))
		}
		if names == nil {
			continue
		}
		files, err := fs.ReadDir(own, role.Name())
		if err != nil {
			return err
		}
		for _, f := range files {
			whole, text := strings.CutSuffix(f.Name(), ".md")
			name, _, _ := strings.Cut(whole, ".")
			if !text || f.IsDir() || !slices.Contains(names, name) {
				return fmt.Errorf("%s/%s is no prompt%s: name it as one of these, with .md behind it, or .CHECK.md: %s", role.Name(), f.Name(), meant(name, names), strings.Join(names, ", "))
			}
		}
	}
	return nil
}

// meant is the question whether one of these names was meant.
func meant(name string, names []string) string {
	if other := near.Name(name, names); other != "" && other != name {
		return fmt.Sprintf(" (did you mean %s?)", other)
	}
	return ""
}

// Fill puts data into a template, between boundaries of its own, and what more it may speak of. Data that is left out, or that nobody could tell from what the template says, is an error.
func (t Texts) Fill(name string, data []quote.Text, more map[string]any) (string, error) {
	text, err := t.Read(name)
	if err != nil {
		return "", err
	}
	tmpl, err := template.New(name).Option("missingkey=error").Parse(text)
	if err != nil {
		return "", fmt.Errorf("the prompt %s cannot be read: %w", name, err)
	}
	sheet, err := quote.Put(data)
	if err != nil {
		return "", err
	}
	fields := map[string]any{"Nonce": sheet.Nonce, "Data": sheet.Text}
	maps.Copy(fields, more)
	var b strings.Builder
	if err = tmpl.Execute(&b, fields); err != nil {
		return "", fmt.Errorf("the prompt %s cannot be filled: %w", name, err)
	}
	if !strings.Contains(b.String(), sheet.Text) || !strings.Contains(strings.Replace(b.String(), sheet.Text, "", 1), sheet.Nonce) {
		return "", fmt.Errorf("the prompt %s has to hold {{.Data}}, and {{.Nonce}} outside of it: else nobody can tell data from what you say", name)
	}
	return b.String(), nil
}
