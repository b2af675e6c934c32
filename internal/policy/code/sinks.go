package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// goal is what is done with a value.
type goal uint8

const (
	file     goal = iota + 1 // it is a path that is opened, sent, written or removed
	address                  // it is an address that is fetched
	redirect                 // it is an address to which a browser is sent
	pageText                 // it is a part of a page
	template                 // it is a template, and its placeholders are carried out
)

func (g goal) String() string {
	return [...]string{"", "a path", "an address to fetch", "an address to go to", "a page", "a template"}[g]
}

// takes reports whether a value of somebody else does harm there. Where an address begins with what the program chose, the rest is a detail of it.
func (g goal) takes(t taint) bool {
	switch g {
	case file:
		return t.from != own
	case address, redirect:
		return t.from == said && t.head
	default:
		return t.from >= located
	}
}

// sink is where a value must not come that others chose: the goal, and the arguments; -1 is what the method is called on.
type sink struct {
	goal goal
	args []int
}

func sinksOf(rows ...sinkRow) map[string]sink {
	all := make(map[string]sink)
	for _, r := range rows {
		for name := range strings.FieldsSeq(r.names) {
			all[name] = sink{r.goal, r.args}
		}
	}
	return all
}

type sinkRow struct {
	goal  goal
	args  []int
	names string
}

var (
	first = []int{0}
	both  = []int{0, 1}
	self  = []int{-1}
)

// functionSinks are functions by their paths, methodSinks methods by their names alone.
var functionSinks = sinksByLanguage(func() map[syntax.Lang]map[string]sink {
	return map[syntax.Lang]map[string]sink{
		syntax.Python: sinksOf(
			sinkRow{file, first, `open io.open codecs.open os.open aiofiles.open flask.send_file quart.send_file send_file starlette.responses.FileResponse fastapi.responses.FileResponse
			aiohttp.web.FileResponse os.remove os.unlink os.rmdir os.removedirs shutil.rmtree os.listdir os.scandir os.mkdir os.makedirs os.chmod gzip.open bz2.open lzma.open linecache.getlines
			runpy.run_path pandas.read_csv pandas.read_json numpy.load PIL.Image.open tarfile.open zipfile.ZipFile shutil.unpack_archive flask.send_from_directory`},
			sinkRow{file, both, "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.move os.rename os.replace os.symlink os.link"},
			sinkRow{address, first, `requests.get requests.post requests.put requests.patch requests.delete requests.head requests.options httpx.get httpx.post httpx.put httpx.patch httpx.delete httpx.head
			urllib.request.urlopen urllib.request.Request urllib.request.urlretrieve urllib2.urlopen urllib3.request curl_cffi.requests.get feedparser.parse`},
			sinkRow{address, []int{1}, "requests.request httpx.request httpx.stream aiohttp.request"},
			sinkRow{redirect, first, `flask.redirect quart.redirect django.shortcuts.redirect django.http.HttpResponseRedirect django.http.HttpResponsePermanentRedirect bottle.redirect sanic.response.redirect
			starlette.responses.RedirectResponse fastapi.responses.RedirectResponse aiohttp.web.HTTPFound aiohttp.web.HTTPSeeOther aiohttp.web.HTTPMovedPermanently werkzeug.utils.redirect`},
			sinkRow{pageText, first, `flask.Response flask.make_response django.http.HttpResponse starlette.responses.HTMLResponse fastapi.responses.HTMLResponse aiohttp.web.Response sanic.response.html quart.Response`},
			sinkRow{template, first, "flask.render_template_string jinja2.Template django.template.Template mako.template.Template string.Formatter().format"},
		),
		syntax.JavaScript: sinksOf(
			sinkRow{file, first, `readFile readFileSync createReadStream createWriteStream writeFile writeFileSync appendFile appendFileSync unlink unlinkSync rm rmSync rmdir rmdirSync readdir
			readdirSync mkdir mkdirSync open openSync rename renameSync copyFile copyFileSync outputFile outputFileSync readJson readJsonSync remove removeSync cp cpSync`},
			sinkRow{file, first, "Bun.file Bun.write Deno.readTextFile Deno.readFile Deno.writeTextFile Deno.writeFile Deno.open Deno.remove"},
			sinkRow{address, first, `fetch node-fetch axios axios.get axios.post axios.put axios.patch axios.delete axios.head axios.request got got.get got.post got.stream needle needle.get superagent.get
			superagent.post request request.get request.post http.get https.get http.request https.request undici.request undici.fetch undici.stream ky ky.get ky.post $fetch ofetch phin bent`},
			sinkRow{address, []int{1}, "needle axios.postForm"},
			sinkRow{redirect, first, "Response.redirect NextResponse.redirect next/server.NextResponse.redirect next/navigation.redirect @sveltejs/kit.redirect @remix-run/node.redirect react-router.redirect"},
			sinkRow{template, first, `lodash.template lodash/template underscore.template ejs.render ejs.compile handlebars.compile Handlebars.compile pug.render pug.compile nunjucks.renderString nunjucks.compile doT.template dot.template
			eta.renderString hogan.js.compile mustache.render swig.render twig.twig jade.compile jade.render _.template`},
		),
		syntax.Go: sinksOf(
			sinkRow{file, first, `os.Open os.ReadFile os.Create os.OpenFile os.WriteFile os.Remove os.RemoveAll os.MkdirAll os.Mkdir os.ReadDir os.Truncate os.Chmod io/ioutil.ReadFile io/ioutil.WriteFile
			io/ioutil.ReadDir os.DirFS`},
			sinkRow{file, both, "os.Rename os.Symlink os.Link"},
			sinkRow{file, []int{2}, "net/http.ServeFile"},
			sinkRow{address, first, "net/http.Get net/http.Post net/http.Head net/http.PostForm"},
			sinkRow{address, []int{1}, "net/http.NewRequest"},
			sinkRow{address, []int{2}, "net/http.NewRequestWithContext"},
			sinkRow{address, first, "net/http/httputil.NewSingleHostReverseProxy"},
			sinkRow{redirect, []int{2}, "net/http.Redirect"},
			sinkRow{pageText, []int{1, 2, 3, 4, 5}, "fmt.Fprintf"},
			sinkRow{pageText, []int{1}, "io.WriteString"},
		),
		syntax.Java: sinksOf(
			sinkRow{file, first, `FileInputStream FileOutputStream FileReader FileWriter PrintWriter RandomAccessFile Files.readAllBytes Files.readString Files.readAllLines Files.lines Files.newInputStream
			Files.newOutputStream Files.newBufferedReader Files.newBufferedWriter Files.write Files.writeString Files.delete Files.deleteIfExists Files.createDirectories Files.list Files.walk
			FileSystemResource PathResource FileUtils.readFileToString FileUtils.writeStringToFile FileUtils.openInputStream FileUtils.copyInputStreamToFile FileUtils.deleteQuietly`},
			sinkRow{file, both, "Files.copy Files.move FileUtils.copyFile IOUtils.copy FileUtils.copyInputStreamToFile"},
			sinkRow{address, first, "HttpRequest.newBuilder HttpGet HttpPost Jsoup.connect UrlResource ImageIO.read IOUtils.toString IOUtils.toByteArray RequestEntity.get"},
			sinkRow{redirect, first, "RedirectView"},
		),
	}
})

