package configs

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// workflow compares the jobs of a workflow of GitHub's. The steps of each have to be there in order, as they were or demanding more; its checks may also be run by other jobs that begin as
// it did, and for which a job of its name waits.
func workflow(was, is trees.Tree) Judgement {
	a, restA := split(was, "jobs")
	b, restB := split(is, "jobs")
	to := judgeBy(restA, restB, []demand{towards(`name|run-name|concurrency|concurrency/.*`, free)})
	had, has := trees.Of(a["jobs"]), trees.Of(b["jobs"])
	var fresh []trees.Tree
	for name, job := range has {
		if had[name] == nil {
			parts, ok := matrixRuns(trees.Of(job))
			if !ok {
				return Unproven
			}
			fresh = append(fresh, parts...)
		}
	}
	used := 0
	for name, v := range had {
		old, now := trees.Of(v), trees.Of(has[name])
		switch {
		case now == nil:
			return Unproven
		case jobHeld(old, now) == NoLess:
		case waitsFor(now, has, had) && divided(old, fresh):
			used++
		default:
			return Unproven
		}
	}
	if len(fresh) > 0 && used != 1 {
		return Unproven
	}
	return to
}

// jobDemands are what else is said of a job than its steps.
var jobDemands = []demand{
	towards(`name|timeout-minutes|concurrency|strategy/(fail-fast|max-parallel)`, free),
	towards(`continue-on-error`, offByItself),
}

// jobHeld compares a job with what it is now.
func jobHeld(was, is trees.Tree) Judgement {
	a, restA := split(was, "steps")
	b, restB := split(is, "steps")
	return min(judgeBy(restA, restB, jobDemands), stepsHeld(a["steps"], b["steps"]))
}

// stepsHeld compares steps that are carried out one after another.
func stepsHeld(was, is any) Judgement {
	had, has := plainSteps(was), plainSteps(is)
	next := 0
	for _, step := range has {
		switch {
		case next < len(had) && stepHeld(had[next], step):
			next++
		case !onlyChecking(step):
			return Unproven
		}
	}
	return ifSo(next == len(had))
}

// onlyChecking reports a step that is new and does nothing but check.
func onlyChecking(step trees.Tree) bool {
	_, rest := split(step, "run", "name")
	lines := commandLines(step["run"])
	return len(rest) == 0 && len(lines) > 0 && !slices.ContainsFunc(lines, func(l string) bool { return !commands.OnlyChecks(l) })
}

// stepHeld compares a step with another one.
func stepHeld(was, is trees.Tree) bool {
	a, restA := split(was, "run", "name", "id", "timeout-minutes")
	b, restB := split(is, "run", "name", "id", "timeout-minutes")
	return judgeBy(restA, restB, stepDemands) == NoLess && linesHeld(a["run"], b["run"]) == NoLess && (was["run"] == nil) == (is["run"] == nil)
}

var stepDemands = []demand{
	towards(`continue-on-error`, offByItself),
	towards(`with/(cache|cache-dependency-path|cache-dependency-glob|enable-cache)`, free),
	towards(`if`, func(_, is any) Judgement { return ifSo(is == nil) }),
}

var (
	// onlyShows matches commands that only show what has happened.
	onlyShows  = pattern.New(`^(docker(-compose)?|docker compose|podman|kubectl)\s+(compose\s+)?(logs|ps|describe|inspect|get)\b[^|;&<>$` + "`" + `]*$|^(cat|ls|df|free|head|tail|du|journalctl|dmesg|echo|tree)\b[^|;&<>$` + "`" + `]*$`)
	whenFailed = pattern.New(`^(\$\{\{)?\s*!?\s*(failure|always|cancelled|success)\(\)\s*(\}\})?$`)
	outcome    = pattern.New(`^(?:\$\{\{\s*)?(?:(?:failure|always)\(\) && )?steps\.([\w-]+)\.outcome (?:== 'failure'|!= 'success')(?:\s*\}\})?$`)
)

// tellsOnly reports a step that only shows what has happened, when something did.
func tellsOnly(step trees.Tree) bool {
	_, rest := split(step, "name", "if", "run", "continue-on-error", "timeout-minutes")
	lines := commandLines(step["run"])
	for i, l := range lines {
		lines[i] = strings.TrimSpace(strings.TrimSuffix(l, "|| true"))
	}
	return len(rest) == 0 && whenFailed.MatchString(strings.TrimSpace(trees.Text(step["if"]))) && len(lines) > 0 && !slices.ContainsFunc(lines, func(l string) bool { return !onlyShows.MatchString(l) })
}

// plainSteps are steps without those that only keep or show what others have done, where one that may fail, and another one that fails if it did, are one that may not.
func plainSteps(v any) []trees.Tree {
	var all []trees.Tree
	for _, s := range trees.List(v) {
		step := maps.Clone(trees.Of(s))
		if m := outcome.FindStringSubmatch(trees.Text(step["if"])); m != nil && trees.Text(step["run"]) == "exit 1" {
			i := slices.IndexFunc(all, func(o trees.Tree) bool {
				return o["id"] == m[1] && trees.TruthOf(trees.Text(o["continue-on-error"])) == trees.Yes
			})
			if i >= 0 {
				delete(all[i], "continue-on-error")
				continue
			}
		}
		if tellsOnly(step) || keepsOnly(step) {
			continue
		}
		all = append(all, step)
	}
	return all
}

