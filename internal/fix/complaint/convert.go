package complaint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/near"
	"fettle/internal/pattern"
)

// wrapping is a way to make a value of one type out of another; X stands for it.
type wrapping struct {
	got, want func(typ string) bool
	form      string
	weight    float64
	why       meaning
}

// meaning is what a wrapping says was meant, and how often that is right where the checker is content with it.
type meaning struct {
	why       string
	precision float64
}

func oneOf(names ...string) func(string) bool {
	return func(typ string) bool { return slices.Contains(names, typ) }
}

func listType(typ string) bool {
	return strings.HasPrefix(typ, "[]") || strings.HasSuffix(typ, "[]") || strings.HasPrefix(typ, "list[") || strings.HasPrefix(typ, "List[") || strings.HasPrefix(typ, "Sequence[") || strings.HasPrefix(typ, "tuple[")
}

func javaList(typ string) bool {
	return strings.HasPrefix(typ, "List<") || strings.HasPrefix(typ, "ArrayList<") || strings.HasPrefix(typ, "Collection<") || strings.HasPrefix(typ, "Set<")
}

func jOptional(typ string) bool { return strings.HasPrefix(typ, "Optional<") }

func anyType(string) bool { return true }

func pointer(typ string) bool { return strings.HasPrefix(typ, "*") }

