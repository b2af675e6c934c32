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

// canary does as the client does before a tool call: it starts the command that stands in the client's settings, with a call that must be refused, and looks
// whether it is. Where it stands in none, this very program is started.
func canary() error {
	command, err := hook.Asked(os.Getenv)
	if err != nil {
		return err
	}
	argv := []string{"/bin/sh", "-c", command}
	if command == "" {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		argv, command = []string{self}, self
	}
	said, err := child.Ask(argv, append(os.Environ(), within+"=1"), "/", []byte(hook.CanaryEvent), time.Now().Add(maxWall/2))
	switch {
	case err != nil:
		return fmt.Errorf("the canary got no answer from %s: %w", command, err)
	case said.Code != 0 || !bytes.Contains(said.Out, []byte(`"permissionDecision":"deny"`)):
		return fmt.Errorf("the canary was not refused by %s: exit code %d, %q%q", command, said.Code, said.Out, said.Errs)
	}
	return nil
}
