/** The frames of previews. Those of extensions are beside them, under names of the same kind. */
export const PREVIEW_FRAME = 'iframe[src*=".preview."]:not([src*="//frame-"])'

/** Whether the address is one of a preview. */
export function isPreview(address: string): boolean {
  return /\/\/(?!frame-)[^/]+\.preview\./.test(address)
}
