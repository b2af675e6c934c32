package prompt

import (
	"embed"

	"fettle/internal/fix"
	"fettle/internal/quote"
	"fettle/internal/wording"
)

//go:embed templates
var builtin embed.FS

// Names are the texts that a person may replace.
func Names() []string { return wording.Names(builtin, "fixer") }

// The templates, each a file in the folder of its role.
const (
	systemText = "system" // constant bytes: nothing is put into it
	firstText  = "first"  // a first attempt
	againText  = "again"  // an attempt after one that failed
	formatText = "format" // after an answer that could not be read
)

// texts are the templates as they hold for one check.
type texts struct {
	wording.Texts
	more map[string]any
}

// textsFor are the person's for the check, for its kind or for all, else the program's own.
func (o Options) textsFor(t fix.Task) texts {
	last := len(t.Feedback) - 1
	return texts{
		wording.Texts{Role: "fixer", Builtin: builtin, Own: o.Templates, For: []string{t.Check.Name, t.Check.Kind()}},
		map[string]any{"Test": t.Check.Kind() == "test", "SentBack": len(t.SentBack) > 0, "Yours": last >= 0 && t.Feedback[last].Own},
	}
}

// fill puts data into a template that is no system text.
func (t texts) fill(name string, data []quote.Text) (string, error) {
	return t.Fill(name, data, t.more)
}
