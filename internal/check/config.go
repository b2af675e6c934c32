package check

import (
	"fmt"
	"strconv"
	"time"
)

// FileName is the name of the configuration file in a repository's root.
const FileName = "fettle.yaml"

// Config is what fettle goes by in one repository: fettle.yaml, or what discovery found, over the defaults.
type Config struct {
	Checks       []Check // in the order of the file
	Limits       Limits
	Protect      []string // globs of further files that no fixer may touch, beside tests, check configs and CI
	Scope        []string // globs of the only files that fixers may touch; empty: all that are not protected
	BranchPrefix string   // of the branches that fettle makes
	Fixers       Fixers
	Models       Models
	Notes        []Note // what discovery has to say; empty when the checks come from the file
	Written      bool   // there is a file; else all was found by looking, or is a default
}

// FileFor names the configuration file in advice: by its name where there is one, else with the way to get one.
func FileFor(written bool) string {
	if written {
		return FileName
	}
	return "a " + FileName + " (fettle init writes one)"
}

// Limits are the bounds of a session.
type Limits struct {
	Iterations   int           // rounds of the loop
	Time         time.Duration // wall time of a session; zero: no limit
	Parallel     int           // checks, and fixers, at a time; zero: as many as the machine has room for
	Findings     int           // more than this after the tools' own fixes asks for a narrower goal
	EditsPerFile int           // edits in one file of a patch
	MaxFileSize  int64         // bytes of a file that may be changed
	Confidence   float64       // 0–1, below which a fixer's candidate is refused
	Output       int64         // bytes that one check may print
	Budget       *float64      // US dollars of a session; nil: nobody says ([UsualBudget]); zero: no limit
	Calls        int           // of models in a session; zero: no limit
	Tokens       int           // that models read and write in a session; zero: no limit
}

// UsualBudget is how many US dollars a session may spend where nobody says anything else.
const UsualBudget = 2.0

// Fixers says which fixers may propose, and which programs are fixers too.
type Fixers struct {
	Order   []string           // names of the fixers to use, in this order; empty: all, cheapest first
	Plugins []Plugin           // in the order of the file
	Shares  map[string]float64 // of the budget, 0–1, that the fixers of a rung may spend together: "model", "agent"; what is not named may spend all of it
	Sure    map[string]float64 // 0–1, how sure a fixer has to be, by its kind; one that is not named, Limits.Confidence
	GiveUp  int                // a fixer that costs money is not asked any more in a session when so many of its turns in a row have healed nothing; zero: it is asked always
	Adapt   bool               // whether models that never heal anything here are asked after the others
	Trust   Trust
}

// Trust is how far the limit on confidence moves by what became of a fixer's patches.
type Trust struct {
	Off   bool    // it stays as it is
	Least float64 // 0–1, of the limit; zero: it never comes to less than Limits.Confidence
	Most  float64 // 0–1, of the limit
}

// LeastTrust is the least to which a limit on confidence may move by itself: a reply that does not say how sure its author is counts as half, and is no yes.
const LeastTrust = 0.6

// Kinds of fixers, cheapest first.
const (
	ByTool   = "tool"
	BySearch = "search"
	ByPlugin = "plugin"
	ByModel  = "model"
	ByAgent  = "agent"
)

// Confidence is how sure a fixer of this kind has to be, and between which bounds that moves by itself. They are the same where it may not move at all.
func (c *Config) Confidence(kind string) (base, least, most float64) {
	base, ok := c.Fixers.Sure[kind]
	if !ok {
		base = c.Limits.Confidence
	}
	t := c.Fixers.Trust
	if t.Off || base == 0 {
		return base, base, base
	}
	if least = base; t.Least > 0 {
		least = min(base, t.Least)
	}
	return base, least, max(base, t.Most)
}

// Models says what language models may do in this repository. The names of roles, tiers and providers are for whoever knows them to judge.
type Models struct {
	Off       bool // nothing is sent to any
	Roles     map[string]Role
	Tiers     map[string][]string // "provider/model", in the order in which they are asked
	Unjudged  bool                // no second model judges what a model has made
	Threshold int                 // of the second model's score; zero: its default
	Judged    int                 // how many patches of a session the second model judges before a person has to; zero: the default
}

// Role is how a role is played. What is left out stays as it was.
type Role struct {
	Tier        string
	Temperature *float64
	MaxTokens   int
	Samples     int
	Turns       *int
}

// Plugin is a program that proposes patches: JSON in, JSON out.
type Plugin struct {
	Name    string
	Run     []string
	Checks  []string // kinds or names of the checks whose findings it is given; empty: all
	Timeout time.Duration
}

// Note is something that discovery saw and a person should know.
type Note struct {
	File string // slash path it is about; may be empty
	Text string
}

// Default is the configuration without any file: no checks, and every limit at its default.
func Default() *Config {
	return &Config{
		Limits: Limits{
			Iterations: 10, Findings: 200, EditsPerFile: 30, MaxFileSize: 10 << 20, Confidence: 0.7, Output: 1 << 30,
		},
		BranchPrefix: "fettle/",
		Fixers:       Fixers{GiveUp: 5, Trust: Trust{Most: 0.95}},
	}
}

// The variables that override limits.
const (
	envIterations  = "FETTLE_MAX_ITERATIONS"
	envConfidence  = "FETTLE_CONFIDENCE_THRESHOLD"
	envMaxFileSize = "FETTLE_MAX_FILE_SIZE"
)

// ApplyEnv overrides limits by FETTLE_MAX_ITERATIONS (at least 1), FETTLE_CONFIDENCE_THRESHOLD (0–1) and
// FETTLE_MAX_FILE_SIZE (bytes, at least 1). A variable that is empty or not set says nothing. Flags of the command line
// count more than the environment, and the environment more than the file.
func (c *Config) ApplyEnv(getenv func(string) string) error {
	if v := getenv(envIterations); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			return fmt.Errorf("%s=%s: should be a whole number of at least 1", envIterations, quote(v))
		}
		c.Limits.Iterations = n
	}
	if v := getenv(envConfidence); v != "" {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || !(f >= 0 && f <= 1) { // so that NaN is refused too
			return fmt.Errorf("%s=%s: should be a number between 0 and 1", envConfidence, quote(v))
		}
		c.Limits.Confidence = f
	}
	if v := getenv(envMaxFileSize); v != "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 1 {
			return fmt.Errorf("%s=%s: should be a whole number of bytes, at least 1", envMaxFileSize, quote(v))
		}
		c.Limits.MaxFileSize = n
	}
	return nil
}
