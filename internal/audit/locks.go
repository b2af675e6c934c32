package audit

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// manifests are the files in which people say what a lock is made from.
var manifests = map[string][]string{
	"go.sum": {"go.mod"}, "go.work.sum": {"go.work", "go.mod"}, "package-lock.json": {"package.json"}, "npm-shrinkwrap.json": {"package.json"},
	"yarn.lock": {"package.json"}, "pnpm-lock.yaml": {"package.json", "pnpm-workspace.yaml"}, "bun.lock": {"package.json"}, "bun.lockb": {"package.json"},
	"deno.lock": {"deno.json", "deno.jsonc", "package.json"}, "poetry.lock": {"pyproject.toml"}, "uv.lock": {"pyproject.toml"}, "pdm.lock": {"pyproject.toml"},
	"pylock.toml": {"pyproject.toml"}, "pixi.lock": {"pixi.toml", "pyproject.toml"}, "Pipfile.lock": {"Pipfile"}, "Cargo.lock": {"Cargo.toml"}, "Gemfile.lock": {"Gemfile"},
	"composer.lock": {"composer.json"}, "gradle.lockfile": {"build.gradle", "build.gradle.kts", "libs.versions.toml"}, "mix.lock": {"mix.exs"}, "pubspec.lock": {"pubspec.yaml"},
	"Podfile.lock": {"Podfile"}, "Package.resolved": {"Package.swift"}, "flake.lock": {"flake.nix"}, "packages.lock.json": {"Directory.Packages.props"},
	"buf.lock": {"buf.yaml"}, "conda-lock.yml": {"environment.yml"}, ".terraform.lock.hcl": {"versions.tf", "main.tf"},
}

// lockRules look at what is installed.
var lockRules = []Rule{
	{"lockfile", "a lock without the manifest that it is made from, or with packages from elsewhere", lockfiles},
}

// lockfiles asks about each lock that changed. With its manifest that is what package managers do; alone, nobody has asked for what is installed now.
func lockfiles(v *patchView) []Finding {
	var all []Finding
	for _, f := range v.files {
		if !lang.IsLock(f.path) || f.formatted {
			continue
		}
		found := Finding{Path: f.path, Effect: Ask}
		from := manifests[path.Base(f.path)]
		switch hosts := newHosts(f.before, f.after); {
		case len(hosts) > 0:
			found.Evidence = fmt.Sprintf("packages come from %s now, where none came from before: let a person confirm", strings.Join(hosts, ", "))
		case f.change.Op == edit.Delete:
			found.Evidence = "nothing says any more what is installed: keep it, or let a person confirm"
		case !v.changesManifest(f.path, from) && !v.sumsOfOthers(f):
			found.Evidence = "what is installed changes, and nothing that asks for it"
			if len(from) > 0 {
				found.Evidence += " (" + strings.Join(from, ", ") + ")"
			}
			found.Evidence += ": let the package manager write it, and a person confirm"
		case v.goal.By == Person:
			found.Effect, found.Evidence = Note, "what is installed changes, with what asks for it"
		default:
			found.Evidence = "what is installed changes, with what asks for it: let a person confirm"
		}
		all = append(all, found)
	}
	return all
}

// changesManifest reports whether a manifest of a lock is in the patch, in its folder or in one below, as workspaces share a lock.
func (v *patchView) changesManifest(lock string, names []string) bool {
	folder := path.Dir(lock)
	return slices.ContainsFunc(v.files, func(f *fileView) bool {
		below := folder == "." || strings.HasPrefix(f.path, folder+"/")
		return below && (slices.Contains(names, path.Base(f.path)) || strings.HasSuffix(f.path, ".csproj") && path.Base(lock) == "packages.lock.json")
	})
}

// sumsOfOthers reports whether all that is new in a go.sum came to another one of the patch too, whose go.mod asks for it: modules of one repository need each other.
func (v *patchView) sumsOfOthers(f *fileView) bool {
	if v.goal.By != Person || path.Base(f.path) != "go.sum" || f.change.Op != edit.Modify {
		return false
	}
	linesOf := func(text []byte) []string { return strings.Split(strings.TrimSpace(string(text)), "\n") }
	was := linesOf(f.before)
	fresh := slices.DeleteFunc(linesOf(f.after), func(l string) bool { return slices.Contains(was, l) })
	for _, o := range v.files {
		asked := func(m *fileView) bool { return m.path == path.Join(path.Dir(o.path), "go.mod") }
		if o != f && path.Base(o.path) == "go.sum" && slices.ContainsFunc(v.files, asked) {
			came := linesOf(o.after)
			fresh = slices.DeleteFunc(fresh, func(l string) bool { return slices.Contains(came, l) })
		}
	}
	return len(fresh) == 0
}

var hostOf = pattern.New(`\b(?:https?|git|ssh)(?:\+\w+)?://(?:[^/@\s"']*@)?([\w.-]+)`)

// newHosts are the machines that a lock names and did not name before; none for one that named no machine.
func newHosts(before, after []byte) []string {
	was := make(map[string]bool)
	for _, m := range hostOf.FindAllStringSubmatch(string(before), -1) {
		was[m[1]] = true
	}
	fresh := make(map[string]bool)
	for _, m := range hostOf.FindAllStringSubmatch(string(after), -1) {
		if len(was) > 0 && !was[m[1]] && !fundings[m[1]] {
			fresh[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(fresh))
}

// fundings are named in locks of npm, and nothing is installed from them.
var fundings = map[string]bool{
	"github.com": true, "opencollective.com": true, "www.patreon.com": true, "tidelift.com": true, "paypal.me": true, "ko-fi.com": true, "www.buymeacoffee.com": true, "feross.org": true,
	"liberapay.com": true, "dotenvx.com": true, "polar.sh": true, "eslint.org": true, "www.paypal.me": true, "thanks.dev": true,
}
