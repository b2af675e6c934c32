package inside

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// view is what commands see of the machine's files: an overlay over every folder that they may write to, fettle's private
// state empty, the scratch folder as it is, and the rest read-only.
//
// Every folder that a mount will cover is opened first, and from then on named by its descriptor (/proc/self/fd/N): so
// layers may lie inside one another in any way, names may hold any character, and covering is safe from races.
type view struct {
	m         Mounts
	scratch   int // the scratch folder, likewise
	state     int // the state folder, through a mount of its own that stays writable and that no path leads to
	layers    []*layer
	submounts []submount
	pieces    []*piece
	spent     int // how many folders lie in Spent
	notes     []string

	root, upper int // the repository as seen inside, and the folder with the writes to it; both O_PATH
}

// submount is a file system mounted somewhere below a layer's target, which the overlay would hide.
type submount struct {
	path string
	fd   int
}

// piece is one mount of the view that a renewal may have to take down and put up afresh.
type piece struct {
	target string
	put    func() error
	stale  func() bool // it is not what it was when it was put up; nil: never
	up     bool
}

func newView(m Mounts) (*view, error) {
	v := &view{m: m, root: -1, upper: -1}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("make the mounts private: %w", err)
	}
	for _, step := range []func() error{v.openState, v.openLayers, v.openSubmounts, v.system, v.freezeAll, v.thaw, v.plan, v.renew} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return v, os.Chdir("/")
}

func openPath(path string) (int, error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return fd, nil
}

// fdPath is a path that leads to an open file, whatever covers it.
func fdPath(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// openState gives the state folder a mount of its own, as the one it lies on is about to become read-only. With Memory, that
// mount is an empty file system in memory.
func (v *view) openState() error {
	err := unix.Mount(v.m.Scratch, v.m.Scratch, "", unix.MS_BIND, "")
	if err != nil {
		return fmt.Errorf("mount the scratch folder: %w", err)
	}
	if v.scratch, err = openPath(v.m.Scratch); err != nil {
		return err
	}
	if v.m.Memory {
		err = unix.Mount("fettle", v.m.State, "tmpfs", unix.MS_NODEV|unix.MS_NOSUID, "mode=0700")
	} else {
		err = unix.Mount(v.m.State, v.m.State, "", unix.MS_BIND, "")
	}
	if err != nil {
		return fmt.Errorf("mount the copy's private folder: %w", err)
	}
	v.state, err = openPath(v.m.State)
	return err
}

// openSubmounts finds the file systems mounted below the layers' targets. Those that cannot be reached are noted: they will
// look as if nothing were mounted there.
func (v *view) openSubmounts() error {
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(table)) {
		fields := strings.Fields(line)
		if len(fields) < 5 {
			continue
		}
		path := unescape(fields[4])
		if seen[path] || !v.covers(path) || below(path, v.m.State) || v.isKeep(path) {
			continue
		}
		seen[path] = true
		fd, err := openPath(path)
		if errors.Is(err, os.ErrNotExist) {
			continue // what it is mounted on was removed or is hidden itself
		}
		if err != nil {
			v.notes = append(v.notes, fmt.Sprintf("%s is not seen inside: %v", path, err))
			continue
		}
		v.submounts = append(v.submounts, submount{path, fd})
	}
	return nil
}

// covers reports whether a layer's target lies above path.
func (v *view) covers(path string) bool {
	found := false
	for _, l := range v.m.Layers {
		if path == l.Target {
			return false
		}
		found = found || below(path, l.Target)
	}
	return found
}

func (v *view) isKeep(path string) bool {
	for _, l := range v.m.Layers {
		if l.Keep == path {
			return true
		}
	}
	return false
}

