package code

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/pattern"
	"fettle/internal/policy/shell"
)

// system are folders of the machine; what is written or removed there is not the project's.
var system = pattern.New(`^(/|[A-Za-z]:[\\/]|/(etc|usr|bin|sbin|lib|lib64|boot|dev|proc|sys|root|home|opt|var|Library|System|Windows)(/.*)?)$`)

// private are files that start programs, or hold keys, in a home folder or a repository.
var private = pattern.New(`(^|/)(\.ssh|\.aws|\.gnupg|\.kube|\.docker|\.config/(autostart|systemd|gh|gcloud)|\.bashrc|\.bash_profile|\.bash_login|\.profile|\.zshrc|\.zshenv|\.zprofile|\.zlogin|\.config/fish|\.xprofile|LaunchAgents|LaunchDaemons|\.husky|\.gitconfig|\.git/hooks|\.git/config|\.netrc|\.npmrc|\.pypirc|authorized_keys|cron\.d|crontab|sitecustomize\.py|usercustomize\.py|site-packages/[^/]*\.pth)(/|$)`)

// wired are files of a project that say what its services and editors run, on whose machine ever.
var wired = pattern.New(`(^|/)(\.github/workflows/[^/]*|\.gitlab-ci\.ya?ml|\.circleci/config\.ya?ml|Jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|\.travis\.ya?ml|\.envrc|\.vscode/tasks\.json|\.yarnrc(\.yml)?)$`)

// keys are files whose content nobody may read who does not need it.
var keys = pattern.New(`(^|/)(\.ssh/(id_\w+|.*_key)|\.aws/credentials|\.netrc|\.git-credentials|\.gnupg(/.*)?|\.kube/config|\.docker/config\.json|\.config/(gh|gcloud)/.*|\.npmrc|\.pypirc)$|^/etc/(shadow|sudoers)|^(/var)?/run/secrets/|^/proc/(self|\d+)/environ$|Login Data$|` +
	`^(~|/home/[^/]+|/Users/[^/]+|/root)/.*(google-chrome|chromium|BraveSoftware|Google/Chrome|Microsoft/Edge|microsoft-edge|\.mozilla/firefox|Firefox/Profiles)/|(^|/)(logins\.json|key4\.db|cookies\.sqlite)$`)

// away reports whether a path leads out of the project to where nothing may be written or removed.
func away(path string) bool {
	if path == "/dev/null" || strings.HasPrefix(path, "/dev/std") || strings.HasPrefix(path, "/dev/fd/") {
		return false
	}
	path = strings.ReplaceAll(path, unknown, "x")
	return path == "~" || path == "~/" || everything.MatchString(path) || system.MatchString(path) || private.MatchString(path)
}

// write judges that something is written to, or removed from, a path.
func (c *call) write(paths ...value) *hit {
	for _, p := range paths {
		if p.isText && p.text != unknown && away(p.text) {
			return c.hit(Destruction, Danger)
		}
		if p.isText && wired.MatchString(p.text) {
			return c.hit(Interference, Review)
		}
	}
	return nil
}

// removeAll judges that a folder is removed with everything in it.
func (c *call) removeAll(p value, otherwise *hit) *hit {
	if h := c.write(p); h != nil {
		return h
	}
	if p.isText && (p.text == "." || p.text == ".." || strings.HasPrefix(p.text, "../")) {
		return c.hit(Destruction, Danger)
	}
	return otherwise
}

// read judges that a file is read.
func (c *call) read(p value) *hit {
	if p.isText && (keys.MatchString(strings.ReplaceAll(p.text, unknown, "x")) || strings.HasSuffix(p.text, "/.ssh/"+unknown)) {
		return c.hit(Secrets, Danger)
	}
	return nil
}

// sqlWords begin statements.
var sqlWords = pattern.New(`(?i)^\s*(select|insert|update|delete|drop|alter|create|replace|with|merge|grant)\b`)

// sql judges a statement that is put together from values.
func (c *call) sql(v value) *hit {
	if v.isText && !v.known() && v.text != unknown && (sqlWords.MatchString(v.text) || database.MatchString(c.receiver())) {
		return c.hit(Injection, Danger)
	}
	return nil
}

var database = pattern.New(`(?i)(^|[._])(cur|cursor|c|conn|connection|db|session|tx|engine|database|pool|stmt|statement|objects)(\(\))?$`)

// asked are rules whose questions are put for scripts too: text that nobody sees becomes commands, something is sent away, programs are ended.
var asked = set("unseen-code send kill")

// script lists what a shell script could do, by the policy for commands: whatever that denies, each by itself, as what a script did before excuses nothing
// else; and of what stands in one line the first question. What the policy would only ask an agent about (a push, a program of which nothing is known) is a
// script's daily work, and worth one note for each rule.
func script(name, src string) []Capability {
	var p *shell.Policy
	at := where
	at.File = path.Join(at.Root, filepath.ToSlash(name))
	facts := p.Facts(src, at)
	questioned, noted := make(map[int]bool), make(map[string]bool)
	var all []Capability
	for _, f := range facts {
		v := p.Decide([]shell.Fact{f})
		found := Capability{Class: Process, Grade: Danger, Name: v.Rule + ": " + v.Reason, Line: max(f.Line, 1)}
		if f.Kind == shell.Remote {
			found.Name += sources(facts)
		}
		if v.Decision == shell.Ask {
			later := questioned[f.Line]
			questioned[f.Line] = true
			if later || noted[v.Rule] {
				continue
			}
			found.Grade = Review
			if !asked[v.Rule] {
				found.Grade, noted[v.Rule] = Note, true
			}
		}
		if v.Decision != shell.Allow {
			all = append(all, found)
		}
	}
	return all
}

// sources are the addresses from which a script loads something: code from one more is another thing than what it ran before.
func sources(facts []shell.Fact) string {
	var all []string
	for _, f := range facts {
		if f.Kind == shell.Fetch {
			all = append(all, f.Target)
		}
	}
	if all == nil {
		return ""
	}
	slices.Sort(all)
	return " (" + strings.Join(slices.Compact(all), ", ") + ")"
}
