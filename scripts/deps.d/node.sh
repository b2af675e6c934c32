# The tools of JavaScript and TypeScript, in .tools/node/node_modules, whose .bin is on the tests' PATH. The versions are the
# newest that run on Node 18 too, which is what Debian 12 has. Pyright judges Python, but is a program of node's.
command -v node >/dev/null && command -v npm >/dev/null || apt nodejs npm
node_pins="eslint@9.39.5 @eslint/js@9.39.5 prettier@3.10.1 @biomejs/biome@2.6.8 typescript@5.9.3 jest@30.5.2 vitest@3.2.7 vite@6.4.6 mocha@11.8.0 tape@5.10.2 pyright@1.1.410"
node_stamp="$tools/node/.installed-$(printf '%s' "$node_pins" | cksum | cut -d' ' -f1)"
if [ ! -e "$node_stamp" ]; then
  say "node tools: $node_pins"
  mkdir -p "$tools/node"
  [ -e "$tools/node/package.json" ] || printf '{"private": true}\n' >"$tools/node/package.json" # so that npm installs here and not above
  # shellcheck disable=SC2086
  npm install --prefix "$tools/node" --no-save --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error $node_pins >/dev/null
  touch "$node_stamp"
fi
