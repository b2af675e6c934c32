package code_test

import (
	"testing"

	"fettle/internal/policy/code"
)

// TestLibraries judges dangers that libraries have doors for, and what is put together, and beside each what only looks like it.
func TestLibraries(t *testing.T) {
	for _, c := range []struct {
		lang, src string
		stopped   bool
	}{
		{"python", "import functools, subprocess\nrun = functools.partial(subprocess.run, shell=True)\nrun(c)", true},
		{"python", "import functools, subprocess\nrun = functools.partial(subprocess.run, check=True)\nrun(['git', 'status'])", false},
		{"python", "import threading, subprocess\nthreading.Thread(target=subprocess.call, args=(c,), kwargs={'shell': True}).start()", true},
		{"python", "import threading, subprocess\nthreading.Thread(target=subprocess.call, args=(['git', 'gc'],)).start()", false},
		{"python", "import asyncio, subprocess\nasync def f(c):\n    await asyncio.to_thread(subprocess.run, c, shell=True)", true},
		{"python", "import subprocess\nclass P(subprocess.Popen):\n    pass\nP(c, shell=True)", true},
		{"python", "import subprocess\nclass P(subprocess.Popen):\n    def __init__(self, line):\n        subprocess.Popen.__init__(self, line, shell=True)", true},
		{"python", "import subprocess\nclass P(subprocess.Popen):\n    def __init__(self, args):\n        super().__init__(args, text=True)", false},
		{"python", "import subprocess\ndef f(c, **kw):\n    kw['shell'] = True\n    subprocess.run(c, **kw)", true},
		{"python", "import subprocess\nKW = dict(shell=True, text=True)\nsubprocess.run(c, **KW)", true},
		{"python", "import requests\nclass C:\n    opts = {'timeout': 3}\n    def f(self, u):\n        return requests.get(u, **self.opts)", false},
		{"python", "def f(session, u):\n    return session.get(u, verify=False)", true},
		{"python", "check(x, verify=False)", false},
		{"python", "import jwt\njwt.decode(t, k, algorithms=['HS256'], options={'verify_aud': False})", false},
		{"python", "from jose import jwt\njwt.get_unverified_claims(t)", true},
		{"python", "def f(db, ids):\n    q = 'SELECT a FROM t WHERE b = 1'\n    q += ' AND c = ' + ids\n    db.execute(q)", true},
		{"python", "def f(db, ids):\n    q = 'SELECT a FROM t WHERE b = 1'\n    if ids:\n        q += ' AND c = ?'\n    db.execute(q, ids)", false},
		{"python", "def f(db, a):\n    parts = ['SELECT a FROM t']\n    parts.append(f\"WHERE b = '{a}'\")\n    db.execute(' '.join(parts))", true},
		{"python", "def f(db, a):\n    parts = ['SELECT a FROM t']\n    parts.append('WHERE b = ?')\n    db.execute(' '.join(parts), [a])", false},
		{"python", "def f(db, ids):\n    db.execute('SELECT a FROM t WHERE b IN (%s)' % ', '.join(['%s'] * len(ids)), ids)", false},
		{"python", "def f(db, ids):\n    db.execute('SELECT a FROM t WHERE b IN (%s)' % ', '.join(ids))", true},
		{"python", "def f(db, ids):\n    marks = ', '.join('?' for _ in ids)\n    db.execute('SELECT a FROM t WHERE b IN (' + marks + ')', ids)", false},
		{"python", "def f(qs, t):\n    return qs.extra(where=['a = %s'], params=[t])", false},
		{"python", "from django.db.models.expressions import RawSQL\ndef f(qs, t):\n    return qs.annotate(v=RawSQL(f'SELECT {t}', ()))", true},
		{"python", "from django.db.models.expressions import RawSQL\ndef f(qs, t):\n    return qs.annotate(v=RawSQL('SELECT %s', (t,)))", false},
		{"python", "from pathlib import Path\ndef f(root):\n    Path(root, '.gitlab-ci.yml').write_text(x)", true},
		{"python", "from pathlib import Path\ndef f(root):\n    return Path(root, '.gitlab-ci.yml').read_text()", false},
		{"python", "from pathlib import Path\n(Path.home() / '.zshrc').open('a').write(x)", true},
		{"python", "import psutil\nfor p in psutil.process_iter(['name']):\n    if p.info['name'] == 'x':\n        p.kill()", true},
		{"python", "import psutil\ndef f(proc):\n    for c in psutil.Process(proc.pid).children(recursive=True):\n        c.kill()", false},
		{"python", "import os, socket\ndef f():\n    for k, v in os.environ.items():\n        socket.getaddrinfo(v + '.example.net', 80)", true},
		{"python", "import socket\ndef f(h):\n    return socket.getaddrinfo(h, 80)", false},
		{"python", "import os, requests, subprocess\ndef f(u, p):\n    open(p, 'wb').write(requests.get(u).content)\n    os.chmod(p, 0o755)\n    subprocess.run([p])", true},
		{"python", "import os, requests, subprocess\ndef f(u, p):\n    open(p, 'wb').write(requests.get(u).content)\n    subprocess.run(['file', p])", false},
		{"python", "import html\nhtml.escape = lambda s: s", true},
		{"python", "import hmac\nsetattr(hmac, 'compare_digest', same)", true},
		{"python", "setattr(self, 'name', value)", false},
		{"python", "AutoModel.from_pretrained(n, trust_remote_code=True)", true},
		{"python", "AutoModel.from_pretrained(n, trust_remote_code=False)", false},
		{"python", "FAISS.load_local(d, e, allow_dangerous_deserialization=True)", true},
		{"python", "import atexit, shutil\natexit.register(shutil.rmtree, '/home/me')", true},
		{"python", "import atexit, shutil, tempfile\nd = tempfile.mkdtemp()\natexit.register(shutil.rmtree, d)", false},
		{"python", "import pickle\ny = pickle.loads(pickle.dumps(x))", false},
		{"python", "import pickle\ny = pickle.loads(dumps(x))", true},
		{"javascript", "const marks = ids.map(() => '?').join(','); db.query(`SELECT a FROM t WHERE b IN (${marks})`, ids)", false},
		{"javascript", "const marks = Array(ids.length).fill('?').join(','); db.query(`SELECT a FROM t WHERE b IN (${marks})`, ids)", false},
		{"javascript", "const list = ids.map((i) => i).join(','); db.query(`SELECT a FROM t WHERE b IN (${list})`)", true},
		{"javascript", "const parts = ['SELECT a FROM t']; parts.push(`WHERE b = '${b}'`); db.query(parts.join(' '))", true},
		{"javascript", "let q = 'SELECT a FROM t'; if (b) q += ' WHERE b = $1'; db.query(q, [b])", false},
		{"go", "package p\nimport \"strings\"\nfunc f(db *sql.DB, ids []any) { db.Query(\"SELECT a FROM t WHERE b IN (?\"+strings.Repeat(\",?\", len(ids)-1)+\")\", ids...) }", false},
		{"go", "package p\nimport \"strings\"\nfunc f(db *sql.DB, ids []string) { db.Query(\"SELECT a FROM t WHERE b IN (\"+strings.Join(ids, \",\")+\")\") }", true},
		{"java", "class A { void f(java.sql.Connection c, java.util.List<String> ids) throws Exception { String m = String.join(\",\", java.util.Collections.nCopies(ids.size(), \"?\")); c.prepareStatement(\"SELECT a FROM t WHERE b IN (\" + m + \")\"); } }", false},
		{"java", "class A { void f(java.sql.Connection c, java.util.List<String> ids) throws Exception { StringBuilder b = new StringBuilder(\"SELECT a FROM t WHERE b = \"); b.append(ids.get(0)); c.prepareStatement(b.toString()); } }", true},
	} {
		grade, found := worst(t, c.lang, c.src)
		if stopped := grade >= code.Review; stopped != c.stopped {
			t.Errorf("%s %q: %v, want stopped %v", c.lang, c.src, found, c.stopped)
		}
	}
}
