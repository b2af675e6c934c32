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
		{"HELP = dict(LD_PRELOAD='libraries that are loaded first')", false},
		{"import os, subprocess\nenv = dict(LD_PRELOAD=p)\nsubprocess.run(c, env=env)", true},
		{"import subprocess\nsubprocess.run(c, env=dict(LD_PRELOAD=p))", true},
		{"run(c, NODE_OPTIONS=None)", false},
		{"import os\nos.environ.update(NODE_OPTIONS=None)", false},
		{"import subprocess\nextra = {'LD_PRELOAD': p}\nsubprocess.run(c, env=extra)", true},
		{"import subprocess\nextra = {'LC_ALL': p}\nsubprocess.run(c, env=extra)", false},
		{"import os, subprocess\nextra = {'LD_PRELOAD': p}\nsubprocess.run(c, env={**os.environ, **extra})", true},
		{"import os, subprocess\nextra = dict(LD_PRELOAD=p)\nsubprocess.run(c, env=os.environ | extra)", true},
		{"import os, subprocess\ndef extra():\n    return {'LD_PRELOAD': p}\nsubprocess.run(c, env={**os.environ, **extra()})", true},
		{"extra = {'LD_PRELOAD': 'what is loaded first'}\nprint(extra)", false},
		{"import os\nos.environ['GIT_SSL_NO_VERIFY'] = '0'", true},
		{"import os\nos.environ['GIT_SSL_NO_VERIFY'] = ''", true},
		{"import os\nsaved = os.environ.get('NODE_OPTIONS')\nos.environ['NODE_OPTIONS'] = saved", false},
		{"import os\nsaved = os.environ['LD_PRELOAD']\nos.environ['LD_PRELOAD'] = saved", false},
		{"import os\nsaved = os.environ.get('OTHER')\nos.environ['LD_PRELOAD'] = saved", true},
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
		{"const extra = { LD_PRELOAD: p }\nrequire('child_process').spawn('git', a, { env: extra })", true},
		{"const extra = { LC_ALL: p }\nrequire('child_process').spawn('git', a, { env: extra })", false},
		{"require('child_process').spawn('git', a, { env: { ...process.env, NODE_OPTIONS: `${a} ${b}` } })", true},
		{"const saved = process.env.NODE_OPTIONS\nrun()\nprocess.env.NODE_OPTIONS = saved", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import (\"os\"; \"os/exec\")\nfunc f(p string) { cmd := exec.Command(\"make\"); cmd.Env = append(os.Environ(), \"LD_PRELOAD=\"+p) }", true},
		{"import (\"os\"; \"os/exec\")\nfunc f(p string) { cmd := exec.Command(\"make\"); cmd.Env = append(os.Environ(), \"LC_ALL=\"+p) }", false},
		{"import (\"fmt\"; \"os/exec\")\nfunc f(p string) { cmd := exec.Command(\"make\"); cmd.Env = append(cmd.Env, fmt.Sprintf(\"LD_PRELOAD=%s\", p)) }", true},
		{"import \"os\"\nfunc f(p string) { os.Setenv(\"LD_PRELOAD\", p) }", true},
		{"import \"os\"\nfunc f(p string) { os.Setenv(\"LC_ALL\", p) }", false},
		{"import \"os\"\nfunc f() { old := os.Getenv(\"LD_PRELOAD\"); os.Setenv(\"LD_PRELOAD\", old) }", false},
		{"import (\"os\"; \"os/exec\")\nfunc f(p string) { cmd := exec.Command(\"make\"); env := append(os.Environ(), \"LD_PRELOAD=\"+p); cmd.Env = env }", true},
		{"import (\"os\"; \"os/exec\")\nfunc f(p string) { cmd := exec.Command(\"make\"); env := append(os.Environ(), \"LC_ALL=\"+p); cmd.Env = env }", false},
		{"import (\"os\"; \"os/exec\")\nfunc f(p string) { cmd := exec.Command(\"make\"); env := os.Environ(); env = append(env, \"LD_PRELOAD=\"+p); cmd.Env = env }", true},
		{"import (\"os\"; \"os/exec\")\nfunc f(p string) { cmd := exec.Command(\"make\"); env := os.Environ(); env = append(env, \"LC_ALL=\"+p); cmd.Env = env }", false},
	})
	judgeKinds(t, "java", []kindRow{
		{"void f(ProcessBuilder b, String p) { b.environment().put(\"LD_PRELOAD\", p); }", true},
		{"void f(ProcessBuilder b, String p) { b.environment().put(\"LC_ALL\", p); }", false},
	})
}
