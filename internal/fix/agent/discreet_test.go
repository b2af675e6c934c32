package agent_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fettle/internal/fix/agent"
	"fettle/internal/fix/fixtest"
	"fettle/internal/testenv"
)

// What an agent tells its model has marks in the place of secrets, and so has what is kept of the conversation; a mark that it writes is put back to what it stands for in that file, and refused where
// it stands for nothing.
func TestSecretsStayHere(t *testing.T) {
	testenv.NeedTool(t, "curl")
	const token, word = "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "Qm7xVt93kLpZ"
	var heard []byte
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		heard = body
		_, _ = w.Write([]byte(regexp.MustCompile(`\[REDACTED:[^\]]*\]`).FindString(string(body)))) // a client that has gone hears nothing
	}))
	defer up.Close()
	ask := `printf '{"id":"` + token + `","messages":[{"text":"key = \\"` + token + `\\"\\nDB_PASSWORD=` + word + `"},{"n":1.0,"text":["it says ` + word + ` and hunter2hunter2", "PASSWORD = \\"correct-horse-battery\\""]}]}' >body
mark=$(curl -sS --noproxy '*' -X POST -H 'Content-Type: application/json' -d @body $ANTHROPIC_BASE_URL/v1/messages); rm body
mkdir -p $HOME/.claude/projects/p; printf '{"text":"%s"}\n{"text":"the same ` + word + `, DB_PASSWORD=` + word + `"}\n' ` + token + ` >$HOME/.claude/projects/p/s-1.jsonl
`
	for name, c := range map[string]struct{ script, want, fails string }{
		"put back":         {`printf 'key = "%s"\nx = 2\n' "$mark" >a.py`, "key = \"" + token + "\"\nx = 2\n", ""},
		"left alone":       {`sed -i 's/x = 1/x = 2/' a.py`, "key = \"" + token + "\"\nx = 2\n", ""},
		"it is no secret":  {`printf 'key = "%s"\n' "$mark" >>a_test.py`, "", "it has written [REDACTED:"},
		"in a form of its": {`curl -sS --noproxy '*' -X POST -H 'Content-Encoding: zstd' -d x $ANTHROPIC_BASE_URL/v1/messages >b.py`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := set(t, ask+c.script+"\n"+said(agent.Claude, saysSure))
			s.place = fixtest.New(t, map[string]string{"a.py": "key = \"" + token + "\"\nx = 1\n", "a_test.py": "assert x == 2\n"})
			kept := t.TempDir()
			all, err := s.propose(t, agent.Claude, agent.Options{Conversations: kept, Env: append(s.env, "ANTHROPIC_BASE_URL="+up.URL)}, s.task())
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || len(all) != 1 {
				t.Fatalf("got %v, %v", all, err)
			}
			files, err := all[0].Patch.Apply(s.place.Source)
			if err != nil || c.want != "" && string(files["a.py"].Data) != c.want || c.want == "" && !strings.Contains(string(files["b.py"].Data), "cannot be looked into") {
				t.Errorf("its patch makes %v, %v", files, err)
			}
			var doc struct {
				ID       string
				Messages []struct{ Text any }
			}
			if err := json.Unmarshal(heard, &doc); err != nil || doc.ID != token || strings.Contains(string(heard), "correct-horse") || !strings.Contains(string(heard), `"n":1.0,`) {
				t.Errorf("what is no text was changed: %s, %v", heard, err)
			}
			talk, err := os.ReadFile(filepath.Join(kept, "claude", "s-1", "home", ".claude", "projects", "p", "s-1.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			for who, text := range map[string]string{"its model": fmt.Sprint(doc.Messages), "what is kept": string(talk)} {
				if strings.Contains(text, token) || strings.Contains(text, word) || strings.Contains(text, "hunter2") || !strings.Contains(text, "[REDACTED:") {
					t.Errorf("%s has %s", who, text)
				}
			}
		})
	}
}
