package shell

import (
	slashpath "path"
	"slices"
	"strings"

	"fettle/internal/lang"
	"fettle/internal/policy/path"
)

// Zone is where a path lies.
type Zone string

// The zones.
const (
	Nowhere   Zone = "nowhere"   // /dev/null and the like: nothing is kept
	Scratch   Zone = "scratch"   // below a folder for temporary files
	Generated Zone = "generated" // in the project, and made again by a build: node_modules, target
	Project   Zone = "project"
	Tests     Zone = "tests"
	Checks    Zone = "checks"   // CI, and the configuration of checks
	Git       Zone = "git"      // git's own folder, or another version control's
	Agent     Zone = "agent"    // settings of agents, and fettle's own
	Guidance  Zone = "guidance" // what agents are told of the project: CLAUDE.md, AGENTS.md
	Startup   Zone = "startup"  // what runs without being asked for: hooks, shell profiles, cron, editors' tasks
	Secrets   Zone = "secrets"
	Above     Zone = "above" // the project itself, the home itself, or a folder that holds one of them
	Home      Zone = "home"
	System    Zone = "system"
	Device    Zone = "device"
	Network   Zone = "network" // bash's /dev/tcp
	Elsewhere Zone = "elsewhere"
	Anywhere  Zone = "anywhere" // not known
)

// own reports where the project's own code lies.
func (z Zone) own() bool { return z == Project || z == Tests || z == Generated || z == Checks }

// zoneOf names the zone of an absolute, clean path, which may have marks in it.
func (r *reader) zoneOf(p string) Zone {
	z, ok := r.zones[p]
	if !ok {
		if r.zones == nil {
			r.zones = map[string]Zone{}
		}
		z = r.findZone(p)
		r.zones[p] = z
	}
	return z
}

func (r *reader) findZone(p string) Zone {
	if r.above(p) {
		return Above
	}
	if z, ok := deviceZone(p); ok {
		return z
	}
	for _, guarded := range r.at.Guarded {
		if rel, ok := within(guarded, p); ok || p == guarded || strings.ContainsAny(p, "\x01\x02") && match(p, guarded) {
			return guardedZone(rel)
		}
	}
	if rel, ok := within(r.at.Root, p); ok {
		if slices.ContainsFunc(r.at.Guarded, func(guarded string) bool { _, below := within(p, guarded); return below }) {
			return Agent // who moves the folder moves what the guard goes by
		}
		return projectZone(rel)
	}
	for _, dir := range r.at.Scratch {
		if _, ok := within(dir, p); ok {
			return Scratch
		}
	}
	if rel, ok := within(r.at.Home, p); ok {
		return homeZone(rel)
	}
	return systemZone(p)
}

// guardedZone is the zone of a path as it is seen from a guarded folder, which may be that of an agent's client: what that logs in with lies there,
// and what it keeps for itself.
func guardedZone(rel string) Zone {
	switch name := plain(rel); {
	case rel == "":
		return Agent
	case ruleZone(name) == Secrets, mayBeSecret(rel), slices.ContainsFunc(clientSecrets, func(s string) bool { return match(rel, s) }):
		return Secrets
	case ownNotes(".claude/" + name):
		return Scratch
	}
	return Agent
}

// clientSecrets are what agents' clients log in with: files in their folders, besides .credentials.json, which is one by its name.
var clientSecrets = []string{"auth.json", "oauth_creds.json"}

// above reports a path that is, or by its pattern may be, the project, the home, a folder above one of them, or the whole of
// the temporary files.
func (r *reader) above(p string) bool {
	for _, anchor := range []string{r.at.Root, r.at.Home} {
		for dir := anchor; ; dir = slashpath.Dir(dir) {
			if p == dir || strings.ContainsAny(p, "\x01\x02") && match(strings.TrimSuffix(p, "/\x01"), dir) {
				return true
			}
			if dir == "/" || dir == "." || dir == "" {
				break
			}
		}
	}
	return p == "/\x01" || topLevel(p)
}

// topLevel reports a folder directly below the root of the file system that the system cannot do without.
func topLevel(p string) bool {
	return slices.Contains([]string{"/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/opt", "/proc", "/root", "/run",
		"/sbin", "/srv", "/sys", "/usr", "/var", "/Users", "/Library", "/System", "/Applications", "/mnt", "/media", "/tmp", "/var/tmp"}, strings.TrimSuffix(p, "/\x01"))
}

