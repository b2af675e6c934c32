package guard_test

import (
	"encoding/json"
	"testing"

	"fettle/internal/guard"
	"fettle/internal/policy/shell"
)

func bash(command string) guard.Call {
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err)
	}
	return guard.Call{Tool: "Bash", Input: input}
}

// TestOwn: what the guard keeps is nobody's to read, and its program nobody's to start, where no guard stays, too.
func TestOwn(t *testing.T) {
	moved := place
	moved.Guarded = []string{"/srv/state/fettle/guard", "/srv/policy.yaml"}
	for _, command := range []string{
		"cat ~/.local/state/fettle/guard/key", "cat /home/dev/.local/state/fettle/guard/resident.json", "grep -r token ~/.local/state", "grep -r token ~/.local",
		"cat ~/.local/state/fettle/guard/*", "cat ~/.local/state/fettle/g*/key", "head -c 100 ~/.loc*/st*/fettle/guard/key", "cp -r ~/.local/state/fettle /tmp/x", "tar cf - ~/.local/state | base64",
		"cd ~/.local/state/fettle/guard && cat key", "find ~/.local/state/fettle -type f -exec cat {} +", "cat /srv/state/fettle/guard/key", "ln -s ~/.local/state/fettle/guard x",
		`python3 -c "print(open('/home/dev/.local/state/fettle/guard/key').read())"`, `python3 -c "import os;print(open(os.path.expanduser('~/.local/state/fettle/guard/key')).read())"`,
		`python3 -c "import os;print(open(os.environ['HOME']+'/.local/state/fettle/guard/key').read())"`, `sqlite3 ~/.local/state/fettle/guard/x .dump`,
		"fettle guard serve --stop", "fettle guard uninstall", "fettle --quiet guard serve --stop", "~/.local/bin/fettle guard serve --stop", "/opt/fettle guard uninstall", "fettle guard install --http=false",
		`python3 -c "import subprocess;subprocess.run(['/opt/fettle','guard','uninstall'])"`,
		"echo '{}' | ~/.local/share/fettle/bin/fettle-guard", "kill $(pgrep -f 'guard serve')", "systemctl --user stop fettle-guard", "systemctl --user disable --now fettle-guard.service", "pkill fettle",
		"kill $(pgrep fettle)", "pgrep fettle | xargs kill", "kill -9 `pidof fettle`", "p=$(pgrep -f 'fettle guard'); kill $p", "ps aux | grep '[f]ettle' | awk '{print $2}' | xargs -r kill -TERM", "pidof /usr/local/bin/fettle | xargs kill -9",
		"for p in $(pgrep -x fettle-guard); do kill $p; done", `bash -c 'kill $(pgrep fettle)'`, "lsof -t -c fettle | xargs kill", `python3 -c "import os,subprocess;os.kill(int(subprocess.check_output(['pgrep','fettle'])),15)"`,
		"chmod -x ~/.local/share/fettle/bin/fettle-guard", `claude -p x --settings '{"disableAllHooks":true}'`,
		"codex exec -c features.hooks=false x", "codex --disable hooks exec x", "codex exec --disable=codex_hooks x", "codex features disable hooks",
		`python3 -c "import glob;[open(f,'w').write('{\"hooksConfig\": {\"enabled\": false}}') for f in glob.glob('.g*/s*.json')]"`,
	} {
		if v := guard.Judge(nil, bash(command), moved); v.Decision != shell.Deny || !v.Final || v.Class != "guard" && v.Class != "secrets" {
			t.Errorf("%s: %s %s %s %v", command, v.Decision, v.Rule, v.Class, v.Facts)
		}
	}
	for _, command := range []string{
		"ls ~/.local/state/fettle", "cat ~/.claude/settings.json", "grep -rn TODO .", "find ~/.local -name '*.log'", "fettle guard log", "fettle guard status", "fettle guard explain -- 'fettle guard uninstall'",
		"cat docs/guard.md", "grep -rn fettle/guard internal", "git commit -m 'docs: ~/.local/state/fettle/guard'", "curl -s http://127.0.0.1:21737/", "cat ~/.local/state/other/log", "ls -la ~", "fettle check", "chmod -x run.sh",
		"pgrep fettle", "ps aux | grep fettle", "sleep 9 & kill %1; ps aux | grep fettle", "grep -rn features.hooks src", "git commit -m 'docs: how to disable hooks'", "go test ./features/hooks", "grep -rn hooksConfig src",
	} {
		if v := guard.Judge(nil, bash(command), place); v.Decision != shell.Allow {
			t.Errorf("%s: %s %s %v", command, v.Decision, v.Rule, v.Facts)
		}
	}
}

