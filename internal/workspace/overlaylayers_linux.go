package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/proc/inside"
)

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
	add := func(dir string, otherwise inside.Else) {
		if free(dir) {
			out = append(out, inside.Layer{Target: dir, Else: otherwise})
		}
	}
	temps, caches := temporaryFolders(), b.cacheFolders()
	for _, dir := range temps {
		// Also inside one another: an ordinary user's overlay cannot copy up a folder of somebody else's on the way.
		add(dir, inside.Empty)
	}
	private := folders(append([]string{os.Getenv("HOME")}, variablesOf(setting, toolVariables)...)...)
	for _, dir := range private {
		if !nested(dir, private, temps) && !slices.Contains(temps, dir) {
			add(dir, inside.ReadOnly) // its settings matter more than its being written to
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

func temporaryFolders() []string {
	return folders(os.TempDir(), setting("GOTMPDIR"), "/tmp", "/var/tmp")
}

// toolVariables name folders beside HOME that tools may write to. Such writes are private and pass with the copy: a check that
// writes its settings there must not change what later checks see.
var toolVariables = []string{"XDG_DATA_HOME", "XDG_STATE_HOME", "GOPATH", "PYENV_ROOT", "CARGO_HOME"}

// cacheVariables name tools' caches: folders that hold what can be made again, and that tools profit from finding again.
var cacheVariables = []string{"GOCACHE", "GOMODCACHE", "PIP_CACHE_DIR", "UV_CACHE_DIR", "PYTHONPYCACHEPREFIX", "MYPY_CACHE_DIR",
	"RUFF_CACHE_DIR", "npm_config_cache", "GOLANGCI_LINT_CACHE", "STATICCHECK_CACHE", "PRE_COMMIT_HOME", "PREK_HOME"}

// cachesInHome are the usual places of caches that no variable names, by the language whose tools they belong to.
var cachesInHome = map[string][]string{
	"go":         {"go/pkg"},
	"javascript": {".npm", ".yarn/cache", ".local/share/pnpm/store"},
	"rust":       {".cargo/registry", ".cargo/git"},
	"java":       {".m2/repository", ".gradle/caches", ".gradle/wrapper"},
}

// cacheFolders are the caches that are there, and the user's cache folder also where it is not there yet: most tools make it.
func (b *overlay) cacheFolders() []string {
	home := os.Getenv("HOME")
	dirs := variablesOf(setting, cacheVariables)
	if gopath := setting("GOPATH"); gopath != "" {
		dirs = append(dirs, filepath.Join(filepath.SplitList(gopath)[0], "pkg"))
	}
	for lang, names := range cachesInHome {
		if b.o.Languages != nil && !slices.Contains(b.o.Languages, lang) {
			continue
		}
		for _, name := range names {
			dirs = append(dirs, filepath.Join(home, name))
		}
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
	l := inside.Layer{Target: dir, Else: inside.ReadOnly}
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
	if within(kept, dir) {
		return l // a repository inside the cache folder: one lower layer of a mount cannot lie in another
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
