import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BoxError, boxErrors } from '@boxyard/boxes'
import { readDevServerStatus, requestOver, runDevServerTask } from './boxHttp.ts'
import type { DevServerStatus } from './boxHttp.ts'
import { requestHeaders, responseHeaders } from './forwardedHeaders.ts'
import { refuseUpgrade } from '../http/gateway.ts'
import type { PreviewTarget } from '../http/hosts.ts'
import { joinConnections } from './joinConnections.ts'
import type { MachineGateway } from './machineGateway.ts'
import { decidePreviewAccess } from './previewAccess.ts'
import {
  AGENT_PATH,
  agentInserter,
  askForPlainPage,
  asksForFramedPage,
  headersWithAgent,
  isPlainPage,
} from './previewAgent.ts'
import type { PreviewDirectory, PreviewRight } from './previewAccess.ts'
import {
  previewWords,
  renderPreviewPage,
  renderRefusalPage,
  renderState,
  RUN_PATH,
  STATUS_PATH,
} from './previewPage.ts'
import type { PreviewPage, PreviewWords } from './previewPage.ts'
import { withoutPreviewToken } from './previewToken.ts'
import { redirectVisitor } from './redirectVisitor.ts'
import type { VisitorSite } from './redirectVisitor.ts'

export interface PreviewProxyOptions extends VisitorSite {
  base: string
  machines: MachineGateway
  directory: PreviewDirectory
  /** The built script for pages that the editor shows. */
  agentScript: string
  onError: (error: unknown, target: PreviewTarget) => void
}

/** Answers everything on `{id}-{port}.preview.BASE`: checks the visitor, wakes the box, passes on to the port in it. */
export class PreviewProxy {
  private readonly options: PreviewProxyOptions

  constructor(options: PreviewProxyOptions) {
    this.options = options
  }

  request(request: IncomingMessage, response: ServerResponse, target: PreviewTarget): void {
    this.answer(request, response, target).catch((error: unknown) => {
      this.options.onError(error, target)
      if (response.headersSent) response.destroy()
      else this.refuse(response, 502, 'The preview could not be reached. Your files are safe. Reload to try again.')
    })
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, target: PreviewTarget): void {
    this.passUpgrade(request, socket, head, target).catch((error: unknown) => {
      if (!(error instanceof BoxError)) this.options.onError(error, target)
      refuseUpgrade(socket, 502)
    })
  }

  private async answer(request: IncomingMessage, response: ServerResponse, target: PreviewTarget): Promise<void> {
    const { machines, protocol } = this.options
    const url = request.url ?? '/'
    // The same for everybody, and nothing of the box is in it.
    if (url === AGENT_PATH) return this.sendAgent(response)
    const decision = await decidePreviewAccess(
      { headers: request.headers, method: request.method, url },
      target,
      this.options,
      this.options.directory,
    )
    if (decision.kind === 'remember' || decision.kind === 'identify')
      return redirectVisitor(request, response, target.boxId, decision, this.options)
    if (decision.kind === 'refuse') {
      if (wantsPage(request)) {
        const nonce = randomBytes(16).toString('base64')
        const again = `${protocol}://${request.headers.host ?? ''}${withoutPreviewToken(url)}`
        return this.sendPage(response, decision.status, nonce, renderRefusalPage({ nonce, again }))
      }
      return this.refuse(
        response,
        decision.status,
        'You do not have access to this preview. Sign in with an account that has, or ask its owner to share it.',
      )
    }
    machines.touch(target.boxId)
    if (url === STATUS_PATH) return this.answerStatus(response, target, decision.right)
    if (url.startsWith(RUN_PATH))
      return this.runTask(request, response, target, decision.right, decodeURIComponent(url.slice(RUN_PATH.length)))
    let connection: Duplex
    try {
      connection = await this.dial(target, 'http')
    } catch (error) {
      if (error instanceof BoxError) return this.explain(request, response, target, decision.right, error)
      throw error
    }
    await this.pass(request, response, connection)
  }

  private async dial({ boxId, port }: PreviewTarget, visit: 'http' | 'websocket'): Promise<Duplex> {
    const { machines } = this.options
    if (machines.epochOf(boxId) === undefined) await machines.wake(boxId, visit)
    const connection = await machines.dial(boxId, port)
    // A preview that is being looked at keeps the box awake.
    connection.once('close', machines.hold(boxId))
    return connection
  }

