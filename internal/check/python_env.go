package check

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// activeEnv is the environment that the shell has activated, by venv or by conda, if its programs are not on PATH anyway: those
// who set its variables alone, as some editors do, mean it too.
func activeEnv() string {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		dir := os.Getenv(name)
		if !filepath.IsAbs(dir) || slices.Contains(filepath.SplitList(os.Getenv("PATH")), filepath.Join(dir, "bin")) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "bin", "python")); err == nil {
			return dir
		}
	}
	return ""
}

// holds reports whether the environment has a program.
func (p *pythonProject) holds(program string) bool {
	switch {
	case p.env == "":
		return false
	case filepath.IsAbs(p.env):
		_, err := os.Stat(filepath.Join(p.env, "bin", program))
		return err == nil
	}
	return p.nearest(filepath.Join("bin", program), filepath.Base(p.env)) == p.env
}

// inside reports whether the environment lies in the project, where tools would look through it.
func (p *pythonProject) inside() bool {
	return p.env != "" && !filepath.IsAbs(p.env) && !strings.HasPrefix(p.env, "..")
}
