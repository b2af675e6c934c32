package shell

import (
	slashpath "path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// gitSpecials are the commands of git whose meaning depends on the form of their operands.
func gitSpecials(name string) special {
	switch name {
	case "checkout":
		return checkout
	case "clean":
		return clean
	case "push":
		return push
	case "gitconfig":
		return gitConfig
	case "gitrm":
		return removes
	case "restore":
		return restore
	case "rebase":
		return rebase
	case "listfiles":
		return listFiles
	case "gitpatch":
		return gitPatch
	case "refspecs":
		return refspecs
	case "refs":
		return refs
	case "gitadd":
		return gitAdd
	case "toplevel":
		return toplevel
	}
	return nil
}

// checkout changes branches, or throws away what was changed in files.
func checkout(v *invocation, args []value) (value, bool) {
	if v.dry {
		return value{}, true
	}
	files := contains(args, "--")
	for i, a := range v.operands {
		if strings.HasPrefix(a.text, ".") || strings.HasPrefix(a.text, ":") || i > 0 || a.globbed() || looksLikeFile(a.text) || a.holed() && a.from&ofFiles != 0 {
			files = true
		}
	}
	switch {
	case files && !v.has("creates"), v.has("patches"): // what it asks then, its input may answer
		v.discard()
	case v.has("creates"):
	case words(v.operands).text == string(hole) && v.operands[0].from&fromFile != 0: // a file holds branches' names as well as files'
		v.discards(&Fact{Kind: Discard, Target: v.operands[0].show(), By: v.name, Traits: []Trait{Named}})
	}
	return value{}, false
}

// discard notes that changes in files are thrown away: in those that are named, or in all.
func (v *invocation) discard() {
	f := Fact{Kind: Discard, Target: words(v.operands).show(), By: v.name, Traits: []Trait{Named}}
	if v.name == "git checkout" && len(v.operands) > 1 && contains(v.args, "--") && !looksLikeFile(v.operands[0].text) && v.args[len(v.args)-len(v.operands)].text == "--" {
		f.Target = words(v.operands[1:]).show() + " (by what " + v.operands[0].show() + " has)"
	}
	for i, a := range v.operands {
		if (i > 0 || len(v.operands) == 1 || looksLikeFile(a.text)) && (!looksLikeFile(a.text) || strings.HasSuffix(a.text, "/")) || a.globbed() || a.holed() {
			f.Traits = nil
		}
	}
	if len(v.operands) == 0 && v.has("patches") { // one change after the other, of all files
		f.Target, f.Traits = "changes in the working tree", nil
	}
	v.discards(&f)
}

// restores notes git show REVISION:FILE > FILE, which is git checkout REVISION -- FILE by other words.
func (s *shell) restores(cmd syntax.Command, files []located) {
	call, ok := cmd.(*syntax.CallExpr)
	if !ok || len(files) != 1 || len(call.Args) < 3 {
		return
	}
	if name, _ := plainWord(call.Args[0]); name != "git" {
		return
	}
	for _, w := range call.Args[2:] {
		word, _ := plainWord(w)
		_, path, ok := strings.Cut(word, ":")
		if at := files[0]; ok && (s.locate(known(path), s.cwd).path == at.path || s.at.Root+"/"+path == at.path) {
			s.fact(Fact{Kind: Discard, Target: at.path, By: "git show", Traits: []Trait{Named}})
		}
	}
}

// plainNames are files' names without an ending, which no branch is called by.
var plainNames = []string{"Makefile", "makefile", "GNUmakefile", "Dockerfile", "Containerfile", "Justfile", "justfile", "Rakefile", "Gemfile", "Procfile", "Pipfile", "Jenkinsfile", "Vagrantfile", "Brewfile",
	"Taskfile", "Tiltfile", "Earthfile", "README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CHANGELOG", "CODEOWNERS", "VERSION", "BUILD", "WORKSPACE"}

// looksLikeFile reports a name with an ending, as files have one and branches seldom do.
func looksLikeFile(name string) bool {
	base := baseName(name)
	if slices.Contains(plainNames, base) {
		return true
	}
	i := strings.LastIndexByte(base, '.')
	return i > 0 && i < len(base)-1 && len(base)-i <= 6 && strings.Trim(base[i+1:], "0123456789") != "" || strings.HasSuffix(name, "/")
}

// gitAdd takes what git ignores along where it is forced to and no file is named, an .env among it.
func gitAdd(v *invocation, _ []value) (value, bool) {
	all := len(v.operands) == 0
	for _, o := range v.operands {
		all = all || !looksLikeFile(o.text) && v.locate(o, v.cwd).zone != Generated
	}
	if all && v.has("forces") && !v.dry {
		v.note(Print, "what git ignores, an .env among it", v.name)
	}
	return value{}, false
}

// clean deletes what git does not track, by force or after asking what its input may answer: where only what can be made again is named, as rm does.
func clean(v *invocation, _ []value) (value, bool) {
	if v.dry || !slices.Contains(v.traits, Forced) {
		return value{}, true
	}
	discards := len(v.operands) == 0
	for _, o := range v.operands {
		v.change(Deletes, o)
		discards = discards || v.locate(o, v.cwd).zone != Generated
	}
	if discards {
		v.discards(&Fact{Kind: Discard, Target: "untracked files", By: v.name})
	}
	return value{}, true
}

// kept are what git throws away of the repository itself, which other folders may share.
const kept = "stash object reflog history worktree"

// discards notes that work is thrown away, but for that in a folder below /tmp, which holds nothing that anybody would miss. The folder may be a link that the command has made,
// and work in another one where an option or a variable says so.
func (v *invocation) discards(f *Fact) {
	f.given = v.inTree()
	elsewhere := v.elsewhere() || speaks(f.Target+f.By, kept)
	for i := range v.facts {
		elsewhere = elsewhere || v.facts[i].Kind == Link
	}
	at := v.cwd
	if strings.HasSuffix(v.name, "worktree remove") && len(v.operands) > 0 { // the folder that is given up
		at, elsewhere = v.operands[0], false
	}
	if elsewhere || v.locate(at, v.cwd).zone != Scratch {
		v.fact(*f)
	}
}

// elsewhere reports that an option or a variable says which repository git works in, or where what it has of it lies.
func (v *invocation) elsewhere() bool {
	return v.has("anywhere") || slices.ContainsFunc([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"}, func(name string) bool {
		_, set := v.vars.get(name)
		return set
	})
}

// inTree is how git was started, and where, if it works in that folder's repository, and leaves its index as it is.
func (v *invocation) inTree() []Given {
	given := v.begun()
	if _, exact := v.cwd.exact(); !exact || v.astray || v.elsewhere() || v.has("staged") {
		given[0].Dir = ""
	}
	return given
}

// toplevel is git rev-parse, of which the project's folder is known where it works in there.
func toplevel(v *invocation, args []value) (value, bool) {
	here, ok := v.cwd.exact()
	if ok && words(args).text == "--show-toplevel" && !v.has("anywhere") && under(slashpath.Clean(here)+"/", v.at.Root) {
		return known(v.at.Root + "\n"), true
	}
	return value{}, false
}

// push is a force push also if a refspec says so: +main, or :main, which deletes. One whose beginning is not known, as the name of the branch that is checked out,
// is hardly ever that, but may be.
func push(v *invocation, _ []value) (value, bool) {
	for i, a := range v.operands {
		switch {
		case i == 0 || v.dry || a.empty():
		case a.text[0] == '+' || a.text[0] == ':':
			v.note(Force, a.show(), v.name)
		case a.text[0] == hole:
			v.fact(Fact{Kind: Force, Target: a.show(), Traits: []Trait{Vague}, By: v.name})
		}
	}
	return value{}, false
}

// refspecs are those of git fetch and pull: +A:B moves a branch of this repository, whatever was on it.
func refspecs(v *invocation, _ []value) (value, bool) {
	if v.name == "git pull" && !v.dry {
		v.note(Record, "", v.name)
	}
	for i, a := range v.operands {
		_, to, ok := strings.Cut(a.text, ":")
		if i > 0 && ok && to != "" && (strings.HasPrefix(a.text, "+") || v.has("forces")) && !strings.HasPrefix(to, "refs/remotes/") {
			v.note(Rewrite, "a branch", v.name)
		}
	}
	return value{}, false
}

// refs is git branch, git tag and their like: with a name, and without an option that looks for it, they change what git keeps. git symbolic-ref reads one name, and
// changes it where another follows.
func refs(v *invocation, _ []value) (value, bool) {
	switch {
	case v.dry || v.has("lists") || len(v.operands) == 0:
	case v.name != "git symbolic-ref":
		v.note(Record, words(v.operands).show(), v.name)
	case len(v.operands) > 1:
		v.note(Rewrite, v.operands[0].show(), v.name)
	}
	return value{}, false
}

// gitConfig is git config: it reads a setting, or changes one.
func gitConfig(v *invocation, _ []value) (value, bool) {
	operands := v.operands
	unsets := v.has("unsets")
	for _, u := range v.uses {
		switch {
		case u.role != Reads:
		case v.dry || len(operands) < 2 && !unsets:
			v.readFile(u.value, v.name)
		default:
			v.change(Writes, u.value)
		}
	}
	if !v.dry && len(operands) > 1 && operands[0].text == "unset" {
		operands, unsets = operands[1:], true
	}
	if unsets && !v.dry && len(operands) > 0 {
		if key := operands[0]; gitSettingKind(strings.ToLower(key.text)) == "path" || key.holed() { // what was kept away by it comes back
			v.note(Config, key.show(), "git config")
		}
		return value{}, true
	}
	if v.dry || len(operands) < 2 {
		if speaks(strings.ToLower(words(operands).text), "extraheader") {
			v.note(Print, "a token", "git config")
		}
		return unknown(0), true
	}
	if operands[0].text == "set" {
		operands = operands[1:]
	}
	if len(operands) < 2 {
		return value{}, true
	}
	v.gitSetting(operands[0], operands[1], true)
	return value{}, true
}

// gitSetting judges one setting of git. Many of them are commands that git runs.
func (s *shell) gitSetting(key, val value, lasting bool) {
	name := strings.ToLower(key.text)
	switch kind := gitSettingKind(name); kind {
	case "alias":
		if command, ok := strings.CutPrefix(val.text, "!"); ok {
			s.starts(value{command, val.from})
		} else {
			s.starts(known("git ").plus(val))
		}
	case "command":
		if val.text == "" || val.text == "true" || val.text == "false" { // a switch, or nothing instead of a command
			return
		}
		s.starts(val)
		if lasting || name == "core.fsmonitor" {
			s.note(Config, key.show(), "git config")
		}
	case "path":
		s.note(Config, key.show(), "git config")
	case "harmless":
	case "bang": // a command behind an exclamation mark, else a word that git knows
		if command, ok := strings.CutPrefix(val.text, "!"); ok || val.holed() {
			s.starts(value{command, val.from})
		}
	case "plain":
		if lasting {
			s.fact(Fact{Kind: Config, Target: key.show(), Traits: []Trait{Declared}, By: "git config"})
		}
	default: // what a setting does that nobody has described cannot be known, not even for one command
		s.fact(Fact{Kind: Config, Target: key.show(), Traits: []Trait{Declared}, By: "git config"})
	}
}

// gitSettingKind says whether git runs the value of a setting, takes it for where code or secrets come from, or neither.
func gitSettingKind(name string) string {
	section, rest, _ := strings.Cut(name, ".")
	last := rest[strings.LastIndexByte(rest, '.')+1:]
	switch section {
	case "alias":
		return "alias"
	case "index", "pack", "feature", "checkout", "versionsort", "transfer", "fsck", "maintenance", "core", "diff", "merge", "commit", "submodule", "init", "interactive", "lfs", "receive", "repack":
		if kind := gitSettingByEnd(last); kind != "" {
			return kind
		}
		if section == "submodule" && last == "update" {
			return "bang"
		}
		if slices.Contains(plainSettings, last) {
			return "plain"
		}
		return ""
	case "user", "color", "advice", "push", "pull", "rerere", "log", "status", "column", "branch", "rebase", "fetch", "help", "tag", "blame", "stash", "grep", "format":
		return "harmless"
	case "pager":
		return "command"
	case "clean", "gc", "include", "includeif", "url", "remote", "protocol", "http", "https", "safe":
		return "path"
	}
	return gitSettingByEnd(last)
}

// plainSettings change what git shows, or how fast it is, and nothing else.
var plainSettings = []string{"preloadindex", "untrackedcache", "fscache", "symlinks", "compression", "loosecompression", "bigfilethreshold", "logallrefupdates", "trustctime", "checkstat", "noprefix", "mnemonicprefix",
	"colormoved", "colormovedws", "context", "interhunkcontext", "wordregex", "renamelimit", "verbose", "status", "showuntrackedfiles", "threads", "version", "manyfiles", "workers", "auto", "recurse", "fetchjobs",
	"submodule", "ignoresubmodules", "ignore", "statgraphwidth", "stat", "log", "prompt", "indentheuristic", "dirstat", "suppressblankempty", "singlekey", "writecommitgraph", "commitgraph", "windowmemory", "usebitmaps", "multipackindex", "suffix", "guess", "defaultremote",
	"relative", "branchdesc", "renormalize", "keepbackup", "directoryrenames", "verifysignatures", "autodetectremote", "cleanup"}

// gitSettingByEnd tells a setting's kind by the last part of its name.
func gitSettingByEnd(last string) string {
	if strings.HasSuffix(last, "command") || strings.HasSuffix(last, "cmd") {
		return "command"
	}
	switch last {
	case "difffilter", "packobjectshook", "pager", "editor", "fsmonitor", "gitproxy", "askpass", "external", "textconv", "clean", "smudge", "process", "driver", "helper", "program":
		return "command"
	case "hookspath", "templatedir", "attributesfile", "worktree", "excludesfile", "allowedsignersfile", "gpgsign":
		return "path"
	case "autocrlf", "eol", "filemode", "ignorecase", "quotepath", "precomposeunicode", "conflictstyle", "ff", "defaultbranch", "algorithm", "renames", "abbrev", "longpaths", "safecrlf", "whitespace", "commentchar":
		return "harmless"
	}
	return ""
}

// removes is git rm, which keeps what was committed: only what is not just the project's code is no matter of history.
func removes(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		at := v.locate(o, v.cwd)
		at.all = false // of all there is in the project, too
		if !v.dry && !v.has("staged") && at.zone != Project && at.zone != Generated {
			v.noteAt(at, Delete, v.name)
		}
	}
	return value{}, false
}

