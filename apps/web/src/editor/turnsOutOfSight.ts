/** As many come in a row at once; what has no end, as something that moves, then goes on at the pace of a page out of sight. */
const AT_ONCE = 300

/** Gives turns to a page that nobody sees: messages are delivered at once there, and timers once a second. */
export function turnsOutOfSight(
  timers: Pick<Window & typeof globalThis, 'setTimeout'> = window,
): (run: () => void) => void {
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.addEventListener('message', () => waiting.shift()?.())
  port1.start()
  let given = 0
  return (run) => {
    given += 1
    if (given > AT_ONCE) timers.setTimeout(run)
    else {
      waiting.push(run)
      port2.postMessage(null)
    }
  }
}
