// Package settings answers "what does this configuration set, and what does it mean that a setting is another one?".
//
// A configuration is read line by line as it is written, whatever its format ([Of]), so that also one that no reader of its format knows can be judged. Tables say which keys
// and words demand more, and which less; [Changes] holds two versions against each other setting by setting. What a configuration that is read as its tool reads it demands as a whole is
// told by package configs.
package settings

import (
	"slices"
	"strings"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/parts"
	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// Setting is one line of a configuration, or one part of a line: a key with a value, or an entry of a list under its key.
type Setting struct {
	Key, Value string
	Text       string // all of it
	Number     int    // of its line
	entry      bool   // it is one of a list
	under      string // the key, or the head of the block, that it stands below
	path       string // all that it stands below, and its section
	below      string // the path of what stands below it; empty, if nothing can
}

// whole is a setting with what it stands below: "default.target=80%".
func (s Setting) whole() string { return s.under + "." + s.Key + "=" + strings.ToLower(s.Value) }

// said is what a setting says, wherever it stands.
func (s Setting) said() Setting {
	return Setting{Key: s.Key, Value: s.Value, entry: s.entry, Text: s.Text}
}

// Of reads most configurations as they are written: INI, TOML, YAML, JSON, XML, properties, and what languages of builds set. What spans lines counts
// under the key before it, and what stands on one line as if it stood on several.
func Of(src []byte) []Setting {
	var r reading
	for i, raw := range strings.Split(string(src), "\n") {
		for _, p := range pieces(raw) {
			r.read(i+1, p)
		}
	}
	return r.all
}

// reading is a configuration that is being read.
type reading struct {
	all     []Setting
	above   []opened
	section string
}

// opened is a key or a block under which what follows may stand.
type opened struct {
	indent   int
	key      string
	item     bool // it begins an item of a list
	block    bool // it is the head of a block, and no key
	assigned bool // it is followed by "=", so that what is below it is no list of YAML's
	text     string
}

// place is a part of a path: an item of a list is told from others by how it begins.
func (o opened) place() string {
	if o.item {
		return "/" + o.text
	}
	return "/" + o.key
}

var (
	keyed = pattern.New(`^["']?([\w@/.*\- ]+?)["']?\s*([:=])\s*(.*)$`)
	// callSetting is a setting that is made by a call: exclude("**/*.java").
	callSetting = pattern.New(`^(\w+)[\s(]+(["'].*)$`)
	environment = pattern.New(`^[A-Z][A-Z0-9_]*=\S`)
	// setCall is a setting that is made by a call of a property of Gradle's: ignoreFailures.set(true).
	setCall   = pattern.New(`^([\w.]+)\.set\(([^()]*)\)$`)
	blockHead = pattern.New(`^(.*\S)\s*\{$`)
	// section is the head of one of INI and TOML, which is about what follows up to the next; filesHead is that of one whose keys are names of files.
	section   = pattern.New(`^\[\[?[A-Za-z][^,]*\]$`)
	filesHead = pattern.New(`^\[(?:.+\.)?((?:extend-)?per-file-ignores)\]$`)
)

// read takes one more piece of a configuration.
func (r *reading) read(number int, p piece) {
	text := strings.TrimSuffix(p.text, ",")
	if setsNothing(text) {
		return
	}
	item := strings.HasPrefix(text, "- ")
	r.close(p.indent, item, text)
	s := Setting{Number: number, Text: text, path: r.path()}
	if len(r.above) > 0 {
		s.under = r.last().key
	}
	bare := setCall.ReplaceAllString(strings.TrimPrefix(text, "- "), "$1 = $2")
	m, call := keyed.FindStringSubmatch(bare), callSetting.FindStringSubmatch(text)
	within := len(r.above) > 0 && r.last().assigned
	switch {
	case m != nil && !strings.HasPrefix(text, "[") && (m[1]+m[2]+m[3] != bare || !isCheck(bare)):
		s.Key, s.Value = strings.ToLower(m[1]), strings.TrimSpace(m[3])
		if !p.complete {
			r.above = append(r.above, opened{indent: p.indent, key: s.Key, item: item, assigned: m[2] == "=", text: text})
			s.below = s.path + r.last().place()
		}
	case call != nil && excluding.MatchString(strings.ToLower(call[1])):
		s.Key, s.Value = strings.ToLower(call[1]), strings.TrimSuffix(call[2], ")")
	case len(r.above) > 0 && !r.last().block && !strings.HasPrefix(text, "["):
		s.Key, s.entry = r.last().key, true
		if len(r.above) > 1 {
			s.under = r.above[len(r.above)-2].key
		}
		if s.Value = strings.Trim(bare, `"',`); item && within {
			s.Value = text
		}
	default:
		s.Key = text
		s.below = r.open(p.indent, text)
	}
	r.all = append(r.all, s)
}

// path is where the reading has come to: the section, and all that is open.
func (r *reading) path() string {
	var path strings.Builder
	path.WriteString(r.section)
	for _, o := range r.above {
		path.WriteString(o.place())
	}
	return path.String()
}

// open takes the head of a block, or of a section that lasts to the next one, and gives the path of what stands below it; empty, if nothing can.
func (r *reading) open(indent int, text string) (below string) {
	if indent == 0 && section.MatchString(text) {
		below = r.path()
	}
	if m := blockHead.FindStringSubmatch(text); m != nil {
		r.above = append(r.above, opened{indent: indent, key: strings.ToLower(m[1]), block: true})
		below = r.path()
	}
	if m := filesHead.FindStringSubmatch(text); m != nil {
		r.above = append(r.above, opened{indent: -1, key: m[1], block: true})
		below = r.path()
	}
	return below
}

// close ends what a piece stands below no more.
func (r *reading) close(indent int, item bool, text string) {
	if indent == 0 && section.MatchString(text) {
		r.above, r.section = nil, text
	}
	for len(r.above) > 0 && r.last().ends(indent, item) {
		r.above = r.above[:len(r.above)-1]
	}
}

// isCheck reports whether a line is a command that checks: such have colons and signs of assignment in them, too, which set nothing, or a variable for that command alone.
func isCheck(line string) bool {
	words := strings.Fields(line)
	for len(words) > 0 && environment.MatchString(words[0]) {
		words = words[1:]
	}
	return len(words) > 1 && !strings.ContainsAny(words[0], ":=") && commands.Check(words) != ""
}

// setsNothing reports whether a piece is a comment, or only begins or ends something.
func setsNothing(text string) bool {
	for _, mark := range []string{"#", "//", ";", "</"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return strings.Trim(text, "{}[](),;- ") == ""
}

func (r *reading) last() opened { return r.above[len(r.above)-1] }

// ends reports whether what is indented so stands below it no more. The items of a list may be indented as its key is.
func (o opened) ends(indent int, item bool) bool {
	return o.indent > indent || o.indent == indent && (!item || o.item)
}

// piece is a line, or what would be a line of its own if a mapping were not written in one.
type piece struct {
	indent   int
	text     string
	complete bool // nothing on a later line stands below it
}

var (
	// mapping is the beginning of what is written in braces, and holds settings.
	mapping = pattern.New(`^\{\s*(["']?[\w@/.\- ]+["']?\s*[:=]|\w+[\s(]+["']|[\w.]+\.set\()`)
	tagged  = pattern.New(`^<[A-Za-z]|^[\w:.-]+\s*=\s*"[^"]*"\s*/?>$`)
	element = pattern.New(`<([A-Za-z][\w:.-]*)|([A-Za-z][\w:.-]*)\s*=\s*"([^"]*)"|(/?>)([^<]*)`)
)

// pieces takes a line apart.
func pieces(raw string) []piece {
	text := strings.TrimSpace(raw)
	indent := len(raw) - len(strings.TrimLeft(raw, " \t"))
	switch {
	case text == "":
		return nil
	case tagged.MatchString(text):
		return tags(indent, text)
	}
	c := cutting{indent: indent, text: text}
	c.cut()
	return c.all
}

// tags are the elements of a line of XML, each with what it holds, and their attributes.
func tags(indent int, text string) []piece {
	var all []piece
	name := -1
	for _, m := range element.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] != "":
			name = len(all)
			all = append(all, piece{indent: indent, text: m[1] + ":"})
			indent++
		case m[2] != "":
			all = append(all, piece{indent: indent, text: m[2] + ": " + m[3], complete: true})
		case name >= 0 && strings.TrimSpace(m[5]) != "":
			all[name].text += " " + strings.TrimSpace(m[5])
			name = -1
		}
	}
	return all
}

