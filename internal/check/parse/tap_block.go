package parse

import (
	"strconv"
	"strings"

	"fettle/internal/pattern"
)

// tapBlock is the YAML below a TAP result: as much of YAML as test runners write, one level of keys with plain, quoted and
// block values. What lies deeper is text.
type tapBlock struct {
	kept
	mark   int // column of the --- above it
	indent int // column of its keys, which may stand deeper; 0: not known yet
	values map[string]string
	key    string // of the block value that is being read
	deep   []string
	size   int
	closed bool
}

// tapQuiet are the keys that say nothing to a person beside what the finding says anyway.
var tapQuiet = map[string]bool{"duration_ms": true, "type": true, "location": true, "failureType": true, "exitCode": true, "signal": true, "name": true, "code": true, "operator": true}

// tapPlain is a key whose lines say by themselves what they are.
const tapPlain = "stack"

// tapFollows is what stands for a value that follows in lines of its own.
var tapFollows = pattern.New(`^[|>][+-]?\d*$`)

var tapKey = pattern.New(`^["']?([A-Za-z_]\w*)["']?:(?: (.*))?$`)

// line reads a line of the block; false when it is no part of it.
func (b *tapBlock) line(raw string) bool {
	if b.closed {
		return false
	}
	text := strings.TrimLeft(raw, " ")
	column := len(raw) - len(text)
	switch {
	case column == b.mark && text == "...":
		b.closed = true
		return true
	case text == "":
	case column < b.mark:
		return false // the block was cut off
	case b.indent == 0:
		b.indent = column
	}
	line := raw[min(column, b.indent):]
	m := tapKey.FindStringSubmatch(line)
	if m == nil {
		b.below(line)
		return true
	}
	b.end()
	b.key = m[1]
	if value := strings.TrimSpace(m[2]); !tapFollows.MatchString(value) {
		b.set(b.key, unquoteYAML(value))
	}
	if !tapQuiet[b.key] && b.key != tapPlain {
		b.add(line)
	}
	return true
}

// below is a line of the value of the last key.
func (b *tapBlock) below(line string) {
	if b.size += len(line) + 16; b.size < keptHead {
		b.deep = append(b.deep, line)
	}
	if m := tapKey.FindStringSubmatch(strings.TrimSpace(line)); m != nil && b.key == "at" {
		b.set(m[1], unquoteYAML(m[2])) // tap's own "at: {file, line}"
	}
	if !tapQuiet[b.key] {
		b.add(line)
	}
}

// end sets the value of a key that had lines below it.
func (b *tapBlock) end() {
	if len(b.deep) > 0 && b.key != "" {
		for i, l := range b.deep {
			b.deep[i] = strings.TrimPrefix(l, "  ")
		}
		b.set(b.key, strings.Trim(strings.Join(b.deep, "\n"), "\n"))
	}
	b.deep, b.key, b.size = nil, "", 0
}

func (b *tapBlock) set(key, value string) {
	if b.values == nil {
		b.values = map[string]string{}
	}
	if len(b.values) < 64 {
		b.values[key] = shorten(value, maxDetail)
	}
}

func (b *tapBlock) value(key string) string { return b.values[key] }

func (b *tapBlock) number(key string) float64 {
	n, err := strconv.ParseFloat(b.value(key), 64)
	if err != nil {
		return 0
	}
	return n
}

// message is what the block says went wrong.
func (b *tapBlock) message() string {
	for _, key := range []string{"error", "message"} {
		if v := strings.TrimSpace(b.value(key)); v != "" {
			return jsMessage(strings.Split(v, "\n"))
		}
	}
	expected, actual := b.value("expected"), b.value("actual")
	if expected == "" && actual == "" {
		return ""
	}
	return jsMessage([]string{"expected " + expected + ", got " + actual})
}

func unquoteYAML(v string) string {
	switch {
	case len(v) > 1 && v[0] == '\'' && v[len(v)-1] == '\'':
		return strings.ReplaceAll(v[1:len(v)-1], "''", "'")
	case len(v) > 1 && v[0] == '"' && v[len(v)-1] == '"':
		if s, err := strconv.Unquote(v); err == nil {
			return s
		}
	case v == "~" || v == "null":
		return ""
	}
	return v
}
