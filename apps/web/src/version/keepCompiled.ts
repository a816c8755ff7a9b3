import { PART } from '../editor/firstText/preloadFiles.ts'
import { whenIdle } from '../editor/whenIdle.ts'
import { askWorker } from './editorWorker.ts'
import type { Answer, Question } from './editorWorker.ts'

/** Each script waits for a page that has nothing else to do, no longer than this. */
const PATIENCE_MS = 10_000

export interface CompilePorts {
  /** Who keeps the editor for later visits. */
  ask(question: Question): Promise<Answer>
  /** The version of the browser's engine, which uses nothing that another one has compiled. */
  engine: string
  /** The addresses of the scripts of the editor that the page has run. */
  files: string[]
  idle(): Promise<void>
  openFrame(): Promise<CompilingFrame>
}

export interface CompilingFrame {
  /** Resolves when the script at the address has run. */
  run(address: string): Promise<void>
  close(): void
}

/**
 * Has the browser keep what it has compiled of the editor in this visit, once for each build and each version of the browser.
 *
 * Chromium writes that down at one time only: when it has run a script that it keeps. A page that is the first of its process has compiled little by then. So the
 * scripts run once more, in a frame of this page, where they are those that the page has used all along, with everything that was compiled of them. Running one does nothing but leave
 * a function behind; see classicPart.ts.
 */
export async function keepCompiled({ ask, engine, files, idle, openFrame }: CompilePorts): Promise<void> {
  const answer = await ask({ type: 'COMPILE', files, engine })
  if (answer.type !== 'COMPILE' || answer.files.length === 0) return
  const frame = await openFrame()
  try {
    for (const file of answer.files) {
      await idle()
      await frame.run(file)
    }
    await idle()
  } finally {
    frame.close()
  }
  await ask({ type: 'COMPILED', files: answer.files, engine })
}

/** Undefined where the browser keeps nothing in this way. */
export async function compilePorts(): Promise<CompilePorts | undefined> {
  const worker = navigator.serviceWorker?.controller
  const engine = await engineVersion()
  if (!worker || engine === undefined) return undefined
  return {
    ask: (question) => askWorker(worker, question),
    engine,
    files: [...document.scripts]
      .map(({ src }) => (src === '' ? '' : new URL(src).pathname))
      .filter((path) => PART.test(path)),
    idle: () => new Promise((resolve) => whenIdle(PATIENCE_MS, resolve)),
    openFrame,
  }
}

/** Only Chromium tells it, and only Chromium's is asked for. */
async function engineVersion(): Promise<string | undefined> {
  const { userAgentData } = navigator as {
    userAgentData?: {
      getHighEntropyValues(
        hints: string[],
      ): Promise<{ fullVersionList?: readonly { brand: string; version: string }[] }>
    }
  }
  const told = await userAgentData?.getHighEntropyValues(['fullVersionList'])
  return told?.fullVersionList?.find(({ brand }) => brand === 'Chromium')?.version
}

/** Its document stands in the page, so that what the page is served by serves it too. */
async function openFrame(): Promise<CompilingFrame> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.srcdoc = '<!doctype html><title>Boxyard</title>'
  const opened = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  document.body.append(frame)
  await opened
  return {
    run: (address) =>
      new Promise((resolve, reject) => {
        const inside = frame.contentDocument
        if (!inside) return reject(new Error('The frame is closed'))
        const script = inside.createElement('script')
        // As the page asks for it: answers to another way of asking are kept apart.
        script.crossOrigin = 'anonymous'
        script.addEventListener('load', () => resolve())
        script.addEventListener('error', () => reject(new Error(`${address} could not be loaded`)))
        script.src = address
        inside.head.append(script)
      }),
    close: () => frame.remove(),
  }
}
