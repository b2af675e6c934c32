package node

import (
	"context"
	"fmt"
	"os"
	"os/exec"
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
