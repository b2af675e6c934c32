// Package guard answers "may this agent do this now?". It takes one tool call of a coding agent and says, by the policy, whether it
// may happen: shell commands by what they would do, tools that read and write files by where these lie, the others by name.
//
// It asks no model and no network, keeps nothing, and starts no process: what it imports is small enough for a hook that
// starts for every call. Whoever calls it fails closed: a call that cannot be read is answered with ask.
package guard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/policy/shell"
)

// Call is one tool call, as Claude Code's and Codex's hooks write it to a PreToolUse hook's standard input. Gemini CLI's is put into the same words before.
type Call struct {
	Tool  string          `json:"tool_name"`
	Input json.RawMessage `json:"tool_input"`
	Cwd   string          `json:"cwd,omitempty"` // where the agent is; empty: where the place says
}

// input is what a tool is given, by the exact name of each field. Go's own reading of JSON would take "Command" for "command", and so judge
// another text than the one that runs.
type input map[string]json.RawMessage

// text is a field that holds a text, or the arguments of a program, which are quoted. A field that is not there is empty.
func (in input) text(name string) (string, error) {
	data, ok := in[name]
	if !ok || string(data) == "null" {
		return "", nil
	}
	var text string
	if json.Unmarshal(data, &text) == nil {
		return text, nil
	}
	var argv []string
	if err := json.Unmarshal(data, &argv); err != nil {
		return "", fmt.Errorf("its field %s is neither a text nor a list of texts", name)
	}
	for i, a := range argv {
		argv[i] = shell.Quote(a)
	}
	return strings.Join(argv, " "), nil
}

// on reports a field that is there and says anything but no.
func (in input) on(name string) bool {
	data, ok := in[name]
	return ok && !slices.Contains([]string{"false", "null", `"false"`, `""`}, string(data))
}

// texts are those fields of the named ones that are there.
func (in input) texts(names ...string) ([]string, error) {
	var all []string
	for _, name := range names {
		text, err := in.text(name)
		if err != nil {
			return nil, err
		}
		if text != "" {
			all = append(all, text)
		}
	}
	return all, nil
}

// Judge says whether a call may happen. What is the guard's own is nobody's to read, whatever a policy says.
func Judge(p *shell.Policy, call Call, at shell.Place) shell.Verdict {
	return OwnOf(at).Heed(judge(p, call, at), call, at)
}

func judge(p *shell.Policy, call Call, at shell.Place) shell.Verdict {
	in := input{}
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
	case "shell", "local_shell", "exec_command":
		dir, err := in.text("workdir")
		if err != nil {
			return unread("the input of the tool " + call.Tool + " cannot be read: " + err.Error())
		}
		if dir != "" {
			at.Cwd = path.Join(at.Cwd, dir)
			if path.IsAbs(dir) {
				at.Cwd = path.Clean(dir)
			}
		}
		fallthrough // only these tools have a folder of their own: in another, it is a field that nobody heeds
	case "Bash", "PowerShell", "Monitor":
		commands, err := in.texts("command", "cmd")
		if err != nil || len(commands) == 0 || strings.TrimSpace(commands[0]) == "" {
			return unread("the tool " + call.Tool + " has no command that can be read")
		}
		v := strictest(p, commands, at)
		if call.Tool == "PowerShell" && slices.ContainsFunc(commands, unlike) {
			v = stricter(v, p.Decide(append(v.Facts, shell.Fact{Kind: shell.Opaque, Target: "PowerShell is not read, and may take the command for another one", By: call.Tool})))
		}
		if in.on("dangerouslyDisableSandbox") {
			v = p.Decide(append(v.Facts, shell.Fact{Kind: shell.Config, Target: "the sandbox, for this command", Traits: []shell.Trait{shell.Declared}, By: call.Tool}))
		}
		return v
	}
	facts, err := factsOf(p, call.Tool, in, at)
	if strings.HasPrefix(call.Tool, "mcp__") || slices.Contains(resourceTools, call.Tool) {
		facts, err = append(facts, in.named(p, call.Tool, facts, at)...), nil
		facts = append(facts, in.told(call.Tool)...)
	}
	if err != nil {
		return unread("the input of the tool " + call.Tool + " cannot be read: " + err.Error())
	}
	return p.Decide(facts)
}

// resourceTools are those by which clients read what a server has: Claude Code's of two times, and Codex's.
var resourceTools = []string{"ReadMcpResourceTool", "ReadMcpResource", "read_mcp_resource"}