// restore is git restore throws changes away, unless it only takes them out of the index.
func restore(v *invocation, _ []value) (value, bool) {
	if !v.has("staged") || v.has("worktree") {
		v.discard()
	}
	return value{}, false
}

// rebase rewrites the branch, unless it only goes on with what was begun, or puts the branch upon that of another machine that it follows, as git pull --rebase does.
func rebase(v *invocation, _ []value) (value, bool) {
	if v.plainRebase() {
		v.note(Record, "", v.name)
	} else if !v.has("continues") || len(v.operands) > 0 {
		v.effects = append(v.effects, Effect{Kind: Rewrite})
	}
	return value{}, false
}

// plainRebase reports a rebase onto an upstream branch by which nothing is chosen, edited or run.
func (v *invocation) plainRebase() bool {
	onto := len(v.operands) == 0 && len(v.args) == 0
	for _, a := range v.args {
		switch {
		case oneWord(" --autostash --no-autostash -q --quiet -v --verbose --stat --no-stat -n ", a.text):
		case slices.Contains([]string{"origin/", "upstream/"}, a.text[:strings.IndexByte(a.text, '/')+1]), oneWord(" @{u} @{upstream} ", a.text):
			onto = len(v.operands) == 1 && !a.holed()
		default:
			return false
		}
	}
	return onto && !v.dry
}

