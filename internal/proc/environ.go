package proc

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// foreign are the variables that tie a process to what called fettle, and not to the repository. A check must not get them:
// a hook's GIT_DIR or GIT_INDEX_FILE would make it look at (and write to) another index; make's flags name a job server
// whose descriptors it does not have; a coverage folder would collect fettle's own tests. The first group is what
// `git rev-parse --local-env-vars` prints, plus what git sets for hooks.
var foreign = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_OBJECT_DIRECTORY",
	"GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS",
	"GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH",
	"GIT_REFLOG_ACTION", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR",
	"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES",
	"GOCOVERDIR", "PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT",
	"CI", "CLICOLOR_FORCE", "FORCE_COLOR", "COLUMNS", "LINES", "OLDPWD", "PWD",
}

// plain asks tools for output without colours and control sequences. NO_COLOR is https://no-color.org; PY_COLORS is
// pytest's and rich's.
var plain = map[string]string{
	"NO_COLOR":            "1",
	"CLICOLOR":            "0",
	"PY_COLORS":           "0",
	"TERM":                "dumb",
	"GIT_TERMINAL_PROMPT": "0",
}

// Environ is the environment for a check: this process's own, without what ties it to our caller (a hook's GIT_DIR, make's
// job server, CI), with plain output asked for, and then extra on top, which may set anything again. An empty value in
// extra sets an empty variable. The result is sorted and holds every name once.
func Environ(extra map[string]string) []string { return environ(os.Environ(), extra) }

func environ(base []string, extra map[string]string) []string {
	env := map[string]string{}
	for _, kv := range base {
		if name, value, ok := strings.Cut(kv, "="); ok && name != "" && !isForeign(name) {
			env[name] = value
		}
	}
	maps.Copy(env, plain)
	maps.Copy(env, extra)
	out := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return out
}

func isForeign(name string) bool {
	return slices.Contains(foreign, name) || strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}
