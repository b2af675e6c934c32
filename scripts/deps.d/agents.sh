# The real clients of coding agents, for the tests of the guard: they talk to a scripted model on this machine alone.
# Their native programs stand in the platform's packages, so no install script is needed.
command -v node >/dev/null && command -v npm >/dev/null || apt nodejs npm
case "$(uname -m)" in x86_64) arch=x64 triple=x86_64 ;; aarch64 | arm64) arch=arm64 triple=aarch64 ;; esac
agent() { # NAME, the folder's name; PACKAGE@VERSION; the program's path in it; the program that runs it, if it is none itself
  local name=$1 package=$2 program=$3 runner=${4:-}
  local dir="$tools/agents/$name" stamp="$tools/agents/$name/.${package##*@}"
  if [ ! -e "$stamp" ]; then
    say "npm install $package"
    rm -rf "$dir"
    npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --silent "$package"
    printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$runner" "$dir/node_modules/$program" >"$tools/bin/$name"
    chmod +x "$tools/bin/$name"
    touch "$stamp"
  fi
}
agent claude @anthropic-ai/claude-code@2.1.328 "@anthropic-ai/claude-code-linux-$arch/claude"
agent claude-2.1.100 @anthropic-ai/claude-code@2.1.100 @anthropic-ai/claude-code/cli.js node
agent codex @openai/codex@0.169.0 "@openai/codex-linux-$arch/vendor/$triple-unknown-linux-musl/bin/codex"
agent gemini @google/gemini-cli@0.61.0 @google/gemini-cli/bundle/gemini.js node
