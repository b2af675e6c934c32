package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// apply notes what becomes of each value, and returns the taints that the program's output has from what it reads.
func (v *invocation) apply() taint {
	var from taint
	var group []value
	var groupRole Role
	for _, u := range v.uses {
		switch u.role {
		case Ignored, Mode, Changes:
		case Copies, Moves, Symlinks:
			group, groupRole = append(group, u.value), u.role
		case Into:
		case Reads:
			from |= v.readFile(u.value, v.name, v.traits...).from
		case Formats:
			from |= v.format(u.value)
		case Writes, Empties, Deletes, Chmods, Chowns, Links:
			v.change(u.role, u.value)
		default:
			from |= v.reach(u)
		}
	}
	if group != nil {
		v.transfer(groupRole, group)
	}
	if from&fromSecret != 0 { // what is written may hold what was read
		for _, name := range v.valuesOf(Writes) {
			v.remember(v.locate(name, v.cwd), unknown(from), false)
		}
	}
	return from
}

// change notes a change of a file.
func (v *invocation) change(role Role, name value) {
	if role == Writes && name.text == "-" {
		return
	}
	if (role == Writes || role == Formats) && isAddress(name.text) {
		v.network(Send, name)
		return
	}
	at := v.locate(name, v.cwd)
	if role == Formats && at.path == v.at.Root {
		at.zone = Project // a formatter of all sources is no danger to the project
	}
	if role == Deletes && at.zone == Project && (v.written[at.path] != nil || slices.Contains(v.binaries, at.path)) {
		at.zone = Generated // this command has made it
	}
	traits := v.traits
	if role == Chmods && v.opens() {
		traits = append(slices.Clip(traits), Open)
	}
	if role == Chmods && v.ownerRuns() {
		v.note(Privilege, "", v.name)
	}
	v.fact(at.fact(Kind(role), v.name, traits...)) // these roles are called as what they do is
	if role == Writes {
		v.remember(at, unknown(v.in.from&^flowing), false) // it need not be what was read
		if at.several() && slices.Contains(editors, v.prog.Special) {
			v.edited = append(v.edited, strings.ReplaceAll(at.pattern(), "/"+string(hole)+"/", "/"+string(hole))) // find's may lie in the folder itself
		}
	}
}

// isAddress reports the address of something that is no file.
func isAddress(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && letterWord(scheme) && scheme != "file"
}

// shared are folders for everybody's temporary files: who writes into one as a whole writes below it.
var shared = []string{"/tmp", "/var/tmp"}

// fact is what is done to the path, with what is known of it.
//
//go:noinline
func (l located) fact(kind Kind, by string, traits ...Trait) Fact {
	switch lost := kind == Delete || kind == Empty; {
	case lost && (l.all || l.lot):
		l.zone, l.path, l.part, l.glob = Above, slashpath.Dir(l.path), false, l.glob || l.lot
		if l.lot {
			l.zone = Home
		}
	case lost && l.home:
		l.zone = Home
	}
	if kind == Write && l.zone == Above && slices.Contains(shared, l.path) {
		l.zone = Scratch
	}
	if kind == Read && l.tells(by) {
		l.zone = Secrets
	}
	f := Fact{Kind: kind, Target: l.path, Zone: l.zone, Traits: slices.Clone(traits), By: by, rel: wholePath(l.rel)}
	if l.glob {
		f.Traits = append(f.Traits, Glob)
	}
	if l.part {
		f.Traits = append(f.Traits, Vague)
	}
	if l.in && (l.zone == Secrets || l.zone == Above) {
		f.Traits = append(f.Traits, Inside)
	}
	return f
}

// tells reports a file that decides what runs, and that keeps tokens as well, which whoever reads it learns; Maven, whose own it is, tells nobody.
func (l located) tells(by string) bool {
	return (l.zone == Startup || l.zone == Agent) && keepsTokens(l.path) && !strings.HasPrefix(by, "mvn")
}

// ownerRuns reports a mode that lets a program run as its owner, or as its group.
func (v *invocation) ownerRuns() bool {
	return slices.ContainsFunc(v.valuesOf(Mode), func(u value) bool {
		mode := strings.TrimLeft(u.text, "0")
		if mode != "" && strings.Trim(mode, "01234567") == "" {
			return len(mode) >= 4 && mode[len(mode)-4] >= '2'
		}
		return slices.ContainsFunc(strings.Split(mode, ","), func(clause string) bool {
			i := strings.IndexAny(clause, "+=")
			return i >= 0 && strings.Contains(clause[i:], "s")
		})
	})
}

