package workspace

import (
	"path"

	"fettle/internal/lang"
)

// dependencyFolders hold what a package manager installs. They are large, nobody edits them, and a changed file in them
// shows in its size or time.
var dependencyFolders = map[string]bool{"node_modules": true, ".venv": true, "venv": true, "site-packages": true, ".tox": true, ".nox": true}

// IgnoredByDefault tells what is nobody's work: tools' caches, and other people's code that was installed or copied here.
func IgnoredByDefault(name string) bool {
	return lang.IsCache(name) || lang.IsCache(name+"/x") || lang.IsVendored(name) || dependencyFolders[path.Base(name)]
}
