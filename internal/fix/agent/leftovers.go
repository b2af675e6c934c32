package agent

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/fix"
)

// ownFolders are where agents keep settings, plans and notes of their own in a repository. What happens there is never a repair.
var ownFolders = []string{".claude", ".codex", ".gemini"}

// droppings are ends of names under which editors and scripts leave what was there before.
var droppings = []string{"~", ".orig", ".rej", ".bak", ".swp", ".tmp"}

// leftovers is what has changed in the place, without what is no part of a repair: files out of scope, and the agent's own. What git ignores is left out by the
// place. What is left out is told, but for what was hidden from it.
func leftovers(ctx context.Context, t fix.Task, hidden []string) (edit.Patch, error) {
	all, err := t.Place.Changes(ctx)
	if err != nil {
		return nil, fmt.Errorf("see what it changed: %w", err)
	}
	var patch edit.Patch
	var out []string
	for _, c := range all {
		if slices.Contains(hidden, c.Path) {
			continue
		}
		if (t.InScope != nil && !t.InScope(c.Path)) || dropped(c) {
			out = append(out, c.Path)
			continue
		}
		patch = append(patch, c)
	}
	if len(out) > 0 {
		tell(t, "what it changed out of scope, or left for itself, is not in its patch: %s", few(out, 5))
	}
	return patch, nil
}

// dropped reports whether a change is of the agent's own things.
func dropped(c edit.Change) bool {
	for at := c.Path; at != "."; at = path.Dir(at) {
		if slices.Contains(ownFolders, path.Base(at)) {
			return true
		}
	}
	return c.Op == edit.Create && slices.ContainsFunc(droppings, func(end string) bool { return strings.HasSuffix(c.Path, end) })
}

// few names some, and how many more there are.
func few(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// unique are the names, each once, in order.
func unique(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}
