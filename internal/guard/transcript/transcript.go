// Package transcript answers "what was said?". It reads the transcript that Claude Code keeps of a session, or Codex, from its end, and as little of it
// as will do: a session's transcript may be of any length.
//
// A transcript is a file of JSON lines. Those of Claude Code's conversations name the line before them (uuid, parentUuid), so that it is a tree; other lines, and
// ones of unknown types, stand between them and are passed over, as is a line that is torn.
package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"strings"
	"syscall"
)

// Line is one line of a conversation.
type Line struct {
	Type      string `json:"type"` // user, assistant, system, attachment, …
	UUID      string `json:"uuid"`
	Parent    string `json:"parentUuid"`
	Sidechain bool   `json:"isSidechain"` // of a subagent
	Meta      bool   `json:"isMeta"`      // written by the client in the person's name
	Message   struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// block is a part of a message.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Text is what a message says in words, and whether a person or the agent says it: results of tools and reminders of the client are nobody's words.
func (l Line) Text() (text string, ok bool) {
	if l.Sidechain || l.Meta || l.Type != "user" && l.Type != "assistant" {
		return "", false
	}
	if json.Unmarshal(l.Message.Content, &text) != nil {
		var blocks []block
		if json.Unmarshal(l.Message.Content, &blocks) != nil {
			return "", false
		}
		var parts []string
		for _, b := range blocks {
			if b.Type == "text" && !reminder(b.Text) {
				parts = append(parts, b.Text)
			}
		}
		text = strings.Join(parts, "\n")
	}
	text = strings.TrimSpace(text)
	return text, text != "" && !reminder(text)
}

// reminder reports words that the client puts in, in the person's name.
func reminder(text string) bool {
	text = strings.TrimSpace(text)
	for _, tag := range []string{"<system-reminder>", "<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-caveat>", "[Request interrupted by user"} {
		if strings.HasPrefix(text, tag) {
			return true
		}
	}
	return false
}

// The bounds of what is read.
const (
	chunk   = 32 << 10
	maxLine = 1 << 20 // a longer line is no message that anybody has written: it is passed over
)

// Back goes through a transcript's lines from the last one, and reads at most so many bytes.
func Back(f io.ReaderAt, size, most int64) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for text := range lines(f, size, most) {
			var l Line
			if json.Unmarshal(text, &l) == nil && l.UUID != "" && !yield(l) {
				return
			}
		}
	}
}

// lines are a file's lines from the last one. The first may be cut off by the bound: it is left out then.
func lines(f io.ReaderAt, size, most int64) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var rest []byte // the beginning of a line whose end has been read
		long := false
		for at := size; at > 0 && size-at < most; {
			n := min(chunk, at, most-(size-at))
			at -= n
			part := make([]byte, n, n+int64(len(rest)))
			if _, err := f.ReadAt(part, at); err != nil && !errors.Is(err, io.EOF) {
				return
			}
			part = append(part, rest...)
			for i := bytes.LastIndexByte(part, '\n'); i >= 0; i = bytes.LastIndexByte(part, '\n') {
				if line := bytes.TrimSpace(part[i+1:]); len(line) > 0 && !long && !yield(line) {
					return
				}
				part, long = part[:i], false
			}
			if rest = part; len(rest) > maxLine {
				rest, long = nil, true
			}
			if at == 0 && len(rest) > 0 && !long {
				yield(bytes.TrimSpace(rest))
			}
		}
	}
}

// open opens a transcript: nothing but a regular file, and without waiting for what a fifo would say.
func open(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("the transcript is no file")
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// maxTurn is how far back the turn before a message is looked for.
const maxTurn = 1 << 20

// Rewound reports that the person's last message does not follow on what was said before it, but on something earlier: they have taken back
// what came in between. What cannot be read, or is too long ago, was not taken back.
func Rewound(path string) bool {
	f, size, err := open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	follows := "" // the line that the person's message follows on
	begun := 0
	for text := range lines(f, size, maxTurn) {
		if back, over := rolledBack(text, &begun); over {
			return back
		}
		var l Line
		if json.Unmarshal(text, &l) != nil || l.UUID == "" {
			continue
		}
		_, said := l.Text()
		switch {
		case l.Sidechain:
		case follows == "" && l.Type == "user" && said:
			if l.Parent == "" {
				return false // the session's first message, or its first since it was compacted
			}
			follows = l.Parent
		case follows == "":
		case l.UUID == follows && l.Type == "attachment" && l.Parent != "":
			follows = l.Parent // put before the message by the client
		case l.UUID == follows:
			return false
		case l.Type == "user" && said:
			return true
		}
	}
	return false
}

// rolledBack reports, going back through Codex's lines, that turns were taken back before the present one began, or were not: Codex writes that down between the last of them and what
// comes instead. It counts the turns that have begun.
func rolledBack(line []byte, begun *int) (back, over bool) {
	switch event(line) {
	case `"thread_rolled_back"`:
		return true, true
	case `"task_complete"`, `"turn_aborted"`:
		return false, true
	case `"task_started"`:
		*begun++
	}
	return false, *begun > 1
}

// event is the kind of an event of Codex's, in quotes; empty for whatever else a line is.
func event(line []byte) string {
	if !bytes.Contains(line, []byte(`"event_msg"`)) || string(member(line, "type")) != `"event_msg"` {
		return ""
	}
	return string(member(member(line, "payload"), "type"))
}

// Said is one message of a conversation.
type Said struct {
	Person bool   `json:"person"` // else the agent
	Text   string `json:"text"`
}

// Last are the last messages of a session, the newest last: at most so many of the person's, and as many of the agent's.
func Last(path string, person, agent int, most int64) ([]Said, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []Said
	for l := range Back(f, size, most) {
		text, ok := l.Text()
		left := &agent
		if l.Type == "user" {
			left = &person
		}
		if ok && *left > 0 {
			*left--
			all = append([]Said{{l.Type == "user", text}}, all...)
		}
		if person <= 0 && agent <= 0 {
			break
		}
	}
	return all, nil
}
