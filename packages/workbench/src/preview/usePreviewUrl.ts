import { useEffect, useRef, useState } from 'react'

/** The address at which this browser reaches a port, or why it has none. A port that moves to another host is asked for again. */
export function usePreviewUrl(
  port: number,
  host: string | undefined,
  previewUrl: (port: number) => Promise<string>,
): { url?: string; error?: string } {
  const [answer, setAnswer] = useState<{ of: number; url?: string; error?: string }>({ of: 0 })
  const lastHost = useRef(host)
  const [moves, setMoves] = useState(0)
  useEffect(() => {
    if (host === undefined) return
    // That it has a host at last says nothing new.
    if (lastHost.current !== undefined && lastHost.current !== host) setMoves((count) => count + 1)
    lastHost.current = host
  }, [host])
  useEffect(() => {
    let current = true
    previewUrl(port).then(
      (url) => current && setAnswer({ of: moves, url }),
      (error: unknown) =>
        current &&
        setAnswer({
          of: moves,
          error: `The preview has no address: ${error instanceof Error ? error.message : String(error)}`,
        }),
    )
    return () => {
      current = false
    }
  }, [port, previewUrl, moves])
  // The address of before is another page's.
  return answer.of === moves ? answer : {}
}
