package search

import (
	"slices"

	"fettle/internal/code"
)

// siblings are groups of functions and methods that are taken for one another, in any language: who writes one may have meant another.
var siblings = [][]string{
	{"min", "max"}, {"any", "all"}, {"issubset", "issuperset"}, {"isSubsetOf", "isSupersetOf"}, {"append", "extend", "add", "insert"}, {"add", "update", "discard", "remove"}, {"lower", "upper", "swapcase", "title", "capitalize"}, {"startswith", "endswith"}, {"find", "rfind", "index"},
	{"strip", "lstrip", "rstrip"}, {"pop", "popleft"}, {"append", "appendleft"}, {"keys", "values", "items"}, {"floor", "ceil", "round", "trunc"}, {"isdigit", "isalpha", "isalnum"},
	{"isupper", "islower"}, {"ljust", "rjust", "center"}, {"sorted", "reversed", "list", "set", "tuple"}, {"int", "float", "round", "str"}, {"sum", "len", "max", "min"}, {"split", "rsplit"},
	{"push", "unshift", "concat"}, {"pop", "shift"}, {"some", "every"}, {"map", "filter", "forEach"}, {"indexOf", "lastIndexOf"}, {"startsWith", "endsWith", "includes"},
	{"toUpperCase", "toLowerCase"}, {"trim", "trimStart", "trimEnd"}, {"slice", "splice", "substring"}, {"parseInt", "parseFloat", "Number"}, {"find", "filter", "findIndex"},
	{"isEmpty", "isBlank"}, {"containsKey", "containsValue"}, {"getFirst", "getLast"}, {"addFirst", "addLast", "add"}, {"removeFirst", "removeLast"}, {"first", "last"}, {"left", "right"},
	{"HasPrefix", "HasSuffix", "Contains"}, {"ToUpper", "ToLower"}, {"TrimLeft", "TrimRight", "TrimPrefix", "TrimSuffix", "TrimSpace"}, {"Min", "Max"}, {"Floor", "Ceil", "Round"},
	{"equals", "equalsIgnoreCase"}, {"put", "putIfAbsent", "add"}, {"Before", "After"}, {"Print", "Println"}, {"isUpperCase", "isLowerCase"}, {"isDigit", "isLetter", "isLetterOrDigit"},
	{"lstrip", "removeprefix"}, {"rstrip", "removesuffix"}, {"trimLeft", "trimStart"}, {"partition", "rpartition", "split"}, {"split", "splitlines"}, {"fullmatch", "match", "search"}, {"bisect_left", "bisect_right"}, {"bisect", "bisect_left"},
	{"copy", "deepcopy"}, {"nlargest", "nsmallest"}, {"permutations", "combinations", "product"}, {"mean", "median"}, {"get", "pop", "setdefault"}, {"weekday", "isoweekday"}, {"lower", "casefold"},
	{"getDay", "getDate"}, {"getYear", "getFullYear"}, {"getHours", "getUTCHours"}, {"getDate", "getUTCDate"}, {"getDay", "getUTCDay"}, {"getMonth", "getUTCMonth"}, {"getTime", "getDate"}, {"substr", "substring", "slice"}, {"replace", "replaceAll", "replaceFirst"},
	{"find", "findLast"}, {"padStart", "padEnd"}, {"charAt", "charCodeAt"}, {"keys", "values", "entries"}, {"flat", "flatMap"}, {"map", "flatMap"}, {"matches", "find", "lookingAt"}, {"match", "matchAll"},
	{"poll", "peek"}, {"pollFirst", "pollLast"}, {"peekFirst", "peekLast"}, {"push", "addLast", "offer"}, {"pop", "peek"}, {"floorKey", "ceilingKey", "lowerKey", "higherKey"}, {"floorEntry", "ceilingEntry", "lowerEntry", "higherEntry"}, {"headMap", "tailMap"}, {"firstKey", "lastKey"},
	{"isBefore", "isAfter"}, {"toHours", "toHoursPart"}, {"toMinutes", "toMinutesPart"}, {"toSeconds", "toSecondsPart"}, {"toMillis", "toMillisPart"}, {"plusDays", "minusDays"}, {"plusMonths", "plusDays", "plusWeeks"}, {"getDayOfWeek", "getDayOfMonth", "getDayOfYear"}, {"getMonth", "getMonthValue"}, {"compare", "compareUnsigned"}, {"compareTo", "compareToIgnoreCase"}, {"floorDiv", "floorMod"}, {"removeIf", "retainAll"},
	{"Fields", "Split"}, {"Split", "SplitN"}, {"Index", "LastIndex"}, {"Trim", "TrimPrefix", "TrimSuffix"}, {"Trim", "TrimLeft", "TrimRight"}, {"Day", "YearDay", "Weekday"}, {"Hour", "Minute", "Second"}, {"Hours", "Minutes", "Seconds"}, {"Truncate", "Round"}, {"Sub", "Add"}, {"Replace", "ReplaceAll"}, {"Front", "Back"}, {"PushFront", "PushBack"},
	{"Sort", "SortStable"}, {"Search", "BinarySearch"}, {"EqualFold", "Compare"}, {"IsDigit", "IsLetter", "IsNumber"}, {"IsUpper", "IsLower"}, {"IsSpace", "IsPunct"}, {"Contains", "ContainsAny"}, {"Ceil", "Floor", "Trunc"},
	{"set", "dict.fromkeys"}, {"sqrt", "abs", "pow"}, {"Itoa", "Quote"}, {"reverse", "sort"}, {"heappush", "heappop"}, {"keySet", "values", "entrySet"}, {"charAt", "indexOf", "codePointAt"},
}

