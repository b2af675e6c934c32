package check

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// header begins the file.
const header = `# What fettle goes by in this repository. Every key is described in docs/fettle.schema.json of fettle.
version: 1
`

const checksComment = `
# The commands that judge this repository, by what they mean: test, lint, type, format, build, security or complexity, and
# a label where there are several. They run without a shell, side by side; exit code 0 means that all is well.
#   run      the command            parser   how to read it        fix      the tool's own fix
#   dir env  where it runs          files    what can change it    before, after, timeout, alone
`

const limitsComment = `
# The bounds of a session. FETTLE_MAX_ITERATIONS, FETTLE_CONFIDENCE_THRESHOLD and FETTLE_MAX_FILE_SIZE override these.
`

const protectComment = `
# Further files that no fixer may touch; tests, the configuration of checks and CI are protected anyway.
`

const scopeComment = `
# The only files that fixers may touch. Empty: all that are not protected.
`

const branchComment = `
# What the names of fettle's branches begin with.
`

const fixersComment = `
# Who may propose changes. order: the fixers to use; without it all of them, cheapest first.
# give_up: turns in a row without a healed finding, after which a model or an agent is asked no more in a session.
# plugins: programs that get the findings as JSON and answer with changes.
`

const modelsComment = `
# What language models may do here. Where they are, and with which key, stands in your own models.yaml.
`

// Marshal writes the configuration as a commented fettle.yaml, which [Load] reads back to the same.
func (c *Config) Marshal() []byte {
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString(checksComment)
	switch {
	case c.Checks == nil:
		b.WriteString("# Without the key checks, fettle finds them by looking.\n")
	case len(c.Checks) == 0:
		b.WriteString("checks: {}\n")
	default:
		b.WriteString("checks:\n")
	}
	for i, k := range c.Checks {
		if i > 0 {
			b.WriteByte('\n')
		}
		write(&b, 2, mapping(pair(k.Name, k.node())))
	}
	c.Limits.write(&b)
	b.WriteString(protectComment)
	write(&b, 0, mapping(pair("protect", stringList(c.Protect))))
	b.WriteString(scopeComment)
	write(&b, 0, mapping(pair("scope", stringList(c.Scope))))
	b.WriteString(branchComment)
	write(&b, 0, mapping(pair("branch_prefix", stringNode(c.BranchPrefix))))
	b.WriteString(fixersComment)
	write(&b, 0, mapping(pair("fixers", c.Fixers.node())))
	if m := c.Models.node(); len(m.Content) > 0 {
		b.WriteString(modelsComment)
		write(&b, 0, mapping(pair("models", m)))
	}
	return b.Bytes()
}

func (l Limits) write(b *bytes.Buffer) {
	b.WriteString(limitsComment + "limits:\n")
	line := func(key, value, why string) { fmt.Fprintf(b, "  %-28s # %s\n", key+": "+value, why) }
	line("iterations", strconv.Itoa(l.Iterations), "rounds of the loop")
	if l.Time > 0 {
		line("time", shortDuration(l.Time), "wall time of a session")
	}
	if l.Parallel > 0 {
		line("parallel", strconv.Itoa(l.Parallel), "checks, and fixers, at a time")
	}
	line("findings", strconv.Itoa(l.Findings), "more than this asks for a narrower goal")
	line("edits_per_file", strconv.Itoa(l.EditsPerFile), "edits that one change may make in one file")
	line("max_file_size", strconv.FormatInt(l.MaxFileSize, 10), "bytes that a file may have to be changed")
	line("confidence", strconv.FormatFloat(l.Confidence, 'g', -1, 64), "a change whose author is less sure is refused")
	line("output", strconv.FormatInt(l.Output, 10), "bytes that one check may print")
	if l.Budget != nil {
		line("budget", strconv.FormatFloat(*l.Budget, 'g', -1, 64), "dollars that a session may spend on models; it only lowers your own usd_per_session, or 2")
	} else {
		line("# budget", strconv.FormatFloat(UsualBudget, 'g', -1, 64), "dollars that a session may spend on models; it only lowers your own usd_per_session, or 2")
	}
	if l.Calls > 0 {
		line("calls", strconv.Itoa(l.Calls), "how often a session may call models")
	}
	if l.Tokens > 0 {
		line("tokens", strconv.Itoa(l.Tokens), "tokens that models may read and write in a session")
	}
}

// node is the check as it stands in the file; what is at its default is left out.
func (c Check) node() *yaml.Node {
	m := mapping(pair("run", commandNode(c.Run)))
	add(m, "lang", c.Lang != "" && c.Lang != parserLang[c.Parser], stringNode(c.Lang))
	add(m, "dir", c.Dir != "", stringNode(c.Dir))
	env := mapping()
	for _, k := range slices.Sorted(maps.Keys(c.Env)) {
		add(env, k, true, stringNode(c.Env[k]))
	}
	add(m, "env", len(c.Env) > 0, env)
	parser := c.parserNode()
	add(m, "parser", parser != nil, parser)
	add(m, "pattern", len(c.Pattern) > 0, stringList(c.Pattern))
	add(m, "reports", len(c.Reports) > 0, stringList(c.Reports))
	add(m, "fix", len(c.Fix) > 0, commandList(c.Fix))
	add(m, "before", len(c.Before) > 0, commandList(c.Before))
	add(m, "after", len(c.After) > 0, commandList(c.After))
	add(m, "timeout", c.Timeout > 0, stringNode(shortDuration(c.Timeout)))
	add(m, "alone", c.Alone, yes())
	add(m, "files", len(c.Files) > 0, stringList(c.Files))
	return m
}

