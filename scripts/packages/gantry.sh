#!/bin/sh
# The gantry command of the npm package: becomes the program of this platform, which npm installed beside it.
# gantry runs in the folders of repositories, so no variable may have Bun load anything (src/client/kept-environment.ts).
unset BUN_BE_BUN BUN_INSPECT BUN_INSPECT_CONNECT_TO BUN_INSPECT_PRELOAD BUN_OPTIONS BUN_TCC_OPTIONS
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in /*) self=$target ;; *) self=${self%/*}/$target ;; esac
done
root=${self%/*}/..
machine=$(uname -sm)
case $machine in
  'Linux x86_64') names='linux-x64 linux-x64-musl' loader=/lib64/ld-linux-x86-64.so.2 ;;
  'Linux aarch64') names='linux-arm64 linux-arm64-musl' loader=/lib/ld-linux-aarch64.so.1 ;;
  'Darwin x86_64') names=darwin-x64 ;;
  # Node may be the one for the other processor, and then so is what npm installed.
  'Darwin arm64') names='darwin-arm64 darwin-x64' ;;
  *)
    echo "gantry: there is no gantry for $machine. It runs on Linux (x64, arm64) and macOS; on Windows within WSL." >&2
    exit 1
    ;;
esac
for name in $names; do
  # An npm that does not know about C libraries installs both; the loader tells which one can start.
  case $name in linux-*-musl) ;; linux-*) [ -e "$loader" ] || continue ;; esac
  for folder in "$root/node_modules" "$root/.."; do
    program=$folder/gantry-$name/bin/gantry
    [ -x "$program" ] && exec "$program" "$@"
  done
done
echo "gantry: its program for $machine is missing, which npm installs as the package gantry-${names%% *}." >&2
echo "Run: npm install -g gantry --include=optional" >&2
exit 1
