package confine

// row is a place that programs keep for themselves in a home. What is in it they have made, and make again, or it is theirs to change while they work; what people have written (settings, keys) is not in the
// table, or in a folder of a program's that is free as a whole because the program keeps its locks and databases at its top.
type row struct {
	vars   string // variables of the environment that name it, in the order in which they count; a trailing : says that each may name several
	at     string // where it is otherwise, below the home; empty: nowhere
	parts  string // what of it is free; empty: all
	mark   string // what must be in a folder that a variable names, so that it is believed
	of     string // programs that make it when they first run: it is made for them where one is there; empty: it counts once it is there
	client string // a program that it is made for only where that is started, or named to what is: its folder says to others (fettle guard install) that it is used
	text   string // it is a file, and begins so
	why    string
}

// everybody is whom a place is made for in any case.
const everybody = "*"

// table is all that is free in a home besides the project. Programs that are not named here have ~/.cache and ~/.local/state, as XDG says.
var table = []row{
	{vars: "XDG_CACHE_HOME", at: ".cache", of: everybody, why: "what programs can make again"},
	{vars: "XDG_STATE_HOME", at: ".local/state", of: everybody, why: "what programs note of their runs, the guard among them"},
	{vars: "TMPDIR TMP TEMP", why: "temporary files"},

	// The clients of agents: sessions, settings and keys of theirs lie beside each other, and change while they work.
	{vars: "CLAUDE_CONFIG_DIR", at: ".claude", client: "claude", why: "Claude Code's own"},
	{at: ".claude.json", client: "claude", text: "{}\n", why: "Claude Code's own; it cannot be replaced here, and is written in its place"},
	{vars: "XDG_DATA_HOME", at: ".local/share", parts: "claude", why: "versions of Claude Code"},
	{vars: "CODEX_HOME", at: ".codex", client: "codex", why: "Codex's own"},
	{at: ".gemini", client: "gemini", why: "Gemini CLI's own"},
	{vars: "GEMINI_CLI_HOME", parts: ".gemini", client: "gemini", why: "Gemini CLI's own"},
	{at: ".copilot", client: "copilot", why: "Copilot CLI's own"},
	{at: ".cursor", client: "cursor-agent", why: "Cursor's own"},
	{at: ".qwen", client: "qwen", why: "Qwen Code's own"},
	{at: ".aider", client: "aider", why: "aider's own"},
	{vars: "XDG_DATA_HOME", at: ".local/share", parts: "opencode", client: "opencode", why: "opencode's own"},
	{vars: "XDG_CONFIG_HOME", at: ".config", parts: "opencode", client: "opencode", why: "opencode's own: it installs its plugins there"},
	{vars: "XDG_DATA_HOME", at: ".local/share", parts: "amp goose crush", why: "sessions of Amp, goose, Crush"},

	// JavaScript
	{vars: "npm_config_cache NPM_CONFIG_CACHE", at: ".npm", of: "npm npx", why: "npm's cache and logs"},
	{vars: "PNPM_HOME", of: "pnpm", why: "pnpm's store"},
	{vars: "XDG_DATA_HOME", at: ".local/share", parts: "pnpm", of: "pnpm", why: "pnpm's store"},
	{vars: "npm_config_store_dir NPM_CONFIG_STORE_DIR", at: ".pnpm-store", why: "pnpm's store"},
	{vars: "YARN_CACHE_FOLDER", why: "yarn's cache"},
	{vars: "YARN_GLOBAL_FOLDER", at: ".yarn/berry", of: "yarn", why: "yarn's cache"},
	{vars: "BUN_INSTALL", at: ".bun", of: "bun bunx", why: "bun's cache, and what it installs for all projects"},
	{vars: "BUN_INSTALL_CACHE_DIR", why: "bun's cache"},
	{vars: "DENO_DIR", at: ".deno", why: "deno's cache, and what it installs for all projects"},
	{vars: "COREPACK_HOME", why: "package managers that corepack has fetched"},
	{vars: "npm_config_devdir", at: ".node-gyp", why: "headers that node-gyp has fetched"},
	{vars: "NVM_DIR", at: ".nvm", parts: "versions .cache", why: "versions of Node that nvm has fetched, and what is installed with them"},
	{vars: "FNM_DIR", at: ".local/share/fnm", why: "versions of Node that fnm has fetched"},
	{vars: "VOLTA_HOME", at: ".volta", why: "versions of tools that Volta fetches when they are called"},
	{vars: "PLAYWRIGHT_BROWSERS_PATH", why: "browsers that Playwright has fetched"},
	{vars: "PUPPETEER_CACHE_DIR", why: "browsers that Puppeteer has fetched"},
	{vars: "CYPRESS_CACHE_FOLDER", why: "versions of Cypress"},
	{vars: "XDG_CONFIG_HOME", at: ".config", parts: "Cypress", why: "Cypress' own browser keeps its state there"},
	{vars: "electron_config_cache", at: ".electron", why: "versions of Electron"},
	{vars: "XDG_CONFIG_HOME", at: ".config", parts: "configstore", why: "when programs last asked for a newer version"},

	// Python
	{vars: "VIRTUAL_ENV", mark: "pyvenv.cfg", why: "the environment of Python that is active"},
	{vars: "CONDA_PREFIX", mark: "conda-meta", why: "the environment of conda that is active"},
	{vars: "CONDA_PKGS_DIRS:", at: ".conda/pkgs", why: "conda's cache"},
	{vars: "PIP_CACHE_DIR", why: "pip's cache"},
	{vars: "UV_CACHE_DIR", why: "uv's cache"},
	{vars: "UV_PYTHON_INSTALL_DIR UV_TOOL_DIR", why: "what uv has fetched"},
	{vars: "XDG_DATA_HOME", at: ".local/share", parts: "uv", of: "uv uvx", why: "versions of Python, and tools, that uv has fetched"},
	{vars: "PIPX_HOME", at: ".local/share/pipx", why: "environments that pipx has made"},
	{vars: "POETRY_CACHE_DIR", why: "Poetry's cache and environments"},
	{vars: "XDG_DATA_HOME", at: ".local/share", parts: "pypoetry hatch pdm virtualenv virtualenvs jupyter/runtime", why: "what Poetry, Hatch, PDM, Pipenv and Jupyter make for themselves"},
	{vars: "WORKON_HOME", at: ".virtualenvs", why: "environments that Pipenv or virtualenvwrapper has made"},
	{vars: "PIPENV_CACHE_DIR", why: "Pipenv's cache"},
	{vars: "PYENV_ROOT", at: ".pyenv", parts: "versions shims cache", why: "versions of Python that pyenv has built, and what is installed with them"},
	{vars: "PRE_COMMIT_HOME", why: "hooks that pre-commit has fetched"},
	{vars: "PYTHONPYCACHEPREFIX RUFF_CACHE_DIR MYPY_CACHE_DIR NUMBA_CACHE_DIR MPLCONFIGDIR", why: "what tools can make again"},
	{vars: "IPYTHONDIR", at: ".ipython", parts: "profile_default/db profile_default/history.sqlite profile_default/log profile_default/pid profile_default/security", why: "IPython's state"},
	{vars: "HF_HOME HF_HUB_CACHE TRANSFORMERS_CACHE HF_DATASETS_CACHE TORCH_HOME TRITON_CACHE_DIR", at: ".triton", why: "models and data that were fetched"},
	{vars: "KERAS_HOME", at: ".keras", why: "models and data that were fetched"},
	{vars: "NLTK_DATA", at: "nltk_data", why: "data that was fetched"},
	{vars: "CUDA_CACHE_PATH", at: ".nv", why: "what the compiler of CUDA can make again"},

	// Go
	{vars: "GOPATH:", at: "go", parts: "pkg bin", of: "go", why: "modules that were fetched, and what go install has made"},
	{vars: "GOMODCACHE GOCACHE GOTMPDIR GOLANGCI_LINT_CACHE", why: "what go can make again"},
	{vars: "XDG_CONFIG_HOME", at: ".config", parts: "go/telemetry", of: "go", why: "counters of the go command"},

	// Rust
	{vars: "CARGO_HOME", at: ".cargo", of: "cargo", why: "cargo's cache, locks and programs, with its settings and keys beside them"},
	{vars: "RUSTUP_HOME", at: ".rustup", why: "toolchains, which rustup fetches when a project names them"},
	{vars: "CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR SCCACHE_DIR", why: "what cargo can make again"},

	// Java, Kotlin, Scala: their settings lie beside these folders, and stay kept.
	{at: ".m2", parts: "repository wrapper build-cache", of: "mvn mvnw", why: "Maven's repository"},
	{vars: "MAVEN_USER_HOME", parts: "repository wrapper", of: "mvnw", why: "Maven's repository"},
	{vars: "GRADLE_USER_HOME", at: ".gradle", parts: "caches daemon wrapper native notifications workers jdks kotlin-profile build-scan-data .tmp", of: "gradle gradlew", why: "Gradle's caches and logs"},
	{vars: "KONAN_DATA_DIR", at: ".konan", why: "compilers that Kotlin has fetched"},
	{at: ".kotlin", why: "Kotlin's daemon"},
	{at: ".sbt", parts: "boot launchers 1.0/zinc 1.0/server 1.0/staging 1.0/dependency", of: "sbt", why: "sbt's caches"},
	{at: ".ivy2", parts: "cache local jars", of: "sbt", why: "Ivy's caches"},
	{vars: "COURSIER_CACHE", at: ".coursier", why: "Coursier's cache"},
	{at: ".groovy", parts: "grapes", why: "what Groovy has fetched"},
	{at: ".clojure", parts: ".cpcache", why: "what Clojure can make again"},
	{at: ".java", parts: ".userPrefs fonts", why: "what Java notes of itself"},
	{vars: "SDKMAN_DIR", at: ".sdkman", parts: "candidates archives tmp", why: "versions of tools that SDKMAN has fetched"},
	{vars: "JBANG_DIR", at: ".jbang", parts: "cache", why: "JBang's cache"},
	{vars: "ANDROID_USER_HOME", at: ".android", parts: "cache build-cache", why: "caches of Android's builder"},

	// .NET, PHP, Ruby, Perl
	{vars: "NUGET_PACKAGES", at: ".nuget/packages", of: "dotnet", why: "packages that were fetched"},
	{vars: "XDG_DATA_HOME", at: ".local/share", parts: "NuGet", of: "dotnet", why: "NuGet's caches"},
	{vars: "DOTNET_CLI_HOME", parts: ".dotnet .templateengine", of: "dotnet", why: "what dotnet notes of itself, and its tools"},
	{at: ".dotnet", of: "dotnet", why: "what dotnet notes of itself, and its tools"},
	{at: ".templateengine", why: "templates of dotnet"},
	{vars: "COMPOSER_HOME", at: ".composer", parts: "cache", why: "Composer's cache"},
	{vars: "COMPOSER_CACHE_DIR", why: "Composer's cache"},
	{vars: "GEM_HOME", at: ".gem", parts: "ruby specs cache", of: "gem bundle", why: "gems that were fetched"},
	{vars: "XDG_DATA_HOME", at: ".local/share", parts: "gem", of: "gem bundle", why: "gems that were fetched"},
	{vars: "BUNDLE_USER_CACHE", at: ".bundle", parts: "cache plugin", of: "bundle", why: "Bundler's cache"},
	{vars: "RBENV_ROOT", at: ".rbenv", parts: "versions shims", why: "versions of Ruby that rbenv has built, and what is installed with them"},
	{vars: "rvm_path", at: ".rvm", parts: "gems rubies archives", why: "versions of Ruby that RVM has built, and what is installed with them"},
	{vars: "PERL_CPANM_HOME", at: ".cpanm", why: "cpanm's cache"},
	{at: ".cpan", parts: "build sources", why: "CPAN's cache"},

	// C and C++, and whatever builds them
	{vars: "CONAN_HOME", at: ".conan2", parts: "p", of: "conan", why: "packages that were fetched"},
	{vars: "CONAN_USER_HOME", parts: ".conan/data", why: "packages that were fetched"},
	{at: ".conan", parts: "data", why: "packages that were fetched"},
	{vars: "VCPKG_DEFAULT_BINARY_CACHE VCPKG_DOWNLOADS", why: "packages that vcpkg has fetched"},
	{vars: "CCACHE_DIR", at: ".ccache", why: "ccache's cache"},
	{vars: "BAZELISK_HOME", why: "versions of Bazel"},
	{vars: "ZIG_GLOBAL_CACHE_DIR", why: "Zig's cache"},
	{vars: "EM_CACHE", at: ".emscripten_cache", why: "what Emscripten can make again"},
	{vars: "PLATFORMIO_CORE_DIR", at: ".platformio", parts: "packages platforms .cache", why: "toolchains that PlatformIO has fetched"},
	{vars: "IDF_TOOLS_PATH", at: ".espressif", why: "toolchains that ESP-IDF has fetched"},

	// Other languages
	{vars: "CABAL_DIR", at: ".cabal", parts: "packages store logs", of: "cabal", why: "packages that were fetched"},
	{vars: "GHCUP_INSTALL_BASE_PREFIX", parts: ".ghcup", why: "versions of GHC that ghcup has fetched"},
	{at: ".ghcup", parts: "cache db ghc logs tmp trash", why: "versions of GHC that ghcup has fetched"},
	{vars: "OPAMROOT", at: ".opam", why: "what opam has built, with its locks"},
	{vars: "MIX_HOME", at: ".mix", of: "mix", why: "what Mix has fetched"},
	{vars: "HEX_HOME", at: ".hex", parts: "packages", of: "mix", why: "packages that were fetched"},
	{vars: "PUB_CACHE", at: ".pub-cache", of: "dart flutter", why: "packages that were fetched"},
	{at: ".dart-tool", why: "what Dart notes of itself"},
	{at: ".dartServer", why: "what Dart's analyser can make again"},
	{at: ".swiftpm", parts: "cache", why: "packages that were fetched"},
	{vars: "NIMBLE_DIR", at: ".nimble", parts: "pkgs pkgs2 pkgcache", why: "packages that were fetched"},
	{vars: "JULIA_DEPOT_PATH:", at: ".julia", parts: "artifacts clones compiled logs packages registries scratchspaces", of: "julia", why: "packages that were fetched"},
	{vars: "R_LIBS_USER:", why: "packages of R that were fetched"},

	// What serves many
	{vars: "MISE_DATA_DIR", at: ".local/share/mise", why: "versions of tools that mise has fetched"},
	{vars: "ASDF_DATA_DIR", at: ".asdf", parts: "installs shims downloads", why: "versions of tools that asdf has fetched"},
	{at: ".docker", parts: "buildx", why: "what docker buildx notes of its builders: keys of registries lie beside it, and stay kept"},
	{at: ".kube", parts: "cache", why: "what kubectl can ask for again: keys lie beside it, and stay kept"},
	{vars: "TF_PLUGIN_CACHE_DIR", at: ".terraform.d", parts: "plugin-cache", why: "plugins that Terraform has fetched"},
	{vars: "HELM_CACHE_HOME", why: "Helm's cache"},
}

// theirs is what people keep in a home. No variable and no link makes a place of a program's of it, of what lies in it, or of a folder that holds it.
var theirs = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".oci", ".config", ".password-store", ".pki", ".local/bin", ".local/share/keyrings", ".local/share/Trash", "bin",
	".mozilla", ".thunderbird", ".vscode", ".vscode-server", "snap", ".var",
	"Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Templates", "Videos",
}
