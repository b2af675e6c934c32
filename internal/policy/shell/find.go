package shell

import (
	"slices"
	"strings"
)

// find is find: what it deletes and runs, for what its tests before that let through.
func find(v *invocation, args []value) (value, bool) {
	var paths []value
	i, follows := 0, contains(args, "-follow")
	for ; i < len(args); i++ {
		a := args[i].text
		follows = follows || a == "-L"
		if a == "-H" || a == "-L" || a == "-P" || strings.HasPrefix(a, "-O") {
			continue
		}
		if a == "-D" {
			i++
			continue
		}
		if a != "" && strings.ContainsRune("-(!,", rune(a[0])) {
			break
		}
		paths = append(paths, args[i])
	}
	if paths == nil {
		paths = []value{known(".")}
	}
	f := finder{invocation: v, paths: paths}
	for _, p := range paths {
		at := v.locate(p, v.cwd)
		v.noteAt(at, Read, "find")
	}
	noted := len(v.facts)
	for i < len(args) {
		f.narrow = f.narrow || !oneWord(allFiles, args[i].text)
		i = f.predicate(args, i)
	}
	if follows {
		v.leadOut(noted)
	}
	return f.output(), true
}

// leadOut notes that what is deleted or emptied may lie behind a link, wherever that leads.
func (s *shell) leadOut(since int) {
	for _, f := range slices.Clone(s.facts[since:]) {
		if (f.Kind == Delete || f.Kind == Empty) && f.Zone.own() && f.Is(Vague) {
			s.fact(Fact{Kind: f.Kind, Target: f.Target, Zone: Anywhere, Traits: []Trait{Vague}, By: f.By})
		}
	}
}

// output is what find prints: names of which it may be known where the files lie, or that they may be those of secrets.
func (f *finder) output() value {
	from := f.in.from
	if f.secrets {
		from |= toSecret
	}
	for _, p := range f.found() {
		if f.locate(p, f.cwd).zone == Secrets {
			from |= toSecret
		}
	}
	for _, p := range f.paths {
		from |= f.outOf(f.locate(p, f.cwd))
	}
	if at, ok := f.vital(f.paths); ok && f.everything() && (!at.in || !f.narrow) {
		if !at.in && at.zone == Above {
			from |= toSecret
		}
		if !f.prints {
			return f.listedAll(at, from)
		}
	}
	if from&toSecret == 0 && !f.loose && !f.prints && f.whole == nil {
		suffix := ending(f.name)
		if f.remade() {
			suffix = "/" + f.name
		}
		return f.listed(f.paths, suffix, from)
	}
	return unknown(from)
}

// remade reports that everything found has one name, and one of what a build makes again: __pycache__.
func (f *finder) remade() bool {
	return remade(f.name)
}

// remade reports a name of what a build makes again, wherever in a project it lies.
func remade(name string) bool {
	return name != "" && !strings.ContainsAny(name, marks+"/*?[") && projectZone(string(hole)+"/"+name) == Generated
}

// named takes a test of a file's name.
func (f *finder) named(name value) {
	if at := f.locate(name, known("/-")); at.zone == Secrets {
		f.secrets = true
	}
	if !f.loose {
		f.name = name.text
	}
}

// everything reports that no name is asked for.
func (f *finder) everything() bool {
	return len(strings.Trim(f.name, marks)) < 2 && f.whole == nil
}

// regexName is what a regular expression says of the last name of a path, as a pattern.
func regexName(text string) string {
	text = text[strings.LastIndexByte(text, '/')+1:]
	return strings.NewReplacer(".*", "\x01", ".+", "\x01", "\\.", ".", "$", "", ".", "\x02").Replace(text)
}

// finder is one run of find.
type finder struct {
	*invocation
	paths   []value
	whole   []value // paths, or patterns of them, that a test names
	name    string  // a name that everything found has; empty if anything may be found
	secrets bool    // one of the names is a secret's
	prints  bool    // something else than names
	negated bool    // the next test is one that is not to hold
	narrow  bool    // there is a test by which not all files may be found
	loose   bool    // there is an or, or a not: a name before it does not count for all
}

// allFiles are find's tests and actions that all files pass.
const allFiles = " -type -print -print0 -maxdepth -mindepth -depth -d -follow -mount -xdev -noleaf "

