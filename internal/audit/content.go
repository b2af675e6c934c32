package audit

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"fettle/internal/edit"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// bytesRules look at characters and bytes, whatever the language.
var bytesRules = []Rule{
	{"hidden", "a character that cannot be seen, or that turns the direction of text", each(hidden)},
	{"confusable", "a word that mixes letters of two scripts which look alike", each(confusables)},
	{"conflict-marker", "a marker of a merge conflict", each(conflictMarkers)},
	{"binary", "a change to what is not text", each(binary)},
	{"encoding", "text that is no longer readable as UTF-8", each(encoding)},
	{"mode", "a file that becomes executable, or more", each(modes)},
	{"link", "a link that leads out of the repository, or takes the place of a file", each(links)},
}

// hidden counts each invisible character before and after, wherever it stands. Text that is turned round can make code
// look like other code (CVE-2021-42574), so it is refused; the rest is also used in honest texts, so a person decides.
func hidden(_ *patchView, f *fileView) []Finding {
	if !f.text() {
		return nil
	}
	count := make(map[rune]int)
	for _, r := range string(f.before) {
		count[r]++
	}
	var all []Finding
	said := make(map[rune]bool)
	number := 1
	for i, r := range string(f.after) {
		if r == '\n' {
			number++
		}
		effect, invisible := invisibility(r)
		if !invisible || r == '\ufeff' && i == 0 {
			continue
		}
		if count[r]--; count[r] < 0 && !said[r] {
			said[r] = true
			all = append(all, Finding{Line: number, Effect: effect, Evidence: fmt.Sprintf("the patch brings in %U, which cannot be seen", r)})
		}
	}
	return all
}

func invisibility(r rune) (Effect, bool) {
	switch {
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c: // direction
		return Refuse, true
	case r >= 0xe0000 && r <= 0xe007f, r >= 0xe0100 && r <= 0xe01ef: // tags, and selectors of variants: any text can be hidden in them
		return Refuse, true
	case r == 0x2028, r == 0x2029, r == 0x034f, r == 0x2800, r >= 0xfe00 && r <= 0xfe0e: // ends of lines that no editor shows, blanks, selectors
		return Ask, true
	case r == '\n', r == '\r', r == '\t', r == '\f', r == utf8.RuneError:
		return "", false
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), r == 0x3164, r == 0x115f, r == 0x1160, r == 0xffa0:
		return Ask, true
	}
	return "", false
}

func conflictMarkers(_ *patchView, f *fileView) []Finding {
	var all []Finding
	for _, l := range f.newLines() {
		if strings.HasPrefix(l.text, "<<<<<<< ") || strings.HasPrefix(l.text, ">>>>>>> ") {
			all = append(all, Finding{Line: l.number, Effect: Refuse, Evidence: fmt.Sprintf("%q is left of a merge conflict", phrase.Clip(l.text))})
		}
	}
	return all
}

func binary(_ *patchView, f *fileView) []Finding {
	if f.text() {
		return nil
	}
	return []Finding{{Effect: Ask, Evidence: "it is not text, so nobody can read what changes"}}
}

func encoding(_ *patchView, f *fileView) []Finding {
	if !f.text() || !utf8.Valid(f.before) || utf8.Valid(f.after) {
		return nil
	}
	return []Finding{{Effect: Refuse, Evidence: "it was UTF-8 and is not any more"}}
}

// startsBy matches the beginning of a text that says which program carries it out: whoever has it can have that done, executable or not.
var startsBy = pattern.New(`^#!\s*/[\w./-]+`)

func modes(v *patchView, f *fileView) []Finding {
	const runs = 0o111
	switch is := f.change.Mode; {
	case is&^fs.ModePerm != 0:
		return []Finding{{Effect: Refuse, Evidence: "it gets special permissions (setuid, setgid or sticky)"}}
	case is&runs != 0 && f.change.Op == edit.Create && v.goal.By == Person && startsBy.Match(f.after):
		return []Finding{{Effect: Note, Evidence: "it is a new script, and executable"}}
	case is&runs != 0 && f.modeBefore&runs == 0:
		return []Finding{{Effect: Ask, Evidence: "it becomes executable"}}
	}
	return nil
}

// links look at where a link leads: whoever reads or writes it in a checkout does so there.
func links(v *patchView, f *fileView) []Finding {
	if !v.links[f.path] {
		return nil
	}
	to := string(f.after)
	switch isNew := f.modeBefore&fs.ModeSymlink == 0; {
	case path.IsAbs(to) || !filepath.IsLocal(path.Join(path.Dir(f.path), to)):
		return []Finding{{Effect: Ask, Evidence: "it is a link that leads out of the repository: " + to}}
	case isNew && f.change.Op == edit.Modify:
		return []Finding{{Effect: Ask, Evidence: "a link takes its place: " + to}}
	}
	return nil
}