func deviceZone(p string) (Zone, bool) {
	rest, ok := strings.CutPrefix(p, "/dev/")
	if p == "/proc/kcore" { // the machine's memory, as /dev/mem is
		return Device, true
	}
	if !ok {
		return "", false
	}
	switch name, _, _ := strings.Cut(rest, "/"); name {
	case "null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "tty", "fd", "pts":
		return Nowhere, true
	case "shm":
		return Scratch, true
	}
	return Device, true
}

// within is p as seen from dir, if it lies below.
func within(dir, p string) (string, bool) {
	if dir == "" {
		return "", false
	}
	rest, ok := strings.CutPrefix(p, strings.TrimSuffix(dir, "/")+"/")
	return rest, ok && rest != ""
}

// generatedNames are folders that a build or a tool makes again.
var generatedNames = []string{".DS_Store", "Thumbs.db", "node_modules", "target", "dist", "build", "out", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache",
	".tox", ".nox", ".venv", "venv", "coverage", "htmlcov", ".coverage", ".nyc_output", ".next", ".nuxt", ".turbo", ".parcel-cache", ".gradle", ".eggs", ".cache", "tmp", "_build", "coverage.xml", "lcov.info", "perf.data", ".eslintcache", ".stylelintcache", ".svelte-kit", ".angular", ".dart_tool", ".zig-cache", "zig-out", "dist-newstyle", ".stack-work", "storybook-static", ".ipynb_checkpoints"}

// generatedEndings are those of files that tools leave behind.
var generatedEndings = []string{".bak", ".orig", ".rej", ".tmp", ".swp", ".pyc", ".pyo", ".o", ".log", ".prof", ".coverage", ".out", ".tsbuildinfo", ".gcda", ".gcno", ".profraw"}

// projectZone is the zone of a path relative to the project.
func projectZone(rel string) Zone {
	switch {
	case strings.HasPrefix(rel, ".git/hooks"):
		return Startup
	case strings.HasPrefix(rel, ".git/") && strings.HasSuffix(rel, ".lock"):
		return Generated // what a git that was killed leaves
	case mayBeSecret(rel):
		return Secrets
	}
	name := plain(rel)
	folded := path.Fold(name) // another name here is the same file where letter case, or width, does not count
	if path.Instructs(name) {
		return Guidance
	}
	if z := ruleZone(plain(rel)); z != "" {
		return z
	}
	switch {
	case path.Steers(name):
		return Agent
	case checks(name) || folded != name && checks(folded):
		return Checks
	case lang.IsTest(name) || testFolder(name):
		return Tests
	}
	for name := range strings.SplitSeq(rel, "/") {
		if slices.Contains(generatedNames, name) || strings.HasSuffix(name, ".egg-info") {
			return Generated
		}
	}
	if slices.Contains(generatedEndings, slashpath.Ext(rel)) || strings.HasSuffix(rel, "~") || strings.HasPrefix(slashpath.Base(rel), ".coverage.") {
		return Generated
	}
	return Project
}

// checks reports what decides how a project is checked.
func checks(rel string) bool { return lang.IsCI(rel) || lang.IsCheckConfig(rel) || prepares(rel) }

// testFolder reports a folder of tests, which is one whatever its files are called.
func testFolder(rel string) bool {
	for name := range strings.SplitSeq(rel, "/") {
		if name == "tests" || name == "test" || name == "__tests__" || name == "spec" {
			return true
		}
	}
	return false
}

// prepares reports files that say what runs elsewhere before all else, and the folders in which those of CI lie.
func prepares(rel string) bool {
	return path.Prepares(rel) || lang.IsCI(rel+"/x") || slices.Contains([]string{".github", ".gitlab", ".gitea", ".forgejo"}, rel)
}

// plain is a path in which marks are letters, so that its shape can be judged by name.
func plain(p string) string {
	if !strings.ContainsAny(p, marks) {
		return p
	}
	return lettered.Replace(p)
}

// ruleZone is what the name policy makes of a relative path; empty if nothing speaks against it.
func ruleZone(rel string) Zone {
	switch slashpath.Ext(rel) {
	case ".crt", ".pub":
		return "" // what others are meant to see
	}
	denied := path.Denial(rel)
	if denied == nil {
		return ""
	}
	if named := path.Forbidden(rel); named != nil {
		denied = named
	}
	switch denied.Rule {
	case path.Git:
		return Git
	case path.Agent:
		return Agent
	case path.Editor, path.Hook:
		return Startup
	case path.Secret:
		return Secrets
	case path.Traversal, path.Hidden, path.Separator:
		return Anywhere
	default:
		return ""
	}
}

