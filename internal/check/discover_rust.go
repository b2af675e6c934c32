package check

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// rustMarks make a folder a Rust project: a package, or a workspace of packages.
var rustMarks = []string{"Cargo.toml"}

// rustChecks are the checks of the project's package or workspace: its tests, rustfmt, and what the compiler says.
//
// Clippy is a check where the project names it: it says all that cargo check says and more, so it takes the place of that
// one. No command is told to work offline or to keep to Cargo.lock: with a lock file and its packages at hand (vendored, or
// downloaded once) cargo asks for nothing over the network by itself, and without them only the network helps.
func (t *tree) rustChecks() ([]Check, []Note) {
	if !t.has("Cargo.toml") {
		return nil, nil
	}
	p := t.rustProject()
	var checks []Check
	add := func(c Check) {
		c.Lang = "rust"
		checks = append(checks, c)
	}
	if p.hasTests() {
		add(Check{
			Name: "test", Run: p.cargo("test", "--no-fail-fast", "--message-format=json"), Parser: "cargo-test",
			Env: map[string]string{"RUST_BACKTRACE": "1"}, // so that a panic tells who called
		})
	}
	fix := []string{"--fix", "--allow-dirty", "--allow-staged", "--allow-no-vcs", "--broken-code"}
	if p.names(clippyWord) || p.first("clippy.toml", ".clippy.toml") != "" || p.tables["lints.clippy"] || p.tables["workspace.lints.clippy"] {
		options, lints := p.clippy()
		c := Check{Name: "lint.clippy", Run: append(p.cargo("clippy", "--message-format=json"), options...), Parser: "cargo"}
		mend := append(p.cargo("clippy", fix...), options...)
		if len(lints) > 0 {
			c.Run = append(append(c.Run, "--"), lints...)
		}
		if warned := onlyWarn(lints); len(warned) > 0 {
			mend = append(append(mend, "--"), warned...)
		}
		c.Fix = [][]string{mend}
		add(c)
	} else {
		targets := p.targets()
		add(Check{Name: "build.cargo", Run: append(p.cargo("check", targets...), "--message-format=json"), Parser: "cargo",
			Fix: [][]string{p.cargo("fix", append(fix[1:], targets...)...)}})
	}
	if p.names(rustfmtWord) || p.first("rustfmt.toml", ".rustfmt.toml") != "" || onPath("cargo-fmt") != "" {
		all := p.cargo("fmt")
		if p.workspace {
			all = []string{"cargo", "fmt", "--all"}
		}
		add(Check{Name: "format.rustfmt", Run: append(slices.Clone(all), "--check"), Parser: "rustfmt", Fix: [][]string{all},
			Files: []string{"**/*.rs", "**/Cargo.toml", "**/rustfmt.toml", "**/.rustfmt.toml"}})
	}
	return checks, nil
}

// rustProject is what the project says of itself and its tools.
type rustProject struct {
	*tree
	workspace bool
	tables    map[string]bool // of Cargo.toml
	scripts   []string        // what people and CI run, where anything says it
}

func (t *tree) rustProject() *rustProject {
	p := &rustProject{tree: t, tables: map[string]bool{}}
	for _, e := range readTOML(t.read("Cargo.toml")) {
		p.tables[e.table] = true
		if e.table == "lints" || e.table == "workspace.lints" {
			p.tables[e.table+"."+e.key] = true
		}
	}
	p.workspace = p.tables["workspace"]
	for _, pattern := range scriptFiles {
		for _, f := range t.glob(pattern) {
			p.scripts = append(p.scripts, string(t.read(f)))
		}
	}
	return p
}

// scriptFiles are where projects say which tools they run, and how.
var scriptFiles = []string{
	".github/workflows/*.yml", ".github/workflows/*.yaml", ".gitlab-ci.yml", ".circleci/config.yml", ".travis.yml", "azure-pipelines.yml",
	".pre-commit-config.yaml", "lefthook.yml", "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile", "Taskfile.yml",
	"Makefile.toml", ".cargo/config.toml", "*.sh", "ci/*", ".ci/*", "scripts/*", "script/*", "tools/*.sh", "xtask/src/*.rs",
}

var (
	clippyWord  = pattern.New(`\bclippy\b`)
	rustfmtWord = pattern.New(`\brustfmt\b|\bcargo[ -]fmt\b|\bcargo \+\S+ fmt\b`)
	clippyLine  = pattern.New(`\bcargo(?: \+\S+)? clippy\b([^\n]*)`)
	denyFlags   = pattern.New(`RUSTFLAGS["']?\s*[:=]\s*["']?[^\n]*-D ?warnings`)
	rustTest    = pattern.New("#\\[[\\w:]*(?:test|rstest)\\b|\\b(?:proptest|quickcheck)!|(?m:^\\s*//[/!]\\s*```)")
)

// names reports whether the project mentions a tool where it says what it runs.
func (p *rustProject) names(word *pattern.Pattern) bool {
	return slices.ContainsFunc(p.scripts, word.MatchString)
}

