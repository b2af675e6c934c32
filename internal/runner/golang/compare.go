package golang

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fettle/internal/edit"
	"fettle/internal/proc"
	"fettle/internal/runner"
	"fettle/internal/runner/likely"
)

//go:embed overlay/compare.go.txt
var compareSource []byte

const compareFile = "zz_fettle_zcompare.go" // behind all others: what the package makes is made before anything is asked

var _ runner.Comparer = (*packageSuite)(nil)

// Bounds of a comparison. Its time is the processor's, so that what is known of patches does not depend on how busy the machine is; what waits for
// something that never comes uses none, and is ended by the clock.
const (
	madeInputs   = 240              // of a function
	callFuel     = 4 << 20          // steps of a call
	compareTime  = 5 * time.Second  // for all answers of a candidate; by the clock, for each process that gives some
	allCompared  = 30 * time.Second // for those of all of them
	mostRestarts = 12               // processes that a candidate's answers may end
)

// line is a call that was heard, or an answer; the same type stands in overlay/compare.go.txt.
type line struct {
	Function string          `json:",omitempty"`
	Args     json.RawMessage `json:",omitempty"`
	Number   int             `json:",omitempty"`
	Text     string          `json:",omitempty"`
	Digest   string          `json:",omitempty"`
	Unfit    bool            `json:",omitempty"`
}

// Compare implements [runner.Comparer]. It tells of functions and methods of one package whose arguments can be said in JSON, and of these only where
// calling them anew with what the tests gave comes to what it came to there, so that nothing else decides about it. Documented examples are left out.
func (s *packageSuite) Compare(ctx context.Context, patches []edit.Patch, _ []runner.Example) (runner.Comparison, error) {
	out := runner.Comparison{Answers: make([][]runner.Answer, len(patches))}
	o := &Oracle{Suite: s.suite}
	dir, err := o.folder("compare-")
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(dir)
	c := &comparison{oracle: o, dir: dir, left: allCompared}
	if said, err := c.build(ctx, patches); err != nil || said != "" || len(c.ids) < 2 {
		if err == nil && said != "" {
			err = errors.New("the patches do not build together: " + firstLine(said))
		}
		return out, err
	}
	run := anyOf(tops(s.suite.names(slices.Concat(s.failing, s.met()))))
	heard, err := c.listen(ctx, run, o.limit(max(s.expect, s.took)))
	if err != nil {
		return out, err
	}
	calls := inputs(heard)
	if len(calls) == 0 {
		return out, nil
	}
	answers := make([][]line, len(patches)) // by patch; none: it cannot be told
	good := functions(heard)
	for _, id := range c.ids {
		if answers[id-1], err = c.answers(ctx, id, calls, good); err != nil {
			return out, err
		}
	}
	c.asHeard(heard, calls, answers[c.ids[0]-1], good)
	for _, id := range c.ids {
		if c.changesOther(id, good) {
			answers[id-1] = nil // others may do the same but for that
		}
	}
	for k, call := range calls {
		if !good[call.Function] || slices.ContainsFunc(answers, func(a []line) bool { return a != nil && (a[k].Unfit || a[k].Digest == "") }) {
			continue
		}
		out.Inputs = append(out.Inputs, call.shown())
		for i, a := range answers {
			if a != nil {
				out.Answers[i] = append(out.Answers[i], runner.Answer{Text: a[k].Text, Digest: a[k].Digest})
			}
		}
	}
	return out, nil
}

// comparison is one under way: patches that were built into one binary.
type comparison struct {
	oracle *Oracle
	dir    string
	binary string
	ids    []int // the patches' numbers in it: their index plus one
	schema map[string]*schema
	left   time.Duration // for answers
	files  int
}

