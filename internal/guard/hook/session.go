package hook

import (
	"bytes"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/crypto/blake2s"

	"fettle/internal/fresh"
	"fettle/internal/policy/secret"
)

// memory is what is remembered of a session: as much as the next decision needs, and bounded.
type memory struct {
	Root     string    // the project in which the session began, where the client does not say
	Client   *client   // what the environment of Claude Code said when it last began a turn
	Since    int       // the agent's own tool calls since the person last spoke; not its subagents'
	Spoken   int       // how often the person has spoken
	Forbids  string    // what the person said, if it was to change nothing
	Broken   bool      // what was known before is lost, and the person has not spoken since
	Styled   bool      // the person spoke of style
	Asked    bool      // the person asked a question
	Ordered  bool      // the person said what to do
	Changed  bool      // something was changed since the person last spoke
	Denied   []attempt // what was not allowed since the person last spoke
	Failures []failure // checks that failed and have not passed since
	Calls    int       // tool calls of the session
	Acts     int       // those of them that are put to a validator, where there is one: see acted
	Acted    bool      // there was one since the person last spoke
	Refused  bool      // a call was, since the last of those
	Errored  string    // the call that failed, since the last of those
	Plan     *plan     // the one that the person approved last
	First    string    // what the person said first, where there is a validator to be told
	Words    []string  // what they said last
	Pending  []pending // questions to a validator that no call waited for
	Known    []known   // answers of a validator
}

func (m *memory) parts() []part {
	return []part{{"root", &m.Root, m.Root != ""}, {"client", &m.Client, m.Client != nil}, {"since", &m.Since, true}, {"spoken", &m.Spoken, true},
		{"forbids", &m.Forbids, m.Forbids != ""}, {"broken", &m.Broken, m.Broken}, {"styled", &m.Styled, m.Styled}, {"asked", &m.Asked, m.Asked}, {"ordered", &m.Ordered, m.Ordered}, {"changed", &m.Changed, m.Changed}, {"denied", &m.Denied, len(m.Denied) > 0},
		{"failures", &m.Failures, len(m.Failures) > 0}, {"calls", &m.Calls, m.Calls != 0}, {"acts", &m.Acts, m.Acts != 0}, {"acted", &m.Acted, m.Acted}, {"refused", &m.Refused, m.Refused}, {"erred", &m.Errored, m.Errored != ""},
		{"plan", &m.Plan, m.Plan != nil}, {"first", &m.First, m.First != ""}, {"words", &m.Words, len(m.Words) > 0}, {"pending", &m.Pending, len(m.Pending) > 0},
		{"known", &m.Known, len(m.Known) > 0}}
}

// session is the memory of one session, locked for as long as one event is answered.
//
// Its file is appended to and never changed: each line is the whole memory after an event, with an authentication code over
// it, so that the last line is all that is ever read. A last line that is torn or forged does not count: the file is set aside, and the session goes on from the last line that is
// neither. Where there is none, nothing is known any more, and changes are asked about until the person speaks again.
type session struct {
	memory
	dir, name string
	key       []byte
	lock      *os.File
	size      int64
	redactor  func() *secret.Redactor // its marks are the same in every process, so that what was attempted is recognised
	lost      error                   // what could not be kept while the event was answered
	refused   func(use string) bool   // a call that was asked about and has not run has its answer

	repositories []*repository     // those that were looked into while the event was answered
	own          map[string]how    // how the agent has come by what it has written; nil: the list has not been read yet
	unsure       bool              // that list cannot be read to its end, or is full
	lefts        map[string]string // when the agent wrote last to each file; nil: that has not been read yet
}

// The bounds of what is kept.
const (
	maxLine = 256 << 10 // bytes of one session's memory, which the bounds below keep it under
	anyLine = 4 << 10   // bytes that nearly all of them stay under, and that are read first
	maxFile = 1 << 20   // bytes of a session's file, beyond which it begins anew with its last line
	maxKept = 20        // attempts that are remembered
	maxDoes = 8         // things that each of them would have done
	lockFor = 700 * time.Millisecond
)

