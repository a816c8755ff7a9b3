import type { Port, Task } from '@boxyard/protocol'

/** The open port whose page is shown for a box without being asked: that of a task, else any. Undefined while none of them is open. */
export function portToShow(
  tasks: readonly Pick<Task, 'preview' | 'ports'>[],
  ports: readonly Pick<Port, 'port'>[],
): number | undefined {
  const named = tasks.find(({ preview }) => preview?.port !== undefined)?.preview?.port
  const open = (port: number | undefined) => (ports.some((one) => one.port === port) ? port : undefined)
  if (named !== undefined) return open(named)
  const ofTask = tasks.flatMap((task) => task.ports).find(({ port }) => open(port) !== undefined)
  return ofTask?.port ?? ports[0]?.port
}
