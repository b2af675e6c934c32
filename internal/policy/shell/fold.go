package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// fold computes in code what makes a path out of others, so that a path which is put together is judged as the path it is.
func (sc *scan) fold() {
	if !slices.ContainsFunc(sc.tokens, func(t token) bool { return t.kind == nameToken && sc.folds(sc.realName(t.text)) }) {
		return
	}
	rest := sc.tokens
	out := make([]token, 0, len(rest))
	for len(rest) > 0 { // a statement at a time: what is put in the place of a call moves what stands behind it
		n := statement(rest)
		sc.tokens = rest[:n:n]
		// From the end on: what stands inside comes first.
		for i := len(sc.tokens) - 1; i >= 0; i-- {
			if i < len(sc.tokens) && sc.tokens[i].kind == nameToken {
				sc.foldAt(i)
			}
		}
		out, rest = append(out, sc.tokens...), rest[n:]
	}
	sc.tokens = out
}

// folds reports a name of what is computed.
func (sc *scan) folds(name string) bool {
	return homes(name) || expands(name) || puts(name) || joinsList(name) || environment(name) || strings.HasSuffix(name, "format") || name == "flag.String" || oneWord(partsOf+makes+" split ", lastName(name))
}

// Names of what gives the script's own path, or its folder, parts of paths, and folders that the code makes for itself, each with a blank on both sides.
const (
	ownNames = " __file__ __filename import.meta.filename import.meta.url __FILE__ __dirname import.meta.dirname __dir__ __DIR__ $FindBin.Bin $FindBin.RealBin " // from the sixth on the folder
	partsOf  = " dirname Dir abspath realpath realpathSync normpath fspath fileURLToPath URL str "
	makes    = " mkdtemp mkdtempSync MkdirTemp TempDir mktmpdir tempdir createTempDirectory createTempDir TemporaryDirectory "
)

// ownPlace puts the script's own path, or that of its folder, in the place of what gives it.
func (sc *scan) ownPlace() {
	if sc.source == "" {
		return
	}
	for i, t := range sc.tokens {
		if k := strings.Index(ownNames, " "+t.text+" "); t.kind == nameToken && k >= 0 {
			path := sc.source
			if k >= strings.Index(ownNames, " __dirname ") {
				path = slashpath.Dir(path)
			}
			sc.tokens[i] = token{kind: textToken, text: path}
		}
	}
}

// longStatement is how many tokens a statement has at most, if there is an end of a line behind them.
const longStatement = 200

// statement is how many tokens the first statement has: up to an end of a line outside of all parentheses, or up to one that comes late.
func statement(tokens []token) int {
	depth := 0
	for i, t := range tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case t.is("\n") && (depth <= 0 || i > longStatement) && (i+1 == len(tokens) || !tokens[i+1].is(".")), t.is(";") && i > longStatement:
			return i + 1
		}
	}
	return len(tokens)
}

// homes reports a call that gives the home: Path.home(), os.homedir(), Dir.home.
func homes(name string) bool {
	return oneWord(" homedir UserHomeDir HomeDir home_dir getUserDirectory path_home document_dir user_documents_dir ", lastName(name)) || strings.HasSuffix(name, "Path.home") || strings.HasSuffix(name, "Dir.home")
}

// environment reports what gives the variables of the environment, or a property of Java's.
func environment(name string) bool {
	return oneWord(" process.env.HOME os.environ environ os.environ.get environ.get os.getenv os.Getenv getenv std.getenv System.getenv System.getProperty ENV ENV.fetch $ENV $_SERVER $_ENV ", name) || strings.HasSuffix(name, "env.var") || strings.HasSuffix(name, "env.var_os")
}

// expands reports a call that makes a home of a tilde.
func expands(name string) bool {
	return oneWord(" expanduser expand_path expandvars ", lastName(name))
}

// puts reports a call that puts the parts of a path together.
func puts(name string) bool {
	return oneWord(" join joinpath resolve Path PosixPath pathlib.Path pathlib.PosixPath filepath.Join path.Join ", name) || makesPath(name) || strings.HasSuffix(name, "path.join") || strings.HasSuffix(name, "File.join") || strings.HasSuffix(name, "path.resolve")
}

