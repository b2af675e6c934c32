package audit

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// A source in a language with braces that has no grammar here is read by its blocks: what a line stands in is told by the heads of the braces that are open there.

// blankedText is a source in which comments and the insides of texts are blanks, so that its braces are those of the program. Lines stay where they are.
func blankedText(name string, src []byte) string {
	out := slices.Clone(src)
	blank := func(from, to int) {
		for i := from; i < min(to, len(out)); i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	for i := 0; i < len(src); i++ {
		switch rest := src[i:]; {
		case bytes.HasPrefix(rest, []byte("//")):
			end := i + upTo(rest, "\n", 0)
			blank(i, end)
			i = end - 1
		case bytes.HasPrefix(rest, []byte("/*")):
			end := i + upTo(rest, "*/", 2)
			blank(i, end)
			i = end - 1
		case src[i] == '"', src[i] == '\'' && isCharacter(rest):
			end := i + endOfText(rest, lang.Of(name) == lang.Rust)
			blank(i+1, end-1)
			i = end - 1
		}
	}
	return string(out)
}

// upTo is where a mark ends in a text, looked for from a place on; the end of the text, if it is not there.
func upTo(text []byte, mark string, from int) int {
	if i := bytes.Index(text[min(from, len(text)):], []byte(mark)); i >= 0 {
		return from + i + len(mark)
	}
	return len(text)
}

// isCharacter reports whether a quote begins a character, and no lifetime, no label and no group of digits.
func isCharacter(text []byte) bool {
	return len(text) > 2 && (text[1] == '\\' || text[2] == '\'')
}

// endOfText is where a text ends that begins with its quote: on its line, unless texts go on over lines.
func endOfText(text []byte, over bool) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == text[0]:
			return i + 1
		case text[i] == '\n' && !over:
			return i
		}
	}
	return len(text)
}

// blocks are, for each line of a source, the heads of the braces that are open where it begins. Of what a preprocessor chooses from, each branch begins with the same ones.
func blocks(name string, src []byte) [][]string {
	var open, all [][]string
	var heads []string
	var head strings.Builder
	for text := range strings.Lines(blankedText(name, src)) {
		all = append(all, slices.Clone(heads))
		if m := directive.FindStringSubmatch(text); m != nil {
			switch m[1] {
			case "if", "ifdef", "ifndef":
				open = append(open, slices.Clone(heads))
			case "else", "elif", "elseif":
				if len(open) > 0 {
					heads = slices.Clone(open[len(open)-1])
				}
			case "endif":
				open = open[:max(0, len(open)-1)]
			}
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(text), "#") && lang.Of(name) != lang.Rust {
			continue
		}
		for _, r := range text {
			switch r {
			case '{':
				heads = append(heads, strings.Join(strings.Fields(head.String()), " "))
				head.Reset()
			case '}':
				heads = heads[:max(0, len(heads)-1)]
				head.Reset()
			case ';':
				head.Reset()
			default:
				head.WriteRune(r)
			}
		}
	}
	return all
}

// endsOfBlocks tells, for the line of a head, from 1, where in a source its block ends: behind the line that is no further in than the head, and closes all that was opened since. In Ruby an
// end closes it, elsewhere a brace. A block that nothing closes goes on to the end of the source.
func endsOfBlocks(name string, src []byte) func(head int) int {
	lines := strings.SplitAfter(string(src), "\n")
	plain := strings.Split(blankedText(name, src), "\n")
	ruby := lang.Of(name) == lang.Ruby
	starts := make([]int, len(lines))
	for i := 1; i < len(lines); i++ {
		starts[i] = starts[i-1] + len(lines[i-1])
	}
	return func(head int) int {
		end := starts[head-1]
		depth, opened := 0, false
		for i := head - 1; i < len(lines); i++ {
			end += len(lines[i])
			depth += strings.Count(plain[i], "{") - strings.Count(plain[i], "}")
			opened = opened || strings.Contains(plain[i], "{")
			switch {
			case indentOf(lines[i]) > indentOf(lines[head-1]):
			case ruby && i >= head && rubyEnd.MatchString(lines[i]), !ruby && opened && depth <= 0:
				return end
			}
		}
		return end
	}
}

// rubyEnd matches a line that closes a block of Ruby's.
var rubyEnd = pattern.New(`^\s*(?:end\b|\})`)

var (
	// directive matches the lines by which a preprocessor chooses what is compiled.
	directive = pattern.New(`^\s*#\s*(ifdef|ifndef|if|elif|elseif|else|endif)\b`)
	// holderHead matches the head of a block that holds functions, and is none.
	holderHead = pattern.New(`\b(?:namespace|class|struct|union|enum|interface|record|protocol|extension|trait|impl|mod|object|actor|extern|package)\b[^()]*$|\b(?:record|class|extern|impl|enum)\b[^{]*$`)
	attributes = pattern.New(`^(?:\s*#?\[[^\]]*\])+`)
	bodyHead   = pattern.New(`\)[^()]*$|^(?:get|set|init|deinit|do|else|try|loop|unsafe|add|remove)\b|->[^()]*$|=>\s*$|\b(?:var|let)\s+\w+\s*:`)
	rustBody   = pattern.New(`\bfn\s+\w+`)
)

// functionAround is the head of the outermost function that blocks are in; empty, if they are in none.
func functionAround(name string, heads []string) string {
	for _, head := range heads {
		head = strings.TrimSpace(attributes.ReplaceAllString(head, ""))
		switch {
		case lang.Of(name) == lang.Rust:
			if rustBody.MatchString(head) {
				return head
			}
		case holderHead.MatchString(head) && !functionLike.MatchString(head):
		case bodyHead.MatchString(head):
			return head
		}
	}
	return ""
}

// functionLike matches heads that name a type on the way to a function: struct point make(int x).
var functionLike = pattern.New(`\b(?:struct|union|enum|func|fun)\b[^()]*\w\s*\([^{]*\)[^()]*$`)

// isPreprocessed reports whether a preprocessor chooses what of a file is compiled.
func isPreprocessed(name string) bool {
	return slices.Contains([]lang.Language{lang.C, lang.CPP, lang.CSharp, lang.Swift}, lang.Of(name)) || slices.Contains([]string{".m", ".mm", ".cu", ".ino"}, path.Ext(name))
}

// goesOn matches lines that are no further in than a function's head, and belong to it.
var goesOn = pattern.New(`^\s*(?:\{$|(?:rescue|ensure|else|catch|after)\b)`)

// bodyAt is a function of a source: its head's line, and those below that are further in.
func bodyAt(lines []string, at int) string {
	end := at + 1
	for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || indentOf(lines[end]) > indentOf(lines[at]) || goesOn.MatchString(lines[end])) {
		end++
	}
	return strings.Join(lines[at:end], "\n")
}

// statement matches lines that call, choose or go through something, and define nothing.
var statement = pattern.New(`^\s*(?:if|else|for|foreach|while|switch|return|catch|using|lock|when|match|throw|new|await|do|try)\b`)
