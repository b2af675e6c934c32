package inside

import "time"

// Config is what a holder sets up before anything may run in it.
type Config struct {
	Mounts   *Mounts  // the view of files; nil: that of the machine
	Loopback bool     // the holder is in a network namespace of its own: bring its loopback up
	Writable []string // with no Mounts: the only folders that Landlock lets commands write to
	Readable []string // with no Mounts: the only files and folders, beside the writable ones, whose files Landlock lets commands read; nil: any
	NoTCP    bool     // with no Mounts: Landlock forbids TCP altogether …
	Port     uint16   // … but for connecting to this port; zero: none
}

// Mounts is the view of files in a copy: layers over the places that may be written, everything else read-only.
type Mounts struct {
	State   string   // the copy's private folder, which holds the uppers in folders 0, 1, …, and what they were before in [Spent]
	Root    string   // the target of the layer that is the repository
	Layers  []Layer  // outer targets before those inside them
	Scratch string   // a folder below State that stays writable, at its own path
	Mask    []string // folders shown empty
	Hide    []string // files and folders shown empty, which may lie in layers; those that are not there are passed over
	User    bool     // in a user namespace of an ordinary user
	HideRun bool
	Memory  bool // uppers in memory, where the State's file system cannot carry them
}

// Spent is the folder below the State that collects uppers that are not used any more, each in a folder of its own. Whoever
// opened the holder may remove what is in it at any time.
const Spent = "spent"

// Layer is a private overlay over one folder.
type Layer struct {
	Target  string
	Changes bool     // what lies under it may change between two resets: each puts it up afresh
	Under   []string // further read-only layers between the target's own content and the writes, topmost first
	Keep    string   // a folder that holds the writes for good (in upper/ and work/); empty: a private, passing one
	Else    Else     // what will do where no overlay can be laid
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
	Argv   []string
	Dir    string
	Env    []string
	Limits Limits
}

// Exit is how a command ended.
type Exit struct {
	Code   int
	Signal int
	CPU    time.Duration
	MaxRSS int64
}

// The operations of a request. The reply to opRun comes twice: when the command has started, and when it has ended.
const (
	opSetup  = "setup"
	opRun    = "run"
	opSignal = "signal"
	opReset  = "reset"
	opListen = "listen"
)

type request struct {
	ID      int64
	Op      string
	Config  *Config
	Command *Command
	Target  int64 // the id of the run that a signal is for
	Signal  int
}

type reply struct {
	ID      int64
	Exit    *Exit
	Error   string
	Missing string   // the program that was not found
	Notes   []string // what set-up could not do, for people
}
