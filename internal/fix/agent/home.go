package agent

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/fix"
)

// environ is an environment to take from.
type environ []string

// get is the value of a variable; of two, the last counts.
func (e environ) get(name string) string {
	for _, kv := range slices.Backward(e) {
		if n, v, ok := strings.Cut(kv, "="); ok && n == name {
			return v
		}
	}
	return ""
}

// plainVariables are those that an agent and the tools that it starts need, and that are no secrets.
var plainVariables = []string{
	"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LOGNAME", "SHELL", "TMPDIR",
	"JAVA_HOME", "GOROOT", "GOFLAGS", "GOTOOLCHAIN", "GOOS", "GOARCH", "CGO_ENABLED", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH",
}

// toolFolders are where tools have what they need to run, by the variable that names the folder, when that is in the person's own home.
var toolFolders = map[string]string{
	"GOPATH": "go", "GOCACHE": ".cache/go-build", "RUSTUP_HOME": ".rustup", "CARGO_HOME": ".cargo", "PYENV_ROOT": ".pyenv", "NVM_DIR": ".nvm", "GRADLE_USER_HOME": ".gradle",
}

// outside is the environment of an agent: what it needs of ours, and nothing else. Its tools find their folders though its home is another.
func (f *fixer) outside(t fix.Task, to endpoint, home, at string) []string {
	e, env := environ(f.o.Env), map[string]string{}
	for _, name := range slices.Concat(plainVariables, f.o.Pass) {
		if v := e.get(name); v != "" {
			env[name] = v
		}
	}
	for name, rel := range toolFolders {
		v := e.get(name)
		if v == "" && filepath.IsAbs(e.get("HOME")) {
			v = filepath.Join(e.get("HOME"), rel)
			if _, err := os.Stat(v); err != nil {
				continue
			}
		}
		if v != "" {
			env[name] = v
		}
	}
	for _, p := range slices.Backward(t.Parts()) { // of two that say otherwise the first has its way
		maps.Copy(env, p.Check.Env)
	}
	maps.Copy(env, map[string]string{
		"HOME": home, "TERM": "dumb", "NO_COLOR": "1", "GIT_TERMINAL_PROMPT": "0",
		"NO_PROXY": "*", // the door is on the loopback
	})
	maps.Copy(env, f.driver.variables(home, at))
	env[to.stands] = stand
	out := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return out
}
