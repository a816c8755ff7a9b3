import fastifyStatic from '@fastify/static'
import { ApiError } from '@boxyard/api'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import { editorFrames } from './editorFrames.ts'
import type { Gateway } from './gateway.ts'

/** index.html carries these where the nonce of the answer and the name of the base host belong. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__'
export const BASE_PLACEHOLDER = '__BASE__'

/** Where editor.html carries the text that it begins with. */
const FIRST_TEXT_PLACEHOLDER = '<!-- first text -->'

/** The addresses of editors. */
const editorPath = /^\/(?:devbox|sandbox|github|vscode)\//

/** Milliseconds that a page is held back for its first text; without it, it asks itself. */
const FIRST_TEXT_PATIENCE_MS = 150

/** What pages elsewhere may frame: one sandbox, shown to whoever looks as if they had no account. */
const embedPath = /^\/embed\/[^/]+$/

/** Paths that programs call. Everything else is a page of the app. */
const programPaths = /^\/(?:api|_git|auth|box|csb|\.well-known)(?:\/|$)/

export interface WebAppOptions {
  gateway: Gateway
  appOrigin: string
  base: string
  /** The built web app, `apps/web/dist`. */
  folder: string
  /** What the page of an editor begins with, told as JSON, or null when it asks for itself. */
  firstText(request: FastifyRequest): Promise<object | null>
  /** The sandbox without a machine that the page is of, told as JSON; null when it is of none. */
  sandbox(request: FastifyRequest): Promise<object | null>
}

/**
 * Serves the built web app: files as they are, index.html for every page address. Pages exist on the app's own origin alone; on
 * the other hosts they redirect there, so that cookies and the content security policy have one home.
 */
export async function registerWebApp(app: App, options: WebAppOptions): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return
    if (options.gateway.hostOf(request.raw).kind === 'app' || isProgramPath(request.url)) return
    return reply.redirect(options.appOrigin + request.url, 307)
  })

  options.gateway.serveEditorFrames(editorFrames(options))
  const indexPath = join(options.folder, 'index.html')
  const editorFile = join(options.folder, 'editor.html')
  const embedFile = join(options.folder, 'embed.html')
  if (existsSync(options.folder)) {
    const scriptPolicy = workerPolicy(options)
    await app.register(fastifyStatic, {
      root: options.folder,
      index: false,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => setFileHeaders(reply, path, scriptPolicy),
    })
  }

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && !programPaths.test(path) && !/\.\w+$/.test(path)
    if (!isPage) throw new ApiError('NOT_FOUND', { detail: `${request.method} ${path} is not found` })
    if (!existsSync(indexPath)) {
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The web app is not built. Run npm run build and reload.\n')
    }
    const isEmbed = embedPath.test(path)
    const isEditor = editorPath.test(path)
    if (isEditor) await app.authenticate.optional(request, reply)
    const [firstText, sandbox] = isEditor
      ? await Promise.all([soon(options.firstText(request)), soon(options.sandbox(request))])
      : [null, null]
    const policy = isEmbed ? embedPolicy(request, options) : pagePolicy(request, options)
    reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    if (isEmbed) reply.removeHeader('x-frame-options').header('cross-origin-resource-policy', 'cross-origin')
    const html = readFileSync(isEmbed ? embedFile : isEditor ? editorFile : indexPath, 'utf8')
      .replaceAll(NONCE_PLACEHOLDER, request.nonce)
      .replaceAll(BASE_PLACEHOLDER, options.base)
    // Last, and by a function: what the file has is never taken for a placeholder.
    const page = html.replace(
      FIRST_TEXT_PLACEHOLDER,
      () => embedded('first-text', firstText) + embedded('sandbox-of-page', sandbox),
    )
    return reply.type('text/html; charset=utf-8').send(page)
  })
}

/** What `work` comes to, or null if that takes longer than a page is held back. */
async function soon<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), FIRST_TEXT_PATIENCE_MS)))
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Data, which no browser runs. The text of a file cannot end it. */
function embedded(id: string, data: object | null): string {
  if (!data) return ''
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  return `<script type="application/json" id="${id}">${json}</script>`
}

/** On the hosts beside the app's own, programs and the callback of a sign-in are served; sign-in itself begins on the app. */
function isProgramPath(url: string): boolean {
  return /^\/(?:api|_git|csb|\.well-known)\//.test(url)
}

/** Workers compile with WebAssembly and talk to the API and its sockets; nothing of a project runs in them. */
function workerPolicy({ appOrigin }: WebAppOptions): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `connect-src 'self' data: blob: ${socketOrigin(appOrigin)}`,
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Not every browser takes `'self'` for the sockets of an origin. */
function socketOrigin(appOrigin: string): string {
  const { protocol, host } = new URL(appOrigin)
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}`
}

function setFileHeaders(reply: FastifyReply, path: string, scriptPolicy: string): void {
  // Names under assets/ carry a hash of their content.
  const immutable = path.includes('/assets/')
  // A script carries the policy of the worker that may be made of it.
  if (/\.js(?:\.\w+)?$/.test(path)) reply.header('content-security-policy', scriptPolicy)
  reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  // The host of extensions is on an origin of its own and has its scripts from here.
  if (immutable) reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
  // The pages of the editor's frames are for their own origins alone, see editorFrames.ts.
  if (path.endsWith('.html'))
    reply.header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
}

/** The editor compiles grammars (wasm), starts workers from blobs and writes inline styles; scripts need the nonce or our origin. */
function pagePolicy(request: FastifyRequest, { appOrigin, base }: WebAppOptions): string {
  const { protocol } = new URL(appOrigin)
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${request.nonce}' 'wasm-unsafe-eval'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    // Themes and grammars are read from blobs.
    `connect-src 'self' blob: data: ${socketOrigin(appOrigin)}`,
    `frame-src 'self' ${protocol}//*.preview.${base}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Anybody may frame it, so it does little: reads what is public, compiles it in a worker, and shows the preview in a frame of its own. */
function embedPolicy(request: FastifyRequest, { appOrigin, base }: WebAppOptions): string {
  const { protocol } = new URL(appOrigin)
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${request.nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "worker-src 'self'",
    "connect-src 'self' data:",
    `frame-src ${protocol}//*.preview.${base}`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ')
}