// cutting takes a line apart at the braces and commas of the mappings in it.
type cutting struct {
	indent int
	text   string
	begin  int
	around []byte // the brackets that are open; 'm' is a brace of a mapping
	all    []piece
}

func (c *cutting) cut() {
	quote := byte(0)
	for i := 0; i < len(c.text); i++ {
		at := c.text[i]
		switch {
		case quote != 0 && at == '\\':
			i++
		case quote != 0:
			if at == quote {
				quote = 0
			}
		case strings.IndexByte("\"'`", at) >= 0 && (i == 0 || !parts.IsWord(c.text[i-1])):
			quote = at
		case at == '{' && (i == 0 || strings.IndexByte("${", c.text[i-1]) < 0) && mapping.MatchString(c.text[i:]):
			c.take(i+1, i+1, false)
			c.around = append(c.around, 'm')
		case strings.IndexByte("{[(", at) >= 0:
			c.around = append(c.around, at)
		case strings.IndexByte("}])", at) >= 0:
			c.closed(i)
		case (at == ',' || at == ';') && c.inMapping():
			c.take(i, i+1, true)
		}
	}
	c.take(len(c.text), len(c.text), false)
}

// take ends a piece, and begins the next one.
func (c *cutting) take(end, next int, complete bool) {
	if text := strings.TrimSpace(c.text[c.begin:end]); text != "" {
		c.all = append(c.all, piece{c.indent + strings.Count(string(c.around), "m"), text, complete})
	}
	c.begin = next
}

// closed is told of a bracket that ends something; one that began on another line ends a piece.
func (c *cutting) closed(i int) {
	if c.inMapping() || len(c.around) == 0 && c.text[i] != ')' {
		c.take(i, i+1, true)
	}
	if len(c.around) > 0 {
		c.around = c.around[:len(c.around)-1]
	}
}

func (c *cutting) inMapping() bool { return slices.Contains(c.around[max(len(c.around)-1, 0):], 'm') }

// Values are the values of a setting: a list on one line, or on several.
func Values(all []Setting, key string) []string {
	var out []string
	for _, s := range all {
		if s.Key == key {
			out = append(out, trees.Items(s.Value)...)
		}
	}
	return out
}
