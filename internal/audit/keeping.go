package audit

import "fettle/internal/pattern"

var (
	// keeping matches such actions, by a version: a commit that is named may be that of anybody's copy.
	keeping  = pattern.New(`^(actions/upload-artifact|github/codeql-action/upload-sarif)@v\d[\w.\-]*$`)
	whenever = pattern.New(`^(\$\{\{)?\s*!?\s*(always|failure|success|cancelled)\(\)\s*(\}\})?$`)
	// keptPath matches paths of the project's that are no secret and not all of it.
	keptPath = pattern.New(`^(\*\*/|[\w-])[\w*./-]*$`)
)
