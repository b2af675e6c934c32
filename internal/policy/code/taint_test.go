package code_test

import (
	"strings"
	"testing"

	"fettle/internal/policy/code"
)

// TestTaint follows what requests and archives say to where it must not come. After each dangerous source stands one that does nearly the same and is harmless.
func TestTaint(t *testing.T) {
	py := "import os, json, requests, httpx, zipfile, tarfile\nfrom pathlib import Path\nfrom flask import Flask, request, redirect, send_file, send_from_directory, url_for, make_response\nfrom werkzeug.utils import secure_filename\n"
	for _, c := range []struct {
		lang, head, src string
		stopped         bool
	}{
		// Python, paths.
		{"python", py, "def f():\n    with open('/srv/' + request.args['f']) as h:\n        return h.read()", true},
		{"python", py, "def f():\n    with open('/srv/' + os.path.basename(request.args['f'])) as h:\n        return h.read()", false},
		{"python", py, "def f():\n    name = request.form.get('f')\n    return Path('/srv', name).read_text()", true},
		{"python", py, "def f():\n    name = request.form.get('f')\n    return Path('/srv', Path(name).name).read_text()", false},
		{"python", py, "def f():\n    p = (Path('/srv') / request.json['f']).resolve()\n    return send_file(p)", true},
		{"python", py, "def f():\n    p = (Path('/srv') / request.json['f']).resolve()\n    if not p.is_relative_to('/srv'):\n        abort(404)\n    return send_file(p)", false},
		{"python", py, "def f():\n    p = (Path('/srv') / request.json['f']).resolve()\n    p.relative_to('/srv')\n    return send_file(p)", false},
		{"python", py, "@app.get('/f/<path:name>')\ndef f(name):\n    return send_file(f'/srv/{name}')", true},
		{"python", py, "@app.get('/f/<int:name>')\ndef f(name):\n    return send_file(f'/srv/{name}.pdf')", false},
		{"python", py, "@app.get('/f/<path:name>')\ndef f(name):\n    return send_from_directory('/srv', name)", false},
		{"python", py, "def f():\n    up = request.files['f']\n    up.save(os.path.join('/srv', up.filename))", true},
		{"python", py, "def f():\n    up = request.files['f']\n    up.save(os.path.join('/srv', secure_filename(up.filename)))", false},
		{"python", py, "def f():\n    n = request.args.get('n', type=int)\n    return open('/srv/%s' % n).read()", false},
		{"python", py, "def f():\n    return open('/srv/%d.txt' % request.args['n']).read()", false},
		{"python", py, "def f():\n    return open('/srv/{}.txt'.format(request.args['n'])).read()", true},
		{"python", py, "FILES = {'a': '/srv/a.txt'}\ndef f():\n    return open(FILES[request.args['n']]).read()", false},
		{"python", py, "def f():\n    n = request.args['n']\n    if n not in ('a', 'b'):\n        return 'no'\n    return open('/srv/' + n).read()", false},
		{"python", py, "def f():\n    n = request.args['n']\n    if not n:\n        return 'no'\n    if os.path.exists('/srv/' + n):\n        return open('/srv/' + n).read()", true},
		{"python", py, "def f():\n    base, ext = request.args['a'], request.args['b']\n    os.remove(base + ext)", true},
		{"python", py, "def f():\n    for n in request.form.getlist('names'):\n        os.remove(os.path.join('/srv', n))", true},
		{"python", py, "def f():\n    print(request.args['n'], os.path.join('/srv', 'x'))\n    return open('/srv/x').read()", false},
		{"python", "import os\nfrom django.http import FileResponse\n", "def download(request):\n    return FileResponse(open(os.path.join('/srv', request.GET['f']), 'rb'))", true},
		{"python", "from fastapi import FastAPI, UploadFile\napp = FastAPI()\n", "@app.post('/up')\nasync def up(doc: UploadFile):\n    with open('/srv/' + doc.filename, 'wb') as out:\n        out.write(await doc.read())", true},
		{"python", "from fastapi import FastAPI, UploadFile\nimport uuid\napp = FastAPI()\n", "@app.post('/up')\nasync def up(doc: UploadFile):\n    with open('/srv/' + uuid.uuid4().hex, 'wb') as out:\n        out.write(await doc.read())", false},
		{"python", "from fastapi import FastAPI, Depends\napp = FastAPI()\n", "@app.get('/a')\ndef a(settings: Settings = Depends(settings)):\n    return open(settings.page).read()", false},
		{"python", "import tornado.web\n", "class H(tornado.web.RequestHandler):\n    def get(self):\n        self.redirect(self.get_argument('next'))", true},
		// Python, addresses and redirections.
		{"python", py, "def f():\n    return requests.get(request.args['u']).text", true},
		{"python", py, "def f():\n    return requests.get('https://api.example.com/' + request.args['u']).text", false},
		{"python", py, "def f():\n    return requests.get(f\"https://{request.args['h']}/x\").text", true},
		{"python", py, "def f(k):\n    return \"got \" f\"{requests.get(f'{request.args.get(k)}')}\"", true},
		{"python", py, "def f(k):\n    return \"got \" f\"{requests.get(f'https://a.example/{request.args.get(k)}')}\"", false},
		{"python", py, "def f():\n    return requests.get('https://api.example.com/', params={'q': request.args['q']}).text", false},
		{"python", py, "from urllib.parse import urlparse\ndef f():\n    u = request.args['u']\n    if urlparse(u).hostname not in HOSTS:\n        abort(400)\n    return requests.get(u).text", false},
		{"python", py, "def f():\n    s = requests.Session()\n    return s.post(url=request.json['hook'], json={}).text", false}, // by a name that a client's own method has: not followed
		{"python", py, "def f():\n    with httpx.Client() as c:\n        return c.get(request.json['hook']).text", true},
		{"python", py, "def f():\n    return requests.request('GET', url=request.json['hook']).text", true},
		{"python", py, "def f():\n    return redirect(request.args.get('next', '/'))", true},
		{"python", py, "def f():\n    return redirect(url_for('a', next=request.args.get('next')))", false},
		{"python", py, "def f():\n    n = request.args.get('next', '/')\n    if not is_safe_url(n):\n        n = '/'\n    return redirect(n)", false},
		{"python", py, "def f():\n    return redirect('/items/' + request.form['id'])", false},
		{"python", py, "def f():\n    return redirect(request.url.replace('http:', 'https:'))", false},
		{"python", py, "def f():\n    return redirect(request.headers.get('Referer') or '/')", false},
		{"python", "from django.shortcuts import redirect\nfrom django.utils.http import url_has_allowed_host_and_scheme\n", "def f(request):\n    n = request.POST.get('next')\n    if url_has_allowed_host_and_scheme(n, None):\n        return redirect(n)\n    return redirect('home')", false},
		{"python", "from django.shortcuts import redirect\n", "def f(request):\n    n = request.POST.get('next')\n    if n:\n        return redirect(n)\n    return redirect('home')", true},
		// Python, pages.
		{"python", py, "def f():\n    return '<h1>' + request.args['q'] + '</h1>'", true},
		{"python", py, "from markupsafe import escape\ndef f():\n    return '<h1>' + escape(request.args['q']) + '</h1>'", false},
		{"python", py, "def f():\n    return {'q': request.args['q']}", false},
		{"python", "from django.http import HttpResponse\n", "def f(request):\n    return HttpResponse('<b>%s</b>' % request.GET['q'])", true},
		{"python", "from django.http import HttpResponse\n", "def f(request):\n    return HttpResponse('<b>%s</b>' % request.GET['q'], content_type='text/plain')", false},
		// Python, archives.
		{"python", py, "def f(a, d):\n    with tarfile.open(a) as t:\n        for m in t:\n            with open(os.path.join(d, m.name), 'wb') as o:\n                o.write(t.extractfile(m).read())", true},
		{"python", py, "def f(a, d):\n    with tarfile.open(a) as t:\n        for m in t:\n            with open(os.path.join(d, os.path.basename(m.name)), 'wb') as o:\n                o.write(t.extractfile(m).read())", false},
		{"python", py, "def f(a, d):\n    z = zipfile.ZipFile(a)\n    for n in z.namelist():\n        (Path(d) / n).write_bytes(z.read(n))", true},
		{"python", py, "def f(a, d):\n    z = zipfile.ZipFile(a)\n    for n in z.namelist():\n        p = (Path(d) / n).resolve()\n        if not p.is_relative_to(d):\n            raise ValueError(n)\n        p.write_bytes(z.read(n))", false},
		{"python", py, "def f(a):\n    z = zipfile.ZipFile(a)\n    for n in z.namelist():\n        with z.open(n) as h:\n            print(h.read())", false},
		{"python", py, "def f(a, d):\n    z = zipfile.ZipFile(a)\n    for i in z.infolist():\n        z.extract(i, d)", false},
		// What the program sends is called a request, too.
		{"python", "import urllib.request\n", "def f(u):\n    request = urllib.request.Request(u)\n    return open(request.data).read()", false},
		// JavaScript.
		{"javascript", "const fs = require('fs'), path = require('path');\n", "app.get('/f', (req, res) => { fs.readFile(path.join(ROOT, req.query.f), (e, d) => res.send(d)); });", true},
		{"javascript", "const fs = require('fs'), path = require('path');\n", "app.get('/f', (req, res) => { fs.readFile(path.join(ROOT, path.basename(req.query.f)), (e, d) => res.send(d)); });", false},
		{"javascript", "const fs = require('fs'), path = require('path');\n", "app.get('/f', (req, res) => { const p = path.resolve(ROOT, req.params.f); if (!p.startsWith(ROOT + path.sep)) return res.sendStatus(403); fs.createReadStream(p).pipe(res); });", false},
		{"javascript", "import { readFile } from 'node:fs/promises';\n", "app.get('/f', async (req, res) => { const { name } = req.body; res.send(await readFile(`./data/${name}.json`)); });", true},
		{"javascript", "import { readFile } from 'node:fs/promises';\n", "app.get('/f', async (req, res) => { const { id } = req.body; res.send(await readFile(`./data/${Number(id)}.json`)); });", false},
		{"javascript", "", "app.get('/f', (req, res) => res.sendFile('/srv/' + req.params.name));", true},
		{"javascript", "", "app.get('/f', (req, res) => res.sendFile(req.params.name, { root: '/srv' }));", false},
		{"javascript", "const fs = require('fs');\n", "fastify.get('/f', async ({ params: { name } }, reply) => fs.createReadStream('/srv/' + name));", true},
		{"javascript", "const fs = require('fs');\n", "const load = ({ name }) => fs.createReadStream('/srv/' + name);", false},
		{"javascript", "", "router.get('/', async (ctx) => { ctx.body = await fetch(ctx.query.url); });", true},
		{"javascript", "", "router.get('/', async (ctx) => { ctx.body = await fetch(`https://api.example.com/${ctx.query.id}`); });", false},
		{"javascript", "const axios = require('axios');\n", "app.post('/h', async (req, res) => { await axios({ method: 'post', url: req.body.hook }); res.end(); });", true},
		{"javascript", "const axios = require('axios');\n", "app.post('/h', async (req, res) => { const u = new URL(req.body.hook); if (!HOSTS.has(u.hostname)) return res.sendStatus(400); await axios.get(u.href); });", false},
		{"javascript", "const axios = require('axios');\n", "app.post('/h', async (req, res) => { const u = new URL(req.body.hook); await axios.get(u.href); });", true},
		{"javascript", "", "app.get('/go', (req, res) => { res.redirect(req.query.to || '/'); });", true},
		{"javascript", "", "app.get('/go', (req, res) => { res.redirect('/items/' + req.params.id); });", false},
		{"javascript", "", "app.get('/go', (req, res) => { res.redirect(301, 'https://' + req.hostname + req.url); });", false},
		{"javascript", "", "app.get('/go', (req, res) => { const to = PAGES[req.query.to] ?? '/'; res.redirect(to); });", false},
		{"javascript", "", "app.get('/go', (req, res) => { res.writeHead(302, { Location: req.query.to }); res.end(); });", true},
		{"javascript", "import { NextResponse } from 'next/server';\n", "export function GET(request) { const to = request.nextUrl.searchParams.get('to'); return NextResponse.redirect(new URL(to, request.url)); }", true},
		{"javascript", "import { NextResponse } from 'next/server';\n", "export function GET(request) { return NextResponse.redirect(new URL('/login', request.url)); }", false},
		{"javascript", "", "app.get('/', (req, res) => { res.send(`<p>${req.query.q}</p>`); });", true},
		{"javascript", "", "app.get('/', (req, res) => { res.send(`<p>${escapeHtml(req.query.q)}</p>`); });", false},
		{"javascript", "", "app.get('/', (req, res) => { res.send({ q: req.query.q }); });", false},
		{"javascript", "const _ = require('lodash');\n", "app.post('/', (req, res) => res.send(_.template(req.body.t)({})));", true},
		{"javascript", "const _ = require('lodash');\n", "app.post('/', (req, res) => res.send(_.template('<%- a %>')({ a: _.escape(req.body.t) })));", false},
		{"javascript", "const AdmZip = require('adm-zip'), fs = require('fs'), path = require('path');\n", "module.exports = (f, d) => { for (const e of new AdmZip(f).getEntries()) fs.writeFileSync(path.join(d, e.entryName), e.getData()); };", true},
		{"javascript", "const AdmZip = require('adm-zip'), fs = require('fs'), path = require('path');\n", "module.exports = (f, d) => { for (const e of new AdmZip(f).getEntries()) { const p = path.join(d, e.entryName); if (!p.startsWith(d)) continue; fs.writeFileSync(p, e.getData()); } };", false},
		{"javascript", "const tar = require('tar-stream'), fs = require('fs');\n", "const x = tar.extract(); x.on('entry', (header, stream, next) => { stream.pipe(fs.createWriteStream(out + '/' + header.name)); next(); });", true},
		{"javascript", "const fs = require('fs');\n", "walker.on('entry', (entry) => { fs.readFileSync(entry.path); });", false},
		{"javascript", "const http = require('http'), fs = require('fs');\n", "const req = http.request(opts); fs.writeFileSync(req.path, 'x');", false},
		{"typescript", "import { createReadStream } from 'fs';\n", "class C { get(@Param('name') name: string) { return createReadStream(`/srv/${name}`); } }", true},
		{"typescript", "import { createReadStream } from 'fs';\n", "class C { get(@Param('id') id: number) { return createReadStream(`/srv/${id}`); } }", false},
		// Go.
		{"go", "import (\"net/http\"; \"os\"; \"path/filepath\")\n", "func F(w http.ResponseWriter, r *http.Request) { b, _ := os.ReadFile(filepath.Join(dir, r.URL.Query().Get(\"f\"))); w.Write(b) }", true},
		{"go", "import (\"net/http\"; \"os\"; \"path/filepath\")\n", "func F(w http.ResponseWriter, r *http.Request) { b, _ := os.ReadFile(filepath.Join(dir, filepath.Base(r.URL.Query().Get(\"f\")))); w.Write(b) }", false},
		{"go", "import (\"net/http\"; \"os\"; \"path/filepath\")\n", "func F(w http.ResponseWriter, r *http.Request) { n := r.PathValue(\"f\"); if !filepath.IsLocal(n) { return }; b, _ := os.ReadFile(filepath.Join(dir, n)); w.Write(b) }", false},
		{"go", "import (\"net/http\"; \"os\"; \"path\"; \"path/filepath\")\n", "func F(w http.ResponseWriter, r *http.Request) { b, _ := os.ReadFile(filepath.Join(dir, path.Clean(\"/\"+r.URL.Path))); w.Write(b) }", false},
		{"go", "import (\"net/http\"; \"os\"; \"fmt\"; \"encoding/json\")\n", "func F(w http.ResponseWriter, r *http.Request) { var in struct{ Name string }; json.NewDecoder(r.Body).Decode(&in); os.Remove(fmt.Sprintf(\"/srv/%s.txt\", in.Name)) }", true},
		{"go", "import (\"net/http\"; \"os\"; \"fmt\"; \"encoding/json\")\n", "func F(w http.ResponseWriter, r *http.Request) { var in struct{ ID int }; json.NewDecoder(r.Body).Decode(&in); os.Remove(fmt.Sprintf(\"/srv/%d.txt\", in.ID)) }", false},
		{"go", "import (\"os\"; \"encoding/json\")\n", "func F(f *os.File) { var in struct{ Name string }; json.NewDecoder(f).Decode(&in); os.Remove(in.Name) }", false},
		{"go", "import \"github.com/gin-gonic/gin\"\n", "func F(c *gin.Context) { c.File(\"/srv/\" + c.Param(\"name\")) }", true},
		{"go", "import \"github.com/gin-gonic/gin\"\n", "func F(c *gin.Context) { c.File(\"/srv/index.html\"); c.JSON(200, c.Param(\"name\")) }", false},
		{"go", "import (\"net/http\"; \"github.com/go-chi/chi/v5\")\n", "func F(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, \"/srv/\"+chi.URLParam(r, \"f\")) }", true},
		{"go", "import \"net/http\"\n", "func F(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.FormValue(\"next\"), 302) }", true},
		{"go", "import \"net/http\"\n", "func F(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, \"https://\"+r.Host+r.RequestURI, 301) }", false},
		{"go", "import \"net/http\"\n", "func F(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, \"/items/\"+r.FormValue(\"id\"), 302) }", false},
		{"go", "import \"net/http\"\n", "func F(w http.ResponseWriter, r *http.Request) { req, _ := http.NewRequest(\"GET\", r.FormValue(\"u\"), nil); client.Do(req) }", true},
		{"go", "import \"net/http\"\n", "func F(w http.ResponseWriter, r *http.Request) { req, _ := http.NewRequest(\"GET\", base+r.FormValue(\"u\"), nil); client.Do(req) }", false},
		{"go", "import \"net/http\"\n", "func F(w http.ResponseWriter, r *http.Request) { http.Get(r.URL.Query().Get(\"u\")) }", true},
		{"go", "import \"net/http\"\n", "func F(w http.ResponseWriter, r *http.Request) { http.Get(\"http://backend\" + r.URL.Path) }", false},
		{"go", "import (\"net/http\"; \"fmt\")\n", "func F(w http.ResponseWriter, r *http.Request) { q := r.FormValue(\"q\"); fmt.Fprintf(w, \"<p>%s</p>\", q) }", true},
		{"go", "import (\"net/http\"; \"fmt\"; \"html\")\n", "func F(w http.ResponseWriter, r *http.Request) { q := html.EscapeString(r.FormValue(\"q\")); fmt.Fprintf(w, \"<p>%s</p>\", q) }", false},
		{"go", "import (\"archive/zip\"; \"os\"; \"path/filepath\")\n", "func F(z *zip.Reader, dir string) { for _, f := range z.File { out, _ := os.Create(filepath.Join(dir, f.Name)); out.Close() } }", true},
		{"go", "import (\"archive/zip\"; \"os\"; \"path/filepath\")\n", "func F(z *zip.Reader, dir string) { for _, f := range z.File { if !filepath.IsLocal(f.Name) { continue }; out, _ := os.Create(filepath.Join(dir, f.Name)); out.Close() } }", false},
		{"go", "import (\"archive/zip\"; \"os\"; \"path/filepath\"; \"strings\")\n", "func F(z *zip.Reader, dir string) { for _, f := range z.File { p := filepath.Join(dir, f.Name); if !strings.HasPrefix(p, dir) { continue }; out, _ := os.Create(p); out.Close() } }", false},
		// Java.
		{"java", "import java.nio.file.*;\nimport javax.servlet.http.*;\n", "class A { byte[] f(HttpServletRequest q) throws Exception { return Files.readAllBytes(Paths.get(\"/srv\", q.getParameter(\"f\"))); } }", true},
		{"java", "import java.nio.file.*;\nimport javax.servlet.http.*;\n", "class A { byte[] f(HttpServletRequest q) throws Exception { Path p = Paths.get(\"/srv\").resolve(q.getParameter(\"f\")).normalize(); if (!p.startsWith(\"/srv\")) throw new Exception(); return Files.readAllBytes(p); } }", false},
		{"java", "import java.io.*;\n", "class A { @GetMapping(\"/f\") InputStream f(@RequestParam String name) throws Exception { return new FileInputStream(new File(\"/srv\", name)); } }", true},
		{"java", "import java.io.*;\n", "class A { @GetMapping(\"/f\") InputStream f(@RequestParam long name) throws Exception { return new FileInputStream(new File(\"/srv\", name + \".txt\")); } }", false},
		{"java", "import java.io.*;\n", "class A { void f(MultipartFile up) throws Exception { up.transferTo(new File(\"/srv\", up.getOriginalFilename())); } }", true},
		{"java", "import java.io.*;\n", "class A { void f(MultipartFile up) throws Exception { up.transferTo(new File(\"/srv\", java.util.UUID.randomUUID().toString())); } }", false},
		{"java", "", "class A { @GetMapping(\"/go\") String f(@RequestParam String to) { return \"redirect:\" + to; } }", true},
		{"java", "", "class A { @GetMapping(\"/go\") String f(@PathVariable String id) { return \"redirect:/items/\" + id; } }", false},
		{"java", "", "class A { @GetMapping(\"/go\") String f(@RequestParam String to) { if (!ALLOWED.contains(to)) return \"redirect:/\"; return \"redirect:\" + to; } }", false},
		{"java", "import java.util.zip.*;\nimport java.io.*;\n", "class A { void f(ZipFile z, File d) throws Exception { z.stream().forEach(e -> { try { new FileOutputStream(new File(d, e.getName())); } catch (Exception x) { } }); } }", true},
		{"java", "import java.io.*;\n", "class A { void f(File z, File d) throws Exception { new FileOutputStream(new File(d, z.getName())); } }", false},
		{"java", "", "class A { String f(@RequestBody Hook h) { return restTemplate.getForObject(h.getUrl(), String.class); } }", true},
		{"java", "", "class A { String f(@RequestBody Hook h) { return restTemplate.getForObject(\"https://api.example.com/\" + h.getId(), String.class); } }", false},
	} {
		head := c.head
		if c.lang == "go" {
			head = "package p\n" + head
		}
		grade, found := worst(t, c.lang, head+c.src)
		if stopped := grade >= code.Review; stopped != c.stopped {
			t.Errorf("%s %q: %v, want stopped %v", c.lang, strings.TrimPrefix(c.src, py), found, c.stopped)
		}
	}
}
