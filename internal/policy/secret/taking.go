package secret

import (
	"bytes"
	"slices"
)

// taking are the flags that say nothing by themselves, and the programs that take a password behind them: in the next word, or in the same.
var taking = []struct {
	flag     string
	attached bool
	programs []string
}{
	{"-p", true, []string{"mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlcheck", "mysqlshow", "mysqlsh", "mariadb", "mariadb-dump", "mariadb-admin", "mycli", "sshpass", "7z", "7za", "7zr", "rar", "unrar"}},
	{"-p", false, []string{"sshpass", "login", "mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport", "cqlsh"}},
	{"-a", false, []string{"redis-cli", "valkey-cli", "keydb-cli"}},
	{"-P", false, []string{"zip", "unzip"}},
	{"-w", false, []string{"ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldappasswd", "ldapwhoami"}},
}

// attached finds the password in one word with its flag: mysql -uroot -pPASSWORD; i is at the dash.
func (s *scanner) attached(i int) {
	for _, t := range taking {
		if t.attached && s.has(i, t.flag) {
			s.behind(i, i+len(t.flag), t.programs)
		}
	}
}

// behind judges what stands at from as the password of one of these programs, whose flag begins at i. Behind the program's own name any word is one; where it may be the name of
// something else, it has to look like one.
func (s *scanner) behind(i, from int, programs []string) {
	quote := s.quoteAt(from)
	from += len(quote)
	rest := s.text[from:min(len(s.text), from+window)]
	if quote == "" {
		quote = " \t\r\n\"'`\\|;<>&"
	}
	if n := bytes.IndexAny(rest, quote); n >= 0 {
		rest = rest[:n]
	}
	v := bytes.TrimRight(rest, ".,;")
	port := len(bytes.TrimRight(v, digits+":./-")) == 0 && bytes.ContainsAny(v, ":./-")
	if len(v) < 3 || v[0] == '-' || port || fillsIn(v) || isPlaceholder(v) || isName(v) {
		return
	}
	if program, first := s.programOf(i, programs); program && (first || len(v) > 3 && kinds(v) > 1) {
		s.add("flag", from, from+len(v))
	}
}

// programOf reports that one of these programs is called in the command in which i stands, and whether what it is called by is the command's first word, or stands behind words that only say how it
// is called.
func (s *scanner) programOf(i int, programs []string) (called, first bool) {
	command := s.text[max(0, i-4*window):i]
	if n := bytes.LastIndexAny(command, "\n;|&`("); n >= 0 {
		command = command[n+1:]
	}
	first = true
	var before []byte
	for word := range bytes.FieldsSeq(command) {
		name := word[bytes.LastIndexAny(word, "/\"'")+1:]
		valued := len(before) > 3 && before[0] == '-' // -name mysql: it is the value of an option
		if slices.Contains(programs, string(name)) && !valued {
			return true, first
		}
		before = word
		first = first && (bytes.HasSuffix(word, []byte(":")) || bytes.IndexByte(word, '=') > 0 || slices.Contains([]string{"$", "#", "+", "%", ">", "-", "sudo", "env", "time", "exec", "nohup", "RUN", "docker", "podman", "oras", "helm", "az", "npm"}, string(word)))
	}
	return false, false
}

// netrc finds the password in a line, or an entry of several lines, of the file in which ftp, curl and git keep them: machine HOST login NAME password PASSWORD; i is at the space behind the word.
func (s *scanner) netrc(i int) {
	if !s.endsWith(i, "password") || !s.entry(s.text[max(0, i-2*window):i-len("password")]) {
		return
	}
	from := i + 1
	end := from
	for end < len(s.text) && end < from+window && !isSpace(s.text[end]) && !isQuote(s.text[end]) && s.text[end] != '\\' {
		end++
	}
	if v := s.text[from:end]; len(v) > 2 && !fillsIn(v) && !isPlaceholder(v) {
		s.add("netrc", from, end)
	}
}

// entry reports a text that is the beginning of an entry of such a file: it begins a line or a literal, and has nothing in it but names and what they are the names of.
func (s *scanner) entry(before []byte) bool {
	begin := max(bytes.LastIndex(before, []byte("machine ")), bytes.LastIndex(before, []byte("default ")))
	if begin < 0 {
		return false
	}
	line, words := before[:begin], bytes.Fields(bytes.ReplaceAll(before[begin:], []byte(`\n`), []byte(" ")))
	for _, end := range []string{"\n", `\n`} {
		if n := bytes.LastIndex(line, []byte(end)); n >= 0 {
			line = line[n+len(end):]
		}
	}
	if line = bytes.Trim(line, " \t+->|$"); len(line) > 0 && !isQuote(line[len(line)-1]) {
		return false
	}
	if string(words[0]) == "default" {
		words = words[1:]
	}
	for ; len(words) >= 2 && slices.Contains([]string{"machine", "login", "account", "user", "port", "protocol"}, string(words[0])); words = words[2:] {
	}
	return len(words) == 0
}
