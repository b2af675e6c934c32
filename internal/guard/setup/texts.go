package setup

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// texts are the slash commands and the skill that clients are given, as they lie below their folders.
//
//go:embed texts
var texts embed.FS

// Text is a command or a skill among the settings.
type Text struct {
	Change
	Name  string // "/check", or "skill fettle"
	Other bool   // a file of the person's own is in its place, or they have changed it: it is left alone
}

// Commands says what it takes to give a client fettle's slash commands and its skill. A file of the person's own, and one that they have changed, is left
// as it is. The other clients have the skill alone.
func Commands(w Where, dir string) ([]Text, error) {
	return w.texts(dir, func(t *Text, kept *keptFile, text []byte) {
		t.Other = t.Before != nil && (kept == nil || !bytes.Equal(kept.After, t.Before)) && !bytes.Equal(t.Before, text)
		if !t.Other {
			t.After = text
		}
	})
}

// NoCommands says what it takes to take them away again. What the person has changed since stays.
func NoCommands(w Where, dir string) ([]Text, error) {
	return w.texts(dir, func(t *Text, kept *keptFile, _ []byte) {
		if t.Other = t.Before != nil && (kept == nil || !bytes.Equal(kept.After, t.Before)); !t.Other && kept != nil {
			t.After = kept.Before
		}
	})
}

// texts goes through the files; each stays as it is, if its plan does not say otherwise.
func (w Where) texts(dir string, plan func(t *Text, kept *keptFile, text []byte)) ([]Text, error) {
	folder, err := w.Folder()
	if err != nil {
		return nil, err
	}
	kept, err := readKept(dir)
	if err != nil {
		return nil, err
	}
	var all []Text
	err = fs.WalkDir(texts, w.given(), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := texts.ReadFile(name)
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(name, "texts/")
		t := Text{Name: nameOf(rel)}
		t.File = filepath.Join(folder, filepath.FromSlash(rel))
		if t.Before, err = os.ReadFile(t.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		t.After = t.Before
		var before *keptFile
		for i := range kept {
			if kept[i].File == t.File {
				before = &kept[i]
			}
		}
		plan(&t, before, text)
		all = append(all, t)
		return nil
	})
	return all, err
}

// given is the folder of the texts that a client reads.
func (w Where) given() string {
	if w.Client == Claude {
		return "texts"
	}
	return "texts/skills" // the others have commands in forms of their own, or none
}

// nameOf is how a person calls a file.
func nameOf(rel string) string {
	if command, ok := strings.CutPrefix(rel, "commands/"); ok {
		return "/" + strings.TrimSuffix(command, ".md")
	}
	return "skill " + filepath.Base(filepath.Dir(rel))
}

// Revert takes a text away, and the folders above it that hold nothing any more.
func (t Text) Revert(dir string) error {
	if err := t.Change.Revert(dir); err != nil {
		return err
	}
	folder := filepath.Dir(t.File)
	for range strings.Count(t.Name, " ") + 1 { // commands, or skills/fettle
		left, err := os.ReadDir(folder)
		if !errors.Is(err, fs.ErrNotExist) {
			if err != nil || len(left) > 0 {
				return err
			}
			if err := os.Remove(folder); err != nil {
				return err
			}
		}
		folder = filepath.Dir(folder)
	}
	return nil
}
