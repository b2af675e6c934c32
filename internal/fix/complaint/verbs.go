package complaint

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// verbs are what fits a type, likely ones first.
func verbs(typ string) []string {
	base, _, _ := strings.Cut(strings.TrimPrefix(typ, "*"), " ")
	switch {
	case base == "string", base == "error", strings.HasPrefix(typ, "[]byte"):
		return []string{"s", "q", "v"}
	case base == "bool":
		return []string{"t", "v"}
	case strings.HasPrefix(base, "float"):
		return []string{"f", "g", "v"}
	case strings.HasPrefix(base, "int"), strings.HasPrefix(base, "uint"), base == "byte", base == "rune":
		return []string{"d", "v"}
	}
	return []string{"v", "s"}
}

var verbForm = pattern.New(`%[-+# 0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[a-zA-Z]`)

// argued finds in vet's words the value that the verb does not fit.
var argued = pattern.New(` has arg (.+) of wrong type `)

// format is a call's format: where its verbs end, and the values that they stand for.
type format struct {
	verbs  []int // the offset of each verb's letter
	values []*code.Node
	bad    int // which of them the complaint is about; negative: not plain
}

// format reads the format of a call; nil: who stands for what is not plain.
func (b *bench) format(call *code.Node) *format {
	args := call.All(code.Arg)
	at := slices.IndexFunc(args, func(a *code.Node) bool { return a.Is(code.Str) })
	if at < 0 {
		return nil
	}
	text, f := args[at].Text(), &format{values: args[at+1:]}
	for _, m := range verbForm.FindAllStringSubmatchIndex(strings.ReplaceAll(text, "%%", "\x00\x00"), -1) {
		f.verbs = append(f.verbs, args[at].Start+m[1]-1)
	}
	if len(f.verbs) != len(f.values) || strings.ContainsAny(text, "*[") {
		return nil
	}
	which := ""
	if m := argued.FindStringSubmatch(b.Finding.Message); m != nil {
		which = m[1]
	}
	is := func(text string) func(int) bool {
		return func(at int) bool { return b.file.Source[at:at+1] == text }
	}
	f.bad = slices.IndexFunc(f.verbs, is(b.Name[len(b.Name)-1:]))
	for i, v := range f.values {
		if v.Text() == which && is(b.Name[len(b.Name)-1:])(f.verbs[i]) {
			f.bad = i
			break
		}
	}
	return f
}

// fittingVerb puts a verb that suits the value's type in the place of one that does not.
func fittingVerb(b *bench) {
	bad := b.Name[len(b.Name)-1]
	start, end := b.callRange()
	if call := b.call(); call != nil {
		if f := b.format(call); f != nil && f.bad >= 0 {
			start, end = f.verbs[f.bad]-len(b.Name), f.verbs[f.bad]+1
		}
	}
	for _, at := range verbForm.FindAllStringSubmatchIndex(b.file.Source[start:end], -1) {
		last := start + at[1] - 1
		if b.file.Source[last] != bad {
			continue
		}
		for i, v := range verbs(b.Got) {
			if v[0] != bad { // the plain one is what is nearly always meant
				b.propose(1/float64(1+2*i), fmt.Sprintf("%s stands for a value of type %s, which it does not fit", quote("%"+string(bad)), quote(b.Got)), replaced(last, last+1, v))
			}
		}
	}
}

// fittingVerbs puts verbs that suit in the place of all that do not: vet tells of one only, and would tell of the next one then.
func fittingVerbs(b *bench) {
	call := b.call()
	if call == nil {
		return
	}
	f := b.format(call)
	if f == nil {
		return
	}
	var edits []edit.Edit
	for i, v := range f.values {
		typ := b.known(v)
		if i == f.bad {
			typ = b.Got
		}
		if verb := b.file.Source[f.verbs[i] : f.verbs[i]+1]; unfit(verb, typ) {
			edits = append(edits, replaced(f.verbs[i], f.verbs[i]+1, verbs(typ)[0]))
		}
	}
	if len(edits) > 1 {
		b.propose(1, "verbs of the format do not fit the types of their values", edits...)
	}
}

// plainTypes are those of which it is known which verbs fit, in the words of [verbs]: what is made of them may have a text of its own.
var plainTypes = map[string]string{
	"string": "sqvxXT", "bool": "tvT", "float32": "feEgGvxXbT", "float64": "feEgGvxXbT",
	"int": "dvxXobcqOUT", "int8": "dvxXobcqOUT", "int16": "dvxXobcqOUT", "int32": "dvxXobcqOUT", "int64": "dvxXobcqOUT", "rune": "dvxXobcqOUT",
	"uint": "dvxXobcqOUT", "uint8": "dvxXobcqOUT", "uint16": "dvxXobcqOUT", "uint32": "dvxXobcqOUT", "uint64": "dvxXobcqOUT", "byte": "dvxXobcqOUT",
}

// unfit reports whether a verb is known not to fit a type.
func unfit(verb, typ string) bool {
	fitting := plainTypes[typ]
	return fitting != "" && !strings.Contains(fitting, verb)
}

// exchangedVerbs exchanges the verb that does not fit with another of the format that does; or the values that they stand for.
func exchangedVerbs(b *bench) {
	call := b.call()
	if call == nil {
		return
	}
	f := b.format(call)
	if f == nil || f.bad < 0 {
		return
	}
	had := b.Name[len(b.Name)-1:]
	for i, at := range f.verbs {
		verb := b.file.Source[at : at+1]
		if i == f.bad || !slices.Contains(verbs(b.Got), verb) || verb == "v" {
			continue
		}
		weight := 1.0
		if typ := b.known(f.values[i]); unfit(had, typ) {
			weight = 0.3 // then it fits neither
		}
		x, y := f.verbs[f.bad], at
		b.propose(weight, "two verbs of the format stand in each other's place", replaced(x, x+1, verb), replaced(y, y+1, had))
		v, w := f.values[f.bad], f.values[i]
		b.propose(0.8*weight, "two values of the format stand in each other's place", replaced(v.Start, v.End, w.Text()), replaced(w.Start, w.End, v.Text()))
	}
}

// callRange are the bytes of the call that the complaint is about, or of its line.
func (b *bench) callRange() (start, end int) {
	if call := b.call(); call != nil {
		return call.Start, call.End
	}
	start, end, _ = lineOf(b.file, b.Finding.Range.Start.Line)
	return start, end
}

func (b *bench) call() *code.Node {
	if b.at.Is(code.Call) {
		return b.at
	}
	if n := b.at.Up(code.Call); n != nil {
		return n
	}
	for n := range b.file.Root.Walk() {
		if n.Is(code.Call) && b.file.Tree.Position(n.Start).Line == b.Finding.Range.Start.Line && verbForm.MatchString(n.Text()) {
			return n
		}
	}
	return nil
}
