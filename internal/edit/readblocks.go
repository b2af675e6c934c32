package edit

import (
	"strings"

	"fettle/internal/pattern"
)

// operation is one file operation as JSON.
type operation struct {
	Operation string  `json:"operation"`
	Path      string  `json:"path"`
	Search    *string `json:"search_block"`
	Replace   *string `json:"replace_block"`
	Content   *string `json:"content"`
}

// ReadBlocks reads search/replace proposals in two forms. As JSON, one object or an array:
//
//	{"operation": "patch", "path": …, "search_block": …, "replace_block": …}
//	{"operation": "create", "path": …, "content": …}
//	{"operation": "delete", "path": …}
//
// and as text, one or more blocks, each under the name of its file or following another block of the same file:
//
//	path/to/file.py
//	<<<<<<< SEARCH
//	lines as they are
//	=======
//	lines as they should be
//	>>>>>>> REPLACE
//
// Every block is searched in the file as it is now, never in what another block made of it. The search text must be there exactly
// once, but for line endings; in the text form it is whole lines. Only if it is not there at all, lines are compared by their
// words alone; if that finds one place, it is taken, the replacement is indented as the lines it replaces, and a Note says so.
// An empty search text is for an empty file, or in the text form for one that does not exist yet.
//
// A replacement neither eats nor adds the newline at the end of what was found; an empty one takes whole lines away.
func (o Options) ReadBlocks(data []byte, src Source) (Patch, []Note, error) {
	data = unfence(data)
	d := newDraft(src)
	if searchLine.Match(data) { // never in JSON, where no line can begin inside a string
		blocks, err := ScanBlocks(string(data), blockPath)
		if err != nil {
			return nil, nil, err
		}
		return o.ReadParts(blocks, src)
	}
	ops, err := decode[operation](data)
	if err != nil {
		return nil, nil, err
	}
	for _, op := range ops {
		if err := o.operation(d, op); err != nil {
			return nil, nil, err
		}
	}
	return d.patch()
}

func (o Options) operation(d *draft, op operation) error {
	switch {
	case op.Operation == "patch" && op.Search != nil && op.Replace != nil && op.Content == nil:
		f, err := d.open(op.Path, Modify)
		if err != nil {
			return err
		}
		if err := o.count(f); err != nil {
			return err
		}
		return d.block(f, *op.Search, *op.Replace, false)
	case op.Operation == "create" && op.Content != nil && op.Search == nil && op.Replace == nil:
		f, err := d.open(op.Path, Create)
		if err != nil {
			return err
		}
		f.create([]byte(d.unfenced(op.Path, *op.Content)))
		return nil
	case op.Operation == "delete" && op.Content == nil && op.Search == nil && op.Replace == nil:
		_, err := d.open(op.Path, Delete)
		return err
	}
	switch op.Operation {
	case "patch":
		return reject(op.Path, 0, "a patch has a search_block and a replace_block, and nothing else")
	case "create":
		return reject(op.Path, 0, "a create has a content, and nothing else")
	case "delete":
		return reject(op.Path, 0, "a delete has a path, and nothing else")
	}
	return reject(op.Path, 0, "unknown operation %q; there are patch, create and delete", op.Operation)
}

// unfenced takes a Markdown fence off the content of a new file that is not itself Markdown.
func (d *draft) unfenced(path, content string) string {
	inner := string(unfence([]byte(content)))
	if inner == content || strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".markdown") {
		return content
	}
	d.note(path, 0, "took off the code fence around the content")
	return inner
}

var (
	dividerLine = pattern.New(`^={5,9}[ \t]*$`)
	replaceLine = pattern.New(`^>{5,9} REPLACE[ \t]*$`)
)

// ScanBlocks finds the blocks of a text, and what stands in them, without looking at any file. Between blocks anything may stand. named says which file the lines between the block
// before and this one name; where they name none, it is the file of the block before.
func ScanBlocks(s string, named func(above []string) (path string, ok bool)) ([]Part, error) {
	var lines []string
	for line := range strings.Lines(s) {
		lines = append(lines, line)
	}
	bare := func(i int) string { l, _ := cutEnding(lines[i]); return l }
	var out []Part
	prose := 0 // where the text after the last block begins
	for i := 0; i < len(lines); i++ {
		if replaceLine.MatchString(bare(i)) {
			return nil, reject("", i+1, "a REPLACE line without a SEARCH line before it")
		}
		if !searchLine.MatchString(bare(i)) {
			continue
		}
		path, ok := named(lines[prose:i])
		switch {
		case !ok && len(out) > 0:
			path = out[len(out)-1].Path
		case !ok:
			return nil, reject("", i+1, "no file name stands above the block")
		}
		divider, end := 0, i+1
		for ; end < len(lines) && !replaceLine.MatchString(bare(end)); end++ {
			switch {
			case searchLine.MatchString(bare(end)):
				return nil, reject("", i+1, "the block does not end with a >>>>>>> REPLACE line before the next one begins")
			case dividerLine.MatchString(bare(end)) && divider > 0:
				return nil, reject("", end+1, "a second ======= line in the block: nobody can say which one divides it; use the JSON form for such text")
			case dividerLine.MatchString(bare(end)):
				divider = end
			}
		}
		if end == len(lines) || divider == 0 {
			return nil, reject("", i+1, "the block needs a ======= line and, after it, a >>>>>>> REPLACE line")
		}
		search, replace := strings.Join(lines[i+1:divider], ""), strings.Join(lines[divider+1:end], "")
		out = append(out, Part{Path: path, Old: &search, New: &replace, Lines: true})
		i, prose = end, end+1
	}
	return out, nil
}

// blockPath gives the file name in the last line that is neither blank nor a fence, without the ornaments that models put around it.
func blockPath(above []string) (path string, named bool) {
	for i := len(above) - 1; i >= 0; i-- {
		line := strings.TrimSpace(above[i])
		if line == "" || fenceLine.MatchString(line) {
			continue
		}
		line = strings.TrimSpace(strings.TrimLeft(line, "#"))
		return strings.TrimSpace(strings.Trim(strings.TrimSuffix(strings.Trim(line, "*`"), ":"), "*`")), true
	}
	return "", false
}
