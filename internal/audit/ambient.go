package audit

import (
	"strings"

	"fettle/internal/lang"
	"fettle/internal/pattern"
)

var (
	// ofAnyType matches declarations of TypeScript's by which all that a package or a name has is of any type. Of files that are no code (`*.svg`) nothing else is known.
	ofAnyType = pattern.Any(`^\s*declare\s+module\s+["'][^"'*][^"']*["']\s*;?\s*(?://.*)?$`, `^\s*(?:export\s+)?declare\s+(?:const|let|var)\s+\w+\s*:\s*any\s*;?\s*(?://.*)?$`)
	// anyWithin matches the same in a file of declarations, whose modules say what they hold.
	anyWithin = pattern.New(`^\s*(?:export\s+)?(?:const|let|var)\s+\w+\s*:\s*any\s*;?\s*(?://.*)?$`)
	// standardAnew matches declarations of the language's own types: their methods may say no more what is not there.
	standardAnew = pattern.New(`^\s*interface\s+(?:Array|ReadonlyArray|Map|ReadonlyMap|WeakMap|Set|Promise|Object|ObjectConstructor|Function|JSON|Body|Response)\s*(?:<[^{]*)?\{`)
)

// assumedTypes looks for declarations by which the checker of types believes anything of what other code uses.
func assumedTypes(v *patchView, f *fileView) []Finding {
	if !f.text() || f.test || f.formatted || lang.Of(f.path) != lang.TypeScript || lang.IsVendored(f.path) || lang.IsGenerated(f.path, f.after) {
		return nil
	}
	const says = "tells the check of types to believe anything of what is used: mend what it complains of"
	all := f.introduced(ofAnyType, v.unless(Healer, Tidier), says)
	if strings.HasSuffix(f.path, ".d.ts") {
		all = oncePerLine(all, f.introduced(anyWithin, v.unless(Healer, Tidier), says))
		all = oncePerLine(all, f.introduced(standardAnew, v.unless(Healer, Tidier), "says otherwise what the language's own types are: what it complains of is still there"))
	}
	return all
}
