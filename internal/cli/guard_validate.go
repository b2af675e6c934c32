package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/check"
	"fettle/internal/guard/opinion"
	"fettle/internal/guard/validate"
	"fettle/internal/model"

	"github.com/spf13/cobra"
)

// mostAsked is how long a question of the guard's may be, in bytes: far longer than what it puts into one.
const mostAsked = 16 << 20

func (a *app) guardValidateCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "validate",
		Short: "Answer one question of the guard's by asking a model: a validator for your policy",
		Long: `Read one question of the guard's on standard input, have a model judge it, and write the answer on standard output. It is a validator: name it
in your own policy (~/.config/fettle/policy.yaml), and the guard asks it for second opinions.

  validator:
    command: [fettle, guard, validate]

Which models are asked is said by your models.yaml (docs/models.md). They see the call, what the rules found out about it, and what you said; never what
tools have printed. An answer that cannot be read, after two more tries, is a no. Texts of your own in ~/.config/fettle/prompts/guard take the place of
the questions (docs/prompts.md).`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.validate(cmd.Context(), cmd.InOrStdin()) },
	}
}

func (a *app) validate(ctx context.Context, in io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(in, mostAsked+1))
	if err != nil {
		return err
	}
	var r validate.Request
	if len(data) > mostAsked {
		return usage("the question is longer than %d bytes", mostAsked)
	}
	data = redactor().RedactJSON(data) // the guard has done so already, in its own environment; other callers need not
	if err := json.Unmarshal(data, &r); err != nil {
		return usage("the question cannot be read: %w; fettle guard validate is started by the guard", err)
	}
	if err := modelsMayKnow(r.Root); err != nil {
		return err
	}
	m, err := mindsOf(ctx, r.Root, modelChoice{}, bound{}, nil)
	if err != nil {
		return err
	}
	defer func() { _ = m.purse.Close() }() // what was spent is written down when it is spent
	if m.client == nil {
		return fmt.Errorf("no model can be asked: %s", m.why)
	}
	if _, _, err := m.client.Ready(model.Approver, ""); err != nil {
		return err
	}
	words, done, err := guardPrompts(r.Root)
	if err != nil {
		return err
	}
	defer done()
	reply, err := opinion.Validator{Caller: m.client, Tiers: m.client.Given(), Redactor: redactor(), Templates: words}.Answer(ctx, r)
	if err != nil {
		return err
	}
	text, err := a.document(reply, "")
	if err != nil {
		return err
	}
	return a.printExact(text)
}

// guardPrompts are the person's own prompts for the guard, from their configuration folder; nil: there are none. Whoever can write them says how an agent is judged: so they do not lie in the
// project whose agent that is, no link leads out of the folder, and one that would be asked by nobody is an error.
func guardPrompts(root string) (words fs.FS, done func(), err error) {
	config, nothing := model.Folder(os.Getenv), func() {}
	dir := filepath.Join(config, "prompts", "guard")
	entries, err := os.ReadDir(dir)
	switch {
	case config == "" || errors.Is(err, fs.ErrNotExist):
		return nil, nothing, nil
	case err != nil:
		return nil, nothing, fmt.Errorf("your prompts for the guard cannot be read: %w", err)
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".md"); !ok || !slices.Contains(opinion.Names(), name) {
			return nil, nothing, fmt.Errorf("%s is no prompt of the guard's: name it as one of these, with .md behind it: %s", filepath.Join(dir, e.Name()), strings.Join(opinion.Names(), ", "))
		}
	}
	if config, err = filepath.EvalSymlinks(config); err != nil {
		return nil, nothing, fmt.Errorf("your prompts for the guard cannot be read: %w", err)
	}
	if root != "" {
		if project, err := filepath.EvalSymlinks(root); err == nil && within(project, config) {
			return nil, nothing, fmt.Errorf("your prompts for the guard (%s) lie in the project whose agent they would judge: move them out of it", dir)
		}
	}
	folder, err := os.OpenRoot(config)
	if err != nil {
		return nil, nothing, fmt.Errorf("your prompts for the guard cannot be read: %w", err)
	}
	words, err = fs.Sub(folder.FS(), "prompts")
	return words, func() { _ = folder.Close() }, err // only read
}

// modelsMayKnow is an error where a project keeps models out, or may do so: nothing else of what it says counts here, as it is no project's to say who judges its agent.
func modelsMayKnow(root string) error {
	if root == "" {
		return nil
	}
	c, err := check.Load(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("no model is asked, as nobody can tell whether this project keeps models out: %w", err)
	case c.Models.Off:
		return errors.New("no model can be asked: " + check.FileName + " says that no model is asked here (models: off)")
	}
	return nil
}
