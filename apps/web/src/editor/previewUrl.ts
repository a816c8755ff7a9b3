/** The base of every address, from the page's head, or from the address itself where no server filled it in. */
export function baseOf(meta: string | undefined, host: string): string {
  return meta && !meta.startsWith('__') ? meta : host.replace(/^app\./, '')
}

/** The address of what listens on `port` in box `id`. The token lets this person's browser in and is traded for a cookie there. */
export function previewUrl(options: {
  protocol: string
  base: string
  id: string
  port: number
  token: string
}): string {
  const { protocol, base, id, port, token } = options
  return `${protocol}//${id}-${port}.preview.${base}/?preview_token=${encodeURIComponent(token)}`
}
