package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

var pythonRules = pattern.Table(func() *ruleset {
	return &ruleset{
		mentions: mentionsOf(
			mentionRow{Dynamic, Danger, `eval exec execfile code.InteractiveInterpreter code.InteractiveConsole code.interact codeop.compile_command
			types.FunctionType types.CodeType runpy.run_path runpy.run_module imp.load_source imp.load_module logging.config.listen
			importlib.util.spec_from_loader numexpr.evaluate`},
			mentionRow{Dynamic, Review, `importlib.util.spec_from_file_location importlib.machinery.SourceFileLoader pandas.eval`},
			mentionRow{Process, Danger, `os.system os.popen os.popen2 os.popen3 os.popen4 os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp
			os.execvpe os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe os.posix_spawn os.posix_spawnp
			os.startfile pty.spawn commands.getoutput commands.getstatusoutput commands.getstatus popen2.popen2 popen2.popen3 popen2.popen4
			platform.popen subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell asyncio.subprocess.create_subprocess_shell
			pexpect.run pexpect.spawn pexpect.runu pip.main pip._internal.main sh.bash sh.sh
			plumbum.local.sh plumbum.local.bash plumbum.cmd.sh plumbum.cmd.bash`},
			mentionRow{Process, Review, `os.fork os.forkpty os.dup2 os.kill os.killpg invoke.run fabric.Connection`},
			mentionRow{Deserialization, Danger, `pickle.load pickle.loads pickle.Unpickler dill.load dill.loads cloudpickle.load cloudpickle.loads marshal.load marshal.loads
			shelve.open shelve.DbfilenameShelf jsonpickle.decode jsonpickle.loads joblib.load pandas.read_pickle yaml.unsafe_load yaml.unsafe_load_all
			yaml.UnsafeLoader multiprocessing.connection.Client multiprocessing.connection.Listener`},
			mentionRow{Deserialization, Review, `yaml.full_load yaml.full_load_all xml.etree.ElementTree.fromstring xml.etree.ElementTree.parse xml.etree.ElementTree.XML xml.dom.minidom.parse
			xml.dom.minidom.parseString xml.dom.pulldom.parse xml.sax.parse xml.sax.parseString xml.sax.make_parser`},
			mentionRow{Native, Danger, `ctypes.CDLL ctypes.PyDLL ctypes.WinDLL ctypes.OleDLL ctypes.cdll ctypes.windll ctypes.pythonapi ctypes.memmove ctypes.LibraryLoader`},
			mentionRow{Native, Review, `cffi.FFI ctypes.cast ctypes.string_at ctypes.CFUNCTYPE`},
			mentionRow{Weakening, Danger, `ssl._create_unverified_context ssl.CERT_NONE ssl.VerifyMode.CERT_NONE tempfile.mktemp paramiko.AutoAddPolicy paramiko.client.AutoAddPolicy
			paramiko.WarningPolicy urllib3.disable_warnings ssl.PROTOCOL_SSLv2 ssl.PROTOCOL_SSLv3`},
			mentionRow{Weakening, Review, `Crypto.Cipher.AES.MODE_ECB Crypto.Cipher.DES.MODE_ECB Crypto.Cipher.DES3.MODE_ECB Crypto.Cipher.Blowfish.MODE_ECB Cryptodome.Cipher.AES.MODE_ECB
			Cryptodome.Cipher.DES.MODE_ECB Cryptodome.Cipher.DES3.MODE_ECB`},
			mentionRow{Secrets, Review, `keyring.get_password keyring.get_credential`},
			mentionRow{Interference, Danger, `sys._getframe sys.settrace sys.setprofile gc.get_objects gc.get_referrers`},
			mentionRow{Network, Note, `requests.get requests.post requests.put requests.patch requests.delete requests.request requests.Session httpx.get httpx.post
			httpx.put httpx.Client httpx.AsyncClient urllib.request.urlopen urllib.request.Request urllib2.urlopen urllib.request.urlretrieve
			http.client.HTTPConnection http.client.HTTPSConnection socket.socket socket.create_connection aiohttp.ClientSession smtplib.SMTP
			smtplib.SMTP_SSL socket.gethostbyname socket.gethostbyname_ex socket.getaddrinfo dns.resolver.resolve dns.resolver.query xmlrpc.client.ServerProxy websockets.connect
			urllib3.PoolManager urllib3.request logging.handlers.HTTPHandler logging.handlers.SysLogHandler ftplib.FTP telnetlib.Telnet websocket.create_connection paramiko.SSHClient boto3.client`},
		),
		members: map[string]*hit{
			"__subclasses__": {Dynamic, Danger, "__subclasses__"}, "__globals__": {Dynamic, Danger, "__globals__"}, "f_globals": {Dynamic, Danger, "f_globals"},
			"f_builtins": {Dynamic, Danger, "f_builtins"}, "gi_frame": {Dynamic, Danger, "gi_frame"}, "__builtins__": {Dynamic, Danger, "__builtins__"},
			"__bases__": {Dynamic, Review, "__bases__"},
		},
		calls: callsOf(
			callRow{"compile", pythonCompile},
			callRow{"__import__ importlib.import_module importlib.__import__", unlessKnown(Dynamic, Review)},
			callRow{"flask.render_template_string render_template_string jinja2.Template mako.template.Template", unlessKnown(Dynamic, Danger)},
			callRow{pythonStarters, subprocess},
			callRow{asyncStarters, func(c *call) *hit { return c.argv(value{isList: true, list: c.args}) }},
			callRow{"webbrowser.get", func(c *call) *hit {
				if strings.Contains(c.arg(0, "using").text, " ") {
					return c.hit(Process, Danger)
				}
				return nil
			}},
			callRow{"yaml.load yaml.load_all", yamlLoad},
			callRow{"torch.load", func(c *call) *hit {
				if c.on("weights_only") {
					return nil
				}
				return c.hit(Deserialization, Review)
			}},
			callRow{"aiohttp.TCPConnector", func(c *call) *hit { return given(c.off("ssl") || c.off("verify_ssl"), Weakening, "ssl") }},
			callRow{"numpy.load", when("allow_pickle", Deserialization)},
			callRow{"lxml.etree.XMLParser", when("resolve_entities", Deserialization)},
			callRow{"lxml.etree.parse lxml.etree.fromstring lxml.etree.XML", pythonXML},
			callRow{"ruamel.yaml.YAML", func(c *call) *hit {
				if t := c.arg(0, "typ").text; t == "unsafe" {
					return c.hit(Deserialization, Danger)
				}
				return nil
			}},
			callRow{"shutil.rmtree os.removedirs distutils.dir_util.remove_tree", func(c *call) *hit { return c.folder(c.arg(0, "path")) }},
			callRow{"sys.exit os._exit exit quit", endsWhileLoading},
			callRow{"hashlib.md5 hashlib.sha1 hashlib.new", weakHash},
			callRow{"timeit.timeit timeit.repeat timeit.Timer", func(c *call) *hit {
				if c.node(0).Is(program.Function) {
					return nil
				}
				return unlessKnown(Dynamic, Review)(c)
			}},
			callRow{"django.utils.safestring.mark_safe django.utils.safestring.SafeString markupsafe.Markup flask.Markup jinja2.Markup", unlessKnown(Injection, Danger)},
			callRow{"urllib3.PoolManager urllib3.HTTPSConnectionPool", func(c *call) *hit {
				if c.arg(-1, "cert_reqs").text == "CERT_NONE" {
					return c.hit(Weakening, Danger)
				}
				return nil
			}},
			callRow{"shutil.copy shutil.copyfile shutil.copy2 shutil.copytree", copiesFile},
			callRow{"sqlite3.connect", func(c *call) *hit { return c.read(c.arg(0, "database")) }},
			callRow{`os.remove os.unlink os.rmdir os.rename os.renames os.replace os.truncate shutil.move os.symlink os.link os.chown shutil.chown os.makedirs os.mkdir`, writes},
			callRow{"winreg.SetValueEx winreg.SetValue", func(c *call) *hit { return c.registers(c.s.unfolded(c.n)) }},
			callRow{"os.chmod", pythonChmod}, callRow{"open io.open codecs.open os.open", pythonOpen},
			callRow{"jinja2.Environment", whenOff("autoescape", Weakening)},
			callRow{`random.randint random.random random.choice random.choices random.randrange random.sample random.getrandbits random.uniform
			random.Random().randint random.Random().random random.Random().choice random.Random().choices random.Random().randrange random.Random().sample random.Random().getrandbits random.Random().uniform random.shuffle random.Random().shuffle random.randbytes random.Random().randbytes`, weakRandom},
			callRow{"sqlalchemy.text sqlalchemy.sql.text text", func(c *call) *hit {
				if v := c.arg(0, "text"); v.isText && !v.known() && v.text != unknown {
					return c.hit(Injection, Danger)
				}
				return nil
			}},
			callRow{"jwt.decode jwt.decode_complete jwt.PyJWT jwt.api_jwt.decode jwt.api_jwt.PyJWT jose.jwt.decode jose.jws.verify", jwtDecode},
			callRow{"jose.jwt.get_unverified_claims jose.jws.get_unverified_claims", always(Weakening, Review)},
			callRow{`django.db.models.expressions.RawSQL peewee.SQL sqlalchemy.literal_column sqlalchemy.sql.expression.literal_column sqlalchemy.sql.expression.text psycopg2.sql.SQL
			psycopg.sql.SQL`, statementPart},
			callRow{"pandas.read_sql pandas.read_sql_query polars.read_database duckdb.sql duckdb.query", statementPart},
			callRow{"setattr", setsAttribute},
			callRow{"cryptography.hazmat.primitives.ciphers.modes.ECB", always(Weakening, Review)},
			callRow{"requests.get requests.post requests.put requests.patch requests.delete requests.request httpx.get httpx.post httpx.put httpx.Client httpx.AsyncClient",
				whenOff("verify", Weakening)},
		),
		methods: callsOf(
			callRow{"extra", djangoExtra},
			callRow{"eval query", frameText},
			callRow{"recv_pyobj", always(Deserialization, Danger)},
			callRow{"search search_s search_st search_ext search_ext_s paged_search", asksOf(ldapFilters)},
			callRow{"xpath", asksOf(xpaths)},
			callRow{"sendmail", mails},
			callRow{"kill terminate send_signal suspend", endsOthers},
			callRow{"execute executemany executescript raw fetch fetchrow fetchval fetch_all fetch_one execute_sql", func(c *call) *hit { return c.execute() }},
			callRow{"subprocess_shell exec_command", func(c *call) *hit {
				if n, v := c.node(0), c.arg(0, ""); n != nil && v.isText && (!c.s.foreign(n) || strings.Count(v.text, unknown) <= c.s.quoted(c.s.written(n))) {
					return nil // the file's own words, and what was quoted
				}
				return c.hit(Process, Danger)
			}},
			callRow{"set_missing_host_key_policy", func(c *call) *hit {
				return given(!strings.Contains(c.arg(0, "").path, "RejectPolicy"), Weakening, "set_missing_host_key_policy")
			}},
			callRow{"write_text", writesText},
			callRow{"write_bytes unlink rmdir rename touch chmod symlink_to hardlink_to", func(c *call) *hit { return c.write(c.object()) }},
			callRow{"read", func(c *call) *hit { return c.read(c.arg(0, "filenames")) }},
			callRow{"read_text read_bytes", func(c *call) *hit { return c.read(c.object()) }},
			callRow{"open", func(c *call) *hit {
				mode := c.arg(0, "mode").text
				if h := c.opensToWrite(c.n.Kid(program.Callee).Kid(program.Object), mode); h != nil {
					return h
				}
				if strings.ContainsAny(mode, "wax+") {
					return c.write(c.object())
				}
				return c.read(c.object())
			}},
			callRow{"extractall", extractAll},
			callRow{"from_string", func(c *call) *hit {
				if c.arg(0, "source").known() || !templates.MatchString(c.receiver()) {
					return nil
				}
				return c.hit(Dynamic, Danger)
			}},
			callRow{"run", func(c *call) *hit {
				if c.on("debug") && strings.HasSuffix(c.receiver(), "app") {
					return c.hit(Weakening, Danger)
				}
				return nil
			}},
			callRow{"insert append", func(c *call) *hit {
				switch c.object().path {
				case "sys.meta_path", "sys.path_hooks":
					return c.hit(Interference, Danger)
				}
				return nil
			}},
		),
		sets:        pythonSets,
		functions:   map[string]*hit{"__reduce__": {Deserialization, Review, "__reduce__"}, "__reduce_ex__": {Deserialization, Review, "__reduce_ex__"}},
		options:     pythonOptions,
		environment: set("os.environ os.environb"),
		modules:     strings.Fields("os sys subprocess builtins shutil importlib pickle ctypes socket"),
	}
})

