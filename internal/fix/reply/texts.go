package reply

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/pattern"
)

var confidenceLine = pattern.New(`(?im)^[ \t>*_#-]*confidence[ \t*_]*[:=][ \t*_]*([0-9.]+[ \t]*%?)`)

// claimed adds to an answer in text what the prose around it says of it.
func (r *reading) claimed(a Answer, err error, answer int) (Answer, error) {
	if err != nil {
		return a, err
	}
	if found := confidenceLine.FindStringSubmatch(r.text); found != nil {
		a.Confidence = sure(strings.ReplaceAll(found[1], " ", ""))
	}
	for line := range strings.Lines(r.text[:answer]) {
		line = strings.TrimSpace(line)
		if line != "" && !fenceLine.MatchString(line) && loneName(line) == "" {
			a.Explanation = strings.TrimSuffix(line, ":")
			break
		}
	}
	return a, nil
}

// fromBlocks reads search/replace blocks.
func (r *reading) fromBlocks(text string) (Answer, error) {
	var failed error
	parts, err := edit.ScanBlocks(text, func(above []string) (string, bool) {
		name, ok, err := r.mentioned(above)
		if err != nil && failed == nil {
			failed = err
		}
		if sole, only := r.sole(); !ok && only && err == nil {
			return sole, true
		}
		return name, ok
	})
	switch {
	case failed != nil:
		return Answer{}, failed
	case err != nil:
		return Answer{}, err
	}
	a, err := r.fromParts(parts)
	return r.claimed(a, err, searchMark.FindStringIndex(text)[0])
}

