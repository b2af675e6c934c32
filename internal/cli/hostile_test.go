package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What a terminal would obey, and a line that is none of fettle's.
const (
	obeyed  = "\x1b]0;x\x07\x1b[2J\u202e"
	spelled = `\x1b]0;x\a\x1b[2J\u202e`
	forged  = "\nforged: all is well"
)

// raw is what must not come out.
var raw = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u202e]|(?m:^ *forged)")

// hostile is a repository whose names and tools say what a terminal would obey.
var hostile = map[string]string{
	"odd" + obeyed + ".py": "x  =  1\n",
	"bid\u202e.py":         "x  =  1\n",
	"two" + forged + ".py": "import os\n\n\ndef run(command):\n    os.system(command)\n",
	"lint.py": `import glob, json, sys
for name in glob.glob("odd*") + glob.glob("two*"):
    if "  =" in open(name).read() or name.startswith("two"):
        print(json.dumps({"message": "never \x1b[2J\x07\u202e\nforged so", "location": {"path": name, "range": {"start": {"line": 1}}}}))
        status = 1
sys.exit(status)
`,
	"mend.sh": "sed -i 's/  =  / = /' odd*.py\n",
	"tap.sh":  "printf 'TAP version 13\\n1..1\\nnot ok 1 - \\033[2J\\342\\200\\256\\n  ---\\n  message: \"\\007\\342\\200\\256\"\\n  ...\\n'; exit 1\n",
	"loud.sh": "printf '\\033]0;x\\007\\033[2J\\342\\200\\256\\n' >&2; exit 1\n",
	"fettle.yaml": `version: 1
checks:
  lint:
    run: python3 lint.py
    parser: rdjsonl
    fix: sh mend.sh
  test:
    run: sh tap.sh
    parser: tap
  build:
    run: [sh, loud.sh, "\x1b[2J\u202e\nforged"]
`,
}

// TestNothingIsObeyed: whatever names, messages and settings of a repository hold, no command that people read lets it through to their terminal.
func TestNothingIsObeyed(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, home := filepath.Join(base, "repo"+obeyed), filepath.Join(base, "home")
	for name, text := range hostile {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(home, "fettle", "guard", "log", "2020-01-01.jsonl")
	entry := `{"version":1,"time":"2020-01-01T00:00:00Z","tool":"Bash\u001b]0;x\u0007\u001b[2J\u202e\nforged","input":{"command":"ls"},"decision":"deny","reason":"never \u001b[2J\u202e\nforged"}` + "\n"
	if err := errors.Join(os.MkdirAll(filepath.Dir(log), 0o700), os.WriteFile(log, []byte(entry), 0o600)); err != nil {
		t.Fatal(err)
	}
	run := func(program string, args ...string) string {
		cmd := exec.Cmd{Path: program, Args: args, Dir: dir, Env: append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home,
			"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		var exited *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exited) {
			t.Fatal(err)
		}
		return out.String()
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	run(git, "git", "init", "-q")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, want string }{
		{"init --print", ""},
		{"config", spelled},
		{"doctor", spelled},
		{"run", `never \a\u202e`},
		{"run lint -v", "odd" + spelled + ".py:1"},
		{"run test", `\u202e`},
		{"run build", `\u202e`},
		{"run nothing" + obeyed, spelled},
		{"locate", ""},
		{"audit", `two\nforged: all is well.py:5: danger`},
		{"fix --dry-run --explain", "odd" + spelled + ".py"},
		{"diff", ""},
		{"discard", ""},
		{"fix lint --explain", "odd" + spelled + ".py"},
		{"sessions", ""},
		{"log", ""},
		{"show nothing@" + obeyed, spelled},
		{"confirm --offline", "odd" + spelled},
		{"stats", ""},
		{"stats --reset", ""},
		{"guard status", spelled},
		{"guard explain -- rm odd" + obeyed + ".py", `\u202e`},
		{"guard log", spelled + `\nforged`},
		{"guard install --project --dry-run", spelled},
		{"guard telemetry", ""},
		{"undo odd" + obeyed + ".py", "odd" + spelled + ".py"},
		{"redo", ""},
		{"rollback", ""},
		{"nothing" + obeyed, spelled},
		{"gc", ""},
	} {
		got := run(self, append([]string{"fettle"}, strings.Split(c.command, " ")...)...)
		if at := raw.FindStringIndex(got); at != nil {
			t.Errorf("%q lets %q through:\n%q", c.command, got[at[0]:at[1]], got)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%q does not show %q:\n%q", c.command, c.want, got)
		}
	}
}
