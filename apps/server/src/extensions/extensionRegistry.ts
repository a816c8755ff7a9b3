import { ApiError } from '@boxyard/api'
import { PackerError, SafeFetch } from '@boxyard/packer'
import type { SafeResponse } from '@boxyard/packer'
import { ZodError } from 'zod'
import { PACKAGE_ASSET } from './assetTypes.ts'
import type { ExtensionName } from './extensionName.ts'
import { galleryAnswer } from './galleryAnswer.ts'
import type { GalleryAnswer } from './galleryAnswer.ts'
import type { GalleryQuery } from './galleryQuery.ts'

const LARGEST_ANSWER = 16 * 1024 * 1024

/** A registry of extensions with the interface of Open VSX. Everything it says is somebody else's: it is checked and limited here. */
export class ExtensionRegistry {
  readonly #address: string
  readonly #fetch: SafeFetch

  /** `address` is an origin with an optional path, without a trailing slash. The operator named it, so it may be a private one. */
  constructor(address: string) {
    this.#address = address
    this.#fetch = new SafeFetch({ trustedOrigins: [address] })
  }

  /** @throws ApiError EXTENSION_REGISTRY_UNREACHABLE */
  async query(query: GalleryQuery, assetsAt: string): Promise<GalleryAnswer> {
    const headers = { 'content-type': 'application/json', accept: 'application/json;api-version=3.0-preview.1' }
    const answer = await this.#ask(() =>
      this.#fetch.post(`${this.#address}/vscode/gallery/extensionquery`, headers, JSON.stringify(query)),
    )
    if (answer.status !== 200) throw await failed(answer)
    const body = await this.#ask(() => limited(answer, LARGEST_ANSWER))
    try {
      return galleryAnswer(JSON.parse(body.toString('utf8')), assetsAt)
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof ZodError)) throw error
      throw unreachable('answered something that is no list of extensions', error)
    }
  }

  /** The bytes of one asset. @throws ApiError NOT_FOUND, EXTENSION_REGISTRY_UNREACHABLE */
  async asset(extension: ExtensionName, type: string, mostBytes: number): Promise<Buffer> {
    const answer = await this.#asset(extension, type)
    return this.#ask(() => limited(answer, mostBytes))
  }

  /** The archive of an extension, chunk by chunk. Who reads it limits it. @throws ApiError NOT_FOUND, EXTENSION_REGISTRY_UNREACHABLE */
  async package(extension: ExtensionName): Promise<AsyncIterable<Uint8Array>> {
    return (await this.#asset(extension, PACKAGE_ASSET)).body
  }

  close(): Promise<void> {
    return this.#fetch.close()
  }

  async #asset({ publisher, name, version, targetPlatform }: ExtensionName, type: string): Promise<SafeResponse> {
    const path = [publisher, name, version, type].map(encodeURIComponent).join('/')
    const platform = targetPlatform === undefined ? '' : `?targetPlatform=${encodeURIComponent(targetPlatform)}`
    const answer = await this.#ask(() =>
      this.#fetch.fetch(`${this.#address}/vscode/asset/${path}${platform}`, { accept: '*/*' }),
    )
    if (answer.status !== 200) throw await failed(answer)
    return answer
  }

  async #ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request()
    } catch (error) {
      if (error instanceof PackerError) throw unreachable('does not answer', error)
      throw error
    }
  }
}

async function failed(answer: SafeResponse): Promise<ApiError> {
  // What is left of it would keep its connection.
  answer.body.on('error', () => undefined).destroy()
  if (answer.status === 404 || answer.status === 410) {
    return new ApiError('NOT_FOUND', { detail: 'The extension registry does not have this' })
  }
  return unreachable(`answered ${answer.status}`)
}

function unreachable(what: string, cause?: unknown): ApiError {
  return new ApiError('EXTENSION_REGISTRY_UNREACHABLE', { detail: `The extension registry ${what}`, cause })
}

async function limited({ body }: SafeResponse, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > mostBytes) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw unreachable('ended its answer too early', error)
  }
  if (size > mostBytes) throw new ApiError('PAYLOAD_TOO_LARGE', { detail: 'This part of the extension is too large' })
  return Buffer.concat(chunks)
}
