package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/store"
)

func TestStateDir(t *testing.T) {
	home, xdg, gitDir := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	for _, c := range []struct{ name, root, git, key, xdg, want string }{
		{"git", "/r", gitDir, "main", xdg, filepath.Join(gitDir, "fettle", "main")},
		{"another working tree", "/r2", gitDir, "wt-1.x", xdg, filepath.Join(gitDir, "fettle", "wt-1.x")},
		{"no git", "/r", "", "", xdg, filepath.Join(xdg, "fettle")},
		{"no git, no XDG", "/r", "", "", "", filepath.Join(home, ".local", "state", "fettle")},
		{"a relative XDG is ignored", "/r", "", "", "rel/ative", filepath.Join(home, ".local", "state", "fettle")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("XDG_STATE_HOME", c.xdg)
			for range 2 {
				got, err := store.StateDir(c.root, c.git, c.key)
				if err != nil {
					t.Fatal(err)
				}
				if c.git != "" && got != c.want || c.git == "" && filepath.Dir(got) != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
				for _, d := range []string{got, filepath.Dir(got)} {
					if info, err := os.Stat(d); err != nil || info.Mode().Perm() != 0o700 {
						t.Errorf("%s: %v, %v", d, info.Mode(), err)
					}
				}
			}
		})
	}
	t.Setenv("XDG_STATE_HOME", xdg)
	a, errA := store.StateDir("/r", "", "")
	b, errB := store.StateDir("/r2", "", "")
	if a == b || errA != nil || errB != nil {
		t.Errorf("two trees share a folder: %s, %v, %v", a, errA, errB)
	}
}

func TestStateDirRefusesBadKeys(t *testing.T) {
	for _, key := range []string{"", ".", "..", "../x", "a/b", `a\b`, "/abs", ".hidden", "a\x00b", strings.Repeat("x", 300)} {
		if dir, err := store.StateDir("/r", t.TempDir(), key); err == nil {
			t.Errorf("key %q gave %s", key, dir)
		}
	}
}

func TestStateDirRefusesAPlaceThatIsNotPrivate(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(dir string) error
		want    string // in the error; empty: it is made private
	}{
		"a link": {func(d string) error { return os.Symlink(t.TempDir(), d) }, "symbolic link"},
		"a file": {func(d string) error { return os.WriteFile(d, nil, 0o600) }, "not a folder"},
		"writable by all": {func(d string) error {
			return os.Chmod(mkdir(t, d), 0o777)
		}, "others can write"},
		"writable by the group": {func(d string) error { return os.Chmod(mkdir(t, d), 0o770) }, "others can write"},
		"readable by all":       {func(d string) error { return os.Chmod(mkdir(t, d), 0o755) }, ""},
		"somebody else's": {func(d string) error {
			if os.Geteuid() != 0 {
				return os.Symlink(t.TempDir(), d) // only root can give a folder away; a link stands in for it
			}
			return os.Chown(mkdir(t, d), 12345, 12345)
		}, "fettle"},
	} {
		for _, level := range []string{"fettle", "fettle/key"} {
			t.Run(name+" at "+level, func(t *testing.T) {
				base := t.TempDir()
				dir := filepath.Join(base, level)
				if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := c.prepare(dir); err != nil {
					t.Fatal(err)
				}
				got, err := store.StateDir("/r", base, "key")
				if c.want != "" {
					if err == nil || !strings.Contains(err.Error(), c.want) {
						t.Errorf("%s, %v", got, err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
					t.Errorf("%v, %v", info.Mode(), err)
				}
			})
		}
	}
}

func mkdir(t *testing.T, d string) string {
	t.Helper()
	if err := os.Mkdir(d, 0o700); err != nil {
		t.Fatal(err)
	}
	return d
}
