# Sourced by ./start and ./test: makes sure that what the programs need is on this machine. Needs `packages` (Debian names with the
# command each brings) set by the caller.

fail() {
  echo "$1" >&2
  exit 1
}

running=""
ending=TERM
# Runs one step in such a way that a stop of the script, by Ctrl-C or by a signal, ends the step first and starts no other one.
step() {
  "$@" &
  running=$!
  status=0
  wait "$running" || status=$?
  running=""
  return "$status"
}

stop() {
  trap '' INT TERM HUP
  if [ -n "$running" ]; then
    kill -"$ending" "$running" 2>/dev/null || true
    wait "$running" 2>/dev/null || true
  fi
  exit 130
}
trap stop INT TERM HUP

need_node() {
  command -v node >/dev/null || fail "Boxyard needs Node.js 20.19 or newer. Install it and run this again."
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    fail "Boxyard needs Node.js 20.19 or newer; this is $(node --version). Install a newer one and run this again."
}

# need_packages "command:package" ...: installs what is missing by apt where that is allowed, else says in one line what to install.
need_packages() {
  missing=""
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair##*:}"
  done
  [ -n "$missing" ] || return 0
  as_root=""
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then as_root="sudo"; else as_root="no"; fi
  fi
  if [ "$as_root" = no ] || ! command -v apt-get >/dev/null; then
    fail "Install these first, then run this again: sudo apt-get install$missing"
  fi
  echo "Installing$missing"
  log=$(mktemp)
  # shellcheck disable=SC2086
  if ! { step $as_root apt-get update && step $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "These packages could not be installed:$missing. The last lines of apt-get are above."
  fi
  rm -f "$log"
}

# Installs the npm packages when the lockfile changed since the last time.
need_modules() {
  stamp=node_modules/.boxyard-lock
  if [ ! -f "$stamp" ] || ! cmp -s package-lock.json "$stamp"; then
    echo "Installing npm packages"
    log=$(mktemp)
    # Asked to stop, npm first takes back what it did, which takes longer than the installation; the next one begins anew anyway.
    ending=KILL
    if ! step npm ci --no-audit --no-fund >"$log" 2>&1; then
      grep '^npm error' "$log" | head -n 12 >&2
      fail "The npm packages could not be installed. What npm said first is above."
    fi
    ending=TERM
    rm -f "$log"
    cp package-lock.json "$stamp"
  fi
}
