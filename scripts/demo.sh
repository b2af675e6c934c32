#!/usr/bin/env bash
# Mends the two sample repositories of demo/, each laid out in a temporary folder, and shows what fettle did.
set -euo pipefail
cd "$(dirname "$0")/.."
fettle=$PWD/bin/fettle
work=$(mktemp -d "${TMPDIR:-/tmp}/fettle-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.com GIT_COMMITTER_NAME=Demo GIT_COMMITTER_EMAIL=demo@example.com

title() { printf '\n\033[1m── %s\033[0m\n\n' "$*"; }

for kind in go python; do
  repo=$work/$kind
  go run ./scripts/untxtar "demo/$kind.txtar" "$repo"
  git -C "$repo" init -q -b main
  git -C "$repo" add .
  git -C "$repo" commit -q -m "a broken $kind repository"

  title "$kind: what is wrong (fettle run)"
  "$fettle" -C "$repo" run || true
  title "$kind: mending it (fettle fix --commit)"
  "$fettle" -C "$repo" fix --commit --explain
  title "$kind: what was changed (fettle diff)"
  "$fettle" -C "$repo" diff
  title "$kind: and now (fettle run)"
  "$fettle" -C "$repo" run
  git -C "$repo" log --oneline --all
done
title "Both repositories are healthy. They were in $work, which is removed now."
