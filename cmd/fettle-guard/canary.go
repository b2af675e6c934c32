package main

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"fettle/internal/guard/child"
	"fettle/internal/guard/hook"
)

// within marks a process that a canary has started, so that it starts none itself.
const within = "FETTLE_GUARD_CANARY"

// canary does as a client does before a tool call: it starts the command that stands in the client's settings, with a call that must be refused, and looks
// whether it is. Where it stands in none, this very program is started.
func canary(client string) error {
	command, err := hook.Asked(client, os.Getenv)
	if err != nil {
		return err
	}
	argv, program := []string{"/bin/sh", "-c", command}, hook.Starts(command)
	if command == "" {
		if program, err = os.Executable(); err != nil {
			return err
		}
		argv = []string{program}
	}
	said, err := child.Ask(argv, append(os.Environ(), within+"=1"), "/", []byte(hook.CanaryEvent), time.Now().Add(maxWall/2))
	switch {
	case err != nil:
		return fmt.Errorf("%s gives no answer (%w): run `fettle guard install` again, and begin a new session", program, err)
	case said.Code == 2:
		why, _, _ := bytes.Cut(bytes.TrimSpace(said.Errs), []byte("\n"))
		return fmt.Errorf("%s %w (it says %q): mend that, or run `fettle guard install` again, and begin a new session", program, hook.ErrUnjudged, why)
	case said.Code != 0 || !bytes.Contains(said.Out, []byte(`"permissionDecision":"deny"`)):
		return fmt.Errorf("%s lets through what it must refuse (exit code %d): run `fettle guard install` again, and begin a new session", program, said.Code)
	}
	return nil
}
