package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// called are the clients by their own names.
var called = map[Client]string{Claude: "Claude Code", Codex: "Codex", Gemini: "Gemini CLI"}

// untaken says why a client heeds nothing of such settings, so that no hook in them runs, and on which line that stands; nil: nothing is known that it would not take.
// Claude Code and Codex read JSON and nothing else; what Gemini CLI reads may hold comments.
func untaken(client Client, data []byte) error {
	if client == Gemini {
		return nil
	}
	if rest, ok := bytes.CutPrefix(data, unicodeMark); ok {
		if data = rest; client == Codex {
			return unheeded(client, 1, "a mark of Unicode (U+FEFF) stands before the text")
		}
	}
	if client == Codex && !utf8.Valid(data) {
		return unheeded(client, 1, "this is no UTF-8")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil // what is added makes settings of it
	}
	var all map[string]json.RawMessage
	err := json.Unmarshal(data, &all)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return misspelt(client, data, int(syntax.Offset))
	}
	if err != nil {
		return unheeded(client, 1, "this is no JSON object")
	}
	return mistyped(client, data, all)
}

// unheeded is the reason, for a person to mend it.
func unheeded(client Client, line int, why string) error {
	return fmt.Errorf("line %d: %s, and %s heeds nothing in such a file, so that no hook runs", line, why, called[client])
}

// misspelt says what is no JSON in front of an offset.
func misspelt(client Client, text []byte, offset int) error {
	offset = max(1, min(offset, len(text)))
	before, why := text[:offset-1], "this is no JSON"
	switch text[offset-1] {
	case '/':
		why = "comments are no JSON"
	case '}', ']':
		if bare := bytes.TrimRight(before, " \t\r\n"); bytes.HasSuffix(bare, []byte(",")) {
			before, why = bare, "a comma behind the last entry is no JSON"
		}
	}
	return unheeded(client, 1+bytes.Count(before, []byte("\n")), why)
}

// kind is that of a value, by the first letter of its JSON.
type kind byte

// The kinds that settings have to be of.
const (
	text   kind = '"'
	object kind = '{'
)

func (k kind) String() string {
	if k == text {
		return "text"
	}
	return "object"
}

// kinds are settings that a client refuses as a whole where one of these is of another kind.
var kinds = map[Client]map[string]kind{
	Claude: {"permissions": object, "env": object, "hooks": object, "model": text},
	Codex:  {"hooks": object, "description": text},
}

// rights are the members of Claude Code's permissions that are lists of texts.
var rights = []string{"allow", "ask", "deny", "additionalDirectories"}

// mistyped says which of the settings is of a kind that makes the client refuse them all, or for Codex that it does not know. What holds nothing (null) in the place of the hooks is filled
// by the guard's.
func mistyped(client Client, data []byte, all map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		want, is := kinds[client][name]
		switch first := all[name][0]; {
		case !is && client == Codex:
			return unheeded(client, lineOf(data, name), fmt.Sprintf("%q is no setting that it knows there", name))
		case is && kind(first) != want && (name != "hooks" || first != 'n'):
			return unheeded(client, lineOf(data, name), fmt.Sprintf("%q is no %v", name, want))
		}
	}
	if client != Claude {
		return nil
	}
	has := members(all["permissions"])
	for _, name := range rights {
		if value, ok := has[name]; ok && json.Unmarshal(value, &[]string{}) != nil {
			return unheeded(client, lineOf(data, "permissions"), fmt.Sprintf("%q of its permissions is no list of texts", name))
		}
	}
	return nil
}

// lineOf is the line on which a member of the settings stands.
func lineOf(data []byte, name string) int {
	in := json.NewDecoder(bytes.NewReader(data))
	_, _ = in.Token() // it is an object, as it was read as one
	for in.More() {
		key, err := in.Token()
		if err != nil || key == name {
			return 1 + bytes.Count(data[:in.InputOffset()], []byte("\n"))
		}
		var value json.RawMessage
		if in.Decode(&value) != nil {
			break
		}
	}
	return 1
}
