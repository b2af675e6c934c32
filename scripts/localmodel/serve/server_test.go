package serve_test

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"fettle/internal/model"
	"fettle/internal/testenv"
	"fettle/scripts/lay"
	"fettle/scripts/localmodel/serve"
)

// module stands for the server's: it says that it is healthy the second time that it is asked, and writes down how it was started.
const module = `
import http.server, json, os, sys, threading

class Some: pass

class CommonParams:
    def __init__(self):
        self.model, self.cpuparams, self.cpuparams_batch, self.sampling = Some(), Some(), Some(), Some()

class Server:
    def __init__(self, params):
        if params.model.path == "broken":
            print("no such model", file=sys.stderr)
            sys.exit(3)
        if params.model.path == "mute":
            threading.Event().wait()
        asked = []
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(503 if len(asked) < 2 else 200)
                self.end_headers()
                self.wfile.write(json.dumps({"pid": os.getpid(), "threads": params.cpuparams.n_threads, "context": params.n_ctx, "waits": os.environ["OMP_WAIT_POLICY"]}).encode())
            def log_message(self, *args): pass
        s = http.server.ThreadingHTTPServer((params.hostnames[0], params.port), Handler)
        threading.Thread(target=s.serve_forever, daemon=True).start()
        self.listening_address = "http://127.0.0.1:%d" % s.server_port
`

func python(t *testing.T) serve.Python {
	t.Helper()
	testenv.NeedTool(t, "python3")
	dir := t.TempDir()
	assert.NilError(t, lay.Files(dir, map[string]string{"xllamacpp.py": module}))
	program := filepath.Join(dir, "python")
	assert.NilError(t, os.WriteFile(program, []byte("#!/bin/sh\nPYTHONPATH='"+dir+"' exec python3 \"$@\"\n"), 0o700))
	return serve.Python{Program: program}
}

var how = serve.How{Context: 4096, Threads: 2, Seed: 1}

func TestServed(t *testing.T) {
	s, err := python(t).Start(t.Context(), "tiny", "weights", how)
	assert.NilError(t, err)
	resp, err := http.Get(s.URL + "/health")
	assert.NilError(t, err)
	body := make([]byte, 200)
	n, _ := resp.Body.Read(body)
	assert.NilError(t, resp.Body.Close())
	for _, want := range []string{`"threads": 2`, `"context": 4096`, `"waits": "passive"`} {
		assert.Assert(t, strings.Contains(string(body[:n]), want), string(body[:n]))
	}
	s.Close()
	<-s.Ended()
	if resp, err := http.Get(s.URL + "/health"); err == nil {
		t.Error("something listens still", resp.Body.Close())
	}
}

func TestNotServed(t *testing.T) {
	_, err := python(t).Start(t.Context(), "tiny", "broken", how)
	assert.ErrorContains(t, err, "it ended before it served anything")
	assert.ErrorContains(t, err, "no such model")
}

// A server that does not come up is ended with whoever waits for it.
func TestGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := python(t).Start(ctx, "tiny", "mute", how)
	assert.ErrorIs(t, err, context.Canceled)
}

// Whoever has started a server may be killed: the server ends with them.
func TestNothingIsLeft(t *testing.T) {
	if os.Getenv("SERVE_AND_DIE") != "" {
		s, err := serve.Python{Program: os.Getenv("SERVE_AND_DIE")}.Start(t.Context(), "tiny", "weights", how)
		if err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString(s.URL + "\n")
		select {} // until it is killed
	}
	child := exec.Command(os.Args[0], "-test.run=^TestNothingIsLeft$")
	child.Env = append(os.Environ(), "SERVE_AND_DIE="+python(t).Program)
	out, err := child.StdoutPipe()
	assert.NilError(t, err)
	assert.NilError(t, child.Start())
	line := make([]byte, 200)
	n, err := out.Read(line)
	assert.NilError(t, err)
	address := strings.TrimSpace(string(line[:n]))
	assert.NilError(t, child.Process.Kill())
	_ = child.Wait() // it was killed
	for {            // until it is gone; the test's own time is the limit
		resp, err := http.Get(address + "/health")
		if err != nil {
			return
		}
		_ = resp.Body.Close()
	}
}

// What is told to be written into models.yaml is one: it names the server as the only one to ask, and how much it reads.
func TestConfig(t *testing.T) {
	s := &serve.Server{URL: "http://127.0.0.1:8080", Name: "tiny"}
	own, err := model.ReadOwn(model.FileName, []byte(s.Config(how, ", timeout: 1h")))
	assert.NilError(t, err)
	table, err := model.Default().WithOwn(own)
	assert.NilError(t, err)
	c := model.New(model.Options{Table: table})
	for _, tier := range []model.Tier{model.Fast, model.Standard, model.Deep} {
		provider, name, err := c.Ready(model.Fixer, tier)
		assert.NilError(t, err)
		assert.Equal(t, provider+"/"+name, "local/tiny")
		assert.Equal(t, c.Context(model.Fixer, tier), 4096)
	}
	assert.Equal(t, c.Where("local"), "http://127.0.0.1:8080/v1")
}
