import { ROOM_PERSON_HEADER } from '@boxyard/api'
import * as z from 'zod/mini'
import { parseJson } from '../common/parseJson.ts'
import { dataUrl } from './dataUrl.ts'
import { keptAnswersOf } from '../offline/keptAnswers.ts'
import type { SandboxStorage, StoredModule, StoredSandbox } from './storage.ts'

/** A file as the server tells of it. */
export const storedModuleSchema = z.pipe(
  z.object({
    shortid: z.string(),
    title: z.string(),
    directory_shortid: z.nullable(z.string()),
    code: z.nullable(z.string()),
    is_binary: z.boolean(),
    inserted_at: z.string(),
    updated_at: z.string(),
  }),
  z.transform((module): StoredModule => ({
    shortid: module.shortid,
    title: module.title,
    directoryShortid: module.directory_shortid,
    code: module.code ?? '',
    isBinary: module.is_binary,
    insertedAt: Date.parse(module.inserted_at),
    updatedAt: Date.parse(module.updated_at),
  })),
)
/** A folder as the server tells of it. */
export const storedDirectorySchema = z.pipe(
  z.object({ shortid: z.string(), title: z.string(), directory_shortid: z.nullable(z.string()) }),
  z.transform(({ shortid, title, directory_shortid }) => ({ shortid, title, directoryShortid: directory_shortid })),
)
const sandboxSchema = z.object({
  version: z._default(z.number(), 0),
  modules: z.array(storedModuleSchema),
  directories: z.array(storedDirectorySchema),
})
const uploadSchema = z.object({ url: z.string() })
const failureSchema = z.object({ error: z.object({ message: z.string() }) })

const DOWNLOAD_TRIES = 3
/** As long as a client of the dev server waits for its answer. */
const ANSWER_MS = 90_000
/** Answers of a proxy whose server is away. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])

/** The status of a call that nobody answered. */
export const NO_ANSWER = 0

/** A call was refused or not answered. */
export class StorageError extends Error {
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
    this.status = status
  }
}

/** What is said when nothing can be stored now. */
export const serverAway = (cause?: unknown): StorageError =>
  new StorageError(NO_ANSWER, 'The server does not answer. What you typed is kept on this device.', { cause })

export interface RestStorageOptions {
  send?: typeof globalThis.fetch
  /** The id of this page in the sandbox's room, which is not told what it does itself. */
  person?: () => string | null
  timers?: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
}

/** Keeps the files of a sandbox with the calls of the platform's API; `base` ends before `/modules`. */
export function restStorage(
  base: string,
  { send = (...given) => fetch(...given), person = () => null, timers = globalThis }: RestStorageOptions = {},
): SandboxStorage {
  const kept = keptAnswersOf(base, (...given) => send(...given))
  /** What is read is read again while nobody answers. */
  const read = (address: string, init?: RequestInit) => (kept ? kept.fetch(address, init) : send(address, init))
  /** The answer as it came. A request that nobody answers is given up, so that those behind it have their turn. */
  const ask = async (
    method: string,
    address: string,
    body: object | undefined,
    through: typeof read,
  ): Promise<{ status: number; text: string }> => {
    const by = person()
    const giveUp = new AbortController()
    const late = timers.setTimeout(() => giveUp.abort(), ANSWER_MS)
    try {
      const response = await through(address, {
        method,
        credentials: 'same-origin',
        headers: {
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...(by !== null && { [ROOM_PERSON_HEADER]: by }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: giveUp.signal,
      })
      return { status: response.status, text: await response.text() }
    } catch (cause) {
      throw serverAway(cause)
    } finally {
      timers.clearTimeout(late)
    }
  }
  const call = async <S extends z.ZodMiniType>(
    method: string,
    address: string,
    schema: S,
    body?: object,
    through: typeof read = send,
  ): Promise<z.output<S>> => {
    const { status, text } = await ask(method, address, body, through)
    if (AWAY.has(status)) throw serverAway(`The server answered ${status}`)
    const answer = text === '' ? null : parseJson(text)
    if (status < 200 || status > 299) {
      const failure = failureSchema.safeParse(answer)
      throw new StorageError(status, failure.success ? failure.data.error.message : `The server answered ${status}`)
    }
    const data = answer !== null && typeof answer === 'object' && 'data' in answer ? answer.data : answer
    return schema.parse(data)
  }
  const flat = (given: Partial<StoredModule>) => ({
    ...(given.title !== undefined && { title: given.title }),
    ...(given.directoryShortid !== undefined && { directory_shortid: given.directoryShortid }),
    ...(given.code !== undefined && { code: given.code }),
    ...(given.isBinary !== undefined && { is_binary: given.isBinary }),
  })
  const module = (shortid: string) => `${base}/modules/${encodeURIComponent(shortid)}`
  const directory = (shortid: string) => `${base}/directories/${encodeURIComponent(shortid)}`
  const uploads = base.replace(/\/sandboxes\/[^/]+$/, '/users/current_user/uploads')
  return {
    load: () => call('GET', base, sandboxSchema, undefined, read),
    read: () => call('GET', base, sandboxSchema),
    createModule: (given) => call('POST', `${base}/modules`, storedModuleSchema, { module: flat(given) }),
    updateModule: async (shortid, given) =>
      void (await call('PUT', module(shortid), z.unknown(), { module: flat(given) })),
    deleteModule: async (shortid) => void (await call('DELETE', module(shortid), z.unknown())),
    createDirectory: (given) => call('POST', `${base}/directories`, storedDirectorySchema, { directory: flat(given) }),
    updateDirectory: async (shortid, given) =>
      void (await call('PUT', directory(shortid), z.unknown(), { directory: flat(given) })),
    deleteDirectory: async (shortid) => void (await call('DELETE', directory(shortid), z.unknown())),
    upload: async (name, content) => {
      const { url } = await call('POST', uploads, uploadSchema, { name, content: dataUrl(content) })
      return url
    },
    async download(address) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const response = await read(address)
          if (!response.ok)
            throw new StorageError(response.status, `The file could not be fetched (${response.status})`)
          return new Uint8Array(await response.arrayBuffer())
        } catch (error) {
          if (attempt === DOWNLOAD_TRIES) throw error
        }
      }
    },
    keep(sandbox) {
      kept?.change(base, (answer) => {
        const { data } = answer as { data: object }
        return { data: { ...data, ...wireOf(sandbox) } }
      })
    },
  }
}

/** The files as the server tells of them. */
function wireOf({ version, modules, directories }: StoredSandbox): object {
  const date = (at: number) => new Date(at).toISOString()
  return {
    version,
    modules: modules.map(({ shortid, title, directoryShortid, code, isBinary, insertedAt, updatedAt }) => ({
      shortid,
      title,
      directory_shortid: directoryShortid,
      code,
      is_binary: isBinary,
      inserted_at: date(insertedAt),
      updated_at: date(updatedAt),
    })),
    directories: directories.map(({ shortid, title, directoryShortid }) => ({
      shortid,
      title,
      directory_shortid: directoryShortid,
    })),
  }
}