// opens reports a mode that lets everybody write, or lets a program run as its owner.
func (v *invocation) opens() bool {
	for _, u := range v.uses {
		if u.role != Mode {
			continue
		}
		mode := strings.TrimLeft(u.value.text, "0")
		octal := mode != "" && strings.Trim(mode, "01234567") == ""
		switch {
		case octal && len(mode) >= 4 && mode[len(mode)-4] >= '2':
			return true
		case octal:
			return strings.ContainsRune("2367", rune(mode[len(mode)-1]))
		case mode == "":
			return false
		}
		for clause := range strings.SplitSeq(mode, ",") {
			who, what, _ := strings.Cut(clause, "+")
			if strings.Contains(what, "s") || strings.Contains(what, "w") && strings.ContainsAny(who, "oa") {
				return true
			}
			if who, what, ok := strings.Cut(clause, "="); ok && strings.Contains(what, "w") && strings.ContainsAny(who, "oa") {
				return true
			}
		}
	}
	return false
}

// transfer notes copies, moves and links.
func (v *invocation) transfer(role Role, names []value) {
	names, to, ok := v.ends(role, names)
	if !ok {
		return
	}
	var content value
	for _, name := range names {
		at := v.locate(v.destination(name, to, len(names) > 1 || v.given(Into)), v.cwd)
		origin := v.locate(name, v.origin(at))
		switch role {
		case Copies:
			content = v.readFile(name, v.name, v.traits...)
		case Moves:
			content = v.content(origin)
			if origin.zone == Project && v.locate(to, v.cwd).zone.own() {
				break // it only gets another name
			}
			v.noteAt(origin, Delete, v.name, Recursive)
		case Symlinks:
			v.noteAt(origin, Link, v.name)
			if v.has("symbolic") { // where the last name is a folder, the link lies in it
				v.fact(v.locate(name, value{text: at.path}).fact(Link, v.name))
			}
		default:
		}
		if role == Copies && content.empty() {
			v.noteAt(at, Empty, v.name, v.traits...)
		} else {
			v.writesFrom(origin, at, v.name, v.traits)
		}
		if v.given(Mode) { // install -m
			v.change(Chmods, value{text: at.path})
		}
		switch from := origin.zone; {
		case role != Symlinks:
			v.remember(at, content, false)
		case from == Scratch || from == Elsewhere: // a program that is called by the link's name is another
			v.remember(at, unknown(0), false)
		}
		v.linked(origin, at)
		if v.folder(origin) {
			v.folders = append(v.folders, at.path)
		}
	}
}

// ends are what is copied, moved or linked, and where to: all operands but the last, and that one, unless an option says where; none where nothing can be told.
func (v *invocation) ends(role Role, names []value) (from []value, to value, ok bool) {
	for _, u := range v.uses {
		if u.role == Into {
			to = u.value
		}
	}
	switch {
	case !to.empty():
		return names, to, true
	case len(names) != 1:
	case role == Symlinks: // ln TARGET makes a link of that name here
		names = append(names, known("."))
	case names[0].holed(): // it may be several words
		names = append(names, names[0])
	default:
		return nil, value{}, false
	}
	return names[:len(names)-1], names[len(names)-1], true
}

// origin is the folder in which names of what is copied or linked begin: a link names what it leads to as it is seen from where it lies.
func (v *invocation) origin(to located) value {
	if v.has("symbolic") && !v.has("relative") {
		return value{text: slashpath.Dir(to.path)}
	}
	return v.cwd
}

// destination is where one file goes: into a folder, which it must be where there are several or an option says so, or in the place of what is there.
func (v *invocation) destination(name, to value, into bool) value {
	if !v.has("onto") && (into || strings.HasSuffix(to.text, "/") || to.text == "." || v.folder(v.locate(to, v.cwd))) {
		return to.plus(known("/")).plus(value{baseName(name.text), name.from})
	}
	return to
}

