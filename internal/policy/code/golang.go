package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

var goRules = pattern.Table(func() *ruleset {
	return &ruleset{
		mentions: mentionsOf(
			mentionRow{Process, Danger, `syscall.Exec syscall.ForkExec syscall.StartProcess golang.org/x/sys/unix.Exec`},
			mentionRow{Dynamic, Review, `github.com/traefik/yaegi/interp.New github.com/dop251/goja.New github.com/yuin/gopher-lua.NewState github.com/robertkrimen/otto.New go.starlark.net/starlark.ExecFile`},
			mentionRow{Native, Review, `golang.org/x/sys/unix.PtraceAttach syscall.PtraceAttach golang.org/x/sys/unix.ProcessVMWritev`},
			mentionRow{Weakening, Danger, `crypto/tls.VersionSSL30`},
			mentionRow{Weakening, Review, `crypto/tls.VersionTLS10 syscall.Setuid syscall.Setgid golang.org/x/sys/unix.Setuid google.golang.org/grpc.WithInsecure google.golang.org/grpc/credentials/insecure.NewCredentials
			crypto/des.NewCipher crypto/des.NewTripleDESCipher crypto/rc4.NewCipher crypto/tls.TLS_RSA_WITH_RC4_128_SHA crypto/tls.TLS_ECDHE_RSA_WITH_RC4_128_SHA
			crypto/tls.TLS_RSA_WITH_3DES_EDE_CBC_SHA`},
			mentionRow{Native, Review, `github.com/ebitengine/purego.Dlopen golang.org/x/sys/windows.WriteProcessMemory syscall.NewLazyDLL golang.org/x/sys/windows.NewLazyDLL`},
			mentionRow{Process, Review, `os.StartProcess syscall.Kill syscall.RawSyscall syscall.Syscall syscall.Syscall6`},
			mentionRow{Native, Review, `unsafe.Pointer unsafe.Slice unsafe.String unsafe.StringData unsafe.SliceData unsafe.Add`},
			mentionRow{Dynamic, Danger, `plugin.Open`},
			mentionRow{Network, Note, `net/http.Get net/http.Post net/http.PostForm net/http.NewRequest net/http.NewRequestWithContext net.Dial net.DialTimeout net/smtp.SendMail
			net/http.DefaultClient http.Get http.Post http.PostForm http.NewRequest`},
			mentionRow{Weakening, Danger, `golang.org/x/crypto/ssh.InsecureIgnoreHostKey ssh.InsecureIgnoreHostKey`},
		),
		calls: callsOf(
			callRow{goStarters, goCommand},
			callRow{"github.com/go-ldap/ldap/v3.NewSearchRequest github.com/go-ldap/ldap.NewSearchRequest", asksOf(ldapFilters)},
			callRow{"os.RemoveAll", func(c *call) *hit {
				if p := c.arg(0, ""); p.isText {
					return c.folder(p)
				}
				return nil // programs of Go tidy up after themselves by it everywhere
			}},
			callRow{`syscall.Mmap golang.org/x/sys/unix.Mmap syscall.Mprotect golang.org/x/sys/unix.Mprotect golang.org/x/sys/windows.VirtualAlloc
			golang.org/x/sys/windows.VirtualProtect github.com/edsrzf/mmap-go.Map github.com/edsrzf/mmap-go.MapRegion`, executableMemory},
			callRow{"net/http.ListenAndServe http.ListenAndServe net/http.ListenAndServeTLS", goProfiles},
			callRow{"net/http.Dir", func(c *call) *hit {
				if p := c.arg(0, ""); p.known() && (away(p.text) || p.text == "~") {
					return c.hit(Secrets, Review)
				}
				return nil
			}},
			callRow{`math/rand.Read math/rand.Int math/rand.Intn math/rand.Int63 math/rand.Uint32 math/rand.Uint64 math/rand.Perm math/rand/v2.IntN math/rand/v2.N
			math/rand/v2.Uint64 math/rand.New math/rand.Int31n math/rand.Int63n math/rand.Int31 math/rand.Float64 math/rand.Shuffle math/rand/v2.Uint32
			math/rand/v2.Int math/rand/v2.Uint64N math/rand/v2.Perm math/rand/v2.New`, weakRandom},
			callRow{"crypto/md5.Sum crypto/md5.New crypto/sha1.Sum crypto/sha1.New", weakHash},
			callRow{"fmt.Fprintf fmt.Fprint fmt.Fprintln io.WriteString", goHTML},
			callRow{"os.Remove os.WriteFile os.Create os.Rename os.Truncate os.Symlink os.Link os.Chown os.OpenFile io/ioutil.WriteFile ioutil.WriteFile", func(c *call) *hit {
				if strings.HasSuffix(c.path, "WriteFile") || strings.HasSuffix(c.path, "OpenFile") && !strings.Contains(c.n.Text(), "O_RDONLY") {
					return c.write(c.arg(0, ""))
				}
				return writes(c)
			}},
			callRow{"os.Chmod", goChmod},
			callRow{"os.ReadFile os.Open io/ioutil.ReadFile ioutil.ReadFile", func(c *call) *hit { return c.read(c.arg(0, "")) }},
			callRow{"os.Exit", func(c *call) *hit {
				name := function(c.n)
				if name == "init" || name == "" || name == "TestMain" && c.arg(0, "").number == "0" && c.n.Up(program.If, program.Switch) == nil { // whatever its tests say
					return c.hit(Interference, Danger)
				}
				return nil
			}},
			callRow{"os.Setenv", func(c *call) *hit {
				if c.arg(0, "").text == "PATH" {
					return c.hit(Interference, Review)
				}
				return nil
			}},
			callRow{`html/template.HTML html/template.JS template.HTML template.JS html/template.URL template.URL html/template.HTMLAttr html/template.JSStr
			html/template.CSS html/template.Srcset`, markup(Danger)},
		),
		methods: callsOf(
			callRow{`Query QueryRow Exec QueryContext QueryRowContext ExecContext Raw Prepare PrepareContext Queryx QueryRowx MustExec NamedExec NamedQuery Preparex
			Select SelectContext Get GetContext QueryxContext NamedExecContext`, goStatement},
			callRow{"Where Or Not Having", func(c *call) *hit { return c.condition() }},
			callRow{"Order OrderBy Joins Suffix Prefix", func(c *call) *hit { return c.fragment() }},
			callRow{"Expr", func(c *call) *hit { return c.condition() }},
			callRow{"Execute ExecuteTemplate", goPage},
			callRow{"SetStringValue SetExpandStringValue", func(c *call) *hit { return c.registers(c.s.unfolded(c.n)) }},
			callRow{"ParseUnverified ParseInsecure", goUnverified},
			callRow{"UnsafeClaimsWithoutVerification", goUnverified},
			callRow{"Encrypt", blocks},
			callRow{"Intn IntN Int Int31 Int31n Int63 Int63n Uint32 Uint64 Perm Shuffle Read Float64", func(c *call) *hit {
				if !strings.HasPrefix(c.object().path, "math/rand") {
					return nil
				}
				return weakRandom(c)
			}},
			callRow{"NewProc MustFindProc FindProc", func(c *call) *hit { return given(injects.MatchString(c.arg(0, "").text), Native, c.arg(0, "").text) }},
			callRow{"Parse", func(c *call) *hit {
				if p := c.object().path; c.arg(0, "").known() || !strings.HasSuffix(p, "template.New()") {
					return nil
				}
				return c.hit(Dynamic, Review)
			}},
			callRow{"MethodByName", func(c *call) *hit {
				if c.arg(0, "").known() {
					return nil
				}
				return c.hit(Dynamic, Review)
			}},
		),
		members: map[string]*hit{
			"UnsafeAllowNoneSignatureType": {Weakening, Danger, "UnsafeAllowNoneSignatureType"}, "SigningMethodNone": {Weakening, Danger, "SigningMethodNone"},
			"WithoutClaimsValidation": {Weakening, Review, "WithoutClaimsValidation"},
		},
		entries:     map[string]func(*scan, *program.Node) *hit{"HostKeyCallback": acceptsHost, "CheckOrigin": acceptsOrigin, "AllowOriginFunc": acceptsOrigin, "Addr": goServer},
		sets:        goSets,
		options:     map[string]option{"InsecureSkipSignatureCheck": {true, Weakening, Danger}, "InsecureSkipVerify": {true, Weakening, Danger}},
		environment: set("os.Environ syscall.Environ"),
		modules:     []string{"os", "os/exec"},
	}
})

func goCommand(c *call) *hit {
	args := c.args
	if strings.HasSuffix(c.path, "Context") && len(args) > 0 {
		args = args[1:]
	}
	if len(args) > 0 && !args[0].isText && !strings.HasPrefix(args[0].path, "os.Args") && args[0].path != "os.Executable()" {
		return c.hit(Process, Review)
	}
	return c.argv(value{isList: true, list: args})
}

// goHTML judges a page that is written with what a request says.
func goHTML(c *call) *hit {
	if v := c.arg(1, ""); !v.isText || !strings.Contains(v.text, "<") || !requested.MatchString(c.n.Text()) {
		return nil
	}
	return c.hit(Injection, Danger)
}

var requested = pattern.New(`\.(FormValue|PostFormValue|PathValue|URL\.Query\(\))|\.URL\.(Path|RawQuery)`)

func goChmod(c *call) *hit {
	if h := c.write(c.arg(0, "")); h != nil {
		return h
	}
	return c.opensUp(c.arg(1, ""))
}
