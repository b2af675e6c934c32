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

// canary starts this very program as the client does, with a call that it must refuse, and looks whether it does.
func canary() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	said, err := child.Ask([]string{self}, append(os.Environ(), within+"=1"), "/", []byte(hook.CanaryEvent), time.Now().Add(maxWall/2))
	switch {
	case err != nil:
		return fmt.Errorf("the canary got no answer: %w", err)
	case said.Code != 0 || !bytes.Contains(said.Out, []byte(`"permissionDecision":"deny"`)):
		return fmt.Errorf("the canary was not refused: exit code %d, %q%q", said.Code, said.Out, said.Errs)
	}
	return nil
}
