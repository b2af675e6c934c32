package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

var javascriptRules = pattern.Table(func() *ruleset {
	return &ruleset{
		mentions: mentionsOf(
			mentionRow{Dynamic, Danger, `eval Function.prototype.constructor Function.constructor vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction
			vm.SourceTextModule execScript safe-eval eval5.evaluate vm2.VM vm2.NodeVM module._compile Module._compile`},
			mentionRow{Native, Danger, `process.binding process._linkedBinding process.dlopen`},
			mentionRow{Native, Review, `Deno.dlopen ffi.Library ffi-napi.Library koffi.load ref-napi.readPointer bun:ffi.dlopen fastcall.Library node-ffi.Library @2060.io/ffi-napi.Library ffi-rs.open ffi-rs.load`},
			mentionRow{Interference, Danger, `Module._load module._load module._resolveFilename Module._resolveFilename`},
			mentionRow{Process, Review, `cluster.fork fkill`},
			mentionRow{Process, Danger, `zx.unquoted`},
			mentionRow{Weakening, Danger, `jose.UnsecuredJWT`},
			mentionRow{Network, Note, `fetch axios axios.get axios.post axios.put axios.request http.request http.get https.request https.get net.connect net.createConnection
			WebSocket XMLHttpRequest navigator.sendBeacon node-fetch got undici.request undici.fetch dgram.createSocket net.Socket superagent.post
			dns.lookup dns.resolve dns.resolve4 dns.resolve6 dns.resolveTxt dns.promises.lookup dns.promises.resolve dns.promises.resolve4 dns/promises.lookup
			dns/promises.resolve tls.connect got.post got.get ky ky.post needle needle.post undici.stream EventSource`},
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
			callRow{`require import module.require createRequire() module.createRequire() require.main.require __non_webpack_require__ process.getBuiltinModule importScripts
			import-fresh require-from-string module-from-string System.import jQuery.getScript $.getScript`, unlessKnown(Dynamic, Danger)},
			callRow{`child_process.exec child_process.execSync exec execSync execa.command execaCommand execa.execaCommand shelljs.exec shell.exec execa.execaCommandSync execa.commandSync
			child-process-promise.exec promisify-child-process.exec sudo-prompt.exec node-cmd.run node-cmd.runSync node-cmd.get ssh-exec await-exec exec-sh exec-sh.promise`, func(c *call) *hit {
				if harmless(c.arg(0, "")) {
					return c.hit(Process, Note)
				}
				return c.hit(Process, Danger)
			}},
			callRow{scriptStarters, spawn},
			callRow{"Deno.Command", func(c *call) *hit {
				return c.argv(value{isList: true, list: append([]value{c.arg(0, "")}, c.arg(-1, "args").list...)})
			}},
			callRow{otherStarters, func(c *call) *hit {
				if h := c.argv(c.arg(0, "cmd")); h != nil {
					return h
				}
				return c.argv(c.arg(-1, "cmd"))
			}},
			callRow{"fs.rmSync fs.rm fs.rmdir fs.rmdirSync Deno.remove fs-extra.rm fs-extra.rmSync", recursive},
			callRow{"fs-extra.remove fs-extra.removeSync fs-extra.emptyDir fs-extra.emptyDirSync fs.remove fs.removeSync rimraf rimraf.sync rimraf.rimraf del", func(c *call) *hit { return c.folder(c.arg(0, "path")) }},
			callRow{"fs.chmod fs.chmodSync", jsChmod},
			callRow{"process.exit Deno.exit", endsWhileLoading},
			callRow{"crypto.createHash md5 blueimp-md5 js-md5 js-md5.md5 sha1 js-sha1 crypto-js.MD5 crypto-js.SHA1 CryptoJS.MD5 CryptoJS.SHA1 ts-md5.Md5.hashStr crypto-js/md5 crypto-js/sha1 hasha", weakHash},
			callRow{"crypto.createCipheriv crypto.createCipher crypto.createDecipheriv", jsCipher},
			callRow{"Worker worker_threads.Worker SharedWorker", jsWorker},
			callRow{"inspector.open", jsInspector},
			callRow{"repl.start", jsRepl},
			callRow{`lodash.template lodash-es.template lodash/template lodash-es/template _.template underscore.template ejs.render ejs.compile pug.render pug.compile
			jade.render jade.compile nunjucks.renderString nunjucks.compile handlebars.compile handlebars.precompile Handlebars.compile Handlebars.precompile hbs.compile
			dot.template doT.template swig.render swig.compile art-template.compile art-template.render velocityjs.render Vue.compile vue.compile squirrelly.render
			Sqrl.render eta.renderString twig.twig dustjs-linkedin.compile dustjs-linkedin.renderSource`, draftAt(0)},
			callRow{"handlebars.SafeString Handlebars.SafeString", markup(Danger)},
			callRow{`lit.unsafeHTML lit-html.unsafeHTML lit/directives/unsafe-html.js.unsafeHTML lit-html/directives/unsafe-html.js.unsafeHTML
			lit/directives/unsafe-svg.js.unsafeSVG html-react-parser`, markup(Review)},
			callRow{"sequelize.literal Sequelize.literal db.literal models.sequelize.literal knex.raw db.raw trx.raw drizzle-orm.sql.raw sql.raw sql.unsafe Prisma.raw", func(c *call) *hit { return c.fragment() }},
			callRow{"jsonwebtoken.decode jwt.decode jwt-decode jwt-decode.jwtDecode jwtDecode jose.decodeJwt jwt-simple.decode", jsDecodes},
			callRow{"jsonwebtoken.sign jwt.sign", signsWith},
			callRow{"jsonwebtoken.verify jwt.verify", func(c *call) *hit {
				if c.named["algorithms"] != nil && strings.Contains(strings.ToLower(c.named["algorithms"].Text()), "none") {
					return c.hit(Weakening, Danger)
				}
				return signsWith(c)
			}},
			callRow{"js-yaml.load js-yaml.loadAll yaml.load", func(c *call) *hit {
				if c.named["schema"] != nil && unsafeSchemas.MatchString(c.s.unfolded(c.named["schema"])+c.s.eval(c.named["schema"], 0).path) {
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
			fs.symlinkSync fs.createWriteStream Deno.writeTextFile Bun.write`, func(c *call) *hit {
				return c.write(c.paths()...)
			}},
			callRow{"fs.copyFile fs.copyFileSync fs.cp fs.cpSync Deno.copyFile fs-extra.copy fs-extra.copySync", copiesFile},
			callRow{"cors @koa/cors @fastify/cors hono/cors.cors fastify-cors", anyOrigin},
			callRow{"fs.readFile fs.readFileSync fs.createReadStream Bun.file Deno.readTextFile", func(c *call) *hit { return c.read(c.arg(0, "path")) }},
			callRow{"unserialize node-serialize.unserialize serialize.unserialize serialize-to-js.deserialize funcster.deepDeserialize v8.deserialize cryo.parse", always(Deserialization, Danger)},
			callRow{"document.write document.writeln", unlessKnown(Injection, Danger)},
			callRow{`Math.random lodash.random lodash-es.random _.random lodash/random lodash.sample lodash-es.sample _.sample lodash.sampleSize lodash.shuffle nanoid/non-secure.nanoid
			nanoid/non-secure.customAlphabet randomatic seedrandom`, weakRandom},
			callRow{"Object.defineProperty Object.setPrototypeOf Reflect.set Reflect.defineProperty Object.assign", jsDefines},
		),
		methods: callsOf(
			callRow{"search", asksOf(ldapFilters)},
			callRow{"evaluate select select1", asksOf(xpaths)},
			callRow{"find findOne exists findOneAndUpdate findOneAndDelete deleteOne deleteMany updateOne updateMany", documents},
			callRow{"enableCors cors", anyOrigin},
			callRow{"exec", remote},
			callRow{"prepare", func(c *call) *hit { return c.execute() }},
			callRow{"query execute raw queryRawUnsafe", func(c *call) *hit { return c.execute() }},
			callRow{"$queryRawUnsafe $executeRawUnsafe", unlessKnown(Injection, Danger)},
			callRow{"html append prepend before after", func(c *call) *hit {
				if h := fillsScript(c); h != nil {
					return h
				}
				if v := c.arg(0, ""); jquery.MatchString(c.receiver()) && v.isText && !v.known() && strings.Contains(v.text, "<") {
					return c.hit(Injection, Danger)
				}
				return nil
			}},
			callRow{"setAttribute appendChild", fillsScript},
			callRow{"insertAdjacentHTML", func(c *call) *hit {
				if c.arg(1, "").known() {
					return nil
				}
				return c.hit(Injection, Danger)
			}},
			callRow{"whereRaw orWhereRaw andWhereRaw havingRaw orHavingRaw orderByRaw groupByRaw joinRaw selectRaw fromRaw", func(c *call) *hit { return c.fragment() }},
			callRow{"literal", func(c *call) *hit {
				if !strings.Contains(strings.ToLower(c.receiver()), "sequelize") {
					return nil
				}
				return c.fragment()
			}},
			callRow{"where andWhere orWhere having andHaving orHaving", func(c *call) *hit { return c.condition() }},
			callRow{"$where", unlessOwn},
			callRow{"renderString", draftAt(0)},
			callRow{"createContextualFragment setHTMLUnsafe parseHTMLUnsafe", markup(Danger)},
			callRow{"bypassSecurityTrustHtml bypassSecurityTrustScript trustAsHtml trustAsJs", markup(Danger)},
			callRow{"bypassSecurityTrustUrl bypassSecurityTrustResourceUrl bypassSecurityTrustStyle trustAsResourceUrl", markup(Review)},
			callRow{"send", func(c *call) *hit {
				return given(c.node(0) != nil && cookies.MatchString(c.s.unfolded(c.node(0))), Secrets, "a secret to send")
			}},
			callRow{"constructor", functionOf},
			callRow{"runInThisContext runInNewContext", always(Dynamic, Danger)},
		),
		members: map[string]*hit{"_compile": {Dynamic, Danger, "_compile"}},
		sets:    javascriptSets,
		options: map[string]option{
			"rejectUnauthorized": {false, Weakening, Danger}, "strictSSL": {false, Weakening, Danger}, "contextIsolation": {false, Weakening, Danger},
			"webSecurity": {false, Weakening, Danger}, "nodeIntegration": {true, Weakening, Danger}, "ignoreExpiration": {true, Weakening, Review},
			"noent": {true, Deserialization, Danger}, "dtdload": {true, Deserialization, Danger}, "replaceEntities": {true, Deserialization, Danger},
		},
		entries: map[string]func(*scan, *program.Node) *hit{
			"innerHTML": innerHTML, "outerHTML": innerHTML, "srcdoc": innerHTML, "__html": innerHTML,
			"$where": mongoCode, "$function": mongoCode,
			"checkServerIdentity": acceptsAll("checkServerIdentity"), "hostVerifier": acceptsAll("hostVerifier"),
			"preinstall": hooked, "install": hooked, "postinstall": hooked, "preuninstall": hooked,
			"raw": unquoted, "alg": noAlgorithm, "algorithm": noAlgorithm, "algorithms": noAlgorithm,
			"secret": knownSecret, "secretOrKey": knownSecret, "cookieSecret": knownSecret, "jwtSecret": knownSecret,
		},
		whole: jsMerges,
		texts: []textRow{
			{pattern.New(`--inspect(-brk)?=(0\.0\.0\.0|\[?::\]?|\*)(:|$|\W)`), hit{Weakening, Danger, "--inspect"}},
			{pattern.New(`<\w[^>]*\sv-html\s*=`), hit{Injection, Review, "v-html"}},
			{pattern.New(`npm (pkg )?set ["']?scripts\.`), hit{Interference, Review, "scripts of package.json"}},
		},
		environment: set("process.env Deno.env.toObject Bun.env"),
		modules:     strings.Fields("fs child_process process vm os module net http https Reflect"),
	}
})

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
		if !c.s.isFunction(object, 0) && !strings.HasSuffix(object.Text(), ".constructor") && (!object.Is(program.Attr, program.Index) || !c.s.eval(object.Kid(program.Object), 0).isList) {
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
	if v := c.arg(0, ""); !v.isText && runners[v.path] == "" {
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
	return c.opensUp(c.arg(1, "mode"))
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

// scriptElement is a new element of a page that carries out what it holds, or what stands at its address; scriptParts are its members that say so.
const scriptElement = "document.createElement(script)"

var scriptParts = set("src text textContent innerText innerHTML")

// fillsScript judges what a script of a page is given by a method: s.setAttribute("src", u), s.append(code).
func fillsScript(c *call) *hit {
	code := c.arg(0, "")
	if c.path == "setAttribute" {
		if code.text != "src" {
			return nil
		}
		code = c.arg(1, "")
	}
	if c.object().path != scriptElement || code.known() || len(c.args) == 0 {
		return nil
	}
	return &hit{Dynamic, Danger, "script." + c.path}
}

func javascriptSets(s *scan, a setting) *hit {
	name := a.name
	switch {
	case name == "dangerouslySetInnerHTML":
		return &hit{Injection, Danger, name}
	case scriptParts[name] && a.path == scriptElement+"."+name:
		if v := s.eval(a.value, 0); !v.known() {
			return &hit{Dynamic, Danger, "script." + name}
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
		return jsUndoes(s, a)
	}
	return nil
}