// takenForOneAnother reports whether two functions stand in one group of siblings.
func takenForOneAnother(a, b string) bool {
	return slices.ContainsFunc(siblings, func(group []string) bool { return slices.Contains(group, a) && slices.Contains(group, b) })
}

// siblingCall calls another function or method like it.
func siblingCall(s *site, try func(change)) {
	if s.fact().Silent && s.Part == code.Arg && s.Is(code.Name) && s.Name == "parseInt" && s.Parent.Calls() == "map" {
		try(replace(s.Node, "Number", 1, "%s takes the index for the base of its numbers, %s does not", quote(s.Name), quote("Number")))
	}
	s.fieldsOf(try)
	s.madeInto(try)
	if s.calledHere() == nil {
		return
	}
	tried := map[string]bool{s.Name: true}
	propose := func(other string, w float64) {
		if !tried[other] {
			tried[other] = true
			try(replace(s.Node, other, w, "%s was called where %s is meant", quote(s.Name), quote(other)))
		}
	}
	for _, group := range siblings {
		if slices.Contains(group, s.Name) {
			for i, other := range group {
				propose(other, 1-0.1*float64(i))
			}
		}
	}
	if s.Role == code.Member {
		s.siblingMembers(propose)
		return
	}
	if s.Part == code.Callee {
		for _, name := range s.unit.pool(s.File).neverUsed {
			propose(name, 1)
		}
	}
}

// capitalFirst makes the first letter of a text a capital and leaves the others as they are, which Python's capitalize makes small.
func (s *site) capitalFirst(try func(change)) {
	of := s.Kid(code.Callee).Kid(code.Object)
	if s.fact().Family != "Python" || !s.Is(code.Call) || s.Calls() != "capitalize" || !of.Is(code.Name, code.Attr, code.Index) {
		return
	}
	text := of.Text() + "[:1].upper() + " + of.Text() + "[1:]"
	if headed(s.Node) || s.Parent.Is(code.Compare) {
		text = "(" + text + ")"
	}
	try(replace(s.Node, text, 0.9, "%s makes the other letters small", quote("capitalize")))
}

// madeInto has what is put together made into a new object, and not into the first of those that it is put together of.
func (s *site) madeInto(try func(change)) {
	if !s.Is(code.Call) || s.Kid(code.Callee).Text() != "Object.assign" || len(s.All(code.Arg)) == 0 {
		return
	}
	if first := s.All(code.Arg)[0]; !s.Parent.Is(code.Eval) && !first.Is(code.Map, code.List, code.Call, code.Self) {
		try(insert(first.Start, "{}, ", 1, "%s changes %s itself", quote("Object.assign"), quote(first.Text())))
	}
}

// fieldsOf takes the words of a text where it is cut at each blank, which leaves empty ones between two of them.
func (s *site) fieldsOf(try func(change)) {
	args := s.All(code.Arg)
	if s.fact().Family != "Go" || !s.Is(code.Call) || s.Kid(code.Callee).Text() != "strings.Split" || len(args) != 2 || args[1].Text() != `" "` {
		return
	}
	try(replace(s.Node, "strings.Fields("+args[0].Text()+")", 0.9, "%s was called where %s is meant", quote("strings.Split"), quote("strings.Fields")))
}

// siblingMembers are the other methods that the same object has, or the other functions of the same module.
func (s *site) siblingMembers(propose func(string, float64)) {
	self := s.Parent.Kid(code.Object)
	object := self.Text()
	for n := range s.File.Root.Walk() {
		if n.Role == code.Member && n.Parent.Part == code.Callee && n.Parent.Kid(code.Object).Text() == object {
			propose(n.Name, 0.6)
		}
	}
	if self.Is(code.Self) || self.Is(code.Name) && self.Name == selfName(s) {
		for _, fn := range s.unit.pool(s.File).functions {
			if fn.Up(code.Class) == s.Up(code.Class) && fn != s.Function() {
				propose(named(fn), 0.4)
			}
		}
	}
	for i, o := range s.membersLike(s.Node) {
		if o.Kind == code.Callable && o.takes(s.Parent.Parent) {
			propose(o.Name, 0.4-0.02*float64(i))
		}
	}
}
