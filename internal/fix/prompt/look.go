package prompt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"fettle/internal/fix"
	"fettle/internal/glob"
	"fettle/internal/lang"
	"fettle/internal/model"
	policy "fettle/internal/policy/path"
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

// looker answers what a model asks to see of the private copy.
type looker struct {
	task fix.Task
	r    *Request
	may  bool
	left int // turns
	seen int // bytes
}

func newLooker(t fix.Task, r *Request, turns int) *looker {
	return &looker{task: t, r: r, may: turns > 0, left: turns}
}

func input(properties, required string) json.RawMessage {
	return json.RawMessage(`{"type": "object", "additionalProperties": false, "properties": {` + properties + `}, "required": [` + required + `]}`)
}

// tools are what the model may use. They stay when its turns are over, because providers take no conversation with calls of tools that there are none of.
func (l *looker) tools() []model.Tool {
	if !l.may {
		return nil
	}
	return []model.Tool{
		{Name: "Read", Description: "Shows lines of a file with their numbers.", Input: input(`"path": {"type": "string"}, "from": {"type": "integer"}, "to": {"type": "integer"}`, `"path"`)},
		{Name: "Glob", Description: "Lists files by a pattern: * within a name, ** across folders.", Input: input(`"pattern": {"type": "string"}`, `"pattern"`)},
		{Name: "Grep", Description: "Finds lines that match a regular expression (RE2), in files that match a glob.", Input: input(`"pattern": {"type": "string"}, "glob": {"type": "string"}`, `"pattern"`)},
	}
}

// answer does one turn: every call is answered, and what is answered is data.
func (l *looker) answer(ctx context.Context, calls []model.ToolCall) model.Message {
	l.left--
	m := model.Message{Speaker: model.User}
	for i, c := range calls {
		var text string
		var err error
		switch {
		case l.left < 0:
			err = errors.New("you have looked often enough: answer now, with the JSON object")
		case i >= mostCalls:
			err = fmt.Errorf("at most %d calls a turn are answered", mostCalls)
		case l.seen >= mostSeen:
			err = fmt.Errorf("%d bytes were shown, and more will not be: answer", l.seen)
		default:
			text, err = l.call(ctx, c)
		}
		if err != nil {
			text = err.Error()
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
	l.r.look()
	return m
}

func (l *looker) call(ctx context.Context, c model.ToolCall) (string, error) {
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

// visible says why a file is not shown: it lies outside, is a link or behind one, or holds what nobody but its owner should see.
func (l *looker) visible(name string) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("%q is no name of a file in the repository: names go from its root, with slashes", name)
	}
	if err := policy.Check(name); err != nil {
		return fmt.Errorf("%s is not shown: %w", name, err)
	}
	if lang.IsHistory(name) || private(name) {
		return fmt.Errorf("%s is not shown: it may hold secrets, or is none of the code", name)
	}
	files := l.task.Place.FS()
	for at := name; at != "."; at = path.Dir(at) {
		info, err := fs.Lstat(files, at)
		if err != nil {
			return fmt.Errorf("there is no file %s", name)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is not shown: %s is a link", name, at)
		}
	}
	return nil
}

// private reports whether a file is one whose purpose is to hold secrets.
func private(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, p := range []string{".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "id_rsa*", "id_ed25519*", ".netrc", ".npmrc", ".pypirc", "*.keystore", "*.jks", "credentials", "credentials.*"} {
		if ok, _ := path.Match(p, base); ok {
			return true
		}
	}
	return false
}

func (l *looker) read(name string, from, to int) (string, error) {
	if err := l.visible(name); err != nil {
		return "", err
	}
	f, err := l.r.seen.readFile(name)
	if err != nil {
		return "", err
	}
	if f == nil {
		return "", fmt.Errorf("%s is no text, or too large", name)
	}
	from = max(from, 1)
	if to < from || to-from >= mostRead {
		to = from + mostRead - 1
	}
	to = min(to, f.count())
	if from > to {
		return "", fmt.Errorf("%s has %d lines", name, f.count())
	}
	text := f.numbered(from, to)
	for len(text) > mostBytes && to > from { // whole lines only: what is cut was not shown
		to = from + (to-from)/2
		text = f.numbered(from, to)
	}
	if len(text) <= mostBytes {
		f.show(stretch{from, to})
	}
	return fmt.Sprintf("%s, lines %d-%d of %d\n%s", name, from, to, f.count(), text), nil
}

// walk goes through the files that may be seen.
func (l *looker) walk(ctx context.Context, pattern string, each func(name string) bool) error {
	if pattern == "" {
		pattern = "**"
	}
	walked := 0
	return fs.WalkDir(l.task.Place.FS(), ".", func(name string, d fs.DirEntry, err error) error {
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

func (l *looker) glob(ctx context.Context, pattern string) (string, error) {
	var names []string
	err := l.walk(ctx, pattern, func(name string) bool {
		names = append(names, l.r.seen.redactor.RedactString(name))
		return len(names) < mostNames
	})
	if err == nil && len(names) == 0 {
		return "", fmt.Errorf("no file matches %q", pattern)
	}
	return strings.Join(names, "\n"), err
}

func (l *looker) grep(ctx context.Context, pattern, glob string) (string, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", fmt.Errorf("the pattern cannot be read: %w", err)
	}
	var out []string
	err = l.walk(ctx, glob, func(name string) bool {
		data, err := l.task.Place.ReadFile(name)
		if err != nil || !readable(data) {
			return true
		}
		f := newFile(name, data, l.r.seen.redactor)
		for i, line := range f.lines {
			if re.MatchString(line) {
				if len(line) > 300 {
					line = strings.ToValidUTF8(line[:300], "") + "…"
				}
				out = append(out, fmt.Sprintf("%s:%d: %s", name, f.at[i], line))
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
