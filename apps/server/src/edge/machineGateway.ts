import type { Duplex } from 'node:stream'

/** What the edge needs of the machines: connections into running boxes. Failures are BoxError. */
export interface MachineGateway {
  /**
   * Starts the box if it does not run. Resolves when its dev server answers. Fails with BOX_NOT_RUNNING when this kind of visit is not to
   * wake it.
   */
  wake(boxId: string, visit: 'http' | 'websocket'): Promise<void>
  /** The epoch of the run that is up now, or undefined. */
  epochOf(boxId: string): number | undefined
  /** A connection to the dev server of a running box. */
  connect(boxId: string): Promise<Duplex>
  /** A connection to a port in a running box. Fails with PORT_CLOSED when nothing listens. */
  dial(boxId: string, port: number): Promise<Duplex>
  /** Says that somebody uses the box, so that it does not go to sleep. */
  touch(boxId: string): void
  /** Keeps the box awake until the returned function is called. */
  hold(boxId: string): () => void
}