// when says it of calls with an option that is on.
func when(option string, class Class) func(*call) *hit {
	return func(c *call) *hit {
		if c.on(option) {
			return c.hit(class, Danger)
		}
		return nil
	}
}

func whenOff(option string, class Class) func(*call) *hit {
	return func(c *call) *hit {
		if c.off(option) {
			return c.hit(class, Danger)
		}
		return nil
	}
}

// pythonCompile judges the builtin: a syntax tree alone runs nothing.
func pythonCompile(c *call) *hit {
	if strings.Contains(c.n.Text(), "PyCF_ONLY_AST") {
		return nil
	}
	return c.hit(Dynamic, Danger)
}

func subprocess(c *call) *hit {
	if c.on("shell") {
		return c.hit(Process, Danger)
	}
	if program := c.arg(-1, "executable"); program.known() && runsText(program.text) {
		return c.hit(Process, Danger)
	}
	if c.spread && len(c.args) < 2 && c.named["shell"] == nil {
		return c.hit(Process, Review)
	}
	return c.argv(c.arg(0, "args"))
}

// quoted counts what is quoted for a shell in an expression.
func (s *scan) quoted(n *program.Node) int {
	count := 0
	for k := range n.Walk() {
		if path := s.eval(k.Kid(program.Callee), 0).path; k.Role == program.Call && (path == "shlex.quote" || path == "pipes.quote") {
			count++
		}
	}
	return count
}

