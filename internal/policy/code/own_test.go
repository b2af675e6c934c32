package code_test

import "testing"

// TestOwnFunctions follows values through the functions, methods and members of a file. After each dangerous source stands one that is nearly the same and harmless.
func TestOwnFunctions(t *testing.T) {
	py := "import os, sqlite3, requests, tarfile, subprocess\nfrom flask import request, send_file, redirect\n"
	judgeKinds(t, "python", []kindRow{
		// What a function gives back.
		{py + "def place(name):\n    return os.path.join('/srv', name)\ndef get():\n    return send_file(place(request.args['f']))", true},
		{py + "def place(name):\n    return os.path.join('/srv', os.path.basename(name))\ndef get():\n    return send_file(place(request.args['f']))", false},
		{py + "def place(name):\n    p = os.path.realpath(os.path.join('/srv', name))\n    if not p.startswith('/srv/'):\n        raise ValueError(name)\n    return p\ndef get():\n    return send_file(place(request.args['f']))", false},
		{py + "def wanted():\n    return request.args['f']\ndef get():\n    return send_file(wanted())", true},
		{py + "def wanted():\n    name = request.args['f']\n    if name not in NAMES:\n        raise ValueError(name)\n    return name\ndef get():\n    return send_file('/srv/' + wanted())", false},
		{py + "def like(term):\n    return \"SELECT * FROM t WHERE a LIKE '%\" + term + \"%'\"\ndef find(db, term):\n    return db.execute(like(term))", true},
		{py + "def order(key):\n    return {'a': 'a', 'b': 'b DESC'}.get(key, 'id')\ndef find(db, key):\n    return db.execute('SELECT * FROM t ORDER BY ' + order(key))", false},
		{py + "def order(key):\n    if key == 'a':\n        return 'a'\n    return 'b DESC'\ndef find(db, key):\n    return db.execute('SELECT * FROM t ORDER BY ' + order(key))", false},
		{py + "def tool():\n    return getattr(os, 'sys' + 'tem')\ntool()('ls')", true},
		// What it is given.
		{py + "def fetch(u):\n    return requests.get(u).text\ndef get():\n    return fetch(request.args['u'])", true},
		{py + "def fetch(u):\n    return requests.get(u).text\ndef get():\n    u = request.args['u']\n    if u not in URLS:\n        raise ValueError(u)\n    return fetch(u)", false},
		{py + "def fetch(u):\n    return requests.get(u).text\ndef get():\n    return fetch('https://example.com/' + request.args['u'])", false},
		{py + "def rows(db, sql):\n    return db.execute(sql).fetchall()\ndef find(db, a):\n    return rows(db, f\"SELECT * FROM t WHERE a = '{a}'\")", true},
		{py + "def rows(db, sql, *args):\n    return db.execute(sql, args).fetchall()\ndef find(db, a):\n    return rows(db, 'SELECT * FROM t WHERE a = ?', a)", false},
		{py + "def join(*parts):\n    return os.path.join('/srv', *parts)\ndef get():\n    return send_file(join('a', request.args['f']))", true},
		{py + "def read(name='x', folder='/srv'):\n    return open(folder + '/' + name).read()\ndef get():\n    return read(folder='/srv', name=request.args['f'])", true},
		// Options.
		{py + "def options():\n    return {'timeout': 5, 'verify': False}\ndef get(u):\n    return requests.get(u, **options())", true},
		{py + "def options():\n    return {'timeout': 5, 'verify': True}\ndef get(u):\n    return requests.get(u, **options())", false},
		// Members, and what makes objects.
		{py + "class Image:\n    def __init__(self, at):\n        self.at = at\n    def load(self):\n        return requests.get(self.at).content\ndef get():\n    return Image(request.args['u']).load()", true},
		{py + "class Image:\n    def __init__(self, at):\n        self.at = at\n    def load(self):\n        return requests.get(self.at).content\ndef get():\n    return Image('https://example.com').load()", false},
		{py + "class Bundle:\n    def __init__(self, f):\n        self.tar = tarfile.open(f)\n    def __iter__(self):\n        for m in self.tar:\n            yield m.name, self.tar.extractfile(m).read()\n    def install(self, to):\n        for name, data in self:\n            with open(os.path.join(to, name), 'wb') as out:\n                out.write(data)", true},
		{py + "class Query:\n    def __init__(self):\n        self.parts = []\n    def where(self, a, b):\n        self.parts.append(\"%s = '%s'\" % (a, b))\n    def __str__(self):\n        return 'SELECT * FROM t WHERE ' + ' AND '.join(self.parts)\ndef find(db, a, b):\n    q = Query()\n    q.where(a, b)\n    db.execute(str(q))", true},
		{py + "class Query:\n    def __init__(self):\n        self.parts = []\n    def where(self):\n        self.parts.append('a = ?')\n    def __str__(self):\n        return 'SELECT * FROM t WHERE ' + ' AND '.join(self.parts)\ndef find(db, a):\n    q = Query()\n    q.where()\n    db.execute(str(q), (a,))", false},
		{py + "class Runner:\n    shell = 'bash'\n    def run(self, line):\n        subprocess.run([self.shell, '-c', line])", true},
		// Functions that call each other, and themselves.
		{py + "def a(x):\n    return b(x)\ndef b(x):\n    return a(x)\ndef get():\n    return open(a('x'))", false},
		{py + "def a(x):\n    return a(x[1:]) if x else '/srv/x'\ndef get():\n    return open(a('x'))", false},
	})
	js := "const fs = require('fs'), path = require('path'), cp = require('child_process');\n"
	judgeKinds(t, "javascript", []kindRow{
		{js + "const file = (n) => path.join(ROOT, n + '.md');\napp.get('/p', (req, res) => res.send(fs.readFileSync(file(req.query.n))));", true},
		{js + "const file = (n) => path.join(ROOT, path.basename(n) + '.md');\napp.get('/p', (req, res) => res.send(fs.readFileSync(file(req.query.n))));", false},
		{js + "class Hook { constructor(to) { this.to = to; } test() { return fetch(this.to); } }\napp.post('/h', (req, res) => new Hook(req.body.url).test());", true},
		{js + "class Hook { constructor(to) { this.to = to; } test() { return fetch(this.to); } }\napp.post('/h', (req, res) => new Hook('https://example.com/' + req.body.id).test());", false},
		{js + "const sql = { one: (id) => `SELECT * FROM t WHERE id = ${id}` };\nmodule.exports = (db, id) => db.query(sql.one(id));", true},
		{js + "const sql = { one: () => 'SELECT * FROM t WHERE id = ?' };\nmodule.exports = (db, id) => db.query(sql.one(), [id]);", false},
		{js + "function clause(f) { return Object.keys(f).filter((k) => COLUMNS.has(k)).map((k, i) => `${k} = $${i + 1}`).join(' AND '); }\nmodule.exports = (db, f) => db.query('SELECT * FROM t WHERE ' + clause(f), Object.values(f));", false},
		{js + "function clause(f) { return Object.keys(f).map((k, i) => `${k} = $${i + 1}`).join(' AND '); }\nmodule.exports = (db, f) => db.query('SELECT * FROM t WHERE ' + clause(f), Object.values(f));", true},
		{js + "function page(t, b) { return `<title>${t}</title>${b}`; }\napp.get('/s', (req, res) => res.send(page('Search', `<b>${req.query.q}</b>`)));", true},
		{js + "function page(t, b) { return `<title>${t}</title>${b}`; }\napp.get('/s', (req, res) => res.send(page('Search', `<b>${escapeHtml(req.query.q)}</b>`)));", false},
		{js + "const hex = (s) => Buffer.from(s, 'hex').toString();\nrequire(hex('6368696c645f70726f63657373')).execSync(line);", true},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"net/http\"\nimport \"path/filepath\"\ntype store struct{ root string }\nfunc (s store) path(n string) string { return filepath.Join(s.root, n) }\nfunc (s store) get(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, s.path(r.FormValue(\"n\"))) }", true},
		{"import \"net/http\"\nimport \"path/filepath\"\ntype store struct{ root string }\nfunc (s store) path(n string) string { return filepath.Join(s.root, filepath.Base(n)) }\nfunc (s store) get(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, s.path(r.FormValue(\"n\"))) }", false},
		{"import \"database/sql\"\nfunc query(a string) string { return \"SELECT * FROM t WHERE a = '\" + a + \"'\" }\nfunc Find(db *sql.DB, a string) { db.Query(query(a)) }", true},
		{"import \"database/sql\"\nvar orders = map[string]string{\"a\": \"a\", \"b\": \"b DESC\"}\nfunc by(k string) string { if o, ok := orders[k]; ok { return o }; return \"id\" }\nfunc Find(db *sql.DB, k string) { db.Query(\"SELECT * FROM t ORDER BY \" + by(k)) }", false},
		{"import \"archive/zip\"\nimport \"os\"\nfunc write(dir string, f *zip.File, data []byte) error { return os.WriteFile(dir+\"/\"+f.Name, data, 0o644) }", true},
		{"import \"os/exec\"\nfunc run(line string) { exec.Command(\"sh\", \"-c\", line).Run() }\nfunc Build(dir string) { run(\"cd \" + dir + \" && make\") }", true},
		{"import \"net/http\"\ntype job struct{ url string }\nfunc (j job) do() { http.Get(j.url) }\nfunc h(w http.ResponseWriter, r *http.Request) { job{url: r.FormValue(\"u\")}.do() }", true},
		{"import \"net/http\"\ntype job struct{ url string }\nfunc (j job) do() { http.Get(j.url) }\nfunc h(w http.ResponseWriter, r *http.Request) { job{url: \"https://example.com/\"}.do() }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"private File place(HttpServletRequest req) { return new File(ROOT, req.getParameter(\"f\")); }\nvoid get(HttpServletRequest req, HttpServletResponse res) { Files.copy(place(req).toPath(), res.getOutputStream()); }", true},
		{"private File place(HttpServletRequest req) { return new File(ROOT, new File(req.getParameter(\"f\")).getName()); }\nvoid get(HttpServletRequest req, HttpServletResponse res) { Files.copy(place(req).toPath(), res.getOutputStream()); }", false},
		{"private String where(String a) { return \" WHERE a = '\" + a + \"'\"; }\nvoid f(Statement s, String a) { s.executeQuery(\"SELECT * FROM t\" + where(a)); }", true},
		{"private String where() { return \" WHERE a = ?\"; }\nvoid f(Connection c, String a) { c.prepareStatement(\"SELECT * FROM t\" + where()); }", false},
		{"private static String marks(int n) { return String.join(\", \", Collections.nCopies(n, \"?\")); }\nvoid f(Connection c, List<Long> ids) { c.prepareStatement(\"SELECT * FROM t WHERE id IN (\" + marks(ids.size()) + \")\"); }", false},
		{"record Hook(String url) {}\nString call(Hook hook) { return http.getForEntity(hook.url(), String.class).getBody(); }\n@PostMapping(\"/h\") String test(@RequestBody Hook hook) { return call(hook); }", true},
		{"private List<String> line(String c) { return List.of(\"sh\", \"-c\", c); }\nvoid f(String c) { new ProcessBuilder(line(c)).start(); }", true},
	})
}
