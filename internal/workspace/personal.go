package workspace

import (
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
)

// personal is what lies in a person's home and is for nobody who works on a repository: what shows who they are, what they have said and read, and their agents' and fettle's own
// papers. What a build reads when it reaches no network is not among it, such as Maven's and Gradle's settings, though these may hold a password.
var personal = []string{
	".ssh", ".gnupg", ".pki", ".password-store", ".local/share/keyrings", ".config/op", ".config/Bitwarden CLI",
	".netrc", "_netrc", ".authinfo", ".authinfo.gpg", ".git-credentials", ".config/git/credentials",
	".config/gh", ".config/glab-cli", ".config/hub",
	// Clouds and their tools.
	".aws", ".azure", ".config/gcloud", ".boto", ".s3cfg", ".oci", ".config/doctl", ".config/hcloud", ".config/flyctl", ".fly",
	".kube", ".docker/config.json", ".dockercfg", ".config/containers/auth.json", ".config/helm", ".terraform.d", ".terraformrc", ".vault-token",
	".config/rclone", ".config/sops", ".config/heroku", ".config/netlify", ".config/configstore", ".vercel", ".pulumi/credentials.json",
	// Registries of packages, and databases.
	".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".config/pip", ".pip", ".config/pypoetry/auth.toml", ".cargo/credentials", ".cargo/credentials.toml",
	".gem/credentials", ".m2/settings-security.xml", ".composer/auth.json", ".config/composer/auth.json", ".huggingface", ".cache/huggingface/token",
	".kaggle", ".pgpass", ".my.cnf", ".mylogin.cnf", ".dbeaver4", ".mongodb",
	// Agents.
	".claude", ".claude.json", ".codex", ".gemini", ".config/opencode", ".local/share/opencode", ".cursor", ".config/github-copilot",
	".aider.conf.yml", ".aider.chat.history.md", ".continue",
	// What was typed.
	".bash_history", ".zsh_history", ".zhistory", ".histfile", ".sh_history", ".ash_history", ".local/share/fish/fish_history", ".history", ".python_history",
	".node_repl_history", ".psql_history", ".mysql_history", ".sqlite_history", ".rediscli_history", ".lesshst", ".viminfo", ".wget-hsts",
	// What was read and written.
	".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera",
	"snap/firefox", "snap/chromium", "snap/thunderbird", ".var/app", ".config/Slack", ".config/discord", ".config/Signal", ".local/share/TelegramDesktop", ".config/Element",
	// Fettle itself.
	".config/fettle", ".local/state/fettle",
}

// spared are the entries of such folders that stay as they are: programs may run from them.
var spared = map[string][]string{".claude": {"local"}, ".codex": {"bin", "packages"}}

// elsewhere are the variables that name another place for something of this kind.
var elsewhere = []string{
	"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AZURE_CONFIG_DIR", "CLOUDSDK_CONFIG", "GOOGLE_APPLICATION_CREDENTIALS", "KUBECONFIG", "DOCKER_CONFIG", "NETRC", "GNUPGHOME", "GH_CONFIG_DIR", "NPM_CONFIG_USERCONFIG", "npm_config_userconfig",
	"PGPASSFILE", "BOTO_CONFIG", "VAULT_TOKEN_PATH", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "HISTFILE", "PYTHON_HISTORY", "NODE_REPL_HISTORY", "PASSWORD_STORE_DIR", "SOPS_AGE_KEY_FILE", "KAGGLE_CONFIG_DIR",
}

// standard are the folders of a home that a variable may have elsewhere.
var standard = map[string]string{"XDG_CONFIG_HOME": ".config", "XDG_STATE_HOME": ".local/state", "XDG_DATA_HOME": ".local/share", "XDG_CACHE_HOME": ".cache", "CARGO_HOME": ".cargo"}

// Personal lists the files and folders of this machine's person that nobody has to see who works on a repository of theirs: below HOME, below the home that the system
// knows, and where the environment says that such things are. Only what is there is listed, without symbolic links.
func Personal(getenv func(string) string) []string {
	var out []string
	at := homes(getenv)
	add := func(path string) {
		resolved, err := filepath.EvalSymlinks(path)
		if err != nil || !filepath.IsAbs(path) || slices.Contains(out, resolved) || slices.ContainsFunc(at, func(home string) bool { return within(home, resolved) }) {
			return
		}
		if info, err := os.Stat(resolved); err == nil && (info.IsDir() || info.Mode().IsRegular()) {
			out = append(out, resolved)
		}
	}
	for _, p := range personal {
		for _, base := range bases(p, at, getenv) {
			if spared[p] == nil {
				add(base)
				continue
			}
			entries, _ := os.ReadDir(base) // what is not there hides nothing
			for _, e := range entries {
				if !slices.Contains(spared[p], e.Name()) {
					add(filepath.Join(base, e.Name()))
				}
			}
		}
	}
	for _, path := range variablesOf(getenv, elsewhere) {
		add(path)
	}
	return out
}

// bases are the places that a path below a home stands for.
func bases(path string, homes []string, getenv func(string) string) []string {
	var out []string
	for _, home := range homes {
		out = append(out, filepath.Join(home, path))
	}
	for name, usual := range standard {
		if dir := getenv(name); dir != "" && within(path, usual) {
			out = append(out, filepath.Join(dir, path[len(usual):]))
		}
	}
	return out
}

// homes are the person's: that of the environment, and that of the system.
func homes(getenv func(string) string) []string {
	out := []string{getenv("HOME")}
	if u, err := user.LookupId(strconv.Itoa(os.Getuid())); err == nil && u.HomeDir != out[0] {
		out = append(out, u.HomeDir)
	}
	return slices.DeleteFunc(out, func(dir string) bool { return !filepath.IsAbs(dir) || dir == "/" })
}

// variablesOf are the paths that environment variables hold.
func variablesOf(getenv func(string) string, names []string) []string {
	var out []string
	for _, name := range names {
		out = append(out, filepath.SplitList(getenv(name))...)
	}
	return out
}
