package guard

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"fettle/internal/policy/shell"
)

// given is a text that a tool is given, with the name of the field that it stands in.
type given struct{ name, value string }

// The limits beyond which what a tool is given is not looked at, but asked about.
const (
	maxGiven = 1000 // texts
	maxInner = 40   // lists and objects within each other
)

// tooMuch is that a tool is given more than is looked at: the rest may be anything.
func tooMuch(tool string) shell.Fact {
	return shell.Fact{Kind: shell.Opaque, Target: "more is given to the tool " + tool + " than can be looked at", By: tool}
}

// given are the texts of an input, however deep they stand in it, and whether there are more than can be looked at. Of a list each has the list's name.
func (in input) given() (all []given, cut bool) {
	var walk func(name string, data json.RawMessage, deep int)
	walk = func(name string, data json.RawMessage, deep int) {
		var text string
		var list []json.RawMessage
		var object map[string]json.RawMessage
		switch {
		case cut:
		case deep > maxInner:
			cut = true
		case json.Unmarshal(data, &text) == nil:
			cut = len(all) >= maxGiven
			all = append(all, given{name, text})
		case json.Unmarshal(data, &list) == nil:
			if argv, err := (input{name: data}).text(name); err == nil && commandField(strings.ToLower(name)) {
				all = append(all, given{name, argv}) // and each by itself: it may be a list of commands
			}
			for _, one := range list {
				walk(name, one, deep+1)
			}
		case json.Unmarshal(data, &object) == nil:
			all = append(all, input(object).programs()...)
			for _, field := range slices.Sorted(maps.Keys(object)) {
				walk(field, object[field], deep+1)
			}
		}
	}
	all = in.programs()
	for _, field := range slices.Sorted(maps.Keys(in)) {
		walk(field, in[field], 0)
	}
	return all, cut
}

// programs are the commands of which an object has the program in one field and what it is given in another.
func (in input) programs() (all []given) {
	for _, program := range []string{"command", "cmd", "program", "executable", "binary"} {
		for _, args := range []string{"args", "arguments", "argv"} {
			name, err := in.text(program)
			with, other := in.text(args)
			if err == nil && other == nil && name != "" && with != "" {
				all = append(all, given{"command", name + " " + with})
			}
		}
	}
	return all
}

// commandField reports a name that servers' tools give to commands of a shell's.
func commandField(name string) bool {
	return slices.Contains([]string{"command", "cmd", "commands", "command_line", "commandline", "shell_command", "shell", "bash", "sh", "run", "argv"}, name)
}
