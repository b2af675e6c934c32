package reply

import (
	"path"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// An envelope is the form in which Codex's apply_patch takes changes: between *** Begin Patch and *** End Patch stand files, and in each the lines that change with some around them. Line
// numbers there are none; a line behind @@ says after which line of the file the others stand.

var (
	envelopeMark = pattern.New(`(?m)^[ \t]*\*\*\* Begin Patch[ \t]*\r?$`)
	envelopeEnd  = pattern.New(`(?m)^[ \t]*\*\*\* End Patch[ \t]*\r?$`)
	envelopeFile = pattern.New(`^\*\*\* (Update|Add|Delete) File: *(.*)$`)
)

// envelopes are where the reply has envelopes. One without its end goes to the end.
func envelopes(text string, taken func(at int) bool) (out []span) {
	for _, m := range envelopeMark.FindAllStringIndex(text, -1) {
		if taken(m[0]) || inside(m[0], out) {
			continue
		}
		end := len(text)
		if n := envelopeEnd.FindStringIndex(text[m[0]:]); n != nil {
			end = m[0] + n[1]
		}
		out = append(out, span{m[0], end})
	}
	return out
}

// fromEnvelopes reads the envelopes of the reply as one answer.
func (r *reading) fromEnvelopes(text string, all []span) (Answer, error) {
	var parts []edit.Part
	for _, e := range all {
		folder, err := folderOf(text[:e.start])
		if err != nil {
			return Answer{}, err
		}
		found, err := r.envelope(folder, text[e.start:e.end])
		if err != nil {
			return Answer{}, err
		}
		parts = append(parts, found...)
	}
	a, err := r.fromParts(parts)
	return r.claimed(a, err, all[0].start)
}

// A command may hand the patch over: apply_patch with a here-document, after a change of folder. Whatever else it would do is not what the patch says.
var (
	applying   = pattern.New(`^[ \t$]*(?:(?:[\w/.]*/)?(?:ba|z|da)?sh[ \t]+-l?c[ \t]+['"]?)?(.*?)\bapply_?patch\b(.*)$`)
	into       = pattern.New(`^cd[ \t]+(?:'([^']+)'|"([^"$` + "`" + `]+)"|([^\s'"$` + "`" + `&;|]+))[ \t]*&&[ \t]*$`)
	hereAndNow = pattern.New(`^[ \t]*<<-?[ \t]*['"]?\w+['"]?[ \t]*$`)
)

// folderOf is the folder into which a command goes before it applies the patch that stands below it; empty: it goes nowhere, or there is no command.
func folderOf(above string) (string, error) {
	above = strings.TrimRight(above, "\r\n")
	line := above[strings.LastIndexByte(above, '\n')+1:]
	if !strings.Contains(line, "<<") {
		return "", nil
	}
	found := applying.FindStringSubmatch(strings.TrimRight(line, "\r"))
	if found == nil {
		return "", nil
	}
	first := strings.TrimSpace(found[1])
	cd := into.FindStringSubmatch(first)
	if first != "" && cd == nil || !hereAndNow.MatchString(found[2]) {
		return "", refuse("the command around the patch does more than apply it (%s): give the patch alone", strings.TrimSpace(line))
	}
	if cd == nil {
		return "", nil
	}
	return cd[1] + cd[2] + cd[3], nil
}

// envelope reads one, whose names are seen from a folder.
func (r *reading) envelope(folder, text string) ([]edit.Part, error) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if len(lines) < 2 || !envelopeEnd.MatchString(lines[len(lines)-1]) {
		return nil, refuse("the patch has no *** End Patch line, so that it may not be all of it: give it once more, shorter")
	}
	var parts []edit.Part
	body := lines[1 : len(lines)-1]
	for at := 0; at < len(body); {
		head := envelopeFile.FindStringSubmatch(strings.TrimSpace(body[at]))
		if head == nil {
			if strings.TrimSpace(body[at]) == "" {
				at++
				continue
			}
			return nil, refuse("line %d of the patch belongs to no file: each begins with *** Update File:, *** Add File: or *** Delete File:", at+2)
		}
		from := at + 1
		for at = from; at < len(body) && !envelopeFile.MatchString(body[at]); at++ {
		}
		found, err := r.envelopeFile(head[1], path.Join(folder, head[2]), folder, body[from:at], from+2)
		if err != nil {
			return nil, err
		}
		parts = append(parts, found...)
	}
	if len(parts) == 0 {
		return nil, refuse("the patch is empty: say which files change, and how")
	}
	return parts, nil
}

// envelopeFile reads what an envelope says of one file, from this line of it on.
func (r *reading) envelopeFile(does, name, folder string, lines []string, first int) ([]edit.Part, error) {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	switch does {
	case "Delete":
		if len(lines) > 0 {
			return nil, refuseAt(name, 0, "the patch deletes the file and says something of its lines: do one of them")
		}
		return []edit.Part{{Path: name, Delete: true}}, nil
	case "Add":
		var content strings.Builder
		for i, l := range lines {
			text, ok := strings.CutPrefix(l, "+")
			if !ok && strings.TrimSpace(l) != "" {
				return nil, refuseAt(name, 0, "line %d of the patch should begin with +, as every line of a new file does", first+i)
			}
			content.WriteString(text + "\n")
		}
		if own, err := r.name(name); err == nil {
			if f, err := r.ground.Source(own); err == nil && f.Exists {
				return nil, refuseAt(own, 0, "the patch adds a file that is there already: update it")
			}
		}
		text := content.String()
		return []edit.Part{{Path: name, Content: &text}}, nil
	}
	return r.update(name, folder, lines, first)
}

// update reads the hunks of a file, and the name that it gets.
func (r *reading) update(name, folder string, lines []string, first int) ([]edit.Part, error) {
	to := ""
	if len(lines) > 0 {
		if said, ok := strings.CutPrefix(strings.TrimSpace(lines[0]), "*** Move to:"); ok {
			to, lines, first = path.Join(folder, strings.TrimSpace(said)), lines[1:], first+1
		}
	}
	hunks, err := hunksOf(name, lines, first)
	if err != nil {
		return nil, err
	}
	if len(hunks) == 0 && to == "" {
		return nil, refuseAt(name, 0, "the patch updates the file and says of none of its lines how")
	}
	var parts []edit.Part
	for _, h := range hunks {
		p, err := r.hunk(name, h)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if to == "" {
		return parts, nil
	}
	return r.moved(name, to, parts)
}

// moved is a file that gets another name, with what changes in it: the one goes and the other comes, and each has to be allowed.
func (r *reading) moved(from, to string, parts []edit.Part) ([]edit.Part, error) {
	if why := outside(to); why != "" {
		return nil, refuseAt(to, 0, "%s", why)
	}
	name, err := r.name(from)
	if err != nil {
		return nil, err
	}
	target, err := r.ground.Source(to)
	switch {
	case err != nil:
		return nil, err
	case target.Exists:
		return nil, refuseAt(to, 0, "the patch gives %s a name that another file has: change that one, and delete the first", name)
	}
	f, err := r.ground.Source(name)
	if err != nil {
		return nil, err
	}
	text := string(f.Data)
	if len(parts) > 0 {
		a, err := r.fromParts(parts)
		if err != nil {
			return nil, err
		}
		after, err := a.Patch.Apply(r.ground.Source)
		if err != nil {
			return nil, err
		}
		text, r.notes = string(after[name].Data), a.Notes
	}
	if r.given == nil {
		r.given = map[string]bool{}
	}
	r.given[to] = true
	return []edit.Part{{Path: name, Delete: true}, {Path: to, Content: &text}}, nil
}