func yamlLoad(c *call) *hit {
	loader := c.named["Loader"]
	if loader == nil {
		loader = c.node(1)
	}
	if loader != nil {
		path := c.s.eval(loader, 0).path
		switch {
		case strings.HasSuffix(path, "SafeLoader"), strings.HasSuffix(path, "BaseLoader"), strings.HasPrefix(path, "?"):
			return nil
		case strings.HasSuffix(path, "FullLoader"):
			return c.hit(Deserialization, Review) // as yaml.full_load
		}
	}
	return c.hit(Deserialization, Danger)
}

func pythonChmod(c *call) *hit {
	if h := c.write(c.arg(0, "path")); h != nil {
		return h
	}
	return c.opensUp(c.arg(1, "mode"))
}

func pythonOpen(c *call) *hit {
	if h := c.opensToWrite(c.node(0), c.arg(1, "mode").text); h != nil {
		return h
	}
	if mode := c.arg(1, "mode"); strings.ContainsAny(mode.text, "wax+") || strings.Contains(c.n.Text(), "O_WRONLY") {
		return c.write(c.arg(0, "file"))
	}
	return c.read(c.arg(0, "file"))
}

// guessable matches lines whose random numbers must not be guessed.
var guessable = pattern.New(`(?i)(\b|_)(otp|token|password|passwd|secret|nonce|salt|csrf|session_?id|sid|api_?key)(\b|_|s\b)`)

