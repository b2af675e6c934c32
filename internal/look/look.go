// Package look answers "what does this model want to see?": it lets one read, list and search the files of a repository before it answers, and do nothing else.
//
// It goes through the files of one tree, never through links, never out of it. What is a secret or a setting by its name is not shown, other secrets are marks, and what is shown is data. How often
// a model may look, and how much it gets to see, is bounded.
package look

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"fettle/internal/glob"
	"fettle/internal/lang"
	"fettle/internal/model"
	policy "fettle/internal/policy/path"
	"fettle/internal/policy/secret"
	"fettle/internal/quote"
)

// What a model that looks around gets to see.
const (
	mostRead    = 200      // lines of a file at a time
	mostBytes   = 16 << 10 // of an answer
	mostSeen    = 96 << 10 // of all answers
	mostNames   = 200
	mostMatches = 50
	mostCalls   = 8      // in one turn
	mostWalked  = 20_000 // files that one call looks at
)

// Looker answers what a model asks to see.
type Looker struct {
	Files fs.FS           // the tree
	Out   secret.Outbound // what is shown goes through this
	Turns int             // how often it may look; 0: it may not
	// Text is a file as the model sees it; nil for one that cannot be shown. Without it, what stands in the tree is.
	Text func(name string) (*Text, error)
	// Shown is told which lines of a file were shown. May be nil.
	Shown func(name string, from, to int)

	used int // turns
	seen int // bytes
}

func input(properties, required string) json.RawMessage {
	return json.RawMessage(`{"type": "object", "additionalProperties": false, "properties": {` + properties + `}, "required": [` + required + `]}`)
}

// Tools are what the model may use. They stay when its turns are over, because providers take no conversation with calls of tools that there are none of.
func (l *Looker) Tools() []model.Tool {
	if l.Turns == 0 {
		return nil
	}
	return []model.Tool{
		{Name: "Read", Description: "Shows lines of a file with their numbers.", Input: input(`"path": {"type": "string"}, "from": {"type": "integer"}, "to": {"type": "integer"}`, `"path"`)},
		{Name: "Glob", Description: "Lists files by a pattern: * within a name, ** across folders.", Input: input(`"pattern": {"type": "string"}`, `"pattern"`)},
		{Name: "Grep", Description: "Finds lines that match a regular expression (RE2), in files that match a glob.", Input: input(`"pattern": {"type": "string"}, "glob": {"type": "string"}`, `"pattern"`)},
	}
}

// Answer does one turn, as [model.Form] wants it: every call is answered, and what is answered is data. It reports whether the model might still look.
func (l *Looker) Answer(ctx context.Context, said model.Reply) (m model.Message, might bool) {
	might = l.used < l.Turns
	l.used++
	m.Speaker = model.User
	for i, c := range said.Calls {
		var text string
		var err error
		switch {
		case !might:
			err = errors.New("you have looked often enough: answer now, with the JSON object")
		case i >= mostCalls:
			err = fmt.Errorf("at most %d calls a turn are answered", mostCalls)
		case l.seen >= mostSeen:
			err = fmt.Errorf("%d bytes were shown, and more will not be: answer", l.seen)
		default:
			text, err = l.call(ctx, c)
		}
		if err != nil {
			text = l.Out.Text(err.Error())
		}
		if len(text) > mostBytes {
			text = strings.ToValidUTF8(text[:mostBytes], "") + "\n[…]"
		}
		l.seen += len(text)
		sheet, putErr := quote.Put([]quote.Text{{Kind: "result", Meta: map[string]any{"tool": c.Name}, Body: text}})
		if putErr != nil {
			sheet.Text, err = "it cannot be shown", putErr
		}
		m.Results = append(m.Results, model.ToolResult{ID: c.ID, Text: sheet.Text, Failed: err != nil})
	}
	return m, might
}

func (l *Looker) call(ctx context.Context, c model.ToolCall) (string, error) {
	var in struct {
		Path, Pattern, Glob string
		From, To            int
	}
	if err := json.Unmarshal(c.Input, &in); err != nil {
		return "", fmt.Errorf("the input of %s cannot be read: %w", c.Name, err)
	}
	switch strings.ToLower(c.Name) {
	case "read":
		return l.read(in.Path, in.From, in.To)
	case "glob":
		return l.glob(ctx, in.Pattern)
	case "grep":
		return l.grep(ctx, in.Pattern, in.Glob)
	}
	return "", fmt.Errorf("there is no tool %s; there are Read, Glob and Grep", c.Name)
}

