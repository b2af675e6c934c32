package audit

import "fettle/internal/lang"

// scopeRules look at where the patch goes.
var scopeRules = []Rule{
	{"unreadable", "a change that cannot be read, or was made for other contents", nothingFound}, // it is found before any rule is asked
	{"scope", "a file outside what the session may change", each(outOfScope)},
	{"generated", "a file that a tool writes, or a vendored one", each(notOurs)},
}

func nothingFound(*patchView) []Finding { return nil }

func outOfScope(v *patchView, f *fileView) []Finding {
	if v.goal.InScope == nil || v.goal.InScope(f.path) {
		return nil
	}
	return []Finding{{Effect: Refuse, Evidence: "it is outside what may be changed here"}}
}

func notOurs(_ *patchView, f *fileView) []Finding {
	var what string
	switch {
	case lang.IsLock(f.path):
		return nil // see lockfile
	case lang.IsVendored(f.path):
		what = "a vendored file: the next update of its package overwrites it"
	case lang.IsGenerated(f.path, f.before), lang.IsGenerated(f.path, f.after):
		what = "a generated file: change what it is generated from"
	default:
		return nil
	}
	return []Finding{{Effect: Ask, Evidence: "it is " + what}}
}
