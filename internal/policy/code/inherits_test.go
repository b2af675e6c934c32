package code_test

import "testing"

// TestInherited is what classes have of others, and functions of whom they are handed to: what somebody else chose goes through both.
func TestInherited(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"from flask import request\ndef work(p):\n    return open(p).read()\ndef view(pool):\n    return list(pool.map(work, request.json[\"paths\"]))", true},
		{"from flask import request\ndef work(p):\n    return open(p).read()\ndef view(pool):\n    return list(pool.map(work, [\"a\", \"b\"]))", false},
		{"from flask import request, send_file\nclass Base:\n    def target(self):\n        return \"/srv/\" + request.args[\"name\"]\nclass Down(Base):\n    def get(self):\n        return open(self.target()).read()", true},
		{"from flask import request\nclass Base:\n    def __init__(self, path):\n        self.path = path\n    def read(self):\n        return open(self.path).read()\nclass Down(Base):\n    def __init__(self, name):\n        super().__init__(\"/srv/\" + name)\ndef view():\n    return Down(request.args[\"n\"]).read()", true},
		{"from flask import request\nclass Base:\n    def read(self):\n        return open(self.where()).read()\nclass Down(Base):\n    def where(self):\n        return request.args[\"p\"]", true},
		{"from flask import request\ndef read(p):\n    return open(p).read()\ndef view():\n    return list(map(read, request.json[\"paths\"]))", true},
		{"from flask import request\nclass Job: pass\ndef view():\n    j = Job()\n    setattr(j, \"path\", request.args[\"p\"])\n    return open(j.path).read()", true},
		{"from flask import request\ndef load(paths, how):\n    return [how(p) for p in paths]\ndef view():\n    return load(request.json[\"paths\"], lambda p: open(p).read())", true},
		{"import threading\nfrom flask import request\ndef work(p):\n    open(p).read()\ndef view():\n    threading.Thread(target=work, args=(request.args[\"p\"],)).start()", true},
		{"from flask import request\ndef work(p):\n    return open(p).read()\ndef view(pool):\n    return pool.submit(work, request.args[\"p\"]).result()", true},
		{"import os\nfrom flask import request\nclass Base:\n    def where(self):\n        return os.path.join(\"/srv\", os.path.basename(request.args[\"p\"]))\nclass Down(Base):\n    def read(self):\n        return open(self.where()).read()", false},
		{"from flask import request, abort\nclass Base:\n    def __init__(self, path):\n        if path not in ALLOWED:\n            abort(404)\n        self.path = path\nclass Down(Base):\n    def read(self):\n        return open(self.path).read()\ndef view():\n    return Down(request.args[\"p\"]).read()", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const fs = require('fs');\nclass Base { constructor(p) { this.p = p; } }\nclass Down extends Base { read() { return fs.readFileSync(this.p); } }\napp.get('/x', (req, res) => { res.send(new Down(req.query.p).read()); });", true},
		{"const fs = require('fs');\napp.post('/x', (req, res) => { req.body.files.forEach((f) => fs.unlinkSync(f)); res.end(); });", true},
		{"const fs = require('fs');\nfunction each(list, fn) { for (const x of list) fn(x); }\napp.post('/x', (req, res) => { each(req.body.files, (f) => fs.unlinkSync(f)); res.end(); });", true},
		{"const fs = require('fs').promises;\napp.get('/x', (req, res) => { Promise.resolve(req.query.p).then((p) => fs.readFile(p)).then((d) => res.send(d)); });", true},
		{"const fs = require('fs');\nconst NAMES = ['a', 'b'];\napp.get('/x', (req, res) => { res.json(NAMES.map((n) => fs.readFileSync(n, 'utf8'))); });", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"import java.nio.file.*;\nimport javax.servlet.http.*;\nclass Base { protected String path; Base(String p) { this.path = p; } }\nclass Down extends Base {\n  Down(String p) { super(p); }\n  byte[] read() throws Exception { return Files.readAllBytes(Paths.get(path)); }\n}\nclass S extends HttpServlet {\n  protected void doGet(HttpServletRequest req, HttpServletResponse res) throws Exception {\n    res.getOutputStream().write(new Down(req.getParameter(\"p\")).read());\n  }\n}", true},
		{"import java.nio.file.*;\nimport java.util.*;\nimport org.springframework.web.bind.annotation.*;\n@RestController\nclass R {\n  @PostMapping(\"/x\")\n  void drop(@RequestBody List<String> names) { names.forEach(n -> { try { Files.delete(Path.of(\"/srv/\" + n)); } catch (Exception e) {} }); }\n}", true},
	})
	judgeKinds(t, "go", []kindRow{
		{"import (\"net/http\"; \"os\")\nfunc with(r *http.Request, f func(string)) { f(r.FormValue(\"p\")) }\nfunc h(w http.ResponseWriter, r *http.Request) { with(r, func(p string) { b, _ := os.ReadFile(p); w.Write(b) }) }", true},
		{"import (\"net/http\"; \"os\")\ntype base struct { path string }\nfunc (b base) read() []byte { d, _ := os.ReadFile(b.path); return d }\ntype down struct { base }\nfunc h(w http.ResponseWriter, r *http.Request) { d := down{base{path: r.FormValue(\"p\")}}; w.Write(d.read()) }", true},
	})
}
