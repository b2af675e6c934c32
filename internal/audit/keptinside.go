package audit

import (
	"strings"

	"fettle/internal/audit/functions"
)

// keptInside reports whether a method of Go's belongs to a type that its package keeps to itself, so that nobody else calls it: the type has no exported name, and nothing that has one holds it
// or gives it away. What the standard library asks any value for is called all the same.
func (v *patchView) keptInside(f *fileView, name string) bool {
	owner, method, ok := strings.Cut(name, ".")
	owner, _, _ = strings.Cut(owner, "[")
	if !ok || !strings.HasSuffix(f.path, ".go") || functions.AskedByInterface(method) {
		return false
	}
	siblings, whole := v.goSiblings(f.path)
	if !whole {
		return false
	}
	var sources [][]byte
	for _, s := range siblings {
		sources = append(sources, s.Before)
	}
	return !functions.HandedOut(owner, sources)
}
