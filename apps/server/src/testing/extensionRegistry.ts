import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

export interface TestExtension {
  publisher: string
  name: string
  version: string
  /** Beside publisher, name and version. */
  manifest: Record<string, unknown>
  /** By path in the extension's folder. */
  files?: Record<string, string | Buffer>
  /** Whether the registry says that it runs in browsers. */
  isForWeb?: boolean
}

/** The archive of an extension, as `vsce package` makes it. */
export async function vsixOf({ publisher, name, version, manifest, files = {} }: TestExtension): Promise<Buffer> {
  const json = JSON.stringify({ publisher, name, version, engines: { vscode: '^1.80.0' }, ...manifest })
  return zipOf({
    'extension.vsixmanifest': '<PackageManifest/>',
    'extension/package.json': json,
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`extension/${path}`, content])),
  })
}

export async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  return buffer(zip.outputStream)
}

const DETAILS = 'Microsoft.VisualStudio.Services.Content.Details'
const MANIFEST = 'Microsoft.VisualStudio.Code.Manifest'
const PACKAGE = 'Microsoft.VisualStudio.Services.VSIXPackage'

/** A registry with the part of Open VSX's interface that the server asks. */
export class TestExtensionRegistry {
  /** What it has; may be changed at any time. */
  extensions: TestExtension[]
  /** Method and path of every request. */
  readonly asked: string[] = []
  /** The criteria of every query. */
  readonly queries: { filterType: number; value?: string }[][] = []
  /** Answers every request in place of the registry. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  readonly #server = createServer((request, response) => {
    this.asked.push(`${request.method} ${request.url}`)
    if (this.answer) this.answer(request, response)
    else this.#answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })

  constructor(extensions: TestExtension[]) {
    this.extensions = extensions
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://registry')
    if (url.pathname === '/vscode/gallery/extensionquery') {
      const query = JSON.parse((await buffer(request)).toString()) as Query
      this.queries.push(query.filters[0]!.criteria)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ results: [this.#found(query)] }))
      return
    }
    const [, publisher, name, version, type] =
      /^\/vscode\/asset\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(url.pathname) ?? []
    const found = this.extensions.find(
      (one) => one.publisher === publisher && one.name === name && one.version === version,
    )
    const content = found && (await assetOf(found, type!))
    response.statusCode = content ? 200 : 404
    response.end(content ?? 'not found')
  }

  #found({ filters }: Query) {
    const criteria = filters[0]!.criteria
    const text = criteria.find(({ filterType }) => filterType === 10)?.value?.toLowerCase()
    const names = criteria.filter(({ filterType }) => filterType === 7).map(({ value }) => value!.toLowerCase())
    const words = text?.split(/\s+/).filter((word) => !word.includes(':')) ?? []
    const found = this.extensions.filter((one) => {
      const name = `${one.publisher}.${one.name}`.toLowerCase()
      if (names.length > 0) return names.includes(name)
      const about = `${name} ${JSON.stringify(one.manifest).toLowerCase()}`
      return words.every((word) => about.includes(word))
    })
    const metadataItems = [{ name: 'TotalCount', count: found.length }]
    return { extensions: found.map(described), resultMetadata: [{ metadataType: 'ResultCount', metadataItems }] }
  }
}

interface Query {
  filters: { criteria: { filterType: number; value?: string }[] }[]
}

/** Names addresses elsewhere, as a registry may. */
function described({ publisher, name, version, manifest, isForWeb = true }: TestExtension) {
  return {
    extensionId: `id-of-${publisher}-${name}`,
    extensionName: name,
    displayName: manifest['displayName'],
    shortDescription: manifest['description'],
    publisher: { publisherId: publisher, publisherName: publisher, displayName: publisher },
    versions: [
      {
        version,
        lastUpdated: '2026-01-02T03:04:05.000Z',
        assetUri: 'http://elsewhere.test/assets',
        fallbackAssetUri: 'http://elsewhere.test/assets',
        files: [DETAILS, MANIFEST, PACKAGE].map((assetType) => ({ assetType, source: 'http://elsewhere.test/file' })),
        properties: [
          { key: 'Microsoft.VisualStudio.Code.Engine', value: '^1.80.0' },
          ...listed('ExtensionDependencies', manifest['extensionDependencies']),
          ...listed('ExtensionPack', manifest['extensionPack']),
        ],
      },
    ],
    statistics: [{ statisticName: 'install', value: 1234 }],
    tags: isForWeb ? ['__web_extension'] : [],
    categories: ['Other'],
    flags: 'public',
    releaseDate: '2026-01-02T03:04:05.000Z',
    publishedDate: '2026-01-02T03:04:05.000Z',
    lastUpdated: '2026-01-02T03:04:05.000Z',
  }
}

const listed = (name: string, ids: unknown) =>
  Array.isArray(ids) ? [{ key: `Microsoft.VisualStudio.Code.${name}`, value: ids.join(',') }] : []

async function assetOf(extension: TestExtension, type: string): Promise<Buffer | undefined> {
  const { publisher, name, version, manifest, files = {} } = extension
  if (type === PACKAGE) return vsixOf(extension)
  if (type === MANIFEST) {
    return Buffer.from(JSON.stringify({ publisher, name, version, engines: { vscode: '^1.80.0' }, ...manifest }))
  }
  if (type === DETAILS) return Buffer.from(files['README.md'] ?? '')
  return undefined
}
