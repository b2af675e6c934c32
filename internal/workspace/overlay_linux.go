package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
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
	o := c.o
	if filepath.Clean(o.Root) == "/" {
		return nil, errors.New("the whole machine is no repository")
	}
	b := &overlay{o: o}
	m, err := b.plan(c.scratch)
	if err != nil {
		b.unlockCaches()
		return nil, err
	}
	spaces := inside.Spaces{User: m.User, Mount: true, Pid: true, Net: o.Network == NetworkLoopback}
	keep := append([]*os.File{c.lock}, b.cacheLocks...)
	config := inside.Config{Mounts: m, Loopback: spaces.Net}
	b.holder, err = inside.Open(spaces, config, keep...)
	if err != nil && !errors.Is(err, unix.EPERM) { // a file system that cannot carry an upper layer; memory can
		if cerr := emptyBut(o.State, lockName, "scratch"); cerr == nil {
			m.Memory = true
			var merr error
			if b.holder, merr = inside.Open(spaces, config, keep...); merr == nil {
				b.holder.Notes = append(b.holder.Notes, "its writes are kept in memory, as "+err.Error())
				err = nil
			}
		}
	}
	if err != nil {
		b.unlockCaches()
		return nil, err
	}
	b.words = b.sentence(m)
	return b, nil
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
	return m, err
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

// layers lists what commands may write to: the repository, what is shared with it, HOME and the tools' caches, and the
// folders for temporary files. Outer folders come before those inside them.
func (b *overlay) layers(mask []string) ([]inside.Layer, error) {
	work := []string{b.real}
	for _, dir := range b.o.Shared {
		resolved, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(work, func(w string) bool { return within(resolved, w) }) {
			work = append(work, resolved)
		}
	}
	free := func(dir string) bool { // no other layer, and no mask, has it
		in := func(w string) bool { return within(dir, w) }
		return dir != "/" && !slices.ContainsFunc(work, in) && !slices.ContainsFunc(mask, in)
	}
	var out []inside.Layer
	for _, dir := range work {
		out = append(out, inside.Layer{Target: dir, Changes: true})
	}
	out = append(out, b.surroundings(free)...)
	slices.SortStableFunc(out, func(x, y inside.Layer) int { return strings.Compare(x.Target, y.Target) })
	return out, nil
}

