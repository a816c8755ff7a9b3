/** Kinds of pictures that browsers show, by the ends of their names. SVG is a text first. */
const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

/** The files that are shown as pictures. */
export const PICTURES = `**/*.{${Object.keys(types)
  .flatMap((end) => [end, end.toUpperCase()])
  .join(',')}}`
export const VECTORS = '**/*.{svg,SVG}'

export function pictureType(path: string): string {
  const end = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return types[end] ?? 'image/svg+xml'
}

/** How large a file is, for people. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
