package hook

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/crypto/blake2s"

	"fettle/internal/guard/child"
	"fettle/internal/guard/validate"
	"fettle/internal/policy/shell"
)

// Settled is what people have settled besides fettle's own rules: a policy of the user's, and one of the project's that is only ever stricter. The
// hook reads no YAML. `fettle guard compile` reads it, once after each change, and the hook keeps what comes out.
type Settled struct {
	Version   int                 `json:"version"`
	From      []Source            `json:"from"`                // the files that it was read from, also those that are not there
	Wrong     string              `json:"wrong,omitempty"`     // why they cannot be used: nothing else counts then
	Policy    json.RawMessage     `json:"policy,omitempty"`    // as shell.Policy.Compiled writes it
	Validator *validate.Validator `json:"validator,omitempty"` // who is asked for a second opinion: the user's alone to say
	Telemetry bool                `json:"telemetry,omitempty"` // the user has named an endpoint; who sends to it reads for itself which
}

// settledVersion is that of the form.
const settledVersion = 1

// Source is a file as it was seen.
type Source struct {
	Path string `json:"path"`
	Seen string `json:"seen"` // what tells it from another content; empty: it was not there
}

// See looks at a file without reading it.
func See(path string) Source {
	info, err := os.Stat(path)
	if err != nil {
		return Source{Path: path}
	}
	seen := strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10)
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		seen += " " + strconv.FormatUint(st.Ino, 10)
	}
	return Source{path, seen}
}

// Sources are the files in which people may settle something for a project: the user's, and the project's.
func Sources(getenv func(string) string, home, root string) []string {
	base := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		base = filepath.Join(home, ".config")
	}
	return []string{filepath.Join(base, "fettle", "policy.yaml"), filepath.Join(root, "fettle.yaml")}
}

// NewSettled is a form to be filled in, which was read from files that look so.
func NewSettled(from []Source) *Settled { return &Settled{Version: settledVersion, From: from} }

// compileFor is how long `fettle guard compile` may take where a person waits. An agent in a private copy has more time, and nobody who would say yes to a question.
const (
	compileFor      = 700 * time.Millisecond
	guestCompileFor = 20 * time.Second
)

// settledFile is where what counts is kept that was read from these files.
func settledFile(dir string, names []string) string {
	sum := blake2s.Sum256([]byte(names[0] + "\x00" + names[1]))
	return filepath.Join(dir, "settled", hex.EncodeToString(sum[:12])+".json")
}

// settle is what counts in a place; nil: a file of it has changed, and it is to be compiled anew.
func (h *Hook) settle(dir string, at shell.Place) (*Settled, error) {
	names := Sources(h.env, at.Home, at.Root)
	file := settledFile(dir, names)
	data, err := os.ReadFile(file)
	if err == nil {
		var s Settled
		if json.Unmarshal(data, &s) == nil && s.Version == settledVersion && s.fresh(names) {
			return &s, nil
		}
	}
	now := make([]Source, len(names))
	for i, name := range names {
		now[i] = See(name)
	}
	if !slices.ContainsFunc(now, func(s Source) bool { return s.Seen != "" }) {
		if err == nil {
			err = os.Remove(file)
		}
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return &Settled{}, nil
		}
		return nil, fmt.Errorf("what was settled once cannot be forgotten: %w", err)
	}
	return nil, nil
}

// compiled is what counts in a place, compiled anew, and kept.
func (h *Hook) compiled(dir string, at shell.Place) (*Settled, error) {
	s, err := h.compile(dir, at)
	if err != nil {
		// It is not kept: whatever was in the way may be gone the next time.
		return &Settled{Wrong: fmt.Sprintf("your policy cannot be read: %v; `fettle guard install` says again where fettle is", err)}, nil
	}
	file := settledFile(dir, Sources(h.env, at.Home, at.Root))
	if err := private(filepath.Dir(file)); err != nil {
		return nil, err
	}
	data, err := json.Marshal(s)
	if err == nil {
		err = replace(file, append(data, '\n'))
	}
	return s, err
}

// fresh reports that the files are as they were.
func (s *Settled) fresh(names []string) bool {
	for i, name := range names {
		if i >= len(s.From) || s.From[i].Path != name {
			return false
		}
	}
	return !slices.ContainsFunc(s.From, func(f Source) bool { return See(f.Path) != f })
}

// policy is the policy that counts; nil is fettle's own.
func (s *Settled) policy() (*shell.Policy, error) {
	if len(s.Policy) == 0 {
		return nil, nil
	}
	return shell.Decompiled(s.Policy)
}

// compile has fettle read what people have settled.
func (h *Hook) compile(dir string, at shell.Place) (*Settled, error) {
	engine, err := readEngine(dir)
	if err != nil {
		return nil, err
	}
	patience := compileFor
	if engine.Guest {
		patience = guestCompileFor
	}
	if h.Grace != nil {
		h.Grace(patience)
	}
	said, err := child.Ask([]string{engine.Fettle, "guard", "compile", "--root", at.Root, "--home", at.Home}, h.Environ, "/", nil, time.Now().Add(patience))
	if err == nil {
		err = said.Failed()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", engine.Fettle, err)
	}
	var s Settled
	if err := json.Unmarshal(said.Out, &s); err != nil {
		return nil, fmt.Errorf("%s says what cannot be read: %w", engine.Fettle, err)
	}
	if s.Version != settledVersion {
		return nil, fmt.Errorf("%s is of another version than this guard", engine.Fettle)
	}
	if s.Validator != nil {
		err = s.Validator.Valid()
	}
	if err == nil {
		_, err = s.policy()
	}
	return &s, err
}

// Engine says where fettle itself is: what the hook cannot do by itself is done there.
type Engine struct {
	Fettle string `json:"fettle"`
	Guest  bool   `json:"guest,omitempty"` // the home is an agent's own, in a private copy
}

// Write notes it in the guard's folder.
func (e Engine) Write(dir string) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return Keep(dir, "engine.json", append(data, '\n'))
}

// readEngine is where fettle is.
func readEngine(dir string) (e Engine, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "engine.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return e, errors.New("nobody has said where fettle is")
	}
	if err == nil {
		err = json.Unmarshal(data, &e)
	}
	return e, err
}

// readers are the programs that everybody looks with. A policy that cannot be read may forbid others.
var readers = []string{"ls", "cat", "head", "tail", "wc", "grep", "egrep", "rg", "find", "fd", "git", "diff", "sort", "uniq", "cut", "stat", "file", "tree", "du", "pwd", "echo", "printf", "which", "sed", "awk", "jq", "nl", "tr", "true", "test", "basename", "dirname", "date"}

// unsettled asks about all that is more than looking, while what people have settled cannot be used: a guard must not go on with a part of what it was told.
func unsettled(_ *session, o *occasion, v shell.Verdict) *shell.Verdict {
	if o.settled.Wrong == "" || v.Decision != shell.Allow || !slices.ContainsFunc(v.Facts, func(f shell.Fact) bool {
		return f.Kind != shell.Read && f.Kind != shell.Tool && (f.Kind != shell.Exec || !slices.Contains(readers, f.Target))
	}) {
		return nil
	}
	return &shell.Verdict{Decision: shell.Ask, Class: "unknown", Rule: "policy-unusable", Reason: o.settled.Wrong, Alternative: "the person mends that: `fettle guard status` says what is wrong"}
}