// TestOwnPost: where a guard stays, its token and its address are its own, too.
func TestOwnPost(t *testing.T) {
	own := guard.Own{Files: []string{"/home/dev/.claude/settings.json"}, Listen: "127.0.0.1:21737"}
	judge := func(call guard.Call) shell.Verdict { return own.Heed(guard.Judge(nil, call, place), call, place) }
	for _, command := range []string{
		"cat ~/.claude/settings.json", "jq .hooks ~/.claude/settings.json", "cd ~/.claude && cat settings.json", "cp -r ~/.claude /tmp/x", "grep -r Bearer ~/.claude", "cat ~/.cl*/sett*", "cat ~/.claude/*.json",
		"cp ~/.claude/settings.json x.txt", `python3 -c "print(open('/home/dev/.claude/settings.json').read())"`, `python3 -c "import os;print(open(os.path.expanduser('~/.claude/settings.json')).read())"`,
		"curl -X POST http://127.0.0.1:21737/v1/stop", "curl http://localhost:21737/v1/alive", "curl 127.1:21737", "wget -qO- http://[::1]:21737/", "nc 127.0.0.1 21737", "echo x > /dev/tcp/127.0.0.1/21737",
		"exec 3<>/dev/tcp/localhost/21737", `python3 -c "import urllib.request as u;u.urlopen('http://127.0.0.1:21737/v1/stop')"`, `node -e "fetch('http://127.0.0.1:21737/v1/stop',{method:'POST'})"`,
		`python3 -c "import socket;socket.create_connection(('127.0.0.1',21737))"`, "fuser -k 21737/tcp", "kill $(lsof -ti :21737)", "lsof -t -i tcp:21737 | xargs kill", "kill $(ss -tlnpH 'sport = :21737' | grep -o 'pid=[0-9]*' | cut -d= -f2)", `bash -c 'p=21737; curl http://127.0.0.1:$p/'`,
	} {
		if v := judge(bash(command)); v.Decision != shell.Deny || v.Class != "guard" {
			t.Errorf("%s: %s %s %v", command, v.Decision, v.Rule, v.Facts)
		}
	}
	for _, command := range []string{
		"ls ~/.claude", "cat ~/.claude/plans/a.md", "cat .claude/settings.local.json", "curl -s http://localhost:3000/health", "curl -s http://127.0.0.1:217370/", "go test -run 21737 ./...", "git log -n 21737",
		"grep -rn 21737 .", "ss -tlnp", "lsof -i :21737",
	} {
		if v := judge(bash(command)); v.Decision != shell.Allow {
			t.Errorf("%s: %s %s %v", command, v.Decision, v.Rule, v.Facts)
		}
	}
	// What ends other processes is asked about as ever, and so is what is told by a number alone.
	for _, command := range []string{"kill $(lsof -ti :3000)", "kill $(pgrep -f vite)", "kill $(pgrep vite); ls ~/fettle", "ps aux\nkill 4711\nls ~/fettle", "kill 4711", "kill $(lsof -ti :217370)"} {
		if v := judge(bash(command)); v.Decision != shell.Ask || v.Rule != "kill" {
			t.Errorf("%s: %s %s %v", command, v.Decision, v.Rule, v.Facts)
		}
	}
	if v := judge(bash("docker kill $(docker ps -q --filter name=fettle)")); v.Decision != shell.Ask {
		t.Errorf("a container's name: %s %s", v.Decision, v.Rule)
	}
	for _, call := range []string{
		`{"tool_name":"Read","tool_input":{"file_path":"/home/dev/.claude/settings.json"}}`, `{"tool_name":"Grep","tool_input":{"pattern":"Bearer","path":"/home/dev/.claude"}}`,
		`{"tool_name":"WebFetch","tool_input":{"url":"http://127.0.0.1:21737/v1/stop"}}`, `{"tool_name":"mcp__web__fetch","tool_input":{"url":"http://localhost:21737/v1/stop"}}`,
		`{"tool_name":"mcp__fs__read_file","tool_input":{"path":"/home/dev/.claude/settings.json"}}`,
	} {
		var c guard.Call
		if err := json.Unmarshal([]byte(call), &c); err != nil {
			t.Fatal(err)
		}
		if v := judge(c); v.Decision != shell.Deny || v.Rule != "guard-own" {
			t.Errorf("%s: %s %s %v", call, v.Decision, v.Rule, v.Facts)
		}
	}
}

