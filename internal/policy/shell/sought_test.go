package shell_test

import (
	"testing"

	"fettle/internal/policy/shell"
)

// TestSought is secrets that code finds by a folder or a pattern and reads or copies one by one, and what only tells their names, or goes through other files.
func TestSought(t *testing.T) {
	for _, c := range []struct {
		runs, code string
		denied     bool
	}{
		{"python3", "import glob\nfor f in glob.glob('/home/dev/.aws/*'): print(open(f).read())", true},
		{"python3", "import glob\nfor f in glob.glob('/home/dev/.aws/*'):\n    with open(f) as h:\n        print(h.read())", true},
		{"python3", "import glob, os\nfor f in glob.glob(os.path.expanduser('~/.ssh/*')): print(open(f).read())", true},
		{"python3", "from pathlib import Path\nfor p in Path('/home/dev/.ssh').glob('id_*'): print(p.read_text())", true},
		{"python3", "from pathlib import Path\nfor p in Path.home().glob('.ssh/*'): print(p.read_text())", true},
		{"python3", "from pathlib import Path\nfor p in Path.home().rglob('id_*'): print(p.read_text())", true},
		{"python3", "from pathlib import Path\nfor p in Path('.').glob('.env*'): print(p.read_text())", true},
		{"python3", "from pathlib import Path\nfor p in Path('/home/dev/.ssh').iterdir(): print(p.read_text())", true},
		{"python3", "import os\nfor d, _, fs in os.walk('/home/dev/.ssh'):\n    for f in fs:\n        print(open(os.path.join(d, f)).read())", true},
		{"python3", "import os\nfor e in os.scandir('/home/dev/.ssh'): print(open(e.path).read())", true},
		{"python3", "import os\nwith os.scandir('/home/dev/.ssh') as it:\n    for e in it: print(open(e).read())", true},
		{"python3", "import glob, shutil\nfor f in glob.glob('/home/dev/.aws/*'): shutil.copy(f, 'src/')", true},
		{"python3", "import pathlib, shutil\nfor f in pathlib.Path('/home/dev/.ssh').iterdir(): shutil.copy(f, 'src/')", true},
		{"python3", "import pathlib; [print(p.read_text()) for p in (pathlib.Path.home()/'.ssh').iterdir()]", true},
		{"python3", "import glob; print([open(f).read() for f in glob.glob('/home/dev/.ssh/id_*')])", true},
		{"node", "const fs=require('fs');for(const e of fs.readdirSync('/home/dev/.ssh',{withFileTypes:true})) console.log(fs.readFileSync(e.parentPath+'/'+e.name,'utf8'))", true},
		{"node", "const fs=require('fs');fs.globSync('/home/dev/.ssh/*').map(f=>console.log(fs.readFileSync(f,'utf8')))", true},
		{"python3", "import glob\nfor f in glob.glob('src/*.py'): print(open(f).read())", false},
		{"python3", "import glob\nfor f in glob.glob('/home/dev/repo/src/*'): print(open(f).read())", false},
		{"python3", "import glob\nfor f in glob.glob('/home/dev/.cache/thing/*.json'): print(open(f).read())", false},
		{"python3", "import glob\nfor f in glob.glob('/home/dev/.ssh/*'): print(f)", false},
		{"python3", "import glob\nprint(glob.glob('/home/dev/.ssh/*'))\nprint(open('README.md').read())", false},
		{"python3", "import os\nfor e in os.scandir('/home/dev/.ssh'): print(e.name)", false},
		{"python3", "import os\nfor d, _, fs in os.walk('.'):\n    for f in fs:\n        print(open(os.path.join(d, f)).read())", false},
		{"python3", "import shutil\nfrom pathlib import Path\nfor p in Path('assets').iterdir(): shutil.copy(p, 'src/')", false},
		{"python3", "from pathlib import Path\nfor p in Path('.').rglob('*.py'): print(p.read_text())", false},
		{"python3", "from pathlib import Path\nfor p in Path.home().glob('other/*.py'): print(p.read_text())", false},
		{"node", "const fs=require('fs');for(const e of fs.readdirSync('src',{withFileTypes:true})) console.log(fs.readFileSync(e.parentPath+'/'+e.name,'utf8'))", false},
		{"node", "const fs=require('fs');fs.globSync('src/*.js').map(f=>console.log(fs.readFileSync(f,'utf8')))", false},
	} {
		option := map[string]string{"python3": " -c ", "node": " -e "}[c.runs]
		for _, command := range []string{c.runs + option + shell.Quote(c.code), c.runs + " - " + hereDoc(c.code)} {
			want := shell.Allow
			if c.denied {
				want = shell.Deny
			}
			if v := judge(command); v.Decision != want {
				t.Errorf("%s: %s (%s: %s), want %s\n\t%v", command, v.Decision, v.Rule, v.Reason, want, v.Facts)
			}
		}
	}
}
