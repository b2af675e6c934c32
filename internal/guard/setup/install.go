package setup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/guard/hook"
)

// Change is what becomes of a settings file. Before is nil where there was none, After where none is left.
type Change struct {
	File          string
	Before, After []byte
	Mode          fs.FileMode // what the file's becomes; 0: it stays

	of *Where // whose settings they are; nil: it is a text beside them
}

// None reports that nothing changes.
func (c Change) None() bool {
	return bytes.Equal(c.Before, c.After) && (c.Before == nil) == (c.After == nil)
}

// Install says what the settings will be with the guard hooked in. Where the client would heed none of them that is an error: a hook there guards nothing.
func Install(w Where, how How) (Change, error) {
	c, err := w.change(func(s *settings) error { return s.hook(how) })
	if err == nil {
		if why := untaken(w.Client, c.Before); why != nil {
			return Change{}, fmt.Errorf("%s, %w; mend it first", c.File, why)
		}
	}
	if how.Post != nil {
		c.Mode = 0o600 // the entries hold the resident guard's token
	}
	return c, err
}

// Uninstall says what the settings will be without the guard: as they were before it came, if they are still as it left them. None of its entries is left in any case.
func Uninstall(w Where, dir string) (Change, error) {
	c, err := w.change((*settings).remove)
	if err != nil {
		return c, err
	}
	kept, err := readKept(dir)
	if err != nil {
		return c, err
	}
	for _, k := range kept {
		if k.File != c.File {
			continue
		}
		if c.After, err = w.without(k, c.Before); err != nil {
			return c, err
		}
		if bytes.Equal(k.After, c.Before) {
			c.Mode = k.Mode
		}
	}
	return c, nil
}

func (w Where) change(do func(*settings) error) (Change, error) {
	file, err := w.File()
	if err != nil {
		return Change{}, err
	}
	c := Change{File: file, of: &w}
	c.Before, err = os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		c.Before, err = nil, nil
	}
	if err == nil {
		c.After, err = w.edited(c.File, c.Before, do)
	}
	return c, err
}

// edited is the text of a settings file after a change; it stays the very same where that changes nothing.
func (w Where) edited(file string, text []byte, do func(*settings) error) ([]byte, error) {
	s, err := read(w.Client, bytes.Clone(text))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read as settings: %w; mend it first", file, err)
	}
	was := s.bytes()
	if err := do(s); err != nil {
		return nil, fmt.Errorf("%s: %w; mend it first", file, err)
	}
	if is := s.bytes(); !bytes.Equal(was, is) {
		return is, nil
	}
	return text, nil
}

// without is what settings are without the guard, where k says what they were when it came: every byte of that, if nobody has changed them since, else with what
// the person has changed. Where that cannot be told, as where k itself has entries of the guard, these alone are taken out.
func (w Where) without(k keptFile, now []byte) ([]byte, error) {
	bare, err := w.edited(k.File, now, (*settings).remove)
	if err != nil || bytes.Equal(bare, now) {
		return bare, err
	}
	if bytes.Equal(k.After, now) {
		if was, err := w.edited(k.File, k.Before, (*settings).remove); err == nil && bytes.Equal(was, k.Before) {
			return k.Before, nil
		}
	} else if as := moved(k.Before, k.After, now); as != nil && w.same(as, bare) {
		return as, nil
	}
	return bare, nil
}

// keptFile is what a settings file held before the guard was hooked in, and what it held then.
type keptFile struct {
	File   string      `json:"file"`
	Before []byte      `json:"before"` // nil: there was none
	After  []byte      `json:"after"`
	Mode   fs.FileMode `json:"mode,omitempty"`   // what the file's was, if the guard has changed it
	Folder string      `json:"folder,omitempty"` // that was made for it, the uppermost
}

const keptName = "installed.json"

