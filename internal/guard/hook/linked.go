package hook

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"fettle/internal/policy/shell"
)

// linked asks about writing to a file of the project that has more than one name: where the other is, nobody can tell, and what lies there changes with it. What git has, and
// what the agent has made, is the project's all the same; and what a build makes is linked by package managers.
func linked(s *session, _ *occasion, v shell.Verdict) *shell.Verdict {
	for i := range v.Facts {
		f := &v.Facts[i]
		if v.Decision != shell.Allow || !slices.Contains([]shell.Kind{shell.Write, shell.Format, shell.Empty}, f.Kind) || f.Zone == shell.Generated || !slices.Contains(ours, f.Zone) || !several(f.Target) ||
			s.tracked(f.Target) || s.wrote(f.Target) == made {
			continue
		}
		return &shell.Verdict{Decision: shell.Ask, Class: "outside", Rule: "hard-link", Reason: f.Target + " has another name, too (a hard link), and what lies there would change with it",
			Alternative: "write to a file of its own, or copy it first"}
	}
	return nil
}

// several reports a regular file that has more than one name.
func several(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}

// tracked reports a file that git's index knows, whatever it holds.
func (s *session) tracked(path string) bool {
	r, ok := s.repository(path)
	if !ok {
		return false
	}
	rel, err := filepath.Rel(r.work, path)
	if err != nil {
		return false
	}
	_, ok = r.read().entry(filepath.ToSlash(rel))
	return ok
}
