package code

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"

	program "fettle/internal/code"
)

// homes are the ways to the user's home folder.
var homes = map[string]bool{
	"pathlib.Path.home()": true, "os.environ.HOME": true, "process.env.HOME": true, "os.homedir()": true, "process.env.USERPROFILE": true,
	"os.UserHomeDir()": true,
}

// home makes a text of what is the home folder.
func (s *scan) home(v value) value {
	if homes[v.path] {
		return text("~")
	}
	return v
}

// result is what is known of what a call gives.
func (s *scan) result(n *program.Node, depth int) value {
	callee := n.Kid(program.Callee)
	var args []value
	for _, a := range n.All(program.Arg) {
		switch a.Role {
		case program.Keyword:
		case program.Spread:
			if v := s.eval(a.Kid(program.Operand), depth+1); v.isList {
				args = append(args, v.list...)
				continue
			}
			args = append(args, value{})
		default:
			args = append(args, s.eval(a, depth+1))
		}
	}
	if callee.Is(program.Attr) {
		if v, ok := s.built(callee, depth); ok {
			return v
		}
		if object := s.eval(callee.Kid(program.Object), depth+1); object.isText {
			if v, ok := method(object, callee.Name, args); ok {
				return v
			}
		} else if object.isList {
			if v, ok := listMethod(object, callee.Name, args); ok {
				return v
			}
		}
	}
	if name, ok := s.getter(callee, "operator.attrgetter", depth); ok && len(args) > 0 {
		return args[0].member(name)
	}
	if v, ok := s.gives(n, depth); ok {
		return v
	}
	f := s.eval(callee, depth+1).path
	if v, ok := s.reflected(f, args, depth); ok {
		return v
	}
	if v, ok := lists(f, args); ok {
		return v
	}
	if fold := folds[f]; fold != nil && len(args) > 0 {
		return s.home(fold(args))
	}
	if f == "" {
		return value{path: "?()"}
	}
	return s.home(named(f + "()"))
}

// getter is the name that something is made with which takes what stands under it: attrgetter("system"), methodcaller("system").
func (s *scan) getter(n *program.Node, made string, depth int) (string, bool) {
	if !n.Is(program.Call) || s.eval(n.Kid(program.Callee), depth+1).path != made {
		return "", false
	}
	v := s.eval(n.Kid(program.Arg), depth+1)
	return v.text, v.known()
}

// reflected is what functions give that find things by their names.
func (s *scan) reflected(f string, args []value, depth int) (value, bool) {
	arg := func(i int) value {
		if i < len(args) {
			return args[i]
		}
		return value{}
	}
	switch f {
	case "globals", "locals", "vars", "dir":
		if len(args) == 0 {
			return value{path: "builtins"}, true
		}
		return arg(0), true
	case "getattr", "Reflect.get", "inspect.getattr_static":
		if arg(1).known() {
			return arg(0).member(arg(1).text), true
		}
		switch {
		case arg(0).outside():
			return value{path: arg(0).path + "[]"}, true
		case arg(1).isText && !strings.HasPrefix(arg(1).text, unknown):
			return value{path: "?." + arg(1).text}, true // one of a family: visit_…
		}
		return value{path: "?getattr"}, true
	case "__import__", "importlib.import_module", "importlib.__import__", "require", "import", "module.require", "process.mainModule.require",
		"createRequire()", "module.createRequire()", "require.main.require", "__non_webpack_require__", "process.getBuiltinModule":
		if arg(0).known() {
			return named(arg(0).text), true
		}
		return value{path: "?" + f + "()"}, true
	case "util.promisify", "promisify", "functools.partial", "functools.wraps", "Promise.resolve", "staticmethod", "Object.freeze", "Object.seal", "Object.create", "Proxy":
		return arg(0), len(args) > 0
	case "Object.assign":
		for _, a := range args {
			if a.outside() {
				return a, true
			}
		}
	case "sys.modules.get", "globals.get":
		if arg(0).known() {
			return named(arg(0).text), true
		}
	case "builtins.get", "get":
		if arg(0).known() {
			return s.lookup(s.file.Root, arg(0).text, depth+1), true
		}
	}
	return surroundings(f, arg(0))
}

// surroundings are what is known of where a program runs: the home folder, by its many ways; an element of a page, by its kind.
func surroundings(f string, of value) (value, bool) {
	switch f {
	case "os.getenv", "os.environ.get", "os.Getenv", "System.getenv":
		return text("~"), of.text == "HOME"
	case "System.getProperty":
		return text("~"), of.text == "user.home"
	case "document.createElement":
		return named(f + "(" + of.text + ")"), of.known()
	}
	return value{}, false
}

// folds are functions of texts.
var folds = foldsOf(map[string]func([]value) value{
	"StringReader": same, "StringBuilder": same, "StringBuffer": same, "chr": codes, "String.fromCharCode": codes, "String.fromCodePoint": codes,
	"str": same, "bytes": same, "os.fspath": same, "os.path.expanduser": same, "os.path.abspath": same, "os.path.realpath": same,
	"os.path.normpath": same, "bytearray": same, "String": same, "textwrap.dedent": same,
	"shutil.which": same, "os/exec.LookPath": same, "exec.LookPath": same, "which.sync": same, "command-exists.sync": same,
	"path.resolve": joinedPath, "path.join": joinedPath, "os.path.join": joinedPath, "filepath.Join": joinedPath, "path/filepath.Join": joinedPath, "pathlib.Path": joinedPath,
	"pathlib.PosixPath": joinedPath, "Path.of": joinedPath, "Paths.get": joinedPath, "File": joinedPath, "base64.b64decode": base, "base64.urlsafe_b64decode": base, "atob": base, "base64.standard_b64decode": base,
	"bytes.fromhex": hexed, "binascii.unhexlify": hexed, "bytearray.fromhex": hexed, "binascii.a2b_base64": base,
	"codecs.decode": decoded, "fmt.Sprintf": printed, "util.format": printed, "String.format": printed, "Buffer.from": buffer,
})

