// Package pattern answers "does this text look like that?", without making every start of the program pay for it: its patterns
// are regular expressions that are compiled when they are first asked. A program that reads one of a hundred formats compiles
// the patterns of one.
package pattern

import (
	"regexp"
	"strings"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first used. Its methods are those of [regexp.Regexp].
type Pattern struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

var (
	mu     sync.Mutex
	all    []*Pattern
	tables []func()
)

// New is a pattern for a package's variable. A text that is no regular expression panics when it is first used; [Check] finds
// such texts before that, in a test.
func New(text string) *Pattern {
	p := &Pattern{text: text}
	mu.Lock()
	defer mu.Unlock()
	all = append(all, p)
	return p
}

// Any matches what one of some patterns matches, each by its own flags.
func Any(patterns ...string) *Pattern {
	return New("(?:" + strings.Join(patterns, ")|(?:") + ")")
}

// Table is a table with patterns in it, for a package's variable, that is made when it is first asked: a program that reads no code need not fill the
// tables for all languages when it starts.
func Table[T any](made func() T) func() T {
	get := sync.OnceValue(made)
	mu.Lock()
	defer mu.Unlock()
	tables = append(tables, func() { get() })
	return get
}

// Lazy is a table with patterns in it, too, for a package that is linked by programs which never ask it: they are spared the table, and regular expressions with it. [Check] knows of it once it was asked.
type Lazy[T any] struct {
	Made func() T
	once sync.Once
	made T
}

// Get is the table.
func (l *Lazy[T]) Get() T {
	l.once.Do(func() { l.made = l.Made() })
	return l.made
}

// Check compiles every pattern of the program, also those of tables, and tells which could not be.
func Check() map[string]error {
	mu.Lock()
	waiting := tables
	mu.Unlock()
	for _, fill := range waiting {
		fill()
	}
	mu.Lock()
	defer mu.Unlock()
	bad := map[string]error{}
	for _, p := range all {
		if _, err := regexp.Compile(p.text); err != nil {
			bad[p.text] = err
		}
	}
	return bad
}

func (p *Pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

// String is the text.
func (p *Pattern) String() string { return p.text }

// Match is [regexp.Regexp.Match].
func (p *Pattern) Match(b []byte) bool { return p.get().Match(b) }

// MatchString is [regexp.Regexp.MatchString].
func (p *Pattern) MatchString(s string) bool { return p.get().MatchString(s) }

// FindString is [regexp.Regexp.FindString].
func (p *Pattern) FindString(s string) string { return p.get().FindString(s) }

// FindStringIndex is [regexp.Regexp.FindStringIndex].
func (p *Pattern) FindStringIndex(s string) []int { return p.get().FindStringIndex(s) }

// FindStringSubmatch is [regexp.Regexp.FindStringSubmatch].
func (p *Pattern) FindStringSubmatch(s string) []string { return p.get().FindStringSubmatch(s) }

// FindStringSubmatchIndex is [regexp.Regexp.FindStringSubmatchIndex].
func (p *Pattern) FindStringSubmatchIndex(s string) []int { return p.get().FindStringSubmatchIndex(s) }

// FindSubmatch is [regexp.Regexp.FindSubmatch].
func (p *Pattern) FindSubmatch(b []byte) [][]byte { return p.get().FindSubmatch(b) }

// FindIndex is [regexp.Regexp.FindIndex].
func (p *Pattern) FindIndex(b []byte) []int { return p.get().FindIndex(b) }

// FindAll is [regexp.Regexp.FindAll].
func (p *Pattern) FindAll(b []byte, n int) [][]byte { return p.get().FindAll(b, n) }

// FindAllString is [regexp.Regexp.FindAllString].
func (p *Pattern) FindAllString(s string, n int) []string { return p.get().FindAllString(s, n) }

// ReplaceAllString is [regexp.Regexp.ReplaceAllString].
func (p *Pattern) ReplaceAllString(s, with string) string { return p.get().ReplaceAllString(s, with) }

// ReplaceAllStringFunc is [regexp.Regexp.ReplaceAllStringFunc].
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.get().ReplaceAllStringFunc(s, with)
}

// ReplaceAll is [regexp.Regexp.ReplaceAll].
func (p *Pattern) ReplaceAll(b, with []byte) []byte { return p.get().ReplaceAll(b, with) }

// Split is [regexp.Regexp.Split].
func (p *Pattern) Split(s string, n int) []string { return p.get().Split(s, n) }

// SubexpIndex is [regexp.Regexp.SubexpIndex].
func (p *Pattern) SubexpIndex(name string) int { return p.get().SubexpIndex(name) }

// FindAllStringSubmatch is [regexp.Regexp.FindAllStringSubmatch].
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.get().FindAllStringSubmatch(s, n)
}

// FindAllSubmatch is [regexp.Regexp.FindAllSubmatch].
func (p *Pattern) FindAllSubmatch(b []byte, n int) [][][]byte { return p.get().FindAllSubmatch(b, n) }

// FindAllStringSubmatchIndex is [regexp.Regexp.FindAllStringSubmatchIndex].
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.get().FindAllStringSubmatchIndex(s, n)
}

// FindAllStringIndex is [regexp.Regexp.FindAllStringIndex].
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.get().FindAllStringIndex(s, n)
}