var numberedHunk = pattern.New(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@`)

// fromDiffs reads the diffs of the reply as one. The very same one given twice is the same once.
func (r *reading) fromDiffs(text string, all []span) (Answer, error) {
	var b strings.Builder
	seen := map[string]bool{}
	for _, d := range all {
		part := text[d.start:d.end]
		f, fenced := r.fenceAt(d.start)
		switch {
		case fenced && !f.closed:
			return Answer{}, refuse("the diff's fence never ends, so that the diff may not be all of it: give it once more, shorter")
		case !fenced:
			part = withoutProse(part)
		}
		if !fenced && breaksOff(part) {
			return Answer{}, refuse("the last hunk has fewer lines than its @@ line says and nothing follows it, so that it may not be all of it: give the diff in a fence")
		}
		if seen[strings.TrimSpace(part)] {
			continue
		}
		seen[strings.TrimSpace(part)] = true
		b.WriteString(part)
		if !strings.HasSuffix(part, "\n") {
			b.WriteByte('\n')
		}
	}
	diff, err := r.restored(b.String())
	if err != nil {
		return Answer{}, err
	}
	a, err := r.make(func(src edit.Source) (edit.Patch, []edit.Note, error) { return edit.ReadUnified([]byte(diff), src) })
	return r.claimed(a, err, all[0].start)
}

// withoutProse takes off what stands behind the last line that belongs to a diff and is none of it.
func withoutProse(diff string) string {
	end, at := 0, 0
	for line := range strings.Lines(diff) {
		at += len(line)
		if line = strings.TrimRight(line, "\r\n"); line != "" && strings.ContainsAny(line[:1], " +-@\\") || strings.HasPrefix(line, "diff --git ") {
			end = at
		}
	}
	return diff[:end]
}

// breaksOff reports whether the last hunk has fewer lines than it says.
func breaksOff(diff string) bool {
	lines := strings.Split(strings.TrimRight(diff, "\r\n"), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		found := numberedHunk.FindStringSubmatch(lines[i])
		if found == nil {
			continue
		}
		count := func(s string) int {
			if n, err := strconv.Atoi(s); err == nil {
				return n
			}
			return 1
		}
		before, after := 0, 0
		for _, l := range lines[i+1:] {
			switch (l + " ")[0] {
			case '-':
				before++
			case '+':
				after++
			case '\\':
			default:
				before++
				after++
			}
		}
		return before < count(found[1]) || after < count(found[2])
	}
	return false
}

// restored is a diff with what was taken out of the one file that it is about. A diff of several files says of no line which file it is from until it is read.
func (r *reading) restored(diff string) (string, error) {
	if r.ground.Restore == nil {
		return diff, nil
	}
	name, several := "", false
	for line := range strings.Lines(diff) {
		said, ok := strings.CutPrefix(line, "+++ ")
		if !ok {
			continue
		}
		said, _, _ = strings.Cut(strings.TrimSpace(said), "\t")
		if _, shown := r.ground.Files[said]; !shown {
			said = strings.TrimPrefix(said, "b/")
		}
		several = several || name != "" && name != said
		name = said
	}
	text, err := r.ground.Restore(name, diff)
	switch {
	case err == nil && text == diff:
		return diff, nil
	case several:
		return "", refuse("the diff holds a [REDACTED:…] mark and is about several files: give these edits as JSON")
	case err != nil:
		return "", refuseAt(name, 0, "%v", err)
	case strings.Count(text, "\n") != strings.Count(diff, "\n"):
		return "", refuseAt(name, 0, "a [REDACTED:…] mark stands for several lines, which a diff cannot hold: give this edit as JSON")
	}
	return text, nil
}

// shells are the languages of fences that hold what somebody should run, or what it says.
var shells = []string{"sh", "bash", "shell", "zsh", "console", "shell-session", "output", "log", "powershell", "cmd", "text", "txt", "plaintext"}

// fromFences reads whole files in fences, each under its name. What a shell would run is none.
func (r *reading) fromFences() (Answer, error) {
	var parts []edit.Part
	var nameless []fence
	last := 0
	for _, f := range r.fences {
		name, body, err := r.whole(f, r.text[last:f.start])
		if err != nil {
			return Answer{}, err
		}
		last = f.end
		switch {
		case name == "" && slices.Contains(shells, strings.ToLower(f.info)):
			continue
		case name == "":
			nameless = append(nameless, f)
			continue
		}
		if err := r.clear(f, name); err != nil {
			return Answer{}, err
		}
		parts = append(parts, edit.Part{Path: name, Content: &body})
	}
	sole, only := r.sole()
	switch {
	case len(nameless) == 0 && len(parts) == 0:
		return Answer{}, refuse("there is no answer in the reply: neither JSON with edits, nor search/replace blocks, nor a unified diff, nor a whole file in a fence")
	case len(nameless) > 1 || len(nameless) == 1 && (len(parts) > 0 || !only):
		return Answer{}, refuse("%d fences hold code, and nothing says which file it is: put the name of the file on the line above each fence that holds a whole file, and leave out the others", len(nameless)+len(parts))
	case len(nameless) == 1:
		f := nameless[0]
		if err := r.clear(f, sole); err != nil {
			return Answer{}, err
		}
		body := r.text[f.open:f.close]
		parts = append(parts, edit.Part{Path: sole, Content: &body})
	}
	a, err := r.fromParts(parts)
	return r.claimed(a, err, r.fences[0].start)
}

// whole is the name that a fence says its content has, and the content.
func (r *reading) whole(f fence, above string) (name, body string, err error) {
	body = r.text[f.open:f.close]
	for word := range strings.FieldsSeq(strings.NewReplacer(":", " ", "=", " ", `"`, " ").Replace(f.info)) {
		if _, shown := r.ground.Files[word]; shown || strings.Contains(word, "/") && loneName(word) != "" {
			return word, body, nil
		}
	}
	first, rest, _ := strings.Cut(body, "\n")
	if trimmed := strings.TrimSpace(first); strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") {
		said := strings.TrimSpace(strings.TrimLeft(trimmed, "#/ "))
		said = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(said, "File:"), "file:"))
		if _, shown := r.ground.Files[said]; shown {
			if base, err := r.ground.Source(said); err != nil || !strings.HasPrefix(string(base.Data), first) {
				return said, strings.TrimPrefix(rest, "\n"), err
			}
			return said, body, nil
		}
	}
	name, _, err = r.mentioned(strings.Split(above, "\n"))
	return name, body, err
}

// clear refuses a fence whose end nobody can be sure of.
func (r *reading) clear(f fence, name string) error {
	switch body := strings.TrimLeft(r.text[f.open:f.close], " \t\r\n"); {
	case (strings.EqualFold(f.info, "diff") || strings.EqualFold(f.info, "patch") || strings.HasPrefix(body, "@@ ")) && !slices.Contains([]string{".diff", ".patch"}, path.Ext(name)):
		return refuseAt(name, 0, "what the fence holds is a diff without the lines --- and +++ that name its file: put them above its first @@")
	case strings.EqualFold(f.info, "json") && !strings.Contains(path.Ext(name), "json"):
		return refuseAt(name, 0, "the JSON in the fence is no answer, and the file is none of JSON: give the object that was asked for")
	case !f.closed:
		return refuseAt(name, 0, "the fence around the file never ends, so that the file may not be all there: give edits instead")
	case f.nested:
		return refuseAt(name, 0, "the file holds fences itself, so that nobody can say where it ends: put it between longer fences, or give edits")
	}
	base, err := r.ground.Source(name)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(base.Data)) {
		if found := fenceLine.FindStringSubmatch(strings.TrimSuffix(line, "\n")); found != nil && found[1][0] == f.mark[0] && len(found[1]) >= len(f.mark) {
			return refuseAt(name, 0, "the file holds fences itself, so that nobody can say where it ends: put it between longer fences, or give edits")
		}
	}
	return nil
}
