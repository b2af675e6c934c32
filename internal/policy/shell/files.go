package shell

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// readFile notes that a file is read, and is what it holds.
func (s *shell) readFile(name value, by string, traits ...Trait) value {
	if name.text == "-" || standardInput(name.text) {
		return s.in
	}
	at := s.locate(name, s.cwd)
	if texts, ok := s.holds(at); ok && !at.several() { // else it may be one that was there before
		return s.choose(texts)
	}
	if at.zone == Network {
		s.note(Fetch, at.path, by)
		return unknown(fromNetwork)
	}
	s.noteAt(at, Read, by, traits...)
	if slices.Contains(traits, Recursive) && s.keepsSecrets(at) {
		s.fact(Fact{Kind: Read, Target: at.path, Zone: Secrets, Traits: []Trait{Vague}, By: by})
		return unknown(fromFile | fromSecret)
	}
	if name.from&toSecret != 0 && at.zone != Secrets {
		s.fact(Fact{Kind: Read, Target: at.path, Zone: Secrets, Traits: []Trait{Vague}, By: by})
		return unknown(fromFile | fromSecret)
	}
	if at.zone == Scratch && named(at.path) { // whether it is a copy of one cannot be known
		s.note(Print, at.path, by)
		return unknown(fromFile | fromSecret)
	}
	text := s.content(at)
	if slices.Contains(traits, Recursive) && s.keepsHome(at) {
		text.from |= fromSecret
	}
	return text
}

// named reports a path below a folder for temporary files that is called as secrets are.
func named(path string) bool {
	_, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return ruleZone(plain(rest)) == Secrets || mayBeSecret(rest)
}

// editors are the special handlers of programs that write into files only to change them in place.
var editors = []string{"sed", "awk", "perl"}

// changed notes that the command has changed, by a pattern, what it now runs: the project's code is another.
func (s *shell) changed(at located) {
	if slices.ContainsFunc(s.edited, func(pattern string) bool { return match(pattern, at.path) }) {
		s.note(Code, at.path, "")
	}
}

// pattern is a path that is known in part as what other paths fit.
func (l located) pattern() string {
	return strings.ReplaceAll(globbed.Replace(l.path), "…", string(hole))
}

// standardInput reports a name of what is piped in.
func standardInput(path string) bool {
	return path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0"
}

// holds is what the command itself has written into a file, or into those that a pattern may stand for.
func (s *shell) holds(at located) ([]value, bool) {
	if texts, ok := s.written[at.path]; ok {
		return texts, true
	}
	if fd, ok := strings.CutPrefix(at.path, "/dev/fd/"); ok {
		v, open := s.files.get(fd)
		return []value{v}, open
	}
	if !at.several() || len(s.written) == 0 {
		return nil, false
	}
	var out []value
	pattern := at.pattern()
	for _, path := range s.writtenWhere(func(path string) bool { return match(pattern, path) }) {
		for _, text := range s.written[path] {
			out = add(out, text)
		}
	}
	s.several = s.several || len(out) > 1
	return out, out != nil
}

