package diag

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"fettle/internal/pattern"
)

// Fingerprint identifies a finding across runs: 16 hex digits. It is the same after lines were added or removed elsewhere
// in the file, and differs between two like findings in one file.
type Fingerprint string

// numbers in a message are mostly line numbers, columns and addresses: they move while the finding stays the same.
var numbers = pattern.New(`0x[0-9a-fA-F]+|\d+`)

// Identify sets the ID of each diagnostic in place and returns the slice.
//
// A failing test is the same finding whatever it prints, so only its name counts. Any other finding is its check, tool,
// file, rule, message with numbers folded, and the source line it is about with white space folded. Findings alike in all
// of these are told apart by their order in the list, so lists from one tool must come in the tool's own order.
func Identify(ds []Diagnostic) []Diagnostic {
	seen := make(map[string]int, len(ds))
	for i := range ds {
		k := ds[i].key()
		n := seen[k]
		seen[k] = n + 1
		sum := sha256.Sum256([]byte(k + "\x00" + strconv.Itoa(n)))
		ds[i].ID = Fingerprint(hex.EncodeToString(sum[:8]))
	}
	return ds
}

func (d Diagnostic) key() string {
	return d.says() + "\x00" + strings.Join(strings.Fields(d.quoted()), " ")
}

// says is the finding without the source line it is about.
func (d Diagnostic) says() string {
	if d.Test != "" {
		return strings.Join([]string{"test", d.Check, d.Test}, "\x00")
	}
	return strings.Join([]string{
		"finding", d.Check, d.Tool, d.File, d.Dir, d.Rule, numbers.ReplaceAllString(d.Message, "#"),
	}, "\x00")
}

// quoted is the excerpt, where it counts: a failing test is the same finding whatever line its assertion stands in, and a file that is
// not formatted whichever of its lines shows it first.
func (d Diagnostic) quoted() string {
	if d.Test != "" || d.Rule == "format" || d.Rule == "unformatted" {
		return ""
	}
	return d.Excerpt
}
