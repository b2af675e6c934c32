package audit

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"fettle/internal/audit/settings"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

var (
	// budgetFiles are those in which it stands how large what is delivered may be.
	budgetFiles = pattern.New(`^(\.size-limit(\.\w+)?|\.?bundle(watch|size)(rc|\.config)?(\.\w+)*|angular\.json|budgets?\.json|performance-budget\.json|package\.json|webpack\.(\w+\.)?config\.\w+)$`)
	budgetKey   = pattern.New(`^(limit|maxsize|maximumerror|maximumwarning|maxassetsize|maxentrypointsize|budget)$`)
	sizeValue   = pattern.New(`(?i)^["'` + "`" + `]?\s*([\d_.]+)\s*([kmg]?i?b)?\s*["'` + "`" + `]?$`)
)

// raisedBudgets looks for sizes of what is delivered that may be greater than before, or may be any: what grows has its price, which somebody has to agree to.
func raisedBudgets(v *patchView, f *fileView) []Finding {
	if !budgetFiles.MatchString(path.Base(f.path)) || f.formatted || len(f.before) == 0 || len(f.after) == 0 || !f.text() {
		return nil
	}
	gone, fresh := settings.Unshared(f.before, f.after)
	was, is := budgets(gone), budgets(fresh)
	var all []Finding
	for i, b := range was {
		switch {
		case i >= len(is):
			all = append(all, Finding{Effect: v.unless(Healer, Tidier), Evidence: fmt.Sprintf("%q is a limit no more", phrase.Clip(b.setting.Text))})
		case is[i].bytes > b.bytes:
			all = append(all, Finding{Line: is[i].setting.Number, Effect: v.unless(Healer, Tidier), Evidence: fmt.Sprintf("%q: it may be greater than before", phrase.Clip(is[i].setting.Text))})
		}
	}
	return all
}

// budget is a setting that says how large something may be.
type budget struct {
	setting settings.Setting
	bytes   float64
}

// budgets are those among some settings, in order.
func budgets(all []settings.Setting) []budget {
	var out []budget
	for _, s := range all {
		value, _, _ := strings.Cut(s.Value, "//")
		m := sizeValue.FindStringSubmatch(strings.Trim(value, " ,"))
		if m == nil || !budgetKey.MatchString(s.Key) || m[2] == "" && !strings.HasPrefix(s.Key, "max") {
			continue
		}
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], "_", ""), 64)
		if err != nil {
			continue
		}
		out = append(out, budget{s, n * unit(m[2])})
	}
	return out
}

// unit is how many bytes one of a unit is.
func unit(name string) float64 {
	name = strings.ToLower(name)
	base := 1000.0
	if strings.Contains(name, "i") {
		base = 1024
	}
	size := 1.0
	for range strings.IndexAny("bkmg", name[:min(len(name), 1)]) {
		size *= base
	}
	return size
}
