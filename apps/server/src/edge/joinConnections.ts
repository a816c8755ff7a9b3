import type { Duplex } from 'node:stream'

/** Pipes two connections into each other until one ends; then the other ends too. */
export function joinConnections(left: Duplex, right: Duplex): void {
  for (const [from, to] of [
    [left, right],
    [right, left],
  ] as const) {
    from.pipe(to)
    from.once('error', () => to.destroy())
    from.once('close', () => to.destroy())
  }
}