  private async pass(request: IncomingMessage, response: ServerResponse, connection: Duplex): Promise<void> {
    const headers = requestHeaders(request.headers, {
      protocol: this.options.protocol,
      address: request.socket.remoteAddress,
    })
    const isFramed = asksForFramedPage(request.method, request.headers)
    if (isFramed) askForPlainPage(headers)
    const outgoing = requestOver(connection, {
      method: request.method,
      path: withoutPreviewToken(request.url ?? '/'),
      headers,
    })
    response.on('close', () => outgoing.destroy())
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve)
      outgoing.once('error', reject)
    })
    // A program that answers before it has read the whole body ends the upload early; its answer is what counts.
    pipeline(request, outgoing).catch(() => undefined)
    const incoming = await answered
    const answer = responseHeaders(incoming.headers)
    const getsAgent = isFramed && isPlainPage(incoming.headers)
    const status = incoming.statusCode ?? 502
    response.writeHead(status, incoming.statusMessage, getsAgent ? headersWithAgent(answer) : answer)
    const inserter = getsAgent ? [agentInserter(this.options.appOrigin)] : []
    // A visitor who goes away in the middle is no failure.
    await pipeline([incoming, ...inserter, response]).catch(() => response.destroy())
  }

  private async sendAgent(response: ServerResponse): Promise<void> {
    const script = await readFile(this.options.agentScript)
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=300' })
    response.end(script)
  }

  private async passUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    target: PreviewTarget,
  ): Promise<void> {
    const decision = await decidePreviewAccess(
      { headers: request.headers, method: request.method, url: request.url ?? '/' },
      target,
      this.options,
      this.options.directory,
    )
    // A socket can't follow a redirect: whoever has a token in the query is let in by it.
    if (decision.kind === 'identify' || decision.kind === 'refuse') return refuseUpgrade(socket, 401)
    const connection = await this.dial(target, 'websocket')
    const headers = requestHeaders(request.headers, { protocol: this.options.protocol, address: undefined })
    headers['connection'] = 'Upgrade'
    headers['upgrade'] = request.headers.upgrade
    const outgoing = requestOver(connection, { method: 'GET', path: withoutPreviewToken(request.url ?? '/'), headers })
    outgoing.once('error', () => refuseUpgrade(socket, 502))
    outgoing.once('response', (response) => {
      response.resume()
      refuseUpgrade(socket, response.statusCode ?? 502)
    })
    outgoing.once('upgrade', (response, upstream, upstreamHead) => {
      const lines = [`HTTP/1.1 101 Switching Protocols`]
      for (let index = 0; index < response.rawHeaders.length; index += 2)
        lines.push(`${response.rawHeaders[index]}: ${response.rawHeaders[index + 1]}`)
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      if (upstreamHead.length > 0) socket.write(upstreamHead)
      if (head.length > 0) upstream.write(head)
      joinConnections(socket, upstream)
      // A visitor who went away does not come back on this socket. A program that keeps its half open would keep the box awake for good.
      socket.once('end', () => upstream.once('finish', () => upstream.destroy()))
    })
    outgoing.end()
  }

  private async status({ boxId }: PreviewTarget): Promise<DevServerStatus | null> {
    const { machines } = this.options
    if (machines.epochOf(boxId) === undefined) return null
    return readDevServerStatus(await machines.connect(boxId))
  }

  private async answerStatus(response: ServerResponse, target: PreviewTarget, right: PreviewRight): Promise<void> {
    const status = await this.status(target)
    const words = previewWords(status, target.port)
    const page = this.page(target, status, right, '', words)
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    const answer = { up: status !== null, ports: status?.ports ?? [], title: words.headline, html: renderState(page) }
    response.end(JSON.stringify(answer))
  }

  private async runTask(
    request: IncomingMessage,
    response: ServerResponse,
    target: PreviewTarget,
    right: PreviewRight,
    taskId: string,
  ): Promise<void> {
    if (request.method !== 'POST') return this.refuse(response, 405, 'Use POST.')
    // Only the page itself may start something: not a form of another preview, not a link.
    if (right !== 'write' || request.headers['sec-fetch-site'] !== 'same-origin') {
      return this.refuse(response, 403, 'You do not have access to do this. Ask the owner for write access.')
    }
    await runDevServerTask(await this.options.machines.connect(target.boxId), taskId)
    response.writeHead(204).end()
  }

  private async explain(
    request: IncomingMessage,
    response: ServerResponse,
    target: PreviewTarget,
    right: PreviewRight,
    error: BoxError,
  ): Promise<void> {
    if (!wantsPage(request)) {
      return this.refuse(
        response,
        502,
        `${boxErrors[error.code].message} (${target.boxId}, port ${target.port}). ${boxErrors[error.code].next}`,
      )
    }
    const nonce = randomBytes(16).toString('base64')
    const status = await this.status(target).catch(() => null)
    const { message, next } = boxErrors[error.code]
    const words =
      error.code === 'PORT_CLOSED'
        ? previewWords(status, target.port)
        : { headline: message, advice: `Your files are safe. ${next}` }
    const page = this.page(target, status, right, nonce, words)
    this.sendPage(response, 502, nonce, renderPreviewPage(page))
  }

  private page(
    target: PreviewTarget,
    status: DevServerStatus | null,
    right: PreviewRight,
    nonce: string,
    words: PreviewWords,
  ): PreviewPage {
    return {
      ...target,
      status,
      words,
      mayRun: right === 'write',
      editorUrl: `${this.options.appOrigin}/devbox/${target.boxId}`,
      nonce,
    }
  }

  private sendPage(response: ServerResponse, status: number, nonce: string, html: string): void {
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'`,
    })
    response.end(html)
  }

  private refuse(response: ServerResponse, status: number, text: string): void {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    response.end(`${text}\n`)
  }
}

const wantsPage = (request: IncomingMessage): boolean => (request.headers.accept ?? '').includes('text/html')
