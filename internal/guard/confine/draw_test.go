package confine

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// house is a home in a temporary folder, with what lies in it.
func house(t *testing.T, files map[string]string) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(base, "home")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		put(t, home+"/"+name, files[name])
	}
	return home
}

// put makes a folder where the name ends with a slash, a link where the text begins with ->, else a file.
func put(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	to, link := strings.CutPrefix(text, "->")
	switch {
	case strings.HasSuffix(path, "/"):
		err = errors.Join(err, os.MkdirAll(path, 0o755))
	case link:
		err = errors.Join(err, os.Symlink(to, path))
	default:
		err = errors.Join(err, os.WriteFile(path, []byte(text), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// draw draws bounds, and fails the test where there are none.
func draw(t *testing.T, home, work string, env map[string]string, also ...string) *Bounds {
	t.Helper()
	b, err := Draw(Ask{Home: home, Work: filepath.Join(home, work), Also: also, Getenv: func(name string) string { return env[name] }})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// frees reports what of a home is free, below it.
func frees(b *Bounds) (all []string) {
	for _, p := range b.Free {
		rel, err := filepath.Rel(b.Home, p.Path)
		if err != nil {
			panic(err) // both are absolute
		}
		if p.New {
			rel += " (new)"
		}
		all = append(all, rel)
	}
	return all
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("free: %q\nwant: %q", got, want)
	}
}

// always are made in every home.
var always = []string{".cache (new)", ".local/state (new)"}

func TestProjects(t *testing.T) {
	home := house(t, map[string]string{
		"a/sub/": "", "a/.git/HEAD": "", "a/.git/objects/": "", "plain/": "", ".git/HEAD": "", ".git/objects/": "", "empty/.git/": "", "empty/in/": "",
		// a linked working tree of a, a submodule of a, and two whose files name what does not name them
		"linked/.git": "gitdir: ../a/.git/worktrees/linked\n", "a/.git/worktrees/linked/gitdir": "/nowhere\n",
		"a/mod/.git": "gitdir: ../.git/modules/mod\n", "a/.git/modules/mod/HEAD": "", "a/.git/modules/mod/objects/": "", "a/.git/modules/mod/config": "[core]\n\tbare = false\n\tworktree = ../../../mod\n",
		"liar/.git": "gitdir: " + "../a/.git/worktrees/linked\n", "thief/.git": "gitdir: ../a/.git\n", "a/.git/config": "[core]\n\tbare = false\n[remote]\n\tworktree = /\n",
		"lost/.git": "gitdir: ../gone\n", "way": "->a",
		// what an agent may have written: a working tree that names itself in a folder of that name, settings of somebody's behind a link, and a repository's that are none
		"code/worktrees/feat/.git": "gitdir: .\n", "code/worktrees/feat/gitdir": ".git\n", "dot/.git": "gitdir: ../.ssh\n", "dot/config": "[core]\n\tworktree = ../dot\n", ".ssh/config": "->../dot/config", ".ssh/HEAD": "", ".ssh/objects/": "",
	})
	put(t, filepath.Join(home, "a/.git/worktrees/linked/gitdir"), filepath.Join(home, "linked/.git")+"\n")
	for work, want := range map[string][]string{
		"a": {"a"}, "a/sub": {"a"}, "plain": {"plain"}, "lost": {"lost"}, "empty/in": {"empty/in"}, "code/worktrees/feat": {"code/worktrees/feat"}, "dot": {"dot"},
		"linked": {"linked", "a/.git"}, "a/mod": {"a/mod", "a/.git/modules/mod"}, "liar": {"liar"}, "thief": {"thief"},
	} {
		b := draw(t, home, work, nil)
		same(t, frees(b), append(want, always...)...)
		if doubt := slices.Contains([]string{"liar", "thief", "dot", "code/worktrees/feat"}, work); doubt != (len(b.Kept) == 1) {
			t.Errorf("%s: %v", work, b.Kept)
		}
	}
	outside := filepath.Join(filepath.Dir(home), "elsewhere")
	put(t, outside+"/", "")
	b, err := Draw(Ask{Home: home, Work: outside, Getenv: os.Getenv})
	if err != nil || b.Project != outside || slices.ContainsFunc(b.Free, func(p Place) bool { return p.Path == outside }) {
		t.Errorf("%+v, %v", b, err)
	}
	for _, bad := range []Ask{
		{Home: home, Work: filepath.Join(home, "way/sub")}, {Home: home, Work: home}, {Home: home, Work: filepath.Dir(home)}, {Home: home, Work: "/"}, {Home: "", Work: outside}, {Home: "home", Work: outside}, {Home: "/", Work: outside},
		{Home: filepath.Join(home, "gone"), Work: outside}, {Home: home, Work: outside, Also: []string{home}}, {Home: home, Work: outside, Also: []string{"/"}}, {Home: home, Work: outside, Also: []string{filepath.Join(home, "gone")}},
		{Home: home, Work: outside, Also: []string{filepath.Join(home, "a/.git/HEAD")}},
	} {
		bad.Getenv = func(string) string { return "" }
		if b, err := Draw(bad); !errors.Is(err, ErrAll) && !errors.Is(err, ErrNoFolder) {
			t.Errorf("%+v: %+v, %v", bad, b, err)
		}
	}
}

func TestPrograms(t *testing.T) {
	home := house(t, map[string]string{
		"work/.git/HEAD": "", "work/gradlew": "", "bin/npm": "", ".cargo/config.toml": "", ".m2/settings.xml": "", ".m2/repository/": "", "code/other/.git/HEAD": "", "store/": "",
		".config/user-dirs.dirs": "# a comment\nXDG_DOCUMENTS_DIR=\"$HOME/Dokumente\"\nXDG_DESKTOP_DIR=\"$HOME/\"\n", "Dokumente/brief": "", ".claude.json": "{}", ".gradle/gradle.properties": "",
		"envs/real/pyvenv.cfg": "", "envs/false/": "", ".bun": "->Documents/bun", "Documents/bun/": "", ".npm": "->store/npm", ".deno": "->gone", ".rustup": "->.",
	})
	at := func(name string) string { return filepath.Join(home, name) }
	gradle := strings.Fields("caches daemon wrapper native notifications workers jdks kotlin-profile build-scan-data .tmp")
	for i, name := range gradle {
		gradle[i] = ".gradle/" + name + " (new)"
	}
	put(t, at("store/npm")+"/", "")
	b := draw(t, home, "work", map[string]string{
		"PATH": at("bin"), "PIP_CACHE_DIR": at("store/pip"), "UV_CACHE_DIR": home, "GOMODCACHE": filepath.Dir(home), "GOCACHE": at("Dokumente/x"), "POETRY_CACHE_DIR": at("code"), "CCACHE_DIR": at(".config"),
		"DENO_DIR": at(".ssh/deno"), "VIRTUAL_ENV": at("envs/real"), "CONDA_PREFIX": at("envs/false"), "GOPATH": home + ":" + at("more"), "YARN_CACHE_FOLDER": "relative", "HELM_CACHE_HOME": at(".local"), "PNPM_HOME": "/somewhere/else",
	}, at("store"))
	same(t, frees(b), slices.Concat([]string{"work", "store"}, always, []string{".claude.json", "envs/real", ".cargo", ".m2/repository"}, gradle)...)
	kept := map[string]string{}
	for _, n := range b.Kept {
		kept[n.By] += n.Why
	}
	for by, why := range map[string]string{"UV_CACHE_DIR": "your home lies in it", "GOMODCACHE": "your home lies in it", "GOCACHE": "it lies in " + at("Dokumente"), "POETRY_CACHE_DIR": at("code/other") + " is a repository", "CCACHE_DIR": "it lies in " + at(".config"),
		"DENO_DIR": "it lies in " + at(".ssh"), "GOPATH": "your home lies in it", "HELM_CACHE_HOME": at(".local/bin") + " lies in it", "a link": "it lies in " + at("Documents") + "your home lies in it"} {
		if kept[by] != why {
			t.Errorf("%s is kept for %q, want %q", by, kept[by], why)
		}
		delete(kept, by)
	}
	if len(kept) > 0 {
		t.Errorf("kept, too: %v", kept)
	}
	// A client's folder is made for the client alone: others tell by it that somebody uses that client.
	for line, want := range map[string]bool{"/opt/bin/claude -p x": true, "npx @anthropic-ai/claude-code": true, "sh": false} {
		b, err := Draw(Ask{Home: home, Work: at("work"), Argv: strings.Fields(line), Getenv: func(string) string { return "" }})
		if err != nil {
			t.Fatal(err)
		}
		if made := slices.Contains(frees(b), ".claude (new)"); made != want {
			t.Errorf("%s: %q", line, frees(b))
		}
	}
}

func TestWays(t *testing.T) {
	home := house(t, map[string]string{"work/": ""})
	base := filepath.Dir(home)
	put(t, filepath.Join(base, "a/b/link"), "->../../second")
	put(t, filepath.Join(base, "second"), "->home")
	b, err := Draw(Ask{Home: filepath.Join(base, "a/b/link"), Work: filepath.Join(home, "work"), Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{home, filepath.Join(base, "second"), filepath.Join(base, "a/b/link")} {
		if !slices.Contains(b.roots, root) {
			t.Errorf("%s can be taken away: %q", root, b.roots)
		}
	}
	for _, dir := range []string{"/", base, filepath.Join(base, "a"), filepath.Join(base, "a/b")} {
		if !slices.Contains(b.Closed, dir) {
			t.Errorf("%s is not on the way: %q", dir, b.Closed)
		}
	}
	if slices.Contains(b.Closed, home) {
		t.Error("the home is on the way to itself")
	}
}

func TestMirrors(t *testing.T) {
	for name, c := range map[string]struct {
		mounts string
		want   []string
	}{
		"one file system":    {"1 0 8:1 / / rw - ext4 a rw\n2 1 0:5 / /proc rw - proc p rw\n", nil},
		"mounted twice":      {"1 0 8:1 / / rw - ext4 a rw\n2 1 8:1 / /mnt/all rw - ext4 a rw\n", []string{"/mnt/all/home/me"}},
		"home is a mount":    {"1 0 8:1 / / rw - ext4 a rw\n2 1 8:2 / /home rw - ext4 b rw\n3 1 8:2 /me/docs /srv/my\\040docs rw - ext4 b rw\n4 1 8:2 /you /srv/you rw - ext4 b rw\n", []string{"/srv/my docs"}},
		"subvolume":          {"1 0 0:30 /@ / rw - btrfs a rw\n2 1 0:30 /@home /home rw - btrfs a rw\n3 1 0:30 / /mnt/top rw - btrfs a rw\n", []string{"/mnt/top/@home/me"}},
		"mounted in it":      {"1 0 8:1 / / rw - ext4 a rw\n2 1 8:3 /data /home/me/data rw - ext4 c rw\n3 1 8:3 / /mnt/disk rw - ext4 c rw\n", []string{"/mnt/disk/data"}},
		"within it":          {"1 0 8:1 / / rw - ext4 a rw\n2 1 8:1 /home/me/a /home/me/b rw - ext4 a rw\n", nil},
		"covered":            {"1 0 8:1 / / rw - ext4 a rw\n2 1 8:2 / /home rw - ext4 b rw\n3 1 8:4 / /home rw - ext4 d rw\n5 1 8:4 /me /mnt/me rw - ext4 d rw\n", []string{"/mnt/me"}},
		"a chroot in a home": {"1 0 8:1 /home/you/root / rw - ext4 a rw\n", nil},
	} {
		got := mirrors("/home/me", readMounts(c.mounts))
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestTable holds the table to what its doc promises: each row names something and says why, and nothing of people's is free by it.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range table {
		if r.why == "" || r.vars == "" && r.at == "" || r.text != "" && r.parts != "" || r.at != filepath.Clean(r.at) && r.at != "" || filepath.IsAbs(r.at) {
			t.Errorf("%+v", r)
		}
		parts := strings.Fields(r.parts)
		if r.parts == "" {
			parts = []string{"."}
		}
		for _, part := range parts {
			at := filepath.Join(r.at, part)
			if r.at == "" {
				continue
			}
			if seen[at] {
				t.Errorf("%s stands there twice", at)
			}
			seen[at] = true
			for _, own := range theirs {
				if within(own, at) {
					t.Errorf("%s would free %s", at, own)
				}
			}
		}
	}
	for _, own := range theirs {
		if filepath.IsAbs(own) || own != filepath.Clean(own) {
			t.Errorf("%s", own)
		}
	}
}

// TestPlantedLinks: a link in a place that may be changed frees nothing of the home, as who worked there before may have made it; nor does a variable that names a file, or another name of the home.
func TestPlantedLinks(t *testing.T) {
	home := house(t, map[string]string{"work/.git/HEAD": "", "work/.git/objects/": "", "notes/n": "", ".cache/go-build": "->../notes", ".cache/pip": "->../.bashrc", ".bashrc": "", "note.txt": ""})
	at := func(name string) string { return filepath.Join(home, name) }
	b := draw(t, home, "work", map[string]string{"GOCACHE": at(".cache/go-build"), "PIP_CACHE_DIR": at(".cache/pip"), "TMPDIR": at("note.txt")})
	same(t, frees(b), "work", ".cache", ".local/state (new)")
	if len(b.Kept) != 3 {
		t.Errorf("kept: %v", b.Kept)
	}
}
