package complaint

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/near"
	"fettle/internal/pattern"
)

// builtins are names that a language makes known everywhere: those that people misspell.
var builtins = map[string][]string{
	"Python": {
		"abs", "all", "any", "bool", "bytes", "callable", "dict", "enumerate", "filter", "float", "format", "frozenset", "getattr", "hasattr", "hash", "int", "isinstance", "issubclass",
		"iter", "len", "list", "map", "max", "min", "next", "object", "open", "ord", "chr", "pow", "print", "range", "repr", "reversed", "round", "set", "setattr", "sorted", "str", "sum",
		"super", "tuple", "type", "vars", "zip", "True", "False", "None", "Exception", "ValueError", "TypeError", "KeyError", "IndexError", "AttributeError", "RuntimeError",
		"NotImplementedError", "OSError", "StopIteration", "ZeroDivisionError", "self", "cls",
	},
	"JavaScript": {
		"Array", "Boolean", "Date", "Error", "JSON", "Map", "Math", "NaN", "Number", "Object", "Promise", "RegExp", "Set", "String", "Symbol", "TypeError", "RangeError", "console",
		"decodeURIComponent", "encodeURIComponent", "isNaN", "isFinite", "module", "parseFloat", "parseInt", "process", "require", "undefined", "setTimeout", "clearTimeout",
	},
	"Go": {
		"append", "cap", "clear", "close", "copy", "delete", "len", "make", "max", "min", "new", "nil", "panic", "recover", "true", "false", "any", "bool", "byte", "error", "float32",
		"float64", "int", "int8", "int16", "int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64",
	},
	"Java": {
		"Boolean", "Character", "Double", "Exception", "IllegalArgumentException", "IllegalStateException", "Integer", "Iterable", "Long", "Math", "NullPointerException", "Object",
		"Override", "RuntimeException", "String", "StringBuilder", "System", "Thread", "this", "super",
	},
}

func init() {
	builtins["TypeScript"] = slices.Concat(builtins["JavaScript"], []string{
		"any", "bigint", "boolean", "never", "null", "number", "object", "string", "symbol", "unknown", "void", "Record", "Partial", "Readonly", "ReadonlyArray", "Awaited", "Required",
		"Pick", "Omit", "ReturnType", "Function", "Iterable",
	})
}

// nearName puts a name that is known in the place of one that is not, and is spelled like it.
func nearName(b *bench) {
	weight := 1.0
	if b.inLibrary() {
		weight = forgotten
	}
	b.spelledLike([]source{{b.scope(), weight}, {builtins[b.file.Facts.Name], 0.95 * weight}, {b.words(), 0.7 * weight}})
}

// forgotten is what another name counts for one that the language's library has, and that is used like it.
const forgotten = 0.5

// inLibrary reports whether the complaint's name is a module's of the language's library, and is used as one.
func (b *bench) inLibrary() bool {
	lang := b.file.Facts.Name
	return b.Name != "" && b.after() == "." && (slices.Contains(modules[lang], b.Name) || lang == "Go" && packages[b.Name] != "")
}

// nearMember puts a member that is asked for elsewhere in the place of one that the value has not, or any name that stands where the value's type may be made:
// the fields of a type have no form of their own that all languages share.
func nearMember(b *bench) {
	if library := members[b.file.Facts.Name]; b.file.Facts.Name == "Java" && slices.Contains(library, b.Name) && b.after() != "(" {
		b.propose(1, quote(b.Name)+" is a method", replaced(b.end, b.end, "()"))
	} else if b.Name == "length" && strings.HasPrefix(b.file.Source[b.end:], "()") && b.file.Facts.Name == "Java" {
		b.propose(1, "the length of an array is no method", replaced(b.end, b.end+2, ""))
	}
	var here, there, further []string
	for n := range b.file.Root.Walk() {
		switch {
		case n.Is(code.Member), n.Is(code.Function) && n.Name != "":
			here = append(here, n.Name)
		case n.Is(code.Assign) && n.Kid(code.Target).Is(code.Attr):
			here = append(here, n.Kid(code.Target).Name)
		}
	}
	if b.project != nil {
		read := 0
		for _, text := range b.project.Sources(b.file.Path) {
			for _, m := range defined.FindAllStringSubmatch(text, -1) {
				for _, name := range m[1:] {
					if name != "" {
						there = append(there, name)
					}
				}
			}
			further = append(further, spelt(text, b.Name)...)
			if read++; read == mostSources {
				break
			}
		}
	}
	b.spelledLike([]source{{here, 1}, {spelt(b.file.Source, b.Name), 0.95}, {there, 0.9}, {members[b.file.Facts.Name], 0.85}, {further, 0.8}})
}

// spelt are the words of a source that are about as long as a name, each once.
func spelt(source, name string) []string {
	const most = 2 // letters more, or fewer
	seen := map[string]bool{}
	return slices.DeleteFunc(word.FindAllString(source, -1), func(w string) bool {
		again := seen[w]
		seen[w] = true
		return again || len(w) > len(name)+most || len(w) < len(name)-most
	})
}

var word = pattern.New(`[A-Za-z_]\w*`)

// source is where a name may come from, and what that counts.
type source struct {
	names  []string
	weight float64
}

// most names that are proposed for one
const mostNames = 4

// What the checker's own proposal is worth, and what others count beside it: it knows more names than stand in the file.
const (
	hinted   = 0.92
	unhinted = 0.4
)

func (b *bench) spelledLike(sources []source) {
	if b.Name == "" || b.end-b.start != len(b.Name) {
		return
	}
	best := map[string]float64{}
	if b.Hint != "" {
		best[b.Hint] = 1
	}
	var order []string
	for _, s := range sources {
		for _, name := range s.names {
			like := near.Likeness(b.Name, name)
			if b.Hint != "" {
				like *= unhinted
			}
			if name == b.Name || like == 0 || like < near.Enough && b.Hint == "" || best[name] >= like*s.weight {
				continue
			}
			if best[name] == 0 {
				order = append(order, name)
			}
			best[name] = like * s.weight
		}
	}
	if b.Hint != "" {
		order = slices.Insert(order, 0, b.Hint)
		b.idea.precision = hinted
	}
	slices.SortStableFunc(order, func(x, y string) int {
		switch {
		case best[x] > best[y]:
			return -1
		case best[x] < best[y]:
			return 1
		}
		return 0
	})
	for _, name := range order[:min(len(order), mostNames)] {
		b.propose(best[name], fmt.Sprintf("%s is not known there, %s is", quote(b.Name), quote(name)), replaced(b.start, b.end, name))
	}
}

// scope are the names that can be read at the place.
func (b *bench) scope() []string {
	var out []string
	for _, v := range b.at.Scope() {
		out = append(out, v.Name)
	}
	return out
}

// words are the names of whatever stands in the file elsewhere.
func (b *bench) words() []string {
	var out []string
	for n := range b.file.Root.Walk() {
		if n.Name != "" && (n.Is(code.Class, code.Function, code.Param) || n.Is(code.Name) && n.Name != b.Name) {
			out = append(out, n.Name)
		}
	}
	return out
}