// line is one line of a session's file.
type line struct {
	code   string
	memory json.RawMessage
}

func (l *line) parts() []part { return []part{{"code", &l.code, true}, {"memory", &l.memory, true}} }

// open locks and reads the memory of a session.
func (h *Hook) open(id string) (*session, error) {
	dir, err := h.folder()
	if err != nil {
		return nil, err
	}
	s := &session{dir: filepath.Join(dir, "sessions"), name: nameOf(id)}
	if s.key, err = readKey(dir); err != nil {
		return nil, fmt.Errorf("the guard's key cannot be read: %w", err)
	}
	s.redactor = sync.OnceValue(func() *secret.Redactor { return secret.Keyed(h.Environ, s.key) })
	if err := private(s.dir); err != nil {
		return nil, err
	}
	if s.lock, err = lock(s.path("lock"), lockFor); err != nil {
		return nil, fmt.Errorf("the session's memory cannot be locked: %w", err)
	}
	damage, err := s.read()
	if err == nil && damage != "" {
		err = h.damaged(s, id, damage)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// nameOf is the name of the files of a session's memory.
func nameOf(id string) string {
	sum := blake2s.Sum256([]byte(id))
	return hex.EncodeToString(sum[:12])
}

// Remembers reports that something of a session is known in the guard's folder: its client has told of it.
func Remembers(dir, id string) bool {
	_, err := os.Stat(filepath.Join(dir, "sessions", nameOf(id)+".jsonl"))
	return err == nil
}

// folder is where state and log are kept: private to the user.
func (h *Hook) folder() (string, error) {
	dir := h.Dir
	if dir == "" {
		var err error
		if dir, err = Folder(h.env); err != nil {
			return "", err
		}
	}
	return dir, private(dir)
}

// Folder is where the guard keeps its state, by the environment: below $XDG_STATE_HOME, or ~/.local/state.
func Folder(getenv func(string) string) (string, error) {
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "fettle", "guard"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "state", "fettle", "guard"), nil
	}
	return "", errors.New("neither HOME nor XDG_STATE_HOME says where the guard may keep its state")
}

// private makes a folder that is the user's alone, and refuses one that others may write to.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the guard's state cannot be kept: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || info.Mode().Perm()&0o022 != 0 || ok && int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%s is not a folder that only you may write to: make it one, or remove it", dir)
	}
	return nil
}