// predicate reads one test or action, and returns where the next begins.
func (f *finder) predicate(args []value, i int) int {
	next := value{}
	if i+1 < len(args) {
		next = args[i+1]
	}
	negated := f.negated
	f.negated = false
	switch args[i].text {
	case "!", "-not":
		if next.text != "(" && next.text != "!" && next.text != "-not" {
			f.negated = true
			return i + 1
		}
		f.loose, f.name, f.whole = true, "", nil
	case "-printf":
		f.printing(printsPaths(next.text))
		return i + 2
	case "-ls":
		f.prints = true
	case "-o", "-or", ",":
		f.loose, f.name, f.whole = true, "", nil
	case "-name", "-iname", "-samefile", "-regex", "-iregex", "-path", "-ipath", "-wholename", "-iwholename":
		if !negated {
			f.called(args[i].text, next)
		}
		return i + 2
	case "-type":
		f.narrow = f.narrow || next.text != "f"
		return i + 2
	case "-xtype", "-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-newer", "-size",
		"-user", "-group", "-perm", "-maxdepth", "-mindepth", "-links", "-inum", "-fstype", "-uid", "-gid", "-lname", "-ilname", "-regextype", "-newermt", "-newerct":
		return i + 2
	case "-delete":
		for _, p := range f.found() {
			at := f.locate(p, f.cwd)
			f.noteAt(at, Delete, "find", Recursive)
		}
	case "-exec", "-execdir", "-ok", "-okdir":
		f.printing(next.text == "echo")
		return f.exec(args, i+1)
	case "-fprint", "-fprint0", "-fls":
		f.writeFile(next, "find")
		return i + 2
	case "-fprintf":
		f.writeFile(next, "find")
		return i + 3
	case "-files0-from":
		f.readFile(next, "find")
		return i + 2
	}
	return i + 1
}

// printing notes an action that prints names, or something else.
func (f *finder) printing(names bool) { f.prints = f.prints || !names }

// printsPaths reports a format that prints the path of each file, and beside it nothing that would make another path of it.
func printsPaths(format string) bool {
	before, after, ok := strings.Cut(strings.ReplaceAll(format, "%h/%f", "%p"), "%p")
	return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], " \t")) && (after == "" || strings.ContainsAny(after[:1], " \t\\\n"))
}

// called takes a test of what a file is called.
func (f *finder) called(test string, what value) {
	switch test {
	case "-name", "-iname":
		f.named(patterns(what))
	case "-regex", "-iregex":
		f.named(known(regexName(what.text)))
	case "-samefile":
		f.whole = append(f.whole, what)
	default:
		if !f.loose {
			f.whole = append(f.whole, patterns(what))
		}
	}
}

// found are the paths that an action is applied to.
func (f *finder) found() []value {
	if f.name == "" {
		return append(slices.Clip(f.paths), f.whole...)
	}
	out := slices.Clone(f.whole)
	for _, p := range f.paths {
		out = append(out, p.plus(known("/"+string(hole)+"/"+f.name)))
	}
	return out
}

// exec runs a command for everything found.
func (f *finder) exec(args []value, i int) int {
	j := i
	for j < len(args) && args[j].text != ";" && (args[j].text != "+" || j == i || args[j-1].text != "{}") {
		j++
	}
	for _, p := range f.found() {
		if at := f.locate(p, f.cwd); at.zone == Above && !at.in && f.everything() {
			for _, name := range []string{"cat", "grep", "head", "tail", "cp", "sha256sum", "md5sum", "strings", "sed", "awk", "base64", "xxd", "tar", "zip", "od", "less", "more"} {
				if i < len(args) && args[i].text == name {
					f.noteAt(at, Read, name, Recursive)
				}
			}
		}
		argv := slices.Clone(args[i:min(j, len(args))])
		for k := range argv {
			if strings.Contains(argv[k].text, "{}") {
				argv[k] = value{strings.ReplaceAll(argv[k].text, "{}", p.text), argv[k].from | p.from}
			}
		}
		f.fork().run(argv)
	}
	return j + 1
}

// xargs runs a command with what it reads from standard input.
func xargs(v *invocation, _ []value) (value, bool) {
	v.bombs()
	argv := slices.Clone(v.rest)
	in := v.in
	for _, name := range v.valuesOf(Reads) {
		in = v.readFile(name, v.name)
	}
	if len(argv) == 0 {
		return in, true
	}
	holder := ""
	for _, text := range v.valuesOf(Placeholder) {
		if holder = text.text; holder == "" {
			holder = "{}"
		}
	}
	sub := v.fork()
	if sub.in = anything; !contains(argv, "-c") { // a shell that is given its commands is looked at as if it could read more
		sub.in = value{}
	}
	batches := v.batchesOf(in)
	var out value
	if holder == "" {
		for _, items := range batches {
			out = out.plus(sub.run(append(slices.Clip(argv), items...)))
		}
		return out, true
	}
	items := slices.Concat(batches...)
	if len(items) == 0 {
		items = []value{{}}
	}
	for _, item := range items {
		with := slices.Clone(argv)
		for k := range with {
			with[k] = value{strings.ReplaceAll(with[k].text, holder, item.text), with[k].from | item.from}
		}
		out = out.plus(sub.run(with))
	}
	return out, true
}

