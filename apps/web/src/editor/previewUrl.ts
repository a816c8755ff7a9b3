/** The base of every address, from the page's head, or from the address itself where no server filled it in. */
export function baseOf(meta: string | undefined, host: string): string {
  return meta && !meta.startsWith('__') ? meta : host.replace(/^app\./, '')
}

/** Where this installation has its previews. */
export function previewPlace(): { protocol: string; base: string } {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=boxyard-base]')?.content
  return { protocol: window.location.protocol, base: baseOf(meta, window.location.host) }
}

/** The origin of a port, on a host of its own. */
export function previewOrigin(options: { protocol: string; base: string; id: string; port: number }): string {
  const { protocol, base, id, port } = options
  return `${protocol}//${id}-${port}.preview.${base}`
}

/** The address of what listens on `port` in box `id`. The token lets this person's browser in and is traded for a cookie there; a visitor has none. */
export function previewUrl(options: {
  protocol: string
  base: string
  id: string
  port: number
  token: string | null
}): string {
  const { token } = options
  return `${previewOrigin(options)}/${token === null ? '' : `?preview_token=${encodeURIComponent(token)}`}`
}