// below reports whether path is dir or lies in it.
func below(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// unescape undoes the octal escapes of a mount table.
func unescape(s string) string {
	for _, r := range []struct{ from, to string }{{`\040`, " "}, {`\011`, "\t"}, {`\012`, "\n"}, {`\134`, `\`}} {
		s = strings.ReplaceAll(s, r.from, r.to)
	}
	return s
}

// freezeAll makes every mount read-only.
func (v *view) freezeAll() error {
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &attr); err != nil {
		return fmt.Errorf("make the file systems read-only: %w", err)
	}
	return nil
}

// thaw makes writable again what must be: our own way to the uppers, and what is private to the copy anyway.
func (v *view) thaw() error {
	attr := unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	fds := []int{v.state, v.scratch}
	for _, l := range v.layers {
		fds = append(fds, l.keep)
	}
	for _, fd := range fds {
		if fd < 0 {
			continue
		}
		if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, &attr); err != nil {
			return fmt.Errorf("keep the copy's private folder writable: %w", err)
		}
	}
	for _, path := range []string{"/proc", "/dev/shm", "/dev/pts"} {
		err := unix.MountSetattr(unix.AT_FDCWD, path, 0, &attr)
		if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("keep %s writable: %w", path, err)
		}
	}
	return nil
}

// plan lists the mounts of the view, outer ones before those inside them.
func (v *view) plan() error {
	for i, l := range v.layers {
		v.pieces = append(v.pieces, &piece{target: l.Target, stale: l.stale, put: func() error { return v.lay(i, l) }})
	}
	for _, s := range v.submounts {
		v.pieces = append(v.pieces, &piece{target: s.path, put: func() error {
			if err := unix.Mount(fdPath(s.fd), s.path, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
				v.note("%s is not seen inside: %v", s.path, err)
			}
			return nil
		}})
	}
	for _, dir := range v.m.Mask {
		v.pieces = append(v.pieces, &piece{target: dir, put: func() error { return v.mask(dir) }})
	}
	for _, path := range v.m.Hide {
		v.pieces = append(v.pieces, &piece{target: path, put: func() error { return v.hide(path) }})
	}
	// A file system may be mounted below HOME, and the repository may lie on it.
	slices.SortStableFunc(v.pieces, func(a, b *piece) int { return strings.Compare(a.target, b.target) })
	v.pieces = append(v.pieces, &piece{target: v.m.Scratch, put: v.showScratch})
	return nil
}

func (v *view) note(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(v.notes, line) {
		v.notes = append(v.notes, line)
	}
}

// renew takes the view back to the machine's files as they are now: it puts up afresh what is stale, and what stands on that.
// A new overlay costs a millisecond or several, so one that nobody wrote to stays.
func (v *view) renew() error {
	var stale []*piece
	carried := func(p *piece) bool { // by another one
		return slices.ContainsFunc(stale, func(outer *piece) bool { return below(p.target, outer.target) })
	}
	for _, p := range v.pieces {
		on := carried(p)
		if p.up && !on && (p.stale == nil || !p.stale()) {
			continue
		}
		if p.up && !on {
			if err := unix.Unmount(p.target, unix.MNT_DETACH); err != nil {
				return fmt.Errorf("take down %s: %w", p.target, err)
			}
		}
		p.up = false
		stale = append(stale, p)
	}
	for _, p := range stale {
		if err := p.put(); err != nil {
			return err
		}
		p.up = true
	}
	closeAll([]int{v.root})
	var err error
	v.root, err = openPath(v.m.Root)
	return err
}

// mask shows a folder empty, but for the way to the scratch folder.
func (v *view) mask(dir string) error {
	err := unix.Mount("fettle", dir, "tmpfs", unix.MS_NODEV|unix.MS_NOSUID|unix.MS_NOEXEC, "mode=0755,size=64k")
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		return nil // nothing to hide
	}
	if err != nil {
		return fmt.Errorf("hide %s: %w", dir, err)
	}
	if below(v.m.Scratch, dir) {
		if err := os.MkdirAll(v.m.Scratch, 0o755); err != nil {
			return err
		}
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, dir, 0, &attr); err != nil {
		return fmt.Errorf("hide %s: %w", dir, err)
	}
	return nil
}

// hide shows a file or a folder empty, by an empty one that nobody can write to. It is one for all that is hidden, as there may be many.
func (v *view) hide(path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return nil //nolint:nilerr // there is nothing to hide
	}
	nothing, err := v.nothing(st.Mode & unix.S_IFMT)
	if nothing == "" || err != nil {
		return err
	}
	if err := unix.Mount(nothing, path, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("hide %s: %w", path, err)
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NODEV | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NOEXEC}
	if err := unix.MountSetattr(unix.AT_FDCWD, path, 0, &attr); err != nil {
		return fmt.Errorf("hide %s: %w", path, err)
	}
	return nil
}

// nothing is the path of an empty file or folder; empty for what is neither.
func (v *view) nothing(kind uint32) (string, error) {
	var err error
	switch kind {
	case unix.S_IFDIR:
		dir := filepath.Join(fdPath(v.state), "nothing-in")
		if err = os.Mkdir(dir, 0o755); errors.Is(err, os.ErrExist) {
			err = nil
		}
		return dir, err
	case unix.S_IFREG:
		file := filepath.Join(fdPath(v.state), "nothing")
		f, err := os.OpenFile(file, os.O_CREATE|os.O_RDONLY, 0o644)
		if err != nil {
			return "", err
		}
		return file, f.Close()
	}
	return "", nil
}

func (v *view) showScratch() error {
	if err := unix.Mount(fdPath(v.scratch), v.m.Scratch, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount the scratch folder: %w", err)
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NODEV | unix.MOUNT_ATTR_NOSUID}
	return unix.MountSetattr(unix.AT_FDCWD, v.m.Scratch, 0, &attr)
}
