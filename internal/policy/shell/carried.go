package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// A program that publishes, sends, or changes a cloud has options without number by which files go along, and most tables name few of them. So each of its
// words that names a file with secrets is taken for one that is sent, and what stands in its words and in its input is sent, too.

// proving are parts of the names of options whose values say, or prove, who one is. They are used, and not sent.
const proving = "key cert config credential identity password token account ca-"

// textOfSecret is what was read from a file with secrets, and no variable.
const textOfSecret = fromFile | fromSecret

// carry notes which secrets go along: its input, if that comes from all that the taint says, texts from files, and files. A variable in its words says who one is.
func (v *invocation) carry(input taint) {
	carries, option := v.in.from&input == input, ""
	for _, arg := range v.args[:len(v.args)-len(v.rest)] {
		carries = carries || arg.from&textOfSecret == textOfSecret
		name, _, attached := strings.Cut(arg.text, "=")
		dashed := strings.HasPrefix(name, "-")
		if dashed {
			option = name
		}
		if !speaks(option, proving) || strings.Contains(arg.text, "://") {
			v.carryFiles(arg)
		}
		if attached || !dashed {
			option = ""
		}
	}
	if carries {
		v.network(Send, value{from: fromSecret})
	}
}

// carryFiles notes the files with secrets that a word names: the whole of it, or what stands behind its signs (-Fbody=@FILE, --from-file=KEY=FILE).
func (v *invocation) carryFiles(word value) {
	text := word.text
	if len(text) > 2 && text[0] == '-' && text[1] != '-' {
		text = text[2:]
	}
	for _, name := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("=,@", c) }) {
		if name == word.text || name != v.at.Home { // --set dir=$HOME
			v.carryFile(value{name, word.from})
		}
	}
}

// carryFile notes that a file is sent if it has secrets in it, or those of the whole home.
func (v *invocation) carryFile(name value) {
	name.text = strings.TrimPrefix(strings.TrimPrefix(name.text, "file://"), "fileb://")
	if rest, ok := strings.CutPrefix(name.text, "~/"); ok {
		name.text = v.at.Home + "/" + rest
	}
	at := v.locate(name, v.cwd)
	if v.calledAsFile(name, at) && (at.zone == Secrets || name.from&toSecret != 0 || v.withAll(name, at) != nil) {
		v.upload(name)
	}
}

// withAll is that what lies below a folder goes along with it, if there are secrets among that. The last word, behind one that is a path or an address, is where
// something else goes: cp gs://x ~
func (v *invocation) withAll(name value, at located) []Trait {
	if !v.keepsHome(at) && !v.keepsSecrets(at) {
		return nil
	}
	if n := len(v.args); n > 1 && v.args[n-1] == name && strings.ContainsAny(v.args[n-2].text, "/:") && v.args[n-2].text[0] != '-' {
		return nil
	}
	return []Trait{Recursive}
}

// calledAsFile reports a name that files have, and not only labels, branches, what lies in a cloud, and texts.
func (v *invocation) calledAsFile(name value, at located) bool {
	folder, base := slashpath.Split(name.text)
	if strings.HasPrefix(folder, "/") {
		first, _, _ := strings.Cut(folder[1:]+base, "/")
		return strings.IndexByte(base, ' ') < 0 && (at.in || topLevel("/"+first))
	}
	_, elsewhere := remoteHost(name)
	return !elsewhere && !strings.ContainsAny(name.text, " \n") && (strings.Contains(base, ".") || v.locate(known("x"), v.cwd).zone == Secrets)
}

// carrier is a program that sends what it is given, to whom only its operands say.
func carrier(v *invocation, _ []value) (value, bool) {
	v.carry(fromSecret)
	return value{}, false
}

// transfers are programs that are told by a text which files they are to send: all that is named behind the first word for it.
func transfers(v *invocation, args []value) (value, bool) {
	texts := append(slices.Clip(args), v.in)
	for _, file := range v.valuesOf(Reads) {
		texts = append(texts, v.content(v.locate(file, v.cwd)))
	}
	sends := false
	for _, word := range strings.Fields(strings.ReplaceAll(words(texts).text, ";", " ")) {
		if sends {
			v.carryFile(known(strings.Trim(word, `"'`)))
		}
		sends = sends || oneWord(" put mput reput send append mirror ", word)
	}
	return value{}, false
}