// onFiles runs a command that is given files of the folder where it works, whichever these are.
func (v *invocation) onFiles(command value) value {
	if command.empty() {
		return anything // a program that shows them
	}
	out := v.starts(command)
	first, _, _ := strings.Cut(command.text, " ")
	if strings.ContainsAny(command.text, "\x00;|&`$(<>\n") || languageOf(baseName(first)) != "other" {
		v.note(Code, first, v.name)
		return out
	}
	var argv []value
	for _, word := range quotedWords(command.text) {
		argv = append(argv, value{word, command.from})
	}
	return v.run(append(argv, v.cwd.plus(known("/")).plus(anything)))
}

// listFiles is git ls-files.
func listFiles(v *invocation, _ []value) (value, bool) {
	if at, ok := v.vital(v.operands); ok && !slices.ContainsFunc(v.args, func(a value) bool { return optional(a) && !oneWord(" -z -c --cached ", a.text) }) {
		return v.listedAll(at, v.in.from), true
	}
	if len(v.operands) == 1 {
		if suffix := ending(v.operands[0].text); suffix != "" {
			dir, _, _ := cutAny(v.operands[0].text, "*\x01")
			return v.listed([]value{known("./" + dir)}, suffix, v.in.from), true
		}
	}
	return v.listed(v.operands, "", v.in.from), true
}

// object is git's REVISION:PATH, or a path, of which git tells what is in it, or takes it into its history.
func (v *invocation) object(val value) taint {
	name := val
	if _, path, ok := strings.Cut(val.text, ":"); ok {
		name = value{path, val.from}
	}
	at := v.locate(name, v.cwd)
	if keeps := v.name == "git add" || v.name == "git stage" || v.name == "git commit"; keeps && at.zone == Secrets && at.in { // a person may know that it is none
		v.note(Print, at.path, v.name)
		return val.from
	}
	if v.tells(at) {
		return v.readFile(name, v.name, v.traits...).from
	}
	return val.from
}

// tells reports an object of git's, or with --no-index a folder, of which what is in it must not be told.
func (v *invocation) tells(at located) bool {
	return at.zone == Secrets || slices.Contains(v.traits, Recursive) && (at.zone == Above && !at.in || v.keepsSecrets(at))
}
