package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fettle/internal/mcp"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

const hidden = "a-secret"

// veil marks one word.
type veil struct{}

func (veil) RedactString(s string) string { return strings.ReplaceAll(s, hidden, "[redacted]") }
func (veil) RedactJSON(b []byte) []byte {
	return bytes.ReplaceAll(b, []byte(hidden), []byte("[redacted]"))
}

// clerk is a desk at which each tool answers as it is told to.
type clerk struct {
	mcp.Desk
	check func(context.Context, mcp.Call, mcp.CheckInput) (*mcp.Checked, error)
	push  func(context.Context, mcp.Call) (*mcp.Pushed, error)
}

func (c clerk) Check(ctx context.Context, call mcp.Call, in mcp.CheckInput) (*mcp.Checked, error) {
	return c.check(ctx, call, in)
}

func (c clerk) Push(ctx context.Context, call mcp.Call) (*mcp.Pushed, error) {
	return c.push(ctx, call)
}

// session is a client of a server that works in a folder.
type session struct {
	*sdk.ClientSession
	t     *testing.T
	dir   string
	ended chan error
	stop  context.CancelFunc
}

func serve(t *testing.T, desk mcp.Desk, told func(string)) session {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	assert.NilError(t, err)
	alone := func(_ context.Context, dir string) (mcp.Tree, error) { return mcp.Tree{Root: dir}, nil }
	roots, err := mcp.NewRoots(t.Context(), alone, dir, nil)
	assert.NilError(t, err)
	here, there := sdk.NewInMemoryTransports()
	ctx, stop := context.WithCancel(t.Context())
	s := session{t: t, dir: dir, ended: make(chan error, 1), stop: stop}
	server := mcp.New("1.2.3", desk, roots, veil{}, slog.New(slog.DiscardHandler))
	go func() { s.ended <- server.Serve(ctx, here) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			if told != nil {
				told(r.Params.Message)
			}
		},
	})
	s.ClientSession, err = client.Connect(t.Context(), there, nil)
	assert.NilError(t, err)
	t.Cleanup(func() { stop(); _ = s.Close() })
	return s
}

