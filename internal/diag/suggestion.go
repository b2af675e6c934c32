package diag

// Suggestion is a fix that a report itself carries for a finding: replacements that belong together, in one file or in
// several. All of them are about the files as they were when the check looked.
type Suggestion struct {
	Replacements []Replacement `json:"replacements"`
}

// Replacement puts a text in the place of a part of a file. The part is a range of lines and columns or, where there is a
// span, that.
//
// A range without columns is of whole lines, End.Line included: the text has no ending for the last of them, and without a
// text they go with their endings. Else a start without a column is the start of its line, and an end without one the end of
// its line, before its ending. A range that ends where it starts inserts.
type Replacement struct {
	File  string `json:"file"` // slash path from the repository's root
	Range Range  `json:"range,omitzero"`
	Span  *Span  `json:"span,omitempty"`
	Unit  Unit   `json:"unit,omitempty"`
	Text  string `json:"text"`
}

// Span is a part of a file by its distance from the file's beginning, from 0.
type Span struct {
	Offset int `json:"offset"`
	Length int `json:"length"`
}

// Unit is what the columns and offsets of a replacement count. The zero value is bytes.
type Unit string

// What tools count.
const (
	Bytes      Unit = ""
	UTF16      Unit = "utf-16"     // units of UTF-16, of which an emoji has two
	Characters Unit = "characters" // code points
)
