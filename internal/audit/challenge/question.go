package challenge

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"fettle/internal/model"
	"fettle/internal/quote"
	"fettle/internal/wording"
)

//go:embed templates
var builtin embed.FS

// Names are the texts that a person may replace.
func Names() []string { return wording.Names(builtin, string(model.Challenger)) }

// The templates.
const (
	systemText = "system" // constant bytes; what data is stands behind it, whoever has written it
	firstText  = "first"  // the question
	formatText = "format" // after an answer that could not be read
)

// texts are the words in which a case is put: the person's for what it is about, else the program's.
func (j Judge) texts(c Case) wording.Texts {
	return wording.Texts{Role: string(model.Challenger), Builtin: builtin, Own: j.Templates, For: c.About}
}

// system is what the judge is told, in constant bytes.
func system(t wording.Texts) (string, error) {
	text, err := t.Read(systemText)
	return strings.TrimRight(text, "\n") + "\n\n" + quote.Told, err
}

// schema is the shape of the answer.
var schema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["issues"],"properties":{"issues":{"type":"array","items":{"type":"object","additionalProperties":false,
"required":["code","solved","quality","feedback","missing"],"properties":{"code":{"type":"string"},"solved":{"type":"boolean"},"feedback":{"type":"string"},"missing":{"type":"array","items":{"type":"string"}},
"quality":{"type":"object","additionalProperties":false,"required":["correctness","safety","minimality","style"],"properties":{
"correctness":{"type":"integer"},"safety":{"type":"integer"},"minimality":{"type":"integer"},"style":{"type":"integer"}}}}}}}}`)

// question puts a case to the judge. All that stands in it is material but for the headings. The diff is source, and stays as it is but for its secrets.
func (j Judge) question(c Case, texts wording.Texts) (model.Request, error) {
	out := j.Out
	var data []quote.Text
	quoted := func(kind, note, body string) {
		data = append(data, quote.Text{Kind: kind, Meta: map[string]any{"note": note}, Body: body})
	}
	put := func(kind, note, body string) { quoted(kind, note, out.Text(body)) }
	codes := make([]string, len(c.Issues))
	for i, issue := range c.Issues {
		codes[i] = issue.Code
		text := issue.Title + "\n"
		if issue.Text != "" {
			text += "\n" + issue.Text
		}
		if len(issue.Files) > 0 {
			text += "\n\nIt lies in: " + strings.Join(issue.Files, ", ")
		}
		put("issue", issue.Code, text)
	}
	quoted("diff", "the whole change", out.Source(c.Diff))
	put("measurements", "what was measured of it", measured(c))
	if len(c.Earlier) > 0 {
		put("earlier judgements", "what was asked for before this change was made", strings.Join(c.Earlier, "\n"))
	}
	names, err := json.Marshal(codes)
	if err != nil {
		return model.Request{}, err
	}
	quoted("codes", "by which the issues are called", string(names))
	rules, err := system(texts)
	if err != nil {
		return model.Request{}, err
	}
	text, err := texts.Fill(firstText, data, map[string]any{"Turns": j.turns(c)})
	if err != nil {
		return model.Request{}, err
	}
	return model.Request{
		Role: model.Challenger, Unlike: c.Makers, Purpose: "challenge", System: rules,
		Messages: []model.Message{{Speaker: model.User, Text: text, Cached: j.turns(c) > 0}},
		Schema:   &model.Schema{Name: "judgement", Schema: schema},
	}, nil
}

// measured tells what verification has seen, as the steps say it.
func measured(c Case) string {
	if c.Evidence == nil {
		return "Nothing was measured."
	}
	var b strings.Builder
	for _, step := range c.Evidence.Steps {
		word := "failed"
		if step.Passed {
			word = "passed"
		}
		fmt.Fprintf(&b, "%s: %s. %s\n", step.Name, word, step.Detail)
	}
	fmt.Fprintf(&b, "findings: %d gone, %d new\n", len(c.Evidence.Delta.Gone), len(c.Evidence.Delta.New))
	if len(c.Evidence.Broken) > 0 {
		fmt.Fprintf(&b, "tests that passed before and do not now: %s\n", strings.Join(c.Evidence.Broken, ", "))
	}
	if !c.Fresh {
		b.WriteString("No test has run since the last edit.\n")
	}
	return b.String()
}
