package proc_test

import (
	"slices"
	"testing"

	"fettle/internal/proc"
)

func TestEnviron(t *testing.T) {
	for name, value := range map[string]string{
		"GIT_DIR": "/x/.git", "GIT_INDEX_FILE": "/x/.git/index.lock", "GIT_CONFIG_KEY_0": "core.pager", "GIT_AUTHOR_NAME": "Ann",
		"MAKEFLAGS": "-j8 --jobserver-auth=3,4", "CI": "true", "TERM": "xterm-256color", "FORCE_COLOR": "3", "KEEP_ME": "a=b",
	} {
		t.Setenv(name, value)
	}
	env := proc.Environ(map[string]string{"CI": "1", "EMPTY": ""})
	for _, want := range []string{"KEEP_ME=a=b", "GIT_AUTHOR_NAME=Ann", "CI=1", "EMPTY=", "NO_COLOR=1", "PY_COLORS=0", "TERM=dumb"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, kv := range env {
		for _, name := range []string{"GIT_DIR=", "GIT_INDEX_FILE=", "GIT_CONFIG_KEY_0=", "MAKEFLAGS=", "FORCE_COLOR="} {
			if len(kv) >= len(name) && kv[:len(name)] == name {
				t.Errorf("%s reaches the check", kv)
			}
		}
	}
	if !slices.IsSorted(env) {
		t.Error("the environment is not sorted")
	}
}
