export interface PreviewTarget {
  boxId: string
  port: number
}

/** Where a request belongs, by its Host header. `base` hosts serve the API too, but no pages. */
export type HostKind =
  { kind: 'app' } | { kind: 'base' } | { kind: 'preview'; target: PreviewTarget } | { kind: 'unknown' }

const previewLabel = /^([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)-([1-9]\d{0,4})$/

/** Matches hosts exactly; anything that is not ours is `unknown`. */
export function createHostMatcher(options: { base: string; port: number }): (host: string | undefined) => HostKind {
  const base = options.base.toLowerCase()
  const exact = new Map<string, HostKind>([
    [`app.${base}`, { kind: 'app' }],
    [base, { kind: 'base' }],
    [`localhost:${options.port}`, { kind: 'base' }],
    [`127.0.0.1:${options.port}`, { kind: 'base' }],
    [`[::1]:${options.port}`, { kind: 'base' }],
  ])
  const previewSuffix = `.preview.${base}`

  return (host) => {
    if (host === undefined) return { kind: 'unknown' }
    const name = host.toLowerCase()
    const found = exact.get(name)
    if (found) return found
    if (!name.endsWith(previewSuffix)) return { kind: 'unknown' }
    const match = previewLabel.exec(name.slice(0, -previewSuffix.length))
    if (!match) return { kind: 'unknown' }
    const port = Number(match[2])
    return port > 65_535 ? { kind: 'unknown' } : { kind: 'preview', target: { boxId: match[1]!, port } }
  }
}

/** The host name of a preview with `{id}` and `{port}` left to fill in. */
export function previewHostTemplate(base: string): string {
  return `{id}-{port}.preview.${base}`
}
