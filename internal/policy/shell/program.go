package shell

import (
	"slices"
	"sort"
	"strings"
)

// Program says what a program does with its arguments. The files in programs/ describe those that fettle knows.
type Program struct {
	Names    []string  `json:"names"`
	Style    Style     `json:"style,omitempty"`
	Strict   bool      `json:"strict,omitempty"` // an option that is not listed is asked about
	Options  []Option  `json:"options,omitempty"`
	Operands []Role    `json:"operands,omitempty"` // what becomes of each operand; the last is for all that follow
	Does     []Effect  `json:"does,omitempty"`     // what running it does, whatever its arguments
	Bare     []Effect  `json:"bare,omitempty"`     // what it does besides when it has no operand
	Prints   string    `json:"prints,omitempty"`   // where its output comes from: network, decoder, secret; empty: its input
	Subs     []Program `json:"subs,omitempty"`     // its first operand is one of these
	Special  string    `json:"special,omitempty"`  // what no table can say: the handler in this package that does

	packed []string // further subcommands: of a program that fettle comes with
}

// Style is how a program reads its options.
type Style string

// The styles. The empty one is that of GNU's getopt_long: -rf, -ofile, --long=x, --lo x.
const (
	Single Style = "single" // one dash and a whole word: -run x, -run=x (Go, Java, Terraform)
	Bundle Style = "bundle" // GNU's, and the first word may be letters without a dash (tar xzf, ps aux)
)

// Option is one option of a program.
type Option struct {
	Names []string `json:"names"`
	Value Arity    `json:"value,omitempty"`
	Acts  []string `json:"acts,omitempty"` // a [Trait], a [Role] for its value or for parts of it ("part:write:=…,"), an [Effect] ("discard!"), or "dry"
}

// Arity says whether an option has a value.
type Arity string

// The arities.
const (
	None     Arity = ""
	Required Arity = "required" // in the same word or the next
	Optional Arity = "optional" // in the same word or not at all
)

// dry is what an option does that makes a program do nothing: --help, --dry-run. After last, nothing more is an option.
const (
	dry  = "dry"
	last = "last"
)

// partOf begins what says which parts of an option's value have a role.
const partOf = "part:"

// Role is what becomes of an argument.
type Role string

// The roles.
const (
	Ignored  Role = "none"
	Reads    Role = "read"
	Writes   Role = "write"
	Formats  Role = "format"
	Empties  Role = "empty"
	Deletes  Role = "delete"
	Chmods   Role = "chmod"
	Chowns   Role = "chown"
	Links    Role = "link"
	Copies   Role = "copy"   // all operands together: files, and where they go
	Moves    Role = "move"   // the same, and the files are gone
	Symlinks Role = "alias"  // the same, and the last is a link
	Into     Role = "into"   // the folder where copies go
	Changes  Role = "cd"     // the folder in which it works
	Runs     Role = "run"    // a file of code that runs
	Argv     Role = "argv"   // this and all that follow are a command
	Words    Role = "words"  // this and all that follow, with blanks between them, are a shell command
	Script   Role = "shell"  // a shell command
	Setting  Role = "env"    // NAME=VALUE for the environment
	Fetches  Role = "url"    // an address that is loaded
	Sends    Role = "send"   // a text that is sent
	Uploads  Role = "upload" // a file whose content is sent
	Attached Role = "attach" // @FILE is a file whose content is sent, anything else a text that is
	Hosts    Role = "host"   // a machine that is connected to
	Listens  Role = "listen" // an address at which others may connect
	Remotes  Role = "remote" // a file here, or HOST:FILE
	Mode     Role = "mode"   // chmod's first operand
	Sub      Role = "sub"    // a subcommand
	Asks     Role = "ask"    // nothing good is known of it
)

