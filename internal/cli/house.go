package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"fettle/internal/check"
	"fettle/internal/git"
	"fettle/internal/heal"
	"fettle/internal/journal"
	"fettle/internal/phrase"
	"fettle/internal/policy/path"
	"fettle/internal/store"
	"fettle/internal/workspace"

	"github.com/gofrs/flock"
)

// house is the rooms of one repository, opened.
type house struct {
	root     string
	here     string    // the folder that paths on the command line are seen from, absolute, without symbolic links
	from     string    // the same as a slash path from the root
	repo     *git.Repo // nil where there is no git
	noGit    error     // why git could not be asked
	state    string    // the private state folder
	db       *store.DB
	journal  *journal.Journal
	tree     *workspace.Tree
	stock    *workspace.Stock
	sessions *heal.Sessions
	damaged  string // where a damaged database was put; empty: there was none
	rebuilt  int    // changes that were read from the ledger
	config   *check.Config
	stamp    string // of the file that it comes from
	release  func()
	purse    *purse // what models are paid from; nil: none was asked for

	recording *os.File // where it is written down what models answer; nil: nowhere
	mindless  bool     // models and agents may be asked, and none is set up
	fresh     bool     // nobody's earlier answer counts
	copies    atomic.Int64
	say       func(format string, args ...any) // to the person; nil: nobody listens
	loose     sync.Once                        // what is not confined is told once
	wrong     sync.Once                        // and so is which providers are configured wrongly
}

// open finds the repository and opens its rooms. The caller closes the house.
func (a *app) open(ctx context.Context) (*house, error) {
	h, err := a.enter(ctx)
	if err != nil {
		return nil, err
	}
	return h, a.settleIn(ctx, h)
}

// settleIn opens the rooms of a house that was entered, and tells what became of a damaged database. When it fails, the house is
// closed.
func (a *app) settleIn(ctx context.Context, h *house) error {
	if err := h.furnish(ctx); err != nil {
		h.Close()
		return err
	}
	if text := h.repair(); text != "" {
		a.say("%s", text)
	}
	return nil
}

// enter finds the repository and reads its configuration.
func (a *app) enter(ctx context.Context) (*house, error) {
	h := &house{say: a.say}
	if err := h.find(ctx, a.dir); err != nil {
		return nil, err
	}
	for _, text := range misnamed(filepath.Join(h.root, check.FileName)) {
		h.say("%s", text)
	}
	return h, h.configure(ctx)
}

// configure reads the configuration.
func (h *house) configure(ctx context.Context) error {
	stamp := check.Stamp(h.root) // before the file is read: what comes in between is seen later
	c, err := check.Effective(ctx, h.root)
	if err == nil {
		h.config, h.stamp = c, stamp
	}
	return err
}

// moved returns an error when the configuration cannot be read any more, or has other checks than the one that was read.
func (h *house) moved(ctx context.Context) error {
	stamp := check.Stamp(h.root)
	if stamp == h.stamp {
		return nil
	}
	c, err := check.Effective(ctx, h.root)
	switch {
	case err != nil:
		return err
	case !c.Written && !reflect.DeepEqual(c.Checks, h.config.Checks):
		return errors.New(check.FileName + " is gone, and looking finds other checks")
	case !reflect.DeepEqual(c.Checks, h.config.Checks):
		return errors.New(check.FileName + " has other checks now")
	}
	h.stamp = stamp
	return nil
}

// find finds the repository: the git working tree around the folder, or, without git, the nearest folder upwards that looks
// like the root of a project, or the folder itself.
func (h *house) find(ctx context.Context, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return usage("the folder in which this was started is gone (%w); go to another one, or name the repository with -C DIR", err)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usage("there is no folder %s", dir)
	}
	repo, err := git.Open(ctx, dir)
	switch {
	case err == nil:
		h.repo, h.root = repo, repo.Root
	case errors.Is(err, git.ErrNotRepository):
		h.root = projectRoot(dir)
	case errors.Is(err, exec.ErrNotFound):
		h.root, h.noGit = projectRoot(dir), err
	default:
		return err
	}
	if h.root, err = filepath.EvalSymlinks(h.root); err != nil {
		return err
	}
	if h.here, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	h.from, err = path.Rel(h.root, h.here)
	return err
}

// projectRoot is the nearest folder at or above dir that a project begins in; dir itself when there is none.
func projectRoot(dir string) string {
	for at := dir; at == dir || !shared(at); at = filepath.Dir(at) {
		for _, name := range []string{".git", check.FileName, "go.mod", "pyproject.toml", "setup.py", "setup.cfg"} {
			if _, err := os.Stat(filepath.Join(at, name)); err == nil {
				return at
			}
		}
		if filepath.Dir(at) == at {
			break
		}
	}
	return dir
}

