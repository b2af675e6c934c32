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

// canaryFor is how long a canary is waited for: on a machine that is busy with other things a program that judges in milliseconds may start late, and holds all the same.
const canaryFor = 3 * time.Second

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
	said, err := child.Ask(argv, append(os.Environ(), within+"=1"), "/", []byte(hook.CanaryEvent), time.Now().Add(canaryFor))
	switch {
	case err != nil:
		err = fmt.Errorf("%s gives no answer (%w)", program, err)
	case said.Code == 2:
		why, _, _ := bytes.Cut(bytes.TrimSpace(said.Errs), []byte("\n"))
		err = fmt.Errorf("%s %w (it says %q)", program, hook.ErrUnjudged, why)
	case said.Code != 0 || !bytes.Contains(said.Out, []byte(`"permissionDecision":"deny"`)):
		err = fmt.Errorf("%s lets through what it must refuse (exit code %d)", program, said.Code)
	default:
		return nil
	}
	return fmt.Errorf("%w: run `fettle guard install` again, and begin a new session", err)
}
