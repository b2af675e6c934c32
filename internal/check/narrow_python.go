package check

import (
	"path"
	"slices"
	"strings"
)

// pytestOptions are the options of pytest and its best-known plug-ins.
var pytestOptions = options{
	value: []string{"-c", "--config-file", "-o", "--override-ini", "-p", "-r", "-W", "--pythonwarnings", "-n", "--numprocesses",
		"--dist", "--maxfail", "--tb", "--rootdir", "--confcutdir", "--basetemp", "--junit-xml", "--junitxml", "--junit-prefix",
		"--junitprefix", "--color", "--import-mode", "--capture", "--durations", "--durations-min", "--log-level", "--log-file",
		"--log-cli-level", "--timeout", "--cov-report", "--cov-config", "--cov-fail-under", "--ignore", "--ignore-glob",
		"--show-capture", "--verbosity", "--assert", "--reruns", "-m", "-k", "--deselect", "--randomly-seed"},
	flag: []string{"-q", "-qq", "-v", "-vv", "-vvv", "-s", "-x", "-l", "-ra", "-rA", "-rf", "-rfE", "--quiet", "--verbose", "--exitfirst",
		"--showlocals", "--strict-markers", "--strict-config", "--strict", "--no-header", "--no-summary", "--disable-warnings",
		"--doctest-modules", "--runxfail", "--cache-clear", "--no-cov", "--full-trace", "--ff", "--nf", "--failed-first"},
	stop:  []string{"--pyargs", "--lf", "--last-failed", "--sw", "--stepwise", "--co", "--collect-only"},
	glued: true,
}

// narrowPytest selects node ids, files or folders.
func (c Check) narrowPytest(targets []Target) ([]string, bool) {
	n := slices.IndexFunc(c.Run, func(w string) bool { return slices.Contains([]string{"pytest", "py.test"}, path.Base(w)) })
	if n < 0 {
		return nil, false
	}
	l, ok := pytestOptions.take(c.Run[n+1:], "")
	if !ok {
		return nil, false
	}
	var nodes, files []string
	for _, t := range targets {
		ids := t.IDs
		if len(ids) == 0 {
			ids = []string{t.Path}
		}
		for _, id := range ids {
			node, ok := c.nodeID(t, id)
			if !ok || !within(l.pos, node) {
				return nil, false
			}
			file, _, _ := strings.Cut(node, "::")
			nodes, files = append(nodes, node), append(files, file)
		}
	}
	if nodes = unique(nodes); !fits(nodes) {
		if nodes = unique(files); !fits(nodes) {
			return nil, false
		}
	}
	return l.join(slices.Clone(c.Run[:n+1]), nodes), true
}

// nodeID is a test's id as a node id from the check's folder. A dotted name is one too when its file is known.
func (c Check) nodeID(t Target, id string) (string, bool) {
	file, rest, ok := strings.Cut(id, "::")
	switch {
	case ok:
		rest = "::" + rest
	case id != t.Path: // a dotted name
		if !strings.HasSuffix(t.Path, ".py") {
			return "", false
		}
		stem := path.Base(strings.TrimSuffix(t.Path, ".py"))
		_, after, found := strings.Cut("."+id, "."+stem+".")
		if !found {
			return "", false
		}
		file, rest = t.Path, "::"+strings.ReplaceAll(after, ".", "::")
	}
	if file == "" || strings.HasPrefix(file, "-") {
		return "", false
	}
	file, ok = c.fromDir(file)
	return file + rest, ok
}

// within reports whether a node id lies in what the check selects already; nothing selected is everything.
func within(selected []string, node string) bool {
	return len(selected) == 0 || slices.ContainsFunc(selected, func(s string) bool {
		s = path.Clean(s)
		return s == "." || node == s || strings.HasPrefix(node, s+"/") || strings.HasPrefix(node, s+"::")
	})
}

var unittestOptions = options{
	value: []string{"-s", "--start-directory", "-t", "--top-level-directory", "-p", "--pattern", "--durations"},
	flag:  []string{"-v", "-q", "-f", "-c", "-b", "--verbose", "--quiet", "--failfast", "--catch", "--buffer", "--locals"},
	stop:  []string{"-k"},
}

// narrowUnittest selects tests by their dotted names: as arguments, or, where a discovery from another folder finds them,
// as the end of the whole name by -k.
func (c Check) narrowUnittest(targets []Target) ([]string, bool) {
	n := slices.Index(c.Run, "unittest")
	if n < 1 || c.Run[n-1] != "-m" {
		return nil, false
	}
	l, ok := unittestOptions.take(c.Run[n+1:], "")
	if !ok || len(l.pos) > 1 || len(l.pos) == 1 && l.pos[0] != "discover" {
		return nil, false
	}
	opts := slices.Concat(l.head, l.mid)
	elsewhere := slices.ContainsFunc(opts, func(o string) bool {
		o, _, _ = strings.Cut(o, "=")
		return slices.Contains([]string{"-s", "--start-directory", "-t", "--top-level-directory", "-p", "--pattern"}, o)
	})
	for _, t := range targets { // a folder can only be discovered
		elsewhere = elsewhere || len(t.IDs) == 0 && !strings.HasSuffix(t.Path, ".py")
	}
	start := startDir(opts)
	var names []string
	for _, t := range targets {
		more, ok := c.dotted(t, start)
		if !ok {
			return nil, false
		}
		for _, name := range more {
			whole := len(t.IDs) == 0
			switch {
			case !elsewhere:
				names = append(names, name)
			case whole:
				names = append(names, "-k", name+".*")
			default:
				names = append(names, "-k", "*"+name)
			}
		}
	}
	if !fits(names) {
		return nil, false
	}
	program := slices.Clone(c.Run[:n+1])
	if elsewhere {
		return slices.Concat(program, []string{"discover"}, opts, names), true
	}
	return slices.Concat(program, opts, names), true
}

// startDir is the folder in which unittest's discovery begins, from the check's own: names begin below it, unless
// another top-level folder is given.
func startDir(opts []string) string {
	start, top := ".", ""
	for i, o := range opts {
		name, value, inline := strings.Cut(o, "=")
		if !inline && i+1 < len(opts) {
			value = opts[i+1]
		}
		switch name {
		case "-s", "--start-directory":
			start = value
		case "-t", "--top-level-directory":
			top = value
		}
	}
	if top != "" {
		start = top
	}
	return path.Clean(start)
}

// dotted are a target's tests as unittest names them.
func (c Check) dotted(t Target, start string) ([]string, bool) {
	if len(t.IDs) == 0 {
		name, ok := c.module(t.Path, start)
		return []string{name}, ok
	}
	var names []string
	for _, id := range t.IDs {
		if file, rest, ok := strings.Cut(id, "::"); ok {
			module, ok := c.module(file, start)
			if !ok {
				return nil, false
			}
			id = module + "." + strings.ReplaceAll(rest, "::", ".")
		}
		if id == "" || !dottedName.MatchString(id) {
			return nil, false
		}
		names = append(names, id)
	}
	return names, true
}

// module is the dotted name of a Python file or folder, seen from where discovery starts.
func (c Check) module(file, start string) (string, bool) {
	p, ok := c.fromDir(file)
	if ok && start != "." {
		p, ok = strings.CutPrefix(p, start+"/")
	}
	name := strings.ReplaceAll(strings.TrimSuffix(p, ".py"), "/", ".")
	return name, ok && name != "" && name != "." && !strings.HasPrefix(name, "-")
}
