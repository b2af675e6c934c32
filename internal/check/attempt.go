package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"fettle/internal/check/parse"
	"fettle/internal/proc"
)

// reportMark stands in a check's argv for the path of the report file that its parser reads.
const reportMark = "{report}"

// afterTime is how long a command that cleans up may take: it also runs when the session was cancelled.
const afterTime = time.Minute

// attempt is one check on its way.
type attempt struct {
	place   Place
	check   Check
	options RunOptions
	format  *parse.Format // nil: nothing reads what it prints
	report  string        // the path that {report} stands for; empty: none
	kept    *spool        // what the command prints, for the check's reader; nil: there is none
	modules func() []string
}

func newAttempt(p Place, c Check, o RunOptions) *attempt {
	a := &attempt{place: p, check: c, options: o}
	a.modules = sync.OnceValue(a.lookForModules)
	if f, ok := parse.Lookup(c.Parser); ok && c.Parser != "" {
		a.format = &f
	}
	return a
}

// run runs what comes before, the check itself, and, whatever happened, what comes after.
func (a *attempt) run(ctx context.Context) (r Result, err error) {
	began := time.Now()
	defer func() {
		reason := a.after(ctx)
		if r.Reason == "" {
			r.Reason = reason
		}
		r.Wall = time.Since(began)
	}()
	for _, argv := range a.check.Before {
		res, err := a.exec(ctx, argv, nil, nil)
		if reason := a.startProblem(err, argv); reason != "" {
			return a.broken(reason), nil
		}
		if err = ended(ctx, res, err); err != nil {
			return Result{}, err
		}
		if !res.OK() {
			r := a.broken(fmt.Sprintf("the command before it, %s, %s: %s", shown(argv), howEnded(res), telling(plainText(res))))
			r.Tail = lastBytes(plainText(res))
			return r, nil
		}
	}
	return a.main(ctx)
}

// after runs the commands that come last and tells which one failed.
func (a *attempt) after(ctx context.Context) (reason string) {
	for _, argv := range a.check.After {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), afterTime)
		res, err := a.exec(ctx, argv, nil, nil)
		cancel()
		switch {
		case err != nil:
			reason = fmt.Sprintf("the command after it, %s, could not run: %v", shown(argv), err)
		case !res.OK():
			reason = fmt.Sprintf("the command after it, %s, %s", shown(argv), howEnded(res))
		}
	}
	return reason
}

// main runs the check itself and reads it.
func (a *attempt) main(ctx context.Context) (Result, error) {
	tidy, err := a.makeRoom()
	if err != nil {
		return Result{}, fmt.Errorf("make room for the report of %s: %w", a.check.Name, err)
	}
	defer tidy()
	var before map[string]fs.FileInfo
	if len(a.check.Reports) > 0 {
		if before, err = a.reportFiles(ctx, a.place.FS()); err != nil {
			return Result{}, err
		}
	}
	argv, rd := a.argv(), a.startReading()
	res, err := a.exec(ctx, a.join(argv), rd.stdout(), rd.stderr())
	rd.close()
	err = a.joinError(argv, res, err)
	if reason := a.startProblem(err, argv); reason != "" {
		return a.broken(reason), nil
	}
	if err := ended(ctx, res, err); err != nil {
		return Result{}, err
	}
	if a.kept != nil && (res.Ended == proc.Exited || res.Ended == proc.Signalled) {
		return a.judgeByReader(ctx, res)
	}
	said, err := rd.result()
	if a.format != nil && a.format.Stream == parse.File {
		said, err = a.readReport()
	}
	if len(a.check.Reports) > 0 {
		more, err2 := a.readReports(ctx, before)
		said.Diagnostics = append(said.Diagnostics, more.Diagnostics...)
		said.Tests, err = append(said.Tests, more.Tests...), errors.Join(err, err2)
	}
	said.Diagnostics = a.followLinks(said.Diagnostics)
	return a.judge(res, said, err), nil
}

