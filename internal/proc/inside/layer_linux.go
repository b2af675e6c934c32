package inside

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// layer is one of [Mounts.Layers] with its folders opened, O_PATH.
type layer struct {
	Layer
	lower int // the original folder
	under []int
	keep  int         // the folder that keeps the writes; -1: none
	upper int         // the folder that holds the writes now; -1: not mounted yet
	fresh unix.Stat_t // of the upper folder when nothing was written yet
	bare  bool        // there is no overlay: see [ReadOnly]
}

func (v *view) openLayers() error {
	for _, m := range v.m.Layers {
		l := &layer{Layer: m, keep: -1, upper: -1}
		v.layers = append(v.layers, l)
		var err error
		if l.lower, err = openPath(l.Target); errors.Is(err, os.ErrNotExist) && (l.Keep != "" || len(l.Under) > 0) {
			l.lower, err = v.invent(l.Target)
		}
		if err != nil {
			return err
		}
		for _, u := range l.Under {
			fd, err := openPath(u)
			if err != nil {
				return err
			}
			l.under = append(l.under, fd)
		}
		if l.Keep == "" {
			continue
		}
		// Like the state, it needs a mount that stays writable.
		if err := unix.Mount(l.Keep, l.Keep, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("mount the cache folder: %w", err)
		}
		if l.keep, err = openPath(l.Keep); err != nil {
			return err
		}
	}
	return nil
}

// invent makes a place for a folder that does not exist: an empty folder to stand for it, and, below the layer around it, one of
// its name to mount on.
func (v *view) invent(target string) (lower int, err error) {
	around := slices.IndexFunc(v.layers, func(l *layer) bool { return l.Target == filepath.Dir(target) })
	if around < 0 {
		return -1, &os.PathError{Op: "open", Path: target, Err: os.ErrNotExist}
	}
	empty, skeleton := filepath.Join(v.m.State, "empty"), filepath.Join(v.m.State, "skeleton-"+strconv.Itoa(around))
	for _, dir := range []string{empty, skeleton, filepath.Join(skeleton, filepath.Base(target))} {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
			return -1, err
		}
	}
	under, err := openPath(skeleton)
	if err != nil {
		return -1, err
	}
	v.layers[around].under = append(v.layers[around].under, under)
	return openPath(empty)
}

// stale reports whether an overlay shows anything but what lies under it now: somebody wrote to it, or what lies under it may
// have changed. Kept writes stay.
func (l *layer) stale() bool {
	if l.bare {
		return false
	}
	if l.keep >= 0 {
		return l.Changes
	}
	return l.Changes || !l.untouched()
}

// untouched reports whether nothing was written to the layer: its folder for writes is empty, and has the owner and mode that
// it was given.
func (l *layer) untouched() bool {
	entries, err := os.Open(fdPath(l.upper))
	if err != nil {
		return false
	}
	defer entries.Close()
	if _, err := entries.Readdirnames(1); !errors.Is(err, io.EOF) {
		return false
	}
	var is unix.Stat_t
	return unix.Fstat(l.upper, &is) == nil && l.fresh.Mode == is.Mode && l.fresh.Uid == is.Uid && l.fresh.Gid == is.Gid
}

// lay puts a layer up, or what will do instead.
func (v *view) lay(i int, l *layer) error {
	err := v.overlay(i, l)
	if errors.Is(err, unix.EINVAL) && v.m.User && l.Else == Empty {
		v.note("%s is empty inside, as a file system is mounted in it", l.Target)
		if err = v.hollow(i, l); err == nil {
			err = v.overlay(i, l)
		}
	}
	l.bare = errors.Is(err, unix.EINVAL) && v.m.User && l.Else == ReadOnly
	if l.bare {
		v.note("%s cannot be written to inside, as a file system is mounted in it", l.Target)
		// The layer around it may be hollow.
		err = unix.Mount(fdPath(l.lower), l.Target, "", unix.MS_BIND|unix.MS_REC, "")
	}
	if err != nil {
		return fmt.Errorf("lay a private layer over %s: %w", l.Target, err)
	}
	return nil
}

// hollow has an empty folder take the original's place under a layer. It holds nothing but the way to what else is mounted there.
func (v *view) hollow(i int, l *layer) error {
	dir := filepath.Join(fdPath(v.state), "hollow-"+strconv.Itoa(i))
	ways := []string{v.m.Scratch}
	for _, other := range v.layers {
		ways = append(ways, other.Target)
	}
	for _, way := range append(ways, l.Target) {
		if below(way, l.Target) {
			if err := os.MkdirAll(filepath.Join(dir, strings.TrimPrefix(way, l.Target)), 0o755); err != nil {
				return err
			}
		}
	}
	if err := v.likeness(l.lower, dir); err != nil {
		return err
	}
	lower, err := openPath(dir)
	if err == nil {
		closeAll([]int{l.lower})
		l.lower = lower
	}
	return err
}

// overlay puts a layer up, over a new and empty folder for its writes.
func (v *view) overlay(i int, l *layer) error {
	dir, extra := fdPath(l.keep), ""
	if l.keep < 0 {
		extra = ",volatile" // nobody needs the writes after a power cut
		var err error
		if dir, err = v.folder(i); err != nil {
			return err
		}
	}
	upper, work := dir+"/upper", dir+"/work"
	for _, d := range []string{upper, work} {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	if err := v.likeness(l.lower, upper); err != nil {
		return err
	}
	closeAll([]int{l.upper})
	var err error
	if l.upper, err = openPath(upper); err != nil {
		return err
	}
	if err := unix.Fstat(l.upper, &l.fresh); err != nil {
		return err
	}
	wk, err := openPath(work)
	if err != nil {
		return err
	}
	defer unix.Close(wk)
	var lowers []string
	for _, fd := range append(slices.Clone(l.under), l.lower) {
		lowers = append(lowers, fdPath(fd))
	}
	options := "lowerdir=" + strings.Join(lowers, ":") + ",upperdir=" + fdPath(l.upper) + ",workdir=" + fdPath(wk) +
		",index=off,xino=auto" + extra
	// No redirects and no metadata-only copies: what is written stands in the upper layer whole, under its own name. An
	// ordinary user's overlay has neither.
	if v.m.User {
		options += ",userxattr"
	} else {
		options += ",redirect_dir=nofollow,metacopy=off"
	}
	if l.Target == v.m.Root {
		v.upper = l.upper
	}
	return unix.Mount("fettle", l.Target, "overlay", unix.MS_NODEV|unix.MS_NOSUID, options)
}

// folder makes a folder for the writes to the layer of this number. A folder that was used before is first moved away, to
// [Spent]: removing it can take long, and is left to the other side of the wall.
func (v *view) folder(i int) (string, error) {
	dir, spent := filepath.Join(fdPath(v.state), strconv.Itoa(i)), filepath.Join(fdPath(v.state), Spent)
	err := os.Mkdir(dir, 0o700)
	if !errors.Is(err, os.ErrExist) {
		return dir, err
	}
	if err := os.Mkdir(spent, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	away := filepath.Join(spent, strconv.Itoa(v.spent))
	v.spent++
	if err := os.Rename(dir, away); err != nil {
		return "", err
	}
	if v.m.Memory { // nobody else gets there
		if err := os.RemoveAll(away); err != nil {
			return "", err
		}
	}
	return dir, os.Mkdir(dir, 0o700)
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
