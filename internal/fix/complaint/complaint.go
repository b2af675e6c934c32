// Package complaint answers "what would the checker that says this be content with?": it reads the findings of compilers, type checkers and
// linters ([Read]) and makes the few edits that each of them calls for ([Remedies]): an undefined name is misspelt or was never imported, a
// variable that nobody reads can go, a declared type is another one, an argument is missing, a verb does not fit its value.
//
// It only proposes: whether the checker is content with a remedy, and every test still passes, is for others to find out.
//
//	c, ok := complaint.Read(finding)
//	for _, r := range complaint.Remedies(file, c, project) {
//		fmt.Println(r.Why)
//	}
package complaint

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// Kind is what a finding complains of.
type Kind uint8

// The kinds.
const (
	Undefined     Kind = iota + 1 // a name that nothing makes: Name, and perhaps Hint
	NoMember                      // a value without such a member: Name, perhaps Hint
	UnusedImport                  // Name
	UnusedName                    // a variable that nobody reads: Name
	NoReturn                      // a way through a function that gives nothing
	NoReturnType                  // a function that does not say what it gives
	Mistyped                      // a value of another type than is wanted: Got, Want, and perhaps Name, the value
	MaybeNull                     // a value that may be null is used as if it never were: perhaps Name
	NotAwaited                    // what is used is a promise of the value
	Arguments                     // too many arguments, or too few
	Unchecked                     // an error that nobody looks at
	Shadowed                      // a variable that hides another one: Name
	Verb                          // a verb of a format that does not fit its argument: Name, the verb
	VerbArguments                 // a format with more verbs than arguments
	Wordy                         // a truth value that is compared with one
	Loose                         // a comparison that converts what it compares
	Spacing                       // white space too much or too little: Name, the rule
	Undeclared                    // an exception that a function throws and does not declare: Name
	Unset                         // a variable that has no value on some way to where it is read: Name
	Unparsed                      // a sign is missing, so that the source cannot be read: Hint, the sign
	UnknownError                  // what is caught is asked for a member, and may be anything: Name
	NotAsync                      // await in a function that is not async
	NoPromise                     // an async function says that it gives no promise: Hint, the promise
	NeedlessAwait                 // await of what is no promise
	Constant                      // what was declared to keep its value is given another one: Name
	Results                       // more or fewer values are given back, or taken, than there are
	NothingNew                    // a declaration of what is all known already
	Operands                      // two sides of an operation that do not go together
	Overwritten                   // a value that nobody reads before there is another one: Name
	Ruled                         // what a linter's rule asks for: Hint, the rule
	Other                         // a compiler's complaint of any other sort
)

// Typed reports whether a compiler says so: what it wants is a program that means something else, and not another way to write it.
func (k Kind) Typed() bool {
	switch k {
	case Undefined, NoMember, NoReturn, Mistyped, MaybeNull, NotAwaited, Arguments, Undeclared, Unset, UnknownError, NotAsync, NoPromise, Constant, Results, NothingNew, Operands, Other:
		return true
	default:
		return false
	}
}

// Complaint is a finding, understood.
type Complaint struct {
	Kind      Kind
	Name      string // the name, or the text, that it is about; empty: not said
	Hint      string // the name that the checker itself proposes
	Got, Want string // types, as the checker writes them
	Finding   diag.Diagnostic
}

// saying is a form of words, in which groups called name, hint, got, want stand for what they are called after.
type saying struct {
	kind Kind
	form *pattern.Pattern
	tool string // only this program's; empty: anyone's
}

// Read understands a finding. It is false for what is no complaint about a place in a source, and for what nothing is known to mend.
func Read(d diag.Diagnostic) (Complaint, bool) {
	if d.Test != "" || d.File == "" || d.Range.Start.Line == 0 {
		return Complaint{}, false
	}
	text := d.Message
	if d.Rule != "" {
		text = d.Rule + " " + text
	}
	for _, s := range sayings {
		if s.tool != "" && s.tool != speaker(d.Tool) {
			continue
		}
		m := s.form.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		c := Complaint{Kind: s.kind, Finding: d}
		for group, field := range map[string]*string{"name": &c.Name, "hint": &c.Hint, "got": &c.Got, "want": &c.Want} {
			if i := s.form.SubexpIndex(group); i >= 0 {
				*field = m[i]
			}
		}
		c.Got = plainly(c.Got)
		if c.Kind == MaybeNull && saysNone(c.Want) {
			continue // what is wanted may be missing as well: it is another part that does not fit
		}
		return c, true
	}
	// What hides nothing is a linter's, though it hands on what compilers say.
	if slices.Contains(compilers, speaker(d.Tool)) && d.Severity == diag.Error && (speaker(d.Tool) != "go" || d.Masks != diag.MasksNothing) {
		return Complaint{Kind: Other, Finding: d}, true
	}
	return Complaint{}, false
}

// literals are how pyright names the types of what has only this one value.
var literals = []struct {
	form *pattern.Pattern
	typ  string
}{
	{pattern.New(`^Literal\[b['"]`), "bytes"}, {pattern.New(`^Literal\['[^']*'\]$|^Literal\["[^"]*"\]$`), "str"},
	{pattern.New(`^Literal\[-?\d+\]$`), "int"}, {pattern.New(`^Literal\[(?:True|False)\]$`), "bool"},
}

