export interface PreviewTarget {
  boxId: string
  port: number
}

/** Where a request belongs, by its Host header. `base` hosts serve the API too, but no pages. */
export type HostKind =
  | { kind: 'app' }
  | { kind: 'base' }
  | { kind: 'preview'; target: PreviewTarget }
  | { kind: 'editorFrame' }
  | { kind: 'unknown' }

const previewLabel = /^([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)-([1-9]\d{0,4})$/
/** A hash that the editor makes, apart for each kind of frame. It is no preview: what follows its dash is no port. */
const frameLabel = /^frame-(?:v--)?[0-9a-v]{52}$/

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
    const label = name.slice(0, -previewSuffix.length)
    if (frameLabel.test(label)) return { kind: 'editorFrame' }
    const match = previewLabel.exec(label)
    if (!match) return { kind: 'unknown' }
    const port = Number(match[2])
    return port > 65_535 ? { kind: 'unknown' } : { kind: 'preview', target: { boxId: match[1]!, port } }
  }
}

/** The host name of a preview with `{id}` and `{port}` left to fill in. */
export function previewHostTemplate(base: string): string {
  return `{id}-{port}.preview.${base}`
}
