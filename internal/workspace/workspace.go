// Package workspace answers "what is in the user's tree, and where may we try things?". It holds the user's tree, whose
// files change only by contained, atomic, journalled writes ([Tree.Apply]); and private copies of it ([Copy]), in which
// anything may run and nothing that happens is seen outside.
//
// A private copy holds the whole baseline: tracked, uncommitted, untracked and ignored files alike. Where the system allows,
// processes inside see it at the original path (a mount namespace with overlayfs), because a path baked into an editable
// install or a build cache would otherwise make them judge the unpatched files.
package workspace
