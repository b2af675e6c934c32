package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
		{"sed -i 's/  / /' *.js", "a.js", "let  a = 1;\n", "let a = 1;\n", ""}, // not named, and git does not know it
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

// drifts has a command judged, does what it would do to files, and returns what the client hears then.
func (y *yard) drifts(command, use string, becomes map[string]string) answer {
	y.t.Helper()
	call := bashed(command, map[string]any{"tool_use_id": use})
	y.event("PreToolUse", call).want(y.t, command, "", "")
	for name, text := range becomes {
		if err := os.WriteFile(filepath.Join(y.project, name), []byte(text), 0o644); err != nil {
			y.t.Fatal(err)
		}
	}
	return y.event("PostToolUse", call)
}

// kept is what is kept of files while calls run.
func (y *yard) kept() string {
	y.t.Helper()
	names, err := filepath.Glob(filepath.Join(y.hook.Dir, "sessions", "*.before"))
	if err != nil || len(names) == 0 {
		return ""
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		y.t.Fatal(err)
	}
	return string(data)
}

// TestDriftOfWhatGitHas: of a file that git has as it is nothing is copied, however git keeps it.
func TestDriftOfWhatGitHas(t *testing.T) {
	const lines = 3000
	for name, keep := range map[string][][]string{
		"files of their own":  nil,
		"a pack":              {{"gc", "-q"}},
		"a pack with ids":     {{"-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-a", "-d", "-f"}},
		"two packs":           {{"repack", "-q", "-d"}, {"commit", "-q", "--allow-empty", "-m", "second"}, {"repack", "-q", "-d"}},
		"other ends of lines": {{"config", "core.autocrlf", "true"}, {"rm", "-q", "-r", "--cached", "."}, {"add", "-A"}},
	} {
		y := newYard(t)
		y.git("init", "-q", "-b", "main")
		becomes := map[string]string{}
		var names []string
		for i := range 6 {
			file, text := fmt.Sprintf("a%d.js", i), strings.Repeat(fmt.Sprintf("f('a%d');\r\n", i%2), lines)
			if name != "other ends of lines" {
				text = strings.ReplaceAll(text, "\r", "")
			}
			text += fmt.Sprintf("g(%d)\n", i) // what is like another one is kept as a delta
			y.put(file, text)
			names, becomes[file] = append(names, file), strings.ReplaceAll(text, "'", `"`)
		}
		y.git("add", "-A")
		y.git("commit", "-q", "-m", "first")
		for _, args := range keep {
			y.git(args...)
		}
		y.says("mend the bug")
		command := "npx prettier --write " + strings.Join(names, " ") + " && git add -A"
		y.event("PreToolUse", bashed(command, map[string]any{"tool_use_id": "look"})).want(t, command, "", "")
		copied := strings.Contains(y.kept(), "f('a")
		if copied != (name == "other ends of lines") {
			t.Errorf("%s: kept of files: %.200s", name, y.kept())
		}
		y.event("PostToolUse", bashed(command, map[string]any{"tool_use_id": "look"}))
		y.hook.Dir += "2"
		y.says("mend the bug")
		a := y.drifts(command, "u", becomes)
		if want := "nothing in " + strings.Join(names, ", ") + " has changed but quotes"; !strings.Contains(a.Reason, want) {
			t.Errorf("%s: %q", name, a.Reason)
		}
	}
}

