package inside

import "time"

// Config is what a holder sets up before anything may run in it.
type Config struct {
	Mounts   *Mounts  `json:"mounts,omitempty"`   // the view of files; nil: that of the machine
	Loopback bool     `json:"loopback,omitempty"` // the holder is in a network namespace of its own: bring its loopback up
	Writable []string `json:"writable,omitempty"` // with no Mounts: the only folders that Landlock lets commands write to
	NoTCP    bool     `json:"no_tcp,omitempty"`   // with no Mounts: Landlock forbids TCP altogether
}

// Mounts is the view of files in a copy: layers over the places that may be written, everything else read-only.
type Mounts struct {
	State   string   `json:"state"`   // the copy's private folder, which holds the uppers in folders 0, 1, …, and what they were before in [Spent]
	Root    string   `json:"root"`    // the target of the layer that is the repository
	Layers  []Layer  `json:"layers"`  // outer targets before those inside them
	Scratch string   `json:"scratch"` // a folder below State that stays writable, at its own path
	Mask    []string `json:"mask"`    // folders shown empty
	User    bool     `json:"user"`    // in a user namespace of an ordinary user
	HideRun bool     `json:"hide_run"`
	Memory  bool     `json:"memory"` // uppers in memory, where the State's file system cannot carry them
}

// Spent is the folder below the State that collects uppers that are not used any more, each in a folder of its own. Whoever
// opened the holder may remove what is in it at any time.
const Spent = "spent"

// Layer is a private overlay over one folder.
type Layer struct {
	Target  string   `json:"target"`
	Changes bool     `json:"changes,omitempty"` // what lies under it may change between two resets: each puts it up afresh
	Under   []string `json:"under,omitempty"`   // further read-only layers between the target's own content and the writes, topmost first
	Keep    string   `json:"keep,omitempty"`    // a folder that holds the writes for good (in upper/ and work/); empty: a private, passing one
	Else    Else     `json:"else,omitempty"`    // what will do where no overlay can be laid
}

// Else is what will do instead of an overlay. An ordinary user cannot lay one over a folder in which another file system is
// mounted: it would show what that one hides.
type Else string

// What will do.
const (
	Nothing  Else = ""          // the view cannot be without this overlay
	Empty    Else = "empty"     // an empty folder that can be written to
	ReadOnly Else = "read-only" // the folder itself, which cannot be written to then
)

// Command is what the holder starts.
type Command struct {
	Argv   []string `json:"argv"`
	Dir    string   `json:"dir"`
	Env    []string `json:"env"`
	Limits Limits   `json:"limits"`
}

// Exit is how a command ended.
type Exit struct {
	Code   int           `json:"code"`
	Signal int           `json:"signal,omitempty"`
	CPU    time.Duration `json:"cpu"`
	MaxRSS int64         `json:"max_rss"`
}

// The operations of a request. The reply to opRun comes twice: when the command has started, and when it has ended.
const (
	opSetup  = "setup"
	opRun    = "run"
	opSignal = "signal"
	opReset  = "reset"
)

type request struct {
	ID      int64    `json:"id"`
	Op      string   `json:"op"`
	Config  *Config  `json:"config,omitempty"`
	Command *Command `json:"command,omitempty"`
	Target  int64    `json:"target,omitempty"` // the id of the run that a signal is for
	Signal  int      `json:"signal,omitempty"`
}

type reply struct {
	ID      int64    `json:"id"`
	Exit    *Exit    `json:"exit,omitempty"`
	Error   string   `json:"error,omitempty"`
	Missing string   `json:"missing,omitempty"` // the program that was not found
	Notes   []string `json:"notes,omitempty"`   // what set-up could not do, for people
}
