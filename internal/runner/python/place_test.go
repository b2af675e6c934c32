package python_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/edit"
	"fettle/internal/fix/fixtest"
	"fettle/internal/runner"
	"fettle/internal/runner/python"
	"fettle/internal/testenv"
	"fettle/internal/verdict"
)

// project is a repository in a temporary folder, with the check that runs its tests.
type project struct {
	*fixtest.Place
	check check.Check
}

// lay makes a project with these files, given as a txtar archive. Its tests are run by pytest with more arguments.
func lay(t testing.TB, archive string, args ...string) project {
	t.Helper()
	testenv.NeedTool(t, "pytest")
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = string(f.Data)
	}
	argv := append([]string{"python3", "-m", "pytest", "-q", "-o", "junit_family=xunit1", "--junit-xml={report}"}, args...)
	return project{fixtest.New(t, files), check.Check{Name: "test", Lang: "python", Run: argv, Parser: "pytest-junit"}}
}

// job runs the check as it is: what fails is to be healed.
func (p project) job(t testing.TB) runner.Job {
	t.Helper()
	results, err := check.Run(context.Background(), p, []check.Check{p.check}, check.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	job := runner.Job{Place: p, Check: p.check, Baseline: results[0]}
	for id, outcome := range results[0].Tests {
		if outcome == parse.Fail {
			job.Failing = append(job.Failing, id)
		}
	}
	slices.Sort(job.Failing)
	return job
}

// suite is the only suite of the project's failing tests.
func (p project) suite(t testing.TB) runner.Suite {
	t.Helper()
	suites, err := python.Harness{}.Suites(context.Background(), p.job(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(suites) != 1 {
		t.Fatalf("got %d suites", len(suites))
	}
	t.Cleanup(func() {
		if err := suites[0].Close(); err != nil {
			t.Error(err)
		}
	})
	return suites[0]
}

// replace is the patch that replaces the only occurrence of was in a file.
func (p project) replace(t testing.TB, file, was, is string) edit.Patch {
	t.Helper()
	src, err := p.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(src), was)
	if at < 0 || strings.Count(string(src), was) > 1 {
		t.Fatalf("%q is not in %s once", was, file)
	}
	e := edit.Edit{Start: at, End: at + len(was), New: []byte(is)}
	return edit.Patch{{Path: file, Op: edit.Modify, Base: edit.Sum(src), Edits: []edit.Edit{e}}}
}

// try gives the trials of these candidates in their order.
func try(t testing.TB, s runner.Suite, candidates ...edit.Patch) []verdict.Trial {
	t.Helper()
	out := make([]verdict.Trial, len(candidates))
	came := 0
	for trial, err := range s.TryAll(context.Background(), sequence(candidates)) {
		if err != nil {
			t.Fatal(err)
		}
		out[trial.Index] = trial
		came++
	}
	if came != len(candidates) {
		t.Fatalf("%d candidates gave %d trials", len(candidates), came)
	}
	return out
}

func sequence(candidates []edit.Patch) iter.Seq[edit.Patch] { return slices.Values(candidates) }

// join makes one patch of patches to one file.
func join(patches ...edit.Patch) edit.Patch {
	c := patches[0][0]
	c.Edits = nil
	for _, p := range patches {
		c.Edits = append(c.Edits, p[0].Edits...)
	}
	slices.SortFunc(c.Edits, func(a, b edit.Edit) int { return a.Start - b.Start })
	return edit.Patch{c}
}
