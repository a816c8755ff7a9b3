/** Names a browser and its system roughly, as people would. */
export function nameOfAgent(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown'
  const browser =
    // The more exact names come last in what browsers send.
    /\b(Firefox|Edg|OPR)\//.exec(userAgent)?.[1] ??
    /(Chrome|Safari)\//.exec(userAgent)?.[1] ??
    userAgent.split(/[/\s(]/, 1)[0]?.slice(0, 40)
  const system = /\b(Windows|Android|iPhone|iPad|Mac OS X|Linux)\b/.exec(userAgent)?.[1]
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser
  return [name || 'Unknown', system && `on ${system === 'Mac OS X' ? 'macOS' : system}`].filter(Boolean).join(' ')
}