// TestOwnTools: that a server is called fettle proves nothing, as any server may have that name, so its tools are asked about. A person who has given fettle's own to the client
// says so in a policy of theirs, for as many of its tools as they like; a project cannot.
func TestOwnTools(t *testing.T) {
	rules := []shell.Rule{{ID: "fettle-tools", Kinds: []shell.Kind{shell.Tool}, Targets: []string{"mcp__fettle__check", "mcp__fettle__confirm", "mcp__fettle__validate_intent"}, Decision: shell.Allow}}
	persons, projects := &shell.Policy{Rules: rules}, &shell.Policy{Stricter: rules}
	for _, tt := range []struct {
		name   string
		policy *shell.Policy
		call   string
		want   shell.Decision
	}{
		{"nobody has said so", nil, `{"tool_name":"mcp__fettle__check","tool_input":{}}`, shell.Ask},
		{"nobody has said so of push", nil, `{"tool_name":"mcp__fettle__push","tool_input":{}}`, shell.Ask},
		{"the person", persons, `{"tool_name":"mcp__fettle__check","tool_input":{}}`, shell.Allow},
		{"the person, in a folder", persons, `{"tool_name":"mcp__fettle__confirm","tool_input":{"working_dir":"/home/dev/proj/sub"}}`, shell.Allow},
		{"the person, with a transcript", persons, `{"tool_name":"mcp__fettle__validate_intent","tool_input":{"transcript_path":"/home/dev/.claude/projects/-home-dev-proj/a.jsonl"}}`, shell.Allow},
		{"the person, of another tool", persons, `{"tool_name":"mcp__fettle__commit","tool_input":{}}`, shell.Ask},
		{"the person, of another server", persons, `{"tool_name":"mcp__fettle2__check","tool_input":{}}`, shell.Ask},
		{"the person, and the guard's own", persons, `{"tool_name":"mcp__fettle__validate_intent","tool_input":{"transcript_path":"/home/dev/.local/state/fettle/guard/key"}}`, shell.Deny},
		{"the project", projects, `{"tool_name":"mcp__fettle__check","tool_input":{}}`, shell.Ask},
	} {
		var c guard.Call
		if err := json.Unmarshal([]byte(tt.call), &c); err != nil {
			t.Fatal(err)
		}
		if v := guard.Judge(tt.policy, c, place); v.Decision != tt.want {
			t.Errorf("%s: %s, want %s: %s %s %v", tt.name, v.Decision, tt.want, v.Rule, v.Reason, v.Facts)
		}
	}
}

// TestOwnServers: who allows a server's tools does not allow what nobody may do with them.
func TestOwnServers(t *testing.T) {
	p := &shell.Policy{Rules: []shell.Rule{{ID: "own-fs", Kinds: []shell.Kind{shell.Tool}, Targets: []string{"mcp__fs__*"}, Decision: shell.Allow}}}
	for _, tt := range []struct {
		call string
		want shell.Decision
		rule string
	}{
		{`{"tool_name":"mcp__fs__write_file","tool_input":{"path":"/home/dev/repo/a.txt","content":"rm -rf ~"}}`, shell.Allow, ""},
		{`{"tool_name":"mcp__fs__move_file","tool_input":{"source":"/home/dev/repo/a.txt","destination":"/home/dev/repo/b.txt"}}`, shell.Allow, ""},
		{`{"tool_name":"mcp__fs__directory_tree","tool_input":{"path":"/home/dev/repo"}}`, shell.Allow, ""},
		{`{"tool_name":"mcp__fs__get_file_info","tool_input":{"path":"/etc/hosts"}}`, shell.Allow, ""},
		{`{"tool_name":"mcp__fs__delete_directory","tool_input":{"path":"/home/dev"}}`, shell.Deny, "whole-tree"},
		{`{"tool_name":"mcp__fs__move_file","tool_input":{"source":"/home/dev","destination":"/tmp/x"}}`, shell.Deny, "whole-tree"},
		{`{"tool_name":"mcp__fs__edit_file","tool_input":{"path":"/home/dev/.bashrc"}}`, shell.Deny, "startup"},
		{`{"tool_name":"mcp__fs__write_file","tool_input":{"path":"/home/dev/repo/.git/hooks/pre-commit","content":"rm -rf ~"}}`, shell.Deny, ""},
		{`{"tool_name":"mcp__fs__write_file","tool_input":{"path":"/home/dev/.config/fettle/policy.yaml"}}`, shell.Deny, ""},
		{`{"tool_name":"mcp__fs__run","tool_input":{"command":"rm","args":["-rf","/home/dev"]}}`, shell.Deny, "whole-tree"},
	} {
		var c guard.Call
		if err := json.Unmarshal([]byte(tt.call), &c); err != nil {
			t.Fatal(err)
		}
		if v := guard.Judge(p, c, place); v.Decision != tt.want || tt.rule != "" && v.Rule != tt.rule {
			t.Errorf("%s: %s by %s, want %s %s: %s %v", tt.call, v.Decision, v.Rule, tt.want, tt.rule, v.Reason, v.Facts)
		}
	}
}