// batchesOf are the arguments that each run of xargs' command is given, of what it reads. Where each run is given a few only, the first of them may be a
// script in any run.
func (v *invocation) batchesOf(in value) (out [][]value) {
	text, ok := in.exact()
	if !ok {
		if strings.Count(in.text, string(hole)) == 1 && in.text[0] == '/' && !strings.ContainsAny(in.text, " \t\n\"'\\") { // names below a folder
			return [][]value{{in}}
		}
		in.text = strings.TrimSuffix(in.text, "\n")
		out = [][]value{{in.namesOrUnknown()}}
		if in.from&controls == 0 || !v.given(Divider) {
			return out
		}
	}
	var items []value
	for _, w := range v.divided(text) {
		items = append(items, value{w, in.from &^ controls})
	}
	each := 0 // as many as there are
	for _, n := range v.valuesOf(Each) {
		each = max(1, atoi(n.text, 1))
	}
	if each == 0 || len(items) <= each {
		return append(out, items)
	}
	return slices.AppendSeq(out, slices.Chunk(items, max(each, len(items)/mostBatches+1)))
}

// divided is what xargs makes of a text that it reads: words, lines, or what stands between the characters that it is told.
func (v *invocation) divided(text string) []string {
	dividers := v.valuesOf(Divider)
	switch {
	case len(dividers) > 0:
		return dividedAt(text, dividers[len(dividers)-1].text)
	case v.has("lines") || v.given(Placeholder):
		return quotedLines(text)
	}
	return quotedWords(text)
}

// dividedAt is a text divided at one character, neither blanks nor quotation marks being more than that; at NUL where none is named. A line break at the end is
// left out, as where nobody has thought of it.
func dividedAt(text, at string) []string {
	if at = ansi(at); at == "" {
		at = "\x00"
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSuffix(text, "\n"), at), func(w string) bool { return w == "" })
}

// quotedLines are the lines of a text as xargs hands them on one by one.
func quotedLines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if w := quotedWords(line); len(w) > 0 {
			out = append(out, strings.Join(w, " "))
		}
	}
	return out
}

// mostBatches is how many runs of xargs' command are looked at.
const mostBatches = 32

// quotedWords divides a text as xargs does: at blanks, with quotation marks and backslashes.
func quotedWords(text string) []string {
	var out []string
	var word strings.Builder
	some, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteByte(c)
			}
		case c == '\'' || c == '"':
			quote, some = c, true
		case c == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			some = true
		case strings.IndexByte(" \t\n", c) >= 0:
			if some {
				out = append(out, word.String())
			}
			word.Reset()
			some = false
		default:
			word.WriteByte(c)
			some = true
		}
	}
	if some {
		out = append(out, word.String())
	}
	return out
}

// parallel runs a shell command for every argument behind ":::", or for every line.
func parallel(v *invocation, _ []value) (value, bool) {
	v.bombs()
	v.apply()
	command := v.rest
	items := []value{v.in.namesOrUnknown()}
	if text, ok := v.in.exact(); ok && text != "" {
		items = nil
		for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
			items = append(items, value{line, v.in.from})
		}
	}
	for i, a := range v.rest {
		if strings.HasPrefix(a.text, ":::") {
			command, items = v.rest[:i], v.rest[i+1:]
			break
		}
	}
	base := words(command)
	for _, item := range items {
		// An item is one argument, whatever is in it; where there is no command, it is the command.
		if base.empty() {
			v.starts(item)
			continue
		}
		quoted := item.text
		if !item.holed() {
			quoted = Quote(item.text)
		}
		line := value{strings.ReplaceAll(base.text, "{}", quoted), base.from | item.from}
		if len(command) > 1 && slices.ContainsFunc(command[1:], func(w value) bool { return strings.Contains(w.text, " ") }) { // another program of that name takes each word as it is
			with := slices.Clone(command)
			for k := range with {
				with[k] = value{strings.ReplaceAll(with[k].text, "{}", item.text), with[k].from | item.from}
			}
			v.run(with)
		}
		if line.text == base.text {
			line = base.plus(value{" " + quoted, item.from})
		}
		v.starts(line)
		if strings.Contains(base.text, "{}") { // within quotation marks it is a part of a text
			v.starts(value{strings.ReplaceAll(base.text, "{}", item.text), base.from | item.from})
		}
	}
	return anything, true
}
