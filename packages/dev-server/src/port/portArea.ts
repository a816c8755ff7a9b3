import type { Port } from '@boxyard/protocol'
import type { Area, Connections } from '../area.ts'
import type { Configuration } from '../configuration.ts'
import { previewHostOf } from '../configuration.ts'
import type { Shells } from '../shell/Shells.ts'
import type { Timers } from '../shell/Timers.ts'
import { PortMonitor } from './PortMonitor.ts'
import { readListeningSockets } from './readListeningSockets.ts'

export interface PortAreaDependencies {
  configuration: Pick<Configuration, 'boxId' | 'previewHost'>
  connections: Connections
  shells: Shells
  timers: Timers
  /** Ports of the dev server itself. */
  excluded: Pick<ReadonlySet<number>, 'has'>
  report: (error: unknown) => void
}

export interface PortArea extends Area {
  readonly monitor: PortMonitor
  /** How a port is shown to clients. */
  describe(port: number): Port
}

/** The open ports of the box. See SPEC-shells.md, rules PO1 and on. */
export async function createPortArea(dependencies: PortAreaDependencies): Promise<PortArea> {
  const { configuration, connections, shells, timers, excluded, report } = dependencies
  const monitor = new PortMonitor({ read: readListeningSockets, timers, excluded, report })
  const describe = (port: number): Port => ({ port, url: previewHostOf(configuration, port) })
  monitor.onChange((sockets) => {
    connections.broadcast(
      'port/changed',
      { list: sockets.map(({ port }) => describe(port)) },
      { only: (connection) => connection.subscriptions.port?.status === true },
    )
  })
  const forget = shells.observe({ activity: () => monitor.activity() })
  await monitor.refresh()
  return {
    monitor,
    describe,
    handlers: {
      'port/list': async () => {
        await monitor.refresh()
        return { list: monitor.ports.map(describe) }
      },
    },
    async dispose() {
      forget()
      await monitor.dispose()
    },
  }
}
