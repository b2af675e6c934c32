package settings

import (
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// ownJob matches the path of what stands in a job, with that of the job.
var ownJob = pattern.New(`^(/jobs/[^/]+)(?:/|$)`)

var (
	hosted  = pattern.New(`^["']?(ubuntu|windows|macos)-[\w.]+["']?$`)
	version = pattern.New(`^(python|node|go|java|ruby|php|dotnet)-version$|^(distribution|fetch-depth|timeout-minutes)$`)
)

// serves reports whether a setting of a workflow says how a step that is new is called, or sets up a job that is new as others of the workflow are: on a machine of the host's, by actions
// and commands that stand in it already.
func serves(s Setting, was []Setting) bool {
	if alone(s) == Less {
		return false
	}
	if s.Key == "name" && !s.entry && strings.HasSuffix(s.path, "/steps") {
		return true
	}
	job := ownJob.FindStringSubmatch(s.path)
	if job == nil || s.entry || slices.ContainsFunc(was, func(o Setting) bool { return o.below == job[1] }) {
		return false
	}
	switch s.Key {
	case "name":
		return true
	case "runs-on":
		return hosted.MatchString(s.Value)
	case "uses", "run":
		return slices.ContainsFunc(was, func(o Setting) bool { return o.Key == s.Key && o.Value == s.Value && ownJob.MatchString(o.path) })
	}
	return version.MatchString(s.Key) && s.Value != "" && !strings.ContainsAny(s.Value, "$`")
}
