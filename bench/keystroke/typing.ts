/** Somebody who has a document open. */
export interface Typist {
  /** Inserts one character somewhere; `accepted` is called when the server has answered that it has it. */
  type(accepted: () => void): void
}

/** A server that is measured. */
export interface Typing {
  /** A new document of `text` that `count` people have open, each over a connection of their own. */
  open(count: number, text: string): Promise<{ typists: Typist[]; close(): Promise<void> }>
  stop(): Promise<void>
}

/** Source text of 2,400 characters, as long as a usual component. */
export const SOURCE = `${'x'.repeat(79)}\n`.repeat(30)

/** Everybody types at a steady speed. Resolves with the milliseconds from each keystroke to its acceptance. */
export async function typeSteadily(typists: readonly Typist[], perSecond: number, forMs: number): Promise<number[]> {
  const latencies: number[] = []
  const pause = 1000 / perSecond
  const end = performance.now() + forMs
  await Promise.all(
    typists.map(
      (typist) =>
        new Promise<void>((resolve) => {
          let waiting = 0
          let next = performance.now() + Math.random() * pause
          const settle = () => {
            if (next >= end && waiting === 0) resolve()
          }
          const keystroke = () => {
            const sent = performance.now()
            waiting += 1
            typist.type(() => {
              latencies.push(performance.now() - sent)
              waiting -= 1
              settle()
            })
            next += pause
            if (next < end) setTimeout(keystroke, next - performance.now())
          }
          setTimeout(keystroke, next - performance.now())
        }),
    ),
  )
  return latencies
}

/** Everybody types the next character when the last one is accepted. Resolves with the accepted characters a second, of all together. */
export async function typeFast(typists: readonly Typist[], forMs: number): Promise<number> {
  const start = performance.now()
  let accepted = 0
  await Promise.all(
    typists.map(
      (typist) =>
        new Promise<void>((resolve) => {
          const next = () => {
            if (performance.now() - start >= forMs) return resolve()
            typist.type(() => {
              accepted += 1
              setImmediate(next)
            })
          }
          next()
        }),
    ),
  )
  return (accepted * 1000) / (performance.now() - start)
}
