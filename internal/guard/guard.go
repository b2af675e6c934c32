// Package guard answers "may this agent do this now?". It takes one tool call of a coding agent and says, by the policy, whether it
// may happen: shell commands by what they would do, tools that read and write files by where these lie, the others by name.
//
// It asks no model and no network, keeps nothing, and starts no process: what it imports is small enough for a hook that
// starts for every call. Whoever calls it fails closed: a call that cannot be read is answered with ask.
package guard

import (
	"cmp"
	"encoding/json"
	"strings"

	"fettle/internal/policy/shell"
)

// Call is one tool call, as Claude Code's and Codex's hooks write it to a PreToolUse hook's standard input.
type Call struct {
	Tool  string          `json:"tool_name"`
	Input json.RawMessage `json:"tool_input"`
	Cwd   string          `json:"cwd,omitempty"` // where the agent is; empty: where the place says
}

// input is what the tools that are known take. Other fields are not looked at.
type input struct {
	Command      command `json:"command"`       // Bash, shell
	Cmd          command `json:"cmd"`           // exec_command
	Workdir      string  `json:"workdir"`       // shell, exec_command
	FilePath     string  `json:"file_path"`     // Read, Write, Edit
	NotebookPath string  `json:"notebook_path"` // NotebookEdit
	Path         string  `json:"path"`          // Grep, Glob, LS
	URL          string  `json:"url"`           // WebFetch
}

// command is a shell command, or the arguments of a program.
type command string

// UnmarshalJSON reads a text, or a list of arguments, which are quoted.
func (c *command) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = command(text)
		return nil
	}
	var argv []string
	if err := json.Unmarshal(data, &argv); err != nil {
		return err
	}
	for i, a := range argv {
		argv[i] = shell.Quote(a)
	}
	*c = command(strings.Join(argv, " "))
	return nil
}

// Judge says whether a call may happen.
func Judge(p *shell.Policy, call Call, at shell.Place) shell.Verdict {
	var in input
	if len(call.Input) > 0 {
		if err := json.Unmarshal(call.Input, &in); err != nil {
			return unread("the input of the tool " + call.Tool + " cannot be read")
		}
	}
	if call.Cwd != "" {
		at.Cwd = call.Cwd
	}
	switch call.Tool {
	case "":
		return unread("the call names no tool")
	case "Bash", "shell", "local_shell", "exec_command", "PowerShell":
		if in.Workdir != "" {
			at.Cwd = in.Workdir
		}
		text := string(in.Command) + string(in.Cmd)
		if strings.TrimSpace(text) == "" {
			return unread("the tool " + call.Tool + " has no command")
		}
		return p.Judge(text, at)
	}
	return p.Decide(facts(call.Tool, in, at))
}

// facts are what a tool that is no shell would do.
func facts(tool string, in input, at shell.Place) []shell.Fact {
	switch tool {
	case "Read", "NotebookRead":
		return []shell.Fact{shell.PathFact(shell.Read, cmp.Or(in.FilePath, in.NotebookPath, in.Path), tool, at)}
	case "Grep", "Glob", "LS":
		return []shell.Fact{shell.PathFact(shell.Read, cmp.Or(in.Path, "."), tool, at)}
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		return []shell.Fact{shell.PathFact(shell.Write, cmp.Or(in.FilePath, in.NotebookPath, in.Path), tool, at)}
	case "WebFetch":
		return []shell.Fact{shell.FetchFact(in.URL, tool)}
	}
	return []shell.Fact{{Kind: shell.Tool, Target: tool}}
}

// unread is the answer to what cannot be read.
func unread(why string) shell.Verdict {
	return shell.Verdict{Decision: shell.Ask, Class: "unknown", Rule: "unread", Reason: why, Facts: []shell.Fact{}}
}
