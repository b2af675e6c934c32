package hook

import (
	"os"
	"path/filepath"
	"slices"

	"fettle/internal/policy/shell"
)

// excused reports a call that would be asked about for nothing but what takes nothing from anybody: an agent deletes what it has made itself, or what git gives
// back, and undoes its own edits; an edit of settings weakens nothing; a commit that nobody else has seen is made again; a package that the project names is run before it is installed. What a rule of people's own asks about is never excused.
func (s *session) excused(o *occasion, grounds []shell.Fact) bool {
	return len(grounds) > 0 && !slices.ContainsFunc(grounds, func(f shell.Fact) bool {
		return !o.policy.Usual(f) || !s.tidies(f) && !ordinary(o, f) && !s.keeps(f) && !o.unseen(f) && !s.undoes(o, f) && !s.declares(o, f)
	})
}

// tidies reports that a file is deleted which this session's agent has made itself, and which is as it has left it. What was to be made, and never was, is somebody else's if it is there.
func (s *session) tidies(f shell.Fact) bool {
	return single(f) && !f.Is(shell.Recursive) && slices.Contains(ours, f.Zone) && s.wrote(f.Target) == made && s.untouched(f.Target, made)
}

// single reports that one file is deleted, which is known by its name. What would be deleted with everything below has nothing below where it is a file.
func single(f shell.Fact) bool {
	if f.Kind != shell.Delete || f.Is(shell.Glob) || f.Is(shell.Vague) {
		return false
	}
	info, err := os.Lstat(f.Target)
	return !f.Is(shell.Recursive) || err == nil && info.Mode().IsRegular()
}

// keeps reports that a file of the project is deleted which git holds as it is: git restore brings it back.
func (s *session) keeps(f shell.Fact) bool {
	return single(f) && f.Zone == shell.Project && s.held(f.Target)
}

// everywhere reports that where all that a fact is about happens is known, and that it is so in each of these folders.
func (o *occasion) everywhere(f shell.Fact, so func(dir string, operands []string) bool) bool {
	given := f.Given()
	return len(given) > 0 && !slices.ContainsFunc(given, func(g shell.Given) bool {
		dir, err := filepath.EvalSymlinks(g.Dir)
		return g.Dir == "" || err != nil || dir != o.at.Resolve(g.Dir) || !so(dir, g.Operands)
	})
}

// unseen reports that a commit of the repository where the command starts is made again which is on no branch of another machine's: the old one stays in the reflog.
func (o *occasion) unseen(f shell.Fact) bool {
	return f.Kind == shell.Rewrite && f.By == "git commit" && o.everywhere(f, func(dir string, _ []string) bool {
		r, ok := repositoryAt(dir + "/.")
		here, known := repositoryAt(o.at.Cwd + "/.")
		return ok && known && r.work == here.work && r.unpushed()
	})
}

// undoes reports that files are restored of which git held everything before this session's agent wrote to them, and which nobody has touched since, or which are as git's
// index has them: only its own work is thrown away, or nothing. What is restored from git's index leaves that as it is.
func (s *session) undoes(o *occasion, f shell.Fact) bool {
	return f.Kind == shell.Discard && f.Is(shell.Named) && (f.By == "git restore" || f.By == "git checkout") && o.everywhere(f, func(dir string, names []string) bool {
		at := o.at
		at.Cwd = dir
		return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
			path := shell.PathFact(shell.Read, name, f.By, at).Target
			return (s.wrote(path) != kept || !s.untouched(path, kept)) && !s.held(path)
		})
	})
}
