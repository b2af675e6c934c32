package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDrift runs commands that change files, and has the guard look at what became of these: what is only their style nobody asked for. The commands are judged; what they would do is done by the test.
func TestDrift(t *testing.T) {
	const js = "let a = 'x';\nlet b = 2;\nlet c = `\n  two\n`;\n"
	for _, c := range []struct{ command, file, before, after, want string }{
		{"sed -i 's/  */ /' a.js", "a.js", "let  a = 1;\nlet b = 2;\n", "let a = 1;\nlet b = 2;\n", "white space"},
		{`sed -i "s/'/\"/g" a.js`, "a.js", js, strings.ReplaceAll(js, "'", `"`), "quotes"},
		{"npx prettier --write a.js", "a.js", js, strings.ReplaceAll(js, "'", `"`), "quotes"},
		{"cd src && npx prettier --write a.js", "src/a.js", js, strings.ReplaceAll(js, "2;", "2"), "semicolons"},
		{"eslint --fix a.ts b.ts", "a.ts", "let a = 1\nlet b = 2\n", "let a = 1;\nlet b = 2;\n", "semicolons"},
		{"black a.py", "a.py", "x = 'a'\ny=1\n", "x = \"a\"\ny = 1\n", "quotes"},
		{"gofmt -w a.go", "a.go", "func f() {\n  g(1,2)\n}\n", "func f() {\n\tg(1, 2)\n}\n", "white space"},
		{"cat > a.js <<'EOF'\nlet a = \"x\";\nEOF", "a.js", "let a = 'x';\n", "let a = \"x\";\n", "quotes"},
		{"perl -pi -e 's/\\t/    /' a.css", "a.css", "a {\n\tcolor: red;\n}\n", "a {\n    color: red;\n}\n", "white space"},
		{"cat > a.json <<'EOF'\n{}\nEOF", "a.json", `{"a":[1,2],"b":"x y"}`, "{\n  \"a\": [1, 2],\n  \"b\": \"x y\"\n}\n", "white space"},
		{"sed -i 's/^    /  /' a.sh", "a.sh", "if x; then\n    y\nfi\n", "if x; then\n  y\nfi\n", "white space"},
		{"sed -i 's/ *$//' a.html", "a.html", "<p>  \n<b>x</b>\n</p>\n", "<p>\n<b>x</b>\n</p>\n", "white space"},
		{"sed -i 's/ *$//' a.js && ls", "a.js", "a();  \nb()\n", "a();\nb()\n", "white space"},
		// what is more than style, or may be
		{"sed -i 's/1/2/' a.js", "a.js", "let a = 1;\n", "let a = 2;\n", ""},
		{"sed -i s/x/y/ a.js", "a.js", js, js, ""},
		{"npx prettier --write a.js", "a.js", js, strings.ReplaceAll(js, "  two", "two"), ""},
		{"npx prettier --write a.js", "a.js", js, strings.Replace(strings.ReplaceAll(js, "'", `"`), "2", "3", 1), ""},
		{"sed -i 's/a :/a:/' a.css", "a.css", "a :hover {\n}\n", "a:hover {\n}\n", ""},
		{"sed -i 's/x y/xy/' a.json", "a.json", `{"b":"x y"}`, `{"b":"xy"}`, ""},
		{"sed -i 's/^  //' a.sh", "a.sh", "cat <<X\n  a\nX\n", "cat <<X\na\nX\n", ""},
		{"sed -i 's/^  //' a.sh", "a.sh", "echo '\n  a\n'\n", "echo '\na\n'\n", ""},
		{"sed -i 's/^  //' a.html", "a.html", "<pre>\n  a\n</pre>\n", "<pre>\na\n</pre>\n", ""},
		{"sed -i 's/^    //' a.py", "a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n", ""},
		{"sed -i 's/  / /' a.py", "a.py", "x = '''\n  a\n'''\n", "x = '''\n a\n'''\n", ""},
		{"sed -i 's/  / /' a.yaml", "a.yaml", "a:\n  b: 1\n", "a:\n b: 1\n", ""},
		{"sed -i 's/  / /' *.js", "a.js", "let  a = 1;\n", "let a = 1;\n", ""}, // not named
		{"npx prettier --check a.js", "a.js", js, strings.ReplaceAll(js, "'", `"`), ""},
		{"cat a.js", "a.js", js, strings.ReplaceAll(js, "'", `"`), ""},
	} {
		y := newYard(t)
		file := filepath.Join(y.project, c.file)
		write := func(text string) {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		try := func(use string) answer {
			write(c.before)
			y.event("PreToolUse", bashed(c.command, map[string]any{"tool_use_id": use})).want(t, c.command, "", "")
			write(c.after)
			return y.event("PostToolUse", bashed(c.command, map[string]any{"tool_use_id": use}))
		}
		y.says("mend the bug")
		a := try("u1")
		if drifts := a.Decision == "block" && strings.Contains(a.Reason, "Style drift detected: nothing in "+c.file+" has changed but ") && strings.Contains(a.Reason, c.want); drifts != (c.want != "") || c.want == "" && a.Decision != "" {
			t.Errorf("%s: %+v, want %q", c.command, a, c.want)
		}
		if a := try("u2"); a.Decision != "" {
			t.Errorf("%s, a file that the agent has written itself: %+v", c.command, a)
		}
		y.hook.Dir += "2"
		y.says("tidy the formatting")
		if a := try("u3"); a.Decision != "" {
			t.Errorf("%s, asked for: %+v", c.command, a)
		}
		if left, _ := filepath.Glob(filepath.Join(y.hook.Dir, "sessions", "*.before")); left != nil {
			t.Errorf("%s: copies are left behind: %q", c.command, left)
		}
	}
}

// TestDriftIsBounded: what is kept of files for the time of a call is little, and gone when the call has failed.
func TestDriftIsBounded(t *testing.T) {
	y := newYard(t)
	y.says("mend the bug")
	var files []string
	for _, name := range strings.Split("abcdefghijklmnop", "") {
		if err := os.WriteFile(filepath.Join(y.project, name+".js"), []byte(strings.Repeat("let a = 1;\n", 5000)), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, name+".js")
	}
	command := "sed -i s/a/b/ huge.js " + strings.Join(files, " ")
	huge := filepath.Join(y.project, "huge.js")
	if err := os.WriteFile(huge, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 100<<20); err != nil {
		t.Fatal(err)
	}
	for use := range 20 {
		y.event("PreToolUse", bashed(command, map[string]any{"tool_use_id": string(rune('a' + use))}))
	}
	kept, _ := filepath.Glob(filepath.Join(y.hook.Dir, "sessions", "*.before"))
	if len(kept) != 1 {
		t.Fatalf("kept: %q", kept)
	}
	if info, err := os.Stat(kept[0]); err != nil || info.Size() > 4*8*(64<<10)*5/4 {
		t.Errorf("%v %v", info.Size(), err)
	}
	y.event("PostToolUseFailure", bashed(command, map[string]any{"tool_use_id": "a"}))
	if _, err := os.Stat(kept[0]); !os.IsNotExist(err) {
		t.Errorf("what was kept for a call that has failed is still there: %v", err)
	}
}

// TestDriftTakenBack: an agent that is told to put a file back may do so, where git has it.
func TestDriftTakenBack(t *testing.T) {
	for _, command := range []string{"npx prettier --write a.js", "gofmt -w a.go", "sed -i s/x/y/ a.js"} {
		y := newYard(t)
		y.git("init", "-q", "-b", "main")
		y.put("a.js", "f('a');\n")
		y.put("a.go", "f( 1 )\n")
		y.git("add", "-A")
		y.git("commit", "-q", "-m", "first")
		y.says("mend the bug")
		name, after := "a.js", "f(\"a\");\n"
		if strings.HasSuffix(command, ".go") {
			name, after = "a.go", "f(1)\n"
		}
		call := bashed(command, map[string]any{"tool_use_id": "u"})
		y.event("PreToolUse", call).want(t, command, "", "")
		if err := os.WriteFile(filepath.Join(y.project, name), []byte(after), 0o644); err != nil {
			t.Fatal(err)
		}
		if a := y.event("PostToolUse", call); a.Decision != "block" {
			t.Errorf("%s: %+v", command, a)
		}
		y.bash("git restore "+name).want(t, command+", and taken back", "", "")
	}
}
