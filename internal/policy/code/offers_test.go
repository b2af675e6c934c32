package code_test

import (
	"strings"
	"testing"
)

// TestOffers is what stands for a capability by a default, a table, a promise or a star, and beside each what stands for nothing of the kind.
func TestOffers(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import subprocess\ndef run(c, runner=subprocess.run):\n    runner(c, shell=True)", true},
		{"import subprocess\ndef run(c, runner=subprocess.run):\n    runner(['git', 'log'])", false},
		{"def run(c, runner=None):\n    runner(c, shell=True)", false},
		{"import requests\ndef get(u, http=requests):\n    return http.get(u, verify=False)", true},
		{"import requests\ndef get(u, http=requests):\n    return http.get(u)", false},
		{"from os import *\nsystem(c)", true},
		{"from os import *\nprint(getcwd())", false},
		{"from os import *\ndef system(c):\n    print(c)\nsystem(c)", false},
		{"from subprocess import *\nrun(c, shell=True)", true},
		{"from django.conf.urls import *\nsystem(c)", false},
		{"from flask import *\ndef h():\n    return redirect(request.args['u'])", true},
		{"from flask import *\ndef h():\n    return redirect('/a?u=' + request.args['u'])", false},
		{"from cryptography.fernet import *\nf = Fernet(b'u5Z0jvTtKxkYJpW1c3c7k0m9sQeQ2l8d0c4dJQx3l2A=')", true},
		{"import subprocess\nRUN = {'a': subprocess.run}\nRUN['a'](c, shell=True)", true},
		{"import subprocess\nlog, run = print, subprocess.run\nrun(c, shell=True)", true},
		{"import subprocess\nlog, run = print, subprocess.run\nlog(c)", false},
		{"import subprocess\nsh, opt = 'bash', '-c'\nsubprocess.run([sh, opt, line])", true},
		{"import subprocess\nsh, opt = 'bash', 'build.sh'\nsubprocess.run([sh, opt, line])", false},
		{"import requests\nfrom flask import request\ndef h():\n    u, n = request.args['u'], 5\n    return requests.get(u, timeout=n)", true},
		{"import requests\nfrom flask import request\ndef h():\n    n, u = request.args['n'], 'https://a.example/'\n    return requests.get(u)", false},
		{"import requests\nfrom flask import request\nclass A:\n    def h(self):\n        self.n, self.u = 5, request.args['u']\n        return requests.get(self.u)", true},
		{"import requests\nfrom flask import request\nclass A:\n    def h(self):\n        self.n, self.u = request.args['n'], 'https://a.example/'\n        return requests.get(self.u)", false},
		{"import subprocess\nRUN = {'a': subprocess.run, 'b': print}\nRUN['b'](c, shell=True)", false},
		{"import subprocess\nRUN = {'a': print, 'b': subprocess.run}\ndef f(k, c):\n    RUN[k](c, shell=True)", true},
		{"import math\nRUN = {'a': math.sin, 'b': math.cos}\ndef f(k, c):\n    RUN[k](c)", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const t = { exec: require('child_process').exec }\nt.exec(c)", true},
		{"const t = { exec: (s) => s.trim() }\nt.exec(c)", false},
		{"import('child_process').then((cp) => cp.execSync(c))", true},
		{"import('child_process').then(({ execSync: run }) => run(c))", true},
		{"import('child_process').then(function (cp) { return cp.execFileSync('git', ['log']) })", false},
		{"import('child_process').then(() => done())", false},
		{"import('lodash').then((cp) => cp.execSync(c))", false},
		{"const f = (c, run = require('child_process').execSync) => run(c)", true},
		{"const f = (c, run = require('child_process').execFileSync) => run('git', ['log', c])", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"type board map[point]string\nvar start = board{{1, 2}: \"a\"}\nvar a = start.at(p)", false},
	})
}

// TestHanded is a function that is given to another with what that calls it with, for what it does and for what flows into it, and beside each one that does no
// harm.
func TestHanded(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import subprocess\nfrom fastapi.concurrency import run_in_threadpool\nasync def f(c):\n    await run_in_threadpool(subprocess.run, c, shell=True)", true},
		{"import subprocess\nfrom fastapi.concurrency import run_in_threadpool\nasync def f(c):\n    await run_in_threadpool(subprocess.run, ['git', 'log'])", false},
		{"import subprocess\npool.apply_async(subprocess.call, (c,), {'shell': True})", true},
		{"import subprocess\npool.apply_async(subprocess.call, (['git', 'gc'],))", false},
		{"import threading, subprocess\nthreading.Timer(5, subprocess.call, args=[c], kwargs={'shell': True}).start()", true},
		{"import threading, subprocess\nthreading.Timer(5, subprocess.call, args=[['git', 'gc']]).start()", false},
		{"import requests\nfrom flask import request\ndef fetch(u):\n    return requests.get(u)\nasync def h(loop):\n    return await loop.run_in_executor(None, fetch, request.args['u'])", true},
		{"import requests\nfrom flask import request\ndef fetch(u):\n    return requests.get('https://a.example/' + u)\nasync def h(loop):\n    return await loop.run_in_executor(None, fetch, request.args['u'])", false},
		{"import threading, requests\nfrom flask import request\ndef fetch(u):\n    return requests.get(u)\ndef h():\n    threading.Thread(target=fetch, args=(request.args['u'],)).start()", true},
		{"import subprocess\nfrom functools import partial as p\np(subprocess.run, c, shell=True)", true},
		{"import subprocess\nfrom functools import partial as p\np(subprocess.run, ['git', 'log'])", false},
		{"import subprocess\nfrom threading import Thread as T\nT(target=subprocess.call, args=(c,), kwargs={'shell': True}).start()", true},
		{"import subprocess\nfrom threading import Thread as T\nT(target=subprocess.call, args=(['git', 'gc'],)).start()", false},
		{"import requests\nfrom functools import partial as p\nfrom flask import request\ndef fetch(u):\n    return requests.get(u)\ndef h():\n    return p(fetch, request.args['u'])()", true},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const spawn = require('cross-spawn')\nmodule.exports = (req, res) => { spawn.sync('git', ['log', ...req.query.flags.split(' ')]); res.end() }", true},
		{"const spawn = require('cross-spawn')\nmodule.exports = (req, res) => { spawn.sync('git', ['log', '--', req.query.path]); res.end() }", false},
		{"function load(req, callback) { callback(req.query.u) }\nmodule.exports = (req, res) => { load(req, (u) => fetch(u)) }", true},
		{"function load(req, callback) { callback(req.query.u) }\nmodule.exports = (req, res) => { load(req, (u) => fetch('https://a.example/' + u)) }", false},
	})
}

