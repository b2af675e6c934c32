package hook

import (
	"encoding/json"
	"io"
	"os"
	"syscall"
)

// replacement is a text of a file, and what it would become.
type replacement struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
	All bool   `json:"replace_all"`
}

// edits is what a tool that edits files is given: Edit and what it has of its own, MultiEdit several, Write all of a file, NotebookEdit a cell, and
// apply_patch a patch, which clients call otherwise.
type edits struct {
	replacement
	File    string        `json:"file_path"`
	Edits   []replacement `json:"edits"`
	Content *string       `json:"content"`
	Cell    string        `json:"new_source"`
	Command string        `json:"command"`
	Input   string        `json:"input"`
	Patch   string        `json:"patch"`
}

// edits are those of the event's call, if they can be read.
func (o *occasion) edits() (in edits, ok bool) {
	return in, json.Unmarshal(o.Input, &in) == nil
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
