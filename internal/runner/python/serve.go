package python

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/proc"
)

// The program that runs inside of pytest.
//
//go:embed serve/fettle_runner/*.py serve/site/*.py
var program embed.FS

// plugin is the module that pytest is told to load.
const plugin = "fettle_runner.plugin"

// unpack writes the program into a folder.
func unpack(dir string) error {
	from, err := fs.Sub(program, "serve")
	if err == nil {
		err = os.CopyFS(dir, from)
	}
	if err != nil {
		return fmt.Errorf("put the test runner for Python into %s: %w", dir, err)
	}
	return nil
}

// settings is what the program reads when it begins.
type settings struct {
	Mode    string            `json:"mode"` // "serve" or "plain"
	Root    string            `json:"root"`
	Dir     string            `json:"dir"`
	IDs     []string          `json:"ids"`
	Files   []string          `json:"files,omitempty"` // that failing tests stand in
	Most    int               `json:"most,omitempty"`  // so many of all tests, where nobody knows which are wanted
	Cache   string            `json:"cache,omitempty"`
	Texts   map[string]string `json:"texts,omitempty"`
	Report  string            `json:"report,omitempty"`
	Scratch string            `json:"scratch"`
	Dotted  bool              `json:"dotted,omitempty"` // ids are as unittest has them
}

// start is the command that runs pytest with our plug-in, and these settings written down in a new folder.
func (s *suite) start(set settings, args ...string) (c proc.Cmd, dir string, err error) {
	if dir, err = os.MkdirTemp(s.scratch, set.Mode+"-"); err != nil {
		return c, "", fmt.Errorf("scratch: %w", err)
	}
	set.Root, set.Dir, set.Dotted = s.place.Root(), s.abs(), s.command.unittest
	set.Scratch, set.Cache = dir, filepath.Join(s.scratch, "cache")
	if set.Mode == "plain" {
		set.Report = filepath.Join(dir, "outcomes")
	}
	b, err := json.Marshal(set)
	name := filepath.Join(dir, "settings.json")
	if err == nil {
		err = os.WriteFile(name, b, 0o600)
	}
	if err != nil {
		return c, dir, fmt.Errorf("scratch: %w", err)
	}
	args = append([]string{"-o", "cache_dir=" + filepath.Join(dir, "cache")}, args...)
	return proc.Cmd{Argv: s.command.with(plugin, filepath.Join(dir, "report"), args...), Dir: s.abs(), Env: s.environ(name, set.Mode)}, dir, nil
}

// abs is the folder that the user's command runs in.
func (s *suite) abs() string { return filepath.Join(s.place.Root(), filepath.FromSlash(s.check.Dir)) }

// environ is the environment of the user's command, and what leads to our program.
func (s *suite) environ(settings, mode string) []string {
	env := map[string]string{"PYTHONDONTWRITEBYTECODE": "1"}
	if mode == "serve" {
		env["PYTHONHASHSEED"] = "0" // the same verdict each time
	}
	maps.Copy(env, s.check.Env)
	search, set := env["PYTHONPATH"]
	if !set {
		search = os.Getenv("PYTHONPATH")
	}
	env["PYTHONPATH"] = strings.TrimSuffix(s.scratch+string(filepath.ListSeparator)+search, string(filepath.ListSeparator))
	env["FETTLE_RUNNER"] = settings
	env["HYPOTHESIS_STORAGE_DIRECTORY"] = filepath.Join(filepath.Dir(settings), "hypothesis") // what it has found before
	if s.reachesOn() && mode == "plain" {
		env["FETTLE_TEXTS"] = settings
		env["PYTHONPATH"] = filepath.Join(s.scratch, "site") + string(filepath.ListSeparator) + env["PYTHONPATH"]
	}
	return proc.Environ(env)
}

// reachesOn reports whether changed files are laid over in processes that tests start, too.
func (s *suite) reachesOn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spawns
}

// most is how many of all tests are looked at, while nobody knows yet which ones fail.
func (s *suite) most() int {
	if len(s.failing) == 0 {
		return mostSurveyed
	}
	return 0
}

// ids are the ids of all tests that the suite is about.
func (s *suite) ids() []string { return slices.Concat(s.failing, s.passing) }