// keepsOnly reports a step that does nothing but keep files that others have written in the project, by an action of the host's own.
func keepsOnly(step trees.Tree) bool {
	if !Keeps(trees.Text(step["uses"])) {
		return false
	}
	_, rest := split(step, "name", "id", "uses", "if", "with")
	_, with := split(trees.Of(step["with"]), "name", "if-no-files-found", "retention-days", "overwrite", "compression-level", "category", "path", "sarif_file")
	if len(rest)+len(with) > 0 || step["if"] != nil && !Whenever(trees.Text(step["if"])) {
		return false
	}
	return MayBeKept(trees.Text(trees.At(step, "with", "path"))) && MayBeKept(trees.Text(trees.At(step, "with", "sarif_file")))
}

var matrixRun = pattern.New(`^\$\{\{\s*matrix\.([\w-]+)\s*\}\}$`)

// matrixRuns is a job once for each command of a matrix that it runs, and as it is where it has none.
func matrixRuns(job trees.Tree) ([]trees.Tree, bool) {
	strategy := trees.Of(job["strategy"])
	if strategy == nil {
		return []trees.Tree{job}, true
	}
	matrix := trees.Of(strategy["matrix"])
	_, rest := split(strategy, "matrix", "fail-fast", "max-parallel")
	if len(matrix) != 1 || len(rest) > 0 {
		return nil, false
	}
	var all []trees.Tree
	for key, values := range matrix {
		for _, command := range trees.Words(values) {
			own := maps.Clone(job)
			delete(own, "strategy")
			delete(own, "name")
			var steps []any
			for _, s := range trees.List(job["steps"]) {
				step := maps.Clone(trees.Of(s))
				if m := matrixRun.FindStringSubmatch(trees.Text(step["run"])); m != nil && m[1] == key {
					step["run"] = command
				}
				steps = append(steps, step)
			}
			own["steps"] = steps
			all = append(all, own)
		}
	}
	return all, len(all) > 0
}

// divided reports whether the commands of a job that check are run by others, each of which begins as it did, and whether these run nothing else.
func divided(was trees.Tree, jobs []trees.Tree) bool {
	_, rest := split(was, "steps")
	var setup, checks []trees.Tree
	for _, step := range plainSteps(was["steps"]) {
		if lines := commandLines(step["run"]); len(lines) == 1 && len(step) == 1 && (commands.OnlyChecks(lines[0]) || commands.Builds(lines[0])) {
			checks = append(checks, step)
		} else if len(checks) > 0 {
			return false // what follows on checks may need what they made
		} else {
			setup = append(setup, step)
		}
	}
	left := slices.Clone(checks)
	for _, job := range jobs {
		_, other := split(job, "steps")
		steps := plainSteps(job["steps"])
		if judgeBy(rest, other, jobDemands) != NoLess || len(steps) <= len(setup) {
			return false
		}
		for i, step := range setup {
			if !stepHeld(step, steps[i]) {
				return false
			}
		}
		for _, step := range steps[len(setup):] {
			i := slices.IndexFunc(left, func(w trees.Tree) bool { return stepHeld(w, step) })
			if i < 0 {
				return false
			}
			left = slices.Delete(left, i, i+1)
		}
	}
	return len(checks) > 0 && len(left) == 0
}

var (
	needResult = pattern.New(`^(?:test|\[) ["']?\$\{\{ needs\.([\w-]+)\.result \}\}["']? ={1,2} ["']?success["']?(?: \])?$`)
	alwaysRuns = pattern.New(`^(\$\{\{)?\s*always\(\)\s*(\}\})?$`)
)

// waitsFor reports whether a job does nothing but fail where one of the jobs that are new did not succeed.
func waitsFor(job, all, before trees.Tree) bool {
	_, rest := split(job, "if", "needs", "runs-on", "steps", "name", "timeout-minutes")
	if len(rest) > 0 || !alwaysRuns.MatchString(trees.Text(job["if"])) {
		return false
	}
	var asked []string
	for _, s := range trees.List(job["steps"]) {
		step := trees.Of(s)
		_, other := split(step, "run", "name")
		for _, line := range commandLines(step["run"]) {
			m := needResult.FindStringSubmatch(line)
			if m == nil || len(other) > 0 {
				return false
			}
			asked = append(asked, m[1])
		}
	}
	needs := trees.Words(job["needs"])
	for name := range all {
		if before[name] == nil && (!slices.Contains(asked, name) || !slices.Contains(needs, name)) {
			return false
		}
	}
	return len(asked) > 0 && !reflect.DeepEqual(needs, []string{})
}
