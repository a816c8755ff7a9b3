/** Milliseconds. */
export interface Debounce {
  /** Without a call for this long, the work is done. */
  quiet: number
  /** It is done at the latest this long after the first call. */
  maximum: number
}

/** Has `work` done once for many calls. */
export function debounced(work: () => void, { quiet, maximum }: Debounce): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0
  return () => {
    const now = Date.now()
    if (timer === undefined) latest = now + maximum
    clearTimeout(timer)
    const due = () => {
      timer = undefined
      work()
    }
    timer = setTimeout(due, Math.min(quiet, Math.max(0, latest - now)))
  }
}
