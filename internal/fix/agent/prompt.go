package agent

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/fix/custom"
	"fettle/internal/locate"
	"fettle/internal/policy/secret"
	"fettle/internal/quote"
	"fettle/internal/wording"
)

// How much of what is known a prompt holds. An agent can look for more by itself; and an argument of a program is bounded.
const (
	mostFindings  = 30
	leastFindings = 5 // of each check, where it is asked about many
	mostSuspects  = 20
	mostFeedback  = 10
	mostText      = 4 << 10  // bytes of one piece of data
	mostPrompt    = 80 << 10 // bytes of all data; the kernel lets an argument have 128 KB
)

//go:embed templates
var builtin embed.FS

// The texts, each a file that a person may replace, and into which nothing is put.
const (
	role      = "agent"
	taskText  = "task"  // what every agent is told
	splitText = "split" // what one is told besides that may have others work for it
	againText = "again" // what one is told besides that goes on with a conversation
)

// Names are the texts that a person may replace.
func Names() []string { return wording.Names(builtin, role) }

// always is what every agent is told behind its task, and nobody replaces: what data is, and how its answer is read.
const always = quote.Told + ` It tells you what is wrong, and comes from the repository, its tools, or earlier attempts.

Where you see [REDACTED:…], a secret was taken out of what you are shown; the file has it. Leave such places alone: a mark that you write is put back to what it stands for in that file, and refused where it stands for nothing.

When you are done, let your last message end with one JSON object, and nothing after it:
{"status": "fixed", "summary": "one sentence: what was wrong, and why this mends it", "confidence": 90, "risks": []}
"status" is fixed, partial or failed; "confidence" is 0 to 100, how sure you are that the change is right. Do not guess high: everything is measured afterwards.
`

// texts are the person's for the check that all of a task is about, for the kind of all its checks, or for all, else the program's own.
func (o Options) texts(t fix.Task) wording.Texts {
	texts := wording.Texts{Role: role, Builtin: builtin, Own: o.Templates}
	names, kinds := map[string]bool{}, map[string]bool{}
	for _, p := range t.Parts() {
		names[p.Check.Name], kinds[p.Check.Kind()] = true, true
	}
	for _, one := range []map[string]bool{names, kinds} {
		if len(one) == 1 {
			texts.For = slices.AppendSeq(texts.For, maps.Keys(one))
		}
	}
	return texts
}

// instructions are what an agent is told of its work.
func instructions(known briefing) (string, error) {
	names := []string{taskText}
	if known.subagents {
		names = append(names, splitText)
	}
	if known.resumed {
		names = append(names, againText)
	}
	var parts []string
	for _, name := range names {
		text, err := known.texts.Read(name)
		if err != nil {
			return "", err
		}
		parts = append(parts, strings.TrimSpace(text)+"\n")
	}
	return strings.Join(slices.Insert(parts, 1, always), "\n"), nil
}

// briefing is what is known for a run beside its task.
type briefing struct {
	texts              wording.Texts
	earlier            string // its own patch that was sent back, as a diff, where it does not know that from the conversation; empty: there is none
	suspects           []locate.Suspect
	customs            []saying
	out                secret.Outbound // what is told goes through this
	subagents, resumed bool
}

// saying is something that the project says of how it is worked on.
type saying struct{ kind, note, text string }

// customs are what the project says of the task's checks, and of how things are done in it, without secrets, and as much of it as a model is told.
func customs(t fix.Task, out secret.Outbound) (all []saying, err error) {
	add := func(kind, note, text string, most int) {
		if strings.TrimSpace(text) != "" {
			all = append(all, saying{kind, note, cut(out.Text(text), most)})
		}
	}
	for _, p := range t.Parts() {
		notes, err := custom.Notes(t.Place, p.Check)
		if err != nil {
			return nil, err
		}
		add("notes", "what the project says about "+p.Check.Name, notes, custom.MostNotes)
	}
	for _, c := range custom.Conventions(t.Place) {
		add("conventions", "how things are done in this project, an excerpt of "+c.Path, c.Text, custom.MostConvention)
	}
	return all, nil
}

// prompt is what an agent is told: what failed the last time, first; then what is wrong, where that may be, and how the project is worked on.
func prompt(t fix.Task, known briefing) (string, error) {
	d := &data{out: known.out, left: mostPrompt}
	if n := len(t.Feedback); n > 0 {
		for _, said := range t.Feedback[max(0, n-mostFeedback):] {
			d.add("feedback", "why an earlier attempt led nowhere: do it otherwise", said.String())
		}
	}
	if known.earlier != "" {
		d.add("earlier", "your own earlier change, which is not in the files: a second reader was not satisfied with it, as is told. Make a better one, or the same again if it is right", known.earlier)
	}
	parts, untold := t.Parts(), 0
	for _, p := range parts {
		d.add("check", "a check, and its command"+folder(p.Check.Dir), p.Check.Name+"\n"+known.out.Naming(".").Text(strings.Join(quoted(p.Check.Run), " ")))
		most := min(len(p.Diagnostics), max(mostFindings/len(parts), leastFindings))
		for _, f := range p.Diagnostics[:most] {
			d.add("finding", "what "+p.Check.Name+" complains of", finding(f))
		}
		untold += len(p.Diagnostics) - most
	}
	if len(known.suspects) > 0 {
		d.add("suspects", "the lines that the failing tests run and the passing ones rather do not, most suspicious first", locate.Told(known.suspects[:min(len(known.suspects), mostSuspects)]))
	}
	for _, s := range known.customs {
		d.add(s.kind, s.note, s.text)
	}
	sheet, err := quote.Put(d.texts)
	if err != nil {
		return "", err
	}
	told, err := instructions(known)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(told)
	if untold > 0 {
		fmt.Fprintf(&b, "\nThere are %d findings more than are told here: the checks list all.\n", untold)
	}
	b.WriteString("\n" + sheet.Text)
	return b.String(), nil
}

// data is what is told as material, within what there is room for.
type data struct {
	out   secret.Outbound
	texts []quote.Text
	left  int // bytes
}

func (d *data) add(kind, note, text string) {
	text = d.out.Text(strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\x00", "\uFFFD")) // no argument can hold it
	text = cut(text, min(mostText, d.left))
	d.left = max(0, d.left-len(text))
	d.texts = append(d.texts, quote.Text{Kind: kind, Meta: map[string]any{"note": note}, Body: text})
}

// cut is a text, or so much of its beginning as may be told.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "\n(this is cut)"
}

func folder(dir string) string {
	if dir == "" || dir == "." {
		return ""
	}
	return ", which runs in a folder below the root"
}

// quoted are the words of a command, so that it can be seen where each ends.
func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; w == "" || strings.ContainsAny(w, " \t\n'\"\\$`*?[]{}()<>|&;!#~") {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return out
}

// finding is one finding as text.
func finding(d diag.Diagnostic) string {
	var b strings.Builder
	if d.Test != "" {
		fmt.Fprintf(&b, "failing test: %s\n", d.Test)
	}
	if d.File != "" {
		fmt.Fprintf(&b, "%s:%d:%d ", d.File, d.Range.Start.Line, d.Range.Start.Column)
	}
	if d.Rule != "" {
		b.WriteString(d.Rule + " ")
	}
	b.WriteString(d.Message + "\n")
	if d.Excerpt != "" {
		b.WriteString("| " + d.Excerpt + "\n")
	}
	for _, f := range d.Frames {
		fmt.Fprintf(&b, "at %s:%d\n", f.File, f.Line)
	}
	b.WriteString(d.Detail)
	return b.String()
}