// build compiles the patches that change functions of one package, that of the first of them, with what listens to these and asks them.
func (c *comparison) build(ctx context.Context, patches []edit.Patch) (said string, err error) {
	o := c.oracle
	f := &fitting{source: o.source(), schemata: map[string]*schema{}, unfit: map[string]bool{}}
	where := ""
	for i, p := range patches {
		if len(p) == 0 || where != "" && slices.ContainsFunc(p, func(ch edit.Change) bool { return path.Dir(ch.Path) != where }) {
			continue
		}
		if f.add(candidate{Index: i, Patch: p}) {
			where = path.Dir(p[0].Path)
			c.ids = append(c.ids, i+1)
		}
	}
	if len(c.ids) < 2 || !f.only(where) {
		c.ids = nil
		return "", nil
	}
	functions, files := map[string]string{}, map[string][]byte{}
	name := ""
	c.schema = f.schemata
	for file, s := range f.schemata {
		maps.Copy(functions, s.listen())
		name = packageName(s.src)
		files[file] = s.write()
	}
	table := &bytes.Buffer{}
	table.WriteString("\nfunc fettleTable() map[string]any { return map[string]any{\n")
	for _, fn := range slices.Sorted(maps.Keys(functions)) {
		fmt.Fprintf(table, "%q: %s,\n", fn, functions[fn])
	}
	table.WriteString("} }\n")
	files[path.Join(where, mutantFile)] = packaged(mutantSource, name)
	files[path.Join(where, compareFile)] = append(packaged(compareSource, name), table.Bytes()...)
	overlay, _, err := o.writeOverlay(c.dir, files)
	if err != nil {
		return "", err
	}
	c.binary, said, err = o.build(ctx, c.dir, overlay)
	return said, err
}

// listen runs tests with the first of the patches, and gives the calls that they make.
func (c *comparison) listen(ctx context.Context, run string, limit time.Duration) ([]line, error) {
	argv := append([]string{c.binary, "-test.run=" + run, "-test.count=1"}, c.oracle.Suite.Args...)
	heard, _, err := c.run(ctx, argv, c.ids[0], maxFuel, limit)
	return heard, err
}

// inputs are the calls that were heard, and others like them.
func inputs(heard []line) []line {
	var all []likely.Call
	for _, h := range heard {
		if args, err := likely.Decode(h.Args); err == nil {
			all = append(all, likely.Call{Function: h.Function, Args: args})
		}
	}
	var out []line
	for _, m := range likely.More(all, madeInputs) {
		if text, err := json.Marshal(m.Args); err == nil {
			out = append(out, line{Function: m.Function, Args: text})
		}
	}
	return out
}

// ask has a patch answer all calls; nil: it takes too long for that, or ends too many processes. What ends one is an answer, too.
func (c *comparison) ask(ctx context.Context, id int, calls []line) ([]line, error) {
	text, err := json.Marshal(calls)
	if err != nil {
		return nil, fmt.Errorf("scratch: %w", err)
	}
	asked := filepath.Join(c.dir, "calls.json")
	if err := os.WriteFile(asked, text, 0o600); err != nil {
		return nil, fmt.Errorf("scratch: %w", err)
	}
	answers := make([]line, 0, len(calls))
	left := min(compareTime, c.left)
	defer func(had time.Duration) { c.left -= had - left }(left)
	for range mostRestarts {
		if left <= 0 {
			break
		}
		from := len(answers)
		lines, r, err := c.run(ctx, []string{c.binary}, id, callFuel, compareTime, "FETTLE_CALLS="+asked, "FETTLE_FROM="+strconv.Itoa(from))
		if err != nil {
			return nil, err
		}
		left -= r.CPU
		for i, l := range lines {
			if l.Number != from+i || len(answers) == len(calls) {
				return nil, nil // somebody else has written there
			}
			answers = append(answers, l)
		}
		if len(answers) == len(calls) {
			return answers, nil
		}
		if r.Ended != proc.Exited && r.Ended != proc.Signalled {
			return nil, nil
		}
		end := line{Text: "ends the process", Digest: fmt.Sprintf("ends the process with %d", r.Code)}
		if r.Code == outOfFuel {
			end = line{Text: "never ends", Digest: "never ends"}
		}
		answers = append(answers, end)
	}
	return nil, nil
}