// plainly is a type by the name that people write, of a value that is known.
func plainly(typ string) string {
	for _, l := range literals {
		if l.form.MatchString(typ) {
			return l.typ
		}
	}
	return typ
}

// speaker is the program whose words a tool hands on.
func speaker(tool string) string {
	switch tool {
	case "go test", "vet", "golangci-lint":
		return "go"
	}
	return tool
}

// Remedy is an edit that a complaint calls for.
type Remedy struct {
	Name      string // of the idea
	Edits     []edit.Edit
	Weight    float64 // 0–1: how likely among those of the complaint
	Precision float64 // of those that the checker is content with, how many are right
	Why       string  // what was wrong, without a full stop
	At        *code.Node
}

// Project is what remedies may be made from beside the file itself.
type Project interface {
	// Sources are the texts of the project's other sources of a file's language by their slash paths, near ones first. It is asked only
	// when a remedy needs it, and may end early.
	Sources(path string) iter.Seq2[string, string]
	// Types are the types of a file's expressions, as far as a compiler knows them. It is asked only when a remedy needs them.
	Types(path string) map[Span]string
}

// Span is where an expression stands in its file.
type Span struct{ Start, End int }

// Remedies are the edits of a file that a complaint calls for, the likeliest first. No project is one without other sources.
func Remedies(f *code.File, c Complaint, p Project) []Remedy {
	start, end, ok := c.place(f)
	if !ok {
		return nil
	}
	b := &bench{file: f, Complaint: c, start: start, end: end, project: p}
	b.at = f.At(start, end)
	if b.at == nil {
		b.at = f.Root
	}
	kind := c.Kind
	if kind == Undefined && start > 0 && f.Source[start-1] == '.' {
		kind = NoMember // javac calls either a symbol
	}
	for _, idea := range ideas[kind] {
		b.idea = idea
		idea.make(b)
	}
	slices.SortStableFunc(b.out, func(x, y Remedy) int { return cmp.Compare(y.Weight, x.Weight) })
	return b.out
}

// idea is one way to mend a kind of complaint.
type idea struct {
	name      string
	prior     float64 // how likely among the ideas for its kind
	precision float64
	make      func(*bench)
}

// bench is where remedies for one complaint are made.
type bench struct {
	Complaint
	file       *code.File
	at         *code.Node // the smallest that holds the place
	start, end int        // the place: the name's bytes if they are known, else the line's
	project    Project
	types      map[Span]string // nil: the project was not asked yet
	idea       idea
	why        string // of the linter's rule
	out        []Remedy
}

// propose takes in a remedy.
func (b *bench) propose(weight float64, why string, edits ...edit.Edit) {
	slices.SortFunc(edits, func(x, y edit.Edit) int { return cmp.Compare(x.Start, y.Start) })
	if strings.Contains(b.file.Source, "\r\n") {
		for i := range edits {
			edits[i].New = bytes.ReplaceAll(edits[i].New, []byte("\n"), []byte("\r\n"))
		}
	}
	b.out = append(b.out, Remedy{Name: b.idea.name, Edits: edits, Weight: weight * b.idea.prior, Precision: b.idea.precision, Why: why, At: b.at})
}

func replaced(start, end int, text string) edit.Edit {
	return edit.Edit{Start: start, End: end, New: []byte(text)}
}

// place is where the complaint stands: the bytes of the name that it is about, else those from its column to its end, else its line.
func (c Complaint) place(f *code.File) (start, end int, ok bool) {
	start, end, ok = lineOf(f, c.Finding.Range.Start.Line)
	if !ok {
		return 0, 0, false
	}
	from := start
	if col := c.column(f.Source[start:end]); col > 0 && start+col-1 <= end {
		from = start + col - 1
	}
	if c.Name != "" {
		for _, at := range []int{from, start} {
			if i := code.Word(f.Source[:end], c.Name, at); i >= 0 {
				return i, i + len(c.Name), true
			}
		}
	}
	if from == start {
		text := f.Source[start:end]
		return start + len(text) - len(strings.TrimLeft(text, " \t")), start + len(strings.TrimRight(text, " \t\r")), true
	}
	if to := c.Finding.Range.End; to.Line == c.Finding.Range.Start.Line && to.Column > c.Finding.Range.Start.Column && start+to.Column-1 <= end {
		return from, start + to.Column - 1, true
	}
	return from, from, true
}

// column is the complaint's column in bytes of its line: Checkstyle has a tab end at every eighth.
func (c Complaint) column(line string) int {
	col := c.Finding.Range.Start.Column
	if c.Finding.Tool != "checkstyle" || !strings.Contains(line, "\t") {
		return col
	}
	const tab = 8
	at := 0
	for i, r := range line {
		if at >= col-1 {
			return i + 1
		}
		if r == '\t' {
			at += tab - at%tab
		} else {
			at++
		}
	}
	return col
}

// lineOf are a line's bytes, its ending left out.
func lineOf(f *code.File, line int) (start, end int, ok bool) {
	start = f.Tree.Offset(diag.Position{Line: line})
	if start < 0 {
		return 0, 0, false
	}
	end = len(f.Source)
	if i := strings.IndexByte(f.Source[start:], '\n'); i >= 0 {
		end = start + i
	}
	return start, end, true
}

// quote shows code in a sentence.
func quote(text string) string { return phrase.Code(text) }
