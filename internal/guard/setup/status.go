package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Status is what is there of the guard in one client's settings.
type Status struct {
	Client   Client   `json:"client"`
	File     string   `json:"file"`
	NoHooks  bool     `json:"no_hooks,omitempty"` // it is a project's folder, where the client is given its skill alone
	Active   bool     `json:"active"`             // the client asks the guard before every tool call
	Program  string   `json:"program,omitempty"`  // what it starts for it
	Post     string   `json:"post,omitempty"`     // where it asks the resident guard about tool calls
	Missing  []string `json:"missing,omitempty"`  // events that the guard is not told of
	Outdated bool     `json:"outdated,omitempty"` // what stands there is not what this fettle writes
	Trouble  string   `json:"trouble,omitempty"`  // why it does not hold
}

// Look says what is there. Settings that cannot be read are a trouble, not an error.
func Look(w Where) (Status, error) {
	if !w.Hooks() {
		folder, err := w.Folder()
		return Status{Client: w.Client, File: folder, NoHooks: true}, err
	}
	file, err := w.File()
	if err != nil {
		return Status{}, err
	}
	st := Status{Client: w.Client, File: file}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if err != nil {
		st.Trouble = fmt.Sprintf("the settings cannot be read (%v): look at the rights of the file and its folder", cause(err))
		return st, nil
	}
	err = st.look(data)
	if by := w.overruled(); st.Active && err == nil && by != "" {
		err = fmt.Errorf("%s, so that no hook of yours runs: ask whoever administers this machine", by)
	}
	if err != nil {
		st.Active, st.Trouble = false, err.Error()
	}
	return st, nil
}

// cause is why a file could not be read, without its name.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// look fills in what the settings say. Its error says why the guard does not hold.
func (st *Status) look(data []byte) error {
	s, err := read(st.Client, data)
	if err != nil {
		return fmt.Errorf("the settings cannot be read: %w", err)
	}
	how, err := s.how()
	if err != nil {
		return err
	}
	if how == nil {
		return nil
	}
	if why := untaken(st.Client, data); why != nil {
		return fmt.Errorf("%w: mend it, and begin a new session", why)
	}
	st.Active, st.Program = true, how.Program
	if how.Post != nil {
		st.Post = how.Post.Listen
	}
	if st.Missing, st.Outdated, err = s.lacks(*how); err != nil {
		return err
	}
	if info, err := os.Stat(st.Program); err != nil || info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not there, or is no program: install the guard again", st.Program)
	}
	if off := s.unhooked(); off != "" {
		return errors.New(off + ": no hook runs")
	}
	return nil
}

// toggle is a setting by which a client runs no hook.
type toggle struct{ at, name, is string }

// switches are those of people's own settings.
var switches = map[Client]toggle{
	Claude: {"/disableAllHooks", "disableAllHooks", "true"},
	Gemini: {"/hooksConfig/enabled", "hooksConfig.enabled", "false"},
}

// off reports settings in which it is said.
func (t toggle) off(s *settings) bool {
	v := s.value.Find(t.at)
	return v != nil && strings.TrimSpace(v.String()) == t.is
}

func (t toggle) String() string {
	if t.is == "false" {
		return t.name + " is false"
	}
	return t.name + " is set"
}

// unhooked says by which of the settings no hook runs; empty: by none.
func (s *settings) unhooked() string {
	if t, ok := switches[s.client]; ok && t.off(s) {
		return t.String()
	}
	return ""
}
