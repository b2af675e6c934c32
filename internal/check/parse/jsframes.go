package parse

import (
	"net/url"
	"path"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var (
	jsAt        = pattern.New(`^\s*at (?:async )?(\S.*)$`)
	jsPlace     = pattern.New(`^(.+?):(\d+):(\d+)$`)
	jsBundled   = pattern.New(`^webpack(?:-internal)?://[^/]*/`)
	jsEvaluated = pattern.New(`^eval at .*\((.+:\d+:\d+)\)`)
)

// jsFrames are the stack frames inside the repository, innermost first, as V8 writes them ("    at f (/x/y.js:1:2)"). What
// belongs to Node itself, to installed packages and to no file is left out.
func (c *collector) jsFrames(text []string) []diag.Frame {
	var frames []diag.Frame
	for _, line := range text {
		m := jsAt.FindStringSubmatch(line)
		if m == nil || javaFrame.MatchString(line) {
			continue
		}
		if f, ok := c.jsFrame(m[1]); ok {
			frames = append(frames, f)
		}
	}
	return frames
}

// jsFrame reads one frame without its "at": "f (file:///x/y.js:1:2)", or the place alone.
func (c *collector) jsFrame(text string) (diag.Frame, bool) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "async ")
	name, place := "", text
	if i := strings.Index(text, " ("); i >= 0 && strings.HasSuffix(text, ")") {
		name, place = text[:i], text[i+2:len(text)-1]
	}
	if m := jsEvaluated.FindStringSubmatch(place); m != nil {
		place = m[1]
	}
	m := jsPlace.FindStringSubmatch(place)
	if m == nil {
		return diag.Frame{}, false
	}
	f := c.jsFile(m[1])
	return diag.Frame{File: f, Line: number(m[2]), Func: valid(name)}, f != ""
}

// jsFile is the file of the repository that a frame names: by a path, by a file: URL, or as a bundler calls it.
func (c *collector) jsFile(place string) string {
	switch {
	case strings.HasPrefix(place, "file://"):
		place = strings.TrimPrefix(place, "file://")
		if plain, err := url.PathUnescape(place); err == nil {
			place = plain
		}
	case jsBundled.MatchString(place):
		place = strings.TrimLeft(jsBundled.ReplaceAllString(place, ""), "/")
	case strings.Contains(place, "://"), strings.HasPrefix(place, "node:"), strings.HasPrefix(place, "internal/"):
		return ""
	}
	place, _, _ = strings.Cut(place, "?") // vite marks versions so
	if path.Ext(place) == "" {
		return "" // "native", "<anonymous>"
	}
	return c.places.own(place)
}

// jsText is what a failure says, without the frames that are not the repository's.
type jsText struct {
	message string // in one line
	detail  string
	frames  []diag.Frame
}

// jsFailure takes apart the text of an error: a message of one or many lines, and its stack.
func (c *collector) jsFailure(text string) jsText {
	lines := strings.Split(strings.TrimSpace(cleanText(text)), "\n")
	t := jsText{frames: c.jsFrames(lines)}
	var said, kept []string
	stack := false
	for _, line := range lines {
		if m := jsAt.FindStringSubmatch(line); m != nil {
			stack = true
			if _, own := c.jsFrame(m[1]); !own {
				continue
			}
		}
		kept = append(kept, line)
		if !stack {
			said = append(said, line)
		}
	}
	t.message, t.detail = jsMessage(said), strings.Join(kept, "\n")
	return t
}

// jsMessage is the first line of what an assertion says; what it expected and got belongs to it.
func jsMessage(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	first := strings.TrimPrefix(strings.TrimSpace(lines[0]), "Error: ")
	wants := strings.HasSuffix(first, ":")
	for i, line := range lines[1:] {
		line = strings.TrimSpace(line)
		switch {
		case wants && line == jsLegend:
			return first + " " + jsDifference(lines[i+2:])
		case wants && line != "":
			first += " " + line
			wants = false
		case strings.HasPrefix(line, "Expected:"), strings.HasPrefix(line, "Received:"):
			first += "; " + line
		}
	}
	return first
}

// jsLegend stands above a difference that Node's assert shows.
const jsLegend = "+ actual - expected"

// jsDifference is such a difference in one line: what there is, and what there should be.
func jsDifference(lines []string) string {
	var got, want []string
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "+"):
			got = append(got, strings.TrimSpace(line[1:]))
		case strings.HasPrefix(line, "-"):
			want = append(want, strings.TrimSpace(line[1:]))
		}
	}
	part := func(lines []string) string {
		if len(lines) == 0 {
			return "nothing"
		}
		return shorten(strings.Join(lines, " "), maxDifference)
	}
	return part(got) + " where " + part(want) + " was expected"
}

// maxDifference is how much of each side of a difference stands in a message.
const maxDifference = 120

var (
	// jsHead is the line with which Node begins to tell of an error in what it could not load: the place alone.
	jsHead = pattern.New(`^(?:\s*Exception during run:\s*)?((?:file://)?/\S.*?):(\d+)$`)
	// jsRaised is the line of an uncaught error that says what it is.
	jsRaised = pattern.New(`^(?:\s*Exception during run: )?((?:Uncaught )?\w*(?:Error|Exception)\b(?: \[\w+\])?: .+)`)
)

// JavaScriptError reads what a program that broke left in any text: what its first error says, and the stack frames inside the
// repository. A place that Node names above a syntax error comes first. The message is empty when there is no such error.
func JavaScriptError(text string, o Options) (message string, frames []diag.Frame) {
	return newCollector(o, "").jsError(text)
}

func (c *collector) jsError(text string) (message string, frames []diag.Frame) {
	var head []diag.Frame
	unfinished := false // the message goes on below
	for line := range strings.Lines(cleanText(text)) {
		line = strings.TrimRight(line, "\r\n")
		if unfinished && line != "" {
			message, unfinished = message+" "+strings.TrimSpace(line), false
		}
		if m := jsHead.FindStringSubmatch(line); m != nil && len(head) == 0 && len(frames) == 0 {
			if f, ok := c.jsFrame(m[1] + ":" + m[2] + ":1"); ok {
				head = []diag.Frame{f}
			}
		}
		if m := jsRaised.FindStringSubmatch(line); m != nil && message == "" {
			message, unfinished = m[1], strings.HasSuffix(m[1], ":")
		}
		if len(frames) < maxFrames {
			frames = append(frames, c.jsFrames([]string{line})...)
		}
	}
	if len(head) > 0 && len(frames) > 0 && head[0].File == frames[0].File && head[0].Line == frames[0].Line {
		head = nil
	}
	return message, append(head, frames...)
}
