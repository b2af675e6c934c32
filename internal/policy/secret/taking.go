package secret

import (
	"bytes"
	"slices"
	"strings"
)

// taking are the flags that say nothing by themselves, and the programs that take a password behind them: in the next word, or in the same.
var taking = []taker{
	{flag: "-p", attached: true, programs: []string{"mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlcheck", "mysqlshow", "mysqlsh", "mariadb", "mariadb-dump", "mariadb-admin", "mycli", "sshpass", "7z", "7za", "7zr", "rar", "unrar"}},
	{flag: "-p", programs: []string{"sshpass", "login", "mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport", "cqlsh"}},
	{flag: "-a", programs: []string{"redis-cli", "valkey-cli", "keydb-cli"}},
	{flag: "-P", bundled: "0123456789DXTjmnoqruvy", programs: []string{"zip"}},
	{flag: "-P", bundled: "CDLUXajnoqtuvlp", programs: []string{"unzip"}},
	{flag: "-w", bundled: "LMZcnvxA", programs: []string{"ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldappasswd", "ldapwhoami"}},
	{flag: "-k", programs: []string{"openssl"}},
	{flag: "-P", programs: []string{"sqlcmd", "bcp", "tsql", "isql", "mosquitto_pub", "mosquitto_sub", "mosquitto_rr", "ipmitool"}}, //nolint:misspell // the broker's name
	{flag: "-p", programs: []string{"twine", "evil-winrm", "crackmapexec", "netexec", "nxc", "xfreerdp", "rabbitmqadmin", "influx"}},
	{flag: "-w", programs: []string{"kadmin", "kadmin.local"}},
	{flag: "-c", programs: []string{"snmpwalk", "snmpget", "snmpset", "snmpbulkwalk", "snmptrap", "onesixtyone"}},
	{flag: "-A", programs: []string{"snmpwalk", "snmpget", "snmpset", "snmpbulkwalk"}},
	{flag: "-X", programs: []string{"snmpwalk", "snmpget", "snmpset", "snmpbulkwalk"}},
	{flag: "-N", programs: []string{"ssh-keygen"}},
	{flag: "-u", user: ',', programs: []string{"lftp"}},
	{flag: "-A", user: ':', programs: []string{"ab"}},
	{flag: "-a", user: ':', programs: []string{"hey", "oha"}},
	{flag: "--creds", user: ':', programs: []string{"skopeo", "podman", "buildah"}},
	{flag: "--src-creds", user: ':', programs: []string{"skopeo"}},
	{flag: "--dest-creds", user: ':', programs: []string{"skopeo"}},
	{flag: "-u", user: ':', bundled: curlSwitches, programs: []string{"curl"}},
	{flag: "-U", user: ':', bundled: curlSwitches, programs: []string{"curl"}},
	{flag: "--proxy-user", user: ':', programs: []string{"curl"}},
	{flag: "-a", user: ':', bundled: "FIScdfhjv", programs: []string{"http", "https", "xh", "xhs"}},
	{flag: "--auth", user: ':', programs: []string{"http", "https", "xh", "xhs"}},
	{flag: "-U", user: '%', bundled: "ENPgk", programs: []string{"smbclient", "smbget", "smbcacls", "smbcquotas", "rpcclient"}},
	{flag: "--user", user: '%', programs: []string{"smbclient", "smbget", "smbcacls", "smbcquotas", "rpcclient"}},
}

// curlSwitches are curl's short flags that take no value, so that others may stand behind them in one word.
const curlSwitches = "#0123456BGIJLNORSafgijklnpqsv"

// taker is one such flag.
type taker struct {
	flag     string
	attached bool   // the password stands in the same word
	user     byte   // what parts it from the name of the user that stands before it; 0: there is none
	bundled  string // the flags of one letter behind which it may stand in one word
	programs []string
}

// in is how many bytes of a word are the flag, and those that it is bundled with; 0 for another word.
func (t *taker) in(word []byte) int {
	if t.flag[1] == '-' {
		switch rest, ok := bytes.CutPrefix(word, []byte(t.flag)); {
		case ok && len(rest) == 0:
			return len(word)
		case ok && rest[0] == '=':
			return len(t.flag) + 1
		}
		return 0
	}
	if word[1] == '-' || word[1] != t.flag[1] && len(t.bundled) == 0 {
		return 0
	}
	for i := 1; i < len(word); i++ {
		switch {
		case word[i] == t.flag[1]:
			return i + 1
		case strings.IndexByte(t.bundled, word[i]) < 0:
			return 0
		}
	}
	return 0
}

// take judges what stands at from as what the flag takes, whose word begins at i.
func (s *scanner) take(t *taker, i, from int) {
	if t.user == 0 {
		s.behind(i, from, t.programs)
		return
	}
	if program, _ := s.programOf(i, t.programs); program {
		s.userPassword(from, t.user)
	}
}

// attached finds the password in one word with its flag: mysql -uroot -pPASSWORD; i is at the dash.
func (s *scanner) attached(i int) {
	word := s.text[i:min(len(s.text), i+48)]
	if n := bytes.IndexAny(word, " \t\r\n"); n >= 0 {
		word = word[:n]
	}
	if len(word) < 3 || word[1] == '-' && !isLetter(word[2]) {
		return
	}
	for n := range taking {
		t := &taking[n]
		if behind := t.in(word); behind > 0 && behind < len(word) && (t.attached || t.user != 0) {
			s.take(t, i, i+behind)
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
