package edit

import (
	"bytes"
	"cmp"
	"crypto/sha1" //nolint:gosec // git names objects by it
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// diffEdits gives the edits that the diff makes to base.
func (d *draft) diffEdits(g *gitdiff.File, path string, base []byte) ([]Edit, error) {
	if g.IsBinary {
		return binaryEdits(g, path, base)
	}
	p := placer{draft: d, path: path, raw: rawText(base), bare: newText(base)}
	var edits []Edit
	for _, frag := range g.TextFragments {
		found, err := p.place(frag)
		if err != nil {
			return nil, err
		}
		edits = append(edits, found...)
	}
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	for i, e := range edits {
		if err := e.follows(edits[:i]); err != nil {
			return nil, reject(path, p.raw.at(e.Start)+1, "two hunks change the same place")
		}
	}
	return edits, nil
}

// placer finds where hunks belong in one file.
type placer struct {
	draft     *draft
	path      string
	raw, bare text // the file's lines with and without a byte order mark in the first
}

// place gives the edits of one hunk.
func (p *placer) place(frag *gitdiff.TextFragment) ([]Edit, error) {
	var old []string
	for _, l := range frag.Lines {
		if l.Old() {
			old = append(old, l.Line)
		}
	}
	said := int(frag.OldPosition) - 1
	if len(old) == 0 {
		if len(p.raw.data) > 0 {
			return nil, reject(p.path, said+1, "the hunk shows no line of the file, so that nothing says whether it belongs there; make the diff with context")
		}
		return p.edits(frag, 0, true)
	}
	at, exact, err := p.find(old, said)
	if err != nil {
		return nil, err
	}
	switch {
	case said < 0:
		p.draft.note(p.path, at+1, "the hunk names no line; its lines were found at line %d", at+1)
	case at != said:
		p.draft.note(p.path, at+1, "the hunk for line %d was found at line %d", said+1, at+1)
	}
	if !exact {
		p.draft.note(p.path, at+1, "the hunk's lines differ from the file's in their endings only (%s, byte order mark, or newline at the end); the file's were kept", eolName(p.raw.endingOf(at, at+len(old))))
	}
	return p.edits(frag, at, exact)
}

// find says from which line on the old lines stand in the file, and whether byte by byte.
func (p *placer) find(old []string, said int) (at int, exact bool, err error) {
	same := func(i, k int) bool { return p.raw.whole(i) == old[k] }
	alike := func(i, k int) bool {
		want, _ := cutEnding(old[k])
		if i == 0 {
			want = strings.TrimPrefix(want, byteOrderMark)
		}
		return p.bare.line(i) == want
	}
	views := []struct {
		text  text
		match func(i, k int) bool
	}{{p.raw, same}, {p.bare, alike}}
	for _, v := range views {
		if said < 0 || said+len(old) > v.text.lines() {
			continue
		}
		k := 0
		for k < len(old) && v.match(said+k, k) {
			k++
		}
		if k == len(old) {
			return said, p.allSame(old, said), nil
		}
	}
	for _, v := range views {
		found := v.text.findAll(len(old), v.match)
		if len(found) == 1 {
			return found[0], p.allSame(old, found[0]), nil
		}
		if len(found) > 1 && said < 0 {
			return 0, false, reject(p.path, found[0]+1, "the hunk names no line, and its lines stand in %d places, the first at line %d; show more lines around them", len(found), found[0]+1)
		}
		if len(found) > 1 {
			return 0, false, reject(p.path, said+1, "the hunk's lines are not at line %d, and they stand in %d other places, the first at line %d", said+1, len(found), found[0]+1)
		}
	}
	return 0, false, p.mismatch(old, said)
}

func (p *placer) allSame(old []string, at int) bool {
	for k := range old {
		if p.raw.whole(at+k) != old[k] {
			return false
		}
	}
	return true
}

// mismatch names the first line in which the hunk and the file differ at the place that the hunk names.
func (p *placer) mismatch(old []string, said int) error {
	if said < 0 {
		want, _ := cutEnding(old[0])
		return reject(p.path, 0, "the hunk's lines are not in the file (they begin %q)", want)
	}
	for k := range old {
		want, _ := cutEnding(old[k])
		i := said + k
		if i < 0 || i >= p.bare.lines() {
			return reject(p.path, i+1, "the hunk does not fit: it expects %q here, but the file has only %d lines", want, p.bare.lines())
		}
		if have := p.bare.line(i); have != want {
			return reject(p.path, i+1, "the hunk does not fit here nor anywhere else\n  expected: %q\n  found:    %q", want, have)
		}
	}
	return reject(p.path, said+1, "the hunk does not fit")
}

// edits gives a placed hunk's edits: one for each run of added and removed lines.
func (p *placer) edits(frag *gitdiff.TextFragment, at int, exact bool) ([]Edit, error) {
	var out []Edit
	var added []string
	from, to := at, at
	flush := func() error {
		if from == to && len(added) == 0 {
			return nil
		}
		e, err := p.run(from, to, added, exact)
		out, added = append(out, e), nil
		return err
	}
	for _, l := range frag.Lines {
		switch l.Op {
		case gitdiff.OpDelete:
			to++
		case gitdiff.OpAdd:
			added = append(added, l.Line)
		case gitdiff.OpContext:
			if err := flush(); err != nil {
				return nil, err
			}
			to++
			from = to
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return out, nil
}

// run gives the edit that puts added lines in place of lines from to to.
func (p *placer) run(from, to int, added []string, exact bool) (Edit, error) {
	t := p.raw
	for i, l := range added {
		if last := i == len(added)-1 && to == t.lines(); !last && !strings.HasSuffix(l, "\n") {
			return Edit{}, reject(p.path, to, "the diff adds a line without a newline that is not the last of the file: %q", l)
		}
	}
	appends := from == to && to == t.lines() && to > 0 && t.ending(to-1) == ""
	if exact && !appends {
		return Edit{Start: t.starts[from], End: t.starts[to], New: []byte(strings.Join(added, ""))}, nil
	}
	for i := range added {
		added[i], _ = cutEnding(added[i])
	}
	if from == 0 && len(added) > 0 {
		added[0] = strings.TrimPrefix(added[0], byteOrderMark)
	}
	return p.bare.replace(from, to, added), nil
}

// binaryEdits reads a binary change, which is bound to its base by the object name in the index line alone.
func binaryEdits(g *gitdiff.File, path string, base []byte) ([]Edit, error) {
	if g.BinaryFragment == nil {
		return nil, reject(path, 0, "the diff says that this binary file differs, but not how; make it with git diff --binary")
	}
	if !g.IsNew && !isBlob(base, g.OldOIDPrefix) {
		return nil, reject(path, 0, "the binary change was made for other content (object %s)", g.OldOIDPrefix)
	}
	var after bytes.Buffer
	if err := gitdiff.Apply(&after, bytes.NewReader(base), g, gitdiff.WithMaxBinaryFragmentBytes(64<<20)); err != nil {
		return nil, reject(path, 0, "the binary change cannot be applied: %v", err)
	}
	if bytes.Equal(base, after.Bytes()) {
		return nil, nil
	}
	return []Edit{diffBytes(base, after.Bytes())}, nil
}

// isBlob says whether git's name for the content begins with prefix. Seven digits is git's shortest abbreviation.
func isBlob(data []byte, prefix string) bool {
	head := fmt.Sprintf("blob %d\x00", len(data))
	object := append([]byte(head), data...)
	one, two := sha1.Sum(object), sha256.Sum256(object) //nolint:gosec // git's name for the object, no secret
	return len(prefix) >= 7 && (strings.HasPrefix(hex.EncodeToString(one[:]), prefix) || strings.HasPrefix(hex.EncodeToString(two[:]), prefix))
}