// makesPath reports a call of Rust's and Java's that makes a path of a text, and is as good as that here.
func makesPath(name string) bool {
	return name == "File" || strings.HasSuffix(name, "Path.of") || strings.HasSuffix(name, "Paths.get") || strings.HasSuffix(name, "Path.new") || strings.HasSuffix(name, "PathBuf.from")
}

// paths reports a call that makes an object of a path.
func paths(name string) bool {
	return oneWord(" Path PosixPath ", lastName(name)) || oneWord(" Path.home pathlib.Path.home ", name)
}

func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// foldAt replaces the call that begins at a name by the text that it gives, if that is known.
func (sc *scan) foldAt(i int) {
	i = sc.fromModule(i)
	name := sc.realName(sc.tokens[i].text)
	texts, end := sc.textsIn(i + 1)
	method := i > 3 && sc.tokens[i-1].is(".") && sc.tokens[i-2].is(")") && sc.tokens[i-3].kind == textToken // of Path("x")
	switch {
	case sc.foldHome(i, end, name, texts), sc.foldFolder(i, end, name, texts), sc.foldWords(i, end, name, texts), sc.foldOption(i, end, name, texts):
	case expands(name) && end > i+1 && len(texts) > 0:
		text := strings.NewReplacer("${HOME}", sc.at.Home, "$HOME", sc.at.Home).Replace(texts[0])
		if len(texts) > 1 && sc.lang.Name == "ruby" { // seen from the second
			text = sc.joined([]string{texts[1], text})
		}
		sc.put(i, end, tilde(text, sc.at.Home), false)
	case method && end > i+1 && (name == "expanduser" || name == "joinpath"):
		sc.tokens[i-3].text = sc.joined(append([]string{tilde(sc.tokens[i-3].text, sc.at.Home)}, texts...))
		sc.tokens = slices.Delete(slices.Clone(sc.tokens), i-1, end)
	case puts(name) && len(texts) > 0 && (i == 0 || !sc.tokens[i-1].is(".")) && (len(texts) > 1 || paths(name)):
		sc.put(i, end, sc.joined(texts), paths(name))
	default:
		sc.foldPieces(i, name)
	}
}

// foldOption puts what an option of Go's holds that nobody gives in its place: flag.String("name", "default", "usage").
func (sc *scan) foldOption(i, end int, name string, texts []string) bool {
	if name != "flag.String" || len(texts) != 3 {
		return false
	}
	sc.put(i, end, texts[1], false)
	return true
}

// foldWords puts a list of its words in the place of a text that is split at its blanks: "a b".split(), shlex.split("a b").
func (sc *scan) foldWords(i, end int, name string, texts []string) bool {
	begin, text := i, strings.Join(texts, "")
	switch {
	case lastName(name) != "split" || end == i+1:
		return false
	case name == "shlex.split":
	case sc.sign(i-1) == "." && sc.plainText(i-2) && strings.TrimSpace(text) == "":
		begin, text = i-2, sc.tokens[i-2].text
	default:
		return false
	}
	var words [][]token
	for _, word := range strings.Fields(text) {
		words = append(words, []token{{kind: textToken, text: word}})
	}
	sc.tokens = slices.Concat(sc.tokens[:begin], listOf(words), sc.tokens[end:])
	return true
}

// fromModule is where the name at i stands when it has the module in it of which it is asked: require("os").homedir() is os.homedir().
func (sc *scan) fromModule(i int) int {
	name := sc.loaded(i-2) + "." + sc.tokens[i].text
	if name[0] == '.' || sc.sign(i-1) != "." || !sc.folds(name) {
		return i
	}
	sc.tokens = slices.Concat(sc.tokens[:i-5], []token{{text: name}}, sc.tokens[i+1:])
	return i - 5
}

// realName is a name with the module in it that its first part stands for.
func (sc *scan) realName(name string) string {
	return standsFor(sc.moduleOf, standsFor(sc.alias, name))
}

// madeForIt is a folder below the one for temporary files that the code makes for itself.
const madeForIt = "/tmp/made-for-it"

