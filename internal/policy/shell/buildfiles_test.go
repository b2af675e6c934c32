package shell_test

import (
	"strings"
	"testing"
	"time"

	"fettle/internal/policy/shell"
)

// FuzzBuildFiles: whatever stands in a file that a build program loads, every reader comes to its end in time, and says why it does not allow it.
func FuzzBuildFiles(f *testing.F) {
	for _, text := range []string{
		"X = rm\nall: a b ; $(X) -rf ~\n\t@$(foreach a,b,$(a))$(shell ls)\ndefine Y\n", "rule r\n command = $in $\n ${a} $$x\n",
		"set(A b;c [[x]] \"\\\"${B}\")\nexecute_process(COMMAND ${A} $ENV{HOME} $<x:y>) # [[\n", "genrule(cmd = \"a $(location x) $@\" + f('x') % y, tools = [z])\n",
		"run_command(['a', b], '''c''', check: true)\n", "A = $(A) $(B)\nB = $(A)$(A)\nall:\n\t$(B)\n", "a = $b$b$b\nb = $a$a\ncommand = $a\n", "set(A ${B}${B})\nset(B ${A}${A})\nexecute_process(COMMAND ${A})\n",
	} {
		f.Add(text)
	}
	many := strings.Repeat("$(A)$(B)${A}${B}$A$B", 50)
	f.Add("A = " + many + "\nB = " + many + "\ncommand = $A\nall:\n\t$(A)\nset(A " + many + ")\nset(B " + many + ")\nexecute_process(COMMAND ${A})\n")
	f.Fuzz(func(t *testing.T, text string) {
		for name, command := range map[string]string{"Makefile": "make", "build.ninja": "ninja", "CMakeLists.txt": "cmake .", "BUILD": "bazel build //...", "meson.build": "meson setup out"} {
			path := "/home/dev/repo/" + name
			at := place
			at.Script = func(p string) (string, bool) { return text, p == path }
			at.Written = func() []string { return []string{path} }
			began := time.Now()
			v := (*shell.Policy)(nil).Judge(command, at)
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("%s took %s", name, took)
			}
			if v.Decision > shell.Allow && v.Reason == "" {
				t.Errorf("%s: %s without a reason", name, v.Decision)
			}
		}
	})
}
