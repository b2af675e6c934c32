package check

import (
	"errors"
	"time"

	"go.yaml.in/yaml/v3"
)

// document is fettle.yaml as people write it. The field tags are what the file's keys are called; the descriptions are
// what the published schema says of them.
//
//go:generate go test -run TestSchemaIsPublished . -update
type document struct {
	Version      int                   `json:"version" jsonschema:"The version of this format. It is 1."`
	Checks       map[string]checkEntry `json:"checks,omitempty" jsonschema:"The commands that judge the repository, by name: a kind (test, lint, type, format, build, security, complexity), or a kind and a label (lint.ruff). Without this key they are found by looking."`
	Limits       limitsEntry           `json:"limits,omitempty" jsonschema:"The bounds of a session."`
	Protect      []string              `json:"protect,omitempty" jsonschema:"Globs of further files that no fixer may touch. Tests, the configuration of checks and CI are protected anyway."`
	Scope        []string              `json:"scope,omitempty" jsonschema:"Globs of the only files that fixers may touch. Without this key: every file that is not protected."`
	BranchPrefix string                `json:"branch_prefix,omitempty" jsonschema:"What the names of branches that fettle makes begin with. Default: fettle/"`
	Fixers       fixersEntry           `json:"fixers,omitempty" jsonschema:"Who may propose changes."`
	Models       modelsEntry           `json:"models,omitempty" jsonschema:"What language models may do here, and which of those that you have given fettle. Where they are, and with which key, is said in your own models.yaml: docs/models.md."`
	Policy       policyEntry           `json:"policy,omitempty" jsonschema:"What agents may do here, where it is less than fettle's own policy allows: rules, tests of them, and files of further ones. docs/commands.md describes it."`
}

type checkEntry struct {
	Run     command         `json:"run" jsonschema:"The command, run without a shell. Exit code 0 means that all is well. {report} stands for the file that a parser of reports reads."`
	Lang    string          `json:"lang,omitempty" jsonschema:"The language it judges: go, java, javascript, python or rust. Default: the one its parser belongs to."`
	Dir     string          `json:"dir,omitempty" jsonschema:"The folder it runs in, from the root. Default: the root."`
	Env     map[string]text `json:"env,omitempty" jsonschema:"Variables added to its environment."`
	Parser  parserEntry     `json:"parser,omitempty" jsonschema:"The format of what it prints, or a program of your own that reads it. Without one it is told from the command, where that is known (go test, pytest, eslint, …); of another command only what compilers say of the project's files is read. none: only its exit code and the end of its output count."`
	Pattern []string        `json:"pattern,omitempty" jsonschema:"For the format errorformat: the lines to recognise, as in Vim (%f:%l:%c: %m)."`
	Reports []string        `json:"reports,omitempty" jsonschema:"For a parser of reports whose tool writes them where it likes: globs of these files, from the check's folder."`
	Fix     commands        `json:"fix,omitempty" jsonschema:"The tool's own fix. It runs in a private copy, and what it changed must pass like any other change."`
	Before  commands        `json:"before,omitempty" jsonschema:"Commands to run first. When one fails, the check cannot do its work."`
	After   commands        `json:"after,omitempty" jsonschema:"Commands to run last, whatever happened."`
	Timeout duration        `json:"timeout,omitempty" jsonschema:"How long it may take, for example 90s. Default: 10m"`
	Alone   bool            `json:"alone,omitempty" jsonschema:"Whether no other check may run beside it."`
	Files   []string        `json:"files,omitempty" jsonschema:"Globs of the files that can change its answer. Default: any file."`

	unread bool // its parser is none
}

// parserEntry is the name of a format, or a program in its place.
type parserEntry struct {
	Name   formatName
	Reader *readerEntry // nil: there is none
}

type readerEntry struct {
	Run    command `json:"run" jsonschema:"The program, run without a shell where the check ran. It gets all that the check printed on its standard input; {report} stands for the report file of the check, if that writes one."`
	Format string  `json:"format,omitempty" jsonschema:"The format of what it prints. Default: rdjson"`
}

