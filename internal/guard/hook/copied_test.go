package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// again makes every decision of the log again, from the log alone.
func (y *yard) again() {
	y.t.Helper()
	for _, e := range y.log() {
		if v := e.Again(nil); v.Decision != e.Policy.Decision || v.Rule != e.Policy.Rule {
			y.t.Errorf("%s %s: %s by %s, and again: %s by %s", e.Tool, e.Input, e.Policy.Decision, e.Policy.Rule, v.Decision, v.Rule)
		}
	}
}

// does is a command of the agent's that nothing is said against, and what it leaves behind: files, by where they were copied from.
func (y *yard) does(command string, leaves map[string]string) {
	y.t.Helper()
	y.bash(command).want(y.t, command, "", "")
	for to, from := range leaves {
		data, err := os.ReadFile(filepath.Join(y.project, from))
		if err != nil {
			y.t.Fatal(err)
		}
		y.put(to, string(data))
	}
}

// TestCopiedIntoFolder: what is copied to where a folder is lies in that folder.
func TestCopiedIntoFolder(t *testing.T) {
	const harm = "#!/bin/sh\nsudo chmod 777 /etc\n"
	for _, command := range []string{
		"cp x.sh scripts", "cp x.sh ./scripts", "cp -p x.sh scripts/", "cp x.sh -t scripts", "cp x.sh y.sh scripts", "mv x.sh scripts", "install -m 755 x.sh scripts", "ln x.sh scripts", "git mv x.sh scripts", "rsync -a x.sh scripts",
		"cd scripts/.. && cp x.sh scripts", "D=scripts; cp x.sh $D", "python3 -c \"import shutil; shutil.copy('x.sh', 'scripts')\"",
		"mkdir -p new/sub && cp x.sh new && mv new/x.sh scripts", "mkdir -p new/deep && cp x.sh new/deep && mv new/deep/x.sh scripts/x.sh",
	} {
		y := newYard(t)
		y.put("scripts/a.sh", "ls\n")
		y.put("y.sh", "ls\n")
		y.says("go on")
		y.write("x.sh", harm)
		y.does(command, map[string]string{"scripts/x.sh": "x.sh"})
		y.bash("bash scripts/x.sh").want(t, command+", and then bash scripts/x.sh", "deny", "")
		y.again()
	}
	for command, want := range map[string]string{
		"mkdir new && cp x.sh new && bash new/x.sh": "deny", "cp -r scripts new && cp x.sh new && bash new/x.sh": "deny",
		"mkdir -p new && mv x.sh new && ./new/x.sh": "ask", // what is moved is not known any more in the same command
	} {
		y := newYard(t)
		y.put("scripts/a.sh", "ls\n")
		y.says("go on")
		y.write("x.sh", harm)
		y.bash(command).want(t, command, want, "")
		y.again()
	}
}

// TestCopiedNames: a name that is asked about, or refused, is so where a file is copied into a folder, and an ordinary one is not.
func TestCopiedNames(t *testing.T) {
	scratch := t.TempDir()
	y := newYard(t)
	for _, name := range []string{"src/a.py", "src/b.py", "tests/test_b.py", "tests/b.py", "docs/a.md", ".github/x.md"} {
		y.put(name, "x = 1\n")
	}
	for _, c := range []struct{ command, want string }{
		{"cp " + scratch + "/CLAUDE.md src", "ask"},
		{"cp " + scratch + "/package.json src", "ask"},
		{"cp " + scratch + "/.envrc src", "deny"},
		{"mv " + scratch + "/.mcp.json src", "deny"},
		{"rsync " + scratch + "/setup.cfg src", "ask"},
		{"cp src/a.py tests", ""}, // a new test is free
		{"cp src/b.py tests", "ask"},
		{"cp src/a.py docs", ""},
		{"cp docs/a.md src/b.md", ""},
		{"mv src/a.py docs", ""},
		{"cp -r docs src", ""},
		{"rsync -a docs/ src", ""},
		{"ln -s ../src/a.py docs", ""},
	} {
		y.says("again")
		y.bash(c.command).want(t, c.command, c.want, "")
	}
	y.again()
}

// TestCopiedFolders: what the agent has written in a folder is its own where that was copied or moved to, and it has not made what it has not written there.
func TestCopiedFolders(t *testing.T) {
	const harm = "#!/bin/sh\nsudo chmod 777 /etc\n"
	test := "import os\ndef test_a():\n    os.system('sudo chmod 777 /etc')\n"
	for _, command := range []string{
		"cp -r d1 d2", "cp -a d1/. d2", "mv d1 d2", "cp -r d1/sub d2", "cp d1/* d2", "cp d1/*.sh d1/*.py d2", "mv -t d2 d1/*", "rsync -a d1/ d2", "git mv d1 d2", "mkdir d3 && cp -r d1 d3 && mv d3/d1 d2", "cp -r ./d1 \"$PWD/d2\"",
		"python3 -c \"import shutil; shutil.copytree('d1', 'd2')\"", "for f in d1/*; do cp \"$f\" d2; done",
	} {
		y := newYard(t)
		y.says("go on")
		from := "d1/"
		if strings.Contains(command, "sub") {
			from = "d1/sub/"
		}
		if strings.Contains(command, "*") { // they are copied into a folder that is there
			y.put("d2/a.txt", "a\n")
		}
		y.put("d1/theirs.sh", "sudo chmod 777 /etc\n")
		y.write(from+"x.sh", harm)
		y.write(from+"test_x.py", test)
		y.does(command, map[string]string{"d2/x.sh": from + "x.sh", "d2/test_x.py": from + "test_x.py", "d2/theirs.sh": "d1/theirs.sh"})
		for _, run := range []string{"bash d2/x.sh", "cd d2 && ./x.sh", "pytest d2"} {
			y.says("again")
			y.bash(run).want(t, command+", and then "+run, "deny", "")
		}
		y.says("again")
		y.bash("bash d2/theirs.sh").want(t, command+", and then what was there", "", "")
		y.bash("rm d2/x.sh").want(t, command+", and then rm d2/x.sh", "ask", "")
		y.again()
	}
	for _, command := range []string{"cp -r d1 d2 && bash d2/x.sh", "mv d1 d2; ./d2/x.sh", "mkdir d2 && cp d1/* d2 && bash d2/x.sh", "cp -r d1 d2 && mv d2 d3 && bash d3/x.sh", "cp -r d1 d2 && pytest d2"} {
		y := newYard(t)
		y.says("go on")
		y.write("d1/x.sh", harm)
		y.write("d1/test_x.py", test)
		y.bash(command).want(t, command, "deny", "")
		y.again()
	}
}