// foldsOf adds those that make words of a text as a shell does.
func foldsOf(all map[string]func([]value) value) map[string]func([]value) value {
	for name := range set(shellWords) {
		all[name] = split
	}
	return all
}

func same(args []value) value {
	if args[0].isText {
		return args[0]
	}
	return value{}
}

// split are the words into which a shell takes a text apart.
func split(args []value) value {
	if !args[0].isText {
		return value{}
	}
	list := value{isList: true}
	var word strings.Builder
	var quote rune
	begun := false
	end := func() {
		if begun {
			list.list = append(list.list, text(word.String()))
		}
		word.Reset()
		begun = false
	}
	escaped := false
	for _, r := range args[0].text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, begun = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote == 0 && unicode.IsSpace(r):
			end()
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	end()
	return list
}

func joinedPath(args []value) value {
	var parts []string
	for _, a := range args {
		parts = append(parts, a.part())
	}
	if !args[0].isText && len(args) == 1 {
		if temporary.MatchString(args[0].path) {
			return args[0]
		}
		return value{}
	}
	return text(strings.ReplaceAll(strings.Join(parts, "/"), "//", "/"))
}

// codes are letters by their numbers.
func codes(args []value) value {
	var b strings.Builder
	for _, a := range args {
		if i, err := strconv.ParseInt(a.number, 0, 32); err == nil {
			b.WriteRune(rune(i))
		} else {
			b.WriteString(unknown)
		}
	}
	return text(b.String())
}

func base(args []value) value {
	if !args[0].known() {
		return value{}
	}
	t := strings.TrimRight(args[0].text, "=")
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if out, err := enc.DecodeString(t); err == nil {
			return text(string(out))
		}
	}
	return value{}
}

func hexed(args []value) value {
	out, err := hex.DecodeString(strings.ReplaceAll(args[0].part(), " ", ""))
	if err != nil {
		return value{}
	}
	return text(string(out))
}

func decoded(args []value) value {
	if len(args) < 2 || !args[0].known() {
		return value{}
	}
	switch args[1].text {
	case "rot13", "rot_13", "rot-13":
		return text(rot13(args[0].text))
	case "hex", "hex_codec":
		return hexed(args)
	case "base64", "base64_codec":
		return base(args)
	}
	return args[0]
}

// buffer is Node's Buffer.from: its second argument says how to read the first.
func buffer(args []value) value {
	if len(args) > 1 && args[1].text == "base64" {
		return base(args)
	}
	if len(args) > 1 && args[1].text == "hex" {
		return hexed(args)
	}
	return same(args)
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func printed(args []value) value { return text(printf(args[0].part(), args[1:])) }

// printf puts values in the place of verbs.
func printf(format string, args []value) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		switch {
		case format[i] == '%':
			b.WriteByte('%')
		case len(args) == 0:
			b.WriteString(unknown)
		default:
			b.WriteString(args[0].part())
			args = args[1:]
		}
	}
	return b.String()
}

// method is what a method of a text gives.
func method(t value, name string, args []value) (value, bool) {
	switch name {
	case "encode", "decode", "strip", "trim", "toString", "resolve", "absolute", "expanduser", "as_posix":
		return t, true
	case "lower", "toLowerCase":
		return text(strings.ToLower(t.text)), true
	case "join":
		return joinedWith(t, args), true
	case "iterdir", "glob", "rglob":
		return value{isList: true, list: []value{text(t.text + "/" + unknown)}}, true
	case "walk":
		return value{isList: true, list: []value{below(t.text)}}, true
	case "joinpath":
		return joinedPath(append([]value{t}, args...)), true
	case "concat", "append":
		for _, a := range args {
			t.text += a.part()
		}
		return t, true
	case "replace", "replaceAll":
		if len(args) == 2 && args[0].known() && args[1].known() {
			return text(strings.ReplaceAll(t.text, args[0].text, args[1].text)), true
		}
	case "formatted":
		return text(printf(t.text, args)), true
	case "format":
		return text(braces(t.text, args)), true
	case "split":
		if len(args) == 1 && args[0].text == "" && args[0].isText {
			return runes(t.text), true
		}
	}
	return value{}, false
}

// joinedWith is a list whose parts a text stands between.
func joinedWith(t value, args []value) value {
	if len(args) != 1 || len(args[0].list) == 0 {
		return text(unknown)
	}
	return joinedBy(args[0].list, t.text)
}

func runes(s string) value {
	v := value{isList: true}
	for _, r := range s {
		v.list = append(v.list, text(string(r)))
	}
	return v
}

// braces puts values in the place of {} and {0}.
func braces(format string, args []value) string {
	var b strings.Builder
	next := 0
	for format != "" {
		before, rest, ok := strings.Cut(format, "{")
		b.WriteString(before)
		if !ok {
			break
		}
		field, after, _ := strings.Cut(rest, "}")
		format = after
		i, err := strconv.Atoi(field)
		if err != nil {
			i = next
			next++
		}
		if i < len(args) {
			b.WriteString(args[i].part())
		} else {
			b.WriteString(unknown)
		}
	}
	return b.String()
}
