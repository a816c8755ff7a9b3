// What goes over a line: requests in one direction, answers in the other. Either end may be a page, a service worker or a process.

export type Headers = readonly (readonly [name: string, value: string])[]

export type ToServer =
  | {
      type: 'request'
      id: number
      method: string
      url: string
      headers: Headers
      body: Uint8Array | null
      upgrade: boolean
    }
  /** Whoever asked is gone. */
  | { type: 'gone'; id: number }
  /** Of a connection that is no longer HTTP. Null: there will be no more. */
  | { type: 'data'; id: number; data: Uint8Array | null }

export type FromServer =
  | { type: 'head'; id: number; status: number; reason: string; headers: Headers }
  | { type: 'chunk'; id: number; data: Uint8Array }
  | { type: 'end'; id: number }
  | { type: 'failed'; id: number; message: string }
  | { type: 'data'; id: number; data: Uint8Array | null }

/** Said by the back end in place of a server: nothing listens there. */
export const REFUSED = 'boxyard:refused'

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])
/** A body has its length, also one without a byte where there should be one: servers tell that from none at all. */
export const lengthOf = (method: string, size: number): Headers =>
  size > 0 || !WITHOUT_BODY.has(method) ? [['Content-Length', String(size)]] : []