// call is what a tool says, as data and as text.
func (s session) call(tool, arguments string) (data, text string, failed bool) {
	s.t.Helper()
	r, err := s.CallTool(s.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	assert.NilError(s.t, err)
	assert.Equal(s.t, len(r.Content), 1)
	text = r.Content[0].(*sdk.TextContent).Text
	raw, err := json.Marshal(r.StructuredContent)
	assert.NilError(s.t, err)
	return string(raw), text, r.IsError
}

// TestTools: what clients are told of the tools, word for word. No field has two types, which some clients do not know; and the documentation has each tool.
func TestTools(t *testing.T) {
	s := serve(t, clerk{}, nil)
	r, err := s.ListTools(t.Context(), nil)
	assert.NilError(t, err)
	doc, err := os.ReadFile("../../docs/mcp.md")
	assert.NilError(t, err)
	for _, tool := range r.Tools {
		assert.Assert(t, bytes.Contains(doc, []byte("\n| `"+tool.Name+"` |")), "docs/mcp.md has no row for %s", tool.Name)
		raw, err := json.Marshal(tool.InputSchema)
		assert.NilError(t, err)
		assert.Assert(t, !regexp.MustCompile(`"type":\[`).Match(raw), "%s: %s", tool.Name, raw)
		var schema struct{ Properties map[string]any }
		assert.NilError(t, json.Unmarshal(raw, &schema))
		for field := range schema.Properties {
			assert.Assert(t, bytes.Contains(doc, []byte("`"+field+"`")), "docs/mcp.md does not say that %s takes %s", tool.Name, field)
		}
	}
	text, err := json.MarshalIndent(r.Tools, "", "  ")
	assert.NilError(t, err)
	golden.Assert(t, string(text)+"\n", "tools.json")
	assert.Equal(t, s.InitializeResult().ServerInfo.Version, "1.2.3")
}

// TestAnswers: what a tool says comes as text and as data; nothing of either holds a secret, nor does an error, whoever has made it. An error is one line.
func TestAnswers(t *testing.T) {
	var got mcp.CheckInput
	desk := clerk{check: func(_ context.Context, c mcp.Call, in mcp.CheckInput) (*mcp.Checked, error) {
		got = in
		if in.Since == "" {
			return &mcp.Checked{Status: mcp.Fail, ExitCode: 1, Errors: 1, Checks: []mcp.CheckLine{{Check: "test", Status: "failed", Failed: 1}},
				Findings: []mcp.Finding{{Check: "test", Severity: "error", File: "a.go", Line: 3, Message: "got " + hidden}}}, nil
		}
		return nil, errors.New("no " + in.Since + "\nin " + filepath.Base(c.Dir))
	}, push: func(context.Context, mcp.Call) (*mcp.Pushed, error) {
		return &mcp.Pushed{Status: mcp.Declines, Reason: "there is " + hidden}, nil
	}}
	s := serve(t, desk, nil)
	data, text, failed := s.call("check", `{"checks":["test"]}`)
	assert.Assert(t, !failed)
	assert.DeepEqual(t, got.Checks, []string{"test"})
	for _, said := range []string{data, text} {
		assert.Assert(t, strings.Contains(said, "got [redacted]") && strings.Contains(said, "FAIL"), said)
	}
	_, text, failed = s.call("check", `{"since":"`+hidden+`"}`)
	assert.Assert(t, failed)
	assert.Equal(t, text, "check: no [redacted]; in "+filepath.Base(s.dir))
	_, text, failed = s.call("push", `{}`)
	assert.Assert(t, failed)
	assert.Assert(t, strings.HasPrefix(text, "DECLINED: there is [redacted]\n"), text)
	for _, wrong := range []string{`{"` + hidden + `":1}`, `{"checks":"` + hidden + `"}`, `{"working_dir":"` + hidden + `"}`, `{"working_dir":"a\u0000b"}`} {
		_, text, failed = s.call("check", wrong)
		assert.Assert(t, failed && !strings.Contains(text, hidden) && !strings.Contains(strings.TrimSpace(text), "\n"), "%s: %s", wrong, text)
	}
}

// TestProgress: lines of progress come to a client that asks for them, without secrets, and to no other.
func TestProgress(t *testing.T) {
	heard := make(chan string, 4)
	s := serve(t, clerk{check: func(_ context.Context, c mcp.Call, _ mcp.CheckInput) (*mcp.Checked, error) {
		c.Tell("looking at " + hidden)
		return &mcp.Checked{Status: mcp.Pass}, nil
	}}, func(text string) { heard <- text })
	s.call("check", `{}`)
	params := &sdk.CallToolParams{Name: "check", Arguments: json.RawMessage(`{}`)}
	params.SetProgressToken("mine")
	_, err := s.CallTool(t.Context(), params)
	assert.NilError(t, err)
	assert.Equal(t, <-heard, "looking at [redacted]")
	assert.Equal(t, len(heard), 0)
}

// TestCancelled: a call that its client gives up ends, and so do those that are under way when the server goes: it waits for them.
func TestCancelled(t *testing.T) {
	begun, over := make(chan bool), make(chan bool, 1)
	s := serve(t, clerk{check: func(ctx context.Context, _ mcp.Call, _ mcp.CheckInput) (*mcp.Checked, error) {
		begun <- true
		<-ctx.Done()
		over <- true
		return nil, ctx.Err()
	}}, nil)
	calling, giveUp := context.WithCancel(t.Context())
	go func() { <-begun; giveUp() }()
	_, err := s.CallTool(calling, &sdk.CallToolParams{Name: "check", Arguments: json.RawMessage(`{}`)})
	assert.ErrorIs(t, err, context.Canceled)
	<-over
	go func() { <-begun; s.stop() }()
	_, _ = s.CallTool(t.Context(), &sdk.CallToolParams{Name: "check", Arguments: json.RawMessage(`{}`)}) // the answer may come, or the connection end before
	<-s.ended
	assert.Equal(t, len(over), 1)
}

// TestGone: a client that goes away is no failure of the server.
func TestGone(t *testing.T) {
	s := serve(t, clerk{}, nil)
	assert.NilError(t, s.Close())
	assert.NilError(t, <-s.ended)
}

// TestText: each answer's text says what its data say: no text of a field is left out.
func TestText(t *testing.T) {
	for _, c := range []struct {
		answer interface{ Text() string }
		unsaid string // a field that such an answer does not have
	}{
		{&mcp.Checked{}, ""}, {&mcp.Healed{}, ""}, {&mcp.Located{Failing: true}, ""}, {&mcp.Audited{}, ""}, {&mcp.Confirmed{}, ""},
		{&mcp.Committed{Status: mcp.Commits}, "Committed.Reason"}, {&mcp.Committed{Status: mcp.Declines}, "Committed.Branch Committed.Hash"},
		{&mcp.Pushed{Status: mcp.Publishes}, "Pushed.Reason"}, {&mcp.Pushed{Status: mcp.Declines}, ""},
		{&mcp.Intent{}, ""}, {&mcp.Explained{}, ""}, {&mcp.Status{}, ""},
	} {
		v := reflect.ValueOf(c.answer).Elem()
		var names []string
		fill(v, v.Type().Name(), &names)
		text := strings.ToLower(c.answer.Text())
		for _, n := range names {
			if strings.HasSuffix(n, ".Severity") || slices.Contains(strings.Fields(c.unsaid), n) { // errors stand apart from what is milder
				continue
			}
			if !strings.Contains(text, strings.ToLower("<"+n+">")) {
				t.Errorf("%s is not in\n%s", n, text)
			}
		}
	}
}

// fill gives every text that is empty its name, in brackets, and every list one member.
func fill(v reflect.Value, name string, names *[]string) {
	switch v.Kind() {
	case reflect.String:
		if v.String() == "" {
			v.SetString("<" + name + ">")
			*names = append(*names, name)
		}
	case reflect.Int:
		v.SetInt(7)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), name, names)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name, names)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), name+"."+v.Type().Field(i).Name, names)
		}
	default: // numbers and yes or no stay as they are
	}
}
