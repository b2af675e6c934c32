package edit

import (
	"fmt"
	"io/fs"
	"strings"
)

// Unified gives the patch as a unified diff in git's form, which git apply accepts where all files are text. Binary files (with a NUL
// byte) are only named. Modes are git's 100644 and 100755 where these say what changes; others stand as they are, and git takes
// them with a warning.
func (p Patch) Unified(src Source) (string, error) {
	var b strings.Builder
	err := p.each(src, func(c Change, before, after File) {
		writeFile(&b, c, before, after)
	})
	if err != nil {
		return "", err
	}
	return b.String(), nil
}

// each applies the changes one by one, after the whole was validated.
func (p Patch) each(src Source, do func(c Change, before, after File)) error {
	if err := p.Validate(); err != nil {
		return err
	}
	for _, c := range p {
		before, err := src(c.Path)
		if err != nil {
			return fmt.Errorf("reading %s: %w", c.Path, err)
		}
		after, err := c.Apply(before)
		if err != nil {
			return err
		}
		do(c, before, after)
	}
	return nil
}

func writeFile(b *strings.Builder, c Change, before, after File) {
	from, to := quoteName("a/"+c.Path), quoteName("b/"+c.Path)
	fmt.Fprintf(b, "diff --git %s %s\n", from, to)
	switch c.Op {
	case Create:
		fmt.Fprintf(b, "new file mode 100%03o\n", after.Mode.Perm())
		from = "/dev/null"
	case Delete:
		fmt.Fprintf(b, "deleted file mode 100%03o\n", gitMode(before.Mode))
		to = "/dev/null"
	case Modify:
		writeMode(b, before.Mode.Perm(), after.Mode.Perm())
	}
	edits := diffLines(before.Data, after.Data)
	if len(edits) == 0 {
		return
	}
	if isBinary(before.Data) || isBinary(after.Data) {
		fmt.Fprintf(b, "Binary files %s and %s differ\n", from, to)
		return
	}
	fmt.Fprintf(b, "--- %s%s\n+++ %s%s\n", from, nameEnd(from), to, nameEnd(to))
	for _, h := range hunks(rawText(before.Data), edits) {
		h.write(b)
	}
}

// writeMode says how the mode changes: in git's own two modes if that is all there is to it.
func writeMode(b *strings.Builder, before, after fs.FileMode) {
	if before == after {
		return
	}
	if gitChmod(before, gitMode(after)) == after {
		before, after = gitMode(before), gitMode(after)
	}
	fmt.Fprintf(b, "old mode 100%03o\nnew mode 100%03o\n", before, after)
}

// gitMode is the one of git's two modes for files that a mode becomes.
func gitMode(m fs.FileMode) fs.FileMode {
	if m&0o100 != 0 {
		return 0o755
	}
	return 0o644
}

// gitChmod gives a file's mode after git's mode is set on it: who may read may execute, or nobody.
func gitChmod(have, git fs.FileMode) fs.FileMode {
	if git == 0o755 {
		return have | have&0o444>>2
	}
	return have &^ 0o111
}

// nameEnd is what follows a name in a header: a tab after blanks, by which readers know where the name ends.
func nameEnd(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return "\t"
	}
	return ""
}

// quoteName writes a name as git does: in quotes and with C escapes if it holds control characters, quotes, backslashes, or bytes that are
// not UTF-8.
func quoteName(name string) string {
	var b strings.Builder
	quoted := false
	for _, r := range []byte(name) {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(rune(r)))
			quoted = true
		case r == '\n':
			b.WriteString(`\n`)
			quoted = true
		case r == '\t':
			b.WriteString(`\t`)
			quoted = true
		case r < 0x20 || r >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, r)
			quoted = true
		default:
			b.WriteByte(r)
		}
	}
	if !quoted {
		return name
	}
	return `"` + b.String() + `"`
}
