# What working environments are made with: uv and poetry, pnpm and both yarns, Git LFS, and exFAT, a file system without modes,
# links and letter case. uv and poetry get an environment of their own, where poetry's many dependencies disturb nobody.
env_tools="$tools/environments"
env_py_pins="uv==0.13.9 poetry==2.5.1"
env_stamp="$env_tools/.installed-$(printf '%s' "$env_py_pins" | cksum | cut -d' ' -f1)"
if [ ! -e "$env_stamp" ]; then
  say "python environments: $env_py_pins"
  mkdir -p "$env_tools"
  [ -x "$env_tools/py/bin/python" ] || python3 -m venv "$env_tools/py"
  # shellcheck disable=SC2086
  "$env_tools/py/bin/pip" install --quiet --disable-pip-version-check $env_py_pins
  touch "$env_stamp"
fi
command -v node >/dev/null && command -v npm >/dev/null || apt nodejs npm
env_node_pins="pnpm@10.34.8 @yarnpkg/cli-dist@4.18.1 yarn1@npm:yarn@1.22.22"
env_stamp="$env_tools/.installed-$(printf '%s' "$env_node_pins" | cksum | cut -d' ' -f1)"
if [ ! -e "$env_stamp" ]; then
  say "node package managers: $env_node_pins"
  mkdir -p "$env_tools/node"
  printf '{"private": true}\n' >"$env_tools/node/package.json" # so that npm installs here and not above
  # shellcheck disable=SC2086
  npm install --prefix "$env_tools/node" --no-save --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error $env_node_pins >/dev/null
  touch "$env_stamp"
fi
ln -sfn ../environments/py/bin/uv "$tools/bin/uv"
ln -sfn ../environments/py/bin/poetry "$tools/bin/poetry"
ln -sfn ../environments/node/node_modules/pnpm/bin/pnpm.cjs "$tools/bin/pnpm"
ln -sfn ../environments/node/node_modules/@yarnpkg/cli-dist/bin/yarn.js "$tools/bin/yarn"
ln -sfn ../environments/node/node_modules/yarn1/bin/yarn.js "$tools/bin/yarn1" # yarn classic
env_need=()
command -v git-lfs >/dev/null || env_need+=(git-lfs)
for dir in /sbin /usr/sbin; do # not on everybody's PATH
  if [ -x "$dir/mkfs.exfat" ]; then exfat=1; fi
  if [ -x "$dir/mount.exfat-fuse" ]; then exfat_fuse=1; fi
done
[ -n "${exfat:-}" ] || env_need+=(exfatprogs)
[ -n "${exfat_fuse:-}" ] || env_need+=(exfat-fuse)
if [ ${#env_need[@]} -gt 0 ]; then apt "${env_need[@]}"; fi
