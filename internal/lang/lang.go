// Package lang answers "what do we know about this file from its name and its language?": which language it is in, how
// that language writes comments, whether it is test material, a check's configuration, CI, generated, vendored, a lock or a
// tool's cache, and which words in it skip a test.
//
// Everything here is data in tables, one file for each concern, and pure functions over them. Paths are slash paths from the
// root of the workspace; nothing is read from disk. Names of files are compared as written, for that is how tools find them;
// where a file system folds case, the caller folds first.
//
// A function that says yes says so by rules a person can read in the table beside it. None of them looks at code: a
// skip inside a string literal counts as one, so that who must not be fooled looks at the syntax as well.
package lang

import (
	"path"
	"strings"
)

// Language is a language, or Unknown.
type Language string

// The languages that facts are known about.
const (
	Unknown    Language = ""
	Go         Language = "go"
	Python     Language = "python"
	JavaScript Language = "javascript"
	TypeScript Language = "typescript"
	Java       Language = "java"
	Kotlin     Language = "kotlin"
	Scala      Language = "scala"
	Rust       Language = "rust"
	C          Language = "c"
	CPP        Language = "c++"
	CSharp     Language = "c#"
	Ruby       Language = "ruby"
	PHP        Language = "php"
	Swift      Language = "swift"
	Lua        Language = "lua"
	Shell      Language = "shell"
	SQL        Language = "sql"
	HTML       Language = "html"
	CSS        Language = "css"
	YAML       Language = "yaml"
	TOML       Language = "toml"
	INI        Language = "ini"
	JSON       Language = "json"
	XML        Language = "xml"
	Markdown   Language = "markdown"
	ReST       Language = "restructuredtext"
	Make       Language = "make"
	Docker     Language = "docker"
	Protobuf   Language = "protobuf"
	Starlark   Language = "starlark"
)

// Comments is how a language writes comments. A language without a kind of comment has "" there.
type Comments struct {
	Line  string // from here to the end of the line
	Open  string // from here …
	Close string // … to here
}

// Comments is how the language writes comments; zero for [Unknown] and for languages that have none.
func (l Language) Comments() Comments { return comments[l] }

// Of names the language of a file by its name. It knows nothing of #! lines.
func Of(file string) Language {
	base := path.Base(file)
	if l, ok := byName[base]; ok {
		return l
	}
	if strings.HasPrefix(base, "Dockerfile.") {
		return Docker
	}
	return byExtension[strings.ToLower(path.Ext(base))]
}