// form is where a node of this shape belongs.
func (p *parserEntry) form(n *yaml.Node) any {
	if n.Kind == yaml.MappingNode {
		p.Reader = &readerEntry{Format: defaultFormat}
		return p.Reader
	}
	return &p.Name
}

// policyEntry is the section that policy/shell/tables reads, whoever judges by it: here it is only known to be one.
type policyEntry struct{}

func (*policyEntry) read(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return errors.New("should hold keys and values")
	}
	return nil
}

type limitsEntry struct {
	Iterations   int      `json:"iterations,omitempty" jsonschema:"Rounds of the loop. Default: 10"`
	Time         duration `json:"time,omitempty" jsonschema:"Wall time of a session, for example 30m. Default: no limit"`
	Parallel     int      `json:"parallel,omitempty" jsonschema:"How many checks, and how many fixers, work at a time. Default: as many as the machine has room for"`
	Findings     int      `json:"findings,omitempty" jsonschema:"When more findings than this are left after the tools' own fixes, fettle asks for a narrower goal; the failing tests of one file count as one. Default: 200"`
	EditsPerFile int      `json:"edits_per_file,omitempty" jsonschema:"Edits that one change may make in one file. Default: 30"`
	MaxFileSize  int64    `json:"max_file_size,omitempty" jsonschema:"Bytes that a file may have to be changed. Default: 10485760"`
	Confidence   float64  `json:"confidence,omitempty" jsonschema:"From 0 to 1: a change whose author is less sure of it is refused. Default: 0.7"`
	Output       int64    `json:"output,omitempty" jsonschema:"Bytes that one check may print. Default: 1073741824"`
	Budget       *float64 `json:"budget,omitempty" jsonschema:"US dollars that a session may spend on models and other fixers that cost money; 0: no limit. It can only lower usd_per_session of your own models.yaml, or 2 where that does not stand. Default: 2"`
	Calls        int      `json:"calls,omitempty" jsonschema:"How often a session may call models; a run of an agent counts as one. Default: no limit but that of your own models.yaml"`
	Tokens       int      `json:"tokens,omitempty" jsonschema:"How many tokens models and agents may read and write in a session. Default: no limit but that of your own models.yaml"`
}

type fixersEntry struct {
	Order      []string               `json:"order,omitempty" jsonschema:"The fixers to use, in this order. Without this key: all of them, cheapest first."`
	Shares     map[string]float64     `json:"shares,omitempty" jsonschema:"How much of a session's budget the fixers of a rung may spend together, from 0 to 1, by model and agent. Default: all of it"`
	Confidence map[string]float64     `json:"confidence,omitempty" jsonschema:"How sure a fixer has to be of a change instead of limits.confidence, from 0 to 1, by tool, search, plugin, model and agent."`
	GiveUp     int                    `json:"give_up,omitempty" jsonschema:"A model or an agent is not asked any more in a session when so many of its turns in a row have healed nothing; 0: it is asked always. Default: 5"`
	Adapt      bool                   `json:"adapt,omitempty" jsonschema:"Whether models that have healed nothing here, in eight turns or more, are asked after all other models. Default: false"`
	Trust      trustEntry             `json:"trust,omitempty" jsonschema:"How that limit on confidence moves, fixer by fixer, by how many of its patches were kept here beside how sure it was of them."`
	Plugins    map[string]pluginEntry `json:"plugins,omitempty" jsonschema:"Programs that propose changes, by name: JSON in, JSON out."`
}

type trustEntry struct {
	Off   bool    `json:"off,omitempty" jsonschema:"Whether it stays as it is. Default: false"`
	Least float64 `json:"least,omitempty" jsonschema:"From 0.6 to limits.confidence: it never comes to less. Default: limits.confidence, so that it only rises"`
	Most  float64 `json:"most,omitempty" jsonschema:"From limits.confidence to 1: it never comes to more. Default: 0.95"`
}