func readKept(dir string) ([]keptFile, error) {
	data, err := os.ReadFile(filepath.Join(dir, keptName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []keptFile
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("what the settings were before cannot be read: %w", err)
	}
	return all, nil
}

// Apply makes an installation's change, if it is one, and keeps what was there before in dir, the guard's own folder.
func (c Change) Apply(dir string) error {
	if c.None() {
		return nil
	}
	kept, err := readKept(dir)
	if err != nil {
		return err
	}
	was := slices.Clone(kept)
	i := slices.IndexFunc(kept, func(k keptFile) bool { return k.File == c.File })
	if i < 0 {
		i, kept = len(kept), append(kept, keptFile{File: c.File, Before: c.Before, After: c.Before})
	}
	if kept[i], err = c.keep(kept[i]); err != nil {
		return err
	}
	if err := writeKept(dir, kept); err != nil {
		return err
	}
	if err := c.write(); err != nil {
		return errors.Join(err, writeKept(dir, was)) // nothing has changed, so nothing is to be given back
	}
	return nil
}

// keep is what is kept of a file when a change is made, after what was kept of it: what an older guard has left there is nothing to be given back.
func (c Change) keep(k keptFile) (keptFile, error) {
	switch {
	case c.of != nil:
		before, err := c.of.without(k, c.Before)
		if err != nil {
			return k, err
		}
		k.Before = before
	case !bytes.Equal(k.After, c.Before):
		k.Before = c.Before
	}
	k.After = c.After
	k.Folder = cmp.Or(absentFolder(c.File), k.Folder)
	if info, err := os.Stat(c.File); err == nil && c.Mode != 0 && k.Mode == 0 {
		k.Mode = info.Mode().Perm()
	}
	return k, nil
}

// absentFolder is the uppermost folder above a file that is not there; empty if all are.
func absentFolder(file string) (absent string) {
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		absent = dir
	}
	return absent
}

// withdraw removes folders that were made for a file, from the one in which it lay up to the uppermost, as far as nothing is in them.
func withdraw(file, uppermost string) {
	for dir := filepath.Dir(file); uppermost != "" && (dir == uppermost || strings.HasPrefix(dir, uppermost+string(filepath.Separator))); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			return // somebody has put something there
		}
	}
}

// Revert makes an uninstallation's change, if it is one, and forgets what was kept for it.
func (c Change) Revert(dir string) error {
	if c.None() {
		return nil
	}
	if err := c.write(); err != nil {
		return err
	}
	kept, err := readKept(dir)
	if err != nil {
		return err
	}
	for _, k := range kept {
		if k.File == c.File && c.After == nil {
			withdraw(c.File, k.Folder)
		}
	}
	return writeKept(dir, slices.DeleteFunc(kept, func(k keptFile) bool { return k.File == c.File }))
}

func writeKept(dir string, kept []keptFile) error {
	if len(kept) == 0 {
		if err := os.Remove(filepath.Join(dir, keptName)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return replace(filepath.Join(dir, keptName), append(data, '\n'), 0o600)
}

// write puts the settings in their place, if they are still what they were.
func (c Change) write() error {
	if c.None() {
		return nil
	}
	now, err := os.ReadFile(c.File)
	if errors.Is(err, fs.ErrNotExist) {
		now, err = nil, nil
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.Before) {
		return fmt.Errorf("%s has changed in the meantime: try again", c.File)
	}
	if info, err := os.Stat(c.File); err == nil && info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s may not be written to, by its own mode (%v): chmod u+w it first, if that is right", c.File, info.Mode().Perm())
	}
	if c.After == nil {
		return os.Remove(hook.Follow(c.File))
	}
	mode := c.Mode
	if info, err := os.Stat(c.File); err == nil && mode == 0 {
		mode = info.Mode().Perm()
	}
	if mode == 0 {
		mode = 0o600
	}
	return replace(c.File, c.After, mode)
}

// replace writes a file whole or not at all. A link is followed: settings are often kept elsewhere and linked to.
func replace(file string, data []byte, mode fs.FileMode) error {
	file = hook.Follow(file)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".fettle-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
