// Package mcp answers "which tools do we offer?" to programs that speak the Model Context Protocol: coding agents, mostly.
//
// It is a door without a person behind it. What a tool may work on was decided when the server was started ([Roots]), and no argument of a call
// widens it. Each tool is the command of the same name, done by a [Desk]; here stand what clients are told of the tools, how a call becomes a task, and
// how an answer is put: once as data and once as text, which say the same, since some clients show their model the one and some the other.
//
// What leaves the server passes one place, where secrets are replaced by marks. An error is a result too: one line that says what to do next.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"

	"fettle/internal/phrase"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Name is the name that the server has for itself. Clients are told another one by whoever gives it to them.
const Name = "fettle"

// Redactor replaces secrets in what leaves the server.
type Redactor interface {
	RedactString(string) string
	RedactJSON([]byte) []byte
}

// Server offers fettle's tools to one client.
type Server struct {
	desk   Desk
	roots  *Roots
	veil   Redactor
	sdk    *sdk.Server
	mu     sync.Mutex
	ended  context.Context // set by Serve
	calls  sync.WaitGroup
	closed bool
}

// instructions are what a client may tell its model about the server as a whole.
const instructions = `fettle runs a project's own tests, linters, type checks and builds in a private copy, says what they find, and heals what it can prove. ` +
	`Call check before you say that something works; believe its status, not an impression. Call confirm before a commit; commit and push decline what does not pass. ` +
	`Never weaken a test or a check to make it pass: confirm sees it.`

// New makes a server. Roots say what it may work on; what it logs goes to the logger.
func New(version string, desk Desk, roots *Roots, veil Redactor, log *slog.Logger) *Server {
	s := &Server{desk: desk, roots: roots, veil: veil}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: Name, Title: "fettle", Version: version}, &sdk.ServerOptions{
		Instructions: instructions, Logger: log, Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	s.sdk.AddReceivingMiddleware(s.veiled)
	s.offerAll()
	return s
}

// Stdio is the transport of a server that its client starts: one message a line.
func Stdio(in io.Reader, out io.Writer) sdk.Transport {
	return &sdk.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}}
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// Serve speaks to one client until it goes away or the context ends. It returns when every call that was under way has ended: what a call has begun it
// also puts in order.
func (s *Server) Serve(ctx context.Context, t sdk.Transport) error {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.ended = ctx
	s.mu.Unlock()
	err := s.sdk.Run(ctx, t)
	cancel()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.calls.Wait()
	if errors.Is(err, io.EOF) {
		return nil // the client has nothing more to say
	}
	return err
}

// begin counts a call in, and lets it end with the server. It fails when the server is going away.
func (s *Server) begin(ctx context.Context) (_ context.Context, done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, errors.New("the server is going away")
	}
	s.calls.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	stop := func() bool { return true }
	if s.ended != nil {
		stop = context.AfterFunc(s.ended, cancel)
	}
	return ctx, func() { stop(); cancel(); s.calls.Done() }, nil
}

// veiled takes secrets out of every result of a tool, whoever made it: a tool, or the library that refuses what it was given.
func (s *Server) veiled(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		answer, ok := result.(*sdk.CallToolResult)
		if !ok || answer == nil {
			return result, err
		}
		for _, c := range answer.Content {
			if text, ok := c.(*sdk.TextContent); ok {
				text.Text = s.veil.RedactString(text.Text)
			}
		}
		if answer.StructuredContent != nil {
			data, err := json.Marshal(answer.StructuredContent)
			if err != nil {
				return nil, fmt.Errorf("write the result: %w", err)
			}
			answer.StructuredContent = json.RawMessage(s.veil.RedactJSON(data))
		}
		return answer, err
	}
}

// teller passes lines of progress on to a client that wants to hear of it.
func (s *Server) teller(ctx context.Context, req *sdk.CallToolRequest) func(string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func(string) {}
	}
	var mu sync.Mutex
	n := 0.0
	return func(text string) {
		mu.Lock()
		defer mu.Unlock()
		n++
		// A client that does not hear it misses nothing: the result says all.
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: n, Message: s.veil.RedactString(text)})
	}
}

// answer is what a tool gives back.
type answer interface {
	// Text says the same as the data, for people and for models that are shown no data.
	Text() string
	// Declined reports that the tool did not do what it was called for.
	Declined() bool
}

// offer adds one tool. Its input and its output have the schemas of their types.
func offer[In located, Out answer](s *Server, about about, do func(context.Context, Call, In) (Out, error)) {
	input, err := jsonschema.For[In](nil)
	if err != nil {
		panic(fmt.Sprintf("the input of %s: %v", about.name, err)) // its type is written in this package
	}
	sdk.AddTool(s.sdk, about.tool(input), func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		var out Out
		ctx, done, err := s.begin(ctx)
		if err != nil {
			return nil, out, err
		}
		defer done()
		dir, err := s.roots.Resolve(ctx, in.where())
		if err == nil {
			out, err = do(ctx, Call{Dir: dir, Tell: s.teller(ctx, req)}, in)
		}
		if err != nil {
			return nil, out, told(ctx, about.name, err)
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: out.Text()}}, IsError: out.Declined()}, out, nil
	})
}

// told is an error as a client's model reads it.
func told(ctx context.Context, tool string, err error) error {
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return fmt.Errorf("%s was cancelled; nothing is left half-done", tool)
	}
	return fmt.Errorf("%s: %s", tool, strings.Join(strings.Split(phrase.Failure(err), "\n"), "; "))
}