// strictest judges each command: which field a tool heeds, when there are two, is its own affair.
func strictest(p *shell.Policy, commands []string, at shell.Place) shell.Verdict {
	var v shell.Verdict
	for i, c := range commands {
		w := p.Judge(c, at)
		if sent(p, c, &w); i == 0 {
			v = w
		}
		v = stricter(v, w)
	}
	return v
}

func stricter(v, w shell.Verdict) shell.Verdict {
	if w.Decision > v.Decision {
		return w
	}
	return v
}

// pathFields are the names that tools give to the file or folder that they are about.
var pathFields = []string{"file_path", "notebook_path", "path"}

// factsOf are what a tool that is no shell would do.
func factsOf(p *shell.Policy, tool string, in input, at shell.Place) ([]shell.Fact, error) {
	switch tool {
	case "Read", "NotebookRead", "view_image":
		return in.paths(shell.Read, "", tool, at)
	case "LS":
		return in.paths(shell.Read, ".", tool, at)
	case "Grep":
		return in.searched(p, tool, at)
	case "Glob":
		return in.matched(tool, at)
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		return in.paths(shell.Write, "", tool, at)
	case "WebFetch":
		url, err := in.text("url")
		return fetched(url, tool, at), err
	case "web_fetch": // of Gemini CLI, whose addresses stand among words
		return in.addressed(tool, at)
	case "WebSearch", "web_search":
		texts, cut := in.given()
		facts := append(sentBy(texts, tool, "whoever is searched"), shell.Fact{Kind: shell.Tool, Target: tool})
		if cut {
			facts = append(facts, tooMuch(tool))
		}
		return facts, nil
	case "apply_patch":
		return in.patched(tool, at)
	case "ExitWorktree":
		if in.on("discard_changes") {
			return []shell.Fact{{Kind: shell.Discard, Target: "the working tree that the session has worked in", Traits: []shell.Trait{shell.Named}, By: tool}}, nil
		}
	}
	return []shell.Fact{{Kind: shell.Tool, Target: forAgents(tool)}}, nil
}

// forAgents is what rules call a tool by which Codex has subagents: its hooks glue a namespace to the name. What the subagents do is judged call by call.
func forAgents(tool string) string {
	name, first := strings.CutPrefix(tool, "multi_agent_v1")
	name, second := strings.CutPrefix(name, "collaboration")
	if first == second {
		return tool
	}
	switch name {
	case "spawn_agent", "send_input", "wait", "wait_agent", "close_agent", "resume_agent":
		return name
	case "send_message", "followup_task":
		return "SendMessage"
	case "list_agents":
		return "ListAgents"
	case "interrupt_agent":
		return "TaskStop"
	}
	return tool
}

// paths are one fact for each path that a tool is given: which of them it heeds is its own affair.
func (in input) paths(kind shell.Kind, otherwise, tool string, at shell.Place) ([]shell.Fact, error) {
	names, err := in.texts(pathFields...)
	if err != nil {
		return nil, err
	}
	for _, field := range pathFields {
		if bytes.HasPrefix(in[field], []byte("[")) {
			return nil, fmt.Errorf("its field %s is a list, and no path", field)
		}
	}
	if names == nil {
		names = []string{otherwise}
	}
	var all []shell.Fact
	for _, name := range names {
		name = asRead(name, at)
		if stream := strings.IndexByte(path.Base(name), ':'); stream > 0 { // of the file before it, for some systems
			if f := shell.PathFact(kind, name[:len(name)-len(path.Base(name))+stream], tool, at); f.Zone != shell.Project {
				all = append(all, f)
			}
		}
		all = append(all, shell.PathFact(kind, name, tool, at))
	}
	return all, nil
}

// asRead is a path as the clients read it: without blanks around it, and with ~ for the home.
func asRead(name string, at shell.Place) string {
	name = strings.TrimSpace(name)
	if name == "~" || strings.HasPrefix(name, "~/") {
		return path.Join(at.Home, name[1:])
	}
	return name
}

