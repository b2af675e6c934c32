package hook

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/policy/shell"
)

// plan is what a plan is about that the person has approved.
type plan struct {
	Says  string   `json:"says,omitempty"` // its beginning
	Files []string `json:"files"`          // files and folders that it names, as it names them
	Told  []string `json:"told,omitempty"` // files outside of it that the agent was told of
}

// maxFiles is how many files of a plan are remembered, and how many of those outside of it; maxPlan how many bytes of what it says.
const (
	maxFiles = 200
	maxPlan  = 2000
)

// approvedPlan notes the plan that the client's ExitPlanMode brought before the person: it succeeds only with their consent.
func (s *session) approvedPlan(o *occasion) {
	said := o.told("plan")
	if said == "" {
		_ = read(o.Response, []part{{name: "plan", at: &said}}) // newer clients keep the plan in a file, and say what is in it here
	}
	s.Plan = nil
	if text := s.redactor().RedactString(said); text != "" {
		s.Plan = &plan{Says: clip(text, maxPlan), Files: namedFiles(text)}
	}
}

// namedFiles are what looks like a path in a text: it has a slash in it, or a short ending.
func namedFiles(text string) (files []string) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n`'\"()[]{}<>,;|*", r) }) {
		word, _, _ = strings.Cut(word, ":") // a line's number
		word = strings.TrimRight(strings.TrimPrefix(word, "./"), ".!?")
		ending := path.Ext(word)
		slash := strings.Contains(strings.Trim(word, "/"), "/") || len(word) > 1 && strings.HasSuffix(word, "/")
		named := len(ending) > 1 && len(ending) <= 6 && len(word) > len(ending) && strings.IndexFunc(ending[1:], notLetter) < 0
		if (slash || named) && word != "" && !strings.Contains(word, "//") && len(word) <= 300 && !slices.Contains(files, word) && len(files) < maxFiles {
			files = append(files, strings.TrimSuffix(word, "/"))
		}
	}
	return files
}

func notLetter(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }

// covers reports a file that a plan is about: it is named, or lies in a folder that is named, or beside a file that is.
func (p *plan) covers(rel string) bool {
	return slices.ContainsFunc(p.Files, func(named string) bool {
		dir := path.Dir(named)
		return rel == named || strings.HasSuffix(rel, "/"+named) || strings.HasPrefix(rel, named+"/") || strings.Contains(rel, "/"+named+"/") ||
			dir != "." && (path.Dir(rel) == dir || strings.HasSuffix(path.Dir(rel), "/"+dir))
	})
}

// planless refuses to bring an empty plan before the person: they would approve nothing, or whatever comes. Clients that keep the plan in a file put what is in it here, if anything is; of a call
// without the field nothing is known.
func planless(_ *session, o *occasion, _ shell.Verdict) *shell.Verdict {
	var said *string
	if o.Tool != "ExitPlanMode" || read(o.Input, []part{{name: "plan", at: &said}}) != nil || said == nil || strings.TrimSpace(*said) != "" {
		return nil
	}
	return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: "empty-plan", Reason: "the plan is empty", Alternative: "write down what you would do, and bring that before the person"}
}

// drifted refuses, once for each file, to change what the approved plan does not speak of. Tests may always be changed as the plan's files are.
func drifted(s *session, o *occasion, v shell.Verdict) *shell.Verdict {
	if s.Plan == nil || len(s.Plan.Files) == 0 || o.Agent != "" {
		return nil
	}
	for _, f := range v.Facts {
		if f.Kind != shell.Write && f.Kind != shell.Delete && f.Kind != shell.Empty || f.Zone != shell.Project || f.Is(shell.Vague) {
			continue
		}
		rel, err := filepath.Rel(o.at.Root, f.Target)
		if err != nil || s.Plan.covers(filepath.ToSlash(rel)) || slices.Contains(s.Plan.Told, rel) || len(s.Plan.Told) >= maxFiles {
			continue
		}
		s.Plan.Told = append(s.Plan.Told, rel)
		if rel == "." { // an archive, for one
			rel = "what would come into the project's own folder"
		}
		return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: "plan-drift",
			Reason:      "Plan drift detected: the plan that the person approved does not speak of " + rel,
			Alternative: "go back to the plan; if the task needs this file, say why, and do it again"}
	}
	return nil
}