var (
	goNumber = oneOf("int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "byte", "rune", "uintptr")
	goText   = oneOf("string")
	pyText   = oneOf("str")
	pyNumber = oneOf("int", "float")
	jsNumber = oneOf("number")
	jText    = oneOf("String")
	jNumber  = oneOf("int", "long", "short", "byte", "float", "double", "char", "Integer", "Long", "Double")
)

var (
	sizeMeant    = meaning{"its length is meant", 0.85}
	elementMeant = meaning{"one of its elements is meant", 0.60}
	formMeant    = meaning{"it has to be converted", 0.75}
	targetMeant  = meaning{"what it points to is meant", 0.85}
	pointerMeant = meaning{"a pointer to it is meant", 0.80}
	textMeant    = meaning{"its text is meant", 0.75}
	insideMeant  = meaning{"what it holds is meant", 0.60}
)

var wrappings = map[string][]wrapping{
	"Go": {
		{func(t string) bool { return listType(t) || t == "string" || strings.HasPrefix(t, "map[") }, oneOf("int"), "len(X)", 1, sizeMeant},
		{goNumber, goText, "strconv.Itoa(X)", 0.8, formMeant},
		{goNumber, goNumber, "WANT(X)", 0.9, formMeant},
		{oneOf("[]byte", "rune", "byte", "[]rune"), goText, "string(X)", 0.9, formMeant},
		{goText, oneOf("[]byte", "[]rune"), "WANT(X)", 0.9, formMeant},
		{listType, anyType, "X[0]", 0.6, elementMeant}, {listType, anyType, "X[1]", 0.58, elementMeant}, {listType, anyType, "X[len(X)-1]", 0.4, elementMeant},
		{pointer, anyType, "*X", 0.8, targetMeant}, {anyType, pointer, "&X", 0.8, pointerMeant},
		{oneOf("error"), goText, "X.Error()", 0.9, textMeant}, {goText, oneOf("error"), "errors.New(X)", 0.8, formMeant},
		{func(t string) bool { return !listType(t) && !goNumber(t) && t != "bool" }, goText, "X.String()", 0.6, textMeant},
	},
	"Python": {
		{pyNumber, pyText, "str(X)", 0.9, formMeant}, {pyText, oneOf("int"), "int(X)", 0.9, formMeant}, {pyText, oneOf("float"), "float(X)", 0.9, formMeant},
		{oneOf("float"), oneOf("int"), "int(X)", 0.9, formMeant}, {oneOf("float"), oneOf("int"), "round(X)", 0.6, formMeant},
		{listType, oneOf("int"), "len(X)", 0.9, sizeMeant}, {listType, anyType, "X[0]", 0.6, elementMeant}, {listType, anyType, "X[-1]", 0.4, elementMeant},
		{oneOf("bytes"), pyText, "X.decode()", 0.9, formMeant}, {pyText, oneOf("bytes"), "X.encode()", 0.9, formMeant},
		{func(t string) bool {
			return strings.HasPrefix(t, "Generator[") || strings.HasPrefix(t, "set[") || strings.HasPrefix(t, "map[")
		}, listType, "list(X)", 0.9, formMeant},
	},
	"TypeScript": {
		{jsNumber, oneOf("string"), "String(X)", 0.9, formMeant}, {oneOf("string"), jsNumber, "Number(X)", 0.9, formMeant}, {listType, jsNumber, "X.length", 0.9, sizeMeant},
		{oneOf("string"), jsNumber, "X.length", 0.7, sizeMeant}, {listType, anyType, "X[0]", 0.6, elementMeant}, {anyType, oneOf("boolean"), "Boolean(X)", 0.5, formMeant},
	},
	"Java": {
		{jNumber, jText, "String.valueOf(X)", 0.9, formMeant}, {jText, oneOf("int", "Integer"), "Integer.parseInt(X)", 0.8, formMeant}, {jText, oneOf("int"), "X.length()", 0.8, sizeMeant},
		{javaList, oneOf("int"), "X.size()", 0.9, sizeMeant}, {listType, oneOf("int"), "X.length", 0.9, sizeMeant}, {jNumber, jNumber, "(WANT) X", 0.8, formMeant},
		{listType, anyType, "X[0]", 0.6, elementMeant}, {javaList, anyType, "X.get(0)", 0.6, elementMeant}, {anyType, jText, "X.toString()", 0.5, textMeant},
		{anyType, jOptional, "Optional.ofNullable(X)", 0.8, formMeant}, {jOptional, anyType, "X.orElseThrow()", 0.7, insideMeant}, {jOptional, anyType, "X.orElse(null)", 0.6, insideMeant},
	},
}

// value is the expression that has the wrong type, or nil.
func (b *bench) value() *code.Node {
	n := b.at
	if n.Is(code.Return) {
		n = n.Kid(code.Value)
	}
	if !b.compiled() && n.Is(code.Name) && n.Part == code.Target && n.Parent.Declares {
		n = n.Parent.Kid(code.Value) // tsc points to the name that is given it
	}
	for n != nil && n.Parent != nil && n.Parent.Start == n.Start && n.Parent.Is(code.Attr, code.Call, code.Index, code.Slice) && (b.Name == "" || n.Text() != b.Name) {
		n = n.Parent
	}
	if n == nil || !n.Is(code.Name, code.Attr, code.Call, code.Index, code.Slice, code.Int, code.Float, code.Str, code.Group, code.Arith, code.List, code.Map) {
		return nil
	}
	return n
}

// unfelt is what another value counts in a language that runs with wrong types: as long as its tests pass, it is not the value that is wrong.
const unfelt = 0.4

// convert makes the type that is wanted out of the one that is there.
func convert(b *bench) {
	n := b.value()
	if n == nil || b.Got == "" || b.Want == "" || n.Part == code.Target {
		return
	}
	if strings.Contains(b.Finding.Message, "has pointer receiver)") {
		b.idea.precision = pointerMeant.precision
		b.propose(1, fmt.Sprintf("%s is %s, and %s", quote(n.Text()), quote(b.Got), pointerMeant.why), replaced(n.Start, n.Start, "&"))
	}
	for _, w := range wrappings[b.file.Facts.Name] {
		if !w.got(b.Got) || !w.want(b.Want) || b.Got == b.Want {
			continue
		}
		x := n.Text()
		if !strings.Contains(w.form, "(X)") {
			x = code.Grouped(n)
		}
		text := strings.ReplaceAll(strings.ReplaceAll(w.form, "X", x), "WANT", b.Want)
		b.idea.precision = w.why.precision
		weight := w.weight
		if !b.compiled() {
			weight *= unfelt
		}
		b.propose(weight, fmt.Sprintf("%s is %s, and %s", quote(n.Text()), quote(b.Got), w.why.why), append(b.needed(w.form), replaced(n.Start, n.End, text))...)
	}
}

// ofPackage is a call of one of the packages of Go's library.
var ofPackage = pattern.New(`^([a-z]+)\.\w+\(`)

// needed are the edits that import what a conversion calls.
func (b *bench) needed(form string) []edit.Edit {
	m := ofPackage.FindStringSubmatch(form)
	if m == nil || b.file.Facts.Name != "Go" || strings.Contains(b.file.Source, `"`+m[1]+`"`) {
		return nil
	}
	return b.importing(`"` + m[1] + `"`)
}

var asked = pattern.New(`\.([a-z]\w*)\(\)`)

// most members that a value is asked for
const mostMembers = 12

// askMember asks a value for what it can tell, as other places ask theirs: what is called like the function around, or the thing that the
// value is for, comes first.
func askMember(b *bench) {
	n := b.value()
	if n == nil || b.file.Facts.Name == "Python" || nullish.MatchString(b.Got) || n.Part == code.Target || !n.Is(code.Name, code.Attr, code.Call) {
		return
	}
	count := map[string]int{}
	take := func(text string, by int) {
		for _, m := range asked.FindAllStringSubmatch(text, -1) {
			count[m[1]] += by
		}
	}
	take(b.file.Source, 3)
	if b.project != nil {
		read := 0
		for _, text := range b.project.Sources(b.file.Path) {
			take(text, 1)
			if read++; read == 50 {
				break
			}
		}
	}
	var around []string
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Is(code.Function, code.Class) {
			around = append(around, p.Name)
		}
		if p.Is(code.Assign) {
			around = append(around, p.Kid(code.Target).Text())
		}
	}
	context := strings.Join(around, " ")
	members := make([]string, 0, len(count))
	rank := map[string]float64{}
	for m, times := range count {
		members = append(members, m)
		rank[m] = 2*shared(m, context) + min(float64(times), 10)/10
	}
	slices.SortFunc(members, func(x, y string) int { return cmp.Or(cmp.Compare(rank[y], rank[x]), cmp.Compare(x, y)) })
	for i, m := range members[:min(len(members), mostMembers)] {
		b.propose(1-0.05*float64(i), fmt.Sprintf("what %s gives is meant, not %s itself", quote(m+"()"), quote(n.Text())), replaced(n.End, n.End, "."+m+"()"))
	}
}

// shared is how much of a name's words stand among those of a text.
func shared(name, text string) float64 {
	words := wordsOf(name)
	there := wordsOf(text)
	hits := 0
	for _, w := range words {
		if slices.ContainsFunc(there, func(o string) bool { return near.Likeness(w, o) > 0.8 }) {
			hits++
		}
	}
	if len(words) == 0 {
		return 0
	}
	return float64(hits) / float64(len(words))
}

// wordsOf are the words of names in camel case or with underscores, in small letters.
func wordsOf(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 1 {
			out = append(out, strings.ToLower(string(word)))
		}
		word = nil
	}
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush()
			continue
		}
		if unicode.IsUpper(r) && len(word) > 0 && !unicode.IsUpper(word[len(word)-1]) {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}
