import type { Page } from 'playwright-core'

/** Two lines with three kinds of token between them: the text is there, its grammar too. */
const MIN_LINES = 2
const MIN_KINDS = 3
const DEADLINE_MS = 120_000

/**
 * Notes on every page of the context, at each frame, whether the editor shows tokenised text; `readableAt` is then the time since the page
 * was asked for, after the frame was drawn. `clickedAt` is when something was last clicked.
 */
export function watchForText([minLines, minKinds]: readonly [number, number]): void {
  const marks = window as unknown as { readableAt?: number; clickedAt?: number }
  document.addEventListener('click', () => (marks.clickedAt = performance.now()), true)
  const look = () => {
    const lines = [...document.querySelectorAll('.monaco-editor .view-lines .view-line')]
    const kinds = lines.map((line) =>
      [...line.querySelectorAll('span[class*="mtk"]')].map(({ className }) => className),
    )
    const isReadable =
      kinds.filter((line) => line.length > 0).length >= minLines && new Set(kinds.flat()).size >= minKinds
    if (!isReadable) {
      requestAnimationFrame(look)
      return
    }
    requestAnimationFrame(() => setTimeout(() => (marks.readableAt = performance.now())))
  }
  requestAnimationFrame(look)
}

export const watchArguments = [MIN_LINES, MIN_KINDS] as const

/** Resolves with the marks of a page when its editor is readable. Milliseconds since the page was asked for. */
export async function untilReadable(page: Page): Promise<{ readableAt: number; clickedAt: number | undefined }> {
  const handle = await page.waitForFunction(
    () => {
      const { readableAt, clickedAt } = window as unknown as { readableAt?: number; clickedAt?: number }
      return readableAt === undefined ? false : { readableAt, clickedAt }
    },
    undefined,
    { timeout: DEADLINE_MS, polling: 50 },
  )
  const marks = (await handle.jsonValue()) as { readableAt: number; clickedAt?: number }
  return { readableAt: marks.readableAt, clickedAt: marks.clickedAt }
}
