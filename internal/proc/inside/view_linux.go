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
	m          Mounts
	scratch    int   // the scratch folder, likewise
	state      int   // the state folder, through a mount of its own that stays writable and that no path leads to
	lower      []int // the original folder of each layer
	under      [][]int
	keep       []int // the folder that keeps the writes of a layer; -1: none
	submounts  []submount
	generation int
	mounted    []string // what renew takes down, in the order it was put up
	notes      []string

	root, upper int // the repository as seen inside, and the folder with the writes to it; both O_PATH
}

// submount is a file system mounted somewhere below a layer's target, which the overlay would hide.
type submount struct {
	path string
	fd   int
}

func newView(m Mounts) (*view, error) {
	v := &view{m: m, root: -1, upper: -1}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("make the mounts private: %w", err)
	}
	for _, step := range []func() error{v.openState, v.openLayers, v.openSubmounts, v.system, v.freezeAll, v.thaw, v.renew} {
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

func (v *view) openLayers() error {
	for _, l := range v.m.Layers {
		fd, err := openPath(l.Target)
		if err != nil {
			return err
		}
		v.lower = append(v.lower, fd)
		var under []int
		for _, u := range l.Under {
			fd, err := openPath(u)
			if err != nil {
				return err
			}
			under = append(under, fd)
		}
		v.under = append(v.under, under)
		keep := -1
		if l.Keep != "" {
			// Like the state, it needs a mount that stays writable.
			if err := unix.Mount(l.Keep, l.Keep, "", unix.MS_BIND, ""); err != nil {
				return fmt.Errorf("mount the cache folder: %w", err)
			}
			if keep, err = openPath(l.Keep); err != nil {
				return err
			}
		}
		v.keep = append(v.keep, keep)
	}
	return nil
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
	fds := append([]int{v.state, v.scratch}, v.keep...)
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

// renew puts up the layers, the masks and the scratch folder afresh, over what was there before anything was written.
func (v *view) renew() error {
	for i, target := range v.mounted {
		carried := slices.ContainsFunc(v.mounted[:i], func(outer string) bool { return below(target, outer) })
		if carried { // it goes with the one it stands on
			continue
		}
		if err := unix.Unmount(target, unix.MNT_DETACH); err != nil {
			return fmt.Errorf("take down %s: %w", target, err)
		}
	}
	v.mounted = v.mounted[:0]
	closeAll([]int{v.root, v.upper})
	v.root, v.upper = -1, -1
	gen := strconv.Itoa(v.generation)
	v.generation++
	if err := unix.Mkdirat(v.state, gen, 0o700); err != nil {
		return fmt.Errorf("make a layer folder: %w", err)
	}
	base := fdPath(v.state) + "/" + gen
	for i, l := range v.m.Layers {
		if err := v.overlay(i, l, filepath.Join(base, strconv.Itoa(i))); err != nil {
			return fmt.Errorf("lay a private layer over %s: %w", l.Target, err)
		}
	}
	for _, s := range v.submounts {
		err := v.put(s.path, fdPath(s.fd), "", unix.MS_BIND|unix.MS_REC, "")
		if err != nil {
			v.notes = append(v.notes, fmt.Sprintf("%s is not seen inside: %v", s.path, err))
		}
	}
	if err := v.masks(); err != nil {
		return err
	}
	var err error
	v.root, err = openPath(v.m.Root)
	return err
}

// put mounts something and remembers it for the next renewal.
func (v *view) put(target, source, kind string, flags uintptr, data string) error {
	if err := unix.Mount(source, target, kind, flags, data); err != nil {
		return err
	}
	v.mounted = append(v.mounted, target)
	return nil
}

func (v *view) overlay(i int, l Layer, dir string) error {
	extra := ",volatile" // nobody needs the writes after a power cut
	if v.keep[i] >= 0 {
		dir, extra = fdPath(v.keep[i]), ""
	} else if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	upper, work := dir+"/upper", dir+"/work"
	for _, d := range []string{upper, work} {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	if err := v.likeness(v.lower[i], upper); err != nil {
		return err
	}
	up, err := openPath(upper)
	if err != nil {
		return err
	}
	wk, err := openPath(work)
	if err != nil {
		return err
	}
	defer unix.Close(wk)
	var lowers []string
	for _, fd := range append(append([]int(nil), v.under[i]...), v.lower[i]) {
		lowers = append(lowers, fdPath(fd))
	}
	options := "lowerdir=" + strings.Join(lowers, ":") + ",upperdir=" + fdPath(up) + ",workdir=" + fdPath(wk) +
		",index=off,xino=auto" + extra
	// No redirects and no metadata-only copies: what is written stands in the upper layer whole, under its own name. An
	// ordinary user's overlay has neither.
	if v.m.User {
		options += ",userxattr"
	} else {
		options += ",redirect_dir=nofollow,metacopy=off"
	}
	err = v.put(l.Target, "fettle", "overlay", unix.MS_NODEV|unix.MS_NOSUID, options)
	if err == nil && l.Target == v.m.Root {
		v.upper = up
		return nil
	}
	_ = unix.Close(up)
	return err
}

// likeness gives an upper folder the owner, the mode and the times of the folder that it will stand for.
func (v *view) likeness(lower int, upper string) error {
	var st unix.Stat_t
	if err := unix.Fstat(lower, &st); err != nil {
		return err
	}
	if !v.m.User {
		if err := unix.Chown(upper, int(st.Uid), int(st.Gid)); err != nil {
			return err
		}
	}
	if err := unix.Chmod(upper, st.Mode&0o7777); err != nil {
		return err
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, upper, []unix.Timespec{st.Atim, st.Mtim}, 0)
}

// masks shows the masked folders empty, but for the way to the scratch folder.
func (v *view) masks() error {
	for _, dir := range v.m.Mask {
		err := v.put(dir, "fettle", "tmpfs", unix.MS_NODEV|unix.MS_NOSUID|unix.MS_NOEXEC, "mode=0755,size=64k")
		if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
			continue // nothing to hide
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
	}
	if err := v.put(v.m.Scratch, fdPath(v.scratch), "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount the scratch folder: %w", err)
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NODEV | unix.MOUNT_ATTR_NOSUID}
	return unix.MountSetattr(unix.AT_FDCWD, v.m.Scratch, 0, &attr)
}
