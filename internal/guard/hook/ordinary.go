package hook

import (
	"strings"

	plain "fettle/internal/ordinary"
	"fettle/internal/policy/shell"
)

// ordinary reports an edit, by an editing tool, of a file of settings that weakens no check and has nothing else run than before.
func ordinary(o *occasion, f shell.Fact) bool {
	if f.Kind != shell.Write || f.Zone != shell.Checks || f.By != o.Tool {
		return false
	}
	before, ok := present(f.Target)
	if !ok && !absent(f.Target) {
		return false
	}
	after, ok := o.edited(f.Target, before)
	return ok && o.reader().Same(f.Target, before, after)
}

// reader compares such files as the policy sees what they have run.
func (o *occasion) reader() plain.Reader {
	return plain.Reader{
		Script: func(command string) bool { return o.judged(command).Decision == shell.Allow },
		Makefile: func(text string) bool {
			const mark = "END_OF_THE_MAKEFILE"
			return !strings.Contains(text, mark) && o.judged("make -f - <<'"+mark+"'\n"+text+"\n"+mark+"\n").Decision < shell.Deny
		},
	}
}

// judged is what the policy makes of a command, where the call happens. What the agent has written is no matter here: it is read when it runs.
func (o *occasion) judged(command string) shell.Verdict {
	at := o.at
	at.Script, at.Written, at.Known = nil, nil, nil
	return o.policy.Judge(command, at)
}

// edited is a file's text after a call.
func (o *occasion) edited(file, text string) (string, bool) {
	in, ok := o.edits()
	if !ok {
		return "", false
	}
	edits := in.Edits
	switch o.Tool {
	case "Write":
		if in.Content == nil {
			return "", false
		}
		return *in.Content, true
	case "Edit":
		edits = []replacement{in.replacement}
	case "MultiEdit":
	case "apply_patch":
		if strings.Contains(in.patch(), "*** Move to:") { // the file would be gone
			return "", false
		}
		for _, h := range o.hunks() {
			switch {
			case shell.PathFact(shell.Write, strings.TrimSpace(h.file), o.Tool, o.at).Target != file:
			case text == "" && h.before == "" && absent(file): // all of a new one
				return h.after, true
			default:
				edits = append(edits, replacement{Old: h.before, New: h.after})
			}
		}
	default:
		return "", false
	}
	for _, e := range edits {
		n := strings.Count(text, e.Old)
		if e.Old == "" || n == 0 || n > 1 && !e.All {
			return "", false
		}
		text = strings.ReplaceAll(text, e.Old, e.New)
	}
	return text, len(edits) > 0
}
