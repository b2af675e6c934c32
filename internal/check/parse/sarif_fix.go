package parse

import "fettle/internal/diag"

// sarifFix is a fix (§3.55): changes of artifacts that belong together.
type sarifFix struct {
	Changes []struct {
		Artifact     sarifLocation `json:"artifactLocation"`
		Replacements []sarifReplacement
	} `json:"artifactChanges"`
}

// sarifReplacement puts content in the place of a region (§3.57). Without content the region goes.
type sarifReplacement struct {
	Deleted  sarifRegion                    `json:"deletedRegion"`
	Inserted struct{ Text, Binary *string } `json:"insertedContent"`
}

// sarifRegion is a part of an artifact (§3.30): by lines and columns, or by an offset in characters or bytes.
type sarifRegion struct {
	StartLine, StartColumn, EndLine, EndColumn int
	CharOffset, ByteOffset                     *int
	CharLength, ByteLength                     int
}

// suggestions are the fixes of a result. Nothing is left in the place of one that cannot be applied, and nothing after it
// counts.
func (s *sarifRun) suggestions(fixes []sarifFix) []diag.Suggestion {
	var all []diag.Suggestion
	for _, f := range fixes {
		var one diag.Suggestion
		for _, c := range f.Changes {
			file := s.file(c.Artifact)
			for _, r := range c.Replacements {
				one.Replacements = append(one.Replacements, s.replacement(file, r))
			}
		}
		all = append(all, one)
	}
	return sound(all)
}

// replacement is one replacement in a file. Content that is no text gives one that names no file, and so cannot be applied.
func (s *sarifRun) replacement(file string, r sarifReplacement) diag.Replacement {
	out := diag.Replacement{File: file, Unit: s.unit}
	switch in := r.Inserted; {
	case in.Text != nil:
		out.Text = *in.Text
	case in.Binary != nil:
		out.File = ""
	}
	switch g := r.Deleted; {
	case g.StartLine != 0:
		out.Range = g.lines()
	case g.CharOffset != nil:
		out.Span = &diag.Span{Offset: *g.CharOffset, Length: g.CharLength}
	case g.ByteOffset != nil:
		out.Span, out.Unit = &diag.Span{Offset: *g.ByteOffset, Length: g.ByteLength}, diag.Bytes
	}
	return out
}

// lines is a region of lines and columns. What is absent is the start of the first line, that same line, and the end of the
// last line without its ending (§3.30.6 to 3.30.8).
func (g sarifRegion) lines() diag.Range {
	r := diag.Range{
		Start: diag.Position{Line: g.StartLine, Column: g.StartColumn},
		End:   diag.Position{Line: g.EndLine, Column: g.EndColumn},
	}
	if r.Start.Column == 0 {
		r.Start.Column = 1
	}
	if r.End.Line == 0 {
		r.End.Line = r.Start.Line
	}
	return r
}
