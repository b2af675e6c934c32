package shell

import "strings"

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