// parserNode is what reads the check; nil where nothing does, or where that is told from its command.
func (c Check) parserNode() *yaml.Node {
	told := (checkEntry{Run: c.Run}).readable().Parser.Name
	switch {
	case c.Reader != nil:
		return mapping(pair("run", commandNode(c.Reader.Run)), pair("format", stringNode(c.Reader.Format)))
	case c.Parser != "":
		return stringNode(c.Parser)
	case c.Unread || told != "":
		return stringNode(unread)
	}
	return nil
}

func (f Fixers) node() *yaml.Node {
	m, plugins := mapping(), mapping()
	add(m, "order", len(f.Order) > 0, stringList(f.Order))
	add(m, "shares", len(f.Shares) > 0, parts(f.Shares))
	add(m, "confidence", len(f.Sure) > 0, parts(f.Sure))
	add(m, "give_up", f.GiveUp != Default().Fixers.GiveUp, number(strconv.Itoa(f.GiveUp)))
	add(m, "adapt", f.Adapt, yes())
	trust := mapping()
	add(trust, "off", f.Trust.Off, yes())
	add(trust, "least", f.Trust.Least != Default().Fixers.Trust.Least, number(strconv.FormatFloat(f.Trust.Least, 'g', -1, 64)))
	add(trust, "most", f.Trust.Most != Default().Fixers.Trust.Most, number(strconv.FormatFloat(f.Trust.Most, 'g', -1, 64)))
	add(m, "trust", len(trust.Content) > 0, trust)
	for _, p := range f.Plugins {
		one := mapping(pair("run", commandNode(p.Run)))
		add(one, "checks", len(p.Checks) > 0, stringList(p.Checks))
		add(one, "timeout", p.Timeout > 0, stringNode(shortDuration(p.Timeout)))
		add(plugins, p.Name, true, one)
	}
	add(m, "plugins", len(f.Plugins) > 0, plugins)
	if len(m.Content) == 0 {
		m.Style = yaml.FlowStyle
	}
	return m
}

// parts is a number for each kind of fixers that has one.
func parts(of map[string]float64) *yaml.Node {
	m := mapping()
	for _, kind := range slices.Sorted(maps.Keys(of)) {
		add(m, kind, true, number(strconv.FormatFloat(of[kind], 'g', -1, 64)))
	}
	return m
}

// node is the section as it stands in the file; what is at its default is left out.
func (m Models) node() *yaml.Node {
	out := mapping()
	add(out, "off", m.Off, yes())
	roles := mapping()
	for _, name := range slices.Sorted(maps.Keys(m.Roles)) {
		r, one := m.Roles[name], mapping()
		add(one, "tier", r.Tier != "", stringNode(r.Tier))
		if r.Temperature != nil {
			add(one, "temperature", true, number(strconv.FormatFloat(*r.Temperature, 'g', -1, 64)))
		}
		add(one, "max_tokens", r.MaxTokens > 0, number(strconv.Itoa(r.MaxTokens)))
		add(one, "samples", r.Samples > 0, number(strconv.Itoa(r.Samples)))
		if r.Turns != nil {
			add(one, "turns", true, number(strconv.Itoa(*r.Turns)))
		}
		add(roles, name, true, one)
	}
	add(out, "roles", len(m.Roles) > 0, roles)
	tiers := mapping()
	for _, name := range slices.Sorted(maps.Keys(m.Tiers)) {
		add(tiers, name, true, stringList(m.Tiers[name]))
	}
	add(out, "tiers", len(m.Tiers) > 0, tiers)
	challenge := mapping()
	add(challenge, "off", m.Unjudged, yes())
	add(challenge, "threshold", m.Threshold > 0, number(strconv.Itoa(m.Threshold)))
	add(challenge, "iterations", m.Judged > 0, number(strconv.Itoa(m.Judged)))
	add(out, "challenge", len(challenge.Content) > 0, challenge)
	return out
}

// shortDuration is a length of time without its zero parts: 10m, not 10m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// write writes a node's lines, indented.
func write(b *bytes.Buffer, indent int, n *yaml.Node) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	_ = enc.Encode(n) // nodes of our own making are always encodable, and the buffer takes everything
	_ = enc.Close()
	for line := range bytes.Lines(out.Bytes()) {
		b.WriteString(strings.Repeat(" ", indent))
		b.Write(line)
	}
}

func mapping(pairs ...[]*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Content: slices.Concat(pairs...)}
}

func pair(key string, value *yaml.Node) []*yaml.Node { return []*yaml.Node{stringNode(key), value} }

// add gives a mapping a key, if it is there.
func add(to *yaml.Node, key string, there bool, value *yaml.Node) {
	if there {
		to.Content = append(to.Content, pair(key, value)...)
	}
}

func yes() *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"} }

// number is a number as it stands in the file.
func number(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }

func stringNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.ContainsAny(s, "\n\r\t") {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func stringList(list []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, s := range list {
		n.Content = append(n.Content, stringNode(s))
	}
	return n
}

// commandNode is a command on one line where a line can say it, else a list of words.
func commandNode(argv []string) *yaml.Node {
	if line, ok := quoteCommand(argv); ok {
		return stringNode(line)
	}
	return stringList(argv)
}

func commandList(list [][]string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	for _, argv := range list {
		n.Content = append(n.Content, commandNode(argv))
	}
	return n
}

// Document is the configuration as fettle.yaml has it, under the names of its keys, for writing as JSON.
func (c *Config) Document() map[string]any {
	var doc map[string]any
	if err := yaml.Unmarshal(c.Marshal(), &doc); err != nil {
		return nil // what Marshal writes can be read
	}
	return doc
}
