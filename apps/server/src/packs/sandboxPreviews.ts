import { mayDo } from '@boxyard/api'
import { packRequestSchema } from '@boxyard/packer'
import type { PackManifest, PackRequest, Packs, SourceTrees } from '@boxyard/packer'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { presentError, toApiError } from '../http/errorHandler.ts'
import { findTokenHolder } from '../accounts/index.ts'
import type { ServerContext } from '../context.ts'
import { decidePreviewAccess } from '../edge/previewAccess.ts'
import { redirectVisitor } from '../edge/redirectVisitor.ts'
import { refuseUpgrade } from '../http/gateway.ts'
import type { ChosenPreviews } from '../http/gateway.ts'
import type { PreviewTarget } from '../http/hosts.ts'
import { accessSandbox, findSandbox } from '../sandboxes/index.ts'
import type { SandboxAccess } from '../sandboxes/index.ts'
import { readFiles } from '../sandboxes/sandboxFiles.ts'
import { presentDirectory, presentModule } from '../sandboxes/presentFiles.ts'
import { compilationOf, packFilesOf, runnableOf } from './preparedPage.ts'
import type { PreparedPage } from './preparedPage.ts'

export interface SandboxPreviewsOptions {
  context: ServerContext
  packs: Packs
  sources: SourceTrees
  pack(access: SandboxAccess, request: PackRequest): Promise<PackManifest>
  preparedPage(access: SandboxAccess): Promise<PreparedPage | null>
  /** The folder of the built scripts of previews. */
  scripts: string
}

/** What is ours on the host of a preview; everything else belongs to the project. */
const OWN = '/__boxyard/'
const SCRIPTS: Readonly<Record<string, string>> = {
  'runner.js': 'text/javascript; charset=utf-8',
  'compilers.js': 'text/javascript; charset=utf-8',
  'keep.js': 'text/javascript; charset=utf-8',
  'worker.js': 'text/javascript; charset=utf-8',
  'solid.js': 'text/javascript; charset=utf-8',
  'engine.js': 'text/javascript; charset=utf-8',
  'oxc.wasm': 'application/wasm',
  'processes.js': 'text/javascript; charset=utf-8',
  'process.js': 'text/javascript; charset=utf-8',
  'shell.js': 'text/javascript; charset=utf-8',
  'gate.js': 'text/javascript; charset=utf-8',
  'serve.js': 'text/javascript; charset=utf-8',
  'sockets.js': 'text/javascript; charset=utf-8',
  'agent.js': 'text/javascript; charset=utf-8',
}
/** Pages that hold nothing of a project: the one that starts processes, and the one through which a port is reached. */
const PAGES: Readonly<Record<string, string>> = { processes: 'processes.js', gate: 'gate.js' }
const MAX_BODY_BYTES = 256 * 1024
/** Of compressed files of packs, in memory. */
const MAX_PACKED_BYTES = 32 * 1024 * 1024
const compress = promisify(gzip)

/**
 * The hosts of previews of sandboxes without a machine. Every page is the same small document, which gets the project from the editor
 * that shows it, or reads it by itself when it has a tab of its own. The first page brings along what was compiled ahead, and shows that
 * before anybody else is there. Nothing of the project runs on the server.
 */
export class SandboxPreviews implements ChosenPreviews {
  readonly #options: SandboxPreviewsOptions
  readonly #scripts = new Map<string, Promise<Script | null>>()
  /** Files of packs as they are sent, by path, those asked for last at the end: to compress the large ones takes longer than to read them. */
  readonly #packed = new Map<string, Buffer>()
  #packedBytes = 0

  constructor(options: SandboxPreviewsOptions) {
    this.#options = options
  }