// shared reports whether a folder holds more than one project, whatever lies in it: HOME, and folders that everybody may
// write to, such as /tmp, where a file that makes a project of it may have been put to mislead.
func shared(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil || info.Mode()&0o002 != 0 {
		return true
	}
	home, err := os.Stat(os.Getenv("HOME"))
	return err == nil && os.SameFile(info, home)
}

// locate finds the folder of fettle's private state, once.
func (h *house) locate() (err error) {
	if h.state != "" {
		return nil
	}
	common, key := h.gitPlace()
	h.state, err = store.StateDir(h.root, common, key)
	return err
}

// gitPlace is git's folder, and the working tree's name there; nothing where there is no git.
func (h *house) gitPlace() (common, key string) {
	if h.repo == nil {
		return "", ""
	}
	return h.repo.CommonDir, h.repo.WorktreeKey()
}

// furnish opens the rooms that keep something.
func (h *house) furnish(ctx context.Context) error {
	err := h.locate()
	if err != nil {
		return err
	}
	h.stock = workspace.OpenStock(h.root, filepath.Join(h.state, "stock"))
	h.db, err = store.Open(ctx, h.state)
	if errors.Is(err, store.ErrCorrupt) {
		err = h.replaceDatabase(ctx)
	}
	if err != nil {
		return err
	}
	if h.journal, err = journal.Open(h.db, h.state); err != nil {
		return err
	}
	if h.rebuilt, err = h.journal.CatchUp(ctx); err != nil {
		return err
	}
	// How many edits are too many is for the audit to say: a formatter makes as many as it must.
	h.tree, err = workspace.OpenTree(h.root, h.journal, workspace.Options{MaxFile: h.config.Limits.MaxFileSize, MaxEdits: -1})
	h.sessions = &heal.Sessions{DB: h.db}
	return err
}

// replaceDatabase puts a damaged database aside and opens a new one. Of several fettles that find it damaged, one does.
func (h *house) replaceDatabase(ctx context.Context) error {
	lock := flock.New(filepath.Join(h.state, "repair.lock"))
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil || !ok {
		return fmt.Errorf("wait for the fettle that repairs the database: %w", err)
	}
	defer lock.Close()
	var err error
	if h.db, err = store.Open(ctx, h.state); !errors.Is(err, store.ErrCorrupt) {
		return err // another one was faster
	}
	if h.damaged, err = store.Quarantine(h.state); err != nil {
		return err
	}
	h.db, err = store.Open(ctx, h.state)
	return err
}

// repair says what became of a database that was damaged, or had lost something; empty when there was none.
func (h *house) repair() string {
	switch {
	case h.damaged == "" && h.rebuilt > 0:
		return fmt.Sprintf("the state database had lost %s, which were read from the journal's ledger", phrase.Count(h.rebuilt, "change"))
	case h.damaged == "":
		return ""
	}
	return fmt.Sprintf("the state database was damaged and is kept as %s; %s in the new one, made from the journal's ledger; sessions before it are forgotten",
		h.damaged, phrase.Count(h.rebuilt, "change"))
}

// lock makes this the only fettle that changes the working tree, finishes what a crash left half-done, and clears away
// private copies and temporary worktrees that nobody uses any more.
func (h *house) lock(ctx context.Context, a *app, who string) error {
	release, err := h.tree.Lock(ctx, who)
	if err != nil {
		return err
	}
	h.release = release
	sets, err := h.tree.Recover(ctx)
	if err != nil {
		return fmt.Errorf("recover from an interrupted change: %w", err)
	}
	if err := h.journal.MendLedger(ctx); err != nil {
		return err
	}
	for _, s := range sets {
		a.say("recovered: change %d (%s) was interrupted and is now %s", s.ID, s.Reason, s.State)
	}
	if _, err := workspace.CleanCopies(h.copiesDir()); err != nil {
		return fmt.Errorf("clear away old private copies: %w", err)
	}
	if h.repo != nil {
		h.repo.Waiting = func(text string) { a.say("%s", text) }
		if err := h.repo.Clean(); err != nil {
			return fmt.Errorf("clear away what an interrupted commit left: %w", err)
		}
	}
	return nil
}

func (h *house) copiesDir() string { return filepath.Join(h.state, "copies") }

// Close lets go of everything.
func (h *house) Close() {
	if h.purse != nil {
		_ = h.purse.Close() // what was spent is written down when it is spent
	}
	if h.recording != nil {
		_ = h.recording.Close() // each line is written when it is said
	}
	if h.tree != nil {
		_ = h.tree.Close()
	}
	if h.stock != nil {
		_ = h.stock.Close() // it is a cache
	}
	if h.release != nil {
		h.release()
	}
	if h.journal != nil {
		_ = h.journal.Close()
	}
	if h.db != nil {
		_ = h.db.Close()
	}
}