var methodSinks = sinksByLanguage(func() map[syntax.Lang]map[string]sink {
	return map[syntax.Lang]map[string]sink{
		syntax.Python: sinksOf(
			sinkRow{file, self, "open read_text read_bytes write_text write_bytes unlink iterdir mkdir rmdir touch"},
			sinkRow{file, first, "save send_file"},
			sinkRow{redirect, first, "redirect"},
			sinkRow{template, first, "from_string"},
		),
		syntax.JavaScript: sinksOf(
			sinkRow{file, first, "sendFile download sendfile createReadStream createWriteStream"},
			sinkRow{redirect, both, "redirect"},
			sinkRow{pageText, first, "send write end html"},
			sinkRow{address, first, "goto"},
		),
		syntax.Go: sinksOf(
			sinkRow{file, first, "File SendFile Attachment"},
			sinkRow{file, []int{1}, "SaveUploadedFile"},
			sinkRow{redirect, both, "Redirect"},
			sinkRow{pageText, []int{1}, "Execute"},
			sinkRow{pageText, []int{2}, "ExecuteTemplate"},
			sinkRow{pageText, first, "Write WriteString"},
		),
		syntax.Java: sinksOf(
			sinkRow{file, first, "transferTo"},
			sinkRow{address, self, "openStream openConnection"},
			sinkRow{address, first, "getForObject getForEntity postForObject postForEntity exchange uri url execute newCall"},
			sinkRow{redirect, first, "sendRedirect location"},
			sinkRow{pageText, first, "print println write append"},
		),
	}
})

// sinksByLanguage are sinks by language, made when somebody first asks for one; TypeScript's are JavaScript's.
func sinksByLanguage(made func() map[syntax.Lang]map[string]sink) func() map[syntax.Lang]map[string]sink {
	return pattern.Table(func() map[syntax.Lang]map[string]sink {
		all := made()
		all[syntax.TypeScript], all[syntax.TSX] = all[syntax.JavaScript], all[syntax.JavaScript]
		return all
	})
}

