package path

import (
	"slices"
	"strings"
	"sync"
)

// pattern is a forbidden name with one star in it, which stands for any text.
type pattern struct {
	before, after string
	rule          Rule
}

// list holds the forbidden names. Whatever lies below one is forbidden, too.
type list struct {
	exact map[string]Rule // one folded name, or two with a slash between them
	globs []pattern
}

// forbiddenNames are looked for at every level of a path. Source code may speak of secrets: secrets.py, credentials.go and
// token.ts are ordinary modules and are not among them.
var forbiddenNames = sync.OnceValue(func() list {
	return newList(
		Git, ".hg", ".jj", ".sl", ".svn", ".bzr", // .git in all its spellings is isGit's
		Agent, ".claude", ".claude.json", ".mcp.json", "mcp.json", "mcp_config.json", ".codex", ".cursor", ".cursorrules", ".cursorignore",
		".gemini", ".windsurf", ".windsurfrules", ".codeium", ".cline", ".clinerules", ".roo", ".roomodes", ".kiro", ".amazonq",
		".opencode", "opencode.json", "opencode.jsonc", ".crush", ".crush.json", "crush.json", ".goose", ".goosehints", ".continue",
		".aider*", ".junie", ".augment", ".qwen", ".copilot", ".agents", ".github/copilot-instructions.md",
		Editor, ".vscode", ".idea", ".zed", ".fleet", ".vs", ".nvim.lua", ".nvimrc", ".exrc", ".vimrc", ".dir-locals.el", ".envrc",
		"*.code-workspace", ".lvimrc", ".gdbinit", ".lldbinit", ".pdbrc", ".pryrc", ".irbrc",
		Hook, ".husky", ".githooks", ".git-hooks",
		Secret, ".ssh", ".gnupg", ".aws/credentials", ".aws/config", ".aws/sso", ".kube", ".docker/config.json", ".dockercfg",
		".azure", ".config/gcloud", ".config/gh", ".password-store",
		".netrc", "_netrc", ".npmrc", ".yarnrc.yml", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf", ".htpasswd", ".s3cfg", ".boto",
		".vault-token", ".terraformrc", "kubeconfig", "secring.*",
		"id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*_rsa", "*_dsa", "*_ecdsa", "*_ed25519", "authorized_keys",
		"*.pem", "*.key", "*.p12", "*.pfx", "*.p8", "*.jks", "*.keystore", "*.ppk", "*.kdbx", "*.secret", "*.crt",
		"credentials", ".credentials.json", "credentials.json", "credentials.y*ml", "credentials.toml", "credentials.ini", "credentials.csv", "credentials.txt", "credentials.xml", "credentials.properties",
		"client_secret*.json", "service-account*.json", "service_account*.json",
		"secrets", "secrets.json", "secrets.y*ml", "secrets.toml", "secrets.ini", "secrets.env", "secrets.txt", "secrets.enc", "*.tfstate",
	)
})

// newList reads the list above: a rule, and then the names it has.
func newList(items ...any) list {
	l := list{exact: map[string]Rule{}}
	var rule Rule
	for _, item := range items {
		switch v := item.(type) {
		case Rule:
			rule = v
		case string:
			if before, after, star := strings.Cut(v, "*"); star {
				l.globs = append(l.globs, pattern{before, after, rule})
			} else {
				l.exact[v] = rule
			}
		}
	}
	return l
}

// forbidden judges the rest of a path from one level on: folded names, the file's own last.
func forbidden(names []string) (Rule, string) {
	name, last := names[0], len(names) == 1
	known := forbiddenNames()
	if envFile(name) {
		return Secret, "File matches forbidden pattern '.env*'"
	}
	if rule, ok := known.exact[name]; ok && (last || !sources(name)) {
		return rule, "File matches forbidden pattern '" + name + "'"
	}
	if !last {
		two := name + "/" + names[1]
		if rule, ok := known.exact[two]; ok {
			return rule, "File matches forbidden pattern '" + two + "'"
		}
	}
	for _, p := range known.globs {
		if p.matches(name, last) {
			return p.rule, "File matches forbidden pattern '" + p.before + "*" + p.after + "'"
		}
	}
	return "", ""
}

// sources reports names that are a secret as a file, and an ordinary folder of sources when something lies below.
func sources(name string) bool { return name == "secrets" || name == "credentials" }

// matches compares one name. An ending says what a file is; of a folder it says nothing.
func (p pattern) matches(name string, last bool) bool {
	return (last || p.before != "") && len(name) >= len(p.before)+len(p.after) &&
		strings.HasPrefix(name, p.before) && strings.HasSuffix(name, p.after)
}

// examples are words in the names of .env files that are meant to be shared.
var examples = []string{"example", "sample", "template", "dist", "defaults", "schema"}

// envFile reports a file of environment variables, as .env, .env.local or prod.env, but not a shared example of one, and
// not a name that only begins alike (.envoy.yaml).
func envFile(name string) bool {
	rest, ok := strings.CutPrefix(name, ".env")
	if !ok {
		return strings.HasSuffix(name, ".env") && !example(strings.TrimSuffix(name, ".env"))
	}
	if rest == "" {
		return true
	}
	return strings.ContainsRune("._-~", rune(rest[0])) && !example(rest)
}

// example reports whether one of the words in s marks an example.
func example(s string) bool {
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("._-", r) }) {
		if slices.Contains(examples, word) {
			return true
		}
	}
	return false
}
