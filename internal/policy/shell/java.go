package shell

import (
	"slices"
	"strings"
)

// jvmLog notes the file into which a Java machine logs: -Xlog:WHAT:WHERE:HOW. A colon in quotation marks divides nothing.
func (v *invocation) jvmLog(setting value) {
	var parts [2]string
	n, quoted := 0, false
	for _, c := range setting.text {
		quoted = quoted != (c == '"')
		switch {
		case c == ':' && !quoted:
			n++
		case n < len(parts) && c != '"':
			parts[n] += string(c)
		}
	}
	where := strings.TrimPrefix(parts[1], "file=")
	switch {
	case strings.Contains(parts[0], string(hole)): // it may say where, too
		v.change(Writes, unknown(setting.from))
	case where != "" && where != "stdout" && where != "stderr":
		v.change(Writes, value{where, setting.from})
	}
}

// argFiles is a program of Java's, which reads arguments from files that are named behind an @: @options, as if what stands in them stood there.
func argFiles(v *invocation, args []value) (value, bool) {
	i := v.argFileAt(args)
	if i < 0 {
		return value{}, false
	}
	var from taint
	for _, words := range v.argFile(value{args[i].text[1:], args[i].from}) {
		if !v.step() {
			break
		}
		all := slices.Concat(args[:i], words, args[i+1:])
		next := &invocation{shell: v.shell, prog: v.prog, name: v.name}
		next.parse(all)
		said, done := argFiles(next, all)
		if !done {
			said = next.plainly()
		}
		from |= said.from
	}
	return unknown(from), true
}

// argFileAt is the first argument that names such a file; less than none: there is none. What follows the code that runs is that code's own.
func (v *invocation) argFileAt(args []value) int {
	for i, a := range args {
		main := v.stop && len(v.operands) > 0 && a == v.operands[0]
		switch name, named := strings.CutPrefix(a.text, "@"); {
		case named && name != "" && name[0] != '@': // two of them stand for one that means nothing
			return i
		case main, a.text == "-jar", a.text == "--disable-@files":
			return -1
		}
	}
	return -1
}

// argFile are the arguments that a file may hold. One of the project's that was there before is a part of how it is built; of any other one nothing is known.
func (v *invocation) argFile(name value) (all [][]value) {
	at := v.locate(name, v.cwd)
	texts, read := v.holds(at)
	if v.at.Script != nil {
		if text, ok := v.at.Script(at.path); ok {
			texts, read = append(slices.Clip(texts), known(text)), true
		}
	}
	if !read || at.several() {
		kind := Code
		if at.zone.own() {
			kind = Run
		}
		v.noteAt(at, kind, v.name)
		all = append(all, nil)
	}
	for _, text := range texts {
		if len(text.text) > maxText {
			v.opaque("the arguments in " + at.path + " are" + tooLong)
			continue
		}
		all = append(all, argWords(text))
	}
	return all
}

// argWords are the arguments in the text of such a file, without its comments. A file that is named in it is not read.
func argWords(text value) (words []value) {
	var plain strings.Builder
	for line := range strings.Lines(text.text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			plain.WriteString(line)
		}
	}
	for _, word := range quotedWords(plain.String()) {
		if strings.HasPrefix(word, "@") {
			word = "@" + word
		}
		words = append(words, value{word, text.from})
	}
	return words
}
