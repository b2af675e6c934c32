package reply

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

var (
	// elision is a line that stands for others: in a comment, or three dots alone.
	elision = pattern.New(`(?i)^\s*(?:(?://|#|--|;|%|/\*|<!--|\{/\*|""")\s*)?(?:\.{3}|…)?\s*\[?\(?(?:(?:the |all |any )?(?:rest|remainder|remaining|existing|other|previous|original|unchanged|same|omitted|keep|leave|unmodified|more)\b.{0,60}?\b(?:code|file|function|functions|method|methods|class|classes|here|unchanged|same|above|before|below|omitted|implementation|logic|imports|content|contents|lines|body|tests|as is|stays|remains|remain)\b.{0,40}|code (?:remains|unchanged|omitted|continues).{0,60}|unchanged|omitted(?: for brevity)?|(?:rest|remainder) of .{1,60}|your code here|implementation (?:here|unchanged|remains).{0,40}|same as (?:before|above).{0,40}|no changes? (?:here|needed|below|above).{0,40}|existing code|snip(?:ped)?)\]?\)?\s*(?:\.{3}|…)?\s*(?:\*/\}?|-->)?\s*$`)
	marked  = pattern.New(`^\s*(?://|#|--|;|%|/\*|<!--|\{/\*|\.{3}|…|\[|\()`)
	dots    = pattern.New(`^\s*(?:(?://|#|--|/\*|<!--|\{/\*)\s*)?(?:\.{3}|…)\s*(?:\*/\}?|-->)?\s*,?;?$`)
)

// escaped is a line with the escapes of code in the place of what they would be in JSON.
var escaped = strings.NewReplacer("\t", `\t`, "\b", `\b`, "\f", `\f`)

// sound holds a patch against what no good answer does: standing in for code that it leaves out, and making a file that no longer parses.
func (r *reading) sound(patch edit.Patch) error {
	for _, c := range patch {
		base, err := r.ground.Source(c.Path)
		if err != nil {
			return err
		}
		had := map[string]bool{}
		for line := range strings.Lines(string(base.Data)) {
			had[strings.TrimSpace(line)] = true
		}
		for _, e := range c.Edits {
			for line := range strings.Lines(string(e.New)) {
				line = strings.TrimRight(line, "\r\n")
				if written := escaped.Replace(strings.TrimSpace(line)); written != strings.TrimSpace(line) && had[written] {
					return refuseAt(c.Path, 0, "a backslash was lost: %q has a tab or the like where the file has two characters; in JSON every backslash of the code is written twice", written)
				}
				if !had[strings.TrimSpace(line)] && (dots.MatchString(line) || marked.MatchString(line) && elision.MatchString(line)) {
					return refuseAt(c.Path, 0, "the answer leaves code out: %q stands for lines that have to be given in full; to leave lines as they are, give edits of the others", strings.TrimSpace(line))
				}
			}
		}
		if c.Op != edit.Delete {
			if err := torn(c, base); err != nil {
				return err
			}
			if err := r.parses(c, base); err != nil {
				return err
			}
		}
	}
	return nil
}

// torn refuses a change that breaks a line in two where it has the two characters of a line break, as in a comment, where both parse.
func torn(c edit.Change, base edit.File) error {
	if !bytes.Contains(base.Data, []byte(`\n`)) {
		return nil
	}
	after, err := c.Apply(base)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(base.Data)) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, `\n`) && !bytes.Contains(after.Data, []byte(line)) && bytes.Contains(after.Data, []byte(strings.ReplaceAll(line, `\n`, "\n"))) {
			return refuseAt(c.Path, 0, "a backslash was lost: %q has line breaks where the file has two characters; in JSON every backslash of the code is written twice", line)
		}
	}
	return nil
}

// parses refuses a change that makes of a source that parses one that does not.
func (r *reading) parses(c edit.Change, base edit.File) error {
	lang := syntax.LangOf(c.Path)
	if lang == "" || len(c.Edits) == 0 {
		return nil
	}
	after, err := c.Apply(base)
	if err != nil {
		return err
	}
	if base.Exists {
		if before, err := syntax.Parse(r.ctx, lang, base.Data); err != nil || len(before.Errors()) > 0 {
			return r.ctx.Err() // what was broken may be mended in steps
		}
	}
	tree, err := syntax.Parse(r.ctx, lang, after.Data)
	if err != nil {
		return r.ctx.Err()
	}
	if err := r.repeats(c.Path, base.Data, after.Data); err != nil {
		return err
	}
	if wrong := tree.Errors(); len(wrong) > 0 {
		at := tree.Position(wrong[0].Start()).Line
		line := ""
		if lines := strings.Split(string(after.Data), "\n"); at >= 1 && at <= len(lines) {
			line = strings.TrimSpace(lines[at-1])
		}
		return refuseAt(c.Path, 0, "with the answer, line %d no longer parses as %s: %q; check the brackets, quotes and indentation of what replaces what", at, lang, line)
	}
	return nil
}

