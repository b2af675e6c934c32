// Package message answers "what does a commit say of itself?": how long its message should be for what it changes, what is wrong with one that was given, and what one says
// that nobody has given.
//
// It is pure: no git, no files.
package message

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"fettle/internal/pattern"
)

// Size is how much a commit changes.
type Size string

// The sizes.
const (
	Small  Size = "SMALL"  // at most 3 files and fewer than 50 lines: one line
	Medium Size = "MEDIUM" // at most 10 files and 200 lines: "scope: what it does"
	Large  Size = "LARGE"  // a title and three to six points
)

// SizeOf is the size of a change.
func SizeOf(files, lines int) Size {
	switch {
	case files <= 3 && lines < 50:
		return Small
	case files <= 10 && lines <= 200:
		return Medium
	}
	return Large
}

// Form says how a message of this size looks.
func (s Size) Form() string {
	switch s {
	case Small:
		return "one line that begins with a small letter"
	case Medium:
		return "one line, \"scope: what it does\""
	case Large:
		return "a title, an empty line, and three to six points that begin with \"- \""
	}
	return ""
}

// The bounds of a title, in characters, and of the points.
const (
	maxTitle              = 100
	fewPoints, manyPoints = 3, 6
)

// empty are words that stand in the place of what a commit does.
var empty = regexp.MustCompile(`(?i)\b(various|misc|miscellaneous)\b|^\W*((some|minor|small|several|more|code|other)\s+)*(updates?|changes|improvements?|fixes|wip|cleanups?)\W*$`)

// credits are lines that speak of who wrote a commit, and with what.
var credits = regexp.MustCompile(`(?im)^\s*co-authored-by:|generated (with|by)|^\s*🤖`)

var scope = pattern.New(`^[^\s:][^:]{0,60}: \S`)

// Check says what is wrong with a message for a change of this size; nil: nothing. A message may always be longer than its size asks for, as it then says more.
func Check(text string, size Size) error {
	text = strings.TrimSpace(text)
	title, body, _ := strings.Cut(text, "\n")
	points := 0
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") {
			points++
		}
	}
	if err := sound(text, title, body); err != nil {
		return err
	}
	switch {
	case size == Small && body == "" && startsUpper(title):
		return fmt.Errorf("the message of so small a change is %s", Small.Form())
	case size == Medium && !scope.MatchString(title):
		return fmt.Errorf("the message of such a change is %s", Medium.Form())
	case size == Large && (points < fewPoints || points > manyPoints):
		return fmt.Errorf("the message of so large a change is %s; it has %d", Large.Form(), points)
	}
	return nil
}

// sound says what is wrong with a message for a change of any size.
func sound(text, title, body string) error {
	switch {
	case text == "":
		return errors.New("the message is empty")
	case !strings.ContainsFunc(title, unicode.IsLetter):
		return fmt.Errorf("%q says nothing", title)
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		return errors.New("the message holds control characters")
	case len([]rune(title)) > maxTitle:
		return fmt.Errorf("the first line has %d characters, and %d are enough", len([]rune(title)), maxTitle)
	case body != "" && strings.TrimSpace(strings.SplitN(body, "\n", 2)[0]) != "":
		return errors.New("the second line stays empty")
	case credits.MatchString(text):
		return errors.New("the message credits somebody, or a tool: it only says what changes and why")
	case strings.ContainsFunc(text, pictured):
		return errors.New("the message has an emoji in it")
	case empty.MatchString(title):
		return fmt.Errorf("%q stands in the place of what the commit does", title)
	}
	return nil
}

// startsUpper reports a line that begins as a sentence does: names in capitals (README, HTTP) are not meant.
func startsUpper(line string) bool {
	word := []rune(strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })[0])
	return unicode.IsUpper(word[0]) && !slices.ContainsFunc(word[1:], unicode.IsUpper) && len(word) > 1
}

// pictured reports signs that are pictures.
func pictured(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF || r == 0x2B50 || r == 0xFE0F
}

// Change is what became of one file.
type Change struct {
	Path string
	Verb string // add, edit or remove
}

// verbs are the ways of changing a file, in the order in which they are told.
var verbs = []string{"add", "edit", "remove"}

// Of is a message that names what was changed, and cannot say why: for who gives none. It has the form of its size.
func Of(all []Change, size Size) string {
	switch size {
	case Small:
		return clip(listed(all, 3))
	case Medium:
		return clip(named(common(all)) + ": " + listed(within(all, common(all)), 4))
	case Large:
	}
	title := named(common(all)) + ": " + counted(all)
	var points []string
	for _, g := range grouped(all, manyPoints) {
		points = append(points, "- "+clip(g.name+": "+listed(within(g.all, g.name), 4)))
	}
	for _, v := range verbs { // few folders: then by what became of the files
		if len(points) >= fewPoints {
			break
		}
		if some := only(all, v); len(some) > 0 {
			points = append(points, "- "+counted(some))
		}
	}
	for len(points) < fewPoints {
		points = append(points, "- "+clip("in all "+counted(all)))
	}
	return clip(title) + "\n\n" + strings.Join(points, "\n") + "\n"
}

func only(all []Change, verb string) []Change {
	return slices.DeleteFunc(slices.Clone(all), func(c Change) bool { return c.Verb != verb })
}

// listed names files by what became of them: "add a.go, edit b.go, c.go and 2 more".
func listed(all []Change, most int) string {
	var parts []string
	left := most
	for _, v := range verbs {
		var names []string
		for _, c := range only(all, v) {
			if left > 0 {
				names = append(names, c.Path)
				left--
			}
		}
		if len(names) > 0 {
			parts = append(parts, v+" "+strings.Join(names, ", "))
		}
	}
	text := strings.Join(parts, ", ")
	if n := len(all) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// counted says how many files became what.
func counted(all []Change) string {
	var parts []string
	for _, v := range verbs {
		if n := len(only(all, v)); n == 1 {
			parts = append(parts, v+" 1 file")
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%s %d files", v, n))
		}
	}
	return strings.Join(parts, ", ")
}

// named is what a folder is called in a message; the top has no name.
func named(dir string) string {
	if dir == "" {
		return "all"
	}
	return dir
}

// common is the deepest folder that holds all files; empty where only the top does.
func common(all []Change) string {
	dir := path.Dir(all[0].Path)
	for _, c := range all {
		for dir != "." && !strings.HasPrefix(c.Path, dir+"/") {
			dir = path.Dir(dir)
		}
	}
	if dir == "." {
		return ""
	}
	return dir
}

// within are changes with their paths as seen from a folder.
func within(all []Change, dir string) []Change {
	out := slices.Clone(all)
	if dir == "" {
		return out
	}
	for i, c := range out {
		out[i].Path = strings.TrimPrefix(c.Path, dir+"/")
	}
	return out
}

// group are the changes below one folder.
type group struct {
	name string
	all  []Change
}

// grouped parts changes by the first folders below the common one; what is over the most is in the last group.
func grouped(all []Change, most int) (out []group) {
	for _, c := range within(all, common(all)) {
		name, _, deeper := strings.Cut(c.Path, "/")
		if !deeper {
			name = "top"
		}
		i := slices.IndexFunc(out, func(g group) bool { return g.name == name })
		if i < 0 {
			if len(out) == most {
				i, out[most-1].name = most-1, "elsewhere"
			} else {
				i, out = len(out), append(out, group{name: name})
			}
		}
		out[i].all = append(out[i].all, c)
	}
	return out
}

// clip keeps a line within the bound.
func clip(line string) string {
	if r := []rune(line); len(r) > maxTitle {
		return string(r[:maxTitle-1]) + "…"
	}
	return line
}
