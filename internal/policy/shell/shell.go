// Package shell answers "what would this command do, and may it?". It reads a command as bash would, and runs nothing.
//
// A command's text becomes a syntax tree; the tree is interpreted with what can be known of its values; and every simple
// command that would run leaves facts behind: a file deleted, a host connected to, a hook passed by. The policy's rules say of
// each fact what becomes of it, and the command's decision is the strictest of these:
//
//	text → tree → interpretation → facts → rules → verdict
//
// # Values
//
// What is not known is known to be unknown. A value is a text with marks in it: one stands for any text at all ("$1/lib" is a
// mark and "/lib"), others for an unquoted star or question mark. Variables, the working folder, positional parameters,
// functions, aliases, open files, and what pipes carry are followed; what a pure program prints (echo, printf, cat of a here
// document, base64 -d, rev, tr, xxd -r) is computed, so that a script that was hidden is judged as the script it is. Where a
// value came from is remembered too: what came over the network, out of a decoder, or out of a file with secrets keeps that
// taint in whatever is made from it.
//
// # Worlds
//
// How a command ends is not known, but for a few. Behind "cd build", "[ -f x ] && y=1", an if or a case the shell is in one of several
// states, and what follows is interpreted in each: such a state is a world. Worlds that have become the same are one again; of more
// than a few, and of what a loop or a function that calls itself goes on changing, what differs counts as unknown. What no world
// comes to is looked at all the same.
//
// # Programs
//
// Which options a program has, which of its operands are files, and which of its arguments it runs is data: the YAML files in
// programs/, made into Go by go generate. A program that is not described there is unknown, and unknown is asked about, never
// allowed. A team adds its own in the same form.
//
// # What holds
//
// A wrapper only adds facts: putting a command into another shell, a loop, a pipe or a substitution never lowers its decision.
// What cannot be read (no valid syntax, too long) is asked about; what is nested too deep to be followed is refused. A verdict that is final is one that no appeal, no
// model and no project's own policy overturns. The package asks nothing of the file system: whether a path is a link is the
// caller's to say, through [Place].Resolve, and whether there is a file, or a folder, through [Place].Absent and [Place].Folder.
package shell

import "slices"

// Decision is what becomes of a command. A greater one is stricter.
type Decision int

// The decisions.
const (
	Allow Decision = iota // it may run
	Ask                   // a person says whether
	Deny                  // it does not run
)

var decisionNames = [...]string{"allow", "ask", "deny"}

func (d Decision) String() string { return decisionNames[d] }

// MarshalText writes the decision as its name.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads a decision's name.
func (d *Decision) UnmarshalText(text []byte) error {
	i := slices.Index(decisionNames[:], string(text))
	if i < 0 {
		return &UnknownError{What: "decision", Name: string(text), Known: decisionNames[:]}
	}
	*d = Decision(i)
	return nil
}

// Verdict is the answer to one command. All its texts are made for people, and without control characters.
type Verdict struct {
	Decision    Decision `json:"decision"`
	Final       bool     `json:"final"`                 // nobody may overturn it but who owns the policy
	Class       Class    `json:"class,omitempty"`       // the kind of harm; empty for what is allowed
	Rule        string   `json:"rule,omitempty"`        // the rule that decided
	Reason      string   `json:"reason,omitempty"`      // one sentence
	Facts       []Fact   `json:"facts"`                 // what the command would do, in the order in which it would
	Alternative string   `json:"alternative,omitempty"` // what to do instead
	Loosened    []string `json:"loosened,omitempty"`    // rules of the user's own that were less strict than fettle's
}

// Place says where a command would run, and as whom. Paths are absolute and clean.
type Place struct {
	Root    string   // the project's folder
	Cwd     string   // the folder in which the command starts; Root if empty
	Home    string   // the user's home
	File    string   // the script whose text the command is, for $0 and BASH_SOURCE; empty: the command is of no file
	Venv    string   // the folder of the environment of Python's that is active there; empty: none is, or that is not known
	Zsh     bool     // the command may run in zsh
	Scratch []string // folders that the command may fill and empty as it likes, besides /tmp and /var/tmp
	// Guarded are files and folders that the agent's guard goes by, where they are not where they usually are: zone Agent, wherever they lie.
	Guarded []string
	// Env holds the environment variables whose values are known: $NAME is a known text for these alone.
	Env map[string]string
	// Resolve follows symbolic links in an absolute path, as far as it exists. Nil takes paths as they are written.
	Resolve func(string) string
	// Absent reports a path at which there is nothing: what is written there replaces nothing. Nil: that is not known of any.
	Absent func(path string) bool
	// Folder reports that there is a folder at a path: what is copied there lies in it then. Nil: that is not known of any but those that hold the project or a home.
	Folder func(path string) bool
	// Script is what a file of the project holds that is to be run and that nobody but an agent has read yet: what would be denied in it is
	// denied of the command that runs it. Nil, or false: the file is the project's own code.
	Script func(path string) (text string, ok bool)
	// Written are the files of which Script may know, for programs that find by themselves what they run, as test runners do.
	Written func() []string
	// Known are the same, for who looks for a few names among them.
	Known func() []string
	// Overlooked is told what those files would do that is no more than asked about: it counts for nothing by itself. Nil: nobody wants to know.
	Overlooked func(*Fact)
}

// The limits beyond which a command is not read but asked about, or refused where it is too deep.
const (
	maxText  = 64 << 10 // bytes of one command
	maxSteps = 3_000    // simple commands and words interpreted
	maxDepth = 8        // shells within shells
)

// Judge says what the policy makes of a command. A nil policy is the one that fettle comes with.
func (p *Policy) Judge(command string, at Place) Verdict {
	return p.Decide(p.Facts(command, at))
}

// PathFact is what is done to a file by something that is no shell command, such as an editing tool of an agent. A path that is
// not absolute is one in the folder where a command would start.
func PathFact(kind Kind, name, by string, at Place) Fact {
	r := newReader(nil, at)
	l := r.locate(known(name), known(r.at.Cwd))
	return l.fact(kind, by)
}

// FetchFact is that something loads an address.
func FetchFact(address, by string) Fact {
	f := Fact{Kind: Fetch, Target: known(address).show(), By: by}
	if local(address) {
		f.Traits = []Trait{Local}
	}
	return f
}

// Facts are what a command would do.
func (p *Policy) Facts(command string, at Place) []Fact {
	r := newReader(p, at)
	r.interpret(command, false)
	if at.Zsh && otherwiseInZsh(command) {
		r.asZsh(command, at)
	}
	return r.facts
}

// interpret reads a command as bash does, or as zsh does.
func (r *reader) interpret(command string, zsh bool) {
	s := r.shell()
	s.zsh, s.lastpipe = zsh, zsh
	if s.source = r.at.File; s.source != "" {
		s.zero = known(s.source)
	}
	s.script(known(command))
	s.finally()
}
