export interface PreviewPlace {
  /** Of the box. */
  id: string
  port: number
}

/** What the host of a preview names, written in full or as its first part alone; null where it names none of this installation. */
export function previewHost(host: string, base: string): PreviewPlace | null {
  const end = `.preview.${base}`
  const name = host.endsWith(end) ? host.slice(0, -end.length) : host
  const parts = /^([a-z0-9][a-z0-9-]{0,62})-([1-9]\d{0,4})$/i.exec(name)
  const port = Number(parts?.[2])
  return parts && port <= 65_535 ? { id: parts[1]!, port } : null
}
