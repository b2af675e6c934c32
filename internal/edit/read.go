package edit

import (
	"bytes"
	"fmt"
	"strings"

	"fettle/internal/pattern"
)

// DefaultMaxEdits is how many edits one proposal may make to one file, unless [Options] say otherwise.
const DefaultMaxEdits = 30

// Options bound what the readers of proposals accept. The zero Options are the defaults.
type Options struct {
	MaxEdits int // line edits, or search/replace blocks, for one file; 0: DefaultMaxEdits; negative: no limit
}

// Note says what a reader did beyond taking a proposal at its word: matched by white space only, found a hunk elsewhere, kept a
// line ending. People and reports show it.
type Note struct {
	Path string `json:"path,omitempty"` // empty: the proposal itself
	Line int    `json:"line,omitempty"` // of the base content, or of the proposal if Path is empty, from 1; 0: no line in particular
	Text string `json:"text"`
}

func (n Note) String() string { return place(n.Path, n.Line) + n.Text }

// RejectError says why a proposal was refused. A proposal is refused whole.
type RejectError struct {
	Path   string // the file that is the matter; empty: the proposal itself
	Line   int    // line of that file, or of the proposal if Path is empty, from 1; 0: no line in particular
	Reason string // what is wrong and what was expected, for people
}

func (e *RejectError) Error() string { return place(e.Path, e.Line) + e.Reason }

func place(path string, line int) string {
	switch {
	case path == "" && line == 0:
		return ""
	case path == "":
		return fmt.Sprintf("line %d of the proposal: ", line)
	case line == 0:
		return path + ": "
	}
	return fmt.Sprintf("%s:%d: ", path, line)
}

func reject(path string, line int, format string, args ...any) error {
	return &RejectError{Path: path, Line: line, Reason: fmt.Sprintf(format, args...)}
}

// Read reads a proposal of whatever form; see [Options.Read].
func Read(data []byte, src Source) (Patch, []Note, error) { return Options{}.Read(data, src) }

// ReadLines reads line edits with the default options; see [Options.ReadLines].
func ReadLines(data []byte, src Source) (Patch, []Note, error) { return Options{}.ReadLines(data, src) }

// ReadBlocks reads search/replace blocks with the default options; see [Options.ReadBlocks].
func ReadBlocks(data []byte, src Source) (Patch, []Note, error) {
	return Options{}.ReadBlocks(data, src)
}

// Read finds out which form a proposal has and reads it:
//
//   - JSON with "edits": line edits, [Options.ReadLines]
//   - JSON with "operation": file operations, [Options.ReadBlocks]
//   - JSON {"path", "content"}, or an array of these: whole files, [ReadWhole]
//   - text with <<<<<<< SEARCH lines: blocks, [Options.ReadBlocks]
//   - text with "diff --git" or "---", "+++" lines: a unified diff, [ReadUnified]
//
// One Markdown fence around all of it is taken off. Every change of the patch is bound to the content that src hands out. Nothing
// is read by halves: any part that does not fit refuses the whole with a [*RejectError]. A proposal that would leave everything as
// it is gives an empty patch and a Note.
func (o Options) Read(data []byte, src Source) (Patch, []Note, error) {
	data = unfence(data)
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) == 0 {
		return nil, nil, reject("", 0, "the proposal is empty")
	}
	block, diff := searchLine.FindIndex(data), diffLine.FindIndex(data)
	switch {
	case block == nil && diff == nil && (trimmed[0] == '{' || trimmed[0] == '['):
		return o.readJSON(data, src)
	case block != nil && (diff == nil || block[0] < diff[0]):
		return o.ReadBlocks(data, src)
	case diff != nil:
		return ReadUnified(data, src)
	}
	return nil, nil, reject("", 1, "this is neither JSON (line edits, file operations, whole files), nor search/replace blocks, nor a unified diff")
}

var (
	searchLine = pattern.New(`(?m)^<{5,9} SEARCH>?[ \t]*\r?$`)
	diffLine   = pattern.New(`(?m)^(?:diff --git |--- [^\n]*\n\+\+\+ )`)
	fenceLine  = pattern.New("^(`{3,}|~{3,})[^`]*$")
)

// unfence takes off one Markdown fence around all of data.
func unfence(data []byte) []byte {
	trimmed := strings.TrimSpace(string(data))
	first, rest, more := strings.Cut(trimmed, "\n")
	found := fenceLine.FindStringSubmatch(strings.TrimRight(first, "\r"))
	if !more || found == nil {
		return data
	}
	at := strings.LastIndexByte(rest, '\n') + 1
	if strings.TrimSpace(rest[at:]) != found[1] {
		return data
	}
	return []byte(rest[:at])
}