// searched are the files that a search looks into, as the command that it is.
func (in input) searched(p *shell.Policy, tool string, at shell.Place) ([]shell.Fact, error) {
	where, err := in.texts("path")
	if err != nil {
		return nil, err
	}
	globs, err := in.texts("glob", "include")
	if err != nil {
		return nil, err
	}
	command := []string{"rg"}
	for _, g := range globs {
		for _, one := range append(strings.FieldsFunc(g, func(r rune) bool { return strings.ContainsRune(" ,", r) }), g) { // some clients take several for several
			command = append(command, "--glob="+shell.Quote(one))
		}
	}
	if where == nil {
		where = []string{"."}
	}
	command = append(command, "-e", "x", "--")
	for _, name := range where {
		command = append(command, shell.Quote(asRead(name, at)))
	}
	var facts []shell.Fact
	for _, f := range p.Facts(strings.Join(command, " "), at) {
		if f.By = tool; f.Kind != shell.Exec {
			facts = append(facts, f)
		}
	}
	return facts, nil
}

// matched are the folders in which a pattern is looked for: that which is named, and that which the pattern begins with.
func (in input) matched(tool string, at shell.Place) ([]shell.Fact, error) {
	all, err := in.paths(shell.Read, ".", tool, at)
	if err != nil {
		return nil, err
	}
	dirs, err := in.texts("path")
	if err != nil {
		return nil, err
	}
	patterns, err := in.texts("pattern")
	for _, pattern := range patterns {
		pattern = asRead(pattern, at)
		if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
			pattern = pattern[:i]
		}
		dir := pattern[:strings.LastIndexByte(pattern, '/')+1]
		if dir == "" {
			continue
		}
		if !path.IsAbs(dir) && dirs != nil {
			dir = path.Join(asRead(dirs[0], at), dir)
		}
		all = append(all, shell.PathFact(shell.Read, dir, tool, at))
	}
	return all, err
}

// named are the files that a tool of a server's is given, commands, and statements that change a database. What it does with files is for its name to say, and if
// that does not say that it reads, it may write: that a policy of somebody's own allows the tool does not say so, but for fettle's tools, which judge what is written themselves.
func (in input) named(p *shell.Policy, tool string, itself []shell.Fact, at shell.Place) (all []shell.Fact) {
	var usual *shell.Policy
	allowed := p.Decide(itself).Decision == shell.Allow
	kind := shell.Write
	switch {
	case usual.Decide(itself).Decision == shell.Allow, allowed && strings.HasPrefix(tool, "mcp__fettle__"):
		kind = shell.Read
	case says(tool, "delete", "remove", "rmdir", "unlink", "trash", "erase"):
		kind = shell.Delete
	}
	texts, cut := in.given()
	if cut {
		all = append(all, tooMuch(tool))
	}
	for _, g := range texts {
		all = append(all, g.done(p, tool, allowed, at)...)
		if f, ok := g.path(kind, tool, at); ok {
			if kind == shell.Write && says(tool, "move", "rename") && g.leaves() && !within(f.Zone) { // what is moved is gone from where it was
				f.Kind, f.Traits = shell.Delete, append(f.Traits, shell.Recursive)
			}
			if f.Kind == shell.Write && f.Target == at.Root { // the project as a whole is where a tool works, and no file that it writes
				continue
			}
			if kind == shell.Delete && says(tool, "dir", "folder", "tree") {
				f.Traits = append(f.Traits, shell.Recursive)
			}
			all = append(all, f)
		}
	}
	return all
}

// says reports that the name of a server's tool, without the server's, holds one of these words.
func says(tool string, words ...string) bool {
	name := strings.ToLower(tool[strings.LastIndex(tool, "__")+1:])
	return holdsOne(name, words...)
}

