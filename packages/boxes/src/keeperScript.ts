/** The keeper's exit code when the dev server kept ending: nobody but a person can help. */
export const GIVEN_UP = 70

/** The exit code of a dev server that made way for another one, which goes on with its terminals. */
export const MADE_WAY = 75

/**
 * Behind the path of the socket: the pipe on which the keeper hears of the dev servers that go on. Each holds it from its start to its end,
 * and nothing else does. A line `PID` says that one was started, `PID PROGRAM` that it answers and what to start where it ends.
 */
export const SUCCESSOR_PIPE = '.successor'

/** Ends of the dev server with less than a minute in between after which it is not started again. */
const MOST_ENDS = 5

/**
 * The first program of every run: starts the dev server, and starts it again when it ends without having been asked to. A shell, because it
 * lives as long as the box: it takes a millisecond to start and next to no memory.
 *
 * Arguments: `all` where everything that this user may end belongs to the box, else `own`; then the command. What a dev server leaves behind
 * would hold its ports, and its terminals are gone, so where it can be told apart it ends with it.
 *
 * A dev server that makes way for another one leaves that as nobody's child, which cannot be waited for: the keeper hears of its end by the
 * end of their pipe. One that never answered is not started again, but the one before it.
 *
 * SIGTERM is passed on, and then the end of the dev server is the end of the run. So it is when it never answered: whoever started the box
 * hears why. It has answered when its socket is there, which nothing removes in a run.
 */
export const KEEPER_SCRIPT = `all=$1
shift
ends=0 began=0 child= told= stopping= answered=
pipe=$BOXYARD_SOCKET${SUCCESSOR_PIPE}
ask() {
  told=yes stopping=yes
  if [ -n "$child" ]; then kill -s TERM "$child" 2>/dev/null; fi
}
trap ask TERM INT
waited() {
  while :; do
    told=
    wait "$child"
    code=$?
    if [ -z "$told" ]; then break; fi
  done
  child=
}
while :; do
  "$@" &
  child=$!
  if [ -n "$stopping" ]; then kill -s TERM "$child" 2>/dev/null; fi
  began=$(date +%s)
  waited
  if [ "$code" = ${MADE_WAY} ] && [ -p "$pipe" ]; then
    answered=yes
    exec 8<>"$pipe" 9<"$pipe" 8>&-
    rm -f "$pipe"
    while :; do
      told=
      if read -r pid program <&9; then
        child=$pid
        if [ -n "$program" ]; then set -- "$1" "$program"; fi
        if [ -n "$stopping" ]; then kill -s TERM "$child" 2>/dev/null; fi
      elif [ -z "$told" ]; then
        break
      fi
    done
    exec 9<&-
    child= code=0
  fi
  if [ -n "$stopping" ] || { [ -z "$answered" ] && [ ! -S "$BOXYARD_SOCKET" ]; }; then exit "$code"; fi
  if [ "$all" = all ]; then kill -s KILL -- -1 2>/dev/null; fi
  if [ $(($(date +%s) - began)) -ge 60 ]; then ends=0; fi
  ends=$((ends + 1))
  echo "The dev server ended with $code." >&2
  if [ "$ends" -ge ${MOST_ENDS} ]; then
    echo "It ended ${MOST_ENDS} times with less than a minute in between, and is not started again." >&2
    exit ${GIVEN_UP}
  fi
  if [ "$ends" -gt 1 ]; then
    sleep $((1 << (ends - 2))) &
    child=$!
    waited
  fi
  if [ -n "$stopping" ]; then exit 0; fi
  echo "It is started again." >&2
  export BOXYARD_BOOT=RESUME BOXYARD_ENDS="$ends"
done
`

/** The command that keeps a dev server running. */
export function kept(command: readonly string[], everythingIsOurs: boolean): string[] {
  return ['/bin/sh', '-c', KEEPER_SCRIPT, 'boxyard', everythingIsOurs ? 'all' : 'own', ...command]
}
