import type { DevServerClient } from '@boxyard/dev-server-client'
import type { Client, Port, SetupProgress, Task } from '@boxyard/protocol'

/** What the views of the box show. A new object after every change. */
export interface BoxSnapshot {
  tasks: readonly Task[]
  taskErrors: readonly string[]
  ports: readonly Port[]
  setup: SetupProgress | undefined
  people: readonly Client[]
  self: Client | undefined
}

export interface BoxStore {
  getSnapshot(): BoxSnapshot
  subscribe(listener: () => void): () => void
}

/** The state of the box's areas as one external store, shared by the React roots of the workbench. */
export function boxStore(client: Pick<DevServerClient, 'tasks' | 'ports' | 'setup' | 'clients'>): BoxStore {
  const { tasks, ports, setup, clients } = client
  const read = (): BoxSnapshot => ({
    tasks: tasks.all,
    taskErrors: tasks.list.validationErrors,
    ports: ports.all,
    setup: setup.progress,
    people: clients.all,
    self: clients.self,
  })
  let snapshot = read()
  const listeners = new Set<() => void>()
  const update = () => {
    snapshot = read()
    for (const listener of listeners) listener()
  }
  tasks.onDidChange(update)
  ports.onDidChange(update)
  setup.onDidChange(update)
  clients.onDidChange(update)
  return {
    getSnapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