// holdsOne reports a text that holds one of these words.
func holdsOne(text string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// done is what a tool of a server's would do with a text that is a statement, a command, code or an address.
func (g given) done(p *shell.Policy, tool string, allowed bool, at shell.Place) (all []shell.Fact) {
	if f, ok := shell.StatementFact(g.value, tool); ok {
		all = append(all, f)
	}
	name := strings.ToLower(g.name)
	switch {
	case commandField(name):
		all = append(all, p.Facts(g.value, at)...)
	case allowed && codeField(name) && strings.ContainsAny(g.value, "(;\n"): // a code of a country is none
		all = append(all, shell.Fact{Kind: shell.Opaque, Target: "the tool " + tool + " is given code, and nothing is known of how it runs it", By: tool})
	case loads(tool) && address(g.value):
		all = append(all, shell.FetchFact(g.value, tool))
	}
	return all
}

// path is the file that a text names, if it is the name of one.
func (g given) path(kind shell.Kind, tool string, at shell.Place) (shell.Fact, bool) {
	name, value := strings.ToLower(g.name), asRead(fileOf(g.value), at)
	switch {
	case strings.ContainsAny(value, "\n\r\x00") || len(value) > 4096 || strings.Contains(value, "://"):
	case path.IsAbs(value) && value != "/" || value != "" && pathName(name):
		return shell.PathFact(kind, value, tool, at), true
	case value != "" && slices.Contains([]string{"name", "target", "location", "resource", "key", "id"}, name): // a path only if it leads where something must not
		f := shell.PathFact(kind, value, tool, at)
		return f, !within(f.Zone)
	}
	return shell.Fact{}, false
}

// within reports whether what lies there is the project's own.
func within(z shell.Zone) bool { return z == shell.Project || z == shell.Generated || z == shell.Tests }

// leaves reports whether a text is where something is moved from, by its name.
func (g given) leaves() bool {
	return holdsOne(strings.ToLower(g.name), "source", "src", "from", "old")
}

// codeField reports a name that servers' tools give to code which they run.
func codeField(name string) bool {
	return slices.Contains([]string{"code", "script", "source_code", "snippet", "expression", "eval", "python", "javascript", "js", "function"}, name)
}

// loads reports a tool of a server's whose name says that it brings what it is pointed to. One that searches looks into what its server has.
func loads(tool string) bool {
	name := tool[strings.LastIndex(tool, "__")+1:]
	return slices.ContainsFunc([]string{"_get", "_read", "_show", "_view"}, func(verb string) bool { return strings.HasPrefix(name, verb) })
}

// address reports what is to be had from the network.
func address(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && slices.Contains([]string{"http", "https", "ws", "wss", "ftp"}, strings.ToLower(strings.TrimSpace(scheme)))
}

// fileOf is what an address of a file names; any other text as it is.
func fileOf(text string) string {
	if name, ok := shell.FileAddress(text); ok {
		return name
	}
	return text
}

// pathName reports a name that servers' tools give to what is a path.
func pathName(name string) bool {
	return slices.Contains([]string{"uri", "dir", "root", "cwd", "source", "src", "destination", "dest"}, name) ||
		holdsOne(name, "path", "file", "directory", "folder")
}

// addressed are the addresses in what a tool is asked, or that there is none that can be known.
func (in input) addressed(tool string, at shell.Place) (all []shell.Fact, err error) {
	text, err := in.text("prompt")
	for _, word := range strings.Fields(text) {
		if _, file := shell.FileAddress(word); file || strings.Contains(word, "://") {
			all = append(all, fetched(word, tool, at)...)
		}
	}
	if all == nil {
		all = fetched(text, tool, at)
	}
	return all, err
}

// fetched is what a tool loads from an address. A secret in it is sent there. One of a file is read.
func fetched(address, tool string, at shell.Place) []shell.Fact {
	if name, ok := shell.FileAddress(address); ok {
		return []shell.Fact{shell.PathFact(shell.Read, name, tool, at)}
	}
	f := shell.FetchFact(address, tool)
	if f.Is(shell.Local) || !holdsSecret(address) {
		return []shell.Fact{f}
	}
	return []shell.Fact{f, sending(f.Target, tool)}
}

// patched are the files that a patch of Codex's is about: each stands in a line of its own, behind what becomes of it.
func (in input) patched(tool string, at shell.Place) ([]shell.Fact, error) {
	patches, err := in.texts("command", "input", "patch")
	if err != nil {
		return nil, err
	}
	var all []shell.Fact
	for _, patch := range patches {
		for line := range strings.Lines(patch) {
			line = strings.TrimSpace(line)
			for _, op := range []struct {
				head string
				kind shell.Kind
			}{{"*** Add File:", shell.Write}, {"*** Update File:", shell.Write}, {"*** Move to:", shell.Write}, {"*** Delete File:", shell.Delete}} {
				if name, ok := strings.CutPrefix(line, op.head); ok {
					all = append(all, shell.PathFact(op.kind, strings.TrimSpace(name), tool, at))
				}
			}
		}
	}
	if all == nil {
		return nil, errors.New("it names no file")
	}
	return all, nil
}

// unread is the answer to what cannot be read.
func unread(why string) shell.Verdict {
	return shell.Verdict{Decision: shell.Ask, Class: "unknown", Rule: "unread", Reason: why, Facts: []shell.Fact{}, Alternative: "call it in the form that the tool describes"}
}
