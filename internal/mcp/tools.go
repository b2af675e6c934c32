package mcp

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// effect says what a call may change, as clients are told of it.
type effect int

const (
	looks   effect = iota // changes nothing
	mends                 // changes files, and can be undone
	records               // adds a commit
	shows                 // others see it
)

// about is what clients are told of one tool.
type about struct {
	name, title string
	effect      effect
	says        string
}

// tool is the tool for an input of this schema. A field that is not needed is left out, and is not null: some clients know no field of two types.
func (a about) tool(input *jsonschema.Schema) *sdk.Tool {
	for _, field := range input.Properties {
		if n := len(field.Types); n > 0 && field.Types[0] == "null" {
			field.Type, field.Types = field.Types[n-1], nil
		}
	}
	destroys, reaches := a.effect == mends, a.effect == shows
	hints := &sdk.ToolAnnotations{Title: a.title, ReadOnlyHint: a.effect == looks, IdempotentHint: a.effect == looks, DestructiveHint: &destroys, OpenWorldHint: &reaches}
	return &sdk.Tool{Name: a.name, Title: a.title, Description: a.says, Annotations: hints, InputSchema: input}
}

// offerAll adds every tool.
func (s *Server) offerAll() {
	d := s.desk
	offer(s, about{"check", "Run the checks", looks,
		"Run the project's tests, linters, type checks and builds in a private copy, and report what is wrong, with file and line. The working tree stays as it is. Status is PASS, FAIL, or BROKEN where a check could not run; it is what the checks' exit codes say."}, d.Check)
	offer(s, about{"confirm", "Is this fit to be committed?", looks,
		"Say whether what is in the working tree may be committed: every check passes, and the change brings in no weakened tests, silenced checks, dangerous code or secrets; where a second model is set up, it reads what has passed that, and must not object. The verdict is CONFIRMED or DECLINED, with what has to be done first. Nothing is changed."}, d.Confirm)
	offer(s, about{"commit", "Commit what is confirmed", records,
		"Commit on the current branch, after every check has passed on exactly the tree that is committed and nothing in it was refused. The user's hooks run. Files are taken by name; nothing else is staged or left behind. DECLINED says why, and then nothing was committed."}, d.Commit)
	offer(s, about{"push", "Push what passes", shows,
		"Push the current branch to its upstream, after every check has passed on the commit that is pushed. Never forced. DECLINED says why, and then nothing was pushed."},
		func(ctx context.Context, c Call, _ Where) (*Pushed, error) { return d.Push(ctx, c) })
	offer(s, about{"validate_intent", "Is this what was asked for?", looks,
		"Say whether what the agent has said and done since the person's last words is still what they asked for, by the session's transcript. ALIGNED or DRIFTED by rules and, where one is set up, by a model; UNKNOWN, with what could not be judged, where neither can tell."}, d.ValidateIntent)
	offer(s, about{"fix", "Heal what the checks complain of", mends,
		"Propose changes, try each in a private copy, and keep those after which something that was wrong is gone and nothing that passed fails. Without apply nothing is changed: the whole patch is shown. With apply the files are changed; fettle undo takes that back. Tests and settings of checks are never edited to make a check pass."}, d.Fix)
	offer(s, about{"locate", "Where is the fault?", looks,
		"Run the failing tests and some passing ones one by one in a private copy, and show the lines that only the failing ones run, the most suspicious first, with the evidence."}, d.Locate)
	offer(s, about{"audit", "Judge a change", looks,
		"Judge a change by what it brings in: weakened or skipped tests, silenced findings, special cases for tests, dangerous code, secrets, hidden characters, placeholders. Nothing of it is run."}, d.Audit)
	offer(s, about{"explain", "What would this command do?", looks,
		"Read a shell command as bash would, without running it, and say which files, hosts, secrets and settings it would touch, whether the guard's policy allows it, asks about it or denies it, and what to do instead."}, d.Explain)
	offer(s, about{"status", "What was done here?", looks,
		"List fettle's latest sessions in this working tree, or show one session's report: what was wrong, what was changed, what waits for a person, what is left."}, d.Status)
}
