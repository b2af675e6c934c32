package shell

import (
	"encoding/base64"
	"encoding/hex"
	slashpath "path"
	"slices"
	"strings"
)

// textSpecials are programs that read text.
func textSpecials(name string) special {
	switch name {
	case "text", "base64", "rev", "tr", "xxd", "tee":
		return textTools(name)
	case "pager":
		return pager
	case "lists":
		return lists
	case "pattern":
		return pattern
	case "paths":
		return takesApart
	case "yq":
		return editsYAML
	case "where":
		return func(v *invocation, _ []value) (value, bool) { return v.whereIs(v.operands), true }
	}
	return nil
}

// takesApart is dirname, or says where a path leads, of one that is known.
func takesApart(v *invocation, args []value) (value, bool) {
	path, ok := words(v.operands).exact()
	switch {
	case !ok || len(v.operands) != 1 || len(args) > 2:
		return value{}, false
	case v.name == "dirname":
		path = slashpath.Dir(strings.TrimRight(path, "/"))
	case v.name == "realpath" && len(args) == 1 || args[0].text == "-f":
		path = v.locate(known(path), v.cwd).path
	default:
		return value{}, false
	}
	return value{path + "\n", v.output()}, true
}

// textTools are programs whose output can be computed from their input.
func textTools(name string) special {
	return func(v *invocation, args []value) (value, bool) {
		if v.dry {
			return anything, true
		}
		in := v.input(name)
		switch name {
		case "base64":
			return v.unbase(in), true
		case "rev":
			return reverse(in), true
		case "tr":
			return v.translate(in), true
		case "xxd":
			return v.unhex(in), true
		case "tee":
			for _, u := range v.uses {
				if u.role == Writes {
					v.remember(v.writeFile(u.value, v.name), in, v.has("append"))
				}
			}
			return in, true
		}
		if v.passes(in) {
			return in, true
		}
		if text, ok := in.exact(); ok && (text == "" || (v.name == "head" || v.name == "tail") && strings.Count(text, "\n") <= 1 && len(args) == 0) {
			return in, true
		}
		if v.name == "head" {
			in.from &^= unending
		}
		return unknown(in.from), true
	}
}

// passes reports a program that prints what it reads, as far as its order counts. Of a listing, cut prints the names, and what else stands in its columns.
func (v *invocation) passes(in value) bool {
	switch v.name {
	case "cat":
		return true
	case "tac":
		return in.lists() || !strings.Contains(strings.TrimSpace(in.text), "\n")
	case "cut":
		return in.lists() && v.has("lists")
	}
	return in.lists() && oneWord(" gtac sort gsort uniq guniq ", v.name)
}

// input is what the program reads: its files, or standard input. Everything else that its table says is noted.
func (v *invocation) input(name string) value {
	var in value
	files := 0
	rest := v.uses[:0:0]
	for _, u := range v.uses {
		switch {
		case u.role == Reads:
			files++
			in = in.plus(v.readFile(u.value, v.name))
		case u.role == Writes && name == "tee":
		default:
			rest = append(rest, u)
		}
	}
	saved := v.uses
	v.uses = rest
	v.apply()
	v.uses = saved
	v.leave()
	if files == 0 {
		in = v.in
	}
	return in
}

// unbase is base64 and its kin: with -d it makes a hidden text readable.
func (v *invocation) unbase(in value) value {
	if !v.has("decodes") {
		return unknown(in.from)
	}
	out := unknown(in.from | fromDecoder)
	if text, ok := in.exact(); ok && v.name != "base32" {
		text = strings.Map(func(r rune) rune {
			if strings.ContainsRune(" \n\r\t", r) {
				return -1
			}
			return r
		}, text)
		text = strings.TrimRight(text, "=")
		if plain, err := base64.RawStdEncoding.DecodeString(text); err == nil {
			out.text = string(plain)
		} else if plain, err := base64.RawURLEncoding.DecodeString(text); err == nil {
			out.text = string(plain)
		}
	}
	return out
}

