package workspace

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"fettle/internal/proc"
	"fettle/internal/proc/inside"
)

// overlay is a copy in a mount namespace.
type overlay struct {
	o          CopyOptions
	real       string // the root without symbolic links
	holder     *inside.Holder
	cacheLocks []*os.File
	words      string
	removing   sync.WaitGroup
}

func openOverlay(c *Copy) (backing, error) {
	if filepath.Clean(c.o.Root) == "/" {
		return nil, errors.New("the whole machine is no repository")
	}
	b := &overlay{o: c.o}
	err := b.hold(c, false)
	if err != nil && !errors.Is(err, unix.EPERM) { // a file system that cannot carry an upper layer; memory can
		b.o.KeepCache = false // what is kept would be an upper layer there, too
		if emptyBut(b.o.State, lockName, "scratch") == nil && b.hold(c, true) == nil {
			b.words += "; its writes are kept in memory, as " + err.Error()
			return b, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// hold starts the holder of a copy, whose writes lie in its private folder or in memory.
func (b *overlay) hold(c *Copy, memory bool) error {
	m, err := b.plan(c.scratch)
	if err == nil {
		m.Memory = memory
		spaces := inside.Spaces{User: m.User, Mount: true, Pid: true, Net: b.o.Network == NetworkLoopback}
		keep := append([]*os.File{c.lock}, b.cacheLocks...)
		b.holder, err = inside.Open(spaces, inside.Config{Mounts: m, Loopback: spaces.Net}, keep...)
	}
	if err != nil {
		b.unlockCaches()
		return err
	}
	b.words = b.sentence(m)
	return nil
}

func (b *overlay) plan(scratch string) (*inside.Mounts, error) {
	var err error
	if b.real, err = filepath.EvalSymlinks(b.o.Root); err != nil {
		return nil, err
	}
	state, err := filepath.EvalSymlinks(b.o.State)
	if err != nil {
		return nil, err
	}
	m := &inside.Mounts{State: state, Root: b.real, Scratch: filepath.Join(state, filepath.Base(scratch)),
		User: !privileged(), HideRun: b.o.Network == NetworkLoopback}
	if m.User && !ours(b.real) {
		return nil, errors.New("the tree belongs to another user or group, whose files cannot be changed in a user namespace")
	}
	for _, dir := range b.o.Mask {
		if r, err := filepath.EvalSymlinks(dir); err == nil {
			m.Mask = append(m.Mask, r)
		}
	}
	if !slices.ContainsFunc(m.Mask, func(dir string) bool { return within(state, dir) }) {
		m.Mask = append(m.Mask, state)
	}
	m.Layers, err = b.layers(m.Mask)
	m.Hide = b.hidden(m)
	return m, err
}

// hidden are the files and folders to hide that are neither of the work nor around it.
func (b *overlay) hidden(m *inside.Mounts) []string {
	return slices.DeleteFunc(slices.Clone(b.o.Hide), func(path string) bool {
		work := func(dir string) bool { return within(path, dir) || within(dir, path) }
		if work(m.State) || slices.ContainsFunc(m.Mask, func(dir string) bool { return within(path, dir) }) {
			return true
		}
		return slices.ContainsFunc(m.Layers, func(l inside.Layer) bool { return l.Changes && work(l.Target) || within(l.Target, path) })
	})
}

// privileged reports whether we may set up namespaces as we are, without a user namespace.
func privileged() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	return unix.Capget(&header, &data[0]) == nil && os.Geteuid() == 0 && data[0].Effective&(1<<unix.CAP_SYS_ADMIN) != 0
}

// ours reports whether a folder belongs to our user and primary group: the only ones that exist in our user namespace.
func ours(dir string) bool {
	var st unix.Stat_t
	return unix.Stat(dir, &st) == nil && int(st.Uid) == os.Getuid() && int(st.Gid) == os.Getgid()
}

func (b *overlay) sentence(m *inside.Mounts) string {
	who := "as root"
	if m.User {
		who = "in a user namespace"
	}
	net := "network: the machine's"
	if b.o.Network == NetworkLoopback {
		net = "network: loopback only"
	}
	return strings.Join(append([]string{"overlayfs at the original path, " + who, "processes in a namespace of their own", net}, b.holder.Notes...), "; ")
}

func (b *overlay) method() Method                { return Overlay }
func (b *overlay) root() string                  { return b.o.Root }
func (b *overlay) describe() string              { return b.words }
func (b *overlay) confined() bool                { return true }
func (b *overlay) holdsWrites() bool             { return true }
func (b *overlay) environ(env []string) []string { return env }
func (b *overlay) start() proc.Start             { return startInside(b.holder) }
func (b *overlay) listen() (net.Listener, error) { return b.holder.Listen() }
func (b *overlay) open() (*os.Root, error)       { return b.holder.Root() }

// reset leaves it to the background to remove the layers that were written to: they can be large.
func (b *overlay) reset() error {
	if err := b.holder.Reset(); err != nil {
		return err
	}
	spent := filepath.Join(b.o.State, inside.Spent)
	b.removing.Go(func() { _ = empty(spent) }) // Close removes what this leaves, and tells
	return nil
}

func (b *overlay) close() error {
	err := b.holder.Close()
	b.removing.Wait()
	b.unlockCaches()
	return err
}

// touched walks the upper layer. It holds every folder in which something has been created, changed or deleted; what is
// missing in such a folder, compared with the baseline, was deleted.
func (b *overlay) touched() (map[string]struct{}, error) {
	upper, err := b.holder.Upper()
	if err != nil {
		return nil, err
	}
	defer upper.Close()
	base, err := os.OpenRoot(b.o.Root)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	now, err := b.holder.Root()
	if err != nil {
		return nil, err
	}
	defer now.Close()
	out := map[string]struct{}{}
	return out, walkUpper(upper.FS(), base.FS(), now.FS(), ".", out)
}

func walkUpper(upper, base, now fs.FS, dir string, out map[string]struct{}) error {
	entries, err := fs.ReadDir(upper, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := joinPath(dir, e.Name())
		if e.IsDir() {
			if name == ".git" {
				continue
			}
			if err := walkUpper(upper, base, now, name, out); err != nil {
				return err
			}
		}
		out[name] = struct{}{} // a folder too: it may stand where a file was
	}
	before, err := names(base, dir)
	if err != nil {
		return err
	}
	after, err := names(now, dir)
	if err != nil {
		return err
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			if err := everyFile(base, joinPath(dir, name), out); err != nil {
				return err
			}
		}
	}
	return nil
}

// names lists a folder; one that is not there, or not a folder, is empty.
func names(fsys fs.FS, dir string) (map[string]struct{}, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENOTDIR) {
		return nil, err
	}
	out := make(map[string]struct{}, len(entries))
	for _, e := range entries {
		out[e.Name()] = struct{}{}
	}
	return out, nil
}

// everyFile adds a path and, if it is a folder, everything in it.
func everyFile(fsys fs.FS, name string, out map[string]struct{}) error {
	return fs.WalkDir(fsys, name, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out[p] = struct{}{}
		}
		return err
	})
}

func joinPath(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}
