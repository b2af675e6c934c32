package hook

import (
	"encoding/json"
	"io"
	"os"
	"syscall"
)

// replacement is a text of a file, and what it would become.
type replacement struct {
	Old string
	New string
	All bool
}

func (r *replacement) parts() []part {
	return []part{{name: "old_string", at: &r.Old}, {name: "new_string", at: &r.New}, {name: "replace_all", at: &r.All}}
}

// edits is what a tool that edits files is given: Edit and what it has of its own, MultiEdit several, Write all of a file, NotebookEdit a cell, and
// apply_patch a patch, which clients call otherwise.
type edits struct {
	replacement
	File    string
	Edits   []replacement
	Content *string
	Cell    string
	Command string
	Input   string
	Patch   string
}

// edits are those of the event's call, by the names that its client goes by, and as far as they can be read. It reports that they can be.
func (o *occasion) edits() (in edits, ok bool) {
	var list []json.RawMessage
	ok = read(o.Input, append(in.parts(), []part{{name: "file_path", at: &in.File}, {name: "edits", at: &list}, {name: "content", at: &in.Content}, {name: "new_source", at: &in.Cell},
		{name: "command", at: &in.Command}, {name: "input", at: &in.Input}, {name: "patch", at: &in.Patch}}...)) == nil
	in.Edits = make([]replacement, len(list))
	for i, one := range list {
		ok = read(one, in.Edits[i].parts()) == nil && ok
	}
	return in, ok
}

// told is a text that the event's call was given by this name; empty: there is none.
func (o *occasion) told(name string) (text string) {
	_ = read(o.Input, []part{{name: name, at: &text}}) // what cannot be read says nothing
	return text
}

func (in edits) patch() string { return in.Command + in.Input + in.Patch }

// most is how long a file may be that is held against what a call would make of it.
const most = 256 << 10

// present is what a regular file holds that is not too long.
func present(path string) (string, bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return "", false
	}
	data, err := io.ReadAll(io.LimitReader(f, most))
	return string(data), err == nil
}