// weakRandom judges numbers that can be computed in advance, where the line says what they are for.
func weakRandom(c *call) *hit {
	if c.forSecrets() || guessable.MatchString(c.line()) {
		return c.hit(Weakening, Review)
	}
	return nil
}

// templates matches what makes programs of templates.
var templates = pattern.New(`(?i)jinja|(\b|_)(engines?|env|environment)\b`)

func (c *call) execute() *hit {
	if database.MatchString(c.receiver()) && c.fromRequest() {
		return c.hit(Injection, Danger)
	}
	n := c.stated()
	h := c.sql(c.s.eval(n, 0))
	if h != nil && !c.s.foreign(n) {
		return nil // all of it stands in the file, its placeholders too
	}
	return h
}

func extractAll(c *call) *hit {
	if h := c.write(c.arg(0, "path")); h != nil {
		return h
	}
	if c.named["filter"] != nil && c.arg(-1, "filter").text != "fully_trusted" || !strings.Contains(c.receiver()+c.object().path, "tar") {
		return nil
	}
	return c.hit(Destruction, Danger)
}

func pythonSets(s *scan, a setting) *hit {
	path := a.path
	switch {
	case path == "ssl._create_default_https_context":
		return &hit{Weakening, Danger, path}
	case (strings.HasSuffix(path, ".check_hostname") || strings.HasSuffix(path, ".verify")) && s.truth(a.value, false, 0) == no:
		return &hit{Weakening, Danger, "verify"}
	case strings.HasPrefix(a.target.Text(), "builtins."), strings.HasPrefix(a.target.Text(), "__builtins__"), strings.HasPrefix(a.target.Text(), "sys.modules["):
		return &hit{Interference, Danger, a.target.Text()}
	case strings.HasSuffix(a.target.Text(), ".__code__"), path == "sys.meta_path", path == "sys.stdout.write", path == "sys.excepthook":
		return &hit{Interference, Danger, a.target.Text()}
	case secretNames.MatchString(a.name):
		return knownSecret(s, a.value)
	case replaces(a):
		return &hit{Interference, Review, a.path}
	}
	return nil
}
