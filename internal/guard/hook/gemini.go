package hook

import (
	"encoding/json"
	"strings"

	"fettle/internal/policy/shell"
)

// Gemini CLI's names, each before that by which Claude Code calls the same: of events, of tools, and of what these are given.
const (
	geminiEvents = "BeforeTool PreToolUse AfterTool PostToolUse BeforeAgent UserPromptSubmit SessionStart SessionStart AfterAgent Stop"
	geminiTools  = "run_shell_command Bash write_file Write replace Edit read_file Read list_directory LS glob Glob grep_search Grep search_file_content Grep google_web_search WebSearch " +
		"invoke_agent Agent activate_skill Skill write_todos TodoWrite ask_user AskUserQuestion enter_plan_mode EnterPlanMode exit_plan_mode ExitPlanMode " +
		"read_mcp_resource ReadMcpResourceTool list_mcp_resources ListMcpResourcesTool"
	geminiFields = "dir_path path include_pattern glob allow_multiple replace_all is_background run_in_background"
)

// Which name of a pair one is.
const (
	geminis = 0
	claudes = 1
)

// counterpart is, of names in pairs, the one that stands beside this one, which is the first or the second; empty: it is in none of them.
func counterpart(names, name string, which int) string {
	all := strings.Fields(names)
	for i := which; i < len(all); i += 2 {
		if all[i] == name {
			return all[i^1]
		}
	}
	return ""
}

// EventOf is a client's own name of an event by which Claude Code calls it; empty: the client has none.
func EventOf(client, event string) string {
	if client != Gemini {
		return event
	}
	return counterpart(geminiEvents, event, claudes)
}

// translate puts an event of Gemini CLI's into the words of Claude Code. It is told by its name or, where both have it, by the session that only Gemini CLI names in the environment:
// a call must never be taken for another client's, which would not read the answer.
func (e *Event) translate(getenv func(string) string) {
	name := counterpart(geminiEvents, e.Name, geminis)
	if name == "" || name == e.Name && getenv("GEMINI_SESSION_ID") != e.Session {
		return
	}
	e.gemini, e.Name = true, name
	if e.Tool != "" {
		e.translateCall()
	}
	if name == "PostToolUse" {
		said := printed(e.Response)
		if why := geminiFailure(e.Response, said); why != "" {
			e.Name, e.Error = "PostToolUseFailure", why+"\n"+said
		}
	}
}

// translateCall does so with the name of a tool, and with what it is given. A command may be given the folder in which it begins.
func (e *Event) translateCall() {
	var server, tool, dir, command string
	var in map[string]json.RawMessage
	if len(e.Server) > 0 && read(e.Server, []part{{name: "server_name", at: &server}, {name: "tool_name", at: &tool}}) == nil && tool != "" {
		e.Tool = "mcp__" + server + "__" + tool
		return
	}
	if tool = counterpart(geminiTools, e.Tool, geminis); tool == "" {
		return
	}
	e.Tool = tool
	if json.Unmarshal(e.Input, &in) != nil {
		return // it is refused for that
	}
	for name, v := range in {
		if known := counterpart(geminiFields, name, geminis); known != "" {
			in[known] = v
			delete(in, name)
		}
	}
	if tool == "Bash" && read(e.Input, []part{{name: "dir_path", at: &dir}, {name: "command", at: &command}}) == nil && dir != "" {
		in["command"], _ = json.Marshal("cd -- " + shell.Quote(dir) + " || exit\n" + command) // a text always can be
	}
	e.Input, _ = json.Marshal(in) // what was read can be written
}

// geminiFailure is how a call has failed, by what the tool has answered; empty: it has not. Only of a command that has failed it says the exit code, or the signal.
func geminiFailure(response json.RawMessage, said string) string {
	var wrong json.RawMessage
	if read(response, []part{{name: "error", at: &wrong}}) == nil && wrong != nil {
		return string(wrong)
	}
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "Exit Code: ") || strings.HasPrefix(line, "Signal: ") {
			return line
		}
	}
	return ""
}
