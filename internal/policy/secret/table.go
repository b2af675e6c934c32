package secret

import "bytes"

// table finds the secrets of a table with a sign between its columns: Markdown's, one that a database prints, a file of values between commas. i is at such a sign in the line that names the columns,
// or in a row whose name stands in one of them.
func (s *scanner) table(i int, sign byte) {
	if i < s.tabled || i == 0 {
		return
	}
	begin := max(0, i-4*window)
	if n := bytes.LastIndexByte(s.text[begin:i], '\n'); n >= 0 {
		begin += n + 1
	} else if begin > 0 {
		return
	}
	line := s.lineAt(begin)
	columns := s.columns(line, sign)
	if columns == nil {
		return
	}
	next := begin + len(line) + 1
	ruled := false
	if next < len(s.text) {
		if rule := s.lineAt(next); sign == '|' && len(rule) > 0 && len(bytes.Trim(rule, "-+|: \r")) == 0 {
			ruled = true
			next += len(rule) + 1
		}
	}
	if sign == '|' && !ruled {
		return
	}
	for range maxRows {
		if next >= len(s.text) {
			break
		}
		row := s.lineAt(next)
		if bytes.Count(row, []byte{sign}) != bytes.Count(line, []byte{sign}) {
			break
		}
		s.row(next, row, sign, columns)
		next += len(row) + 1
	}
	s.tabled = next
}

// maxRows bounds how many rows of a table are read.
const maxRows = 1000

// lineAt is the line that begins at i.
func (s *scanner) lineAt(i int) []byte {
	line := s.text[i:]
	if n := bytes.IndexByte(line[:min(len(line), maxList)], '\n'); n >= 0 {
		return line[:n]
	}
	return line[:min(len(line), maxList)]
}

// columns are the kinds of a table's columns by their names; nil if none holds secrets, or the line is no list of names.
func (s *scanner) columns(line []byte, sign byte) (kinds []kind) {
	secrets := false
	for cell := range bytes.SplitSeq(line, []byte{sign}) {
		name := bytes.Trim(cell, " \t\r*`\"'")
		if len(name) > 48 || len(bytes.TrimLeft(name, digits+lower+upper+"_-. ")) > 0 {
			return nil
		}
		k := secretName(name)
		if k == notSecret && endsInFold(name, " key") {
			k = secretName(bytes.ReplaceAll(name, []byte(" "), []byte("_")))
		}
		secrets = secrets || k != notSecret
		kinds = append(kinds, k)
	}
	if !secrets || len(kinds) < 2 {
		return nil
	}
	return kinds
}

// row judges the cells of a row, which begins at i, that stand in columns of secrets.
func (s *scanner) row(i int, row []byte, sign byte, columns []kind) {
	at := i
	for _, kind := range columns {
		end := i + len(row)
		if n := bytes.IndexByte(s.text[at:end], sign); n >= 0 {
			end = at + n
		}
		if kind != notSecret {
			s.cell(at, end, kind)
		}
		at = min(end+1, i+len(row))
	}
}

// cell judges one cell.
func (s *scanner) cell(from, end int, kind kind) {
	v := bytes.TrimLeft(s.text[from:end], " \t`\"'")
	from = end - len(v)
	v = bytes.TrimRight(v, " \t\r`\"'")
	if !looksSecret(v, kind) || bytes.IndexByte(v, ' ') >= 0 || bytes.Contains(v, []byte("://")) || looksNamed(v) && (kind == token || kinds(v) < 3 && len(v) < 8) {
		return
	}
	s.add("assigned", from, from+len(v))
}

// namedCell judges the cell a bar at i, where the one before it names what it holds.
func (s *scanner) namedCell(i int) {
	name := bytes.TrimRight(s.text[max(0, i-64):i], " *`")
	if bare := bytes.TrimRight(name, digits); !sayings.end(bare, len(bare)) && !sayings.end(name, len(name)) {
		return
	}
	n := len(name)
	for n > 0 && dottedChars[name[n-1]] {
		n--
	}
	kind := secretName(name[n:])
	if kind == notSecret {
		if kind = s.spoken(max(0, i-64)+len(name), name[n:]); kind == notSecret {
			return
		}
	}
	end := i + 1
	for end < len(s.text) && end < i+2*window && s.text[end] != '|' && s.text[end] != '\n' {
		end++
	}
	if v := bytes.Trim(s.text[i+1:end], " `"); s.has(end, "|") && len(v) >= 8 && (kind == token || kinds(v) > 2 || looksDrawn(v)) {
		s.cell(i+1, end, kind)
	}
}

// commas tries a comma at i that has no space beside it, as in a file of values: a name of a secret stands before it, or ends the line behind it.
func (s *scanner) commas(i int) {
	if i < 1 || i+3 >= len(s.text) || i < s.tabled || !isLetter(s.text[i+1]) && s.text[i+1] != '"' {
		return
	}
	before := i
	if isQuote(s.text[i-1]) {
		before--
	}
	if !sayings.end(s.text, before) {
		end := s.run(i+1, &headChars, 64)
		if end >= len(s.text) || s.text[end] != '\n' && s.text[end] != '\r' {
			return
		}
		if s.text[end-1] == '"' {
			end--
		}
		if !sayings.end(s.text, end) {
			return
		}
	}
	s.table(i, ',')
}

var headChars = classOf(digits + lower + upper + "_-.\" ")
