package look_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"fettle/internal/look"
	"fettle/internal/model"
	"fettle/internal/policy/secret"
)

// sees is what one call shows.
func sees(t *testing.T, l *look.Looker, tool, in string) model.ToolResult {
	t.Helper()
	m, _ := l.Answer(t.Context(), model.Reply{Calls: []model.ToolCall{{ID: "1", Name: tool, Input: json.RawMessage(in)}}})
	if len(m.Results) != 1 || m.Results[0].ID != "1" {
		t.Fatalf("%s %s: %+v", tool, in, m)
	}
	return m.Results[0]
}

func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "package a\n\nvar password = \"correct-horse-battery\"\n", "sub/b.go": "package b\n", ".env": "KEY=x\n", ".env.example": "KEY=\n", "server.pem": "x\n", "credentials.go": "package a\n",
		".git/config": "[core]\n", "node_modules/x/x.go": "package x\n", ".claude/settings.json": "{}\n", "binary": "\x00", "long.txt": strings.Repeat("a line\n", 1000),
		"huge.txt": strings.Repeat("x", 1<<20+1),
	} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link.go": "/etc/hostname", "linked": "sub", "inside.go": "a.go"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWhatIsShown(t *testing.T) {
	dir := tree(t)
	for _, c := range []struct {
		tool, in, want string
		failed         bool
	}{
		{"Read", `{"path":"sub/b.go"}`, "sub/b.go, lines 1-1 of 1\n1| package b", false},
		{"read", `{"path":"a.go","from":3}`, "3| var password = \"[REDACTED:", false},
		{"Read", `{"path":"long.txt","from":900,"to":5}`, "long.txt, lines 900-1000 of 1000\n900| a line", false},
		{"Read", `{"path":"long.txt","to":1000}`, "lines 1-200 of 1000", false},
		{"Read", `{"path":".env.example"}`, "1| KEY=", false},
		{"Read", `{"path":"credentials.go"}`, "package a", false},
		{"Read", `{"path":"long.txt","from":2000}`, "has 1000 lines", true},
		{"Read", `{"path":"binary"}`, "is no text", true},
		{"Read", `{"path":"huge.txt"}`, "is no text, or too large", true},
		{"Read", `{"path":"sub"}`, "is no file", true},
		{"Read", `{"path":"pipe"}`, "is no file", true},
		{"Read", `{"path":"none.go"}`, "there is no file none.go", true},
		{"Read", `{"path":"link.go"}`, "link.go is a link", true},
		{"Read", `{"path":"inside.go"}`, "inside.go is a link", true},
		{"Read", `{"path":"linked/b.go"}`, "linked is a link", true},
		{"Read", `{"path":"../a.go"}`, "is no name of a file", true},
		{"Read", `{"path":"/etc/hostname"}`, "is no name of a file", true},
		{"Read", `{"path":"."}`, "is no name of a file", true},
		{"Read", `{"path":".env"}`, "is not shown", true},
		{"Read", `{"path":"server.pem"}`, "is not shown", true},
		{"Read", `{"path":".git/config"}`, "is not shown", true},
		{"Read", `{"path":".claude/settings.json"}`, "is not shown", true},
		{"Glob", `{"pattern":"**/*.go"}`, "a.go\ncredentials.go\nsub/b.go\n<", false},
		{"Glob", `{"pattern":"*.none"}`, "no file matches", true},
		{"Grep", `{"pattern":"^package"}`, "a.go:1: package a\ncredentials.go:1: package a\nsub/b.go:1: package b\n<", false},
		{"Grep", `{"pattern":"horse"}`, "no line matches", true},
		{"Grep", `{"pattern":"KEY=","glob":"**"}`, ".env.example:1: KEY=\n<", false},
		{"Grep", `{"pattern":"("}`, "the pattern cannot be read", true},
		{"Bash", `{"command":"ls"}`, "there is no tool Bash", true},
		{"Write", `{"path":"a.go","content":""}`, "there is no tool Write", true},
		{"Read", `{`, "cannot be read", true},
	} {
		l := &look.Looker{Files: os.DirFS(dir), Out: secret.New(nil).Outbound(dir), Turns: 1}
		if r := sees(t, l, c.tool, c.in); r.Failed != c.failed || !strings.Contains(r.Text, c.want) || strings.Contains(r.Text, "correct-horse") || !strings.HasPrefix(r.Text, "<data-") {
			t.Errorf("%s %s: %+v, want %q", c.tool, c.in, r, c.want)
		}
	}
}

// Turns, calls and bytes are bounded.
func TestHowMuchIsShown(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 20 {
		files[fmt.Sprintf("f%d.txt", i)] = &fstest.MapFile{Data: []byte(strings.Repeat("0123456789abcdef\n", 180))}
	}
	l := &look.Looker{Files: files, Turns: 1000}
	many := model.Reply{}
	for i := range 20 {
		many.Calls = append(many.Calls, model.ToolCall{Name: "Read", Input: json.RawMessage(fmt.Sprintf(`{"path":"f%d.txt"}`, i))})
	}
	shown, bytes := 0, 0
	for range 10 {
		m, might := l.Answer(t.Context(), many)
		for _, r := range m.Results {
			if !r.Failed {
				shown, bytes = shown+1, bytes+len(r.Text)
			}
		}
		if !might || len(m.Results) != 20 {
			t.Fatalf("might: %v, %d results", might, len(m.Results))
		}
	}
	if bytes < 90<<10 || bytes > 130<<10 {
		t.Errorf("%d bytes of %d files were shown", bytes, shown)
	}
	l = &look.Looker{Files: files, Turns: 1}
	if m, might := l.Answer(t.Context(), many); !might || m.Results[7].Failed || !strings.Contains(m.Results[8].Text, "at most 8 calls a turn") {
		t.Errorf("%v, %+v", might, m.Results[8])
	}
	if m, might := l.Answer(t.Context(), many); might || !strings.Contains(m.Results[0].Text, "looked often enough") {
		t.Errorf("%v, %+v", might, m.Results[0])
	}
	if tools := (&look.Looker{}).Tools(); tools != nil {
		t.Errorf("whoever may not look has %v", tools)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if m, _ := (&look.Looker{Files: files, Turns: 1}).Answer(ctx, model.Reply{Calls: []model.ToolCall{{Name: "Grep", Input: json.RawMessage(`{"pattern":"x"}`)}}}); !m.Results[0].Failed {
		t.Errorf("%+v", m)
	}
}
