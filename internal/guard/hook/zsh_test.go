package hook_test

import "testing"

// TestZsh: where the person's shell is zsh, a command is judged by what that makes of it, too.
func TestZsh(t *testing.T) {
	for _, command := range []string{
		"a=(rm echo); ${a[1]} -rf ~/Documents",
		"a=(rm echo); $a[1] -rf ~/Documents",
		"a=(echo rm -rf ~/Documents); ${a[2,4]}",
		"a=(echo rm -rf ~/Documents); $a[2,-1]",
		"a=(rm -rf ~/Documents); $a",
		"a=(rm -rf ~/Documents); eval \"$a\"",
		"d=(build ~/Documents src); rm -rf $d[2]",
		"d=(build ~/Documents); rm -rf \"$d[2]\"",
		"d=(build dist); rm -rf \"${d[0]}\"/*",
		"typeset -a a; a[1]=rm; a[2]=echo; ${a[1]} -rf ~/Documents",
		"c=echo; echo rm | read c; $c -rf ~/Documents",
		"chpwd() { rm -rf ~/Documents; }; cd src",
		"command_not_found_handler() { rm -rf ~/Documents; }; foo",
		"TRAPEXIT() { rm -rf ~/Documents; }",
		"typeset -T PATH p; p=(/p/evil $p); ls", "x=y; ls ${(P)x}", "ls *(e:\"rm -rf x\":)", "ls *(+f)", "setopt extended_glob; ls",
	} {
		y := newYard(t)
		y.env["SHELL"] = "/usr/bin/zsh"
		y.says("go on")
		if a := y.bash(command); a.Specific.Decision == "" {
			t.Errorf("%s is allowed", command)
		}
		y.again()
		y.env["SHELL"] = "/bin/sh"
		y.says("again")
		if a := y.bash("zsh -c '" + command + "'"); a.Specific.Decision == "" {
			t.Errorf("%s is allowed behind zsh -c", command)
		}
		y.again()
	}
	// What the agent has put into a folder of programs.
	for command, want := range map[string]string{"path=($PWD/evil $path); pytest": "deny", "path+=$PWD/evil; pytest": "deny", "paths=($PWD/evil); pytest": ""} {
		y := newYard(t)
		y.env["SHELL"] = "/bin/zsh"
		y.says("go on")
		y.write("evil/pytest", "#!/bin/sh\nrm -rf ~/Documents\n")
		y.bash(command).want(t, command, want, "")
		y.again()
	}
	y := newYard(t)
	y.env["SHELL"] = "/bin/zsh"
	for _, command := range []string{
		"go test ./... 2>&1 | tail -5", "files=(src/a.py src/b.py); for f in $files; do wc -l $f; done", "files=(a b); for f in \"${files[@]}\"; do echo \"$f\"; done", "a=(x y); echo ${a[1]} $a[2] ${#a[@]}",
		"dirs=(build dist); rm -rf $dirs", "dirs=(build dist); rm -rf \"${dirs[1]}\"", "git log | while read -r h _; do echo \"$h\"; done", "n=$(wc -l < a.txt); [[ $n -gt 3 ]] && echo many", "grep -n 'a[0-9]' src/*.py",
		"ls | head -1 | read f; echo $f", "for i in 1 2; do echo ${a[$i]}; done", "bash -c 'a=(build dist); rm -rf \"${a[0]}\"'", "v=abc; echo ${v[1]} $v[2,3]", "path_to=src; ls $path_to", "export PATH=$PWD/node_modules/.bin:$PATH; eslint .",
		"args=(-q -x); pytest $args tests", "ls *(N)", "ls -l *(.om[1])", "sed -n '1,5p' a.txt | awk '{print $1}'", "python3 -c 'a=[1,2]; print(a[1])'",
	} {
		y.says("go on")
		y.bash(command).want(t, command, "", "")
	}
	y.again()
}