// folder reports a path that is one of a folder for certain: what holds the project or a home, what the system cannot do without, what is one now, and what the
// command has made.
func (r *reader) folder(at located) bool {
	return !at.several() && (at.zone == Above || r.at.Folder != nil && r.at.Folder(at.path) || slices.ContainsFunc(r.folders, func(made string) bool {
		_, below := within(at.path, made)
		return below || made == at.path
	}))
}

func baseName(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// reach notes what leads out of the file system: code here, and addresses.
func (v *invocation) reach(u use) taint {
	val := u.value
	role, language, _ := strings.Cut(string(u.role), ":")
	switch Role(role) {
	case Script:
		return v.starts(val).from
	case Executes:
		return v.onFiles(val).from
	case "code":
		return v.code(language, val, nil).from
	case Runs:
		return v.runs(val, language).from
	case Makefile:
		return v.runFile(val, "make", nil).from
	case Setting:
		v.setting(val)
	case GitSetting:
		key, text, _ := strings.Cut(val.text, "=")
		v.gitSetting(value{key, val.from}, value{text, val.from}, false)
	case SSHSetting:
		if key, text, ok := cutAny(val.text, "= "); ok && strings.HasSuffix(strings.ToLower(key), "command") {
			v.starts(value{text, val.from})
		}
	case Checkpoint:
		if command, ok := strings.CutPrefix(val.text, "exec="); ok {
			v.starts(value{command, val.from})
		}
	case Bound:
		v.bind(val)
	case IntoDir, KubeKind, Package, Folder, Method, Object, Include, Classes, Variable:
		return v.particular(u)
	case Own, ClassPath, Module, INISetting, Sources, Compiles:
		v.loads(u)
	case JVMLog:
		v.jvmLog(val)
	case Options:
		v.optionsOf(language, val)
	case Builds:
		v.builds(val)
	default:
		return v.connect(u)
	}
	return val.from
}

// runs is a file of code that runs; tsx has a word before it.
func (v *invocation) runs(file value, language string) value {
	if file.text == "watch" && v.name == "tsx" && len(v.rest) > 0 {
		file, v.rest = v.rest[0], v.rest[1:]
	}
	return v.runFile(file, language, v.rest)
}

// particular notes what a few programs' arguments stand for.
func (v *invocation) particular(u use) taint {
	val := u.value
	switch u.role {
	case Package:
		v.note(Install, val.show(), v.name)
	case Folder:
		at := v.locate(val, v.cwd)
		v.folders = append(v.folders, at.path)
		if at.zone != Tests && at.zone != Checks && at.path != v.at.Root {
			v.change(Writes, val)
		}
	case Method:
		v.requests(strings.ToUpper(val.text))
	case Object:
		return v.object(val)
	case Include:
		for _, one := range alternatives(val.text, mostBraces) {
			if at := v.locate(patterns(value{one, val.from}), v.cwd); at.zone == Secrets && !strings.HasPrefix(one, "!") {
				v.noteAt(at, Read, v.name)
			}
		}
	case Classes:
		v.built(val)
	case IntoDir:
		v.folders = append(v.folders, v.locate(val, v.cwd).path)
		v.change(Writes, val)
	case KubeKind, Variable:
		if tellsSecret(u) {
			v.note(Print, val.show(), v.name)
			return val.from | fromSecret
		}
	default:
	}
	return val.from
}

// tellsSecret reports that what is shown by its name is a secret.
func tellsSecret(u use) bool {
	if u.role == Variable {
		return secretVariable(u.value.text)
	}
	return speaks(u.value.text, "secret .Env .Config}") || u.value.holed()
}

// built notes that code runs which was built: here, or nobody knows where.
func (v *invocation) built(file value) {
	at := v.locate(file, v.cwd)
	if at.zone == Generated || at.zone.own() && strings.HasSuffix(at.path, "-wrapper.jar") {
		v.noteAt(at, Run, "")
		return
	}
	v.noteAt(at, Code, v.name)
}

// bind notes a folder of this machine that a container gets to see, as HOST:PLACE.
func (v *invocation) bind(val value) {
	host, _, ok := strings.Cut(val.text, ":")
	if !ok || host == "" || !strings.ContainsAny(host[:1], "/.~\x00") {
		return
	}
	at := v.locate(value{host, val.from}, v.cwd)
	v.noteAt(at, Mount, v.name)
}
