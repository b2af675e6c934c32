package jvm

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/check"
	"fettle/internal/proc"
)

// machine is how a machine that ran tests was set up, as the agent told it.
type machine struct {
	properties map[string]string
	env        []string
	options    []string
	classes    []string // that came from folders
	origins    []string // of all classes: folders and archives
}

// observeTime bounds the run of the user's command.
const observeTime = 5 * time.Minute

// observe runs the user's own command for the failing tests with the agent in every machine that it starts.
func (l *lab) observe(ctx context.Context, t *tree) ([]machine, error) {
	if err := l.prepare(); err != nil {
		return nil, err
	}
	dir, err := l.folder("machines-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	c := l.job.Check
	if narrow, ok := c.Narrow(l.targets(t)...); ok {
		c = narrow
	}
	if c.Timeout <= 0 || c.Timeout > observeTime {
		c.Timeout = observeTime
	}
	tell := "-javaagent:" + l.agent + "=" + dir
	for _, e := range proc.Environ(c.Env) {
		if had, ok := strings.CutPrefix(e, "JAVA_TOOL_OPTIONS="); ok && had != "" {
			tell = had + " " + tell
		}
	}
	if _, err := check.Run(ctx, l.job.Place, []check.Check{c}, check.RunOptions{Env: map[string]string{"JAVA_TOOL_OPTIONS": tell}, Fresh: true}); err != nil {
		return nil, fmt.Errorf("run %s to see how its tests are run: %w", c.Name, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, fmt.Errorf("scratch: %w", err)
	}
	var out []machine
	for _, f := range files {
		m, err := readMachine(f)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// targets are the failing tests by their classes' files, so that a build of several modules runs one of them.
func (l *lab) targets(t *tree) []check.Target {
	var out []check.Target
	for _, id := range l.job.Failing {
		class, _, _ := strings.Cut(id, "#")
		out = append(out, check.Target{Lang: "java", Path: t.ofClass(class), IDs: []string{id}})
	}
	return out
}

func readMachine(file string) (machine, error) {
	m := machine{properties: map[string]string{}}
	f, err := os.Open(file)
	if err != nil {
		return m, fmt.Errorf("read what a machine told of itself: %w", err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		w := fields(sc.Text())
		switch {
		case w[0] == "property" && len(w) == 3:
			m.properties[w[1]] = w[2]
		case w[0] == "environment" && len(w) == 3:
			if w[1] != "JAVA_TOOL_OPTIONS" {
				m.env = append(m.env, w[1]+"="+w[2])
			}
		case w[0] == "option" && len(w) == 2:
			m.options = append(m.options, w[1])
		case w[0] == "class" && len(w) == 2:
			m.classes = append(m.classes, w[1])
		case w[0] == "origin" && len(w) == 2:
			m.origins = append(m.origins, strings.TrimSuffix(w[1], "/"))
		}
	}
	slices.Sort(m.env)
	if err := sc.Err(); err != nil {
		return m, fmt.Errorf("read what a machine told of itself: %w", err)
	}
	return m, nil
}

// dir is the folder that the machine ran in.
func (m *machine) dir() string { return m.properties["user.dir"] }

// java is the program that started it.
func (m *machine) java() string { return filepath.Join(m.properties["java.home"], "bin", "java") }

// mainClass is the class of its main function; empty for an archive or a module.
func (m *machine) mainClass() string {
	first, _, _ := strings.Cut(m.properties["sun.java.command"], " ")
	if strings.HasSuffix(first, ".jar") || strings.Contains(first, "/") {
		return ""
	}
	return first
}

// arguments are those of its main function. What they were parted by is not known: it is taken for single blanks.
func (m *machine) arguments() []string {
	_, rest, ok := strings.Cut(m.properties["sun.java.command"], " ")
	if !ok || rest == "" {
		return nil
	}
	return strings.Split(rest, " ")
}

// classPath is everything that classes come from, in order: what the machine was given, the test framework's own parts that the build
// brought along, and modules. What is not there, as stat finds it, is left out.
func (m *machine) classPath(stat func(abs string) (fs.FileInfo, error)) []string {
	out := m.given()
	for _, origin := range m.origins {
		if filepath.Base(origin) != "agent.jar" {
			out = append(out, m.entry(origin))
		}
	}
	return distinct(slices.DeleteFunc(out, func(e string) bool { return missing(stat, e) }))
}

// gone are the folders and archives of the class path that classes were taken from, and that are there no more: what a build fetches in a private
// copy goes with it. What Gradle makes for the processes that it starts is no library: no other machine needs it.
func (m *machine) gone(stat func(abs string) (fs.FileInfo, error)) []string {
	return distinct(slices.DeleteFunc(m.given(), func(e string) bool {
		return !slices.Contains(m.origins, e) || !missing(stat, e) || filepath.Base(filepath.Dir(e)) == "workerMain"
	}))
}

// given is what the machine was told to take classes from.
func (m *machine) given() (out []string) {
	for _, name := range []string{"surefire.test.class.path", "java.class.path", "jdk.module.path"} {
		for _, e := range filepath.SplitList(m.properties[name]) {
			out = append(out, m.entry(e))
		}
	}
	return out
}

// entry is one of a class path, from the folder that the machine ran in.
func (m *machine) entry(e string) string {
	if !filepath.IsAbs(e) {
		e = filepath.Join(m.dir(), e) // the empty one is that folder
	}
	return filepath.Clean(e)
}

func missing(stat func(abs string) (fs.FileInfo, error), name string) bool {
	_, err := stat(name)
	return err != nil
}

// distinct leaves out what has come before.
func distinct(list []string) (out []string) {
	for _, e := range list {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// kept are the beginnings of options that change how code behaves. Agents measure or observe, but for those that mocking needs.
var kept = []string{"-D", "--add-opens", "--add-exports", "--add-reads", "--add-modules", "--enable-preview", "--enable-native-access", "-ea", "-da", "-esa", "-dsa",
	"-enableassertions", "-disableassertions", "-Xss", "-javaagent:"}

// keptOptions are the options for another machine of the kind.
func (m *machine) keptOptions() []string {
	var out []string
	for _, o := range m.options {
		measures := strings.HasPrefix(o, "-javaagent:") && (strings.Contains(o, "jacoco") || strings.Contains(o, "agent.jar="))
		ours := strings.HasPrefix(o, "-Djava.class.path=") || strings.HasPrefix(o, "--add-reads") && strings.Contains(o, "=ALL-UNNAMED")
		if !measures && !ours && slices.ContainsFunc(kept, func(p string) bool { return strings.HasPrefix(o, p) }) {
			out = append(out, o)
		}
	}
	return out
}

// machineOwn are the beginnings of properties that belong to a machine, its tools, or to how it was started.
var machineOwn = []string{"java.", "sun.", "jdk.", "os.", "user.", "file.", "line.", "path.", "native.", "awt.", "stdout.", "stderr.", "surefire.", "org.gradle.", "http.", "https.", "ftp.", "socks"}

// keptProperties are the properties that the build set from inside.
func (m *machine) keptProperties() map[string]string {
	out := map[string]string{}
	for k, v := range m.properties {
		if !slices.ContainsFunc(machineOwn, func(p string) bool { return strings.HasPrefix(k, p) }) {
			out[k] = v
		}
	}
	return out
}

// group is failing tests that one machine ran.
type group struct {
	machine machine
	failing []string
	program bool // its main function is the test
}

// group finds for each failing test the machine that ran it.
func (l *lab) group(seen []machine, t *tree) []group {
	var out []group
	if !l.reportsTests() {
		for _, m := range seen {
			if class := m.mainClass(); class != "" && slices.Contains(m.classes, class) && t.ofClass(class) != "" {
				out = []group{{machine: m, failing: l.job.Failing, program: true}} // the last one decides
			}
		}
		return out
	}
	for _, m := range seen {
		g := group{machine: m}
		for _, id := range l.job.Failing {
			class, _, _ := strings.Cut(id, "#")
			if slices.Contains(m.classes, class) && !slices.ContainsFunc(out, func(o group) bool { return slices.Contains(o.failing, id) }) {
				g.failing = append(g.failing, id)
			}
		}
		if len(g.failing) > 0 {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b group) int { return len(b.failing) - len(a.failing) })
	return out
}

// reportsTests reports whether the check names its tests; otherwise it is a program that judges itself.
func (l *lab) reportsTests() bool {
	switch l.job.Check.Parser {
	case "maven", "gradle", "java-junit", "junit":
		return true
	}
	return false
}
