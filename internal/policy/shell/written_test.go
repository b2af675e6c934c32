package shell_test

import (
	"maps"
	"slices"
	"testing"

	"fettle/internal/policy/shell"
)

// The same harm in several languages.
const (
	harmShell      = "#!/bin/sh\nrm -rf ~\n"
	harmPython     = "import os\nos.system('rm -rf ~')\n"
	harmJavaScript = "require('child_process').execSync('rm -rf ~')\n"
)

// TestWritten is files that only an agent has read, by all that runs them: what would be denied in one is denied of the command, and what does not run it may pass.
func TestWritten(t *testing.T) {
	for _, c := range []struct {
		files      map[string]string
		runs, fine []string
	}{
		{map[string]string{"x.js": harmJavaScript}, []string{
			"node x.js", "node x", "node -r ./x y.js", "node --import ./x.js y.js", "tsx --import ./x.js y.ts", "node -e 'require(\"./x\")'",
			"npx jest --testRunner=./x.js", "npx jest --config x.js", "npx jest --setupFiles ./x", "npx jest --setupFilesAfterEnv=./x.js", "npx jest --globalSetup=x.js", "npx jest --globalTeardown x.js",
			"npx jest --reporters=./x.js", "npx jest --transform=./x.js", "npx jest --env ./x.js", "jest --testSequencer ./x.js", "npx jest --testResultsProcessor=./x.js", "npx jest --config='{\"globalSetup\": \"<rootDir>/x.js\"}'", "npx jest -c '{\"verbose\":true,\"reporters\":[\"./x\"]}'",
			"npx vitest run --config=x.js", "npx vitest --globalSetup x.js", "npx vitest --reporter ./x.js", "npx vitest --environment=./x.js",
			"npx mocha --require ./x.js", "npx mocha -r ./x", "npx mocha --reporter ./x", "npx mocha -R ./x.js", "npx mocha --config x.js", "npx mocha --file ./x.js", "npx mocha --ui ./x.js", "npx mocha --loader ./x.js",
			"npx ava --config x.js", "npx playwright test -c x.js", "npx cypress run --config-file x.js",
			"npx eslint -c x.js src", "npx eslint --rulesdir=. src", "npx eslint --rulesdir . src", "npx eslint -f ./x.js src", "npx eslint --parser ./x src", "npx prettier --plugin=./x.js .", "npx stylelint --custom-formatter ./x.js src",
			"npx webpack --config x.js", "npx vite build --config x.js", "npx rollup -c x.js", "nyc --require ./x.js mocha",
		}, []string{
			"cat x.js", "npx jest", "npx jest --reporters=default", "npx jest --config='{\"testEnvironment\": \"node\", \"roots\": [\"<rootDir>/src\"]}'", "npx mocha --reporter spec", "npx mocha -R dot test", "npx eslint --rulesdir=rules src", "npx eslint src", "npx prettier --check .", "npx tsc -p .", "node y.js", "git add x.js",
		}},
		{map[string]string{"x.py": harmPython}, []string{"python x.py", "python3 -m x", "python3 -mx", "python3 -W ignore -m x a b", "pytest -p x", "python3 -m pytest -p x tests", "pytest -c x.py", "pylint --load-plugins=y,x src"},
			[]string{"python3 -m y", "python3 -m pytest", "pytest -p no:cacheprovider", "python3 -m mypy src", "cat x.py"}},
		{map[string]string{"pkg/__main__.py": harmPython}, []string{"python3 -m pkg", "cd pkg && cd .. && python3 -m pkg"}, []string{"python3 -m pkg.y", "cd pkg && python3 -m pkg"}},
		{map[string]string{"pkg/__init__.py": harmPython}, []string{"python3 -m pkg", "python3 -m pkg.y"}, []string{"python3 -m y"}},
		{map[string]string{"pytest.py": harmPython}, []string{"python3 -m pytest"}, []string{"pytest"}},
		{map[string]string{"x.R": "d <- 1\nsystem('rm -rf ~')\n"}, []string{"Rscript x.R", "Rscript --vanilla x.R 1 2", "R -f x.R", "R --no-save --file=x.R"}, []string{"Rscript y.R", "R --version"}},
		{map[string]string{"x.R": "unlink('/home/dev', recursive = TRUE)\n"}, []string{"Rscript x.R"}, nil},
		{map[string]string{"x.R": "x <- read.csv('data.csv')\nwrite.csv(x, 'out.csv')\nunlink('build', recursive = TRUE)\n"}, nil, []string{"Rscript x.R"}},
		{map[string]string{"x.exs": "System.cmd(\"rm\", [\"-rf\", \"/home/dev\"])\n"}, []string{"elixir x.exs", "elixir -r y.ex x.exs", "elixir -r x.exs y.exs", "mix run x.exs"}, []string{"elixir y.exs", "mix test"}},
		{map[string]string{"x.exs": "File.rm_rf!(\"/home/dev\")\n"}, []string{"elixir x.exs"}, nil},
		{map[string]string{"x.exs": "File.rm_rf!(\"build\")\nIO.puts(\"#{1 + 1}\")\n"}, nil, []string{"elixir x.exs"}},
		{map[string]string{"x.jl": "run(`ls`)\nrm(\"/home/dev\", recursive=true)\n"}, []string{"julia x.jl", "julia -L x.jl y.jl"}, []string{"julia y.jl"}},
		{map[string]string{"x.groovy": "new ProcessBuilder('rm', '-rf', '/home/dev').start()\n"}, []string{"groovy x.groovy"}, []string{"groovy y.groovy"}},
		{map[string]string{"tool": harmShell}, []string{
			"./tool", "protoc --plugin=./tool x.proto", "protoc --plugin=protoc-gen-x=./tool --x_out=gen x.proto", "protoc --plugin protoc-gen-x=tool --x_out=gen x.proto",
			"rustc -C linker=./tool src/main.rs", "rustc -Clinker=./tool src/main.rs", "rustc --codegen linker=tool src/main.rs",
			"go build -ldflags '-extld=./tool' ./...", "go build -ldflags=-extld=./tool ./...", "go test -ldflags '-X main.v=1 -extld ./tool' ./...", "go build -ldflags=all=-extld=./tool .",
			"go run -ldflags '-linkmode=external -extldflags \"-fuse-ld=./tool\"' .", "clang -fuse-ld=./tool x.c",
		}, []string{"protoc --x_out=gen x.proto", "rustc -C opt-level=3 src/main.rs", "go build -ldflags='-s -w' ./...", "clang -fuse-ld=lld x.c", "cat tool"}},
		{map[string]string{"main.py": "import os, helper as h\nh.run()\n", "helper.py": harmPython}, []string{"python main.py", "python -c 'import helper'", "python3 -c 'from helper import run; run()'", "python3 < main.py"},
			[]string{"python other.py", "python -c 'import os, json'", "cat main.py helper.py"}},
		{map[string]string{"src/main.py": "from .tools import (\n    a,\n    b,\n)\nb.run()\n", "src/tools/b.py": harmPython}, []string{"python src/main.py", "python -m src.main", "cd src && python main.py"}, []string{"python src/tools/a.py", "pytest"}},
		{map[string]string{"a.py": "import b\n", "b.py": "import a\nimport c\n", "c/__init__.py": harmPython}, []string{"python a.py"}, nil},
		{map[string]string{"a.py": "import b\n", "b.py": "import shutil\nshutil.rmtree('build')\ndef f(d):\n    shutil.rmtree(d)\n"}, nil, []string{"python a.py"}},
		{map[string]string{"tests/test_a.py": "import app\n", "app.py": "def install():\n    open('/etc/app.conf', 'w').write('')\n"}, []string{"python app.py"}, []string{"pytest", "python -m pytest tests"}},
		{map[string]string{"src/main.js": "const { run } = require('./lib')\nrun()\n", "src/lib/index.js": harmJavaScript}, []string{"node src/main.js", "node src/main", "cd src && node main.js", "node -e 'require(\"./src/lib\")'"}, []string{"node other.js", "npx jest"}},
		{map[string]string{"main.mjs": "import fs from 'fs'\nimport { run } from './lib.mjs'\n", "lib.mjs": harmJavaScript}, []string{"node main.mjs"}, nil},
		{map[string]string{"main.rb": "require_relative 'lib'\n", "lib.rb": "system('rm -rf ~')\n"}, []string{"ruby main.rb", "ruby -r ./lib -e 1", "ruby -e 'require \"./lib\"'"}, []string{"ruby other.rb"}},
		{map[string]string{"main.R": "source('lib.R')\n", "lib.R": "source('main.R')\nsystem('rm -rf ~')\n"}, []string{"Rscript main.R"}, []string{"Rscript other.R"}},
		{map[string]string{"main.php": "<?php\nrequire_once 'lib.php';\n", "lib.php": "<?php\nsystem('rm -rf ~');\n"}, []string{"php main.php"}, []string{"php other.php"}},
		{map[string]string{"main.lua": "require('lib')\n", "lib.lua": "os.execute('rm -rf ~')\n"}, []string{"lua main.lua"}, nil},
		{map[string]string{"conftest.py": harmPython}, []string{"pytest", "pytest tests", "pytest tests/test_a.py::test_b"}, []string{"python main.py"}},
		{map[string]string{"setup.py": harmPython}, []string{"python setup.py build", "pip install -e .", "pip install '.[dev]'"}, []string{"pip install -e ./sub", "pytest"}},
	} {
		at := place
		at.Script = func(path string) (string, bool) {
			for name, text := range c.files {
				if path == place.Root+"/"+name {
					return text, true
				}
			}
			return "", false
		}
		at.Written = func() (paths []string) {
			for _, name := range slices.Sorted(maps.Keys(c.files)) {
				paths = append(paths, place.Root+"/"+name)
			}
			return paths
		}
		for _, command := range c.runs {
			if v := (*shell.Policy)(nil).Judge(command, at); v.Decision != shell.Deny {
				t.Errorf("%s: %s (%s) although it runs one of %v\n\t%v", command, v.Decision, v.Rule, c.files, v.Facts)
			}
		}
		for _, command := range c.fine {
			if v := (*shell.Policy)(nil).Judge(command, at); v.Decision != shell.Allow {
				t.Errorf("%s: %s (%s), beside %v\n\t%v", command, v.Decision, v.Rule, c.files, v.Facts)
			}
		}
	}
}