// TestDriftBelow is drift in files that a command does not name itself.
func TestDriftBelow(t *testing.T) {
	js := func(quote, more string) string { return "f('a');\ng(" + quote + "b" + quote + ")" + more + "\n" }
	y := newYard(t)
	y.git("init", "-q", "-b", "main")
	files := []string{"a.js", "src/a.js", "src/b.js", "src/deep/c.ts", "lib/[id]/d.js", "tests/e.js", "src/f.md"}
	for _, name := range files {
		y.put(name, js("'", ""))
	}
	y.git("add", "-A")
	y.git("commit", "-q", "-m", "first")
	restyled, more := js(`"`, ""), js(`"`, " + 1")
	for i, c := range []struct{ command, names, other string }{
		{"prettier --write .", "a.js src/a.js src/b.js src/deep/c.ts lib/[id]/d.js tests/e.js", ""},
		{"npx prettier --write src", "src/a.js src/b.js src/deep/c.ts", "a.js"},
		{"npx prettier --write src/", "src/a.js src/b.js", "a.js"},
		{"npx prettier --write 'src/**/*.{js,ts}'", "src/a.js src/deep/c.ts", "a.js"},
		{"npx prettier --write 'src/**/*.ts'", "src/deep/c.ts", "src/a.js"},
		{"npx prettier --write src/*.js", "src/a.js src/b.js", "src/deep/c.ts"},
		{"npx prettier --write 'lib/[id]'", "lib/[id]/d.js", "src/a.js"},
		{"cd src && npx prettier --write .", "src/a.js", "a.js"},
		{"cd src && npx prettier --write deep/c.ts ../a.js", "a.js src/deep/c.ts", "src/a.js"},
		{"npx prettier --write " + y.project + "/src/a.js", "src/a.js", "a.js"},
		{"eslint --fix src", "src/a.js", "a.js"},
		{"eslint --fix", "a.js src/a.js", ""},
		{"npx biome format --write .", "a.js src/a.js", ""},
		{"deno fmt", "a.js src/a.js", ""},
		{"find . -name '*.js' -exec prettier --write {} +", "a.js src/a.js", ""},
		{"find src -name '*.js' | xargs npx prettier --write", "src/a.js", ""},
		{"sed -i \"s/'/\\\"/\" src/*.js", "src/a.js src/b.js", "a.js"},
		{"npm run lint -- --fix", "a.js src/a.js", ""},
		{"npm run format", "a.js src/a.js", ""},
		// what looks, prints, or does something else
		{"npx prettier --check .", "", "a.js"},
		{"npx prettier src", "", "src/a.js"},
		{"eslint src", "", "src/a.js"},
		{"npm test", "", "a.js"},
		{"npm run format:check", "", "a.js"},
		{"git status", "", "a.js"},
	} {
		y.hook.Dir = filepath.Join(y.home, fmt.Sprint("state", i))
		y.says("mend the bug")
		becomes := map[string]string{"src/f.md": restyled}
		names := strings.Fields(c.names)
		for _, name := range names {
			becomes[name] = restyled
		}
		if c.other != "" {
			becomes[c.other] = restyled
		}
		a := y.drifts(c.command, "u", becomes)
		told, _, _ := strings.Cut(strings.TrimPrefix(a.Reason, "fettle guard: Style drift detected: nothing in "), " has changed but ")
		got := strings.Split(told, ", ")
		slices.Sort(got)
		slices.Sort(names)
		if len(names) == 0 {
			names = []string{""}
		}
		if !slices.Equal(got, names) {
			t.Errorf("%s: %q, want %q", c.command, a.Reason, names)
		}
		if names[0] != "" { // what it has restyled it may take back, and what has changed besides it may not
			y.says("go on")
			y.bash("git restore '"+names[0]+"'").want(t, c.command+", and taken back", "", "")
			if c.other != "" {
				y.bash("git restore "+c.other).want(t, c.command+", and another one", "ask", "")
			}
		}
		for _, name := range files {
			y.put(name, js("'", ""))
		}
		if err := os.Remove(filepath.Join(y.project, ".git", "index")); err != nil { // git's own clock goes by seconds
			t.Fatal(err)
		}
		y.git("add", "-A")
	}
	// A file in which more has changed is not told of, and does not hide the others.
	y.hook.Dir = filepath.Join(y.home, "more")
	y.says("mend the bug")
	if a := y.drifts("npx prettier --write src", "u", map[string]string{"src/a.js": more, "src/b.js": restyled}); !strings.Contains(a.Reason, "nothing in src/b.js has changed but quotes") {
		t.Errorf("%q", a.Reason)
	}
	// What the agent has written it may format.
	y.write("src/b.js", restyled)
	if a := y.drifts("npx prettier --write src", "v", map[string]string{"src/b.js": js("'", "")}); a.Reason != "" {
		t.Errorf("%q", a.Reason)
	}
	// Where formatting is asked for, nothing is kept.
	y.says("run prettier")
	y.event("PreToolUse", bashed("npx prettier --write .", map[string]any{"tool_use_id": "w"})).want(t, "asked for", "", "")
	if y.kept() != "" {
		t.Errorf("kept: %s", y.kept())
	}
}

// TestDriftOfMany: of many files the first are followed, and few of them named; a file that was changed before is copied, within the bound.
func TestDriftOfMany(t *testing.T) {
	y := newYard(t)
	y.git("init", "-q", "-b", "main")
	becomes := map[string]string{}
	for i := range 1100 {
		name := fmt.Sprintf("src/%04d.js", i)
		y.put(name, "f('a');\n")
		becomes[name] = "f(\"a\");\n"
	}
	y.git("add", "-A")
	y.git("commit", "-q", "-m", "first")
	for i := range 20 {
		y.put(fmt.Sprintf("src/%04d.js", i), "f('a', 2);\n")
		becomes[fmt.Sprintf("src/%04d.js", i)] = "f(\"a\", 2);\n"
	}
	y.says("mend the bug")
	y.event("PreToolUse", bashed("prettier --write .", map[string]any{"tool_use_id": "look"})).want(t, "many", "", "")
	if n := strings.Count(y.kept(), "f('a', 2)"); n != 8 {
		t.Errorf("%d copies", n)
	}
	if n := strings.Count(y.kept(), "/src/"); n != 1000 {
		t.Errorf("%d files", n)
	}
	a := y.drifts("prettier --write .", "u", becomes)
	if !strings.Contains(a.Reason, "nothing in src/0000.js, src/0001.js, src/0002.js, src/0003.js, src/0004.js, src/0005.js, src/0006.js, src/0007.js, 192 more has changed but quotes") {
		t.Errorf("%q", a.Reason)
	}
}