// The roles that only one program or another has.
const (
	Statement   Role = "sql"         // statements for a database
	Bound       Role = "bind"        // HOST:PLACE, a folder that a container sees
	Binding     Role = "pattern"     // what is looked for, so that the first operand is a file
	Placeholder Role = "placeholder" // what xargs replaces
	Divider     Role = "divider"     // at what xargs divides
	Each        Role = "each"        // how many words a run of its command is given
	Jobs        Role = "jobs"        // how many run at once
	Strip       Role = "strip"       // how many folders a patch's names lose
	Below       Role = "below"       // the folder below which they lie
	InPlace     Role = "in-place"    // files are changed, not only read
	ScriptFile  Role = "script-file" // a file with sed's commands
	RemoteName  Role = "remote-name" // what is loaded is kept under its own name
	Form        Role = "form"        // curl's NAME=@FILE
	Header      Role = "header"      // a text that goes along with a request
	Makefile    Role = "makefile"
	Archive     Role = "archive"    // the file that tar reads or writes
	Checkpoint  Role = "checkpoint" // tar's exec=COMMAND
	IntoDir     Role = "into-dir"   // where an archive's files go
	GitRemote   Role = "remote-or-url"
	SSHSetting  Role = "ssh-setting" // NAME=VALUE, some of whose values are commands
	GitSetting  Role = "git-setting" // the same of git
	KubeKind    Role = "kind"        // what kubectl shows: secrets are some of it
	Object      Role = "object"      // git's REVISION:PATH, or a path
	Package     Role = "package"     // what is installed
	Folder      Role = "folder"      // a folder that is made
	Method      Role = "method"      // of a request
	Include     Role = "include"     // a pattern of the only files that are looked at
	Classes     Role = "classes"     // code that is built: only where builds put it is it the project's own
	Own         Role = "own"         // code, or settings that name some: the project's own, or nobody knows what it is
	ClassPath   Role = "classpath"   // several of these, with colons between them
	Module      Role = "module"      // a module that perl or ruby loads, or an expression that does
	INISetting  Role = "ini"         // NAME=VALUE, some of whose values are files of code
	Builds      Role = "builds"      // a file that becomes a program, of what the command names
	Variable    Role = "variable"    // an environment variable that is shown, by its name
	Sources     Role = "sources"     // a folder of code that is loaded
	Compiles    Role = "compile"     // code that is made into a program
	Options     Role = "options"     // options of another program: "options:go:link"
	Executes    Role = "exec"        // a command that what follows is given to
	DeskCode    Role = "dc"          // code of dc
	DeskFile    Role = "dcfile"      // a file of it
	JVMLog      Role = "jvm-log"     // what a Java machine logs, and where
)

// flags are what options note for the special handler of their program.
var flags = []string{"append", "lines", "decodes", "plain", "deletes", "complement", "creates", "staged", "worktree", "moves", "reference", "continues", "lists", "hidden", "unsets", "forces", "renames", "anywhere", "checks", "rewrites", "prints", "onto", "keeps", "symbolic", "relative", "patches"}

// Effect is a fact that running a program leaves: its kind, and what its target is called.
type Effect struct {
	Kind   Kind    `json:"kind"`
	Target string  `json:"target,omitempty"`
	Traits []Trait `json:"traits,omitempty"`
}

// program finds a program by its name.
func (p *Policy) program(name string) *Program {
	for i := range p.Programs {
		if slices.Contains(p.Programs[i].Names, name) {
			return &p.Programs[i]
		}
	}
	i, found := sort.Find(len(programsOf), func(i int) int {
		return strings.Compare(name, programNames[programPlaces[i]:programPlaces[i+1]])
	})
	if !found {
		return nil
	}
	return builtIn(int(programsOf[i]))
}

// sub finds a subcommand.
func (p *Program) sub(name string) *Program {
	for i := range p.Subs {
		if slices.ContainsFunc(p.Subs[i].Names, func(n string) bool { return isSub(n, name) }) {
			return &p.Subs[i]
		}
	}
	for _, packed := range p.packed {
		if called(packed, name) {
			return unpack(packed)
		}
	}
	return nil
}

// operand is the role of the i-th operand.
func (p *Program) operand(i int) Role {
	switch n := len(p.Operands); {
	case n == 0:
		return Ignored
	case i < n:
		return p.Operands[i]
	default:
		return p.Operands[n-1]
	}
}
