package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// picks reports a pipe in which grep lets only those variables of the environment through whose names are looked for, and where these are of
// no secret: env | grep NODE.
func picks(c *syntax.BinaryCmd) bool {
	left, right := plainCall(c.X), plainCall(c.Y)
	if len(left) != 1 || left[0] != "env" && left[0] != "printenv" || len(right) < 2 || !slices.Contains([]string{"grep", "egrep"}, right[0]) {
		return false
	}
	pattern := ""
	for _, word := range right[1:] {
		switch {
		case strings.HasPrefix(word, "-") && strings.Trim(word, "-iEwqcnx") == "" && pattern == "":
		case pattern == "":
			pattern = word
		default:
			return false
		}
	}
	return harmlessNames(pattern)
}

// plainCall are the words of a simple command in which nothing is expanded, redirected or assigned; nil for any other.
func plainCall(st *syntax.Stmt) []string {
	call, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(st.Redirs) > 0 || st.Background || st.Negated {
		return nil
	}
	var out []string
	for _, w := range call.Args {
		word, plain := plainWord(w)
		if !plain {
			return nil
		}
		out = append(out, word)
	}
	return out
}

// privateNames are in the names of variables that may hold a password among other things, besides those of secrets.
var privateNames = []string{"KEY", "PASS", "AUTH", "CRED", "URL", "URI", "DB", "DATA", "SQL", "MONGO", "REDIS", "AWS", "AZURE", "GCP", "GOOGLE", "GITHUB", "GITLAB", "OPENAI", "ANTHROPIC", "PROXY", "CONN", "PRIV", "SECR", "TOK", "CERT", "SSH", "LOGIN", "SESSION"}

// harmlessNames reports a pattern of plain names, each of at least two letters, of which none is like a secret's.
func harmlessNames(pattern string) bool {
	if strings.Trim(pattern, nameLetters+"^|()=") != "" {
		return false
	}
	words := strings.FieldsFunc(pattern, func(r rune) bool { return strings.ContainsRune("^|()=_", r) })
	for _, word := range words {
		upper := strings.ToUpper(word)
		if len(word) < 2 || secretVariable(word) || slices.ContainsFunc(privateNames, func(p string) bool { return strings.Contains(upper, p) || strings.Contains(p, upper) }) {
			return false
		}
	}
	for alternative := range strings.SplitSeq(pattern, "|") { // one that is empty matches everything
		if strings.Trim(alternative, "^()=_") == "" {
			return false
		}
	}
	return len(words) > 0
}

// picked interprets what shows the environment where only some of it comes through.
func (s *shell) picked(st *syntax.Stmt) value {
	var out value
	s.omitting(func(f *Fact) bool { return f.Kind == Print && f.Target == "the environment" }, func() { out = s.stmt(st) })
	return out
}
