package jobs

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/trees"
)

// startedAt is a folder in which CI starts a check, and the line that says so.
type startedAt struct {
	folder string
	line   int
}

// Below looks for checks of CI that are started in a folder below the one where they were: by the step's own setting, by its job's, or by what its commands do before.
func Below(before, after []byte) []Loss {
	had, has := foldersOfChecks(before), foldersOfChecks(after)
	var all []Loss
	for _, tool := range slices.Sorted(maps.Keys(had)) {
		for _, now := range has[tool] {
			whole := func(s startedAt) bool {
				return commands.Below(tool, s.folder, now.folder) && !contains(has[tool], s.folder)
			}
			if !contains(had[tool], now.folder) && slices.ContainsFunc(had[tool], whole) {
				all = append(all, Loss{Line: now.line, Evidence: fmt.Sprintf("%s is started in %s alone", tool, now.folder)})
			}
		}
	}
	return all
}

// contains reports whether a check is started in a folder.
func contains(list []startedAt, folder string) bool {
	return slices.ContainsFunc(list, func(s startedAt) bool { return s.folder == folder })
}

// foldersOfChecks are the folders in which a file of CI starts each of its checks.
func foldersOfChecks(src []byte) map[string][]startedAt {
	var root yaml.Node
	all := make(map[string][]startedAt)
	if yaml.Unmarshal(src, &root) != nil {
		return all
	}
	var visit func(n *yaml.Node, folder string)
	visit = func(n *yaml.Node, folder string) {
		if to := folderOfSteps(n); to != "" {
			folder = to
		}
		for _, key := range []string{"run", "script"} {
			at := trees.Under(n, key)
			if at == nil {
				continue
			}
			line := strings.ReplaceAll(strings.Join(scalars(at), "\n"), "\n", ";")
			for tool, s := range commands.ByTool(line) {
				all[tool] = append(all[tool], startedAt{joined(folder, s.Folder), at.Line})
			}
		}
		for _, k := range n.Content {
			visit(k, folder)
		}
	}
	visit(&root, "")
	return all
}

// folderOfSteps is where a step, or what is below a job or a workflow, starts its commands, as it says itself; empty, if it says nothing.
func folderOfSteps(n *yaml.Node) string {
	for _, keys := range [][]string{{"working-directory"}, {"workingDirectory"}, {"defaults", "run", "working-directory"}} {
		at := n
		for _, key := range keys {
			if at != nil {
				at = trees.Under(at, key)
			}
		}
		if at != nil && at.Kind == yaml.ScalarNode {
			return at.Value
		}
	}
	return ""
}

// joined is a folder as seen from where commands begin: the root, where nobody can tell.
func joined(folder, below string) string {
	switch {
	case strings.ContainsAny(folder, "$~"):
		return "/"
	case path.IsAbs(below):
		return below
	}
	if to := path.Join(folder, below); to != "." {
		return to
	}
	return ""
}
