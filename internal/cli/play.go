package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fettle/internal/model"
	"fettle/internal/model/loopback"

	"github.com/spf13/cobra"
)

func (a *app) playCmd() *cobra.Command {
	port := 0
	cmd := &cobra.Command{
		Use:   "play SCRIPT",
		Short: "Play a model on this machine, from a file of its answers",
		Long: `Answer on this machine's loopback as Anthropic, OpenAI and Gemini would, until interrupted, with what stands in SCRIPT: answers written by hand
(docs/models.md), or what "fettle fix --record FILE" has written down. No key is needed and nothing leaves the machine: to try fettle, or an agent's
command line, without a model, or to have a session once more. A provider of the kind script in models.yaml does the same without a server.`,
		Example: `  fettle fix --record ../session.jsonl
  fettle play ../session.jsonl --port 8931`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.play(cmd.Context(), args[0], port) },
	}
	cmd.Flags().IntVar(&port, "port", 0, "listen on `N` of 127.0.0.1 (default: any that is free)")
	return cmd
}

func (a *app) play(ctx context.Context, file string, port int) error {
	script, err := model.LoadScript(file)
	if err != nil {
		return usage("%v", err)
	}
	l, err := loopback.Listen(fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return fmt.Errorf("play %s: %w", file, err)
	}
	at := "http://" + l.Addr().String()
	if a.json {
		if err := a.printJSON(map[string]any{"version": 1, "kind": "play", "address": at}); err != nil {
			return err
		}
	} else {
		a.print("%s answers at %s, until Ctrl-C. In another terminal, one of these, and then fettle doctor --models:", filepath.Base(file), at)
		a.print("  export ANTHROPIC_BASE_URL=%s ANTHROPIC_API_KEY=played", at)
		a.print("  export OPENAI_BASE_URL=%s/v1 OPENAI_API_KEY=played", at)
		a.print("  export GOOGLE_GEMINI_BASE_URL=%s GEMINI_API_KEY=played", at)
	}
	if err := loopback.New(script, nil).Serve(ctx, l); err != nil {
		return fmt.Errorf("play %s: %w", file, err)
	}
	return nil
}

// recordTo opens a new file for what models answer; no name: nothing is written down.
func (h *house) recordTo(name string) error {
	if name == "" {
		return nil
	}
	full, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(dir, filepath.Base(full))
	}
	if within(h.root, full) {
		return usage("--record %s: lies in the repository that is healed; give a file outside of it", name)
	}
	h.recording, err = os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return usage("--record %s: is there already; give a new file", name)
	}
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}
