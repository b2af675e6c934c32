package code_test

import "testing"

// TestEnvironment is a variable by which other code gets into every program, or these check nothing, however it is set, and beside each one that does no harm.
func TestEnvironment(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import os, subprocess\nsubprocess.run(c, env={**os.environ, 'LD_PRELOAD': p})", true},
		{"import os, subprocess\nsubprocess.run(c, env={**os.environ, 'LANG': p})", false},
		{"import os, subprocess\nsubprocess.run(c, env=dict(os.environ, LD_PRELOAD=p))", true},
		{"import os, subprocess\nenv = os.environ.copy()\nenv['LD_PRELOAD'] = p\nsubprocess.run(c, env=env)", true},
		{"import os\nos.environ.update(PYTHONHTTPSVERIFY='0')", true},
		{"import os\nos.environ.update(PYTHONHTTPSVERIFY='1')", false},
		{"import os\nos.environ.update({'BASH_ENV': p})", true},
		{"import os\nos.environ.update({'PYTHONUNBUFFERED': '1'})", false},
		{"import os\nos.environ |= {'LD_AUDIT': p}", true},
		{"import os\ne = os.environ\ne['LD_PRELOAD'] = p", true},
		{"import os\nos.environ.setdefault('LD_PRELOAD', p)", true},
		{"import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'a.settings')", false},
		{"import os\nos.putenv('LD_PRELOAD', p)", true},
		{"import os\nos.environ['NODE_OPTIONS'] = '--max-old-space-size=4096'", false},
		{"import os\nos.environ['GIT_SSH_COMMAND'] = f'ssh -i {key}'", false},
		{"import os\nos.environ['GIT_SSH_COMMAND'] = command", true},
		{"HELP = {'LD_PRELOAD': 'libraries that are loaded first'}", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"require('child_process').spawn('git', a, { env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' } })", true},
		{"require('child_process').spawn('git', a, { env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '1' } })", false},
		{"require('child_process').spawn('git', a, { env: { ...process.env, NODE_OPTIONS: `--require ${p}` } })", true},
		{"require('child_process').spawn('git', a, { env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS} --max-old-space-size=8192` } })", false},
		{"require('child_process').spawn('git', a, { env: { ...process.env, NODE_OPTIONS: undefined } })", false},
		{"Object.assign(process.env, { LD_PRELOAD: p })", true},
		{"Object.assign(settings, { LD_PRELOAD: p })", false},
		{"const e = process.env\ne.LD_PRELOAD = p", true},
	})
	judgeKinds(t, "go", []kindRow{
		{"import (\"os\"; \"os/exec\")\nfunc f(p string) { cmd := exec.Command(\"make\"); cmd.Env = append(os.Environ(), \"LD_PRELOAD=\"+p) }", true},
		{"import (\"os\"; \"os/exec\")\nfunc f(p string) { cmd := exec.Command(\"make\"); cmd.Env = append(os.Environ(), \"LC_ALL=\"+p) }", false},
		{"import (\"fmt\"; \"os/exec\")\nfunc f(p string) { cmd := exec.Command(\"make\"); cmd.Env = append(cmd.Env, fmt.Sprintf(\"LD_PRELOAD=%s\", p)) }", true},
		{"import \"os\"\nfunc f(p string) { os.Setenv(\"LD_PRELOAD\", p) }", true},
		{"import \"os\"\nfunc f(p string) { os.Setenv(\"LC_ALL\", p) }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void f(ProcessBuilder b, String p) { b.environment().put(\"LD_PRELOAD\", p); }", true},
		{"void f(ProcessBuilder b, String p) { b.environment().put(\"LC_ALL\", p); }", false},
	})
}
