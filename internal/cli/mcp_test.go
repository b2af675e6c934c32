package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpClient is a client that starts `fettle mcp` as agents do, calls tools, and prints what they say: mcp-client [--root DIR]… TOOL JSON [TOOL JSON]…. What is told of
// progress goes to standard error, and so does what the server prints there. A tool that is in error ends it with exit code 1; --data prints the results' data, --cancel
// cancels the call as soon as its first check is told of.
func mcpClient() {
	if err := callTools(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func callTools(args []string) error {
	server := []string{"mcp"}
	var data, cancels bool
	for ; len(args) > 0 && strings.HasPrefix(args[0], "--"); args = args[1:] {
		switch args[0] {
		case "--data":
			data = true
		case "--cancel":
			cancels = true
		default:
			server = append(server, args[0], args[1])
			args = args[1:]
		}
	}
	ctx, end := context.WithTimeout(context.Background(), 3*time.Minute)
	defer end()
	calling, cancel := context.WithCancel(ctx)
	defer cancel()
	client := sdk.NewClient(&sdk.Implementation{Name: "story", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			fmt.Fprintln(os.Stderr, "progress:", r.Params.Message)
			if cancels {
				cancel()
			}
		},
	})
	cmd := exec.Command("fettle", server...)
	cmd.Stderr = os.Stderr
	s, err := client.Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return err
	}
	failed := false
	for ; len(args) > 1; args = args[2:] {
		params := &sdk.CallToolParams{Name: args[0], Arguments: json.RawMessage(args[1])}
		params.SetProgressToken(args[0])
		r, err := s.CallTool(calling, params)
		if err != nil {
			return fmt.Errorf("call %s: %w", args[0], err)
		}
		failed = failed || r.IsError
		for _, c := range r.Content {
			if text, ok := c.(*sdk.TextContent); ok && !data {
				fmt.Println(text.Text)
			}
		}
		if data {
			if err := json.NewEncoder(os.Stdout).Encode(r.StructuredContent); err != nil {
				return err
			}
		}
	}
	if err := s.Close(); err != nil {
		return err
	}
	if failed {
		return errors.New("a tool is in error")
	}
	return nil
}