// outOfFuel is the exit code of a process whose candidate has used up its steps.
const outOfFuel = 97

// run runs the binary for a patch, and gives what lines it has written.
func (c *comparison) run(ctx context.Context, argv []string, id int, fuel int64, limit time.Duration, env ...string) ([]line, proc.Result, error) {
	c.files++
	name := filepath.Join(c.dir, fmt.Sprintf("lines-%d", c.files))
	s := &c.oracle.Suite
	env = append(env, "FETTLE_LINES="+name, "FETTLE_MUTANT="+strconv.Itoa(id), "FETTLE_FUEL="+strconv.FormatInt(fuel, 10))
	r, err := s.Place.Run(ctx, proc.Cmd{
		Argv: argv, Dir: s.abs(), Env: s.environ(env...),
		Limits: proc.Limits{Time: limit, Grace: 100 * time.Millisecond, Output: 64 << 20, Memory: c.oracle.memory()},
	})
	switch {
	case err != nil:
		return nil, r, fmt.Errorf("compare patches: %w", err)
	case r.Ended == proc.Cancelled:
		return nil, r, context.Cause(ctx)
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, r, nil
	}
	if err != nil {
		return nil, r, fmt.Errorf("scratch: %w", err)
	}
	var out []line
	for sc := bufio.NewScanner(bytes.NewReader(text)); sc.Scan(); {
		var l line
		if json.Unmarshal(sc.Bytes(), &l) == nil {
			out = append(out, l)
		}
	}
	return out, r, nil
}

// answers are a patch's to all calls. A function that answers otherwise when it is asked in another order goes by more than its arguments.
func (c *comparison) answers(ctx context.Context, id int, calls []line, good map[string]bool) ([]line, error) {
	one, err := c.ask(ctx, id, calls)
	if err != nil || one == nil {
		return nil, err
	}
	back := slices.Clone(calls)
	slices.Reverse(back)
	two, err := c.ask(ctx, id, back)
	if err != nil || two == nil {
		return nil, err
	}
	slices.Reverse(two)
	for k, call := range calls {
		if one[k].Digest != two[k].Digest {
			good[call.Function] = false
		}
	}
	return one, nil
}

// functions are those that were heard.
func functions(heard []line) map[string]bool {
	out := map[string]bool{}
	for _, h := range heard {
		out[h.Function] = true
	}
	return out
}

// asHeard takes out the functions that do not answer as they did in the tests, with the patch with which these ran.
func (c *comparison) asHeard(heard, calls, answers []line, good map[string]bool) {
	was := map[string]string{}
	for _, h := range heard {
		if h.Digest != "" {
			was[h.key()] = h.Digest
		}
	}
	for k, call := range calls {
		if want, known := was[call.key()]; known && (answers == nil || answers[k].Digest != want) {
			good[call.Function] = false
		}
	}
}

// changesOther reports whether a patch changes a function of which nothing can be told.
func (c *comparison) changesOther(id int, good map[string]bool) bool {
	for _, s := range c.schema {
		if slices.ContainsFunc(s.changing(id), func(name string) bool { return !good[name] }) {
			return true
		}
	}
	return false
}

// key is what a call is known by, however its arguments were written.
func (l line) key() string {
	args, err := likely.Decode(l.Args)
	if err != nil {
		return ""
	}
	text, _ := json.Marshal(args)
	return l.Function + string(text)
}

// shown is a call as people write it.
func (l line) shown() string {
	var args []json.RawMessage
	_ = json.Unmarshal(l.Args, &args)
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = string(a)
	}
	return l.Function + "(" + strings.Join(texts, ", ") + ")"
}