  async takes({ boxId }: PreviewTarget): Promise<boolean> {
    const sandbox = await findSandbox(this.#options.context.database, boxId)
    return sandbox !== null && !sandbox.isV2
  }

  request(request: IncomingMessage, response: ServerResponse, target: PreviewTarget): void {
    this.#answer(request, response, target).catch((error: unknown) => {
      const known = toApiError(error)
      if (known.status >= 500) this.#options.context.log.warn({ err: error, ...target }, 'a preview failed')
      if (response.headersSent) return response.destroy()
      return send(response, known.status, 'application/json', JSON.stringify(presentError(known, '')))
    })
  }

  upgrade(_request: IncomingMessage, socket: Duplex): void {
    refuseUpgrade(socket, 404)
  }

  async #answer(request: IncomingMessage, response: ServerResponse, target: PreviewTarget): Promise<void> {
    const url = request.url ?? '/'
    const [path = '/'] = url.split('?', 1)
    // Scripts and packs are the same for everybody and hold nothing of a project.
    if (path.startsWith(`${OWN}packs/`) && request.method === 'GET')
      return this.#sendPack(response, path.slice(`${OWN}packs/`.length))
    if (path.startsWith(`${OWN}sources/`) && request.method === 'GET')
      return this.#sendSources(response, path.slice(`${OWN}sources/`.length))
    if (path.startsWith(OWN) && Object.hasOwn(SCRIPTS, path.slice(OWN.length)))
      return this.#sendScript(request, response, path.slice(OWN.length))
    if (path.startsWith(OWN) && Object.hasOwn(PAGES, path.slice(OWN.length)))
      return this.#sendPage(response, PAGES[path.slice(OWN.length)]!)

    const { configuration, database, tokens } = this.#options.context
    const { appOrigin, base, protocol } = configuration
    const rightOf = async ({ boxId }: PreviewTarget, token: string | undefined) => {
      const claims = token === undefined ? null : await tokens.verifyPreviewToken(token, boxId)
      if (token !== undefined && !claims) return 'none'
      const user = claims ? await findTokenHolder(database, claims) : null
      if (claims && !user) return 'none'
      const access = await accessSandbox(database, boxId, user)
      return access && !access.sandbox.isV2 && mayDo(access.role, 'open') ? 'read' : 'none'
    }
    const decision = await decidePreviewAccess(
      { headers: request.headers, method: request.method, url },
      target,
      { appOrigin, base, protocol },
      { rightOf },
    )
    switch (decision.kind) {
      case 'remember':
      case 'identify':
        return redirectVisitor(request, response, target.boxId, decision, {
          protocol,
          appOrigin,
          async rememberedToken(boxId, token) {
            const claims = await tokens.verifyPreviewToken(token, boxId)
            return claims ? tokens.mintPreviewCookie(claims, boxId) : token
          },
        })
      case 'refuse':
        return send(
          response,
          decision.status,
          'text/plain; charset=utf-8',
          'You do not have access to this preview. Ask its owner to share it.\n',
        )
      case 'allow':
        return this.#serve(request, response, target, path)
    }
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    { boxId }: PreviewTarget,
    path: string,
  ): Promise<void> {
    if (path === `${OWN}sandbox` && request.method === 'GET') {
      const { modules, directories } = await readFiles(this.#options.context.database, boxId)
      const { appOrigin } = this.#options.context.configuration
      // Addresses of uploads are those of the app, and this is another host.
      const shown = modules.map(presentModule).map((module) => {
        const isUpload = module.is_binary && module.code.startsWith('/')
        return isUpload ? { ...module, code: new URL(module.code, appOrigin).href } : module
      })
      const answer = { modules: shown, directories: directories.map(presentDirectory) }
      return send(response, 200, 'application/json', JSON.stringify(answer))
    }
    if (path === `${OWN}compilation` && request.method === 'GET') {
      const prepared = await this.#prepared(boxId)
      if (!prepared) return send(response, 404, 'text/plain', 'Not found\n')
      return send(response, 200, 'application/json', JSON.stringify({ data: compilationOf(prepared) }))
    }
    if (path === `${OWN}packs` && request.method === 'POST') {
      // Only the page itself may ask for work: not a form of another preview.
      if (request.headers['sec-fetch-site'] !== 'same-origin')
        return send(response, 403, 'text/plain', 'This came from another page.\n')
      const length = Number(request.headers['content-length'] ?? Number.NaN)
      if (!(length <= MAX_BODY_BYTES)) return send(response, 413, 'text/plain', 'This is too large.\n')
      const parsed = packRequestSchema.safeParse(readJson((await buffer(request)).toString()))
      if (!parsed.success) return send(response, 422, 'text/plain', 'This is not a request for a pack.\n')
      const sandbox = await findSandbox(this.#options.context.database, boxId)
      if (!sandbox) return send(response, 404, 'text/plain', 'Not found\n')
      // Whoever sees the page gets what it is saved with, whatever else they may do.
      const made = await this.#options.pack({ sandbox, role: 'read' }, parsed.data)
      return send(response, 200, 'application/json', JSON.stringify(made))
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'text/plain', 'Use GET.\n')
    // Files of the project are no business of the server: the page has them. What is asked for all the same is not there.
    if (path.startsWith(OWN) || !(request.headers.accept ?? '').includes('text/html'))
      return send(response, 404, 'text/plain', 'Not found\n')
    return this.#sendPage(response, 'runner.js', path === '/' ? await this.#prepared(boxId) : null)
  }

  /** Whoever sees the page sees what the sandbox is saved with, whatever else they may do. */
  async #prepared(boxId: string): Promise<PreparedPage | null> {
    const sandbox = await findSandbox(this.#options.context.database, boxId)
    return sandbox && this.#options.preparedPage({ sandbox, role: 'read' })
  }

  /** The page names its script by what is in it, so that browsers ask for it once. */
  async #sendPage(response: ServerResponse, script: string, prepared: PreparedPage | null = null): Promise<void> {
    const { appOrigin } = this.#options.context.configuration
    const loaded = await this.#script(script)
    const address = `${OWN}${script}${loaded ? `?v=${loaded.version}` : ''}`
    const page = `<!doctype html><html><head><meta charset="utf-8">${prepared ? preparedParts(prepared) : ''}<script src="${address}" data-boxyard data-app-origin="${appOrigin}"></script></head><body></body></html>`
    return send(response, 200, 'text/html; charset=utf-8', prepared ? await compress(page) : page, {
      'origin-agent-cluster': '?1',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-cache',
      ...(prepared && { 'content-encoding': 'gzip' }),
    })
  }

  async #sendSources(response: ServerResponse, id: string): Promise<void> {
    const content = await this.#options.sources.file(id)
    if (!content) return send(response, 404, 'text/plain', 'Not found\n')
    return send(response, 200, 'application/json', content, {
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  }

  async #sendPack(response: ServerResponse, path: string): Promise<void> {
    const [id = '', name = '', ...rest] = path.split('/')
    const content = rest.length === 0 ? await this.#options.packs.file(id, name) : undefined
    if (!content) return send(response, 404, 'text/plain', 'Not found\n')
    const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
    const body = this.#packed.get(path) ?? (await compress(content))
    this.#keep(path, body)
    return send(response, 200, type, body, {
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  }

  #keep(path: string, body: Buffer): void {
    if (this.#packed.delete(path)) this.#packedBytes -= body.length
    this.#packed.set(path, body)
    this.#packedBytes += body.length
    for (const [oldest, { length }] of this.#packed) {
      if (this.#packedBytes <= MAX_PACKED_BYTES) return
      this.#packed.delete(oldest)
      this.#packedBytes -= length
    }
  }

  #script(name: string): Promise<Script | null> {
    const loading = this.#scripts.get(name) ?? loadScript(join(this.#options.scripts, name))
    this.#scripts.set(name, loading)
    return loading
  }

  async #sendScript(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const script = await this.#script(name)
    if (!script)
      return send(response, 503, 'text/plain', 'The scripts of previews are not built. Run npm run build and reload.\n')
    const etag = `"${script.version}"`
    const isVersion = request.url?.endsWith(`?v=${script.version}`)
    const headers = {
      etag,
      'cache-control': isVersion ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-encoding': 'gzip',
      // These answer for every path of their host: one for a server of the project, one while no server answers.
      ...(name === 'serve.js' || name === 'keep.js' ? { 'service-worker-allowed': '/' } : {}),
    }
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers)
      return void response.end()
    }
    return send(response, 200, SCRIPTS[name]!, script.body, headers)
  }
}

/** Undefined for what is no JSON, which no schema takes. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The project for the script of the page, as data that no browser runs, and the packages that it will import. */
function preparedParts(prepared: PreparedPage): string {
  const links = packFilesOf(prepared).map(
    (file) => `<link rel="modulepreload" href="${OWN}packs/${file}" data-boxyard>`,
  )
  const json = JSON.stringify(runnableOf(prepared)).replaceAll('<', String.raw`\u003c`)
  return `${links.join('')}<script type="application/json" id="boxyard-prepared" data-boxyard>${json}</script>`
}

/** Compressed, and the hash of what it was before. */
interface Script {
  body: Buffer
  version: string
}

async function loadScript(path: string): Promise<Script | null> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!content) return null
  return { body: await compress(content), version: createHash('sha256').update(content).digest('base64url') }
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers })
  response.end(body)
}
