package plugin

import (
	"encoding/json"
	"fmt"
	"slices"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/locate"
)

// Version is the version of both messages. A plug-in that finds another one does not know it and ends with an error.
const Version = 1

// Task is what a plug-in reads on its standard input: one JSON object.
type Task struct {
	Version     int               `json:"version"`
	Root        string            `json:"root"` // the absolute path of the repository's root, which is also the working directory
	Check       Check             `json:"check"`
	Diagnostics []diag.Diagnostic `json:"diagnostics"` // what is to be healed
	Files       []File            `json:"files"`       // the files that they and the suspects name and that may change
	Suspects    []locate.Suspect  `json:"suspects"`    // where the fault of failing tests may be, most suspicious first
	Feedback    []string          `json:"feedback"`    // what became of earlier attempts at these findings, latest last
}

// Check is the check that complains.
type Check struct {
	Name string   `json:"name"`           // "lint.ruff"
	Kind string   `json:"kind"`           // "lint"
	Lang string   `json:"lang,omitempty"` // "python"
	Run  []string `json:"run"`            // its command
	Dir  string   `json:"dir,omitempty"`  // the folder it runs in, from the root
}

// File refers to a file's content, which the plug-in reads below the root.
type File struct {
	Path   string    `json:"path"`   // slash path from the root
	SHA256 edit.Hash `json:"sha256"` // of its content
	Size   int       `json:"size"`   // in bytes
}

// mostSuspects bounds how many suspicious places a plug-in is told.
const mostSuspects = 20

// question writes the task as JSON.
func question(t fix.Task, suspects []locate.Suspect, source edit.Source) ([]byte, error) {
	q := Task{
		Version:     Version,
		Root:        t.Place.Root(),
		Check:       describe(t.Check),
		Diagnostics: append([]diag.Diagnostic{}, t.Diagnostics...),
		Files:       []File{},
		Suspects:    append([]locate.Suspect{}, suspects[:min(len(suspects), mostSuspects)]...),
		Feedback:    []string{},
	}
	for _, failed := range t.Feedback {
		q.Feedback = append(q.Feedback, failed.String())
	}
	for _, name := range named(t, q.Suspects) {
		file, err := source(name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		if file.Exists {
			q.Files = append(q.Files, File{Path: name, SHA256: edit.Sum(file.Data), Size: len(file.Data)})
		}
	}
	b, err := json.Marshal(q)
	if err != nil {
		return nil, fmt.Errorf("write the task: %w", err)
	}
	return append(b, '\n'), nil
}

func describe(c check.Check) Check {
	return Check{Name: c.Name, Kind: c.Kind(), Lang: c.Lang, Run: c.Run, Dir: c.Dir}
}

// named lists the files in scope that the findings and their stack frames name, and those of the suspects, in order.
func named(t fix.Task, suspects []locate.Suspect) []string {
	var all []string
	for _, x := range suspects {
		all = append(all, x.File)
	}
	for _, d := range t.Diagnostics {
		all = append(all, d.File)
		for _, f := range d.Frames {
			all = append(all, f.File)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool {
		return name == "" || t.InScope != nil && !t.InScope(name)
	})
}