// surroundings are the layers around the work: over the folders for temporary files, HOME and the tools' folders, and the
// caches.
func (b *overlay) surroundings(free func(dir string) bool) []inside.Layer {
	var out []inside.Layer
	add := func(dir string) {
		if free(dir) {
			out = append(out, inside.Layer{Target: dir})
		}
	}
	temps, caches := temporaryFolders(), b.cacheFolders()
	for _, dir := range temps {
		// Also inside one another: an ordinary user's overlay cannot copy up a folder of somebody else's on the way.
		add(dir)
	}
	private := folders(append([]string{os.Getenv("HOME")}, variables(toolVariables)...)...)
	for _, dir := range private {
		if !nested(dir, private, temps) && !slices.Contains(temps, dir) {
			add(dir)
		}
	}
	for _, dir := range caches {
		if !free(dir) || nested(dir, caches, nil) || slices.Contains(temps, dir) || slices.Contains(private, dir) {
			continue
		}
		l := b.cacheLayer(dir)
		if _, err := os.Stat(dir); err == nil || l.Keep != "" || len(l.Under) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// nested reports whether the innermost folder around dir, of both lists, is one of the first: then dir needs no layer of
// its own.
func nested(dir string, like, unlike []string) bool {
	innermost := func(list []string) (n int) {
		for _, d := range list {
			if d != dir && within(dir, d) {
				n = max(n, len(d))
			}
		}
		return n
	}
	return innermost(like) > innermost(unlike)
}

func temporaryFolders() []string { return folders(os.TempDir(), "/tmp", "/var/tmp") }

// toolVariables name folders beside HOME that tools may write to. Such writes are private and pass with the copy: a check that
// writes its settings there must not change what later checks see.
var toolVariables = []string{"XDG_DATA_HOME", "XDG_STATE_HOME", "GOPATH", "PYENV_ROOT", "CARGO_HOME"}

// cacheVariables name tools' caches: folders that hold what can be made again, and that tools profit from finding again.
var cacheVariables = []string{"GOCACHE", "GOMODCACHE", "PIP_CACHE_DIR", "UV_CACHE_DIR", "PYTHONPYCACHEPREFIX", "MYPY_CACHE_DIR",
	"RUFF_CACHE_DIR", "npm_config_cache", "GOLANGCI_LINT_CACHE", "STATICCHECK_CACHE", "PRE_COMMIT_HOME", "PREK_HOME"}

// cachesInHome are the usual places of caches that no variable names.
var cachesInHome = []string{"go/pkg", ".npm", ".yarn/cache", ".local/share/pnpm/store", ".cargo/registry", ".cargo/git", ".m2/repository",
	".gradle/caches", ".gradle/wrapper"}

// cacheFolders are the caches that are there, and the user's cache folder also where it is not there yet: most tools make it.
func (b *overlay) cacheFolders() []string {
	home := os.Getenv("HOME")
	dirs := variables(cacheVariables)
	if gopath := os.Getenv("GOPATH"); gopath != "" {
		dirs = append(dirs, filepath.Join(filepath.SplitList(gopath)[0], "pkg"))
	}
	for _, name := range cachesInHome {
		dirs = append(dirs, filepath.Join(home, name))
	}
	own := os.Getenv("XDG_CACHE_HOME")
	if own == "" && home != "" {
		own = filepath.Join(home, ".cache")
	}
	out := folders(append(dirs, own)...)
	if parents := folders(filepath.Dir(own)); b.o.CacheDir != "" && len(parents) == 1 && len(folders(own)) == 0 && within(parents[0], resolved(home)) {
		out = append(out, filepath.Join(parents[0], filepath.Base(own)))
	}
	return out
}

func resolved(dir string) string {
	if r, err := filepath.EvalSymlinks(dir); err == nil && dir != "" {
		return r
	}
	return "\x00" // nothing lies within
}

// variables are the paths that environment variables hold.
func variables(names []string) []string {
	var out []string
	for _, name := range names {
		out = append(out, filepath.SplitList(os.Getenv(name))...)
	}
	return out
}

// folders are those of the paths that are existing folders, each once, without symbolic links.
func folders(paths ...string) []string {
	var out []string
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			continue
		}
		resolved, err := filepath.EvalSymlinks(p)
		if err != nil || slices.Contains(out, resolved) {
			continue
		}
		if info, err := os.Stat(resolved); err == nil && info.IsDir() {
			out = append(out, resolved)
		}
	}
	return out
}

// cacheLayer is the layer over a cache folder. Its writes are kept when they are the user's own checks'; one copy at a time
// can keep, another only starts from what is there.
func (b *overlay) cacheLayer(dir string) inside.Layer {
	l := inside.Layer{Target: dir}
	if b.o.CacheDir == "" {
		return l
	}
	sum := sha256.Sum256([]byte(dir))
	kept := filepath.Join(b.o.CacheDir, hex.EncodeToString(sum[:6]))
	if b.o.KeepCache && os.MkdirAll(kept, 0o700) == nil {
		if lock, err := lockFile(filepath.Join(kept, lockName)); err == nil {
			b.cacheLocks = append(b.cacheLocks, lock)
			l.Keep = kept
			return l
		}
	}
	if info, err := os.Stat(filepath.Join(kept, "upper")); err == nil && info.IsDir() {
		l.Under = []string{filepath.Join(kept, "upper")}
	}
	return l
}

func (b *overlay) unlockCaches() {
	for _, f := range b.cacheLocks {
		_ = f.Close()
	}
	b.cacheLocks = nil
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
func (b *overlay) environ(env []string) []string { return env }
func (b *overlay) start() proc.Start             { return startInside(b.holder) }
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
