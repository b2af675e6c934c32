package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/runner"
)

// kind is a set of what values can be, coarse enough to be known in every language. Nothing is known of kind 0.
type kind uint16

const (
	kBool kind = 1 << iota
	kInt
	kFloat
	kText
	kList // what is in an order: list, tuple, array, slice
	kMap  // what is found by key; sets
	kNull
	kFunc
	kOther // objects, modules
)

const kNumber = kInt | kFloat

// typ is what is known of a value.
type typ struct {
	kind  kind
	names []string // the language's own names; none: only the kind is known
}

func (t typ) known() bool { return t.kind != 0 }

func (t typ) is(k kind) bool { return t.kind&k != 0 }

// fits is how well a value of one type stands where one of another stood: 0 not at all, 1 the same type; in between: not known.
func fits(value, place typ) float64 {
	switch {
	case !value.known() || !place.known():
		return 0.6
	case len(value.names) > 0 && slices.ContainsFunc(value.names, func(n string) bool { return slices.Contains(place.names, n) }):
		return 1
	case value.kind&place.kind&^kOther != 0:
		return 0.85
	case value.kind&(kNumber|kBool) != 0 && place.kind&(kNumber|kBool) != 0:
		return 0.4
	case place.kind == kNull || value.kind == kNull:
		return 0.3
	case value.kind&place.kind != 0:
		return 0.5
	}
	return 0
}

// types is what is known of the values of expressions: what was seen while tests ran, and what their form says.
type types struct {
	seen     map[*code.Node]typ
	vars     map[*code.Node]map[string]typ // by function, or file, and name
	declared map[*code.Node]typ
	fields   map[*code.Node]map[string]string // of classes, by their names, as they are declared
}

// fieldsOf are the types that a class declares its fields to have, by their names. Each class is read once: every name at every place is asked about.
func (k *types) fieldsOf(class *code.Node) map[string]string {
	fields, ok := k.fields[class]
	if !ok {
		fields = class.FieldTypes()
		k.fields[class] = fields
	}
	return fields
}

func newTypes() *types {
	return &types{seen: map[*code.Node]typ{}, vars: map[*code.Node]map[string]typ{}, declared: map[*code.Node]typ{}, fields: map[*code.Node]map[string]string{}}
}

// learn takes in what was seen.
func (u *unit) learn(all []runner.Seen) {
	for _, s := range all {
		f := u.files[s.File]
		if f == nil {
			continue
		}
		n := f.At(s.Start, s.End)
		if n == nil || n.Start != s.Start || n.End != s.End {
			continue
		}
		t := typ{}
		for _, name := range s.Types {
			if made, under := strings.CutPrefix(name, "~"); under {
				t.kind = t.kind&^kOther | kindOf(made) // what the type is made of says more than its name
				continue
			}
			t.kind |= kindOf(name)
			t.names = append(t.names, name)
		}
		u.types.seen[n] = join(u.types.seen[n], t)
		if n.Role == code.Name || n.Role == code.Attr {
			u.types.variable(n, n.Text(), t)
		}
	}
}

func (k *types) variable(at *code.Node, name string, t typ) {
	holder := holderOf(at)
	if k.vars[holder] == nil {
		k.vars[holder] = map[string]typ{}
	}
	k.vars[holder][name] = join(k.vars[holder][name], t)
}

func holderOf(n *code.Node) *code.Node {
	if fn := n.Up(code.Function); fn != nil {
		return fn
	}
	return n.File.Root
}

func join(a, b typ) typ {
	if !a.known() {
		return b
	}
	out := typ{kind: a.kind | b.kind, names: slices.Clone(a.names)}
	for _, n := range b.names {
		if !slices.Contains(out.names, n) {
			out.names = append(out.names, n)
		}
	}
	return out
}

// kindOf is the kind of a type by its name, generic parameters left out.
func kindOf(name string) kind {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "final "), "java.util.")
	if strings.HasSuffix(name, "[]") || strings.HasPrefix(name, "[]") {
		return kList
	}
	switch {
	case strings.HasPrefix(name, "func("):
		return kFunc
	case strings.HasPrefix(name, "*"), strings.HasPrefix(name, "interface"), strings.HasPrefix(name, "struct"):
		return kOther
	}
	base := name
	if i := strings.IndexAny(name, "[<"); i > 0 {
		base = name[:i]
	}
	if k, ok := kinds[base]; ok {
		return k
	}
	return kOther
}

var kinds = map[string]kind{
	"bool": kBool, "boolean": kBool, "Boolean": kBool,
	"int": kInt, "int8": kInt, "int16": kInt, "int32": kInt, "int64": kInt, "uint": kInt, "uint8": kInt, "uint16": kInt, "uint32": kInt,
	"uint64": kInt, "long": kInt, "short": kInt, "byte": kInt, "Integer": kInt, "Long": kInt, "bigint": kInt, "integer": kInt, "BigInteger": kInt,
	"untyped rune": kInt, "untyped int": kInt, "untyped float": kFloat, "untyped string": kText, "untyped bool": kBool, "untyped nil": kNull, "rune": kInt, "char": kInt | kText, "Character": kInt | kText,
	"float": kFloat, "float32": kFloat, "float64": kFloat, "double": kFloat, "Double": kFloat, "Float": kFloat, "number": kNumber, "complex": kFloat,
	"str": kText, "string": kText, "String": kText, "bytes": kText, "StringBuilder": kOther,
	"list": kList, "tuple": kList, "range": kList, "deque": kList, "Array": kList, "array": kList, "List": kList, "ArrayList": kList, "LinkedList": kList,
	"dict": kMap, "set": kMap, "frozenset": kMap, "defaultdict": kMap, "Counter": kMap, "OrderedDict": kMap, "Map": kMap, "Set": kMap, "HashMap": kMap,
	"HashSet": kMap, "TreeMap": kMap, "TreeSet": kMap, "map": kMap,
	"NoneType": kNull, "null": kNull, "undefined": kNull,
	"function": kFunc, "builtin_function_or_method": kFunc, "method": kFunc, "Function": kFunc, "func": kFunc,
	"generator": kOther, "type": kFunc,
}

