package audit

import (
	"path"
	"slices"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/settings"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/ordinary"
	policy "fettle/internal/policy/path"
)

// protectedRules keep a patch away from what judges it.
var protectedRules = []Rule{
	{"protected", "a test, a check's configuration, CI, an agent's instructions, or a file that is protected by name", each(protected)},
}

func protected(v *patchView, f *fileView) []Finding {
	if f.formatted && f.change.Mode == 0 {
		return nil
	}
	what := v.protects(f)
	if what == "" {
		return nil
	}
	if v.goal.By == Person && v.harmless(f, what) {
		return []Finding{{Effect: Note, Evidence: "it is " + what + ", and lets nothing run or open that did not before"}}
	}
	if v.goal.By == Person && !v.steers(f) {
		switch {
		case v.asksMore(f):
			return []Finding{{Effect: Note, Evidence: "it demands what it did, and more"}}
		case isOrdinary(f):
			return nil
		}
	}
	var verb string
	switch f.change.Op {
	case edit.Modify:
		verb = "changes"
	case edit.Create:
		verb = "adds"
	case edit.Delete:
		verb = "deletes"
	}
	why := "which is evidence: mend the code instead, or let a person confirm"
	if _, kept := named(f.path); kept || isDelivery(f.path) {
		why = "and no check here sees what that does: let a person confirm"
	}
	return []Finding{{Effect: Ask, Evidence: "the patch " + verb + " " + what + ", " + why}}
}

// isOrdinary reports an edit of settings that is about nothing that checks the project.
func isOrdinary(f *fileView) bool {
	if !lang.IsCheckConfig(f.path) || f.test || f.change.Op == edit.Delete {
		return false
	}
	return ordinary.Reader{}.Same(f.path, ordinary.WithoutNeeds(f.path, string(f.before)), ordinary.WithoutNeeds(f.path, string(f.after)))
}

// steers reports a file whose change is a person's to confirm whatever it is about.
func (v *patchView) steers(f *fileView) bool {
	if _, kept := named(f.path); kept {
		return true
	}
	return v.saysPolicy(f.path) || isDelivery(f.path) || f.change.Mode&0o111 != 0 || f.change.Mode != 0 && f.change.Op != edit.Create || v.goal.Protected != nil && v.goal.Protected(f.path)
}

// asksMore reports whether what judges the code changed, and can only find more than before.
func (v *patchView) asksMore(f *fileView) bool {
	config := lang.IsCI(f.path) || lang.IsCheckConfig(f.path)
	switch {
	case config:
		return settings.DemandsMore(f.before, f.after)
	case f.change.Op == edit.Create:
		return bringsTests(f) || v.bringsData(f)
	}
	renamed := func(found Finding) bool { return found.Path == f.path && found.Effect != Note }
	return assertions.OnlyMore(f.programBefore, f.programAfter) || v.retold(f).All && !slices.ContainsFunc(deletedTests(v), renamed) || v.keepsLineTests(f)
}

// protects names what a path is protected as; empty when it is not.
func (v *patchView) protects(f *fileView) string {
	name := f.path
	switch {
	case lang.IsCI(name) && !v.goal.Configs:
		return "a file of continuous integration"
	case lang.IsCheckConfig(name) && !v.goal.Configs:
		return "the configuration of a check"
	case f.test && !v.goal.Tests:
		return "a test"
	case v.saysPolicy(name):
		return steering
	case isDelivery(name):
		return delivering
	}
	if what, kept := named(name); kept {
		return what
	}
	if v.goal.Protected != nil && v.goal.Protected(name) {
		return "a file that the configuration protects"
	}
	return ""
}

const delivering = "what installs, builds or delivers the project elsewhere"

// deliveryFiles are executed, or fetched from, where no check of this repository looks: on whoever installs, clones or deploys it.
var deliveryFiles = []string{
	"setup.py", "Dockerfile", "Dockerfile.*", "*.Dockerfile", "Containerfile", "docker-compose*.yml", "docker-compose*.yaml",
	"compose.yml", "compose.yaml", "Vagrantfile", ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml", "pip.conf", "*.service", "*.tf",
}

func isDelivery(name string) bool {
	return policy.Prepares(name) || slices.ContainsFunc(deliveryFiles, func(pattern string) bool {
		ok, err := path.Match(pattern, path.Base(name))
		return ok && err == nil
	})
}
