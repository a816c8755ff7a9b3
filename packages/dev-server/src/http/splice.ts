import type { Duplex } from 'node:stream'

/** Joins two streams into one connection. Each side may end its half on its own; a failure of one ends both. */
export function splice(left: Duplex, right: Duplex): void {
  left.pipe(right)
  right.pipe(left)
  const destroyBoth = (): void => {
    left.destroy()
    right.destroy()
  }
  left.on('error', destroyBoth)
  right.on('error', destroyBoth)
  // A side that vanishes before both its halves ended leaves the other nothing to do.
  const destroyOther = (side: Duplex, other: Duplex) => (): void => {
    if (!side.readableEnded || !side.writableFinished) other.destroy()
  }
  left.on('close', destroyOther(left, right))
  right.on('close', destroyOther(right, left))
}
