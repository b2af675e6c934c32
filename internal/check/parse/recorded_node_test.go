package parse_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// The samples of JavaScript and TypeScript are those whose names begin with js.
func init() {
	recordings = append(recordings, []recording{
		{name: "eslint", format: "eslint", sample: "js", run: []string{"eslint", "--format", "json", "lint"}},
		{name: "prettier", format: "prettier", sample: "js", run: []string{"prettier", "--check", "lint"}},
		{name: "prettier-list", format: "prettier", sample: "js", run: []string{"prettier", "--list-different", "lint"}},
		{name: "biome", format: "biome", sample: "js", run: []string{"biome", "check", "--reporter=github", "--max-diagnostics=none", "--colors=off", "lint"}},
		{name: "tsc", format: "tsc", sample: "js", run: []string{"tsc", "--noEmit", "--pretty", "false", "-p", "types"}},
		{name: "tsc-pretty", format: "tsc", sample: "js", run: []string{"tsc", "--noEmit", "--pretty", "-p", "types"}},
		{name: "tsc-syntax", format: "tsc", sample: "js", run: []string{"tsc", "--noEmit", "--pretty", "false", "-p", "syntax"}},
		{name: "tsc-config", format: "tsc", sample: "js", run: []string{"tsc", "--noEmit", "--pretty", "false", "-p", "none"}},
		{name: "tsc-build", format: "tsc", sample: "js", dir: "projects", run: []string{"tsc", "-b", "--force", "--pretty", "false"}},
		{name: "jest", format: "jest", sample: "js", dir: "jest", run: []string{"jest", "--json", "--testLocationInResults", "--outputFile={report}"}},
		{name: "vitest", format: "vitest", sample: "js", dir: "vitest", run: []string{"vitest", "run", "--reporter=json", "--outputFile={report}"}},
		{name: "mocha", format: "mocha", sample: "js", dir: "mocha", run: []string{"mocha", "--reporter", "json", "--reporter-option", "output={report}"}},
		{name: "node-test", format: "tap", sample: "js", dir: "node", run: []string{"node", "--test", "--test-reporter=tap"}},
	}...)
}

// modules is the folder of the packages to which the tools on PATH belong, or "".
func modules() string {
	bin, err := exec.LookPath("vitest")
	if err != nil {
		return ""
	}
	return filepath.Dir(filepath.Dir(bin))
}

// linkModules puts the installed packages where a sample's own would be.
func linkModules(t *testing.T, sample, root string) {
	t.Helper()
	if from := modules(); from != "" && strings.HasPrefix(sample, "js") {
		assert.NilError(t, os.Symlink(from, filepath.Join(root, "node_modules")))
	}
}

// nodeFolders says, for recordings, what stands for the folders of this machine.
func nodeFolders() []string {
	if from := modules(); from != "" {
		return []string{from, "/modules", strings.TrimPrefix(from, "/"), "modules"}
	}
	return nil
}