// TestAsked is a statement that stands in an object, put together and written out.
func TestAsked(t *testing.T) {
	judgeKinds(t, "javascript", []kindRow{
		{"db.query({ text: `SELECT * FROM t WHERE a = '${a}'` })", true},
		{"db.query({ text: 'SELECT * FROM t WHERE a = $1', values: [a] })", false},
		{"db.query({ sql: `SELECT * FROM t WHERE a = '${a}'`, timeout: 9 })", true},
		{"db.query({ sql: 'SELECT * FROM t WHERE a = ?', values: [a] })", false},
		{"const q = { name: 'find', text: 'SELECT * FROM t WHERE a = ' + a }\npool.query(q)", true},
		{"const q = { name: 'find', text: 'SELECT * FROM t WHERE a = $1', values: [a] }\npool.query(q)", false},
		{"app.get('/a', (req, res) => { db.query({ text: req.query.q }); res.end() })", true},
		{"app.get('/a', (req, res) => { db.query({ text: 'SELECT 1', values: [req.query.q] }); res.end() })", false},
		{"client.query({ query: GET_USER, variables: { id } })", false},
	})
	judgeKinds(t, "python", []kindRow{
		{"def f(conn, a):\n    conn.execute(sql='SELECT * FROM t WHERE a = ' + a)", true},
		{"def f(conn, a):\n    conn.execute('SELECT * FROM t WHERE a = :text', {'text': f'{a}!'})", false},
	})
}

// TestGaps is what was too far away to be seen, or stood under another name, and beside each what does no harm.
func TestGaps(t *testing.T) {
	const helper = "import requests\nfrom flask import request\ndef fetch(url):\n    return requests.get(url)\n"
	harmless := strings.Repeat("fetch('https://a.example/')\n", 9)
	judgeKinds(t, "python", []kindRow{
		{helper + harmless + "def h():\n    return fetch(request.args['u'])", true},
		{helper + harmless + "def h():\n    return fetch('https://a.example/' + request.args['u'])", false},
		{"import os\nx = 1\n" + strings.Repeat("x = 2\n", 9) + "x = os\nx.system(c)", true},
		{"from pathlib import Path\nimport requests\nfor f in (Path.home() / '.ssh').iterdir():\n    requests.post(U, data=f.read_bytes())", true},
		{"from pathlib import Path\nfor f in (Path.home() / '.ssh').iterdir():\n    print(f.name)", false},
		{"from pathlib import Path\nimport requests\nfor f in (Path.home() / 'notes').iterdir():\n    requests.post(U, data=f.read_bytes())", false},
		{"import os\nd = os.path.expanduser('~/.ssh')\nfor n in os.listdir(d):\n    print(open(os.path.join(d, n)).read())", true},
	})
	judgeKinds(t, "java", []kindRow{
		{"Object f(ClassLoader l, String n) throws Exception { return l.loadClass(n); }", true},
		{"Object f(ClassLoader l) throws Exception { return l.loadClass(\"a.B\"); }", false},
		{"Class<?> f(String n) throws Exception { return super.loadClass(n); }", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const s = document.createElement('script')\ns.textContent = code\ndocument.head.append(s)", true},
		{"const s = document.createElement('style')\ns.textContent = code\ndocument.head.append(s)", false},
		{"const s = document.createElement('script')\ns.textContent = 'go()'\ndocument.head.append(s)", false},
		{"const s = document.createElement('script')\ns.setAttribute('src', u)", true},
		{"const s = document.createElement('script')\ns.setAttribute('async', u)", false},
		{"const s = document.createElement('script')\ns.appendChild(document.createTextNode(code))", true},
		{"const s = document.createElement('p')\ns.appendChild(document.createTextNode(code))", false},
	})
	// So many calls in calls that nobody waits for the end of them.
	deep := "function f(x) { return [" + strings.Repeat("x, ", 1000) + "]; }\n" + strings.Repeat("exec2(f('a'));\n", 100)
	judgeKinds(t, "javascript", []kindRow{
		{"const fs = require('fs')\n" + deep, true}, {deep, false}, {"const fs = require('fs')\nfunction f(x) { return [x, x]; }\nexec2(f('a'));\n", false},
	})
}