// foldFolder replaces what gives a folder that the code makes for itself, or a path made of another.
func (sc *scan) foldFolder(i, end int, name string, texts []string) bool {
	last := lastName(name)
	switch {
	case name == "Dir.mktmpdir" && sc.sign(i+1) != "(":
		sc.put(i, i+1, madeForIt, false)
	case oneWord(makes, last) && name != "os.TempDir" && sc.sign(i+1) == "(":
		if _, end = sc.around(i + 2); sc.sign(i+2) == ")" {
			end = i + 2
		}
		for k := i + 2; k < end; k++ {
			if sc.sign(k) == "{" || sc.sign(k) == "(" && !oneWord(" join dirname tmpdir gettempdir str ", lastName(sc.word(k-1))) {
				return false // more may be done in there
			}
		}
		sc.put(i, end+1, madeForIt, false)
	case len(texts) == 0 || sc.sign(i-1) == ".":
		return false
	case oneWord(" dirname Dir ", last):
		sc.put(i, end, slashpath.Dir(texts[0]), false)
	case last == "URL" && len(texts) == 2 && sc.word(i-1) == "new":
		sc.put(i-1, end, sc.joined([]string{slashpath.Dir(texts[1]), texts[0]}), false)
	case last != "URL" && oneWord(partsOf, last):
		sc.put(i, end, sc.absolute(texts[0]), false)
	default:
		return false
	}
	return true
}

// absolute is a path as it is seen from everywhere.
func (sc *scan) absolute(path string) string {
	if here, ok := sc.cwd.exact(); ok && path != "" && !slashpath.IsAbs(path) && !sc.wanders {
		return here + "/" + path
	}
	return path
}

// member reports that a member is asked of what stands at i, by its name in brackets.
func (sc *scan) member(i int, name string) bool {
	open := sc.sign(i + 1)
	return (open == "[" || open == "{") && sc.sign(i+3) == closer(open[0]) && sc.tokens[i+2].text == name
}

// homeInTexts puts the home in the place of what gives it within a text, so that the text is known: "${os.homedir()}/x".
func homeInTexts(src, home string) string {
	if !strings.Contains(src, "}") {
		return src
	}
	for _, gives := range strings.Fields(`${os.homedir()} ${process.env.HOME} #{Dir.home} #{ENV['HOME']} #{ENV["HOME"]} $ENV{HOME} {$_SERVER['HOME']} {Path.home()} {os.environ['HOME']} {os.path.expanduser('~')}`) {
		for _, after := range []string{"/", `"`, "'", "`"} {
			src = strings.ReplaceAll(src, gives+after, home+after)
		}
	}
	return src
}

// foldHome replaces what gives the home, or in compiled languages makes a path of texts.
func (sc *scan) foldHome(i, end int, name string, texts []string) bool {
	switch {
	case homes(name) && len(texts) == 0:
		sc.put(i, end, sc.at.Home, paths(name))
	case name == "process.env.HOME":
		sc.put(i, i+1, sc.at.Home, false)
	case environment(name) && sc.member(i, "HOME"):
		sc.put(i, i+4, sc.at.Home, false)
	case len(texts) == 0:
		return false
	case environment(name) && (texts[0] == "HOME" || texts[0] == "user.home"):
		sc.put(i, end, sc.at.Home, false)
	case makesPath(name):
		if i > 0 && sc.tokens[i-1].text == "new" {
			i--
		}
		sc.put(i, end, sc.joined(texts), false)
	default:
		return false
	}
	return true
}

// joined is the path that parts make: an absolute one begins anew, but for Ruby.
func (sc *scan) joined(parts []string) string {
	path := parts[0]
	for _, part := range parts[1:] {
		if slashpath.IsAbs(part) && sc.lang.Name != "ruby" && sc.lang.Name != "go" {
			path = part
		} else {
			path += "/" + part
		}
	}
	return path
}

// tilde makes the home of a tilde at a path's beginning.
func tilde(text, home string) string {
	if rest, ok := strings.CutPrefix(text, "~"); ok && (rest == "" || rest[0] == '/') {
		return home + rest
	}
	return text
}