// cargo is a command over the project: over every package of a workspace.
func (p *rustProject) cargo(sub string, args ...string) []string {
	run := []string{"cargo", sub}
	if p.workspace && sub != "fmt" {
		run = append(run, "--workspace")
	}
	return append(run, args...)
}

// clippy is how the project itself runs clippy: which targets and features, and the levels of lints behind "--". A command
// that says something we do not know is passed over. Where none is found, every target is looked at, and lints have the
// levels that the sources give them.
func (p *rustProject) clippy() (options, lints []string) {
	for _, s := range p.scripts {
		for _, m := range clippyLine.FindAllStringSubmatch(s, -1) {
			if o, l, ok := clippyArgs(m[1]); ok && len(o)+len(l) > len(options)+len(lints) {
				options, lints = o, l
			}
		}
	}
	if !slices.Contains(options, "--all-targets") && !slices.Contains(options, "--tests") {
		options = append(p.targets(), options...)
	}
	if len(lints) == 0 && p.names(denyFlags) {
		lints = []string{"-D", "warnings"}
	}
	return options, lints
}

// targets are the options for everything that the project builds. Benchmarks that need a feature of the nightly compiler are left
// out where nothing says that the project is built by that one: no other compiles them.
func (p *rustProject) targets() []string {
	nightly := nightlyWord.Match(p.read("rust-toolchain")) || nightlyWord.Match(p.read("rust-toolchain.toml"))
	for _, glob := range []string{"benches/*.rs", "benches/*/main.rs", "*/benches/*.rs", "crates/*/benches/*.rs"} {
		for _, f := range p.glob(glob) {
			if !nightly && unstable.Match(p.read(f)) {
				return []string{"--bins", "--examples", "--tests"} // the library with them
			}
		}
	}
	return []string{"--all-targets"}
}

var (
	nightlyWord = pattern.New(`\bnightly\b`)
	unstable    = pattern.New(`(?m)^\s*#!\[feature\(`)
)

// clippyArgs reads the words behind "cargo clippy" up to whatever ends the command: its options, and the levels of lints
// behind "--". It is false when a word is none that we know.
func clippyArgs(text string) (options, lints []string, ok bool) {
	if i := strings.IndexAny(text, "&|;#\"'`)]}"); i >= 0 {
		text = text[:i]
	}
	words := strings.Fields(text)
	if i := slices.Index(words, "--"); i >= 0 {
		if lints, ok = lintLevels(words[i+1:]); !ok {
			return nil, nil, false
		}
		words = words[:i]
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "--features" && i+1 < len(words) {
			i++
			w += "=" + words[i]
		}
		list, features := strings.CutPrefix(w, "--features=")
		switch {
		case features && featureList.MatchString(list), slices.Contains(clippyKeeps, w):
			options = append(options, w)
		case slices.Contains(clippyDrops, w), strings.HasPrefix(w, "--message-format="):
		default:
			return nil, nil, false
		}
	}
	return options, lints, true
}

// lintLevels reads levels of lints, "-D warnings" or "-Dwarnings", as pairs.
func lintLevels(words []string) (lints []string, ok bool) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if len(w) == 2 && i+1 < len(words) {
			i++
			w += words[i]
		}
		if len(w) < 3 || !lintLevel.MatchString(w[:2]) || !lintName.MatchString(w[2:]) {
			return nil, false
		}
		lints = append(lints, w[:2], w[2:])
	}
	return lints, true
}

// The options of cargo clippy that its check keeps, and those that it has anyway or that change no finding.
var (
	clippyKeeps = []string{"--all-targets", "--all-features", "--no-default-features", "--tests", "--no-deps"}
	clippyDrops = []string{"--workspace", "--all", "--locked", "--quiet", "-q"}
)

var (
	lintLevel   = pattern.New(`^-[DWAF]$`)
	lintName    = pattern.New(`^[a-z][\w:-]*$`)
	featureList = pattern.New(`^[\w/,-]+$`)
)

// onlyWarn are levels of lints under which a fix is kept: cargo takes back what it changed in a file when an error is left.
func onlyWarn(lints []string) []string {
	var out []string
	for i := 0; i+1 < len(lints); i += 2 {
		switch level, lint := lints[i], lints[i+1]; {
		case level == "-A":
			out = append(out, level, lint)
		case lint != "warnings":
			out = append(out, "-W", lint)
		}
	}
	return out
}

// hasTests reports whether the project has tests: in files of their own, in its sources, or in its documentation.
func (p *rustProject) hasTests() bool {
	left, found := 5000, false // files to look at; a project of more has tests
	_ = fs.WalkDir(p.fsys, ".", func(f string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case e.IsDir():
			if f != "." && (skippedDir(e.Name()) || e.Name() == "target") {
				return fs.SkipDir
			}
			return nil
		case path.Ext(f) != ".rs":
			return nil
		}
		if left--; left < 0 || rustTest.Match(p.read(f)) {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}
