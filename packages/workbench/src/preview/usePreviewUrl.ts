import { useEffect, useState } from 'react'

/** The address at which this browser reaches a port, or why it has none. */
export function usePreviewUrl(
  port: number,
  previewUrl: (port: number) => Promise<string>,
): { url?: string; error?: string } {
  const [answer, setAnswer] = useState<{ url?: string; error?: string }>({})
  useEffect(() => {
    let current = true
    previewUrl(port).then(
      (url) => current && setAnswer({ url }),
      (error: unknown) =>
        current &&
        setAnswer({ error: `The preview has no address: ${error instanceof Error ? error.message : String(error)}` }),
    )
    return () => {
      current = false
    }
  }, [port, previewUrl])
  return answer
}
