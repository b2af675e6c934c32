package shell_test

import (
	"strings"
	"testing"

	"fettle/internal/policy/shell"
)

// TestPieces is a folder that is put together of pieces of which the last is not known, where all below it is deleted file by file: that of all homes is asked about, however it is written, and one of the project's or below the temporary files is not.
func TestPieces(t *testing.T) {
	forms := map[string]struct {
		begin, end string
		of         []string
	}{
		"x.py": {"import os\nfrom pathlib import Path\nbase = ", "\nfor d, _, fs in os.walk(base):\n    for f in fs:\n        os.unlink(os.path.join(d, f))\n", []string{
			`os.path.join("/home", os.environ["USER"])`, `os.path.join("/", "home", os.environ["USER"])`, `os.path.join(os.sep, "home", os.getenv("USER"))`, `os.path.join(os.path.sep, "home", f"{name}")`,
			`"/".join(["", "home", os.environ["USER"]])`, `"/".join(("", "home", os.environ["USER"]))`, `os.sep.join(["", "home", os.environ["USER"]])`, `Path("/", "home", os.environ["USER"])`,
		}},
		"x.js": {"const fs = require('fs'), path = require('path');\nconst base = ", ";\nfor (const f of fs.readdirSync(base)) fs.unlinkSync(path.join(base, f));\n", []string{
			`path.join("/home", process.env.USER)`, `path.resolve("/", "home", process.env.USER)`, `path.join(path.sep, "home", process.env.USER)`, `["", "home", process.env.USER].join("/")`, `["", "home", process.env.USER].join(path.sep)`,
		}},
		"x.go": {"package main\n\nfunc main() {\n\tbase := ", "\n\tfilepath.WalkDir(base, func(p string, d fs.DirEntry, err error) error {\n\t\treturn os.Remove(p)\n\t})\n}\n", []string{
			`filepath.Join("/home", os.Getenv("USER"))`, `filepath.Join("/", "home", os.Getenv("USER"))`, `filepath.Join(string(os.PathSeparator), "home", os.Getenv("USER"))`, `strings.Join([]string{"", "home", os.Getenv("USER")}, "/")`,
		}},
		"x.rb": {"base = ", "\nDir.glob(File.join(base, \"**\", \"*\")).each { |f| File.delete(f) if File.file?(f) }\n", []string{
			`File.join("/home", ENV["USER"])`, `File.join("/", "home", ENV["USER"])`, `File.join(File::SEPARATOR, "home", ENV["USER"])`, `["", "home", ENV["USER"]].join("/")`,
		}},
	}
	runs := map[string]string{"x.py": "python3 x.py", "x.js": "node x.js", "x.go": "go run x.go", "x.rb": "ruby x.rb"}
	for file, form := range forms {
		for _, of := range form.of {
			for folder, want := range map[string]shell.Decision{"home": shell.Ask, "tmp": shell.Allow} {
				script := form.begin + strings.ReplaceAll(of, "home", folder) + form.end
				at := place
				at.Script = func(path string) (string, bool) { return script, path == "/home/dev/repo/"+file }
				if v := (*shell.Policy)(nil).Judge(runs[file], at); v.Decision != want {
					t.Errorf("%s: %s (%s: %s), want %s\n\t%v", script, v.Decision, v.Rule, v.Reason, want, v.Facts)
				}
			}
		}
	}
	for command, want := range map[string]shell.Decision{
		`python3 -c 'import shutil; shutil.rmtree("/".join(["", "home", "dev"]))'`:                         shell.Deny,
		`python3 -c 'print("/".join(["", "api", "v1", "/"'`:                                                shell.Allow,
		`node -e 'console.log(["", "api", id].join("/")); require("fs").rmSync("dist",{recursive: true})'`: shell.Allow,
	} {
		if v := judge(command); v.Decision != want {
			t.Errorf("%s: %s (%s: %s), want %s\n\t%v", command, v.Decision, v.Rule, v.Reason, want, v.Facts)
		}
	}
}
