package audit

import (
	"fmt"
	"path"
	"slices"
	"sync"

	"fettle/internal/audit/configs"
	"fettle/internal/audit/jobs"
	"fettle/internal/audit/settings"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// configRules look for checks that see less than before.
var configRules = []Rule{
	{"weakened-check", "a check's configuration or CI demands less: a threshold is lower, a rule is off, files are left out, a failure counts no more", each(func(v *patchView, f *fileView) []Finding {
		return slices.Concat(weakenedChecks(v, f), raisedBudgets(v, f), looserBuilds(v, f), looserDataTests(v, f), filteredOut(v, f))
	})},
	{"weakened-policy", "the project's rules for coding agents deny or ask about less", weakenedPolicy},
}

// startsNothing match the settings of one tool, which hold no command: of what starts others, whether it demands as much is more than its reader can show.
var startsNothing = pattern.Any(`^\.?ruff\.toml$`, `^pyproject\.toml$`, `^\.golangci\.ya?ml$`, `^\.?mypy\.ini$`, `^tsconfig[\w.-]*\.json$`, `^\.rubocop\.yml$`, `^phpstan\.neon(?:\.dist)?$`)

func weakenedChecks(v *patchView, f *fileView) []Finding {
	if !lang.IsCI(f.path) && !lang.IsCheckConfig(f.path) || f.formatted {
		return nil
	}
	before := f.before
	if f.change.Op == edit.Create {
		if path.Base(f.path) == ".pre-commit-config.yaml" {
			return nil // before the first one, no hook was carried out
		}
		before = v.hiddenBy(f.path)
	}
	var all []Finding
	whole := sync.OnceValue(func() configs.Judgement { return configs.Judge(f.path, before, f.after) })
	for s, to := range settings.Changes(before, f.after) {
		if to == settings.Less {
			found := Finding{Line: s.Number, Evidence: fmt.Sprintf("%q: the check sees or demands less", phrase.Clip(s.Text))}
			switch {
			case v.goal.By != Person:
			case whole() == configs.NoLess && v.goal.Configs && startsNothing.MatchString(path.Base(f.path)):
				found.Effect, found.Evidence = Note, fmt.Sprintf("%q demands less by itself, and all of the file no less than it did", phrase.Clip(s.Text))
			case whole() == configs.NoLess:
				found.Effect, found.Evidence = Ask, fmt.Sprintf("%q demands less by itself, if not with what else was changed: let a person confirm", phrase.Clip(s.Text))
			case whole() == configs.MatterOfTaste:
				found.Effect, found.Evidence = Ask, fmt.Sprintf("%q: whether the check demands less a person knows", phrase.Clip(s.Text))
			case settings.ForOneModule(s, f.after):
				found.Effect = Ask // whether there are types for somebody else's library, a person knows
			}
			all = append(all, found)
		}
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	all = append(all, asFindings(jobs.InPipes(before, f.after))...)
	if lang.IsCI(f.path) {
		all = append(all, v.lessOfCI(f, all)...)
	}
	if f.path == ".coveragerc" {
		all = append(all, v.measuredNoMore(before, f.after)...)
	}
	if slices.Contains(pytestFiles, f.path) {
		all = append(all, v.collectedNoMore(before, f.after)...)
	}
	all = append(all, v.matchedNoMore(f.path, before, f.after)...)
	all = append(all, v.checkedNoMore(f.path, before, f.after)...)
	for i := range all {
		if all[i].Effect == "" {
			all[i].Effect = v.weakensChecks()
		}
	}
	return all
}
