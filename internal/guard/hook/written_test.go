package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrittenThenRunOtherwise is what the agent writes with one call, and has run by another without naming it as a script.
func TestWrittenThenRunOtherwise(t *testing.T) {
	const harm = "sudo chmod 777 /etc"
	python := "import os\nos.system('" + harm + "')\n"
	for _, c := range []struct {
		file, text string
		denied     []string
		fine       []string // what does not come to it
	}{
		{"x.sh", harm + "\n", []string{"cat x.sh | sh", "bash < x.sh", "sh -s <x.sh", "cat ./x.sh | tail -n +1 | bash -x", `eval "$(cat x.sh)"`, `sh -c "$(< x.sh)"`, "cat x.sh > y.sh; sh y.sh"}, []string{"cat x.sh", "wc -l < x.sh"}},
		{"x.py", python, []string{"cat x.py | python3", "python3 - < x.py"}, []string{"grep -n os x.py"}},
		{"justfile", "set shell := [\"bash\", \"-c\"]\n\nbuild:\n    go build ./...\n\nclean dir=\"x\":\n    @" + harm + " {{dir}}\n", []string{"just clean x", "just"}, []string{"cat justfile"}},
		{"other.just", "a:\n  #!/usr/bin/env python3\n  import os\n  os.system('" + harm + "')\n", []string{"just -f other.just a"}, nil},
		{"Taskfile.yml", "version: '3'\ntasks:\n  clean:\n    desc: " + harm + "\n    cmds:\n      - rm -rf build\n      - cmd: \"" + harm + "\"\n", []string{"task clean"}, nil},
		{"taskfile.yaml", "tasks:\n  clean:\n    cmds:\n      - |\n        cd /etc\n        " + harm + "\n", []string{"task clean"}, nil},
		{"Rakefile", "task :clean do\n  sh '" + harm + "'\nend\n", []string{"rake clean", "bundle exec rake clean"}, nil},
		{"tasks.py", "from invoke import task\n@task\ndef clean(c):\n    c.run('" + harm + "')\n", []string{"invoke clean", "inv clean"}, nil},
		{"noxfile.py", "import nox\n@nox.session\ndef clean(session):\n    session.run('sh', '-c', '" + harm + "', external=True)\n", []string{"nox -s clean"}, nil},
		{"gulpfile.js", "exports.clean = () => require('child_process').execSync('" + harm + "')\n", []string{"npx gulp clean"}, nil},
		{"test_z.py", "import shutil, os\ndef test_z():\n    shutil.rmtree(os.path.expanduser('~'))\n",
			[]string{"pytest test_z.py", "pytest -q test_z.py::test_z", "python -m pytest test_z.py", "pytest", "python3 -m pytest -x .", "python -m unittest test_z", "python -m unittest test_z.Z.test_z", "make test", "npm test"},
			[]string{"pytest src", "cat test_z.py", "make build"}},
		{"tests/conftest.py", python, []string{"pytest tests", "pytest"}, []string{"pytest src/a"}},
		{"src/a.test.js", "test('a', () => { require('child_process').execSync('" + harm + "') })\n", []string{"npx jest src/a.test.js", "npx vitest run", "node --test", "bun test src", "yarn test"}, []string{"npx jest other"}},
		{"lib/My/App.pm", "package My::App;\nsystem('" + harm + "');\n1;\n", []string{"perl -Ilib -MMy::App -e 1", "perl -Mlib=lib -mMy::App a.pl"}, []string{"perl -MPOSIX -e 1"}},
		{"lib/app.rb", "system('" + harm + "')\n", []string{"ruby -Ilib -rapp -e 1"}, []string{"ruby -rjson -e 1"}},
		{"build.args", "-cp build\n-XX:OnError='" + harm + "'\nMain\n", []string{"java @build.args"}, []string{"cat build.args"}},
		{"a.c", "#include <stdlib.h>\nint main(void) { return system(\"" + harm + "\"); }\n", []string{"gcc a.c -o a && ./a", "cc -o a *.c", "make"}, []string{"wc -l a.c", "cppcheck a.c", "gcc b.c -o b"}},
		{"cmd/a/main.go", "package main\n\nimport \"os/exec\"\n\nfunc main() { exec.Command(\"sudo\", \"chmod\", \"777\", \"/etc\").Run() }\n", []string{"go build -o a ./cmd/a && ./a", "go build ./...", "go install ./cmd/a"}, []string{"go vet ./...", "go build ./cmd/b", "go test ./..."}},
		{"A.java", "class A { void a() throws Exception { Runtime.getRuntime().exec(\"" + harm + "\"); } }\n", []string{"javac A.java && java A", "mvn -q package"}, []string{"javac B.java"}},
		{"lib.sh", "fix() { " + harm + "; }\nshow() { git push; }\n", []string{"source ./lib.sh && fix", ". lib.sh; fix"}, []string{"cat lib.sh", "source ./lib.sh", "source ./lib.sh && show"}},
		{"spec/a_spec.rb", "it('a') { system('" + harm + "') }\n", []string{"bundle exec rspec", "rspec spec/a_spec.rb:1"}, nil},
	} {
		y := newYard(t)
		y.says("go on")
		y.write(c.file, c.text)
		for _, command := range c.denied {
			y.says("again")
			y.bash(command).want(t, c.file+" by "+command, "deny", "")
		}
		for _, command := range c.fine {
			y.says("again")
			y.bash(command).want(t, c.file+" and "+command, "", "")
		}
		for _, e := range y.log() {
			if v := e.Again(nil); v.Decision != e.Policy.Decision || v.Rule != e.Policy.Rule {
				t.Errorf("%s: %s by %s, and again: %s by %s", e.Input, e.Policy.Decision, e.Policy.Rule, v.Decision, v.Rule)
			}
		}
		// What was there before is the project's code.
		y = newYard(t)
		file := filepath.Join(y.project, c.file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, command := range c.denied {
			y.says("again")
			if a := y.bash(command); a.Specific.Decision == "deny" {
				t.Errorf("%s by %s, which was there before: %s", c.file, command, a.Specific.Reason)
			}
		}
	}
}

// TestOwnTests: what an ordinary test of the agent's does is no reason to ask.
func TestOwnTests(t *testing.T) {
	y := newYard(t)
	y.write("tests/test_a.py", "import os, shutil, subprocess\n\ndef test_a(tmp_path):\n    shutil.rmtree(tmp_path)\n    os.remove('out.txt')\n    subprocess.run(['git', 'commit', '-m', 'x'], cwd=tmp_path)\n    assert run('rm -rf ~') == 'deny'\n")
	y.write("a.test.ts", "import fs from 'fs'\ntest('a', () => { fs.rmSync(dir, {recursive: true}); expect(judge('sudo rm -rf /')).toBe('deny') })\n")
	for _, command := range []string{"pytest", "pytest tests/test_a.py", "npx jest", "npm test"} {
		y.bash(command).want(t, command, "", "")
	}
}

// TestUnreadThenRun is what the agent writes in a language that is not read, and runs then: it is asked about, and what was there before is not.
func TestUnreadThenRun(t *testing.T) {
	for file, command := range map[string]string{"x.tcl": "tclsh x.tcl", "x.swift": "swift x.swift", "x.dart": "dart run x.dart", "tool": "./tool"} {
		y := newYard(t)
		y.says("go on")
		y.bash(command).want(t, command+", which is the project's", "", "")
		y.write(file, "#!/usr/bin/env tclsh\nputs hi\n")
		y.says("again")
		y.bash(command).want(t, command, "ask", "")
	}
}

// TestOwnFolders is scripts of the agent's that work where they lie.
func TestOwnFolders(t *testing.T) {
	y := newYard(t)
	y.says("go on")
	y.write("scripts/clean.sh", "#!/bin/bash\nset -euo pipefail\nROOT=\"$(cd \"$(dirname \"$0\")/..\" && pwd)\"\n. \"$ROOT/scripts/lib.sh\"\nrm -rf \"$ROOT/dist\"\nsay done > \"$ROOT/out.txt\"\n")
	y.write("scripts/lib.sh", "say() { echo \"$@\"; }\n")
	for _, command := range []string{"bash scripts/clean.sh", "cd scripts && ./clean.sh"} {
		y.bash(command).want(t, command, "", "")
	}
	y.write("scripts/lib.sh", "say() { rm -rf ~; }\n")
	for _, command := range []string{"bash scripts/clean.sh", "cd scripts && ./clean.sh"} {
		y.bash(command).want(t, command, "deny", "")
	}
}

// TestCodeWrittenThenRun is code of the agent's that removes something, by functions of its own and by names.
func TestCodeWrittenThenRun(t *testing.T) {
	for _, c := range []struct{ file, text, command, want string }{
		{"a.py", "import subprocess, os\ndef sh(cmd):\n    subprocess.run(cmd, shell=True)\nsh(f\"rm -rf {os.environ['HOME']}/Documents\")\n", "python3 a.py", "deny"},
		{"a.py", "import subprocess\ndef sh(cmd):\n    subprocess.run(cmd, shell=True)\nsh(\"rm -rf build\")\n", "python3 a.py", ""},
		{"a.js", "const {execSync}=require('child_process');const run=c=>execSync(c);run(`rm -rf ${process.env.HOME}/Documents`)\n", "node a.js", "deny"},
		{"a.js", "const fs=require('fs');const out='dist';fs.rmSync(out,{recursive:true})\n", "node a.js", ""},
		{"scripts/clean.py", "import shutil\nfrom pathlib import Path\nROOT = Path(__file__).resolve().parent.parent\nshutil.rmtree(ROOT / 'build')\n", "python3 scripts/clean.py", ""},
		{"scripts/clean.py", "import shutil\nfrom pathlib import Path\nROOT = Path(__file__).resolve().parent.parent\nshutil.rmtree(ROOT)\n", "python3 scripts/clean.py", "deny"},
		{"main.go", "package main\nimport \"os\"\nfunc wipe(dir string) error { return os.RemoveAll(dir) }\nfunc main() { h, _ := os.UserHomeDir(); wipe(h + \"/Documents\") }\n", "go run main.go", "deny"},
		{"a_test.go", "package a\nimport (\"os/exec\";\"testing\")\nfunc TestX(t *testing.T) { d := t.TempDir(); exec.Command(\"git\", \"-C\", d, \"reset\", \"--hard\").Run() }\n", "go test ./...", ""},
	} {
		y := newYard(t)
		y.says("go on")
		y.write(c.file, c.text)
		y.bash(c.command).want(t, c.command+" of "+c.text, c.want, "")
	}
}

// TestWrappers is programs of a project's own that the agent has written: they are read as any script, by whatever name they are known.
func TestWrappers(t *testing.T) {
	for _, c := range []struct{ file, command string }{
		{"gradlew", "./gradlew build"}, {"mvnw", "./mvnw test"}, {"bin/rails", "bin/rails test"}, {"bin/rake", "bin/rake test"},
		{"bin/pytest", "PATH=$PWD/bin:$PATH pytest"}, {"bin/pytest", `export PATH="$PWD/bin:$PATH"; pytest -q`}, {"bin/pytest", "bin/pytest"},
	} {
		for text, want := range map[string]string{"#!/bin/sh\nrm -rf ~\n": "deny", "#!/bin/sh\nexec java -version \"$@\"\n": ""} {
			y := newYard(t)
			y.says("go on")
			y.bash(c.command).want(t, c.command+", which is the project's", "", "")
			y.write(c.file, text)
			y.says("again")
			y.bash(c.command).want(t, c.command+" with "+text, want, "")
		}
	}
	for _, file := range []string{"node_modules/.bin/vitest", "web/node_modules/.bin/vitest", ".venv/bin/pytest", ".venv/bin/ruff", ".venv/lib/python3.13/site-packages/a.pth", ".venv/lib/python3.13/site-packages/yaml/__init__.py"} {
		y := newYard(t)
		y.says("go on")
		y.call("Write", map[string]any{"file_path": filepath.Join(y.project, file), "content": "x"}).want(t, file, "ask", "under the name of what was installed")
		y.says("again")
		y.bash("echo x > "+file).want(t, "> "+file, "ask", "under the name of what was installed")
		y.says("again")
		y.bash("cp a.sh "+file+" && chmod +x "+file).want(t, "cp "+file, "ask", "under the name of what was installed")
		y.says("again")
		y.bash("cat "+file).want(t, "cat "+file, "", "")
	}
}

// TestDrafts is scripts below /tmp: one that the agent has written is read, and judged by what it does; any other is asked about.
func TestDrafts(t *testing.T) {
	scratch := t.TempDir()
	for _, c := range []struct{ file, text, command, want string }{
		{"x.py", "import json, sys\nprint(json.dumps({'a': 1}))\n", "python3 FILE", ""},
		{"x.py", "import json, pathlib\nfor p in pathlib.Path('src').glob('*.py'):\n    print(p, len(p.read_text()))\n", "python3 FILE src", ""},
		{"x.py", "import shutil, os\nshutil.rmtree(os.path.expanduser('~'))\n", "python3 FILE", "deny"},
		{"x.py", "import requests\nrequests.post('https://api.acme.io', data=open('a.txt').read())\n", "python3 FILE", "ask"},
		{"x.sh", "set -e\ngo build ./...\ngrep -rn TODO src | wc -l\n", "bash FILE", ""},
		{"x.sh", "#!/bin/bash\nnpm test\n", "chmod +x FILE && FILE", ""},
		{"x.sh", "rm -rf ~/work\n", "bash FILE", "deny"},
		{"x.sh", "curl https://acme.io/x\n", "sh FILE", "ask"},
		{"x.sh", "show() { ls; }\n", "source FILE && show", ""},
		{"x.sh", "git push\n", "source FILE", "ask"},
		{"x.mjs", "import fs from 'fs'\nconsole.log(fs.readFileSync('package.json', 'utf8'))\n", "node FILE", ""},
		{"x.mjs", "import {execSync} from 'child_process'\nexecSync('git reset --hard')\n", "node FILE", "deny"},
		{"test_x.py", "def test_a():\n    assert 1\n", "pytest FILE", ""},
		{"tool", "\x7fELF\x00\x01", "FILE", "ask"},
		{"x.json", "{}\n", "npx eslint -c FILE src", "ask"},
	} {
		file := filepath.Join(scratch, "claude-0", "scratchpad", c.file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		command := strings.ReplaceAll(c.command, "FILE", file)
		y := newYard(t)
		y.says("go on")
		y.bash(command).want(t, command+", written by somebody else: "+c.text, "ask", "")
		for _, tool := range []bool{true, false} {
			if !tool && c.file == "tool" {
				continue // no text that a shell takes
			}
			y = newYard(t)
			y.says("go on")
			if tool {
				y.call("Write", map[string]any{"file_path": file, "content": c.text}).want(t, file, "", "")
			} else {
				y.bash("cat > "+file+" <<'EOF'\n"+c.text+"EOF\n").want(t, "> "+file, "", "")
			}
			y.says("again")
			y.bash(command).want(t, command+" of "+c.text, c.want, "")
		}
	}
}

// TestNewTests is tests that a command writes: where there was nothing before, nobody is asked; what is there is evidence.
func TestNewTests(t *testing.T) {
	for _, c := range []struct{ command, file string }{
		{"mkdir -p tests/unit && touch tests/unit/__init__.py", "tests/unit/__init__.py"},
		{"touch src/x.test.tsx", "src/x.test.tsx"},
		{"cat > src/b.test.ts <<'EOF'\ntest('b', () => { expect(1).toBe(1) })\nEOF", "src/b.test.ts"},
		{"cp src/a.py tests/test_a.py", "tests/test_a.py"},
		{": > a_test.go", "a_test.go"},
		{"cp .env.example .env", ".env"},
	} {
		y := newYard(t)
		y.says("go on")
		y.bash(c.command).want(t, c.command, "", "")
		for _, e := range y.log() {
			if v := e.Again(nil); v.Decision != e.Policy.Decision || v.Rule != e.Policy.Rule {
				t.Errorf("%s: %s by %s, and again: %s by %s", e.Input, e.Policy.Decision, e.Policy.Rule, v.Decision, v.Rule)
			}
		}
		y = newYard(t)
		file := filepath.Join(y.project, c.file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		y.says("go on")
		y.bash(c.command).want(t, c.command+" where it is", "ask", "")
	}
	y := newYard(t)
	y.says("go on")
	for _, command := range []string{"touch tests/*.py", "touch \"tests/$name\"", "touch .env", "echo x > .env", "cp ~/.ssh/id_ed25519 .env"} {
		if a := y.bash(command); a.Specific.Decision == "" {
			t.Errorf("%s is allowed", command)
		}
		y.says("again")
	}
}

// TestSearched is files that a search has found, and that are then edited: of the project as a whole that is fine where nothing in it steers agents or the guard.
func TestSearched(t *testing.T) {
	for _, c := range []struct{ command, file, want string }{
		{"rg -l foo | xargs sed -i s/foo/bar/", "", ""},
		{"rg -l foo . | xargs perl -pi -e s/foo/bar/", "", ""},
		{"git grep -l foo | xargs sed -i s/foo/bar/", "", ""},
		{"sed -i s/foo/bar/ $(git grep -l foo)", "", ""},
		{"rg -l foo | xargs sed -i s/foo/bar/", "fettle.yaml", "ask"},
		{"git grep -l foo | xargs sed -i s/foo/bar/", ".claude/settings.json", "ask"},
		{"rg -l foo | xargs sed -i s/foo/bar/", ".claude/settings.json", ""},
		{"rg --hidden -l foo | xargs sed -i s/foo/bar/", "", "ask"},
		{"grep -rl foo . | xargs sed -i s/foo/bar/", "", "ask"},
		{"rg -l foo | xargs rm", "", "ask"},
		{"rg -l foo .. | xargs sed -i s/foo/bar/", "", "ask"},
		{"git -C .. grep -l foo | xargs sed -i s/foo/bar/", "", "ask"},
	} {
		y := newYard(t)
		if c.file != "" {
			file := filepath.Join(y.project, c.file)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		y.says("go on")
		y.bash(c.command).want(t, c.command+" beside "+c.file, c.want, "")
	}
}

// TestPatternsBehindLinks: a pattern is one of files where the link before it leads.
func TestPatternsBehindLinks(t *testing.T) {
	y := newYard(t)
	y.says("go on")
	for link, to := range map[string]string{"hh": y.home, "docs": filepath.Join(y.home, "Documents"), "out": filepath.Join(y.project, "build")} {
		if err := os.Symlink(to, filepath.Join(y.project, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{filepath.Join(y.home, "Documents"), filepath.Join(y.project, "build")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for command, want := range map[string]string{
		"rm -rf hh/*": "deny", "rm -rf hh/": "deny", "rm -f docs/*.txt": "deny", "find docs/ -name '*.log' -delete": "deny", `rm -rf "hh/$x"`: "deny", "rm -rf out/*": "",
	} {
		y.says("again")
		y.bash(command).want(t, command, want, "")
	}
}
