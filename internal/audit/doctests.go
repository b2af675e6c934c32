package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// docExample is an example of Python's in a docstring or a text, which doctest carries out: what is called, and what has to come.
type docExample struct {
	source string
	want   string
	skips  bool
	line   int
}

// doctestDirective matches what a comment tells doctest of one example.
var doctestDirective = pattern.New(`\s*#\s*doctest:\s*([^\n]*)`)

// docExamples are the examples of a file, in order.
func docExamples(src []byte) []docExample {
	lines := strings.Split(string(src), "\n")
	var all []docExample
	for i := 0; i < len(lines); i++ {
		first, is := strings.CutPrefix(strings.TrimSpace(lines[i]), ">>> ")
		if !is {
			continue
		}
		e := docExample{line: i + 1}
		said := []string{first}
		for ; i+1 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i+1])+" ", "... ") && len(strings.TrimSpace(lines[i+1])) > 3; i++ {
			said = append(said, strings.TrimPrefix(strings.TrimSpace(lines[i+1]), "... "))
		}
		e.source = strings.Join(said, "\n")
		if m := doctestDirective.FindStringSubmatch(e.source); m != nil {
			e.skips = strings.Contains(m[1], "+SKIP")
			e.source = doctestDirective.ReplaceAllString(e.source, "")
		}
		var want []string
		for ; i+1 < len(lines); i++ {
			next := strings.TrimSpace(lines[i+1])
			if next == "" || strings.HasPrefix(next, ">>>") || strings.HasPrefix(next, `"""`) || strings.HasPrefix(next, "'''") || strings.HasPrefix(next, "```") {
				break
			}
			want = append(want, next)
		}
		e.want = strings.Join(want, "\n")
		all = append(all, e)
	}
	return all
}

// open reports whether an example takes whatever comes: nothing of what it expects is written out.
func (e docExample) open() bool {
	return strings.Contains(e.want, "...") && strings.Trim(strings.ReplaceAll(e.want, "...", ""), " \n'\"()[]{}<>,") == ""
}

// elides reports whether an example leaves a part of a value open that another wrote out. The address of an object is another one each time, and of a traceback only the last line counts.
func (e docExample) elides(was docExample) bool {
	return strings.Count(lastOfTraceback(e.want), "...") > strings.Count(lastOfTraceback(was.want), "...") && objectAddress.ReplaceAllString(was.want, "0x...") != e.want
}

var objectAddress = pattern.New(`0x[0-9a-fA-F]+`)

// lastOfTraceback is what doctest compares of an expectation.
func lastOfTraceback(want string) string {
	if !strings.HasPrefix(want, "Traceback (") {
		return want
	}
	return want[strings.LastIndex(want, "\n")+1:]
}

// looserExamples looks for examples that doctest carries out, and that demand less: of the same call nothing is expected any more, or anything, or a part only, or it is left out.
func (v *patchView) looserExamples() []Finding {
	var all []Finding
	for _, f := range v.files {
		if f.formatted || f.before == nil || f.after == nil || !slices.Contains([]string{".py", ".pyi", ".rst", ".md", ".txt"}, path.Ext(f.path)) || !strings.Contains(string(f.before), ">>> ") {
			continue
		}
		left := docExamples(f.after)
		for _, was := range docExamples(f.before) {
			i := slices.IndexFunc(left, func(is docExample) bool { return is.source == was.source })
			if i < 0 {
				continue
			}
			is := left[i]
			left = slices.Delete(left, i, i+1)
			why, effect := "", v.weakens()
			switch {
			case was.skips || was.want == "" || was.open():
			case is.skips:
				why = "%q is left out now: doctest must carry it out"
			case is.open():
				why = "%q may give anything now: say what comes"
			case is.want == "":
				why = "%q gives what nobody expects any more: say what comes"
			case is.elides(was):
				why, effect = "%q may give anything now in a part of its value: say what comes", v.unless(Healer, Tidier)
			}
			if why != "" {
				all = append(all, Finding{Path: f.path, Line: is.line, Effect: effect, Evidence: fmt.Sprintf(why, phrase.Clip(was.source))})
			}
		}
	}
	return all
}
