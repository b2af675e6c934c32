package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// Git runs what stands in a repository: commands among its settings, and hooks. A folder need not be called .git to be one: where HEAD, objects and refs lie, git takes what lies
// beside them for its own. So what an agent has written there is judged where git runs in that folder, or in one below.

// gitHooks are the names of git's hooks.
const gitHooks = " applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive " +
	"post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change "

// gitRuns judges what git runs of what this command or an agent has written into a repository around the folder where it works.
func (v *invocation) gitRuns() {
	if v.inGit { // by a hook, which is judged just now
		return
	}
	v.inGit = true
	defer func() { v.inGit = false }()
	here, exact := v.cwd.exact()
	if exact {
		here = v.locate(v.cwd, v.cwd).path
	}
	if exact && len(v.rest) > 0 && v.rest[0].text == "init" {
		v.folders = append(v.folders, here)
	}
	files := v.writtenWhere(func(path string) bool { return gitFile(path) != "" })
	if v.at.Known != nil && v.at.Script != nil {
		for _, path := range v.at.Known() {
			if gitFile(path) != "" && !slices.Contains(files, path) {
				files = append(files, path)
			}
		}
	}
	linked := slices.ContainsFunc(files, func(path string) bool { return slashpath.Base(path) == ".git" }) // which says where the repository is
	for _, path := range files {
		folder := gitFile(path)
		around := strings.TrimSuffix(folder, "/.git")
		if _, below := within(around, here); below || around == here || linked || !exact {
			v.gitRunsOf(folder, path)
		}
	}
}

// gitFile is the folder of the repository in which a file would lie that decides what git runs; empty if it is none.
func gitFile(path string) (folder string) {
	folder, name := slashpath.Split(path)
	folder = strings.TrimSuffix(folder, "/")
	switch {
	case name == "config", name == "config.worktree", name == "commondir", name == ".git":
		return folder
	case slashpath.Base(folder) == "hooks" && oneWord(gitHooks, name):
		return slashpath.Dir(folder)
	}
	return ""
}

// gitRunsOf judges one such file, if it lies in a repository.
func (v *invocation) gitRunsOf(folder, path string) {
	_, headed := v.written[folder+"/HEAD"]
	certain := headed || slices.Contains(v.folders, strings.TrimSuffix(folder, "/.git")) || v.at.Absent != nil && !v.at.Absent(folder+"/HEAD")
	if !certain && v.at.Absent != nil {
		return
	}
	v.strictly(func() {
		at := v.locate(known(path), v.cwd)
		held, here := v.holds(at)
		texts := slices.Clip(held)
		if v.at.Script != nil {
			if text, ok := v.at.Script(path); ok {
				texts, here = append(texts, known(text)), true
			}
		}
		switch slashpath.Base(path) {
		case ".git":
		case "commondir": // the settings of another folder count
			if here {
				v.note(Config, path, v.name)
			}
		case "config", "config.worktree":
			for _, text := range texts {
				v.gitSettings(text, path, certain)
			}
		default:
			for _, text := range held {
				v.reading(path).codeIn("", text, nil)
			}
			v.unread(at, "", nil)
		}
	})
}

// gitSettings judges the settings in a file of git's.
func (v *invocation) gitSettings(file value, path string, certain bool) {
	text, ok := file.exact()
	if !ok || len(text) > maxText {
		if certain {
			v.opaque("what git would run by " + path + " is not known")
		}
		return
	}
	section := ""
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			head, rest, _ := strings.Cut(line[1:], "]")
			name, sub, _ := strings.Cut(head, " ")
			section = name + "."
			if sub = strings.Trim(sub, " \t\""); sub != "" {
				section += sub + "."
			}
			line = strings.TrimSpace(rest)
		}
		key, val, _ := strings.Cut(line, "=")
		if key = strings.TrimSpace(key); key == "" || strings.ContainsAny(key[:1], "#;") {
			continue
		}
		val = gitValue(val)
		if strings.HasPrefix(section, "remote.") && (key == "fetch" || key == "url" && !strings.Contains(val, "::")) {
			continue // git writes them itself
		}
		v.gitSetting(known(section+key), known(val), true)
	}
}

// gitValue is a value as git reads it: without quotation marks, and without what stands behind a sign of a comment.
func gitValue(text string) string {
	var b strings.Builder
	quoted := false
	text = strings.TrimSpace(text)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(text):
			i++
			c = text[i]
			if n := strings.IndexByte("ntb", c); n >= 0 {
				c = "\n\t\b"[n]
			}
			b.WriteByte(c)
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
