package shell

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is what is done.
type Kind string

// The kinds of facts.
const (
	// Programs and code.
	Exec    Kind = "exec"    // a known program runs; its own facts say what it does
	Run     Kind = "run"     // the project's own code runs: tests, build steps, scripts
	Unknown Kind = "unknown" // a program, or a part of one, of which nothing is known
	Code    Kind = "code"    // code in a language that could not be followed to its end
	Remote  Kind = "remote"  // code from the network runs
	Decoded Kind = "decoded" // code that was made readable only on the way runs
	Opaque  Kind = "opaque"  // the command cannot be read
	Bomb    Kind = "bomb"    // processes, or data, without end

	// Files. The target is a path, the zone where it lies.
	Read     Kind = "read"
	Write    Kind = "write"  // what was in the file is replaced or added to
	Format   Kind = "format" // a formatter or fixer rewrites the project's sources
	Empty    Kind = "empty"  // the file loses what it holds
	Delete   Kind = "delete"
	Chmod    Kind = "chmod"
	Chown    Kind = "chown"
	Link     Kind = "link"
	Mount    Kind = "mount"
	Print    Kind = "print"    // secrets are shown: environment variables, stored tokens
	Protects Kind = "protects" // what watches over the command is weakened

	// Network. The target is a host or an address, if known.
	Fetch  Kind = "fetch"  // something is loaded
	Send   Kind = "send"   // something is sent
	Listen Kind = "listen" // others may connect
	Shell  Kind = "shell"  // somebody else gets a shell here

	// Git. The target says which.
	Discard  Kind = "discard"  // uncommitted work, or commits, are lost
	Rewrite  Kind = "rewrite"  // the branch's history changes
	Record   Kind = "record"   // the branch, the index or the stash changes, and nothing is lost
	Publish  Kind = "publish"  // others see it: a push, a release, an upload
	Force    Kind = "force"    // what others have pushed is overwritten
	Unhooked Kind = "unhooked" // hooks or signatures are passed by
	Config   Kind = "config"   // a setting changes that runs programs or lasts

	// The machine.
	Env       Kind = "env"       // an environment variable that changes which code programs load
	Privilege Kind = "privilege" // more rights
	Persist   Kind = "persist"   // something will run later, without being asked for
	Install   Kind = "install"   // packages
	Kill      Kind = "kill"      // processes end
	Power     Kind = "power"     // the machine, its disks, or its network go down
	Service   Kind = "service"   // services and containers
	Data      Kind = "data"      // a database is changed
	Cloud     Kind = "cloud"     // something elsewhere is changed

	// Agents.
	Consent Kind = "consent" // a yes that is a person's to give; the target says to what
	Tool    Kind = "tool"    // a tool of the agent that is no shell and touches no file by name; the target is its name
)

// Trait says how.
type Trait string

// The traits of facts.
const (
	Recursive Trait = "recursive" // with everything below
	Forced    Trait = "forced"    // without asking
	Glob      Trait = "glob"      // the target is a pattern
	Vague     Trait = "vague"     // the target is known in part only
	Secret    Trait = "secret"    // what is sent, or how, is secret
	Upload    Trait = "upload"    // the content of a file
	Open      Trait = "open"      // everybody may write or run it, or it runs as its owner
	Local     Trait = "local"     // this machine
	Named     Trait = "named"     // one thing by its name, not all there is
	Inside    Trait = "inside"    // the path lies in the project
	Declared  Trait = "declared"  // what the project's own lock file or manifest names
	Fresh     Trait = "new"       // there is nothing yet at the path
	Guessed   Trait = "guessed"   // it is not known that it is done, but what else there is in the code speaks for it: it counts where else only what is denied does
)

// Fact is one thing that a command would do.
type Fact struct {
	Kind   Kind    `json:"kind"`
	Target string  `json:"target,omitempty"` // a path, a host, a program: what it is done to
	Zone   Zone    `json:"zone,omitempty"`   // of a path
	Traits []Trait `json:"traits,omitempty"`
	By     string  `json:"by,omitempty"` // the program that does it
	Line   int     `json:"-"`            // of the text in which it stands, or what calls it; 0: none

	rel     string   // of a path in the project: as it is seen from there
	given   []Given  // of what runs the project's code
	origins []string // of what is written: what is copied there
}

// Is reports whether the fact has a trait.
func (f *Fact) Is(t Trait) bool {
	return slices.Contains(f.Traits, t)
}

// String is the fact in a few words: "delete /home/dev (above, recursive) by rm".
func (f Fact) String() string {
	var b strings.Builder
	b.WriteString(string(f.Kind))
	if f.Target != "" {
		fmt.Fprintf(&b, " %s", f.Target)
	}
	var more []string
	if f.Zone != "" {
		more = append(more, string(f.Zone))
	}
	for _, t := range f.Traits {
		more = append(more, string(t))
	}
	if more != nil {
		fmt.Fprintf(&b, " (%s)", strings.Join(more, ", "))
	}
	if f.By != "" && f.By != f.Target {
		fmt.Fprintf(&b, " by %s", f.By)
	}
	return b.String()
}

// equal reports whether two facts say the same.
func (f *Fact) equal(g *Fact) bool {
	return f.Kind == g.Kind && f.Target == g.Target && f.Zone == g.Zone && f.By == g.By && slices.Equal(f.Traits, g.Traits)
}

// UnknownError says that a name in a policy is none of those there are.
type UnknownError struct {
	What, Name string
	Known      []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown %s %q: one of %s", e.What, e.Name, strings.Join(e.Known, ", "))
}
