/** A task as far as its ports are concerned. */
export interface PortClaim {
  taskId: string
  /** The port its configuration names. */
  previewPort: number | undefined
}

/**
 * Tells which task each open port belongs to: the one that names it in its configuration, and among several the one that opened
 * it; else the one whose process opened it; else none (null).
 *
 * @param openers the task whose process opened a port, where it is known
 */
export function assignPorts(
  ports: readonly number[],
  claims: readonly PortClaim[],
  openers: ReadonlyMap<number, string>,
): Map<number, string | null> {
  return new Map(
    ports.map((port) => {
      const opener = openers.get(port)
      const named = claims.filter((claim) => claim.previewPort === port)
      const owner = named.find((claim) => claim.taskId === opener) ?? named[0]
      return [port, owner?.taskId ?? opener ?? null]
    }),
  )
}
