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
		v.escapes(value{src, t.from})
		switch {
		case v.dry:
		case !ok:
			v.note(Data, t.show(), v.name)
		default:
			for _, statement := range statements(src) {
				if speaks(strings.ToLower(statement), "pg_authid pg_shadow rolpassword authentication_string") {
					v.note(Print, "the hashes of passwords", v.name)
				}
				v.reachesOut(value{statement, t.from})
				if !readsOnly(statement) {
					v.note(Data, value{text: strings.TrimSpace(statement)}.show(), v.name)
				}
			}
		}
	}
	return value{}, false
}

// reaching begin what a statement says of a command that the database's machine is to run, or of a file that it is to write.
const reaching = " program '|writefile('|lo_export(| outfile '| dumpfile '"

// reachesOut judges what a statement has the database's own machine do, as if it were this one.
func (v *invocation) reachesOut(statement value) {
	lower := strings.ToLower(statement.text)
	for _, before := range strings.Split(reaching, "|") {
		i := strings.Index(lower, before)
		if i < 0 || len(lower) != len(statement.text) {
			continue
		}
		_, rest, _ := strings.Cut(statement.text[i:], "'")
		statement.text, _, _ = strings.Cut(rest, "'")
		if before == " program '" {
			v.starts(statement)
		} else {
			v.writeFile(statement, v.name)
		}
		return
	}
}

// StatementFact is that a text changes a database, where it can be nothing but a statement of SQL that does: others may be words of a person's, as those that
// are searched for.
func StatementFact(text, by string) (Fact, bool) {
	for statement := range strings.SplitSeq(uncommented(text), ";") {
		if changesData(strings.Fields(strings.ToLower(strings.TrimLeft(statement, "( \t\r\n")))) {
			return Fact{Kind: Data, Target: known(strings.TrimSpace(statement)).show(), By: by}, true
		}
	}
	return Fact{}, false
}

// uncommented is SQL with a blank for each comment.
func uncommented(text string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "/*")
		j := strings.Index(text, "--")
		switch {
		case i >= 0 && (j < 0 || i < j):
			b.WriteString(text[:i] + " ")
			_, text, _ = strings.Cut(text[i+2:], "*/")
		case j >= 0:
			b.WriteString(text[:j] + " ")
			_, text, _ = strings.Cut(text[j:], "\n")
		default:
			b.WriteString(text)
			return b.String()
		}
	}
}

// changesData reports the words of a statement that changes something, or runs what may.
func changesData(words []string) bool {
	if len(words) > 2 && words[0] == "explain" { // it runs what it explains where it measures that, too
		rest := slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool { return w == "verbose" || w == "(analyze)" || w == "analyze" })
		return len(rest) < len(words)-1 && changesData(rest)
	}
	if len(words) < 2 {
		return false
	}
	rest := " " + strings.Join(words[1:], " ")
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(rest, part) })
	}
	switch words[0] {
	case "update":
		return len(words) > 3 && slices.Contains(words[2:], "set")
	case "select":
		return has(" into ") && has(" from ")
	case "with":
		return has("(") && has("(delete ", " delete ", "(insert ", " insert ", "(update ", " update ", " merge ")
	case "call":
		return has("(")
	case "copy":
		return has(" program ", " to '", " from '") || words[1] == "from"
	}
	if next := wordsOf(startsMore, words[0]); next != nil {
		return begins(words[1], next)
	}
	return len(words) > 2 && slices.Contains(wordsOf(changing, words[0]), words[1])
}

// startsMore are the first words of statements that run something, or reach for another file, with what the next word begins with.
const startsMore = `do: $ ' language
attach: database '
detach: database '
exec: xp_ sp_ master
execute: xp_ sp_ master`

// changing are the first words of statements that change something, with those that follow.
const changing = `insert: into or ignore
replace: into
merge: into
delete: from
truncate: table only
drop: table index view database schema user role trigger function procedure sequence type materialized column constraint
alter: table index view database schema user role system sequence type function default
create: table index unique view or database schema user role trigger function procedure temp temporary materialized sequence type extension
grant: all select insert update delete usage execute
revoke: all select insert update delete usage execute`

// statements are those of a text: each up to a semicolon, and of what clients do themselves (.tables, \dt) each line.
func statements(text string) []string {
	var all []string
	for part := range strings.SplitSeq(text, ";") {
		for part = strings.TrimSpace(part); part != "" && strings.IndexByte(`.\`, part[0]) >= 0; part = strings.TrimSpace(part) {
			var line string
			line, part, _ = strings.Cut(part, "\n")
			all = append(all, line)
		}
		all = append(all, part)
	}
	return all
}

// textless is a statement without what stands in its texts.
func textless(statement string) string {
	var b strings.Builder
	for i, part := range strings.Split(statement, "'") {
		if i%2 == 0 {
			b.WriteString(part)
		}
	}
	return b.String()
}

// effective are functions that do something, wherever they are called.
const effective = `load_extension pg_read_file pg_read_binary_file pg_ls_dir lo_export lo_import writefile readfile edit( pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile
 pg_switch_wal pg_promote setval( nextval( set_config( dblink pg_write_ query_to_xml pg_logical_ replication_slot load_file( sys_exec sys_eval xp_ fts3_tokenizer`

// showing are the first words of statements that only show something: of SQL, and of the clients' own.
const showing = ` select explain show describe desc values use .tables .schema .headers .header .mode .databases .indexes .indices .fullschema .dbinfo .show .width .separator .nullvalue .timer .stats .help .quit .exit .dump 
 \d \dt \l \d+ \dt+ \dn \du \di \dv \df \dx \l+ \conninfo \timing \x \q \? \h \pset `

// readsOnly reports a statement that changes nothing.
func readsOnly(statement string) bool {
	fields := strings.Fields(statement)
	if len(fields) == 0 {
		return true
	}
	first := strings.ToLower(fields[0])
	lower := strings.ToLower(statement)
	if strings.Contains(lower, "into ") || strings.Contains(lower, "copy ") || speaks(lower, effective) {
		return false
	}
	// Behind a statement a backslash gives it to a file or a program; to show it otherwise is no matter.
	if rest := strings.TrimSuffix(strings.TrimSpace(textless(statement)), `\G`); strings.Contains(rest[min(1, len(rest)):], `\`) {
		return false
	}
	if oneWord(showing, first) {
		return true
	}
	if first == "pragma" || first == "with" {
		return !strings.Contains(lower, "=") && !strings.Contains(lower, "delete") && !strings.Contains(lower, "insert") && !strings.Contains(lower, "update")
	}
	return false
}
