package shell

import "testing"

// TestFile holds that a script which is judged by its text knows where it stands.
func TestFile(t *testing.T) {
	const clean = "root=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\" && pwd)\nrm -rf \"${root:?}/build\"\n"
	for _, c := range []struct {
		file, script string
		want         Decision
	}{
		{"/home/dev/repo/scripts/clean.sh", clean, Allow},
		{"/home/dev/repo/scripts/clean.sh", "cd \"$(dirname \"$0\")/..\"\nrm -rf build\n", Allow},
		{"/home/dev/repo/clean.sh", clean, Deny}, // the folder above the project
		{"/home/dev/repo/scripts/clean.sh", "rm -rf \"$(dirname \"$0\")/../../other\"\n", Deny},
	} {
		at := Place{Root: "/home/dev/repo", Home: "/home/dev", File: c.file}
		if v := (*Policy)(nil).Judge(c.script, at); v.Decision != c.want {
			t.Errorf("%s\n%s: %v, %s, want %v", c.file, c.script, v.Decision, v.Reason, c.want)
		}
	}
}
