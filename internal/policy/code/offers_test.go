package code_test

import "testing"

// TestOffers is what stands for a capability by a default, a table, a promise or a star, and beside each what stands for nothing of the kind.
func TestOffers(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import subprocess\ndef run(c, runner=subprocess.run):\n    runner(c, shell=True)", true},
		{"import subprocess\ndef run(c, runner=subprocess.run):\n    runner(['git', 'log'])", false},
		{"def run(c, runner=None):\n    runner(c, shell=True)", false},
		{"import requests\ndef get(u, http=requests):\n    return http.get(u, verify=False)", true},
		{"import requests\ndef get(u, http=requests):\n    return http.get(u)", false},
		{"from os import *\nsystem(c)", true},
		{"from os import *\nprint(getcwd())", false},
		{"from os import *\ndef system(c):\n    print(c)\nsystem(c)", false},
		{"from subprocess import *\nrun(c, shell=True)", true},
		{"from django.conf.urls import *\nsystem(c)", false},
		{"import subprocess\nRUN = {'a': subprocess.run}\nRUN['a'](c, shell=True)", true},
		{"import subprocess\nRUN = {'a': subprocess.run, 'b': print}\nRUN['b'](c, shell=True)", false},
		{"import subprocess\nRUN = {'a': print, 'b': subprocess.run}\ndef f(k, c):\n    RUN[k](c, shell=True)", true},
		{"import math\nRUN = {'a': math.sin, 'b': math.cos}\ndef f(k, c):\n    RUN[k](c)", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const t = { exec: require('child_process').exec }\nt.exec(c)", true},
		{"const t = { exec: (s) => s.trim() }\nt.exec(c)", false},
		{"import('child_process').then((cp) => cp.execSync(c))", true},
		{"import('child_process').then(({ execSync: run }) => run(c))", true},
		{"import('child_process').then(function (cp) { return cp.execFileSync('git', ['log']) })", false},
		{"import('child_process').then(() => done())", false},
		{"import('lodash').then((cp) => cp.execSync(c))", false},
		{"const f = (c, run = require('child_process').execSync) => run(c)", true},
		{"const f = (c, run = require('child_process').execFileSync) => run('git', ['log', c])", false},
	})
}