// commonSecrets are the names that a pattern is most likely to be meant for.
var commonSecrets = []string{".env", ".env.local", ".env.production", ".netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".vault-token", ".credentials.json", "id_rsa", "id_ed25519", "id_ecdsa", "credentials", "credentials.json", "secrets.json", "secrets.yaml"}

// mayBeSecret reports a pattern whose last name has enough letters to be meant for a secret, and matches one.
func mayBeSecret(p string) bool {
	if !strings.ContainsAny(p, "\x01\x02") {
		return false
	}
	name := slashpath.Base(p)
	if strings.HasPrefix(name, ".env\x01") || strings.HasPrefix(name, ".env\x02") {
		return true
	}
	if letters := len(name) - strings.Count(name, "\x01") - strings.Count(name, "\x02"); letters < 2 || strings.HasPrefix(name, "\x01.") {
		return false
	}
	return slices.ContainsFunc(commonSecrets, func(s string) bool {
		return strings.HasPrefix(s, ".") == strings.HasPrefix(name, ".") && match(name, s)
	})
}

// startupNames are files and folders in a home that run, or decide what runs, at the next login or the next command.
var startupNames = []string{".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
	".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".inputrc", ".xinitrc", ".xprofile", ".xsession", ".gitconfig", ".config/git", ".config/fish",
	".config/autostart", ".config/systemd", ".config/environment.d", ".local/bin", ".local/share/applications", "bin", ".pythonrc", ".pythonstartup", ".pdbrc",
	".irbrc", ".gdbinit", ".lldbinit", ".psqlrc", ".sqliterc", ".curlrc", ".wgetrc", ".screenrc", ".tmux.conf", ".config/tmux", ".emacs", ".emacs.d",
	".vim", ".config/nvim", ".cargo/config", ".cargo/config.toml", ".config/pip", ".pip", ".pydistutils.cfg", ".m2/settings.xml", ".gradle/init.gradle",
	".gradle/init.d", ".gradle/gradle.properties", "Library/LaunchAgents", ".ssh/known_hosts", ".ssh/config", ".ssh/authorized_keys", ".ssh/rc", ".ssh/environment", ".pki", ".pam_environment", ".forward", ".rhosts"}

// secretNames are files and folders in a home that hold secrets, besides those that do everywhere.
var secretNames = []string{".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", "Library/Application Support/Google/Chrome", "Library/Application Support/Firefox", "Library/Cookies", "Library/Mail", "Library/Messages", ".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".terraform.d/credentials.tfrc.json", ".config/op", ".config/pypoetry/auth.toml", ".config/glab-cli", ".config/gh", ".config/hub", ".config/doctl", ".config/rclone", ".config/heroku", ".cargo/credentials", ".cargo/credentials.toml",
	".config/containers/auth.json", ".local/share/keyrings", "Library/Keychains", ".bash_history", ".zsh_history", ".python_history", ".psql_history", ".mysql_history",
	".node_repl_history", ".gem/credentials", ".m2/settings-security.xml", ".cache/huggingface/token", ".cache/huggingface/stored_tokens", ".huggingface/token", ".kaggle/kaggle.json", ".config/kaggle/kaggle.json", ".sentryclirc", ".nuget/NuGet/NuGet.Config", ".config/NuGet/NuGet.Config",
	".composer/auth.json", ".config/composer/auth.json", ".databricks*", ".fly", ".ngrok2", ".electrum", ".bitcoin"}

// keepsTokens reports a file that decides what runs, and that keeps tokens as well: it is no more to be read than to be written.
func keepsTokens(path string) bool {
	return slices.ContainsFunc([]string{"/.envrc", "/.claude.json", "/.m2/settings.xml", "/.gradle/gradle.properties"}, func(end string) bool { return strings.HasSuffix(path, end) })
}

// homeZone is the zone of a path relative to the home.
func homeZone(rel string) Zone {
	name := plain(rel)
	if ownNotes(name) {
		return Scratch
	}
	if below(name, secretNames) || mayBeSecret(rel) || mayBeKept(rel) || strings.HasPrefix(rel, ".") && len(rel) > 1 && strings.Trim(rel[1:], marks) == "" { // all that begins with a dot
		return Secrets
	}
	if below(name, startupNames) {
		return Startup
	}
	if below(name, []string{".config/fettle", ".local/state/fettle", ".local/share/fettle", ".config/claude", ".config/codex"}) {
		return Agent
	}
	if z := ruleZone(name); z != "" {
		return z
	}
	return Home
}

// secretFolders are folders in a home with files in them that are secrets, among others that are none.
var secretFolders = []string{".aws", ".docker", ".kube", ".config", ".config/gcloud", "Library", ".cargo", ".gem", ".m2", ".terraform.d", ".composer", ".cache/huggingface", ".huggingface", ".kaggle"}

// secretFiles are what is most likely to be meant by a pattern that leads into one of these.
var secretFiles = []string{".aws/credentials", ".docker/config.json", ".cargo/credentials.toml", ".gem/credentials", ".terraform.d/credentials.tfrc.json", ".composer/auth.json", ".codex/auth.json", ".gemini/oauth_creds.json"}

// mayBeKept reports a pattern of files in a home, in a folder that is hidden, which fits one that is a secret.
func mayBeKept(rel string) bool {
	return strings.HasPrefix(rel, ".") && strings.ContainsAny(rel, "\x01\x02") && slices.ContainsFunc(secretFiles, func(s string) bool { return match(rel, s) })
}

// keepsSecrets reports a folder in the home of which one cannot read everything and read no secrets.
func (r *reader) keepsSecrets(at located) bool {
	rel, ok := within(r.at.Home, at.path)
	return ok && !at.in && slices.Contains(secretFolders, rel)
}

// keepsHome reports a folder in which all of the home lies, and its secrets among it, and one that is not the project's.
func (r *reader) keepsHome(at located) bool {
	_, holds := within(strings.TrimSuffix(at.path, "*"), r.at.Home+"/.")
	return holds && !at.in
}

// ownNotes reports the files in which an agent writes down its plans, and what it wants to remember of a project.
func ownNotes(rel string) bool {
	if slashpath.Ext(rel) != ".md" {
		return false
	}
	plan, _ := slashpath.Match(".claude/plans/*", rel)
	memory, _ := slashpath.Match(".claude/projects/*/memory/*", rel)
	return plan || memory
}

// below reports whether a path is one of the names, or lies below it.
func below(rel string, names []string) bool {
	for _, n := range names {
		if rest, ok := strings.CutPrefix(rel, n); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// systemZone is the zone of any other absolute path.
func systemZone(p string) Zone {
	name := plain(p)
	switch {
	case under(name, "/tmp"), under(name, "/var/tmp"), under(name, "/private/tmp"):
		return Scratch
	case below(name, []string{"/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh", "/etc/ssl/private", "/etc/krb5.keytab", "/etc/kubernetes", "/var/run/secrets", "/run/secrets"}),
		strings.HasPrefix(name, "/proc/") && (strings.HasSuffix(name, "/environ") || strings.HasSuffix(name, "/mem")):
		return Secrets
	case below(name, []string{"/etc/profile", "/etc/profile.d", "/etc/bash.bashrc", "/etc/bashrc", "/etc/zsh", "/etc/environment", "/etc/crontab", "/etc/cron.d", "/etc/cron.daily",
		"/etc/cron.hourly", "/etc/cron.weekly", "/etc/cron.monthly", "/var/spool/cron", "/etc/systemd", "/lib/systemd", "/usr/lib/systemd", "/etc/init.d", "/etc/rc.local",
		"/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/gitconfig", "/etc/pam.d", "/Library/LaunchDaemons", "/Library/LaunchAgents",
		"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"}):
		return Startup
	}
	if !under(name, "/usr") && !under(name, "/etc/ssl") && (ruleZone(name[1:]) == Secrets || mayBeSecret(p[1:])) {
		return Secrets
	}
	if z := foreignHome(name[1:]); z != "" {
		return z
	}
	for _, dir := range []string{"/etc", "/usr", "/var", "/lib", "/lib64", "/boot", "/opt", "/sys", "/proc", "/run", "/srv", "/snap", "/nix", "/System", "/Library", "/Applications"} {
		if under(name, dir) {
			return System
		}
	}
	return Elsewhere
}

// foreignHome is the zone of a path in somebody else's home; empty if it is in none.
func foreignHome(rest string) Zone {
	folder, below, ok := strings.Cut(rest, "/")
	if !ok || folder != "root" && folder != "home" && folder != "Users" {
		return ""
	}
	if folder != "root" {
		if _, below, ok = strings.Cut(below, "/"); !ok {
			return Above // the whole of it
		}
	}
	if z := homeZone(below); z != Home {
		return z
	}
	return Elsewhere
}

func under(p, dir string) bool { return strings.HasPrefix(p, dir+"/") }
