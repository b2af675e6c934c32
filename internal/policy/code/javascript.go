package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

var javascriptRules = ruleset{
	mentions: mentionsOf(
		mentionRow{Dynamic, Danger, `eval Function.prototype.constructor Function.constructor vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction
			vm.SourceTextModule execScript vm2.VM vm2.NodeVM module._compile Module._compile`},
		mentionRow{Native, Danger, `process.binding process._linkedBinding process.dlopen`},
		mentionRow{Native, Review, `Deno.dlopen ffi.Library ffi-napi.Library`},
		mentionRow{Interference, Danger, `Module._load module._load module._resolveFilename Module._resolveFilename`},
		mentionRow{Process, Review, `cluster.fork`},
		mentionRow{Network, Note, `fetch axios axios.get axios.post axios.put axios.request http.request http.get https.request https.get net.connect net.createConnection
			WebSocket XMLHttpRequest navigator.sendBeacon node-fetch got undici.request undici.fetch dgram.createSocket net.Socket superagent.post`},
	),
	calls: callsOf(
		callRow{"Function GeneratorFunction AsyncFunction", functionOf},
		callRow{"Reflect.construct", func(c *call) *hit {
			if slices.Contains([]string{"Function", "GeneratorFunction", "AsyncFunction"}, c.arg(0, "").path) {
				return &hit{Dynamic, Danger, "Function"}
			}
			return nil
		}},
		callRow{"setTimeout setInterval setImmediate", func(c *call) *hit {
			if c.arg(0, "").isText {
				return c.hit(Dynamic, Danger)
			}
			return nil
		}},
		callRow{"require import module.require createRequire()", unlessKnown(Dynamic, Danger)},
		callRow{"child_process.exec child_process.execSync exec execSync execa.command execaCommand execa.execaCommand shelljs.exec shell.exec", func(c *call) *hit {
			if harmless(c.arg(0, "")) {
				return c.hit(Process, Note)
			}
			return c.hit(Process, Danger)
		}},
		callRow{`child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync spawn spawnSync execFile execFileSync execa cross-spawn
			child_process.fork`, spawn},
		callRow{"Bun.spawn Bun.spawnSync Deno.run Deno.Command", func(c *call) *hit {
			if h := c.argv(c.arg(0, "cmd")); h != nil {
				return h
			}
			return c.argv(c.arg(-1, "cmd"))
		}},
		callRow{"fs.rmSync fs.rm fs.rmdir fs.rmdirSync Deno.remove fs-extra.rm fs-extra.rmSync", recursive},
		callRow{"fs-extra.remove fs-extra.removeSync fs-extra.emptyDir fs-extra.emptyDirSync fs.remove fs.removeSync rimraf rimraf.sync rimraf.rimraf del", func(c *call) *hit { return c.folder(c.arg(0, "path")) }},
		callRow{"fs.chmod fs.chmodSync", jsChmod},
		callRow{"process.exit Deno.exit", endsWhileLoading},
		callRow{"crypto.createHash", weakHash},
		callRow{"jsonwebtoken.verify jwt.verify", func(c *call) *hit {
			if c.named["algorithms"] != nil && strings.Contains(strings.ToLower(c.named["algorithms"].Text()), "none") {
				return c.hit(Weakening, Danger)
			}
			return nil
		}},
		callRow{"js-yaml.load js-yaml.loadAll yaml.load", func(c *call) *hit {
			if c.named["schema"] != nil && strings.Contains(c.named["schema"].Text(), "FULL") {
				return c.hit(Deserialization, Danger)
			}
			return nil
		}},
		callRow{"execa.$ zx.$ $", func(c *call) *hit {
			if c.on("shell") {
				return c.hit(Process, Danger)
			}
			return nil
		}},
		callRow{`fs.writeFile fs.writeFileSync fs.appendFile fs.appendFileSync fs.unlink fs.unlinkSync fs.rename fs.renameSync fs.chown fs.symlink
			fs.symlinkSync fs.createWriteStream fs.copyFile fs.copyFileSync Deno.writeTextFile Bun.write`, func(c *call) *hit {
			return c.write(c.paths()...)
		}},
		callRow{"fs.readFile fs.readFileSync fs.createReadStream Bun.file Deno.readTextFile", func(c *call) *hit { return c.read(c.arg(0, "path")) }},
		callRow{"unserialize node-serialize.unserialize serialize.unserialize serialize-to-js.deserialize funcster.deepDeserialize v8.deserialize cryo.parse", always(Deserialization, Danger)},
		callRow{"document.write document.writeln", unlessKnown(Injection, Danger)},
		callRow{"Math.random", weakRandom},
		callRow{"Object.defineProperty Object.setPrototypeOf", func(c *call) *hit {
			if p := c.arg(0, "").path; strings.HasSuffix(p, ".prototype") && builtin(strings.TrimSuffix(p, ".prototype")) {
				return c.hit(Interference, Review)
			}
			return nil
		}},
	),
	methods: callsOf(
		callRow{"query execute raw queryRawUnsafe", func(c *call) *hit { return c.execute() }},
		callRow{"$queryRawUnsafe $executeRawUnsafe", unlessKnown(Injection, Danger)},
		callRow{"html append prepend before after", func(c *call) *hit {
			if v := c.arg(0, ""); jquery.MatchString(c.receiver()) && v.isText && !v.known() && strings.Contains(v.text, "<") {
				return c.hit(Injection, Danger)
			}
			return nil
		}},
		callRow{"insertAdjacentHTML", func(c *call) *hit {
			if c.arg(1, "").known() {
				return nil
			}
			return c.hit(Injection, Danger)
		}},
		callRow{"constructor", functionOf},
		callRow{"runInThisContext runInNewContext", always(Dynamic, Danger)},
	),
	members: map[string]*hit{"_compile": {Dynamic, Danger, "_compile"}},
	sets:    javascriptSets,
	pairs: map[string]func(string) *hit{
		"rejectUnauthorized": func(v string) *hit { return given(v == "false", Weakening, "rejectUnauthorized") },
		"__html":             func(v string) *hit { return given(strings.Trim(v, "\"'`") == v, Injection, "dangerouslySetInnerHTML") },
		"strictSSL":          func(v string) *hit { return given(v == "false", Weakening, "strictSSL") },
		"nodeIntegration":    func(v string) *hit { return given(v == "true", Weakening, "nodeIntegration") },
		"contextIsolation":   func(v string) *hit { return given(v == "false", Weakening, "contextIsolation") },
		"webSecurity":        func(v string) *hit { return given(v == "false", Weakening, "webSecurity") },
	},
	environment: set("process.env Deno.env.toObject Bun.env"),
	modules:     strings.Fields("fs child_process process vm os module net http https Reflect"),
}

