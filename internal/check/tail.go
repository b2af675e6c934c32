package check

import (
	"bytes"
	"encoding/json"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/proc"
)

// How much of what a check printed is kept.
const (
	tailSize    = 8 << 10
	excerptSize = 400
)

// printed is what the command printed as a person would have seen it, standard error last.
func (a *attempt) printed(res proc.Result) string {
	if a.check.Parser == "gotest" {
		return joined(fromGoTest(res.Stdout.String()), res.Stderr.String())
	}
	return plainText(res)
}

func plainText(res proc.Result) string { return joined(res.Stdout.String(), res.Stderr.String()) }

func joined(stdout, stderr string) string {
	out := strings.TrimRight(strings.ToValidUTF8(stdout, "\uFFFD"), "\n\r \t")
	err := strings.TrimRight(strings.ToValidUTF8(stderr, "\uFFFD"), "\n\r \t")
	if out != "" && err != "" {
		out += "\n"
	}
	return out + err
}

// fromGoTest takes the text out of what go test -json prints; lines of another kind stay.
func fromGoTest(events string) string {
	var b strings.Builder
	for line := range strings.Lines(events) {
		var e struct{ Action, Output string }
		if !strings.HasPrefix(line, "{") || json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
			b.WriteString(line)
			continue
		}
		b.WriteString(e.Output)
	}
	return b.String()
}

// lastBytes is the end of a text, from the beginning of a line where there is one.
func lastBytes(s string) string {
	if len(s) <= tailSize {
		return s
	}
	s = s[len(s)-tailSize:]
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)-1 {
		return s[i+1:]
	}
	return strings.ToValidUTF8(s, "")
}

func lastLines(s string, n int) string {
	lines := strings.Split(lastBytes(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// excerpts fills in the source line that each diagnostic is about. Each file is read once.
func (a *attempt) excerpts(ds []diag.Diagnostic) {
	wanted := make(map[string]map[int][]int) // by file and line: which diagnostics
	for i, d := range ds {
		if d.Excerpt != "" || d.File == "" || d.Range.Start.Line < 1 {
			continue
		}
		if wanted[d.File] == nil {
			wanted[d.File] = make(map[int][]int)
		}
		wanted[d.File][d.Range.Start.Line] = append(wanted[d.File][d.Range.Start.Line], i)
	}
	for file, lines := range wanted {
		b, err := a.place.ReadFile(file)
		if err != nil {
			continue // the finding stands without its line
		}
		n := 0
		for raw := range bytes.Lines(b) {
			n++
			for _, i := range lines[n] {
				ds[i].Excerpt = excerpt(raw)
			}
		}
	}
}

func excerpt(line []byte) string {
	s := strings.ToValidUTF8(strings.TrimRight(string(line), "\r\n"), "\uFFFD")
	if len(s) > excerptSize {
		s = strings.ToValidUTF8(s[:excerptSize], "") + "…"
	}
	return s
}
