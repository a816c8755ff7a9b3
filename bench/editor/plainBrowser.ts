import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DevTools } from './devTools.ts'

export const watchForText = fileURLToPath(new URL('watchForText.js', import.meta.url))

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--window-size=1280,800',
  '--remote-debugging-port=0',
]

/** What a browser does for itself when it has just started is not what pages are measured by. */
const CALM_MS = 2_000

/** The numbers by which browsers know keys that write nothing. */
const keyCodes: Readonly<Record<string, number>> = { End: 35, Home: 36, ArrowLeft: 37, Backspace: 8 }
const CONTROL = 2

export interface PlainPage {
  /** Resolves when the navigation has begun. */
  goto(address: string): Promise<void>
  /** The value of an expression in the page, as JSON. */
  evaluate<T>(expression: string): Promise<T>
  /** Presses a key that writes `character`, as a keyboard does. Resolves when the page has handled it. */
  write(character: string): Promise<void>
  /** Presses a key, such as `s`, with Control when it is said. */
  press(key: string, options?: { control: boolean }): Promise<void>
  /** Types a text where the caret is. */
  type(text: string): Promise<void>
  /** What the scripts of the page itself hold in memory, when all that can go has gone. */
  heapBytes(): Promise<number>
  close(): Promise<void>
}

/**
 * A browser as a person has it, who has no debugger at work: drivers of browsers listen to what consoles say, for which V8 notes the place
 * of every error object that is made, and parses whole files a second time to find it.
 */
export class PlainBrowser {
  readonly #process: ChildProcess
  readonly #tools: DevTools
  readonly #profile: string

  private constructor(process: ChildProcess, tools: DevTools, profile: string) {
    this.#process = process
    this.#tools = tools
    this.#profile = profile
  }

  /** Starts Chromium with a profile that has never been anywhere. `extraFlags` are Chromium's own. */
  static async start(extraFlags: readonly string[] = []): Promise<PlainBrowser> {
    const profile = await mkdtemp(join(tmpdir(), 'boxyard-bench-profile-'))
    const child = spawn('/usr/bin/chromium', [...flags, ...extraFlags, `--user-data-dir=${profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const address = await new Promise<string>((resolve, reject) => {
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
        if (found) resolve(found)
      })
      child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}: ${said}`)))
    })
    const tools = await DevTools.connect(address)
    await delay(CALM_MS)
    return new PlainBrowser(child, tools, profile)
  }

  /** Cookies of an origin that browsers trust although it has no certificate. */
  async addCookies(origin: string, cookies: readonly { name: string; value: string }[]): Promise<void> {
    const url = origin.replace('http:', 'https:')
    await this.#tools.send('Storage.setCookies', {
      cookies: cookies.map((cookie) => ({ ...cookie, url, secure: true })),
    })
  }

  /** A page in which the scripts at `watches` run before any other. */
  async newPage(...watches: readonly string[]): Promise<PlainPage> {
    const tools = this.#tools
    const sources = await Promise.all(
      (watches.length > 0 ? watches : [watchForText]).map((watch) => readFile(watch, 'utf8')),
    )
    // The tab, not the page in it: a browser makes no page ahead for one that tools hold on to alone.
    const { targetId } = await tools.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
      forTab: true,
    })
    const { sessionId: tab } = await tools.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    })
    /** Of the page that is shown, before those that are made ahead. */
    const sessions: string[] = []
    // All at once: a page that waits for its tools to be ready answers some of it only when it goes on.
    const prepare = (session: string) =>
      Promise.all([
        tools.send('Page.enable', {}, session),
        tools.send('Emulation.setFocusEmulationEnabled', { enabled: true }, session),
        ...sources.map((source) => tools.send('Page.addScriptToEvaluateOnNewDocument', { source }, session)),
        tools.send('Runtime.runIfWaitingForDebugger', {}, session),
      ])
    const stop = await new Promise<() => void>((resolve, reject) => {
      const stopListening = tools.listen(({ method, params, sessionId }) => {
        if (sessionId !== tab) return
        const { sessionId: session, targetInfo } = params as { sessionId: string; targetInfo?: { type: string } }
        if (method === 'Target.detachedFromTarget' && sessions.includes(session))
          sessions.splice(sessions.indexOf(session), 1)
        if (method !== 'Target.attachedToTarget' || targetInfo?.type !== 'page') return
        sessions.push(session)
        prepare(session).then(() => resolve(stopListening), reject)
      })
      const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }
      tools.send('Target.setAutoAttach', attach, tab).catch(reject)
    })
    return {
      async goto(url) {
        const { errorText } = await tools.send<{ errorText?: string }>('Page.navigate', { url }, sessions[0])
        if (errorText) throw new Error(`${url}: ${errorText}`)
      },
      async evaluate<T>(expression: string): Promise<T> {
        const { result, exceptionDetails } = await tools.send<{
          result: { value?: T }
          exceptionDetails?: { text: string; exception?: { description?: string } }
        }>('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true }, sessions[0])
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
        return result.value as T
      },
      async write(character) {
        const key = { key: character, text: character }
        await tools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key }, sessions[0])
        await tools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }, sessions[0])
      },
      async press(key, { control } = { control: false }) {
        const code = key.length === 1 ? `Key${key.toUpperCase()}` : key
        const stroke = { key, code, windowsVirtualKeyCode: keyCodes[key] ?? key.toUpperCase().charCodeAt(0) }
        const modifiers = control ? CONTROL : 0
        await tools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...stroke, modifiers }, sessions[0])
        await tools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke, modifiers }, sessions[0])
      },
      async type(text) {
        await tools.send('Input.insertText', { text }, sessions[0])
      },
      async heapBytes() {
        await tools.send('HeapProfiler.collectGarbage', {}, sessions[0])
        return (await tools.send<{ usedSize: number }>('Runtime.getHeapUsage', {}, sessions[0])).usedSize
      },
      async close() {
        stop()
        await tools.send('Target.closeTarget', { targetId })
      },
    }
  }

  async close(): Promise<void> {
    const exited = once(this.#process, 'exit')
    await this.#tools.send('Browser.close', {})
    await exited
    this.#tools.close()
    // Helpers of the browser write a little longer than it lives.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}
