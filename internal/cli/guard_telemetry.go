package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/telemetry"
	"fettle/internal/phrase"

	"github.com/spf13/cobra"
)

func (a *app) guardTelemetryCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "telemetry",
		Short: "Say whether decisions are sent to an endpoint of yours, and what waits",
		Long: `Say whether the guard's decisions are sent to an endpoint of yours, and why not; what waits, was sent, and was dropped; and the last error.

It is off until your own policy (~/.config/fettle/policy.yaml) names an endpoint: a collector that speaks OTLP. No command, text, path or name is sent, only what
was decided, of which tool, and by which rule (docs/telemetry.md). FETTLE_TELEMETRY=off, TELEMETRY_ENABLED=false and DO_NOT_TRACK=1 forbid it, always.`,
		Args: oneOfItsCommands,
		RunE: func(*cobra.Command, []string) error { return a.telemetryStatus() },
	}
	status := &cobra.Command{Use: "status", Short: "The same", Args: cobra.NoArgs, RunE: cmd.RunE}
	sample := 0
	preview := &cobra.Command{
		Use:   "preview",
		Short: "Print the next request as it would be sent, byte for byte: nothing is sent",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.telemetryPreview(sample) },
	}
	preview.Flags().IntVar(&sample, "sample", 0, "instead, how the last `N` decisions would look, whether they are to be sent or not")
	var after time.Duration
	send := &cobra.Command{
		Use:   "send",
		Short: "Send what waits, now",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.telemetrySend(cmd.Context(), after) },
	}
	send.Flags().DurationVar(&after, "after", 0, "wait for a `TIME` first: more may come")
	if err := send.Flags().MarkHidden("after"); err != nil { // the hook's way of starting it
		panic(err) // the flag is defined in the line above
	}
	cmd.AddCommand(status, preview, send)
	return cmd
}

// sender is who sends what the person's own policy says, of the guard's log.
func (a *app) sender() (*telemetry.Sender, error) {
	dir, err := hook.Folder(os.Getenv)
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	var p policies
	doc, err := p.readUser(hook.Sources(os.Getenv, home, "")[0])
	if err != nil {
		return nil, err
	}
	to, err := telemetryOf(doc.Telemetry)
	if err != nil {
		return nil, usage("%w", err)
	}
	return &telemetry.Sender{Dir: dir, Setting: to, Version: Version, Environ: os.Environ()}, nil
}

// reportsTo is the endpoint that is told of decisions; empty if none is.
func (a *app) reportsTo() string {
	s, err := a.sender()
	if err != nil || s.Off(os.Getenv) != "" {
		return ""
	}
	to, err := s.Setting.URL()
	if err != nil {
		return ""
	}
	return to
}

func (a *app) telemetryStatus() error {
	s, err := a.sender()
	if err != nil {
		return err
	}
	st, err := s.Status(os.Getenv)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"version": 1, "kind": "guard-telemetry", "telemetry": st})
	}
	if st.On {
		a.print("telemetry is on: decisions are sent to %s", st.Endpoint)
	} else {
		a.print("telemetry is off: %s", st.Why)
	}
	a.print("  waiting:  %s", phrase.Count(int(st.Waiting), "decision"))
	if st.LastSent.IsZero() {
		a.print("  sent:     nothing yet")
	} else {
		a.print("  sent:     %d records, the last %s", st.Sent, st.LastSent.Local().Format(time.DateTime))
	}
	if st.Rejected > 0 {
		a.print("  rejected: %d records, by the endpoint", st.Rejected)
	}
	if st.Dropped > 0 {
		a.print("  dropped:  %s, as too many waited", phrase.Count(int(st.Dropped), "decision"))
	}
	if st.Gaps > 0 {
		a.print("  missing:  the log was gone %d times before it was sent", st.Gaps)
	}
	if st.LastError != "" {
		a.print("  trouble:  %s", st.LastError)
	}
	if st.NotBefore.After(time.Now()) {
		a.print("  resting:  until %s", st.NotBefore.Local().Format(time.DateTime))
	}
	return nil
}

func (a *app) telemetryPreview(sample int) error {
	s, err := a.sender()
	if err != nil {
		return err
	}
	if sample < 0 {
		return usage("--sample is not negative")
	}
	var b *telemetry.Batch
	if sample > 0 {
		b, err = s.Sample(sample)
	} else {
		b, err = s.Preview()
	}
	if err != nil {
		return err
	}
	if b.Records == 0 {
		a.say("nothing waits to be sent")
		return nil
	}
	return a.printExact(append(b.Body, '\n'))
}

func (a *app) telemetrySend(ctx context.Context, after time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(after):
	}
	s, err := a.sender()
	if err != nil {
		return err
	}
	if why := s.Off(os.Getenv); why != "" {
		return fmt.Errorf("telemetry is off: %s", why)
	}
	sent, err := s.Send(ctx)
	if errors.Is(err, telemetry.ErrBusy) && after > 0 {
		return nil // whoever is at work sends this, too
	}
	if err != nil {
		return fmt.Errorf("telemetry: %w", err)
	}
	return a.done(map[string]any{"version": 1, "kind": "guard-telemetry-sent", "records": sent}, "%d records were sent", sent)
}
