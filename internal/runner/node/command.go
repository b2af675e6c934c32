package node

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/runner"
)

// The runners whose tests can be run here, by the parser of a check's format.
var runners = map[string]struct {
	dialect  string   // the program in serve/ that speaks its words
	programs []string // how commands name it
}{
	"tap":    {"node", []string{"node", "tsx"}},
	"jest":   {"jest", []string{"jest", "react-scripts", "craco"}},
	"vitest": {"vitest", []string{"vitest"}},
	"mocha":  {"mocha", []string{"mocha"}},
	"tape":   {"tape", []string{"tape"}},
}

// command is a check's command taken apart.
type command struct {
	dialect string
	program []string // the words up to the runner
	words   []string // those behind it
	shell   bool     // a shell is to expand the names of files in it
}

// readCommand takes a check's command apart. The bool is false when it is none that can be run here: a package manager's script, a
// line for a shell, another runner.
func readCommand(c check.Check) (command, bool) {
	r, known := runners[c.Parser]
	if !known {
		return command{}, false
	}
	cmd := command{dialect: r.dialect}
	run := c.Run
	if len(run) == 3 && run[0] == "sh" && run[1] == "-c" {
		line, ok := strings.CutPrefix(run[2], "exec ")
		words, err := check.SplitCommand(line)
		if !ok || err != nil {
			return command{}, false
		}
		run, cmd.shell = words, true
	}
	for i, w := range run {
		if (w == "run" || w == "run-script") && slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, run[0]) && !slices.Contains(r.programs, nextWord(run, i)) {
			return command{}, false
		}
		if !slices.Contains(r.programs, path.Base(w)) {
			continue
		}
		cmd.program, cmd.words = run[:i+1], run[i+1:]
		if r.dialect == "node" && !slices.Contains(cmd.words, "--test") {
			return command{}, false
		}
		return cmd, true
	}
	return command{}, false
}

func nextWord(words []string, i int) string {
	if i+1 < len(words) {
		return words[i+1]
	}
	return ""
}

// nodeValues are options of Node's own that take the next word as their value, as far as they change how a program runs.
var nodeValues = []string{"--import", "-r", "--require", "--loader", "--experimental-loader", "--env-file", "-C", "--conditions", "--stack-size", "--icu-data-dir", "--openssl-config"}

// nodeFlags are the options of node that hold for every program, and not for the way in which tests are found and reported.
func (c command) nodeFlags() []string {
	if c.dialect != "node" || path.Base(c.program[len(c.program)-1]) != "node" {
		return nil
	}
	var out []string
	for i := 0; i < len(c.words); i++ {
		w := c.words[i]
		name, _, inline := strings.Cut(w, "=")
		switch {
		case !strings.HasPrefix(w, "-"):
			return out
		case strings.HasPrefix(name, "--test"), strings.HasPrefix(name, "--experimental-test"), strings.HasPrefix(name, "--watch"), strings.HasPrefix(name, "--inspect"):
			if !inline && slices.Contains([]string{"--test-reporter", "--test-reporter-destination", "--test-concurrency", "--test-timeout"}, name) {
				i++
			}
		case slices.Contains(nodeValues, name) && !inline && i+1 < len(c.words):
			out = append(out, w, c.words[i+1])
			i++
		default:
			out = append(out, w)
		}
	}
	return out
}

// survey is the command that tells of each test in which file it stands, with the variables that it is given for that.
func (c command) survey(dir, options string, limit time.Duration) (argv []string, env map[string]string) {
	env = map[string]string{"FETTLE_MARK": runner.Mark}
	if c.dialect == "tape" {
		env["NODE_OPTIONS"] = preload(options, filepath.Join(dir, "survey-tape.cjs"))
		return slices.Concat(c.program, c.words), env
	}
	return c.reported(filepath.Join(dir, "survey.mjs"), limit), env
}

// preload are the options of Node with a program of ours that is loaded first.
func preload(options, program string) string {
	return strings.TrimSpace(options + ` --require "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(program) + `"`)
}

// reported is the command with a reporter in place of its own.
func (c command) reported(reporter string, limit time.Duration) []string {
	words := []string{"--test-reporter=" + reporter, "--test-reporter-destination=stdout"}
	if limit > 0 && c.timeout() == "" {
		words = append(words, "--test-timeout="+strconv.FormatInt(limit.Milliseconds(), 10))
	}
	for i := 0; i < len(c.words); i++ {
		name, _, inline := strings.Cut(c.words[i], "=")
		if name == "--test-reporter" || name == "--test-reporter-destination" {
			if !inline {
				i++
			}
			continue
		}
		words = append(words, c.words[i])
	}
	return append(slices.Clone(c.program), words...)
}

// timeout is what --test-timeout says, in milliseconds; zero: nothing.
func (c command) timeout() string {
	for i, w := range c.words {
		name, value, inline := strings.Cut(w, "=")
		switch {
		case name != "--test-timeout":
		case inline:
			return value
		default:
			return nextWord(c.words, i)
		}
	}
	return ""
}
