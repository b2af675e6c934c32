package node

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/testenv"
)

// run carries a script out that may require our programs, and gives what it prints.
func run(t *testing.T, env, script string, options ...string) string {
	t.Helper()
	testenv.NeedTool(t, "node")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "node", append(options, "-e", script)...)
	c.Env = append(os.Environ(), env)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestStartedOnce holds what is noted of what is started: each thing once, whatever starts it, and that it ends with the candidate.
func TestStartedOnce(t *testing.T) {
	for starts, most := range map[string]int{
		"child.spawn('true')":                    64,
		"child.exec('true')":                     64,
		"util.promisify(child.execFile)('true')": 64,
		"child.execFileSync('true')":             64,
		"new threads.Worker('', { eval: true })": 64,
		"new vm.Script('1')":                     0,
	} {
		got := run(t, "A=1", fmt.Sprintf(`
const child = require('node:child_process'), threads = require('node:worker_threads'), vm = require('node:vm'), util = require('node:util');
const guard = require('./serve/guard.cjs'), processes = require('./serve/processes.cjs');
processes.install();
processes.watch();
guard.begin(Infinity);
let all = 0;
try {
  for (; all < 70; all++) %s;
} catch {}
console.log(guard.bound() ? all : 0, processes.any());
processes.forget();
`, starts))
		if want := fmt.Sprint(most, " true"); got != want {
			t.Errorf("%s: %q, want %q", starts, got, want)
		}
	}
	// What goes on would keep the process from its end.
	if got := run(t, "A=1", `
const threads = require('node:worker_threads'), processes = require('./serve/processes.cjs');
processes.install();
new threads.Worker('setInterval(() => {}, 1000)', { eval: true }).on('exit', () => console.log('ended'));
processes.forget();
`); got != "ended" {
		t.Errorf("%q", got)
	}
}

// TestRecordedOnce is a thread that says much: the texts that ran are written down once, and only what is new of what ran.
func TestRecordedOnce(t *testing.T) {
	root, told := t.TempDir(), t.TempDir()
	source := filepath.Join(root, "talk.js")
	const text = "const { parentPort } = require('node:worker_threads');\nfunction never() { return 'never'; }\nfor (let i = 0; i < 100; i++) parentPort.postMessage(i);\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "config.json")
	if err := writeJSON(config, map[string]any{"roots": []string{root}, "dir": told}); err != nil {
		t.Fatal(err)
	}
	run(t, "FETTLE_RECORD="+config, fmt.Sprintf("new (require('node:worker_threads').Worker)(%q).on('error', (e) => { throw e; })", source), "--require", "./serve/record.cjs")
	files, err := os.ReadDir(told)
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	raw, err := os.ReadFile(filepath.Join(told, files[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	if count, lines := bytes.Count(raw, []byte("'never'")), bytes.Count(raw, []byte("\n")); count != 1 || lines > 10 {
		t.Errorf("the text stands there %d times, in %d lines", count, lines)
	}
	ran := recordedIn(raw)
	if len(ran) != 1 || ran[0].File != "talk.js" {
		t.Fatalf("%v", ran)
	}
	if got, want := fmt.Sprint(ran[0].lines(text)), "[1 3]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
