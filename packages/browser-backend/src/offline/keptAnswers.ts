/** Caches with this in front of their name hold what one sandbox needs to open when no server answers. */
const PREFIX = 'boxyard-offline-'
/** Answers of a proxy whose server is away. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])
/** Sandboxes that one browser keeps. */
const MOST_SANDBOXES = 20

export type Send = (address: string, init?: RequestInit) => Promise<Response>
const sendOfPage: Send = (...given) => fetch(...given)

/** As far as it is used of `CacheStorage`, which pages that came over plain HTTP from another machine do not have. */
export type Caches = Pick<CacheStorage, 'open' | 'match' | 'keys' | 'delete'>
export const cachesOfBrowser = (): Caches | null => (globalThis as { caches?: Caches }).caches ?? null

/** Asks a server, and keeps what it said for when it does not answer. */
export class KeptAnswers {
  readonly #name: string
  readonly #caches: Caches | null
  readonly #send: Send
  #work: Promise<unknown> = Promise.resolve()

  /** `id`: of the sandbox. */
  constructor(
    id: string,
    { caches = cachesOfBrowser(), send = sendOfPage }: { caches?: Caches | null; send?: Send } = {},
  ) {
    this.#name = PREFIX + id
    this.#caches = caches
    this.#send = send
  }

  /** As `fetch`; where nobody answers, with what was said to the same question the last time. */
  readonly fetch: Send = async (address, init = {}) => {
    let response: Response
    try {
      response = await this.#send(address, init)
    } catch (cause) {
      const kept = await this.#match(address, init)
      if (kept) return kept
      throw cause
    }
    if (AWAY.has(response.status)) return (await this.#match(address, init)) ?? response
    if (response.ok) {
      const copy = response.clone()
      this.#do(async (cache) => cache.put(await keyOf(address, init), copy))
    }
    return response
  }

  /** Puts another answer in the place of the kept one; nothing where there is none. */
  change(address: string, change: (answer: unknown) => unknown): void {
    this.#do(async (cache) => {
      const key = await keyOf(address, {})
      const kept = await cache.match(key, { ignoreVary: true })
      if (!kept) return
      const { status, headers } = kept
      const fresh = new Response(JSON.stringify(change(await kept.json())), { status, headers })
      await cache.put(key, fresh)
    })
  }

  /** Keeps what the page made itself, under an address that the server has nothing at. */
  write(address: string, value: unknown): void {
    this.#do(async (cache) => cache.put(await keyOf(address, {}), new Response(JSON.stringify(value))))
  }

  /** What was written last; undefined when nothing was. */
  async read(address: string): Promise<unknown> {
    return (await this.#match(address, {}))?.json()
  }

  /** Resolves when everything that was to be kept is. */
  get settled(): Promise<unknown> {
    return this.#work
  }

  async #match(address: string, init: RequestInit): Promise<Response | undefined> {
    return this.#caches?.match(await keyOf(address, init), { ignoreVary: true })
  }

  #do(work: (cache: Cache) => Promise<void>): void {
    const caches = this.#caches
    if (!caches) return
    this.#work = this.#work.then(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX))
      if (!names.includes(this.#name))
        for (const name of names.slice(0, Math.max(0, names.length + 1 - MOST_SANDBOXES))) await caches.delete(name)
      await work(await caches.open(this.#name))
    })
    this.#work = this.#work.catch((error: unknown) =>
      console.warn('This is not kept for when no server answers', error),
    )
  }
}

/** What is kept of the sandbox that an address of the API is about; null for any other address. */
export function keptAnswersOf(address: string, send?: Send): KeptAnswers | null {
  const id = /\/api\/v1\/sandboxes\/([^/?]+)/.exec(address)?.[1]
  return id === undefined ? null : new KeptAnswers(decodeURIComponent(id), send ? { send } : {})
}

/** Nothing of any sandbox is in this browser's caches from now on: somebody else uses it. */
export async function forgetKeptAnswers(caches: Caches | null = cachesOfBrowser()): Promise<void> {
  const names = (await caches?.keys()) ?? []
  await Promise.all(names.filter((name) => name.startsWith(PREFIX)).map((name) => caches!.delete(name)))
}

/** Questions with a body are kept under an address that names it. */
async function keyOf(address: string, { body }: RequestInit): Promise<string> {
  const key = new URL(address, globalThis.location?.href)
  if (typeof body === 'string') {
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
    key.searchParams.set(
      'body',
      Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    )
  }
  return key.href
}
