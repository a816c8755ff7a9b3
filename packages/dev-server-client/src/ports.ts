import type { Port } from '@boxyard/protocol'
import type { PortsArea } from './api.ts'
import { AreaSync } from './areaSync.ts'
import type { AreaContext } from './areaSync.ts'
import { DevServerClientError } from './errors.ts'
import { Emitter } from './event.ts'
import { timings } from './timings.ts'

/** The ports that something in the box listens on. */
export class Ports implements PortsArea {
  readonly #context: AreaContext
  readonly #sync: AreaSync
  readonly #changeEmitter = new Emitter<{ all: readonly Port[]; opened: readonly Port[]; closed: readonly Port[] }>()
  #all: readonly Port[] = []

  readonly onDidChange = this.#changeEmitter.event

  constructor(context: AreaContext) {
    this.#context = context
    const { connection } = context
    this.#sync = new AreaSync(context, 'port', () =>
      connection.request('port/list', {}, { onResult: ({ list }) => this.#replace(list) }),
    )
    connection.onNotification('port/changed', ({ list }) => this.#replace(list))
  }

  get ready(): Promise<void> {
    return this.#sync.ready
  }

  get all(): readonly Port[] {
    return this.#all
  }

  waitForPort(port: number, { timeout = timings.waitForPort }: { timeout?: number } = {}): Promise<Port> {
    return new Promise((resolve, reject) => {
      const find = () => this.#all.find((candidate) => candidate.port === port)
      const open = find()
      if (open) {
        resolve(open)
        return
      }
      const subscription = this.onDidChange(() => {
        const opened = find()
        if (!opened) return
        cancel()
        subscription.dispose()
        resolve(opened)
      })
      const cancel = this.#context.connection.clock.schedule(() => {
        subscription.dispose()
        reject(new DevServerClientError('WAITING_FOR_PORT_TIMED_OUT'))
      }, timeout)
    })
  }

  #replace(list: readonly Port[]): void {
    const before = this.#all
    this.#all = list
    const missingIn = (others: readonly Port[]) => (port: Port) => !others.some((other) => other.port === port.port)
    const opened = list.filter(missingIn(before))
    const closed = before.filter(missingIn(list))
    if (opened.length > 0 || closed.length > 0) this.#changeEmitter.fire({ all: list, opened, closed })
  }
}
