import { dataOf } from '@boxyard/api'
import type { Configuration } from './configuration.ts'
import { hibernatedSchema, machinesSchema, updatedSchema } from './machines/operatorSchemas.ts'
import type { Machine } from './machines/operatorSchemas.ts'
import { findOperatorToken } from './operatorToken.ts'
import { vsCodeServerInstalledSchema } from './vsCodeServer/routes.ts'
import { StartError } from './startError.ts'

type Place = Pick<Configuration, 'home' | 'port'>

/** What the running server has in memory, as lines for a terminal. Throws StartError when no server answers. */
export async function describeMachines(place: Place): Promise<string> {
  const { machines } = dataOf(machinesSchema).parse(await call(place, 'GET', '/api/v1/admin/machines')).data
  if (machines.length === 0) return 'No devbox is running or asleep in memory.'
  const rows = machines.map(rowOf)
  const head = ['ID', 'STATE', 'MEMORY', 'DISK', 'PROCESSES', 'LAST USED', 'NAME']
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return [head, ...rows].map(line).join('\n')
}

/** Puts every running devbox to sleep, and says how many. Throws StartError when no server answers. */
export async function hibernateAll(place: Place): Promise<string> {
  const answer = await call(place, 'POST', '/api/v1/admin/machines/hibernate')
  const { hibernated } = dataOf(hibernatedSchema).parse(answer).data
  if (hibernated.length === 0) return 'No devbox was running.'
  return `${hibernated.length === 1 ? 'One devbox sleeps' : `${hibernated.length} devboxes sleep`} now. Each wakes up when somebody opens it.`
}

/** Gives every running devbox the dev server that is installed now, and says how that went. Throws StartError when no server answers. */
export async function updateAll(place: Place): Promise<string> {
  const answer = await call(place, 'POST', '/api/v1/admin/machines/update')
  const { updated, failed } = dataOf(updatedSchema).parse(answer).data
  if (updated.length + failed.length === 0)
    return 'No devbox was running. Each has the installed dev server when it starts.'
  return [
    `${updated.length} of ${updated.length + failed.length} running devboxes have the installed dev server now. Their terminals run on.`,
    ...failed.map(
      ({ id, reason }) => `${id} goes on with what it had, and has the installed one when it is restarted: ${reason}`,
    ),
  ].join('\n')
}

/** Fetches the VS Code server for all devboxes, so that nobody has to wait for it. Throws StartError when no server answers. */
export async function fetchVsCodeServer(place: Place): Promise<string> {
  const answer = await call(place, 'POST', '/api/v1/admin/vscode-server')
  dataOf(vsCodeServerInstalledSchema).parse(answer)
  return 'The VS Code server is there. Devboxes start it when somebody enables VSCode extensions.'
}

function rowOf({ id, title, state, usage, last_used_at: lastUsedAt }: Machine): string[] {
  const cost = usage
    ? [mebibytes(usage.memory_bytes), mebibytes(usage.disk_bytes), String(usage.processes)]
    : ['-', '-', '-']
  return [id, state, ...cost, lastUsedAt, title ?? '']
}

const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

async function call({ home, port }: Place, method: 'GET' | 'POST', path: string): Promise<unknown> {
  const token = findOperatorToken(home)
  if (token === null)
    throw new StartError(`No server has run with the data folder ${home}. Set BOXYARD_HOME to the one that is meant.`)
  const url = `http://localhost:${port}${path}`
  let response: Response
  try {
    response = await fetch(url, { method, headers: { authorization: `Bearer ${token}` } })
  } catch (cause) {
    throw new StartError(
      `No server answers on port ${port}. Start it with ./start, or set PORT as it is set for the server.`,
      { cause },
    )
  }
  if (!response.ok) {
    throw new StartError(
      `The server on port ${port} refused with status ${response.status}. Is it the one that uses ${home}?`,
    )
  }
  return response.json()
}
