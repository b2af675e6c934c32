package shell

import (
	"slices"
	"strings"
)

// pipWords are the options of pip that take a word behind them, and change nothing about what is installed.
var pipWords = []string{"--timeout", "--retries", "--log", "--cache-dir", "--progress-bar", "--root-user-action", "-C", "--config-settings", "--use-feature", "--python", "-p", "--upgrade-strategy"}

// pipFlags are those that take none.
var pipFlags = []string{"-q", "-v", "-U", "--quiet", "--verbose", "--upgrade", "--no-cache-dir", "--no-deps", "--disable-pip-version-check", "--no-input", "--no-build-isolation", "--require-hashes",
	"--only-binary", "--prefer-binary", "--force-reinstall", "--system", "--strict", "--break-system-packages", "--all-extras"}

// pip installs. The project itself, and what its own lists name, are declared; whatever else is named, or comes from another place, is what somebody chose just now.
func pip(v *invocation, args []value) (value, bool) {
	declared, some := true, v.syncsAlone(args)
	apart := v.apart(args)
	for i := 0; i < len(args); i++ {
		name, file, attached := strings.Cut(args[i].text, "=")
		next := func() value {
			if !attached && i+1 < len(args) {
				i++
				return args[i]
			}
			return value{file, args[i].from}
		}
		switch {
		case slices.Contains([]string{"-r", "--requirement", "--requirements"}, name):
			some, declared = true, v.lists(next()) && apart && declared
		case slices.Contains([]string{"-c", "--constraint"}, name):
			declared = v.lists(next()) && declared
		case slices.Contains([]string{"-e", "--editable"}, name):
			some, declared = true, v.itself(next()) && declared
		case slices.Contains(pipWords, name):
			next()
		case v.name == "pip wheel" && (name == "-w" || name == "--wheel-dir"):
			v.change(Writes, next())
		case strings.HasPrefix(name, "-"): // another place, another index, whatever
			declared = declared && slices.Contains(pipFlags, name)
		default:
			some, declared = true, v.names(args[i]) && declared
		}
	}
	v.installs(declared && some)
	return unknown(v.in.from), true
}

// apart reports that packages go into an environment of the project's own, and not among those of the whole machine: pip is that environment's, or it is active; uv looks for one. What
// is pinned by its contents may go anywhere.
func (v *invocation) apart(args []value) bool {
	return slices.ContainsFunc(args, func(a value) bool { return a.text == "--require-hashes" }) || strings.HasPrefix(v.name, "uv ") || v.venv != "" && v.locate(known(v.venv), v.cwd).zone.own()
}

// syncs reports a program whose operands are lists of packages.
func (v *invocation) syncs() bool { return v.name == "uv pip sync" || v.name == "pip-sync" }

// names reports that what is named is the project's: one of its lists, for what takes those, or itself.
func (v *invocation) names(what value) bool {
	if v.syncs() {
		return v.lists(what)
	}
	return v.itself(what)
}

// syncsAlone reports one that takes the project's list where it is given none.
func (v *invocation) syncsAlone(args []value) bool { return v.name == "pip-sync" && len(args) == 0 }

func (v *invocation) installs(declared bool) {
	f := Fact{Kind: Install, Target: words(v.operands).show(), By: v.name}
	if declared {
		f.Traits = []Trait{Declared}
	}
	v.fact(f)
}

// lists reports a list of packages that is the project's, and neither of this command's nor of an agent's making.
func (v *invocation) lists(name value) bool {
	at := v.locate(name, v.cwd)
	_, made := v.holds(at)
	_, written := v.agentScript(at)
	if at.zone != Network {
		v.noteAt(at, Read, v.name)
	}
	return at.zone.own() && !at.several() && !made && !written && !strings.Contains(name.text, "://")
}

// itself reports the project, or a part of it, as what is installed: ., ./sub, .[extra].
func (v *invocation) itself(name value) bool {
	text := unmarked.Replace(name.text)
	if i := strings.IndexAny(text, "[*?"); i > 0 {
		text = text[:i]
	}
	if text != "." && !strings.HasPrefix(text, "./") || strings.HasSuffix(text, ".whl") || strings.HasSuffix(text, ".gz") {
		return false
	}
	for _, file := range []string{"/setup.py", "/hatch_build.py"} {
		v.recipe(v.locate(value{text + file, name.from}, v.cwd), "python")
	}
	at := v.locate(value{text, name.from}, v.cwd)
	return at.zone.own() || at.path == v.at.Root
}
