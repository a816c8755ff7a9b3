import type { z } from 'zod'
import { toCamelCase, toSnakeCase } from './caseConversion.ts'
import { errorFields } from './errorFields.ts'
import { RequestError } from './RequestError.ts'

export interface RestClientOptions {
  fetch: typeof globalThis.fetch
  /** Called after every answer, whatever its status. */
  onAnswer?: () => void
}

export interface CallOptions<Schema extends z.ZodType> {
  /** The shape of the answer in camelCase. */
  schema: Schema
  query?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON in snake_case. */
  body?: unknown
  /** The keys of the answer are data, such as names of variables, and stay as they are. */
  keepsKeys?: boolean
  signal?: AbortSignal
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What is not below `/api/v1`. */
const ownBase = /^\/(?:api|auth\/workos)\//

/** Calls the REST API. Paths are below `/api/v1` unless they begin with `/api/` or `/auth/workos/`. Every failure is a RequestError. */
export class RestClient {
  readonly #options: RestClientOptions

  constructor(options: RestClientOptions) {
    this.#options = options
  }

  get = <Schema extends z.ZodType>(path: string, options: CallOptions<Schema>) => this.#call('GET', path, options)
  post = <Schema extends z.ZodType>(path: string, options: CallOptions<Schema>) => this.#call('POST', path, options)
  put = <Schema extends z.ZodType>(path: string, options: CallOptions<Schema>) => this.#call('PUT', path, options)
  patch = <Schema extends z.ZodType>(path: string, options: CallOptions<Schema>) => this.#call('PATCH', path, options)
  delete = <Schema extends z.ZodType>(path: string, options: CallOptions<Schema>) => this.#call('DELETE', path, options)

  /** A file as it is. */
  async download(path: string): Promise<Blob> {
    const url = `/api/v1${path}`
    let response: Response
    try {
      response = await this.#options.fetch(url, {
        credentials: 'same-origin',
        headers: { 'x-boxyard-client': 'web' },
      })
    } catch (cause) {
      throw new RequestError({ status: 0, message: 'The server does not answer' }, { cause })
    }
    this.#options.onAnswer?.()
    if (!response.ok) throw new RequestError(errorFields(response.status, await read(url, response)))
    return response.blob()
  }

  /** Sends a file as it is. */
  upload = <Schema extends z.ZodType>(path: string, { file, schema }: { file: Blob; schema: Schema }) =>
    this.#call('POST', path, { schema, file })

  async #call<Schema extends z.ZodType>(
    method: Method,
    path: string,
    { schema, query, body, file, keepsKeys = false, signal }: CallOptions<Schema> & { file?: Blob },
  ): Promise<z.output<Schema>> {
    const search = new URLSearchParams(
      Object.entries(query ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ).toString()
    const url = `${ownBase.test(path) ? path : `/api/v1${path}`}${search && `?${search}`}`

    let response: Response
    try {
      response = await this.#options.fetch(url, {
        method,
        credentials: 'same-origin',
        headers: {
          accept: 'application/json',
          'x-boxyard-client': 'web',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(toSnakeCase(body)) }),
        ...(file === undefined ? {} : { body: file }),
        ...(signal ? { signal } : {}),
      })
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw new RequestError({ status: 0, message: 'The server does not answer' }, { cause })
    }
    this.#options.onAnswer?.()

    const value = await read(url, response)
    if (!response.ok) throw new RequestError(errorFields(response.status, value))
    const record = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
    if (!record['data'] && Array.isArray(record['errors'])) {
      throw new RequestError(errorFields(response.status, value))
    }
    const data = record['data'] ? record['data'] : value
    const parsed = schema.safeParse(keepsKeys ? data : toCamelCase(data))
    if (!parsed.success) {
      throw new RequestError(
        { status: response.status, message: `${url} answered something else than agreed: ${parsed.error.message}` },
        { cause: parsed.error },
      )
    }
    return parsed.data
  }
}

async function read(url: string, response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    // A proxy in between answers in HTML or plain text; its status still says what happened.
    throw new RequestError(
      { status: response.status, message: `${url} answered ${response.status} with no JSON: ${text.slice(0, 200)}` },
      { cause },
    )
  }
}
