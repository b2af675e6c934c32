// Package path answers "may this name be written?". It is the name policy for every write into a repository: a set of pure
// rules over slash paths relative to the root, shared by the workspace, the gates, the guard, and the MCP servers.
//
// The rules refuse what no repair ever needs to touch: what leads out of the repository, git's own folder (and that of
// other version control), secrets, the settings of agents and editors (which can make them run commands), git hooks, and names that mean something else on
// another system or on the screen. Names are judged by what any common file system would take them for: letter case,
// Unicode width, ignorable code points, trailing dots and spaces, NTFS streams and 8.3 names are all seen through.
//
// What needs a person's word but is not forbidden (CI, check configuration, tests, lock files) passes here; package audit
// asks about it. What of it steers agents and builds [Instructs], [Steers] and [Prepares] know. Links, sizes and kinds of
// files are not names; package workspace looks at those.
package path

import (
	"fmt"
	slashpath "path"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Rule names the rule that refused a path.
type Rule string

// The rules.
const (
	Empty     Rule = "empty"     // no name at all, or the root itself
	Absolute  Rule = "absolute"  // a path of the machine, a home, a drive, or a network share
	Traversal Rule = "traversal" // ".." in any spelling
	Unclean   Rule = "unclean"   // "a//b", "./a", "a/": not in the one form the journal and the gates compare
	Hidden    Rule = "hidden"    // control or direction-changing characters, or bytes that are not UTF-8
	Separator Rule = "separator" // a backslash, a colon, or another character that some system takes as a separator, or people do
	Device    Rule = "device"    // a device or short name, or a trailing dot or space, on Windows
	Long      Rule = "long"      // more than a file system takes
	Git       Rule = "git"       // git's own folder, or another version control's
	Agent     Rule = "agent"     // settings of a coding agent
	Editor    Rule = "editor"    // settings of an editor, a debugger or a console that can run commands
	Hook      Rule = "hook"      // hooks that git runs
	Secret    Rule = "secret"    // keys, tokens, passwords
)

// Denied says that a path may not be written, by which rule, and why.
type Denied struct {
	Path   string
	Rule   Rule
	Reason string // for people, without the path
}

func (e *Denied) Error() string { return fmt.Sprintf("%s: %s", e.Reason, Show(e.Path)) }

// Show is the path as it can safely be printed on one line.
func Show(p string) string {
	const most = 200
	if len(p) > most {
		p = strings.ToValidUTF8(p[:most], "") + "…"
	}
	if strings.ContainsFunc(p, hidden) || !utf8.ValidString(p) || p == "" {
		return fmt.Sprintf("%+q", p)
	}
	return p
}

// The limits of Linux and macOS: PATH_MAX and NAME_MAX, in bytes.
const (
	maxPath = 4096
	maxName = 255
)

// Check returns nil if fettle may write the file at p, a slash path relative to the root of a repository, as far as its
// name can tell. Otherwise it returns a [*Denied]. A path that passes is clean and local ([filepath.IsLocal]).
func Check(p string) error {
	if d := Denial(p); d != nil {
		return d
	}
	return nil
}

// Denial is what speaks against a name, for who asks by which rule; nil: nothing does. [Check] says the same as an error.
func Denial(p string) *Denied {
	rule, reason := judge(p)
	if rule == "" {
		return nil
	}
	return &Denied{Path: p, Rule: rule, Reason: reason}
}

// Forbidden is what speaks against a name by what it, or a folder around it, is called, for whom other systems are none of their concern: a part that is
// spelled oddly (aux, ~, a:b) takes nothing from what the others are. Nil: nothing does.
func Forbidden(p string) *Denied {
	rule, reason := called(strings.Split(p, "/"))
	if rule == "" {
		return nil
	}
	return &Denied{Path: p, Rule: rule, Reason: reason}
}

func judge(p string) (Rule, string) {
	if rule, reason := whole(p); rule != "" {
		return rule, reason
	}
	names := strings.Split(p, "/")
	for _, name := range names {
		if rule, reason := shape(name); rule != "" {
			return rule, reason
		}
	}
	if rule, reason := called(names); rule != "" {
		return rule, reason
	}
	if !filepath.IsLocal(filepath.FromSlash(p)) {
		return Traversal, outside
	}
	return "", ""
}

// called judges what the names of a path mean.
func called(names []string) (Rule, string) {
	folded := make([]string, len(names))
	for i, name := range names {
		if isGit(name) {
			return Git, gitReason
		}
		folded[i] = fold(name)
	}
	for i := range folded {
		if rule, reason := forbidden(folded[i:]); rule != "" {
			return rule, reason
		}
	}
	return "", ""
}

const outside = "File path outside project directory"

// whole judges the path as one string.
func whole(p string) (Rule, string) {
	switch {
	case p == "" || p == ".":
		return Empty, "File path is empty"
	case len(p) >= maxPath:
		return Long, fmt.Sprintf("File path is longer than %d bytes", maxPath-1)
	case !utf8.ValidString(p):
		return Hidden, "File path is not valid UTF-8"
	case strings.ContainsFunc(p, hidden):
		return Hidden, "File path contains control characters"
	case p[0] == '/' || p[0] == '\\' || p == "~" || p[0] == '~' && strings.Contains(p, "/") || drive(p): // ~NAME is somebody's home to a shell, if something follows
		return Absolute, outside
	case strings.HasSuffix(p, "/"):
		return Unclean, "Path is not a file"
	}
	for name := range strings.SplitSeq(p, "/") {
		if dots(name) {
			return Traversal, outside
		}
	}
	if slashpath.Clean(p) != p {
		return Unclean, "File path is not in its shortest form"
	}
	return "", ""
}

// drive reports whether p begins with a drive letter, as C: does.
func drive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && ('a' <= p[0]|0x20 && p[0]|0x20 <= 'z')
}
