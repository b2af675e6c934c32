package audit

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/jobs"
)

// lessOfCI looks for checks of CI that are carried out no more, or for less, beside what is known already.
func (v *patchView) lessOfCI(f *fileView, known []Finding) []Finding {
	all := slices.Concat(asFindings(jobs.Triggers(f.before, f.after)), asFindings(jobs.Idle(f.before, f.after)), v.machinesLost(f))
	below := slices.DeleteFunc(jobs.Below(f.before, f.after), func(s jobs.Loss) bool { // what its line says already
		return slices.ContainsFunc(slices.Concat(known, all), func(f Finding) bool { return f.Line == s.Line })
	})
	return append(all, asFindings(below)...)
}

// asFindings are losses as the rule tells them.
func asFindings(losses []jobs.Loss) []Finding {
	var all []Finding
	for _, l := range losses {
		all = append(all, asFinding(l))
	}
	return all
}

func asFinding(l jobs.Loss) Finding { return Finding{Line: l.Line, Evidence: l.Evidence} }

// machinesLost are the jobs that check something, and do so on fewer systems, or with fewer versions, than before. A version that the patch takes out of the project's
// own description too is not supported any more.
func (v *patchView) machinesLost(f *fileView) []Finding {
	var all []Finding
	for _, lost := range jobs.Machines(f.before, f.after) {
		if v.unsupported(lost.Values) {
			continue
		}
		found := asFinding(lost)
		if v.goal.By == Person && lost.Oldest {
			found.Effect = Ask // a person may end the support of what is old
		}
		all = append(all, found)
	}
	return all
}

// descriptions are the files in which a project says what it supports.
var descriptions = []string{"pyproject.toml", "setup.py", "setup.cfg", "package.json", "go.mod", "pom.xml", "build.gradle", ".python-version", ".nvmrc"}

// unsupported reports whether each of these versions is named less often in the project's description after the patch.
func (v *patchView) unsupported(values []string) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(value string) bool {
		return !slices.ContainsFunc(v.files, func(f *fileView) bool {
			return slices.Contains(descriptions, path.Base(f.path)) && strings.Count(string(f.before), value) > strings.Count(string(f.after), value)
		})
	})
}
