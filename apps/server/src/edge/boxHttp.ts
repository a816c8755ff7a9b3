import { request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Duplex, Writable } from 'node:stream'
import { stillOpen } from '@boxyard/boxes'
import type { AccessLevel } from '@boxyard/protocol'
import { z } from 'zod'

/** Sends an HTTP request over a connection that is open already, and closes it after the answer. */
export function requestOver(connection: Duplex, options: RequestOptions): ClientRequest {
  // Without an agent Node asks createConnection, and closes the connection after the answer.
  return httpRequest({ ...options, createConnection: () => stillOpen(connection) })
}

/** What the dev server says about itself to the host. */
export const devServerStatusSchema = z.object({
  ready: z.boolean(),
  setup: z
    .object({
      state: z.string(),
      currentStepIndex: z.number(),
      steps: z.array(z.object({ name: z.string(), command: z.string(), finishStatus: z.string().nullable() })),
    })
    .nullable(),
  tasks: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      command: z.string(),
      status: z.string().nullable(),
      preview_port: z.number().nullable(),
      ports: z.array(z.number()),
      tail: z.string(),
    }),
  ),
  ports: z.array(z.number()),
})
export type DevServerStatus = z.infer<typeof devServerStatusSchema>

class DevServerAnswer extends Error {
  readonly status: number
  readonly content: string
  constructor(status: number, content: string) {
    super(`The dev server answered ${status}: ${content.slice(0, 500)}`)
    this.status = status
    this.content = content
  }
}

const MAX_BODY_BYTES = 1024 * 1024

async function body(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error('The dev server answered with more than 1 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function send(connection: Duplex, method: string, path: string, content = ''): Promise<Buffer> {
  const headers = { host: 'dev-server', 'content-length': Buffer.byteLength(content) }
  return answerTo(requestOver(connection, { method, path, headers }), (request) => request.end(content))
}

/** The answer to a request of which `write` sends the content. */
function answerTo(request: ClientRequest, write: (request: ClientRequest) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      body(response).then((content) => {
        const status = response.statusCode ?? 0
        if (status >= 200 && status < 300) resolve(content)
        else reject(new DevServerAnswer(status, content.toString()))
      }, reject)
    })
    write(request)
  })
}

export async function readDevServerStatus(connection: Duplex): Promise<DevServerStatus> {
  return devServerStatusSchema.parse(JSON.parse((await send(connection, 'GET', '/status')).toString()))
}

/** The text of a file in the workspace as it is now, or null where there is none to show. */
export async function readDevServerText(connection: Duplex, path: string): Promise<string | null> {
  try {
    const answer = await send(connection, 'GET', `/text?${new URLSearchParams({ path })}`)
    return z.object({ text: z.string() }).parse(JSON.parse(answer.toString())).text
  } catch (error) {
    if (error instanceof DevServerAnswer && error.status === 404) return null
    throw error
  }
}

export async function runDevServerTask(connection: Duplex, taskId: string): Promise<void> {
  await send(connection, 'POST', `/tasks/${encodeURIComponent(taskId)}/run`)
}

/** Tells the dev server what a person may do from now on. */
export async function tellDevServerAccess(
  connection: Duplex,
  change: { user: string; access: AccessLevel | 'none' },
): Promise<void> {
  await send(connection, 'POST', '/access', JSON.stringify(change))
}

const refusedSchema = z.object({ error: z.string() })
const vsCodeServerSchema = z.object({ port: z.number().int(), token: z.string(), commit: z.string() })

/** Starts the VS Code server of a box from `folder`, as the box sees it, unless it runs. What went wrong in the box is an answer too. */
export async function startVsCodeServer(
  connection: Duplex,
  folder: string,
): Promise<z.infer<typeof vsCodeServerSchema> | { error: string }> {
  try {
    const answer = await send(connection, 'POST', '/vscode-server', JSON.stringify({ folder }))
    return vsCodeServerSchema.parse(JSON.parse(answer.toString()))
  } catch (error) {
    if (!(error instanceof DevServerAnswer) || error.status !== 409) throw error
    return refusedSchema.parse(JSON.parse(error.content))
  }
}

const placedSchema = z.object({ folder: z.string().startsWith('/') })

/** Where the box has the VS Code server of this name that was sent to it, or null. */
export async function findVsCodeServer(connection: Duplex, name: string): Promise<string | null> {
  try {
    const answer = await send(connection, 'GET', `/vscode-server?${new URLSearchParams({ name })}`)
    return placedSchema.parse(JSON.parse(answer.toString())).folder
  } catch (error) {
    if (error instanceof DevServerAnswer && error.status === 404) return null
    throw error
  }
}

/**
 * Puts a VS Code server into a box, as an archive of tar that `write` writes and leaves open. Answers where the box has it. What went wrong in the box is an
 * answer too.
 */
export async function putVsCodeServer(
  connection: Duplex,
  name: string,
  write: (to: Writable) => Promise<void>,
): Promise<{ folder: string } | { error: string }> {
  const path = `/vscode-server?${new URLSearchParams({ name })}`
  const request = requestOver(connection, { method: 'PUT', path, headers: { host: 'dev-server' } })
  try {
    const answer = await answerTo(request, () => {
      write(request).then(
        () => request.end(),
        // An archive that ends early is none.
        (error: unknown) => request.destroy(error instanceof Error ? error : new Error(String(error))),
      )
    })
    return placedSchema.parse(JSON.parse(answer.toString()))
  } catch (error) {
    if (!(error instanceof DevServerAnswer) || error.status !== 409) throw error
    return refusedSchema.parse(JSON.parse(error.content))
  }
}