type modelsEntry struct {
	Off       bool                 `json:"off,omitempty" jsonschema:"Whether nothing of this repository is ever sent to a model. Default: false"`
	Roles     map[string]roleEntry `json:"roles,omitempty" jsonschema:"How a role is played: fixer, challenger, approver or watcher."`
	Tiers     map[string][]string  `json:"tiers,omitempty" jsonschema:"The models of a tier (fast, standard, deep) as provider/model, in the order in which they are asked. One that is none of your own of that tier or a smaller one, and may cost more, is not asked."`
	Challenge challengeEntry       `json:"challenge,omitempty" jsonschema:"The second model that judges what a model has made."`
}

type roleEntry struct {
	Tier        string   `json:"tier,omitempty" jsonschema:"fast, standard or deep: all that the role asks is asked of this tier. Of the fixer it leaves one of the fixers model-fast, model-standard and model-deep."`
	Temperature *float64 `json:"temperature,omitempty" jsonschema:"From 0 to 2."`
	MaxTokens   int      `json:"max_tokens,omitempty" jsonschema:"Tokens that one answer may have: no more than your own models.yaml says, or else the default."`
	Samples     int      `json:"samples,omitempty" jsonschema:"Of the fixer: answers that are asked for and tried on the failing tests; the smallest that passes is taken. At most 8, and no more than your own models.yaml says. Default: 1"`
	Turns       *int     `json:"turns,omitempty" jsonschema:"Of the fixer and the challenger: how often it may look into files, and only that, before it answers. At most 20, and no more than your own models.yaml says, or else the default: 0 for the fixer, 4 for the challenger."`
}

type challengeEntry struct {
	Off        bool `json:"off,omitempty" jsonschema:"Whether the evidence alone decides. Default: false"`
	Threshold  int  `json:"threshold,omitempty" jsonschema:"The score of 100 from which something counts as solved. Default: 95"`
	Iterations int  `json:"iterations,omitempty" jsonschema:"How many patches of a session it judges: what it does not approve of the last waits for a person, what it does not approve before goes back to its author. At most 10. Default: 2"`
}

type pluginEntry struct {
	Run     command  `json:"run" jsonschema:"The command, run without a shell."`
	Checks  []string `json:"checks,omitempty" jsonschema:"Kinds or names of the checks whose findings it is given. Default: all"`
	Timeout duration `json:"timeout,omitempty" jsonschema:"How long it may take. Default: 10m"`
}

// The types of values that are written otherwise than they are held.
type (
	command  []string      // a line that is split by shell rules, or a list of words
	commands [][]string    // a line, or a list of lines or lists of words
	duration time.Duration // "90s"
	text     string        // any scalar, as it is written

	formatName string // one scalar, where more could stand
)

// scalar is a value that reads itself from a YAML node.
type scalar interface{ read(n *yaml.Node) error }

// choice is a value that people write in one of several forms: it says which of its parts a node is read into.
type choice interface{ form(n *yaml.Node) any }

func (c *command) read(n *yaml.Node) (err error) {
	switch n.Kind { //nolint:exhaustive // all others are refused
	case yaml.ScalarNode:
		*c, err = SplitCommand(n.Value)
		return err
	case yaml.SequenceNode:
		*c = nil
		for _, w := range n.Content {
			w = target(w)
			if w.Kind != yaml.ScalarNode {
				return at(w, errors.New("a word of a command should be text"))
			}
			*c = append(*c, w.Value)
		}
		if len(*c) == 0 || (*c)[0] == "" {
			return errors.New("the command is empty")
		}
		return nil
	}
	return errors.New("a command should be one line, or a list of words")
}

func (c *commands) read(n *yaml.Node) error {
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	*c = nil
	for _, n := range list {
		n = target(n)
		var one command
		if err := one.read(n); err != nil {
			return at(n, err)
		}
		*c = append(*c, one)
	}
	return nil
}

func (d *duration) read(n *yaml.Node) error {
	v, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || v <= 0 {
		return errors.New("should be a length of time such as 90s, 10m or 1h30m")
	}
	*d = duration(v)
	return nil
}

func (t *text) read(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return errors.New("should be text")
	}
	*t = text(n.Value)
	return nil
}

func (f *formatName) read(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return errors.New("should be the name of a format, or the run and the format of a program that reads")
	}
	*f = formatName(n.Value)
	return nil
}
