package transcript

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// maxAnswer is how far back the answer to a call is looked for.
const maxAnswer = 256 << 10

// Answered reports that a call has a result, be it that the person has not let it run. What cannot be read says nothing.
func Answered(path, use string) bool {
	return said(path, `"tool_result"`, use, func([]byte) bool { return true })
}

// Exit is the exit code of a command that has ended, as Codex writes it down before it asks a hook about the end. Claude Code does not: it has another event for failures.
func Exit(path, use string) (code int, ok bool) {
	const kind = `"CommandExecution"`
	ok = use != "" && said(path, kind, use, func(line []byte) bool {
		item := member(member(line, "payload"), "item")
		n, err := strconv.Atoi(string(member(item, "exit_code")))
		code = n
		return err == nil && string(member(item, "type")) == kind && string(member(item, "id")) == `"`+use+`"`
	})
	if !ok {
		return 0, false
	}
	return code, true
}

// Unattended reports a session that Codex says nobody is at, in its transcript's first line: `codex exec` began it. What cannot be read does not say so.
func Unattended(path string) bool {
	f, _, err := open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 4<<10) // what follows are instructions
	n, _ := f.ReadAt(begin, 0)   // as much as there is
	first, _, _ := bytes.Cut(begin[:n], []byte("\n"))
	return bytes.Contains(first, []byte(`"session_meta"`)) && bytes.Contains(first, []byte(`"source":"exec"`))
}

// said reports a line near the transcript's end that has both words in it, and is what is looked for.
func said(path, kind, use string, is func(line []byte) bool) bool {
	f, size, err := open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	for line := range lines(f, size, maxAnswer) {
		if bytes.Contains(line, []byte(kind)) && bytes.Contains(line, []byte(use)) && is(line) {
			return true
		}
	}
	return false
}

// member is one of an object's; nothing, if there is none.
func member(object json.RawMessage, name string) json.RawMessage {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(object, &all) // then it has none
	return all[name]
}
