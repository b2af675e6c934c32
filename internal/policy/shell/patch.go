package shell

import (
	slashpath "path"
	"slices"
	"strconv"
	"strings"
)

// patch changes the files that a patch names, which is an operand, an option's value, or what it reads.
func patch(v *invocation, _ []value) (value, bool) {
	text := v.in
	for _, name := range v.valuesOf(Reads) {
		text = v.patchIn(name)
	}
	if len(v.operands) > 1 {
		text = v.patchIn(v.operands[1])
	}
	if text.from&(fromNetwork|fromDecoder) != 0 {
		v.note(Code, "a patch", v.name)
	}
	if len(v.operands) == 0 {
		v.patched(v.handed(text), v.stripped(-1), "")
	}
	return value{}, false
}

// gitPatch is git apply and git am: the patches are operands, or what it reads.
func gitPatch(v *invocation, _ []value) (value, bool) {
	if v.dry || v.has("continues") {
		return value{}, false
	}
	strip, below := v.stripped(1), ""
	for _, folder := range v.valuesOf(Below) {
		below = folder.text
	}
	if len(v.operands) == 0 {
		v.patched(v.handed(v.in), strip, below)
	}
	for _, o := range v.operands {
		v.patched(v.patchIn(o), strip, below)
	}
	return value{}, false
}

// stripped is how many folders the names in a patch lose: so many as an option says, or as are usual.
func (v *invocation) stripped(usual int) int {
	for _, n := range v.valuesOf(Strip) {
		usual = atoi(n.text, usual)
	}
	return usual
}

// patchIn is the patch in a file, also in one that an earlier command, or the agent's editing tool, has written.
func (v *invocation) patchIn(name value) value {
	text := v.readFile(name, v.name)
	if _, ok := text.exact(); !ok && text.from&fromFile != 0 && v.at.Script != nil {
		if written, ok := v.at.Script(v.locate(name, v.cwd).path); ok {
			return known(written)
		}
	}
	return text
}

// handed is a patch that is read from standard input: where that comes from a file that the agent has written, what is in there.
func (v *invocation) handed(text value) value {
	if _, ok := text.exact(); ok || v.at.Script == nil || text.from&fromFile == 0 {
		return text
	}
	for i := range v.facts {
		f := &v.facts[i]
		if f.Kind == Read && !f.Is(Glob) && !f.Is(Vague) {
			if written, ok := v.at.Script(f.Target); ok {
				return known(written)
			}
		}
	}
	return text
}

func atoi(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}

// patched notes the files that a patch names; where that is not known, those of the folder.
func (v *invocation) patched(text value, strip int, below string) {
	if text.holed() || text.empty() {
		at := v.locate(known("."), v.cwd)
		if at.path == v.at.Root {
			at.zone = Project
		}
		v.noteAt(at, Format, v.name)
	}
	if exact, known := text.exact(); known && exact != "" && !strings.Contains(exact, "\n@@ ") && !strings.Contains("\n"+exact, "\ndiff --git ") { // a form of patch that is not read here
		v.note(Code, "a patch", v.name)
	}
	noted := map[string]bool{}
	for line := range strings.Lines(text.text) {
		for _, name := range patchNames(strings.TrimRight(line, "\r\n"), strip) {
			if name = slashpath.Join(below, name); !noted[name] {
				noted[name] = true
				v.change(Writes, value{name, text.from})
			}
		}
	}
}

// patchNames are the files that a line of a patch names, without so many folders before them; below zero: without those that git writes there.
func patchNames(line string, strip int) []string {
	clean := func(name string, folders bool) string {
		name, _, _ = strings.Cut(strings.TrimSpace(name), "\t")
		if plain, err := strconv.Unquote(name); err == nil {
			name = plain
		}
		switch {
		case name == "/dev/null":
			return ""
		case !folders:
			return name
		case strip < 0:
			return strings.TrimPrefix(strings.TrimPrefix(name, "a/"), "b/")
		}
		for n := strip; n > 0; n-- {
			if _, after, found := strings.Cut(name, "/"); found {
				name = after
			}
		}
		return name
	}
	named := func(names ...string) []string {
		return slices.DeleteFunc(names, func(n string) bool { return n == "" })
	}
	for _, begin := range []string{"+++ ", "--- "} {
		if name, ok := strings.CutPrefix(line, begin); ok {
			return named(clean(name, true))
		}
	}
	for _, begin := range []string{"rename from ", "rename to ", "copy to "} {
		if name, ok := strings.CutPrefix(line, begin); ok {
			return named(clean(name, false))
		}
	}
	if both, ok := strings.CutPrefix(line, "diff --git "); ok { // all there is where only the mode changes, or the file is empty or binary
		if n := len(both) / 2; len(both)%2 == 1 && both[n] == ' ' {
			return named(clean(both[:n], true), clean(both[n+1:], true))
		}
		if i := strings.LastIndex(both, " b/"); i >= 0 {
			return named(clean(both[:i], true), clean(both[i+1:], true))
		}
	}
	return nil
}
