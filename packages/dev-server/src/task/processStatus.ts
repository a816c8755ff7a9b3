import type { PortMonitor } from '../port/PortMonitor.ts'
import type { Setup } from '../setup/Setup.ts'
import type { DevServerStatus } from '../status.ts'
import { plainTail } from './plainTail.ts'
import type { Tasks } from './Tasks.ts'

const TAIL_LINES = 20

/** What runs in the box, for the page that is shown while nothing listens. */
export function processStatus(parts: { tasks: Tasks; setup: Setup; monitor: PortMonitor }): DevServerStatus {
  const { tasks, setup, monitor } = parts
  return {
    setup: () => setup.progress,
    tasks: () =>
      Object.values(tasks.list().tasks).map((task) => ({
        id: task.id,
        name: task.name,
        command: task.command,
        status: task.shell?.status ?? null,
        preview_port: task.preview?.port ?? null,
        ports: task.ports.map(({ port }) => port),
        tail: plainTail(tasks.sessionOf(task.id)?.scrollback ?? '', TAIL_LINES),
      })),
    ports: () => monitor.ports,
    async runTask(taskId) {
      await tasks.run(taskId)
    },
  }
}
