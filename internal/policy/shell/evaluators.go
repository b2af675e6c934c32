package shell

import (
	"slices"
	"strings"
)

// evaluatorSpecials are programs that do more with their operands than to read them.
func evaluatorSpecials(name string) special {
	switch name {
	case "trees":
		return trees
	case "jq":
		return jq
	case "dc":
		return desk
	case "magick":
		return magick
	case "tex":
		return tex
	case "outputs":
		return outputs
	}
	return nil
}

// trees deletes with everything below, and expands patterns itself.
func trees(v *invocation, _ []value) (value, bool) {
	v.traits = append(v.traits, Recursive)
	for i := range v.uses {
		v.uses[i].value = patterns(v.uses[i].value)
	}
	return value{}, false
}

// jqOption is an option that takes words behind it: how many, and which of these is a file.
type jqOption struct {
	name        string
	words, file int
}

var jqWords = []jqOption{{"--arg", 2, 0}, {"--argjson", 2, 0}, {"--rawfile", 2, 2}, {"--slurpfile", 2, 2}, {"--argfile", 2, 2}, {"--indent", 1, 0}, {"-f", 1, 1}, {"--from-file", 1, 1}, {"-L", 1, 1}}

// jq reads its filter, which may show the environment, and files: those behind it, and those that options of two words name.
func jq(v *invocation, args []value) (value, bool) {
	var files []value
	filter, named := false, false
	for i := 0; i < len(args); i++ {
		a := args[i].text
		if k := slices.IndexFunc(jqWords, func(o jqOption) bool { return o.name == a }); k >= 0 {
			o := jqWords[k]
			if o.file > 0 && i+o.file < len(args) {
				files = append(files, args[i+o.file])
			}
			filter = filter || a == "-f" || a == "--from-file"
			i += o.words
			continue
		}
		switch {
		case a == "--args" || a == "--jsonargs":
			named = true
		case strings.HasPrefix(a, "-") && len(a) > 1:
		case !filter:
			filter = true
			v.jqFilter(args[i])
		case !named:
			files = append(files, args[i])
		}
	}
	v.uses = v.uses[:0]
	from := v.in.from
	for _, f := range files {
		from |= v.readFile(f, v.name).from
	}
	if v.shows("environment") {
		from |= fromSecret
	}
	return unknown(from), true
}

// shows reports that the environment is shown.
func (v *invocation) shows(what string) bool {
	for i := range v.facts {
		if f := &v.facts[i]; f.Kind == Print && f.By == v.name && strings.Contains(f.Target, what) {
			return true
		}
	}
	return false
}

// jqFilter looks for env and $ENV in jq's language: one variable of it that has no secret is no matter.
func (v *invocation) jqFilter(filter value) {
	text := filter.text
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && (letter(text[j]) || '0' <= text[j] && text[j] <= '9') {
			j++
		}
		if word := text[i:j]; (word == "env" || word == "$ENV") && (i == 0 || text[i-1] != '.' && text[i-1] != '"') {
			rest := strings.TrimPrefix(text[j:], ".")
			end := 0
			for end < len(rest) && strings.IndexByte(nameLetters, rest[end]) >= 0 {
				end++
			}
			if name := rest[:end]; rest == text[j:] || end == 0 || secretVariable(name) {
				v.note(Print, "the environment", v.name)
			}
		}
		i = max(j, i+1)
	}
}

// desk is dc: its code may run commands.
func desk(v *invocation, _ []value) (value, bool) {
	if v.dry {
		return anything, true
	}
	codes := 0
	for _, u := range v.uses {
		codes++
		switch u.role {
		case DeskCode:
			v.deskCode(u.value)
		case DeskFile:
			v.deskFile(u.value)
		default:
			codes--
		}
	}
	if codes == 0 {
		v.deskCode(v.in)
	}
	return unknown(v.in.from), true
}

// deskFile runs a file of dc's code.
func (v *invocation) deskFile(name value) {
	at := v.locate(name, v.cwd)
	if texts, ok := v.holds(at); ok {
		for _, text := range texts {
			v.deskCode(text)
		}
		return
	}
	v.owns(name)
}

// deskCode runs what stands behind an exclamation mark, up to the line's end. Before a sign of comparison it is none.
func (v *invocation) deskCode(code value) {
	if code.holed() {
		v.note(Code, "dc", v.name)
	}
	for line := range strings.Lines(code.literal().text) {
		for i := strings.IndexByte(line, '!'); i >= 0; {
			rest := line[i+1:]
			if strings.IndexAny(rest, "<>=") != 0 {
				v.starts(value{strings.TrimRight(rest, "\n"), code.from})
				v.note(Code, "dc", v.name)
				break
			}
			next := strings.IndexByte(rest, '!')
			if next < 0 {
				break
			}
			i += 1 + next
		}
	}
}

// magick reads what a prefix names: a file's text as an image, a script, an address, or a file that is deleted then.
func magick(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		scheme, rest, ok := strings.Cut(o.text, ":")
		if !ok {
			continue
		}
		if file, at := strings.CutPrefix(rest, "@"); at {
			v.readFile(value{file, o.from}, v.name)
		}
		switch strings.ToLower(scheme) {
		case "msl", "ephemeral", "mvg", "http", "https", "ftp", "pango", "text", "url":
			v.readFile(value{rest, o.from}, v.name)
			v.note(Code, o.show(), v.name)
		}
	}
	return value{}, false
}

// tex runs code of TeX that stands in the place of a file's name.
func tex(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		if strings.HasPrefix(o.text, "\\") {
			v.note(Code, "tex", v.name)
		}
	}
	return value{}, false
}

// outputs are ffmpeg's files: several in one word, each behind what is said of it ([f=mp4]a.mp4|b.mkv), and behind how it is written (file:a.mp4).
func outputs(v *invocation, _ []value) (value, bool) {
	var uses []use
	for _, u := range v.uses {
		if u.role != Formats {
			uses = append(uses, u)
			continue
		}
		for part := range strings.SplitSeq(u.value.text, "|") {
			if strings.HasPrefix(part, "[") {
				_, part, _ = strings.Cut(part, "]")
			}
			if how, path, ok := strings.Cut(part, ":"); ok && !strings.ContainsAny(how, "/.") && !strings.HasPrefix(path, "//") {
				part = path
			}
			u.value.text = part
			uses = append(uses, u)
		}
	}
	v.uses = uses
	return value{}, false
}
