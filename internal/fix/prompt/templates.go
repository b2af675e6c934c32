package prompt

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"fettle/internal/check"
	"fettle/internal/quote"
)

//go:embed templates
var builtin embed.FS

// The templates, each a file in the folder of its role.
const (
	systemText = "system" // constant bytes: nothing is put into it
	firstText  = "first"  // a first attempt
	againText  = "again"  // an attempt after one that failed
	formatText = "format" // after an answer that could not be read
)

// role is the folder of the templates that this package uses.
const role = "fixer"

// texts are the templates as they hold for one check.
type texts struct {
	own fs.FS // the person's; nil: none
	c   check.Check

	sentBack bool // a second reader was not satisfied
}

// read gives the most special template there is: the person's for the check, for its kind, for all; else the program's own.
func (t texts) read(name string) (string, error) {
	if t.own != nil {
		for _, special := range []string{name + "." + t.c.Name, name + "." + t.c.Kind(), name} {
			b, err := fs.ReadFile(t.own, path.Join(role, special+".md"))
			switch {
			case err == nil:
				return string(b), nil
			case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid):
				return "", fmt.Errorf("read the prompt %s of yours: %w", special, err)
			}
		}
	}
	b, err := builtin.ReadFile(path.Join("templates", role, name+".md"))
	return string(b), err
}

// fill puts data into a template that is no system text.
func (t texts) fill(name string, data []quote.Text) (string, error) {
	text, err := t.read(name)
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
	var b strings.Builder
	err = tmpl.Execute(&b, struct {
		Nonce, Data    string
		Test, SentBack bool
	}{sheet.Nonce, sheet.Text, t.c.Kind() == "test", t.sentBack})
	if err != nil {
		return "", fmt.Errorf("the prompt %s cannot be filled: %w", name, err)
	}
	if !strings.Contains(b.String(), sheet.Text) || !strings.Contains(strings.Replace(b.String(), sheet.Text, "", 1), sheet.Nonce) {
		return "", fmt.Errorf("the prompt %s has to hold {{.Data}}, and {{.Nonce}} outside of it: else nobody can tell data from what you say", name)
	}
	return b.String(), nil
}
