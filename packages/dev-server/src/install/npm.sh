#!/bin/sh
# npm of a box. Installs of a lockfile that the platform knows are laid out by it; everything else is npm itself, which is the next one
# on PATH.
here=$(dirname "$(readlink -f "$0")")
npm=
IFS=:
for folder in $PATH; do
  if [ -x "$folder/npm" ] && [ "$(readlink -f "$folder")" != "$here" ]; then
    npm=$folder/npm
    break
  fi
done
unset IFS
if [ -z "$npm" ]; then
  echo 'npm is not installed in this machine' >&2
  exit 127
fi
case "$1" in
install | i | ci | clean-install)
  if [ -f package-lock.json ]; then
    node "$here/../install.mjs" "$npm" "$@"
    result=$?
    [ "$result" -eq 75 ] || exit "$result"
  fi
  ;;
esac
exec "$npm" "$@"