// readKey is the key of the authentication codes, made at the first use.
func readKey(dir string) ([]byte, error) {
	file := filepath.Join(dir, "key")
	key, err := os.ReadFile(file)
	if err == nil && len(key) == blake2s.Size || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	// A key in the making has a name of its own, so that nobody reads half of one; whoever links it first has made it.
	made := fresh.Key()
	f, err := os.CreateTemp(dir, "key-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(made[:])
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(f.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	key, err = os.ReadFile(file)
	if err == nil && len(key) != blake2s.Size {
		err = fmt.Errorf("%s is damaged: remove it", file)
	}
	return key, err
}

func (s *session) path(ending string) string { return filepath.Join(s.dir, s.name+"."+ending) }

func (s *session) close() {
	s.lock.Close()
	for _, r := range s.repositories {
		r.close()
	}
}

// read takes the memory from the last line of the file, and says what is damaged of it. Without a file, the session is new.
func (s *session) read() (damage string, err error) {
	f, err := os.OpenFile(s.path("jsonl"), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return s.setAside(nil)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return s.setAside(nil)
	}
	s.size = info.Size()
	last, err := lastLine(f, s.size)
	if err != nil || !s.load(last) {
		return s.setAside(f)
	}
	return "", nil
}

// load takes the memory from a line, if its authentication code is right.
func (s *session) load(text []byte) bool {
	var l line
	s.memory = memory{}
	return read(text, l.parts()) == nil && subtle.ConstantTimeCompare([]byte(l.code), []byte(s.code(l.memory))) == 1 && read(l.memory, s.parts()) == nil
}

// lastLine reads what a file of that size ends with, up to the newline that has to be its last character. Of a line longer than maxLine it is the end.
func lastLine(f io.ReaderAt, size int64) ([]byte, error) {
	for most := int64(anyLine); ; most = maxLine {
		tail := make([]byte, min(size, most+1))
		if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		whole, ok := bytes.CutSuffix(tail, []byte("\n"))
		if !ok {
			return nil, io.ErrUnexpectedEOF
		}
		if begins := bytes.LastIndexByte(whole, '\n') + 1; begins > 0 || size <= most || most == maxLine {
			return whole[begins:], nil
		}
	}
}

// setAside keeps a file whose end cannot be read for a person to look at, and goes on from the last of its lines that can. A torn one costs what its event has told; where none can be
// read, the memory says so.
func (s *session) setAside(f io.ReaderAt) (damage string, err error) {
	damage = "the end of what was remembered of this session is damaged: the guard goes on from what it knew before"
	if !s.recovered(f) {
		s.memory = memory{Broken: true}
		damage = "what was remembered of this session is damaged, and nothing of it can be read: what would change something is asked about until the person speaks again"
	}
	from, aside := s.path("jsonl"), s.path(fmt.Sprintf("broken-%d", time.Now().UnixNano()))
	if os.Link(from, aside) != nil { // it is there until another one is
		err = os.Rename(from, aside)
	}
	s.size = maxFile // another file takes its place
	if err == nil {
		err = s.save()
	}
	if err != nil {
		return "", fmt.Errorf("the session's memory is broken and cannot be set aside: %w", err)
	}
	return damage, nil
}

// recovered takes the memory from the last line of a file that can be read; false: there is none.
func (s *session) recovered(f io.ReaderAt) bool {
	if f == nil {
		return false
	}
	text := make([]byte, min(s.size, maxFile+maxLine))
	if _, err := f.ReadAt(text, s.size-int64(len(text))); err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	for end := bytes.LastIndexByte(text, '\n'); end >= 0; end = bytes.LastIndexByte(text[:end], '\n') {
		if s.load(text[bytes.LastIndexByte(text[:end], '\n')+1 : end]) {
			return true
		}
	}
	return false
}

// code is the authentication code of a memory of this session.
func (s *session) code(data []byte) string {
	mac, _ := blake2s.New256(s.key) // a key of that size is none that it refuses
	mac.Write([]byte(s.name))
	mac.Write(data)
	return base64.RawStdEncoding.EncodeToString(mac.Sum(nil))
}

// save appends the memory as it is now.
func (s *session) save() error {
	data, err := written(nil, s.parts())
	if err = errors.Join(s.lost, err); err != nil {
		return err
	}
	l := line{s.code(data), data}
	data, err = written(nil, l.parts())
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if s.size += int64(len(data)); s.size > maxFile {
		s.size, err = int64(len(data)), replace(s.path("jsonl"), data)
	} else {
		err = appendTo(s.path("jsonl"), data)
	}
	if err != nil {
		return fmt.Errorf("the session's memory cannot be kept: %w", err)
	}
	return nil
}

// appendTo adds to a file of the guard's own.
func appendTo(file string, data []byte) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Damaged are the files that sessions' memories were set aside in.
func Damaged(dir string) []string {
	all, _ := filepath.Glob(filepath.Join(dir, "sessions", "*.broken-*")) // the pattern is well formed
	return all
}

// Keep writes a file of the guard's folder whole or not at all, for this user alone to read.
func Keep(dir, name string, data []byte) error {
	if err := private(dir); err != nil {
		return err
	}
	return replace(filepath.Join(dir, name), data)
}

// replace puts a file of the guard's own in the place of what was there: whole, or not at all.
func replace(file string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