// repeats refuses a source in which a function or a class is defined anew that was defined once: the file was put where a line of it should stand, or the mended function beside the old one.
// It parses, and the later definition counts; nobody means that. Languages that look at it themselves are left to that.
func (r *reading) repeats(name string, before, after []byte) error {
	if lang := syntax.LangOf(name); lang != "python" && lang != "javascript" {
		return nil
	}
	had, err := r.outermost(name, before)
	if err != nil {
		return err
	}
	have, err := r.outermost(name, after)
	if err != nil {
		return err
	}
	for _, unit := range slices.Sorted(maps.Keys(have)) {
		if have[unit] > 1 && had[unit] == 1 {
			return refuseAt(name, 0, "with the answer, %s is defined %d times: \"old\" has to be all of the lines that \"new\" stands for", unit, have[unit])
		}
	}
	return nil
}

// outermost counts the functions and classes that a source defines at its margin, by name, but for those under a decorator, which may have reason to come again.
func (r *reading) outermost(name string, src []byte) (map[string]int, error) {
	f, err := code.Read(r.ctx, syntax.LangOf(name), name, src)
	if err != nil {
		return nil, r.ctx.Err()
	}
	out := map[string]int{}
	for n := range f.Root.Walk() {
		if n.Is(code.Function, code.Class) && n.Name != "" && (n.Start == 0 || src[n.Start-1] == '\n') && !decorated(src[:n.Start]) {
			out[n.Name]++
		}
	}
	return out, nil
}

func decorated(above []byte) bool {
	lines := strings.Split(strings.TrimRight(string(above), "\n"), "\n")
	return strings.HasPrefix(lines[len(lines)-1], "@")
}

// What a file that is given anew may lose without anybody's asking what became of it.
const (
	lostLines = 5
	lostPlain = 1 // of a file that is no code
	lostShare = 4 // of its lines, one in …
)

// keepsCode refuses files that were given anew and lack what they had.
func (r *reading) keepsCode(parts []edit.Part, patch edit.Patch) error {
	for _, p := range parts {
		if p.Content == nil {
			continue
		}
		base, err := r.ground.Source(p.Path)
		if err != nil {
			return err
		}
		if !base.Exists {
			continue
		}
		for _, c := range patch {
			if c.Path != p.Path {
				continue
			}
			after, err := c.Apply(base)
			if err != nil {
				return err
			}
			if err := r.keeps(c, base.Data, after.Data); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *reading) keeps(c edit.Change, before, after []byte) error {
	old, err := r.units(c.Path, before)
	if err != nil {
		return err
	}
	fresh, err := r.units(c.Path, after)
	if err != nil {
		return err
	}
	if old != nil && fresh != nil {
		gone, total, now := "", 0, 0
		for _, n := range fresh {
			now += n
		}
		for name, n := range old {
			total += n
			if fresh[name] < n && (gone == "" || name < gone) {
				gone = name
			}
		}
		if gone != "" && now < total {
			return refuseAt(c.Path, 0, "the file given anew lacks %s, which it had and nobody asked to take away: give all of the file, or edits", gone)
		}
	}
	lines, lost := strings.Count(string(before), "\n")+1, 0
	for _, e := range c.Edits {
		lost += max(0, strings.Count(string(before[e.Start:e.End]), "\n")-strings.Count(string(e.New), "\n"))
	}
	free := lostLines
	if old == nil { // nothing tells what of it must not be lost
		free = lostPlain
	}
	if lost > free && lost*lostShare > lines {
		return refuseAt(c.Path, 0, "the file given anew has %d of its %d lines less: give all of the file, or edits", lost, lines)
	}
	return nil
}

// units counts what a source defines, by name; nil where nobody can tell.
func (r *reading) units(name string, src []byte) (map[string]int, error) {
	f, err := code.Read(r.ctx, syntax.LangOf(name), name, src)
	if err != nil {
		return nil, r.ctx.Err()
	}
	out := map[string]int{}
	for n := range f.Root.Walk() {
		switch {
		case n.Is(code.Function, code.Class) && n.Name != "":
			full := n.Name
			if holder := n.Up(code.Class); holder != nil {
				full = holder.Name + "." + full
			}
			out[full]++
		case r.ground.Prunes:
		case n.Is(code.Import):
			out[strings.TrimSpace(n.Text())]++
		case n.Is(code.Assign) && n.Function() == nil:
			for _, target := range n.All(code.Target) {
				if target.Is(code.Name) {
					out[target.Name]++
				}
			}
		}
	}
	return out, nil
}
