package shell

import (
	slashpath "path"
	"strings"
)

// located is a path, resolved.
type located struct {
	zone Zone
	path string // absolute, for people; as it was written if it is not known where it lies
	glob bool
	part bool   // known in part only
	in   bool   // it lies in the project
	rel  string // as it is seen from the project, if it lies there
	all  bool   // it stands for all files of a folder that nobody can do without: where they are deleted, the folder is
	lot  bool   // … of a folder in a home
	home bool   // it may be one of a home's
}

// several reports a path that may stand for more files than those that the command is known to have written.
func (l located) several() bool { return l.glob || l.part }

// locate says where a path lies that is used in the folder cwd.
func (r *reader) locate(p, cwd value) located {
	text := p.text
	if !strings.HasPrefix(text, "/") {
		text = cwd.text + "/" + text
	}
	at := located{glob: p.globbed(), part: strings.ContainsRune(text, hole)}
	if !strings.HasPrefix(text, "/") {
		at.zone, at.path = Anywhere, p.show()
		return at
	}
	if net := strings.HasPrefix(text, "/dev/tcp/") || strings.HasPrefix(text, "/dev/udp/"); net {
		at.zone, at.path = Network, value{text: text}.show()
		return at
	}
	text = slashpath.Clean(text)
	text = r.followed(text)
	at.path = wholePath(text)
	if at.part && r.emptied(p, cwd) == Secrets {
		at.zone = Secrets
		_, at.in = within(r.at.Root, text)
		return at
	}
	at.all, at.lot = r.listsAll(p.from, text)
	mixed := p.from&allNames != 0 && strings.HasPrefix(text, r.at.Root+"/"+string(hole)) // there is also what steers agents, CI or checks
	if at.all || mixed || strings.HasPrefix(p.text, string(hole)) {
		at.leadsAnywhere(r.at.Home, p.from|r.inHome(cwd)) // it may be absolute
		return at
	}
	if i := strings.IndexByte(text, hole); i >= 0 {
		// What follows may lead anywhere above: only the folder before it is known, and of that only if nothing leads out.
		dir := text[:strings.LastIndexByte(text[:i], '/')+1]
		if dir == "/" || strings.Contains(text[i:], "..") {
			at.leadsAnywhere(r.at.Home, p.from)
			return at
		}
	}
	at.zone = r.zoneOf(text)
	at.rel, at.in = within(r.at.Root, text)
	at.in = at.in || text == r.at.Root
	return at
}

// followed is a path with the links in it followed, as far as it is known.
func (r *reader) followed(text string) string {
	if r.at.Resolve == nil {
		return text
	}
	end := strings.IndexAny(text, marks)
	if end < 0 {
		return slashpath.Clean(r.at.Resolve(text))
	}
	if end = strings.LastIndexByte(text[:end], '/'); end <= 0 {
		return text
	}
	return slashpath.Clean(r.at.Resolve(text[:end])) + text[end:]
}

// inHome are the taints of a name in the folder where it is used.
func (r *reader) inHome(cwd value) taint {
	if zone := r.zoneOf(cwd.text); cwd.holed() || cwd.text == r.at.Root || zone != Home && zone != Above {
		return 0
	}
	return r.outOf(located{path: cwd.text})
}

// leadsAnywhere makes it a path of which it is not known where it leads. It may be one of a home's, by where it came from.
func (l *located) leadsAnywhere(home string, from taint) {
	l.zone = Anywhere
	if l.home = from&fromHome != 0 && !l.all; l.home {
		l.path = home + "/…"
	}
}

// listsAll reports the path of all that is listed of a folder that nobody can do without, or of one in a home.
func (r *reader) listsAll(from taint, path string) (all, lot bool) {
	folder, whole := strings.CutSuffix(path, "/"+string(hole))
	if !whole || from&allNames == 0 {
		return false, false
	}
	if folder == "" {
		return true, false
	}
	zone := r.zoneOf(folder)
	return zone == Above, zone == Home && !strings.Contains(folder, "/.") // what is hidden are caches, mostly
}

// longestPath is how many bytes a path has at most that Linux takes.
const longestPath = 4096

// wholePath is a path by which its file is found, with what is not known of it as people see it.
func wholePath(text string) string {
	if len(text) > longestPath {
		return value{text: text}.show() // there is no such file
	}
	return shown.Replace(text)
}

// emptied is the zone of a path if what is not known in it is nothing at all, as a variable that nobody has set.
func (r *reader) emptied(p, cwd value) Zone {
	text := strings.ReplaceAll(p.text, string(hole), "")
	if !strings.HasPrefix(text, "/") {
		text = cwd.text + "/" + text
	}
	if text = slashpath.Clean(text); !strings.HasPrefix(text, "/") || strings.ContainsRune(text, hole) {
		return Anywhere
	}
	return r.zoneOf(text)
}
