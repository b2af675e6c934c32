package disk

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Inode is a file, folder or symbolic link without its names.
type Inode struct {
	Mode   fs.FileMode // type and permission bits
	Data   []byte
	Target string        // what a symbolic link says
	Names  map[string]ID // what a folder holds
}

// Image is everything on a disk at one moment. What no name leads to is there no more.
type Image map[ID]*Inode

// clone copies an image. Contents are shared: who changes one replaces it.
func (im Image) clone() Image {
	out := make(Image, len(im))
	for id, n := range im {
		c := *n
		c.Names = maps.Clone(n.Names)
		out[id] = &c
	}
	return out
}

// born makes sure that a file which an operation makes exists, with no name yet.
func (im Image) born(o Op) {
	if im[o.ID] != nil {
		return
	}
	switch o.Kind {
	case Create:
		im[o.ID] = &Inode{Mode: o.Mode.Perm()}
	case Mkdir:
		im[o.ID] = &Inode{Mode: fs.ModeDir | o.Mode.Perm(), Names: map[string]ID{}}
	case Symlink:
		im[o.ID] = &Inode{Mode: fs.ModeSymlink | 0o777, Target: o.To}
	default: // it was there before
	}
}

// apply carries an operation out. Names are set and taken away each for itself, so that any part of a recording can be carried
// out: a rename whose file was never created under the old name still gives it the new one.
func (im Image) apply(o Op) {
	switch o.Kind {
	case Create, Mkdir, Symlink:
		im.name(o.Folder, o.Path, o.ID)
	case Link:
		im.name(o.Folder, o.To, o.ID)
	case Unlink, Rmdir:
		im.unname(o.Folder, o.Path, o.ID)
	case Rename:
		im.unname(o.Folder, o.Path, o.ID)
		im.name(o.Into, o.To, o.ID)
	case Write:
		im.resize(o.ID, max(o.Offset+int64(len(o.Data)), im.size(o.ID)))
		if n := im[o.ID]; n != nil {
			n.Data = slices.Clone(n.Data)
			copy(n.Data[o.Offset:], o.Data)
		}
	case Truncate:
		im.resize(o.ID, o.Size)
	case Chmod:
		if n := im[o.ID]; n != nil {
			n.Mode = n.Mode.Type() | o.Mode.Perm()
		}
	default: // it leaves nothing
	}
}

func (im Image) name(folder ID, path string, id ID) {
	if n := im[folder]; n != nil {
		n.Names[filepath.Base(path)] = id
	}
}

func (im Image) unname(folder ID, path string, id ID) {
	if n := im[folder]; n != nil && n.Names[filepath.Base(path)] == id {
		delete(n.Names, filepath.Base(path))
	}
}

func (im Image) size(id ID) int64 {
	if n := im[id]; n != nil {
		return int64(len(n.Data))
	}
	return 0
}

func (im Image) resize(id ID, size int64) {
	n := im[id]
	if n == nil {
		return
	}
	data := make([]byte, size)
	copy(data, n.Data)
	n.Data = data
}

// Files are the contents of all regular files, by their slash paths.
func (im Image) Files() map[string]string {
	out := map[string]string{}
	im.files(Root, "", out)
	return out
}

func (im Image) files(folder ID, prefix string, out map[string]string) {
	for name, id := range im[folder].Names {
		switch n := im[id]; {
		case n.Mode.IsDir():
			im.files(id, prefix+name+"/", out)
		case n.Mode.IsRegular():
			out[prefix+name] = string(n.Data)
		}
	}
}

// Store lays the image into an empty folder.
func (im Image) Store(dir string) error {
	return im.store(Root, dir, map[ID]string{})
}

// store lays a folder's content out. at says where a file with several names was laid first.
func (im Image) store(folder ID, dir string, at map[ID]string) error {
	for _, name := range slices.Sorted(maps.Keys(im[folder].Names)) {
		id := im[folder].Names[name]
		if err := im.put(id, filepath.Join(dir, name), at); err != nil {
			return err
		}
	}
	return nil
}

func (im Image) put(id ID, path string, at map[ID]string) error {
	n := im[id]
	switch {
	case n.Mode.IsDir():
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		if err := im.store(id, path, at); err != nil {
			return err
		}
		return os.Chmod(path, n.Mode.Perm())
	case n.Mode&fs.ModeSymlink != 0:
		return os.Symlink(n.Target, path)
	case at[id] != "":
		return os.Link(at[id], path)
	}
	at[id] = path
	if err := os.WriteFile(path, n.Data, 0o600); err != nil {
		return err
	}
	return os.Chmod(path, n.Mode.Perm())
}

// read reads a folder into the image, under an id; next gives those of what is in it.
func (im Image) read(dir string, id ID, next func(path string) (ID, error)) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	im[id] = &Inode{Mode: fs.ModeDir | info.Mode().Perm(), Names: map[string]ID{}}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		child, err := next(path)
		if err != nil {
			return err
		}
		im[id].Names[e.Name()] = child
		switch {
		case im[child] != nil: // another name of it was read
		case e.IsDir():
			err = im.read(path, child, next)
		default:
			err = im.readFile(path, child)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (im Image) readFile(path string, id ID) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	n := &Inode{Mode: info.Mode().Type() | info.Mode().Perm()}
	if info.Mode()&fs.ModeSymlink != 0 {
		n.Target, err = os.Readlink(path)
	} else {
		n.Data, err = os.ReadFile(path)
	}
	im[id] = n
	return err
}
