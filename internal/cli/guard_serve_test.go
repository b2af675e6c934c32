package cli_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fettle/internal/guard/resident"

	"github.com/rogpeppe/go-internal/testscript"
)

// freePort sets a variable to a port that nobody listens on: port NAME. A resident guard that the story leaves behind is ended with it.
func freePort(ts *testscript.TestScript, _ bool, args []string) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	_, port, _ := net.SplitHostPort(on.Addr().String())
	ts.Check(on.Close())
	ts.Setenv(args[0], port)
	ts.Defer(func() {
		if post, err := resident.Read(guardFolder(ts)); err == nil {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			_ = post.Stop(ctx) // most stories have ended it themselves
		}
	})
}

func guardFolder(ts *testscript.TestScript) string {
	return filepath.Join(ts.Getenv("HOME"), ".local", "state", "fettle", "guard")
}

// postEvent sends an event to the resident guard as Claude Code does, and keeps the answer: post EVENT ANSWER.
func postEvent(ts *testscript.TestScript, _ bool, args []string) {
	post, err := resident.Read(guardFolder(ts))
	ts.Check(err)
	req, err := http.NewRequest(http.MethodPost, post.URL(), strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	req.Header.Set("Authorization", "Bearer "+post.Token)
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	ts.Check(err)
	if resp.StatusCode != http.StatusOK {
		ts.Fatalf("%s: %s", resp.Status, said)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), said, 0o644))
}
