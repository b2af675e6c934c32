package shell

import (
	"slices"
	"strings"
)

// Variables are the environment variables that change which code other programs run, by what their values are.
type Variables struct {
	Commands []string `json:"commands,omitempty"` // shell commands
	Prompts  []string `json:"prompts,omitempty"`  // texts in which the shell expands substitutions
	Paths    []string `json:"paths,omitempty"`    // folders of code
	Loads    []string `json:"loads,omitempty"`    // code that is loaded first, or options of an interpreter; a star at the end stands for any
	Proxies  []string `json:"proxies,omitempty"`  // where packages or answers come from
	Unsafe   []string `json:"unsafe,omitempty"`   // what turns a protection off
	Unhooks  []string `json:"unhooks,omitempty"`  // what passes git hooks by
	Writes   []string `json:"writes,omitempty"`   // where files are written; a star at the end stands for any
}

// environment notes a variable whose value changes which code later programs run.
func (s *shell) environment(name string, v value) {
	vars := &variables
	switch {
	case v.empty():
	case name == "PYTEST_ADDOPTS":
		s.pytestOptions(quotedWords(v.text), v.from)
	case name == "PYTEST_PLUGINS":
		s.pytestOptions([]string{"-p", v.text}, v.from)
	case slices.Contains(vars.Commands, name):
		s.starts(v)
	case slices.Contains(vars.Prompts, name):
		s.prompt(v)
	case name == "PATH" || slices.Contains(vars.Paths, name):
		if folder, bad := s.foreignFolder(v, name == "PATH"); bad {
			s.note(Env, name+"="+folder, "")
		}
	case matchesAny(vars.Writes, name):
		s.writtenBy(name, v)
	case matchesAny(vars.Loads, name):
		if !harmlessOptions(name, v) {
			s.note(Env, name+"="+v.show(), "")
		}
	case slices.Contains(vars.Proxies, name) || slices.Contains(vars.Proxies, strings.ToLower(name)):
		if !local(v.text) {
			s.fact(Fact{Kind: Config, Target: name, Traits: []Trait{Declared}})
		}
	case slices.Contains(vars.Unsafe, name):
		s.note(Protects, name+"="+v.show(), "")
	case slices.Contains(vars.Unhooks, name):
		s.note(Unhooked, name+"="+v.show(), "")
	}
}

// writtenBy notes where a variable has programs write, if somebody would miss what is there: a hidden folder in a home is one of those that tools make for themselves.
func (s *shell) writtenBy(name string, v value) {
	at := s.locate(v, s.cwd)
	hidden := at.zone == Home && strings.HasPrefix(at.path, s.at.Home+"/.")
	if !at.several() && !at.zone.own() && at.zone != Scratch && at.zone != Nowhere && !hidden {
		s.noteAt(at, Write, name)
	}
}

// pytestOptions judges what a variable tells pytest, as its options do: it runs nothing yet.
func (s *shell) pytestOptions(words []string, from taint) {
	v := &invocation{shell: s, prog: s.policy.program("pytest"), name: "pytest", began: s.cwd}
	var args []value
	for _, word := range words {
		args = append(args, value{word, from})
	}
	v.parse(args)
	v.outward()
	v.apply()
}

// setting takes NAME=VALUE into the environment, and reports whether that is what it was given.
func (s *shell) setting(v value) bool {
	name, text, ok := strings.Cut(v.text, "=")
	if !ok || name == "" {
		return false
	}
	s.mark(name, func(at *attribute) { at.exported = true })
	s.assignTo(name, value{text, v.from})
	return true
}

// matchesAny reports whether a name is one of the list, in which a star at the end stands for any ending.
func matchesAny(list []string, name string) bool {
	return slices.ContainsFunc(list, func(n string) bool {
		prefix, ok := strings.CutSuffix(n, "*")
		return n == name || ok && strings.HasPrefix(name, prefix)
	})
}

// foreignFolder finds a folder in a search path from which nobody expects programs: one for temporary files, the current
// one, or one that is not known. What stood in the path before is not asked about. Only of programs is the current folder, whatever it is then, no place.
func (s *shell) foreignFolder(v value, programs bool) (string, bool) {
	for folder := range strings.SplitSeq(v.text, ":") {
		if folder == string(hole) {
			continue // $PATH itself
		}
		at := s.locate(value{text: folder}, s.cwd)
		if folder == "" {
			continue
		}
		if slices.Contains(openFolders, at.path) || at.path == s.at.Home || at.zone == Scratch || at.zone == Anywhere || at.zone == Device || at.zone == Elsewhere || programs && folder == "." {
			return at.path, true
		}
	}
	return "", false
}

// openFolders hold what anybody puts there.
var openFolders = []string{"/", "/tmp", "/var/tmp", "/home", "/dev", "/private/tmp"}

// harmlessOptions reports values of an interpreter's options that only set limits or switch warnings.
func harmlessOptions(name string, v value) bool {
	if oneWord(" MAVEN_OPTS GRADLE_OPTS SBT_OPTS ANT_OPTS JAVA_OPTS ", name) { // of which projects make much use
		return !speaks(v.text, jvmLoads)
	}
	text, ok := v.exact()
	if rest, more := strings.CutPrefix(text, string(hole)+" "); more && v.from == 0 && strings.HasPrefix(name, "RUST") { // what the environment has stays: "$RUSTFLAGS -C panic=abort"
		text, ok = value{text: rest}.exact()
	}
	if !ok {
		return false
	}
	switch name {
	case "ENV":
		return !strings.ContainsAny(text, "/~") // many programs call their surroundings so: ENV=test
	case "RUSTFLAGS", "RUSTDOCFLAGS":
		return !strings.Contains(text, "link") || !strings.Contains(text, "/") // a linker by its path, or what it is told about others
	case "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "GOFLAGS", "MAKEFLAGS", "RUBYOPT", "PERL5OPT":
		for word := range strings.FieldsSeq(text) {
			if !slices.ContainsFunc(harmless, func(p string) bool {
				return strings.HasPrefix(word, p) && (len(p) > 2 || strings.Trim(word[2:], "0123456789") == "")
			}) {
				return false
			}
		}
		return true
	}
	return false
}

// jvmLoads are options by which a Java machine loads code, or runs a command.
const jvmLoads = "-javaagent: -agentpath: -agentlib: -Xbootclasspath -XX:On -XX:Flags="

var harmless = []string{"--max-old-space-size", "--max-semi-space-size", "--trace-", "--no-warnings", "--no-deprecation", "--throw-deprecation", "--experimental-vm-modules",
	"--stack-size", "--stack-trace-limit", "--unhandled-rejections", "--enable-source-maps", "--dns-result-order", "--openssl-legacy-provider",
	"-Xmx", "-Xms", "-Xss", "-XX:MaxRAM", "-XX:+Use", "-Dfile.encoding", "-Duser.", "-Djava.awt.headless",
	"-mod=", "-count=", "-race", "-v", "-buildvcs=", "-tags=", "-p=", "-short", "-timeout=", "-trimpath", "-j", "-s", "-k", "--no-print-directory", "-W", "-w"}
