const HEALTH = '/api/health'
/** Answers of a proxy whose server is away. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])
const PAUSE_MS = 5_000

export interface Asking {
  fetch: (address: string, init: RequestInit) => Promise<Pick<Response, 'status'>>
  /** Resolves after this many milliseconds, or when the device is on the net again. */
  pause: (milliseconds: number) => Promise<void>
}

/** Resolves when the server answers: at once, where it does. */
export async function whenServerAnswers({ fetch, pause }: Asking = ofBrowser): Promise<void> {
  for (;;) {
    const status = await fetch(HEALTH, { method: 'HEAD', cache: 'no-store' }).then(
      (answer) => answer.status,
      () => undefined,
    )
    if (status !== undefined && !AWAY.has(status)) return
    await pause(PAUSE_MS)
  }
}

const ofBrowser: Asking = {
  fetch: (...given) => globalThis.fetch(...given),
  pause: (milliseconds) =>
    new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer)
        window.removeEventListener('online', goOn)
        resolve()
      }
      const timer = setTimeout(goOn, milliseconds)
      window.addEventListener('online', goOn)
    }),
}
