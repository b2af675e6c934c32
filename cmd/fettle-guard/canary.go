package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

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
	in, feed, err := os.Pipe()
	if err != nil {
		return err
	}
	said, out, err := os.Pipe()
	if err != nil {
		return errors.Join(err, in.Close(), feed.Close())
	}
	defer said.Close()
	p, err := os.StartProcess(self, []string{self}, &os.ProcAttr{Env: append(os.Environ(), within+"=1"), Files: []*os.File{in, out, out}})
	err = errors.Join(err, in.Close(), out.Close())
	if err != nil {
		return errors.Join(err, feed.Close())
	}
	_, err = io.WriteString(feed, hook.CanaryEvent)
	err = errors.Join(err, feed.Close(), said.SetReadDeadline(time.Now().Add(maxWall/2)))
	answer, failed := io.ReadAll(io.LimitReader(said, 1<<16))
	if failed != nil {
		err = errors.Join(err, failed, p.Kill())
	}
	state, failed := p.Wait()
	switch err = errors.Join(err, failed); {
	case err != nil:
		return fmt.Errorf("the canary got no answer: %w", err)
	case state.ExitCode() != 0 || !bytes.Contains(answer, []byte(`"permissionDecision":"deny"`)):
		return fmt.Errorf("the canary was not refused: exit code %d, %q", state.ExitCode(), answer)
	}
	return nil
}
