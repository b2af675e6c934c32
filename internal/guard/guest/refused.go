package guest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"fettle/internal/fix/agent"
	"fettle/internal/guard/hook"
	"fettle/internal/policy/shell"
)

// maxLog bounds what is read of a log.
const maxLog = 16 << 20

// Refused are the calls that the guard has refused in a home, in order. An agent may have written anything there: no link is followed out of the home, nothing but
// regular files is read, and a line that is no decision says nothing.
func (Guard) Refused(home string) ([]agent.Refusal, error) {
	state, err := hook.Folder(environ(home))
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(home, hook.LogFolder(state))
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(home)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	days, err := fs.ReadDir(root.FS(), filepath.ToSlash(rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []agent.Refusal
	left := int64(maxLog)
	for _, day := range days {
		data, e := readLog(root, path.Join(filepath.ToSlash(rel), day.Name()), left)
		left -= int64(len(data))
		all, err = append(all, refusals(data)...), errors.Join(err, e)
	}
	return all, err
}

// readLog reads a regular file, and not more than this of it. It is opened so that nobody waits for who would write to it.
func readLog(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// refusals are the decisions in a log that were none to go on, but for the canary's, which no agent has asked for. Nobody is there to be asked, so that a question is one, too.
func refusals(log []byte) (all []agent.Refusal) {
	for line := range bytes.Lines(log) {
		var e hook.Entry
		if json.Unmarshal(line, &e) == nil && e.Before() && e.Session != hook.CanarySession && e.Decision != shell.Allow {
			all = append(all, agent.Refusal{Tool: e.Tool, Why: e.Reason})
		}
	}
	return all
}