// unhex is xxd: with -r it makes a hidden text readable.
func (v *invocation) unhex(in value) value {
	if !v.has("decodes") {
		return unknown(in.from)
	}
	out := unknown(in.from | fromDecoder)
	if text, ok := in.exact(); ok && v.has("plain") {
		if raw, err := hex.DecodeString(strings.Join(strings.Fields(text), "")); err == nil {
			out.text = string(raw)
		}
	}
	return out
}

func reverse(in value) value {
	text, ok := in.exact()
	if !ok {
		return unknown(in.from | fromDecoder)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		r := []rune(line)
		slices.Reverse(r)
		lines[i] = string(r)
	}
	return value{strings.Join(lines, "\n"), in.from | fromDecoder}
}

// translate is tr. It makes hidden texts readable, as rot13 does; -d and -s leave some characters out.
func (v *invocation) translate(in value) value {
	text, ok := in.exact()
	out := unknown(in.from | fromDecoder)
	switch {
	case in.lists(): // what divides the names is another
		return value{in.text, in.from | fromDecoder}
	case !ok || v.has("complement") || len(v.operands) == 0:
		return out
	}
	from, ok1 := v.operands[0].literal().exact()
	set := characters(from)
	var to []rune
	if len(v.operands) > 1 {
		second, ok := v.operands[1].literal().exact()
		to, ok1 = characters(second), ok1 && ok
	}
	if !ok1 || strings.Contains(from, "[:") {
		return out
	}
	out.text = strings.Map(func(r rune) rune {
		i := slices.Index(set, r)
		switch {
		case i < 0:
			return r
		case v.has("deletes"):
			return -1
		case len(to) == 0:
			return r
		}
		return to[min(i, len(to)-1)]
	}, text)
	if out.holed() { // nothing was in it that is not known
		out.from |= controls
	}
	return out
}

// characters are those of a set of tr, with its ranges written out.
func characters(set string) []rune {
	r := []rune(ansi(set))
	var out []rune
	for i := 0; i < len(r); i++ {
		if i+2 < len(r) && r[i+1] == '-' && r[i] <= r[i+2] && r[i+2]-r[i] < 256 {
			for c := r[i]; c <= r[i+2]; c++ {
				out = append(out, c)
			}
			i += 2
			continue
		}
		out = append(out, r[i])
	}
	return out
}

// pager runs commands that stand behind a plus sign: less '+!cmd'.
func pager(v *invocation, args []value) (value, bool) {
	for _, a := range args {
		if strings.HasPrefix(a.text, "+") && strings.ContainsAny(a.text, "!|") {
			_, command, _ := cutAny(a.text, "!|")
			v.starts(value{command, a.from})
		}
	}
	return textTools("text")(v, args)
}

// pattern is grep and its kin: where an option says what is looked for, the first operand is a file.
func pattern(v *invocation, args []value) (value, bool) {
	if v.given(Binding) {
		for i := range v.uses {
			if v.uses[i].role == Ignored {
				v.uses[i].role = Reads
			}
		}
	}
	if slices.Contains([]string{"rg", "ripgrep", "ag", "ack", "pt", "rgrep"}, v.name) { // without being told
		v.traits = append(v.traits, Recursive)
	}
	reads := func(u use) bool { return u.role == Reads || u.role == Object }
	if slices.Contains(v.traits, Recursive) && !slices.ContainsFunc(v.uses, reads) && v.locate(known("."), v.cwd).path != v.at.Root {
		v.uses = append(v.uses, use{Reads, known(".")})
	}
	if at, ok := v.vital(v.operands); ok && contains(args, "--files") && (!at.in || !v.given(Include)) {
		v.leave()
		out := v.listedAll(at, v.apply()|v.in.from)
		if v.given(Include) {
			out = unknown(out.from)
		}
		return out, true
	}
	if v.has("lists") && !v.has("hidden") {
		v.leave()
		from := v.apply() | v.in.from
		return v.listedMatches(reads, from), true
	}
	if !slices.ContainsFunc(v.uses, reads) && v.mayName(v.uses) { // of names that are piped in, it lets those of secrets through
		v.leave()
		return unknown(v.apply() | v.in.from | toSecret), true
	}
	return value{}, false
}

