package shell_test

import (
	"maps"
	"slices"
	"strings"
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
			"npx webpack --config x.js", "npx vite build --config x.js", "npx rollup -c x.js", "npx tsc -p .", "npx tsc x.js && node y.js", "nyc --require ./x.js mocha",
		}, []string{
			"cat x.js", "npx jest", "npx jest --reporters=default", "npx jest --config='{\"testEnvironment\": \"node\", \"roots\": [\"<rootDir>/src\"]}'", "npx mocha --reporter spec", "npx mocha -R dot test", "npx eslint --rulesdir=rules src", "npx eslint src", "npx prettier --check .", "npx tsc -p . --noEmit", "node y.js", "git add x.js",
		}},
		{map[string]string{"x.py": harmPython}, []string{"python x.py", "python3 -m x", "python3 -mx", "python3 -W ignore -m x a b", "pytest -p x", "PYTEST_PLUGINS=y,x pytest", "PYTEST_ADDOPTS='-q -p x' pytest tests", "export PYTEST_PLUGINS=x; pytest", "python3 -m pytest -p x tests", "pytest -c x.py", "pylint --load-plugins=y,x src"},
			[]string{"python3 -m y", "python3 -m pytest", "pytest -p no:cacheprovider", "python3 -m mypy src", "cat x.py"}},
		{map[string]string{"pkg/__main__.py": harmPython}, []string{"python3 -m pkg", "cd pkg && cd .. && python3 -m pkg"}, []string{"python3 -m pkg.y", "cd pkg && python3 -m pkg"}},
		{map[string]string{"pkg/__init__.py": harmPython}, []string{"python3 -m pkg", "python3 -m pkg.y"}, []string{"python3 -m y"}},
		{map[string]string{strings.Repeat("deeper/", 25) + "x.py": harmPython, strings.Repeat("deeper/", 25) + "test_x.py": harmPython}, []string{"python3 " + strings.Repeat("deeper/", 25) + "x.py", "pytest"}, []string{"python3 " + strings.Repeat("deeper/", 25) + "y.py"}},
		{map[string]string{"app/store.py": "import shutil\nfrom pathlib import Path\ndef reset(): shutil.rmtree(Path.home())\n", "tests/test_store.py": "from app.store import reset\ndef test_reset(): reset()\n"},
			[]string{"pytest", "python3 -m pytest tests"}, []string{"ruff check app", "pytest other"}},
		{map[string]string{"app/store.py": "import shutil\nfrom pathlib import Path\ndef uninstall(): shutil.rmtree(Path.home() / '.app')\ndef clean(d): shutil.rmtree(d)\n", "tests/test_store.py": "from app.store import uninstall\ndef test_it(): uninstall()\n"},
			nil, []string{"pytest", "python3 -m pytest tests"}},
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
		// What is made into a program, where it is made.
		{map[string]string{"a.go": "package main\n\nfunc main() { os.RemoveAll(os.Getenv(\"HOME\")) }\n"}, []string{"go build -o a . && ./a", "go build -o bin/a a.go", "go build ./...", "go build", "go install . && a", "make && ./a", "make build"},
			[]string{"go vet ./...", "gofmt -l .", "go build ./cmd/x", "go list ./...", "go mod tidy"}},
		{map[string]string{"a.go": "package main\n\nfunc main() {\n\tkey, _ := os.ReadFile(\"/home/dev/.ssh/id_ed25519\")\n\texec.Command(\"git\", \"reset\", \"--hard\").Run()\n\tos.RemoveAll(dir)\n\tos.RemoveAll(\"src\")\n\thttp.Post(\"https://api.acme.io\", \"\", key)\n}\n"}, nil,
			[]string{"go build ./...", "go build -o a . && ./a", "go install .", "make"}},
		{map[string]string{"a.rs": "fn main() { std::fs::remove_dir_all(std::env::var(\"HOME\").unwrap()).unwrap(); }\n"}, []string{"rustc a.rs && ./a", "rustc -O a.rs -o bin/a", "rustc *.rs", "cargo build --release && ./target/release/a", "cargo b"},
			[]string{"cargo check", "cargo clippy", "cargo fmt --check", "rustc b.rs && ./b"}},
		{map[string]string{"a.c": "#include <stdlib.h>\nint main(void) { return system(\"rm -rf /home/dev\"); }\n"}, []string{"gcc a.c -o a && ./a", "cc -Wall -o a *.c", "clang -c a.c", "make", "cmake --build build", "ninja -C build"},
			[]string{"cppcheck a.c", "clang-tidy a.c", "clang-format --dry-run a.c", "gcc b.c -o b && ./b"}},
		{map[string]string{"a.cpp": "#include <filesystem>\nint main() { std::filesystem::remove_all(\"/home/dev\"); }\n"}, []string{"g++ -std=c++17 a.cpp -o a && ./a"}, nil},
		{map[string]string{"a.c": "int main(void) {\n\tunlink(\"/var/run/a.sock\");\n\tfopen(\"/etc/a.conf\", \"w\");\n\tsystem(\"systemctl restart a\");\n}\n"}, nil, []string{"make", "gcc a.c -o a"}},
		{map[string]string{"a.c": "int main(void) { system(\"rm -rf /etc/ssh\"); }\n"}, []string{"make", "gcc a.c -o a"}, nil},
		{map[string]string{"a.cpp": "int main() {\n\tv.erase(std::remove(v.begin(), v.end(), 1));\n\tstd::remove(\"out.tmp\");\n\tsystem(\"clear\");\n\tfopen(path, \"w\");\n}\n"}, nil, []string{"g++ a.cpp -o a && ./a", "make && ./a", "cmake -S . -B build && cmake --build build"}},
		{map[string]string{"A.java": "class A { public static void main(String[] a) throws Exception { Runtime.getRuntime().exec(\"rm -rf /home/dev\"); } }\n"}, []string{"javac A.java && java A", "javac -d out *.java", "mvn package && java -jar target/a.jar", "./gradlew build"},
			[]string{"javac B.java && java B", "javap A"}},
		{map[string]string{"src/a.ts": "import {execSync} from 'child_process'\nexecSync('rm -rf ~')\n"}, []string{"npx tsc src/a.ts && node src/a.js", "npx tsc && node dist/a.js", "tsc -p ."}, []string{"npx tsc --noEmit", "npx tsc --noEmit src/a.ts"}},
		// What is sourced, and finds others beside it.
		{map[string]string{"t.sh": "#!/bin/bash\nset -e\nsource \"$(dirname \"$0\")/lib.sh\"\nwipe\n", "t2.sh": ". ./lib.sh\nwipe\n", "t3.sh": "HERE=\"$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\"\n. \"$HERE/lib.sh\"\nwipe\n", "lib.sh": "wipe() { rm -rf ~; }\nbuild() { make; }\n"},
			[]string{"source ./lib.sh && wipe", ". lib.sh; wipe", "bash t.sh", "./t.sh", "sh t2.sh", "bash t3.sh", "cd src && ../t3.sh"}, []string{"source ./lib.sh", "source ./lib.sh && build", ". ./lib.sh; build", "cat lib.sh"}},
		{map[string]string{"env.sh": "export OUT=build\nrelease() { git push --tags; some-tool; }\n"}, nil, []string{". ./env.sh && rm -rf \"$OUT\"", "source env.sh && release"}},
		{map[string]string{"env.sh": "export OUT=~\n"}, []string{". ./env.sh && rm -rf \"$OUT\""}, nil},
		{map[string]string{"scripts/b.sh": "#!/bin/bash\nset -euo pipefail\nROOT=\"$(cd \"$(dirname \"$0\")/..\" && pwd)\"\nrm -rf \"$ROOT/dist\"\necho x > \"$ROOT/out.txt\"\n", "b.sh": "D=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" >/dev/null 2>&1 && pwd)\nrm -rf \"$D/dist\"\n", "c.sh": "ROOT=\"$(dirname \"$(readlink -f \"$0\")\")\"\nrm -rf \"$ROOT/build\"\n"},
			nil, []string{"bash scripts/b.sh", "./scripts/b.sh", "cd scripts && ./b.sh", "bash b.sh", "./b.sh", "bash c.sh"}},
		{map[string]string{"a.sh": "D=\"$(cd \"$(dirname \"$0\")/../..\" && pwd)\"\nrm -rf \"$D\"\n", "b.sh": "D=\"$(cd nowhere && pwd)\"\nrm -rf \"$D/home/dev\"\n"}, []string{"bash a.sh", "bash b.sh"}, nil},
		{map[string]string{"m.py": "import wipe\n", "wipe.rb": "system('rm -rf ~')\n"}, []string{"ruby wipe.rb", "ruby -e 'require \"./wipe\"'"}, []string{"python m.py", "python -c 'import wipe'"}},
		{map[string]string{"x.groovy": "new File(System.getProperty(\"user.home\")).deleteDir()\n"}, []string{"groovy x.groovy"}, nil},
		// What tools load by themselves.
		{map[string]string{"vite.config.ts": "import { execSync } from 'child_process'\nexecSync('rm -rf ~')\nexport default {}\n"}, []string{"npx vite build", "vite", "yarn vite build", "npx vitest run", "npx turbo run build"}, []string{"cat vite.config.ts", "git add vite.config.ts", "node server.js"}},
		{map[string]string{"vite.config.ts": "import fs from 'fs'\nimport path from 'path'\nfs.rmSync('dist', { recursive: true, force: true })\nfs.rmSync(path.resolve(__dirname, 'out'), { recursive: true })\nexport default { root: 'src', env: process.env.HOME }\n"}, nil, []string{"npx vite build", "npx vitest run"}},
		{map[string]string{"docs/conf.py": harmPython}, []string{"sphinx-build docs out", "python -m sphinx docs out", "make -C docs html"}, []string{"python docs/build.py", "cat docs/conf.py"}},
		{map[string]string{"docs/conf.py": "import os, sys, shutil\nsys.path.insert(0, os.path.abspath('..'))\nproject = 'x'\nshutil.rmtree('api', ignore_errors=True)\n"}, nil, []string{"sphinx-build docs out"}},
		{map[string]string{"app.py": harmPython}, []string{"flask run", "python -m flask run", "flask db upgrade"}, nil},
		{map[string]string{"hatch_build.py": harmPython}, []string{"hatch build", "python -m build", "uv build", "pip install -e .", "uv run python x.py"}, []string{"pytest"}},
		{map[string]string{"migrations/versions/a.py": harmPython}, []string{"python manage.py migrate", "flask db upgrade"}, []string{"cat migrations/versions/a.py"}},
		{map[string]string{"magefile.go": "package main\nfunc Build() { exec.Command(\"rm\", \"-rf\", \"/home/dev\").Run() }\n"}, []string{"mage build", "mage"}, []string{"gofmt -l ."}},
		{map[string]string{"nb.ipynb": "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":\"rm -rf ~\"},{\"cell_type\":\"code\",\"source\":[\"import os\\n\",\"os.system('rm -rf ~')\"]}]}"}, []string{"jupyter nbconvert --execute nb.ipynb", "jupyter execute nb.ipynb", "papermill nb.ipynb out.ipynb", "pytest --nbval nb.ipynb"}, []string{"cat nb.ipynb"}},
		{map[string]string{"nb.ipynb": "{\"cells\":[{\"cell_type\":\"code\",\"source\":[\"x = 1\\n\",\"!rm -rf ~\"]}]}"}, []string{"jupyter nbconvert --to html --execute nb.ipynb"}, nil},
		{map[string]string{"nb.ipynb": "{\"cells\":[{\"cell_type\":\"code\",\"source\":\"%%bash\\nls\\nrm -rf ~\"}]}"}, []string{"jupyter nbconvert --execute nb.ipynb"}, nil},
		{map[string]string{"nb.ipynb": "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":\"import os; os.system('rm -rf ~')\"},{\"cell_type\":\"code\",\"source\":\"import pandas as pd\\n!ls\\npd.read_csv('a.csv')\"}]}"}, nil, []string{"jupyter nbconvert --execute nb.ipynb"}},
		{map[string]string{"hatch.toml": "[envs.default.scripts]\nx = \"rm -rf /home/dev\"\ny = [\n  \"true && rm -rf ~/src\",\n]\n"}, []string{"hatch run x", "hatch build"}, []string{"cat hatch.toml"}},
		{map[string]string{"pyproject.toml": "[tool.x.tasks]\nclean = \"rm -rf build dist && find . -name '*.pyc' -delete\"\nup = \"sudo apt install x\"\nreset = \"git reset --hard\"\ndescription = \"finds what rm -rf / would do\"\n"}, nil, []string{"hatch build", "pdm run pytest", "ruff check ."}},
		{map[string]string{"package.json": "{\"scripts\":{\"build\":\"rm -rf /home/dev\"}}"}, []string{"npm-run-all build", "run-s build", "npx nx build", "npx concurrently npm:build", "node --run build"}, []string{"cat package.json"}},
		{map[string]string{"Procfile": "web: rm -rf /home/dev\n", "mix.exs": "System.cmd(\"rm\", [\"-rf\", \"/home/dev\"])\n"}, []string{"mix compile", "mix deps.get"}, nil},
		{map[string]string{"x.gemspec": "system('rm -rf ~')\n"}, []string{"bundle exec rspec", "bundle install"}, []string{"ruby main.rb"}},
		{map[string]string{"node_modules/x/index.js": harmJavaScript}, []string{"node -e 'require(\"x\")'", "npx eslint ."}, []string{"git status"}},
		{map[string]string{"test_x.py": harmPython}, []string{"tox", "tox -e py312", "nox", "hatch test", "pdm test"}, []string{"ruff check ."}},
		{map[string]string{"t/a.t": "system('rm -rf ~');\n"}, []string{"prove", "prove -l t"}, nil},
		{map[string]string{"tests/a.bats": "@test x {\n  rm -rf ~\n}\n"}, []string{"bats tests", "bats tests/a.bats"}, nil},
		{map[string]string{"a.ts": harmJavaScript}, []string{"npx tsx watch a.ts"}, nil},
		{map[string]string{"x.mjs": harmJavaScript}, []string{"node --import ./x.mjs --test", "node --test-reporter=./x.mjs --test"}, nil},
		{map[string]string{"Makefile": "D ?= build\nclean:\n\trm -rf $(D)\n"}, []string{"D=~ make clean", "make clean D=$HOME"}, []string{"make clean", "D=out make clean"}},
		// … and of what ordinary projects have of that nothing is in the way, also where files run each other.
		{map[string]string{"tests/test_cli.py": "import subprocess, sys, os\nfrom pathlib import Path\nROOT = Path(__file__).parent.parent\ndef run(*a): return subprocess.run([sys.executable, \"-m\", \"app\", *a], capture_output=True, cwd=ROOT)\ndef test_a(): assert run(\"x\").returncode == 0\ndef test_make(): subprocess.run([\"make\", \"build\"], check=True, cwd=ROOT)\ndef test_npm(): subprocess.run([\"npm\", \"run\", \"build\"], check=True)\ndef test_py(): subprocess.run(\"pytest -q tests/inner\", shell=True)\n", "Makefile": ".PHONY: test build lint all\nall: lint test build\nlint:\n\truff check .\n\tmypy src\ntest:\n\tpytest -q\n\tnpm test\nbuild:\n\tpython -m build\n\tnpm run build\ncheck: lint\n\t$(MAKE) test\nci:\n\tmake lint\n\tmake test\n\tnox\n", "noxfile.py": "import nox\n@nox.session\ndef tests(session):\n    session.install(\"-e\", \".[test]\")\n    session.run(\"pytest\", \"-q\")\n@nox.session\ndef lint(session):\n    session.run(\"ruff\", \"check\", \".\")\n    session.run(\"mypy\", \"src\")\n@nox.session\ndef web(session):\n    session.run(\"npm\", \"run\", \"build\", external=True)\n    session.run(\"make\", \"test\", external=True)\n", "package.json": "{\"name\":\"a\",\"version\":\"1.0.0\",\"scripts\":{\"build\":\"tsc && vite build\",\"test\":\"vitest run\",\"lint\":\"eslint . && prettier --check .\",\"ci\":\"npm run lint && npm test && npm run build\",\"check\":\"make test\"}}\n", "scripts/ci.sh": "#!/usr/bin/env bash\nset -euo pipefail\ncd \"$(dirname \"$0\")/..\"\nmake lint\nmake test\nnpm ci\nnpm run ci\nnox -s tests\npytest -q\n./scripts/release.sh --dry-run\n", "scripts/release.sh": "#!/usr/bin/env bash\nset -e\nif [ \"$1\" = \"--dry-run\" ]; then shift; fi\n./scripts/ci.sh\npython -m build\ntwine check dist/*\ngit tag v1\n", "vite.config.ts": "import {execSync} from 'child_process'\nconst c = execSync('git rev-parse HEAD')\nexport default {}\n"}, nil, []string{"pytest", "make test", "nox", "npm test", "npm run ci", "bash scripts/ci.sh", "./scripts/ci.sh", "scripts/release.sh --dry-run", "npx vite build"}},
		{map[string]string{"tests/test_cli.py": "import subprocess, sys, os\nfrom pathlib import Path\nROOT = Path(__file__).parent.parent\ndef run(*a): return subprocess.run([sys.executable, \"-m\", \"app\", *a], capture_output=True, cwd=ROOT)\ndef test_a(): assert run(\"x\").returncode == 0\ndef test_make(): subprocess.run([\"make\", \"build\"], check=True, cwd=ROOT)\ndef test_npm(): subprocess.run([\"npm\", \"run\", \"build\"], check=True)\ndef test_py(): subprocess.run(\"pytest -q tests/inner\", shell=True)\n", "Makefile": ".PHONY: test build lint all\nall: lint test build\nlint:\n\truff check .\n\tmypy src\n\trm -rf ~\ntest:\n\tpytest -q\n\tnpm test\nbuild:\n\tpython -m build\n\tnpm run build\ncheck: lint\n\t$(MAKE) test\nci:\n\tmake lint\n\tmake test\n\tnox\n", "noxfile.py": "import nox\n@nox.session\ndef tests(session):\n    session.install(\"-e\", \".[test]\")\n    session.run(\"pytest\", \"-q\")\n@nox.session\ndef lint(session):\n    session.run(\"ruff\", \"check\", \".\")\n    session.run(\"mypy\", \"src\")\n@nox.session\ndef web(session):\n    session.run(\"npm\", \"run\", \"build\", external=True)\n    session.run(\"make\", \"test\", external=True)\n", "package.json": "{\"name\":\"a\",\"version\":\"1.0.0\",\"scripts\":{\"build\":\"tsc && vite build\",\"test\":\"vitest run\",\"lint\":\"eslint . && prettier --check .\",\"ci\":\"npm run lint && npm test && npm run build\",\"check\":\"make test\"}}\n", "scripts/ci.sh": "#!/usr/bin/env bash\nset -euo pipefail\ncd \"$(dirname \"$0\")/..\"\nmake lint\nmake test\nnpm ci\nnpm run ci\nnox -s tests\npytest -q\n./scripts/release.sh --dry-run\n", "scripts/release.sh": "#!/usr/bin/env bash\nset -e\nif [ \"$1\" = \"--dry-run\" ]; then shift; fi\n./scripts/ci.sh\npython -m build\ntwine check dist/*\ngit tag v1\n", "vite.config.ts": "import {execSync} from 'child_process'\nconst c = execSync('git rev-parse HEAD')\nexport default {}\n"}, []string{"pytest", "nox", "make ci", "bash scripts/ci.sh", "scripts/release.sh --dry-run"}, nil},
		{map[string]string{"tests/test_a.py": "import subprocess\nimport app\nsubprocess.run(['make', 'x'])\nsubprocess.run(['python', 'app.py'])\n", "app.py": "import shutil, subprocess\nsubprocess.run('pytest', shell=True)\nshutil.rmtree('/home/dev/src')\n", "Makefile": "x:\n\tpytest\n\tpython app.py\n"}, []string{"pytest", "make x", "python app.py"}, nil},
		{map[string]string{"setup.py": "import os, sys\nif sys.argv[-1] == 'publish':\n    os.system('python setup.py sdist')\nimport shutil\nshutil.rmtree('/home/dev/src')\n"}, []string{"python setup.py build", "pip install -e ."}, nil},
		{map[string]string{"noxfile.py": "import os, shutil, tempfile\nfrom pathlib import Path\nimport nox\nnox.options.sessions = [\"lint\", \"tests\"]\n@nox.session(python=[\"3.11\", \"3.12\"])\ndef tests(session):\n    session.install(\"-e\", \".[test]\")\n    session.run(\"pytest\", \"--cov\", env={\"COVERAGE_FILE\": f\".coverage.{session.python}\"})\n@nox.session\ndef docs(session):\n    out = Path(\"docs/_build\")\n    shutil.rmtree(out, ignore_errors=True)\n    session.install(\"-r\", \"docs/requirements.txt\")\n    session.run(\"sphinx-build\", \"-W\", \"docs\", str(out))\n@nox.session\ndef build(session):\n    for d in (\"build\", \"dist\", \"*.egg-info\"):\n        shutil.rmtree(d, ignore_errors=True)\n    if os.path.exists(\"dist\"):\n        shutil.rmtree(\"dist\")\n    session.run(\"python\", \"-m\", \"build\")\n@nox.session\ndef smoke(session):\n    with tempfile.TemporaryDirectory() as d:\n        session.chdir(d)\n        session.run(\"python\", \"-c\", \"import app\")\n@nox.session\ndef release(session):\n    session.run(\"twine\", \"upload\", \"dist/*\", external=True)\n    session.run(\"git\", \"push\", \"--tags\", external=True)\n"}, nil, []string{"nox", "nox -s tests", "pytest", "pip install -e ."}},
		{map[string]string{"setup.py": "import os, sys, shutil, subprocess\nfrom pathlib import Path\nfrom setuptools import setup, Extension, Command, find_packages\nhere = Path(__file__).parent.resolve()\nclass Clean(Command):\n    user_options = []\n    def initialize_options(self): pass\n    def finalize_options(self): pass\n    def run(self):\n        for p in (\"build\", \"dist\", \"*.egg-info\", \".pytest_cache\"):\n            for q in here.glob(p):\n                shutil.rmtree(q) if q.is_dir() else q.unlink()\n        os.system(\"rm -vrf ./build ./dist ./*.pyc ./*.tgz ./*.egg-info\")\nif sys.argv[-1] == \"publish\":\n    os.system(\"python setup.py sdist upload\")\n    sys.exit()\nversion = subprocess.check_output([\"git\", \"describe\", \"--tags\"]).decode().strip()\nsetup(name=\"app\", version=os.environ.get(\"VERSION\", version), packages=find_packages(\"src\"), package_dir={\"\": \"src\"},\n      ext_modules=[Extension(\"app._c\", [\"src/app/_c.c\"], include_dirs=[os.environ.get(\"INC\", \"/usr/include\")])],\n      long_description=(here / \"README.md\").read_text(), cmdclass={\"clean\": Clean})\n"}, nil, []string{"pip install -e .", "python -m build", "pytest"}},
		{map[string]string{"tasks.py": "from invoke import task\nimport shutil, os\nfrom pathlib import Path\n@task\ndef clean(c, docs=False):\n    for p in ['build', 'dist', '.coverage', 'htmlcov']:\n        c.run(f\"rm -rf {p}\")\n    if docs: c.run(\"rm -rf docs/_build\")\n    for p in Path('.').rglob('__pycache__'): shutil.rmtree(p)\n@task\ndef test(c): c.run(\"pytest -q\")\n@task\ndef serve(c, port=8000): c.run(f\"python -m http.server {port}\")\n@task\ndef deploy(c): c.run(\"rsync -av dist/ deploy@example.com:/srv/app\")\n"}, nil, []string{"invoke test", "inv clean test", "pytest"}},
		{map[string]string{"config/install.js": "const os=require('os'),fs=require('fs'),path=require('path')\nconst dir = path.join(os.homedir(), '.config', 'myapp')\nmodule.exports = { configDir: dir, save(c) { fs.mkdirSync(dir, { recursive: true }); fs.writeFileSync(path.join(dir, 'config.json'), JSON.stringify(c)) }, reset() { fs.rmSync(path.join(dir, 'config.json'), { force: true }) } }\n"}, nil, []string{"npm test", "npm run build", "npx eslint ."}},
		{map[string]string{"settings.yml": "jobs:\n  cleanup: rm -rf /var/tmp/app/*\n  rotate: mv /var/log/app.log /var/log/app.log.1\n", "docker-compose.yml": "services:\n  db:\n    image: postgres\n    command: sh -c 'rm -rf /var/lib/postgresql/data/* && postgres'\n    volumes: ['./data:/var/lib/postgresql/data']\n"}, nil, []string{"npm test", "make test", "pytest"}},
		{map[string]string{"package.json": "{\"name\":\"a\",\"version\":\"1.0.0\",\"scripts\":{\"build\":\"vite build\",\"predeploy\":\"npm run build\",\"deploy\":\"gh-pages -d dist\",\"test\":\"vitest run\",\"install:cli\":\"cp bin/a ~/.local/bin/a\",\"uninstall:cli\":\"rm -f ~/.local/bin/a\"},\"devDependencies\":{\"vite\":\"5\",\"vitest\":\"2\"}}\n"}, nil, []string{"npm run build", "npm test", "npx vitest run"}},
		{map[string]string{"hatch_build.py": "import os, subprocess, shutil\nfrom hatchling.builders.hooks.plugin.interface import BuildHookInterface\nclass H(BuildHookInterface):\n    def initialize(self, version, build_data):\n        out = os.path.join(self.root, 'src', 'a', 'static')\n        shutil.rmtree(out, ignore_errors=True)\n        subprocess.check_call(['npm', 'run', 'build'], cwd=os.path.join(self.root, 'web'))\n        shutil.copytree(os.path.join(self.root, 'web', 'dist'), out)\n"}, nil, []string{"hatch build", "python -m build", "pip install -e .", "uv build"}},
		{map[string]string{"config/reset.js": "require('fs').rmSync(require('os').homedir(), { recursive: true })\n"}, []string{"npm test", "npx eslint ."}, nil},
		{map[string]string{"settings.yml": "x: rm -rf ~/Documents\n"}, []string{"npm run build", "tox"}, nil},
		{map[string]string{"conftest.py": harmPython}, []string{"pytest", "pytest tests", "pytest tests/test_a.py::test_b"}, []string{"python main.py"}},
		{map[string]string{"setup.py": harmPython}, []string{"python setup.py build", "pip install -e .", "pip install '.[dev]'"}, []string{"pip install -e ./sub", "pytest"}},
	} {
		at := written(c.files)
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

// TestGuessed: what may delete a home is asked about, also in what a script loads.
func TestGuessed(t *testing.T) {
	at := written(map[string]string{
		"main.py":         "import lib\nlib.clean()\n",
		"migrations/1.py": "from pathlib import Path\nclass C:\n    base = Path.home()\n    def clean(self):\n        for p in self.base.rglob('*'):\n            p.unlink()\n",
		"lib.py":          "from pathlib import Path\nclass C:\n    base = Path.home()\n    def clean(self):\n        for p in self.base.rglob('*'):\n            p.unlink()\ndef clean():\n    C().clean()\n",
	})
	for _, command := range []string{"python3 lib.py", "python3 main.py", "flask db upgrade"} {
		if v := (*shell.Policy)(nil).Judge(command, at); v.Decision != shell.Ask {
			t.Errorf("%s: %s (%s)\n\t%v", command, v.Decision, v.Rule, v.Facts)
		}
	}
}

// TestUnreadLanguages: a script or a program in a language that is not read here is asked about where only an agent has read it, also where another script of its runs it.
func TestUnreadLanguages(t *testing.T) {
	for _, c := range []struct {
		files       map[string]string
		asked, fine []string
	}{
		{map[string]string{"x.tcl": "puts hi\n", "t.sh": "tclsh x.tcl\n", "b": "#!/usr/bin/env tclsh\nputs hi\n", "x.swift": "print(1)\n", "x.dart": "void main() {}\n", "x.zig": "pub fn main() !void {}\n", "x.nim": "echo 1\n", "x.clj": "(println 1)\n", "x.scala": "println(1)\n", "x.ps1": "Write-Host 1\n", "test/x_test.dart": "void main() {}\n", "s": "#!/bin/sed -f\ns/a/b/\n", "x.fish": "echo hi\n"},
			[]string{"tclsh x.tcl", "bash t.sh", "./b", "swift x.swift", "dart run x.dart", "zig run x.zig", "nim r x.nim", "clojure x.clj", "scala x.scala", "pwsh x.ps1", "pwsh -File x.ps1"},
			[]string{"tclsh y.tcl", "swift y.swift", "dart run bin/y.dart", "dart run build_runner build", "dart test test/x_test.dart", "swift build", "swift test", "swift run", "zig build test", "clojure -M:test", "./s", "fish x.fish", "dart format --output=none .", "cat x.tcl"}},
		{map[string]string{"Program.cs": "System.IO.Directory.Delete(home, true);\n"}, []string{"dotnet run", "dotnet run --project src/App", "dotnet watch"}, []string{"dotnet build", "dotnet test", "dotnet format --verify-no-changes"}},
		{map[string]string{"Program.cs": "app.MapGet(\"/\", () => \"hi\");\napp.MapDelete(\"/x\", Remove);\n", "tests/ATests.cs": "File.Delete(path);\n"}, nil, []string{"dotnet run", "dotnet watch", "dotnet test"}},
		{map[string]string{"Sources/main.swift": "try FileManager.default.removeItem(at: home)\n"}, []string{"swift run"}, []string{"swift build", "swift test"}},
	} {
		for _, command := range c.asked {
			if v := (*shell.Policy)(nil).Judge(command, written(c.files)); v.Decision != shell.Ask {
				t.Errorf("%s: %s (%s) although it runs one of %v\n\t%v", command, v.Decision, v.Rule, c.files, v.Facts)
			}
		}
		for _, command := range c.fine {
			if v := (*shell.Policy)(nil).Judge(command, written(c.files)); v.Decision != shell.Allow {
				t.Errorf("%s: %s (%s), beside %v\n\t%v", command, v.Decision, v.Rule, c.files, v.Facts)
			}
		}
	}
}

// written is the place of a project in which an agent has written files.
func written(files map[string]string) shell.Place {
	at := place
	at.Script = func(path string) (string, bool) {
		text, ok := files[strings.TrimPrefix(path, place.Root+"/")]
		return text, ok
	}
	at.Written = func() (paths []string) {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			paths = append(paths, place.Root+"/"+name)
		}
		return paths
	}
	return at
}