// visible says why a file is not shown: it lies outside, is a link or behind one, is no file, or holds what nobody but its owner should see.
func (l *Looker) visible(name string) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("%q is no name of a file in the repository: names go from its root, with slashes", name)
	}
	if err := policy.Check(name); err != nil {
		return fmt.Errorf("%s is not shown: %w", name, err)
	}
	if lang.IsHistory(name) {
		return fmt.Errorf("%s is not shown: it is none of the code", name)
	}
	for at := name; at != "."; at = path.Dir(at) {
		info, err := fs.Lstat(l.Files, at)
		switch {
		case err != nil:
			return fmt.Errorf("there is no file %s", name)
		case info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("%s is not shown: %s is a link", name, at)
		case at == name && !info.Mode().IsRegular(): // a pipe would be waited for
			return fmt.Errorf("%s is no file: Glob lists those of a folder", name)
		}
	}
	return nil
}

// text is a file as the model sees it.
func (l *Looker) text(name string) (*Text, error) {
	if l.Text != nil {
		return l.Text(name)
	}
	return l.raw(name)
}

// raw is what stands in the tree.
func (l *Looker) raw(name string) (*Text, error) {
	info, err := fs.Lstat(l.Files, name)
	if err != nil || info.Size() > mostSource {
		return nil, err
	}
	data, err := fs.ReadFile(l.Files, name)
	if err != nil || !Readable(data) {
		return nil, err
	}
	return Of(data, l.Out), nil
}

func (l *Looker) read(name string, from, to int) (string, error) {
	if err := l.visible(name); err != nil {
		return "", err
	}
	t, err := l.text(name)
	if err != nil {
		return "", err
	}
	if t == nil {
		return "", fmt.Errorf("%s is no text, or too large", name)
	}
	from = max(from, 1)
	if to < from || to-from >= mostRead {
		to = from + mostRead - 1
	}
	to = min(to, t.Count())
	if from > to {
		return "", fmt.Errorf("%s has %d lines", name, t.Count())
	}
	text := t.Numbered(from, to)
	for len(text) > mostBytes && to > from { // whole lines only: what is cut was not shown
		to = from + (to-from)/2
		text = t.Numbered(from, to)
	}
	if len(text) <= mostBytes && l.Shown != nil {
		l.Shown(name, from, to)
	}
	return fmt.Sprintf("%s, lines %d-%d of %d\n%s", name, from, to, t.Count(), text), nil
}

// walk goes through the files that may be seen.
func (l *Looker) walk(ctx context.Context, pattern string, each func(name string) bool) error {
	if pattern == "" {
		pattern = "**"
	}
	walked := 0
	return fs.WalkDir(l.Files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil || name == ".":
			return nil //nolint:nilerr // a folder that cannot be read has nothing to show
		case d.IsDir() && (lang.IsHistory(name+"/x") || lang.IsCache(name+"/x") || lang.IsVendored(name+"/x")):
			return fs.SkipDir
		case d.IsDir() || !d.Type().IsRegular():
			return nil
		}
		if walked++; walked > mostWalked {
			return fs.SkipAll
		}
		if glob.Match(pattern, name) && l.visible(name) == nil && !each(name) {
			return fs.SkipAll
		}
		return nil
	})
}

func (l *Looker) glob(ctx context.Context, pattern string) (string, error) {
	var names []string
	err := l.walk(ctx, pattern, func(name string) bool {
		names = append(names, l.Out.Text(name))
		return len(names) < mostNames
	})
	if err == nil && len(names) == 0 {
		return "", fmt.Errorf("no file matches %q", pattern)
	}
	return strings.Join(names, "\n"), err
}

func (l *Looker) grep(ctx context.Context, pattern, glob string) (string, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", fmt.Errorf("the pattern cannot be read: %w", err)
	}
	var out []string
	err = l.walk(ctx, glob, func(name string) bool {
		t, err := l.raw(name)
		if err != nil || t == nil {
			return true
		}
		for i, line := range t.lines {
			if re.MatchString(line) {
				if len(line) > 300 {
					line = strings.ToValidUTF8(line[:300], "") + "…"
				}
				out = append(out, fmt.Sprintf("%s:%d: %s", name, t.at[i], line))
			}
			if len(out) >= mostMatches {
				return false
			}
		}
		return true
	})
	if err == nil && len(out) == 0 {
		return "", fmt.Errorf("no line matches %q", pattern)
	}
	return strings.Join(out, "\n"), err
}