// codeTypes are ripgrep's types of files of which none steers anything.
var codeTypes = []string{"go", "py", "ts", "js", "rust", "java", "kotlin", "c", "cpp", "ruby", "php", "swift", "scala", "css", "html"}

// typed is the pattern that a type of files stands for, or the pattern that it is.
func typed(text string) string {
	if slices.Contains(codeTypes, text) {
		return "*." + text
	}
	return text
}

// listedMatches are the names of the files in which something was found.
func (v *invocation) listedMatches(reads func(use) bool, from taint) value {
	var roots []value
	suffix, includes := "", 0
	for _, u := range v.uses {
		switch {
		case reads(u):
			roots = append(roots, u.value)
		case u.role == Include:
			suffix, includes = ending(typed(u.value.text)), includes+1
		}
	}
	if includes > 1 {
		suffix = ""
	}
	if includes == 0 && len(roots) <= 1 && v.unsteered(append(roots, known("."))[0]) {
		return value{v.at.Root + "/" + string(hole), from &^ allNames}
	}
	return v.listed(roots, suffix, from)
}

// Files and folders of a project that steer agents, editors and git, or hold secrets, hidden ones last: git grep looks into these, too.
const steering = "fettle.yaml fettle.yml hooks/hooks.json"
const hiddenSteering = " .claude .claude-plugin .codex .gemini .cursor .mcp.json .vscode .idea .husky .githooks .devcontainer .env .envrc .npmrc"

// unsteered reports a search of the project's own folder in which nothing is found that steers agents, or the guard itself: there is none. grep -r looks into git's folder.
func (v *invocation) unsteered(root value) bool {
	names := steering
	switch v.name {
	case "rg", "ripgrep", "ag", "ack":
	case "git grep":
		names += hiddenSteering
	default:
		return false
	}
	at := v.locate(root, v.cwd)
	return v.at.Absent != nil && at.path == v.at.Root && !at.several() && !slices.ContainsFunc(strings.Fields(names), func(name string) bool { return !v.at.Absent(at.path + "/" + name) })
}

// mayName reports a pattern that looks for the name of a file with secrets.
func (v *invocation) mayName(uses []use) bool {
	return slices.ContainsFunc(uses, func(u use) bool {
		name := strings.NewReplacer("\\", "", "^", "", "$", "", ".*", "").Replace(u.value.text)
		return (u.role == Ignored || u.role == Binding) && len(name) > 2 && v.locate(known(name), v.cwd).zone == Secrets
	})
}

// editsYAML is yq: with a word for the command before the expression, and with -i it changes its files.
func editsYAML(v *invocation, _ []value) (value, bool) {
	if len(v.operands) > 1 && slices.Contains([]string{"e", "eval", "ea", "eval-all"}, v.operands[0].text) {
		v.uses = slices.DeleteFunc(v.uses, func(u use) bool { return u.value == v.operands[1] })
	}
	for _, o := range v.operands[:min(2, len(v.operands))] {
		v.yamlExpression(o.text)
	}
	if v.given(InPlace) {
		for i := range v.uses {
			if v.uses[i].role == Reads {
				v.uses[i].role = Writes
			}
		}
	}
	return value{}, false
}

// yamlExpression looks for what yq's language takes from elsewhere: files by load("x"), load_str("x") and their like, and variables by env(X), strenv(X).
func (v *invocation) yamlExpression(text string) {
	for rest := text; ; {
		before, after, ok := strings.Cut(rest, "(")
		if !ok {
			return
		}
		inner, _, _ := strings.Cut(after, ")")
		name := before[strings.LastIndexFunc(before, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })+1:]
		switch {
		case strings.HasPrefix(name, "load"):
			v.readFile(known(strings.Trim(inner, `"' `)), v.name)
		case (name == "env" || name == "strenv") && secretVariable(strings.TrimSpace(inner)):
			v.note(Print, inner, v.name)
		}
		rest = after
	}
}