func given(yes bool, class Class, name string) *hit {
	if yes {
		return &hit{class, Danger, name}
	}
	return nil
}

// functionOf judges the constructor of functions, which makes code of its arguments, also where it is reached through a function.
func functionOf(c *call) *hit {
	callee := c.n.Kid(program.Callee)
	if callee.Is(program.Attr) && callee.Name == "constructor" {
		object := callee.Kid(program.Object)
		for object.Is(program.Group) {
			object = object.Kid(program.Operand)
		}
		if !c.s.isFunction(object, 0) && !strings.HasSuffix(textOf(object), ".constructor") && (!object.Is(program.Attr, program.Index) || !c.s.eval(object.Kid(program.Object), 0).isList) {
			return nil
		}
	}
	if len(c.nodes) == 0 {
		return nil
	}
	return &hit{Dynamic, Danger, "Function"}
}

func spawn(c *call) *hit {
	if c.on("shell") {
		return c.hit(Process, Danger)
	}
	if v := c.arg(0, ""); !v.isText && v.path != "process.execPath" && v.path != "process.argv0" {
		return c.hit(Process, Review)
	}
	v := value{isList: true, list: []value{c.arg(0, "")}}
	if len(c.args) > 1 {
		v.list = append(v.list, c.args[1].list...)
	}
	return c.argv(v)
}

// paths are the arguments that are paths, for functions whose second argument may be a content.
func (c *call) paths() []value {
	if name := c.path[strings.LastIndexByte(c.path, '.')+1:]; strings.HasPrefix(name, "write") || strings.HasPrefix(name, "append") {
		return c.args[:min(1, len(c.args))]
	}
	return c.args
}

var jquery = pattern.New(`^(\$|jQuery)\(`)

// jsReplaced matches what a program must not put its own in the place of: the clock, chance, what tests ask with, what was loaded.
var jsReplaced = pattern.New(`^(Date\.now|Math\.random|JSON\.(parse|stringify)|performance\.now|process\.(exit|hrtime)|require\.cache\[.*\]|(global|globalThis|window)\.(expect|assert|test|it|describe|Date|setTimeout))$`)

func jsChmod(c *call) *hit {
	if h := c.write(c.arg(0, "path")); h != nil {
		return h
	}
	switch c.arg(1, "mode").number + c.arg(1, "mode").text {
	case "0o777", "0777", "777", "0o666", "0666", "666", "511":
		return c.hit(Weakening, Review)
	}
	return nil
}

func builtin(name string) bool {
	switch name {
	case "Object", "Array", "String", "Function", "Number", "Promise", "Date":
		return true
	}
	return false
}

// jsAsserts are the functions by which tests fail.
var jsAsserts = pattern.New(`^(assert|assert/strict|chai|expect|should|vitest|@jest/globals)\.\w`)

func javascriptSets(s *scan, a setting) *hit {
	name := a.target.Name
	switch {
	case strings.HasPrefix(a.path, "process.env."):
		variable := strings.TrimPrefix(a.path, "process.env.")
		if variable == "NODE_TLS_REJECT_UNAUTHORIZED" {
			return &hit{Weakening, Danger, variable}
		}
		if loaders.MatchString(variable) {
			return &hit{Interference, Danger, variable}
		}
	case name == "innerHTML", name == "outerHTML":
		if v := s.eval(a.value, 0); !v.known() {
			return &hit{Injection, Danger, name}
		}
	case name == "dangerouslySetInnerHTML":
		return &hit{Injection, Danger, name}
	case name == "src" && a.path == "document.createElement(script).src":
		if v := s.eval(a.value, 0); !v.known() {
			return &hit{Dynamic, Danger, "script.src"}
		}
	case jsReplaced.MatchString(a.target.Text()), a.path == "module._load", a.path == "module._resolveFilename":
		return &hit{Interference, Danger, a.target.Text()}
	case name == "__proto__", strings.Contains(a.path, ".__proto__."), strings.Contains(a.path, ".constructor.prototype."):
		return &hit{Interference, Danger, "__proto__"}
	case a.target.Role == program.Attr && jsAsserts.MatchString(a.path) && a.value.Is(program.Function, program.Name):
		return &hit{Interference, Review, a.path}
	default:
		if of, _, ok := strings.Cut(a.path, ".prototype."); ok && builtin(of) {
			return &hit{Interference, Danger, a.path}
		}
	}
	return nil
}