// of is what is known of an expression.
func (s *site) of(n *code.Node) typ {
	if n == nil {
		return typ{}
	}
	if t, ok := s.unit.types.seen[n]; ok {
		return t
	}
	if n.Role == code.Name || n.Role == code.Attr {
		if t := s.variableType(n, n.Text()); t.known() {
			return t
		}
	}
	if n.Role == code.Name {
		return s.declaredAs(n)
	}
	if n.Role == code.Attr && n.Kid(code.Object).Is(code.Self) {
		return s.fieldType(n, n.Name)
	}
	return s.form(n)
}

// declaredAs is what a variable was declared as, or made from, as far as that is written down.
func (s *site) declaredAs(n *code.Node) typ {
	known := s.unit.types.declared
	t, ok := known[n]
	if !ok {
		scope := n.Scope()
		if i := slices.IndexFunc(scope, func(v code.Variable) bool { return v.Name == n.Name }); i >= 0 {
			t = s.declaredType(scope[i])
		} else {
			t = s.fieldType(n, n.Name) // where a field goes by its name alone
		}
		known[n] = t
	}
	return t
}

// fieldType is what a class around a node declares a field to be.
func (s *site) fieldType(at *code.Node, name string) typ {
	for class := at.Up(code.Class); class != nil; class = class.Up(code.Class) {
		if declared := s.unit.types.fieldsOf(class)[name]; declared != "" {
			return typ{kind: kindOf(declared), names: []string{declared}}
		}
	}
	return typ{}
}

// variableType is what is known of a variable by its name where a node stands.
func (s *site) variableType(at *code.Node, name string) typ {
	for h := holderOf(at); h != nil; h = holderOf(h) {
		if t, ok := s.unit.types.vars[h][name]; ok {
			return t
		}
		if h.Role == code.Module {
			break
		}
	}
	return typ{}
}

// forms are the kinds of what is written out, or says by its operator what it gives.
var forms = map[code.Role]kind{
	code.Int: kInt, code.Float: kFloat, code.Str: kText, code.Char: kText | kInt, code.Bool: kBool, code.Compare: kBool, code.Not: kBool, code.Null: kNull,
	code.List: kList, code.Map: kMap, code.Function: kFunc, code.Comprehension: kList | kMap,
}

// form is what an expression's own form says.
func (s *site) form(n *code.Node) typ {
	switch n.Role {
	case code.Group, code.Unary:
		return s.of(n.Kid(code.Operand))
	case code.Slice:
		return s.of(n.Kid(code.Object))
	case code.Choice:
		return join(s.of(n.Kid(code.Then)), s.of(n.Kid(code.Else)))
	case code.Logic:
		if condition(n) || s.of(n.Kid(code.Left)).kind == kBool && s.of(n.Kid(code.Right)).kind == kBool {
			return typ{kind: kBool}
		}
	case code.Arith:
		a, b := s.of(n.Kid(code.Left)).kind, s.of(n.Kid(code.Right)).kind
		if a == b || a != 0 && b != 0 && (a|b)&^kNumber == 0 {
			return typ{kind: a | b}
		}
	case code.Call:
		if c := n.Kid(code.Callee); c != nil {
			return typ{kind: results[c.Name]}
		}
	default:
		return typ{kind: forms[n.Role]}
	}
	return typ{}
}

// results are the kinds of what well-known functions and methods give, in any language.
var results = map[string]kind{
	"len": kInt, "int": kInt, "ord": kInt, "abs": kNumber, "sum": kNumber, "round": kNumber, "float": kFloat, "str": kText, "chr": kText, "bool": kBool,
	"list": kList, "sorted": kList, "tuple": kList, "range": kList, "dict": kMap, "set": kMap, "isinstance": kBool, "any": kBool, "all": kBool,
	"strip": kText, "lower": kText, "upper": kText, "join": kText, "replace": kText, "format": kText, "split": kList, "startswith": kBool, "endswith": kBool,
	"find": kInt, "index": kInt, "count": kInt, "isdigit": kBool, "isalpha": kBool, "keys": kList, "values": kList, "items": kList,
	"indexOf": kInt, "lastIndexOf": kInt, "includes": kBool, "startsWith": kBool, "endsWith": kBool, "toLowerCase": kText, "toUpperCase": kText, "trim": kText,
	"charAt": kText, "charCodeAt": kInt, "toString": kText, "parseInt": kInt, "parseFloat": kFloat, "equals": kBool, "isEmpty": kBool, "contains": kBool,
	"size": kInt, "length": kInt, "substring": kText, "floor": kNumber, "ceil": kNumber, "sqrt": kFloat, "pow": kNumber, "Number": kNumber, "String": kText,
	"containsKey": kBool, "cap": kInt, "HasPrefix": kBool, "HasSuffix": kBool, "Contains": kBool, "Index": kInt, "TrimSpace": kText, "Repeat": kText,
}