// clients matches what is made to fetch addresses, by what makes it.
var clients = pattern.New(`^(requests\.(Session|session)|httpx\.(Async)?Client|aiohttp\.ClientSession|urllib3\.PoolManager|cloudscraper\.create_scraper|axios\.create|got\.extend)\(\)$`)

// clientVerbs are the methods of clients, and the place of the address among their arguments.
var clientVerbs = map[string]int{"get": 0, "post": 0, "put": 0, "patch": 0, "delete": 0, "head": 0, "request": 1, "stream": 1, "urlopen": 1}

// reaches judges that something which others chose comes to a call as what it must not be.
func (s *scan) reaches(n *program.Node) {
	callee := n.Kid(program.Callee)
	if callee == nil {
		return
	}
	path := s.eval(callee, 0).path
	s.stores(n, callee)
	k, ok := functionSinks()[s.file.Lang][path]
	if !ok && s.isScript() {
		k, ok = scriptFiles(path)
	}
	name := path
	if !ok && callee.Is(program.Attr) {
		name = callee.Name
		if k, ok = methodSinks()[s.file.Lang][name]; !ok {
			k, ok = s.fetching(callee)
		}
	}
	if !ok {
		s.named(n, path)
		return
	}
	args := positional(n)
	for _, i := range k.args {
		var to *program.Node
		switch {
		case i < 0:
			to = callee.Kid(program.Object)
		case i < len(args):
			to = args[i]
		}
		if to != nil && s.fits(n, k.goal, name, to) {
			s.blame(n, k.goal, name, to)
		}
	}
	s.named(n, path)
}

// stores judges the name and folder that multer is told to keep a file under: what the request calls it leads anywhere.
func (s *scan) stores(n, callee *program.Node) {
	f, args := n.Function(), n.All(program.Arg)
	if f == nil || len(args) < 2 || !callee.Is(program.Name) {
		return
	}
	params := f.All(program.Params)
	options := f.Up(program.Call)
	if len(params) != 3 || params[2].Name != callee.Name || called(f) != "filename" && called(f) != "destination" || options == nil || s.eval(options.Kid(program.Callee), 0).path != "multer.diskStorage" {
		return
	}
	if text := args[1].Text(); strings.Contains(text, ".originalname") && !strings.Contains(text, "basename(") && !strings.Contains(text, "extname(") {
		s.add(n, &hit{Injection, Review, "multer.diskStorage: a path of a request"})
		return
	}
	s.blame(n, file, "multer.diskStorage", args[1])
}

func (s *scan) isScript() bool {
	l := s.file.Lang
	return l == syntax.JavaScript || l == syntax.TypeScript || l == syntax.TSX
}

// scriptFiles are the functions of the modules of Node that take paths.
func scriptFiles(path string) (sink, bool) {
	rest, ok := strings.CutPrefix(path, "fs.")
	if !ok {
		rest, ok = strings.CutPrefix(path, "fs-extra.")
	}
	if !ok {
		return sink{}, false
	}
	rest = strings.TrimPrefix(rest, "promises.")
	k, ok := functionSinks()[syntax.JavaScript][rest]
	return k, ok && k.goal == file
}

func positional(n *program.Node) []*program.Node {
	var args []*program.Node
	for _, a := range n.All(program.Arg) {
		if a.Role != program.Keyword {
			args = append(args, a)
		}
	}
	return args
}

// fetching is the sink of a client's method.
func (s *scan) fetching(callee *program.Node) (sink, bool) {
	i, ok := clientVerbs[callee.Name]
	object := callee.Kid(program.Object)
	if ok && clients.MatchString(s.eval(object, 0).path) {
		return sink{address, []int{i}}, true
	}
	if s.file.Lang == syntax.Go && (callee.Name == "Get" || callee.Name == "Head" || callee.Name == "Post") && goClients.MatchString(object.Text()) {
		if t := firstText(s.classOf(object), s.typeOf(object)); t == "" || goClientTypes.MatchString(t) {
			return sink{address, first}, true
		}
	}
	return sink{}, false
}

// goClients matches what clients of HTTP are called, goClientTypes their types.
var (
	goClients     = pattern.New(`(?i)(^|\.)(http)?client$`)
	goClientTypes = pattern.New(`(?i)http\.?client$`)
)

// named judges the arguments by name that hold an address or a path: url=, {url: …}, Location.
func (s *scan) named(n *program.Node, path string) {
	if s.file.Lang == syntax.Python || s.isScript() {
		c := s.newCall(n, path)
		k, ok := functionSinks()[s.file.Lang][path]
		for _, name := range []string{"url", "baseURL", "uri"} {
			if to := c.named[name]; ok && k.goal == address && to != nil {
				s.blame(n, address, path, to)
			}
		}
		for _, name := range []string{"filename", "path", "path_or_file", "file"} {
			if to := c.named[name]; ok && k.goal == file && to != nil && s.file.Lang == syntax.Python && path != "flask.send_from_directory" {
				s.blame(n, file, path, to)
			}
		}
	}
	s.redirects(n, path)
}

