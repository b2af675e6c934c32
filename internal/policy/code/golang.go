package code

import (
	"strconv"
	"strings"
)

var goRules = ruleset{
	mentions: mentionsOf(
		mentionRow{Process, Danger, `syscall.Exec syscall.ForkExec syscall.StartProcess golang.org/x/sys/unix.Exec`},
		mentionRow{Process, Review, `os.StartProcess syscall.Kill syscall.RawSyscall syscall.Syscall syscall.Syscall6`},
		mentionRow{Native, Review, `unsafe.Pointer unsafe.Slice unsafe.String unsafe.StringData unsafe.SliceData unsafe.Add`},
		mentionRow{Dynamic, Danger, `plugin.Open`},
		mentionRow{Network, Note, `net/http.Get net/http.Post net/http.PostForm net/http.NewRequest net/http.NewRequestWithContext net.Dial net.DialTimeout net/smtp.SendMail
			net/http.DefaultClient http.Get http.Post http.PostForm http.NewRequest`},
		mentionRow{Weakening, Danger, `golang.org/x/crypto/ssh.InsecureIgnoreHostKey ssh.InsecureIgnoreHostKey`},
	),
	calls: callsOf(
		callRow{"os/exec.Command exec.Command os/exec.CommandContext exec.CommandContext", goCommand},
		callRow{"os.RemoveAll", func(c *call) *hit { return c.removeAll(c.arg(0, ""), nil) }},
		callRow{"os.Remove os.WriteFile os.Create os.Rename os.Truncate os.Symlink os.Link os.Chown os.OpenFile io/ioutil.WriteFile ioutil.WriteFile", func(c *call) *hit {
			if strings.HasSuffix(c.path, "WriteFile") || strings.HasSuffix(c.path, "OpenFile") && !strings.Contains(c.n.Text(), "O_RDONLY") {
				return c.write(c.arg(0, ""))
			}
			return writes(c)
		}},
		callRow{"os.Chmod", goChmod},
		callRow{"os.ReadFile os.Open io/ioutil.ReadFile ioutil.ReadFile", func(c *call) *hit { return c.read(c.arg(0, "")) }},
		callRow{"os.Exit", func(c *call) *hit {
			if name := function(c.n); name == "init" || name == "" {
				return c.hit(Interference, Danger)
			}
			return nil
		}},
		callRow{"os.Setenv", func(c *call) *hit {
			if loaders.MatchString(c.arg(0, "").text) {
				return c.hit(Interference, Danger)
			}
			return nil
		}},
		callRow{"html/template.HTML html/template.JS template.HTML template.JS html/template.URL template.URL", unlessKnown(Injection, Danger)},
	),
	methods: callsOf(
		callRow{"Query QueryRow Exec", func(c *call) *hit { return c.sql(c.arg(0, "")) }},
		callRow{"QueryContext QueryRowContext ExecContext", func(c *call) *hit { return c.sql(c.arg(1, "")) }},
		callRow{"Raw", func(c *call) *hit { return c.sql(c.arg(0, "")) }},
		callRow{"MethodByName", func(c *call) *hit {
			if c.arg(0, "").known() {
				return nil
			}
			return c.hit(Dynamic, Review)
		}},
	),
	sets: func(_ *scan, a setting) *hit {
		return given(a.target.Name == "InsecureSkipVerify" && a.value.Text() == "true", Weakening, "InsecureSkipVerify")
	},
	pairs: map[string]func(string) *hit{
		"InsecureSkipVerify": func(v string) *hit { return given(v == "true", Weakening, "InsecureSkipVerify") },
	},
	environment: set("os.Environ syscall.Environ"),
	modules:     []string{"os", "os/exec"},
}

func goCommand(c *call) *hit {
	args := c.args
	if strings.HasSuffix(c.path, "Context") && len(args) > 0 {
		args = args[1:]
	}
	return c.argv(value{isList: true, list: args})
}

func goChmod(c *call) *hit {
	if h := c.write(c.arg(0, "")); h != nil {
		return h
	}
	if mode, err := strconv.ParseUint(c.arg(1, "").number, 0, 32); err == nil && mode&0o6002 != 0 {
		return c.hit(Weakening, Review)
	}
	return nil
}