// writtenWhere are paths that the command has written to, sorted. There may be many, and few that are asked for.
func (s *shell) writtenWhere(wanted func(path string) bool) (paths []string) {
	for path := range s.written {
		if wanted(path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// linked makes what was written below one path be found below another.
func (s *shell) linked(from, to located) {
	if from.several() || to.several() {
		return
	}
	const most, longest = 256, 1024 // what is copied into itself grows
	for path, texts := range maps.Clone(s.written) {
		if len(s.written) >= most || len(to.path)+len(path) > longest || !s.step() {
			return
		}
		rest, below := within(from.path, path)
		if path != from.path && !below {
			continue
		}
		name := to.path
		if below {
			name += "/" + rest
		}
		for _, text := range texts {
			s.written[name] = add(slices.Clip(s.written[name]), text)
		}
	}
}

// content is what a file holds: what this command has written into it, or anything.
func (s *shell) content(at located) value {
	other := unknown(fromFile)
	if oneWord(flows, at.path) {
		other.from |= unending | flowing
	}
	if at.zone == Secrets {
		other.from |= fromSecret
	}
	texts, ok := s.holds(at)
	switch {
	case ok && at.several(): // cat *.sh gives more than what was written into one of them
		s.several = true
		return s.choose(add(slices.Clip(texts), other))
	case ok:
		return s.choose(texts)
	case at.path == "/dev/null":
		return value{}
	}
	return other
}

// writeFile notes that a file is written, and says where it lies.
func (s *shell) writeFile(name value, by string) located {
	at := s.locate(name, s.cwd)
	if at.zone == Network {
		s.note(Send, at.path, by)
	} else if at.zone != Nowhere {
		s.noteAt(at, Write, by)
	}
	return at
}

// remember keeps what was written into a file. Whether that was the last to be written is not asked: the file may hold it.
func (s *shell) remember(at located, text value, keep bool) {
	if at.zone == Nowhere || at.zone == Network || at.zone == Anywhere || at.several() {
		return
	}
	if text.from&flowing != 0 {
		s.note(Bomb, at.path, "")
		text.from &^= flowing
	}
	if s.written == nil {
		s.written = map[string][]value{}
	}
	texts, ok := s.written[at.path]
	switch {
	case keep && !ok:
		texts = []value{unknown(fromFile | text.from)}
	case keep && text.empty():
	case keep:
		was := texts
		texts = nil
		for _, t := range was {
			if !t.empty() && !strings.HasSuffix(t.text, "\n") { // what is added may not be, and changes the last line
				texts = add(texts, t)
			}
			texts = add(texts, t.plus(text))
			s.spend((len(t.text) + len(text.text)) / 1024) // a file may be added to itself
		}
	default:
		texts = add(slices.Clip(texts), text)
	}
	s.written[at.path] = texts
	s.several = s.several || len(texts) > 1
}

// add adds a text to those that a file may hold. Of too many, some are not known.
func add(texts []value, text value) []value {
	const most = 6
	if len(text.text) > maxText {
		text = unknown(text.from)
	}
	switch {
	case slices.Contains(texts, text):
		return texts
	case len(texts) == most:
		return append(texts, unknown(text.from))
	case len(texts) > most:
		last := &texts[most]
		*last = value{last.text, last.from | text.from}
		return texts
	case len(texts) == 1 && texts[0].empty(): // the file was opened before it was written
		return []value{text}
	}
	return append(texts, text)
}

// pseudoFile is the name of a file that holds a text, as <( ) gives one.
func (s *shell) pseudoFile(texts []value) value {
	name := "/dev/fd/" + strconv.Itoa(63+len(s.written))
	if s.written == nil {
		s.written = map[string][]value{}
	}
	s.written[name] = texts
	var from taint
	for _, t := range texts {
		from |= t.from
	}
	s.several = s.several || len(texts) > 1
	return value{name, from &^ fromFile}
}

// runFile runs a file of code.
func (s *shell) runFile(name value, language string, args []value) value {
	if name.text == "-" {
		return s.code(language, s.in, args)
	}
	at := s.completed(s.locate(name, s.cwd), language)
	language = languageIn(language, "", at.path)
	defer func(was string) { s.source = was }(s.source)
	s.source = at.path
	var said value
	if texts, ok := s.holds(at); ok {
		said = s.codes(texts, func(text value) value { return s.code(language, text, args) })
		if !at.several() {
			return said
		}
	}
	if standardInput(at.path) {
		return s.code(language, s.in, args)
	}
	if at.zone.own() {
		s.changed(at)
		s.unread(at, language, args)
		s.noteAt(at, Run, "")
		if p := s.policy.program("script:" + baseName(at.path)); p != nil { // a framework's own, which every project of it has
			return s.apply(p, baseName(at.path), args)
		}
	} else if !s.drafted(at, language, args) {
		kind := Code
		if language == "sh" && s.setsUp(at) {
			kind = Run
		}
		s.noteAt(at, kind, "")
	}
	return unknown(said.from | s.taints(args))
}

// completed is a file of JavaScript that is named without its ending, where this command or an agent has written it.
func (s *shell) completed(at located, language string) located {
	if language != "javascript" || at.several() || codeOf(at.path) != "" {
		return at
	}
	for _, ending := range endings {
		one := at
		one.path += ending
		if _, ok := s.written[one.path]; ok {
			return one
		}
		if s.at.Script != nil {
			if _, ok := s.at.Script(one.path); ok {
				return one
			}
		}
	}
	return at
}

// unread judges a file of the project that only an agent has read, as code in the language, or in the one that its first line names. Only what
// is denied counts: the rest is the project's code, as any other.
func (s *shell) unread(at located, language string, args []value) {
	if s.at.Script == nil {
		return
	}
	text, ok := s.at.Script(at.path)
	if !ok {
		return
	}
	if len(text) > maxText {
		s.opaque("what the agent has written into " + at.path + " is" + tooLong)
		return
	}
	if language = languageIn(language, text, at.path); !understood(language) {
		if language != "foreign" || speaks(text, foreignHarm) {
			s.noteAt(at, Code, "")
		}
		return
	}
	s.once(at.path, language, args, func() { s.strictly(func() { s.reading(at.path).code(language, known(text), args) }) })
}

// draft is what a file below a folder for temporary files holds that only an agent has read, and its language, if it can be read.
func (s *shell) draft(at located, language string) (text, understands string, ok bool) {
	if at.zone != Scratch || at.several() || s.at.Script == nil {
		return "", "", false
	}
	text, ok = s.at.Script(at.path)
	language = languageIn(language, text, at.path)
	return text, language, ok && len(text) <= maxText && understood(language) && !strings.Contains(text, "\x00")
}

// drafted judges such a file as if the command had its text in itself: it is nobody's project, in which code may do what it likes.
func (s *shell) drafted(at located, language string, args []value) bool {
	text, language, ok := s.draft(at, language)
	if ok {
		s.changed(at)
		s.noteAt(at, Run, "")
		s.reading(at.path).code(language, known(text), args)
	}
	return ok
}

// codeIn is code in a language, or in the one that its first line names.
func (s *shell) codeIn(language string, text value, args []value) {
	if language == "" {
		s.shebang(text, args)
	} else {
		s.code(language, text, args)
	}
}

// surely is strictly where only that counts of which it is known what it is about: the file is the project's, and may do what it likes to it.
func (s *shell) surely(interpret func()) {
	s.omitting(func(f *Fact) bool { return f.Is(Vague) && !f.Is(Guessed) }, func() { s.strictly(interpret) })
}

// justWritten judges the code that this command has written into files of the project, where a program runs that may run them.
func (s *shell) justWritten() {
	for _, path := range s.writtenWhere(func(path string) bool { return languageByEnding(path) != "" && s.zoneOf(path).own() }) {
		language := languageByEnding(path)
		for _, text := range s.written[path] {
			if src, ok := text.exact(); ok && !s.weighed[src] && s.spend(len(src)/64) {
				if s.weighed == nil {
					s.weighed = map[string]bool{}
				}
				s.weighed[src] = true
				if languageNamed(language).compiled() {
					s.knowing(language, []value{text})
				} else {
					s.surely(func() { s.fork().code(language, text, nil) })
				}
			}
		}
	}
}

// strictly interprets something of which only that counts what is denied, what cannot be read, and what a home would lose.
func (s *shell) strictly(interpret func()) {
	s.omitting(func(f *Fact) bool { return !f.unreadable() && !f.loses() && s.overlooks(f) }, interpret)
	if s.steps >= maxSteps { // nothing that follows is read any more
		s.opaque(tooMuch)
	}
}

// overlooks reports a fact that would not be denied, and tells whoever wants to know of one that would be asked about. Code takes the whole environment mostly to
// start something in it, and shows none of it.
func (s *shell) overlooks(f *Fact) bool {
	d := s.policy.ruleFor(f).Decision
	if d == Ask && s.at.Overlooked != nil && (f.Kind != Print || languageNamed(f.By) == nil) {
		s.at.Overlooked(f)
	}
	return d < Deny
}

// loses is that something is lost, or may be, which nobody can get again: in a home, or work that is not committed.
func (f *Fact) loses() bool {
	return f.Is(Guessed) || (f.Kind == Delete || f.Kind == Empty) && f.Zone == Home
}

// omitting interprets something, and leaves some of the facts out that come of it.
func (s *shell) omitting(these func(*Fact) bool, interpret func()) {
	kept := len(s.facts)
	interpret()
	for i := kept; i < len(s.facts); i++ {
		if !these(&s.facts[i]) {
			s.facts[kept] = s.facts[i]
			kept++
		}
	}
	clear(s.facts[kept:])
	s.facts = s.facts[:kept]
}

// codes runs every text that a file may hold.
func (s *shell) codes(texts []value, run func(value) value) value {
	var out []value
	for _, text := range texts {
		if s.running[text.text] >= unrolled {
			s.opaque("a file runs itself")
			out = append(out, unknown(text.from))
			continue
		}
		if s.running == nil {
			s.running = map[string]int{}
		}
		s.running[text.text]++
		v := run(text)
		s.running[text.text]--
		out = append(out, s.outcomes(v)...)
		s.also = nil
	}
	return s.hear(out)
}

// resolved is a folder as an absolute path, if it is known.
func (s *shell) resolved(dir value) value { return seenFrom(s.cwd, dir) }

// seenFrom is a path as it is meant by who works in a folder.
func seenFrom(cwd, path value) value {
	if strings.HasPrefix(path.text, "/") || path.text == "" {
		return path
	}
	if !strings.HasPrefix(cwd.text, "/") {
		return anything
	}
	return cwd.plus(known("/")).plus(path)
}

// cutAny divides a text at the first of some characters.
func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
