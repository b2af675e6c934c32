package shell

import (
	"slices"
	"strings"
)

// sql judges statements by their first words: what only reads is no change. Without a statement it reads standard input.
func sql(v *invocation, _ []value) (value, bool) {
	var text []value
	for _, u := range v.uses {
		if u.role == Statement {
			text = append(text, u.value)
		}
	}
	if text == nil {
		text = append(text, v.in)
	}
	for _, t := range text {
		src, ok := t.exact()
		switch {
		case v.dry:
		case !ok:
			v.fact(Fact{Kind: Data, Target: t.show(), By: v.name})
		default:
			for statement := range strings.SplitSeq(src, ";") {
				if !readsOnly(statement) {
					v.fact(Fact{Kind: Data, Target: value{text: strings.TrimSpace(statement)}.show(), By: v.name})
				}
			}
		}
	}
	return value{}, false
}

// StatementFact is that a text changes a database, where it can be nothing but a statement of SQL that does: others may be words of a person's, as those that
// are searched for.
func StatementFact(text, by string) (Fact, bool) {
	for statement := range strings.SplitSeq(text, ";") {
		words := strings.Fields(strings.ToLower(statement))
		if len(words) > 2 && slices.Contains(changing[words[0]], words[1]) || len(words) > 3 && words[0] == "update" && slices.Contains(words[2:], "set") {
			return Fact{Kind: Data, Target: known(strings.TrimSpace(statement)).show(), By: by}, true
		}
	}
	return Fact{}, false
}

// changing are the first words of statements that change something, with those that follow.
var changing = map[string][]string{
	"insert": {"into", "or", "ignore"}, "replace": {"into"}, "merge": {"into"}, "delete": {"from"}, "truncate": {"table", "only"}, "copy": {"from"},
	"drop":   {"table", "index", "view", "database", "schema", "user", "role", "trigger", "function", "procedure", "sequence", "type", "materialized", "column", "constraint"},
	"alter":  {"table", "index", "view", "database", "schema", "user", "role", "system", "sequence", "type", "function", "default"},
	"create": {"table", "index", "unique", "view", "or", "database", "schema", "user", "role", "trigger", "function", "procedure", "temp", "temporary", "materialized", "sequence", "type", "extension"},
	"grant":  {"all", "select", "insert", "update", "delete", "usage", "execute"}, "revoke": {"all", "select", "insert", "update", "delete", "usage", "execute"},
}

// readsOnly reports a statement that changes nothing.
func readsOnly(statement string) bool {
	fields := strings.Fields(statement)
	if len(fields) == 0 {
		return true
	}
	first := strings.ToLower(fields[0])
	lower := strings.ToLower(statement)
	for _, word := range []string{"into ", "load_extension", "pg_read_file", "lo_export", "copy ", "writefile", "readfile", "edit("} {
		if strings.Contains(lower, word) {
			return false
		}
	}
	switch first {
	case "select", "explain", "show", "describe", "desc", "values", ".tables", ".schema", ".headers", ".mode", ".databases", ".indexes", `\d`, `\dt`, `\l`, `\d+`, "use":
		return true
	case "pragma", "with":
		return !strings.ContainsAny(lower, "=") && !strings.Contains(lower, "delete") && !strings.Contains(lower, "insert") && !strings.Contains(lower, "update")
	}
	return false
}