// makeRoom makes what the check's output needs besides the command: a folder for its report, a file for its reader.
func (a *attempt) makeRoom() (func(), error) {
	if !namesReport(a.check.Run) && a.check.Reader == nil {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp(a.place.Scratch(), "report-")
	if err != nil {
		return nil, err
	}
	tidy := func() { _ = os.RemoveAll(dir) } // the place clears its scratch folder too
	if namesReport(a.check.Run) {
		a.report = filepath.Join(dir, "report")
	}
	if a.check.Reader == nil {
		return tidy, nil
	}
	file, err := os.Create(filepath.Join(dir, "printed"))
	if err != nil {
		tidy()
		return nil, err
	}
	a.kept = &spool{file: file}
	return func() {
		_ = file.Close() // what it holds has been read
		tidy()
	}, nil
}

// argv is the command as it is run.
func (a *attempt) argv() []string {
	argv := append(a.withReport(a.check.Run), a.options.Args...)
	if a.options.Fresh && isGoTest(argv) && !slices.ContainsFunc(argv, isCount) {
		argv = slices.Insert(argv, 2, "-count=1")
	}
	return argv
}

// withReport is a command with the report file where it names one.
func (a *attempt) withReport(argv []string) []string {
	out := slices.Clone(argv)
	for i, w := range out {
		if a.report != "" {
			out[i] = strings.ReplaceAll(w, reportMark, a.report)
		}
	}
	return out
}

func isGoTest(argv []string) bool {
	return len(argv) > 1 && filepath.Base(argv[0]) == "go" && argv[1] == "test"
}

func isCount(word string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	return strings.HasPrefix(word, "-") && name == "count"
}

func (a *attempt) exec(ctx context.Context, argv []string, stdout, stderr io.Writer) (proc.Result, error) {
	c := a.command(argv)
	c.Stdout, c.Stderr = stdout, stderr
	return a.place.Run(ctx, c)
}

// command is an argv as the check's own command is run.
func (a *attempt) command(argv []string) proc.Cmd {
	timeout := a.check.Timeout
	if timeout <= 0 {
		timeout = a.options.Timeout
	}
	return proc.Cmd{Argv: argv, Dir: a.dir(), Env: proc.Environ(a.env()), Limits: proc.Limits{Time: timeout, Output: a.options.Output}}
}

// env is what the check's environment has beside our own.
func (a *attempt) env() map[string]string {
	env := make(map[string]string)
	if a.check.Lang == "python" {
		// Python takes a compiled file for fresh when size and second of its source agree. A patch of the same length in
		// the same second would be judged by the code that it replaced.
		env["PYTHONDONTWRITEBYTECODE"] = "1"
	}
	maps.Copy(env, a.check.Env)
	maps.Copy(env, a.options.Env)
	if tools := a.projectTools(); len(tools) > 0 {
		search, set := env["PATH"]
		if !set {
			search = os.Getenv("PATH")
		}
		env["PATH"] = strings.Join(append([]string{search}, tools...), string(filepath.ListSeparator))
	}
	return env
}

// projectTools are the folders in which the project itself keeps the programs of its tools. They come last on PATH: a command
// that names a tool finds it there if it is nowhere else.
func (a *attempt) projectTools() []string {
	var out []string
	files := a.place.FS()
	for _, dir := range unique([]string{path.Clean(a.check.Dir), "."}) {
		for _, bin := range []string{".venv/bin", "venv/bin", "node_modules/.bin"} {
			if info, err := fs.Stat(files, path.Join(dir, bin)); err == nil && info.IsDir() {
				out = append(out, filepath.Join(a.place.Root(), filepath.FromSlash(path.Join(dir, bin))))
			}
		}
	}
	return out
}

// startProblem says why a command could not be started, when that is the check's fault and not the place's.
func (a *attempt) startProblem(err error, argv []string) string {
	switch {
	case err == nil:
		return ""
	case a.noFolder():
		return fmt.Sprintf("it runs in the folder %s, which is not there; make it, or change dir in %s", a.check.Dir, FileFor(a.options.Written))
	case errors.Is(err, exec.ErrNotFound) && strings.Contains(argv[0], "/"):
		return fmt.Sprintf("there is no program %s (seen from %s); change run in %s", argv[0], cmp.Or(a.check.Dir, "the root"), FileFor(a.options.Written))
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Sprintf("%s is not installed or not on PATH; install it, or leave check %q out of %s", argv[0], a.check.Name, FileFor(a.options.Written))
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOEXEC),
		errors.Is(err, syscall.ENOTDIR), a.noProgram(argv[0]):
		return fmt.Sprintf("%s could not be started: %v", argv[0], err)
	}
	return ""
}

// noProgram reports whether a path leads to something that cannot be executed. The errors of a confined place come as
// text, which does not say so.
func (a *attempt) noProgram(name string) bool {
	if !strings.Contains(name, "/") {
		return false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.dir(), name)
	}
	info, err := os.Stat(name)
	return err == nil && (info.IsDir() || info.Mode()&0o111 == 0)
}

// noFolder reports whether the check's folder is missing from the repository. When a command could not be started, no command
// before it has made it either.
func (a *attempt) noFolder() bool {
	info, err := os.Stat(a.dir())
	return errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir()
}

// dir is the absolute folder that the check runs in.
func (a *attempt) dir() string { return filepath.Join(a.place.Root(), filepath.FromSlash(a.check.Dir)) }

// ended is the error that ends the whole run: the context's, or the place's.
func ended(ctx context.Context, res proc.Result, err error) error {
	if ctx.Err() != nil && (err != nil || res.Ended == proc.Cancelled) {
		return context.Cause(ctx)
	}
	if err == nil && res.Ended == proc.Cancelled {
		return errors.New("the place ended the command without being asked")
	}
	return err
}

func (a *attempt) broken(reason string) Result {
	return Result{Check: a.check.Name, Status: Broken, Code: -1, Reason: reason}
}

// howEnded says in a few words how a command ended that did not end well.
func howEnded(res proc.Result) string {
	switch res.Ended {
	case proc.Exited:
		return fmt.Sprintf("ended with exit code %d", res.Code)
	case proc.Signalled:
		return "was ended by " + res.Signal
	case proc.TimedOut:
		return "did not end in time"
	case proc.OutputLimit:
		return "printed too much"
	case proc.Cancelled:
	}
	return "was cancelled"
}

// shown is an argv for people.
func shown(argv []string) string {
	if s, ok := quoteCommand(argv); ok {
		return s
	}
	return argv[0]
}
