# Runners of checks, beside make, which every machine has: the hook runners pre-commit, prek and lefthook, and just. All of
# them come as Python packages, into the environment of the Python tools.
hook_pins="pre-commit==4.7.0 prek==0.5.11 lefthook==2.2.2 rust-just==1.59.0"
stamp="$tools/py/.installed-$(printf '%s' "$hook_pins" | cksum | cut -d' ' -f1)"
if [ ! -e "$stamp" ]; then
  say "runners of checks: $hook_pins"
  # shellcheck disable=SC2086
  "$tools/py/bin/pip" install --quiet --disable-pip-version-check $hook_pins
  touch "$stamp"
fi
command -v make >/dev/null || apt make