// redirects judges the header that sends a browser elsewhere.
func (s *scan) redirects(n *program.Node, path string) {
	args := positional(n)
	switch n.Calls() {
	case "setHeader", "Set", "set", "header", "addHeader", "append":
		if len(args) == 2 && strings.EqualFold(s.eval(args[0], 0).text, "location") {
			s.blame(n, redirect, "Location", args[1])
		}
		if len(args) == 2 && strings.EqualFold(s.eval(args[0], 0).text, "access-control-allow-origin") {
			s.add(n, s.mirrors(n, args[1]))
		}
	case "location":
		if s.isScript() && len(args) == 1 {
			s.blame(n, redirect, "location", args[0])
		}
	case "writeHead":
		if len(args) == 2 && args[1].Is(program.Map) {
			if to := s.newCall(n, path).named["Location"]; to != nil {
				s.blame(n, redirect, "Location", to)
			}
		}
	}
}

// fits reports whether a call is what its name says: a page is one where it holds a tag, a file is safe below a folder that the call names.
func (s *scan) fits(n *program.Node, g goal, name string, to *program.Node) bool {
	callee := n.Kid(program.Callee)
	switch {
	case g == pageText && (name == "Execute" || name == "ExecuteTemplate"):
		return strings.HasPrefix(s.eval(callee.Kid(program.Object), 0).path, "text/template.")
	case g == pageText && name == "fmt.Fprintf":
		return strings.Contains(s.eval(positional(n)[1], 0).text, "<")
	case g == pageText:
		return strings.Contains(s.eval(to, 0).text, "<") && !s.plainText(n)
	case g == file:
		return s.fitsFile(n, name, to)
	case name == "Redirect":
		return goContexts.MatchString(s.typeOf(callee.Kid(program.Object)))
	case name == "location" || name == "uri" || name == "url" || name == "execute":
		return s.file.Lang == syntax.Java
	default:
		return true
	}
}

// fitsFile reports whether a call whose argument is a path is what its name says.
func (s *scan) fitsFile(n *program.Node, name string, to *program.Node) bool {
	callee := n.Kid(program.Callee)
	switch {
	case name == "sendFile", name == "download":
		return s.isScript() && s.newCall(n, name).named["root"] == nil && !strings.HasPrefix(callee.Kid(program.Object).Text(), "reply")
	case name == "File", name == "SendFile", name == "Attachment", name == "SaveUploadedFile":
		return goContexts.MatchString(s.typeOf(callee.Kid(program.Object)))
	case callee.Name == "open" && s.file.Lang == syntax.Python && callee.Is(program.Attr) && to == callee.Kid(program.Object):
		return s.taint(to, 0).from != entry && s.eval(to, 0).path != "?request" // an archive's own
	default:
		return true
	}
}

// plainText reports an answer that says that it is no page.
func (s *scan) plainText(n *program.Node) bool {
	c := s.newCall(n, "")
	for _, name := range []string{"mimetype", "content_type", "media_type"} {
		if v := c.named[name]; v != nil && !strings.Contains(v.Text(), "html") {
			return true
		}
	}
	return false
}

// blame notes that something which others chose comes where it must not, and nothing in between looked at it.
func (s *scan) blame(n *program.Node, g goal, name string, to *program.Node) {
	t := s.taint(to, 0)
	if !g.takes(t) || s.looked(n, to) {
		return
	}
	s.add(n, &hit{Injection, Review, name + ": " + g.String() + " " + t.from.String()})
}

// answers judges what handlers give back: a page with what a request says in it, a redirection that is a text.
func (s *scan) answers(n *program.Node) {
	for _, v := range n.All(program.Value) {
		lead := s.eval(v, 0).text
		switch {
		case n.Role == program.Assign:
			if t := n.Kid(program.Target); s.isScript() && t.Is(program.Attr) && t.Text() == "ctx.body" && strings.Contains(lead, "<") {
				s.blame(n, pageText, "ctx.body", v)
			}
		case s.file.Lang == syntax.Python && strings.Contains(lead, "<") && lead != unknown:
			s.blame(n, pageText, "return", v)
		case s.file.Lang == syntax.Java && strings.HasPrefix(lead, "redirect:"):
			s.blame(n, redirect, "redirect:", v)
		case s.file.Lang == syntax.Java && strings.Contains(lead, "<"):
			s.blame(n, pageText, "return", v)
		}
	}
}