// tildes makes homes of the tildes at the beginning of R's texts, whose calls that take a path do so.
func (sc *scan) tildes() {
	for i, t := range sc.tokens {
		if sc.lang.Name == "r" && t.kind == textToken {
			sc.tokens[i].text = tilde(t.text, sc.at.Home)
		}
	}
}

// textsIn are the arguments in parentheses that begin at i, if each of them is a known text, and the place behind them.
func (sc *scan) textsIn(i int) ([]string, int) {
	if i >= len(sc.tokens) || !sc.tokens[i].is("(") {
		return nil, i
	}
	var out []string
	for j := i + 1; j < len(sc.tokens); j++ {
		switch t := sc.tokens[j]; {
		case t.is(")"):
			return out, j + 1
		case t.is(","):
		case t.plain():
			out = append(out, t.text)
		default:
			return nil, i
		}
	}
	return nil, i
}

// put puts a text in the place of a call. A path's object takes what follows it behind slashes, and stays one where it is asked for more.
func (sc *scan) put(i, end int, path string, object bool) {
	ts := sc.tokens
	with := []token{{kind: textToken, text: path}}
	if object || sc.lang.Name != "python" {
		end = sc.same(&with[0], end)
	}
	if object && end < len(ts) && ts[end].is(")") && i > 0 && ts[i-1].is("(") && (i < 2 || ts[i-2].kind != nameToken) {
		i, end = i-1, end+1 // (Path.home() / "x").unlink()
		end = sc.same(&with[0], end)
	}
	if object && end < len(ts) && ts[end].is(".") {
		with = []token{{kind: nameToken, text: "Path"}, {kind: otherToken, text: "("}, with[0], {kind: otherToken, text: ")"}}
	}
	sc.tokens = slices.Concat(ts[:i], with, ts[end:])
}

// again are calls that give the path again of which they are asked.
const again = " unwrap expect unwrap_or_default to_string to_owned into as_str as_path clone to_path_buf into_string to_str toString toPath toFile toAbsolutePath normalize getPath resolve absolute expanduser as_posix "

// same goes on behind a path as long as what is asked of it gives it again, or another path, and returns where that ends.
func (sc *scan) same(path *token, end int) int {
	if !oneWord(" python rust java ", sc.lang.Name) {
		return end
	}
	for {
		if sc.sign(end) == "/" && sc.plainText(end+1) {
			path.text = sc.joined([]string{path.text, sc.tokens[end+1].text})
			end += 2
			continue
		}
		text, next := sc.asks(path.text, end)
		if next == 0 {
			return end
		}
		path.text, end = text, next
	}
}

// asks is the path that is asked of another by the members that stand at i, and the place behind them; zero where they give none. What is asked of the path that the first of them give
// stays where it is.
func (sc *scan) asks(path string, i int) (string, int) {
	whole := sc.word(i + 1)
	if sc.sign(i) != "." || whole == "" {
		return path, 0
	}
	texts, end := sc.textsIn(i + 2)
	for names := whole; ; {
		name, more, dotted := strings.Cut(names, ".")
		next, ok := sc.onward(path, name, !dotted && end > i+2, texts)
		switch {
		case ok && dotted:
			path, names = next, more
		case ok:
			return next, end
		case names == whole:
			return path, 0
		default:
			sc.tokens[i+1].text = names
			return path, i
		}
	}
}

// onward is the path that a member of another gives, and whether it gives one.
func (sc *scan) onward(path, name string, called bool, texts []string) (string, bool) {
	switch {
	case name == "parent" && !called:
		return slashpath.Dir(path), true
	case !called:
		return path, false
	case len(texts) > 0 && (name == "joinpath" || sc.lang.Name != "python" && (name == "join" || name == "resolve")):
		return sc.joined(append([]string{path}, texts...)), true
	case name == "format" && len(texts) > 0:
		for _, text := range texts {
			path = strings.Replace(path, "{}", text, 1)
		}
		return path, true
	case oneWord(again, name) && (len(texts) == 0 || name == "expect"):
		return sc.absolute(tilde(path, sc.at.Home)), true
	}
	return path, false
}
