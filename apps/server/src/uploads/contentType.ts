/** Kinds of images that browsers show and that can not run anything. */
const images: readonly { type: string; matches(content: Buffer): boolean }[] = [
  { type: 'image/png', matches: (content) => startsWith(content, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: 'image/jpeg', matches: (content) => startsWith(content, [0xff, 0xd8, 0xff]) },
  { type: 'image/gif', matches: (content) => /^GIF8[79]a/.test(latin(content, 0, 6)) },
  {
    type: 'image/webp',
    matches: (content) => latin(content, 0, 4) === 'RIFF' && latin(content, 8, 12) === 'WEBP',
  },
  { type: 'image/avif', matches: (content) => /^ftypavi[fs]$/.test(latin(content, 4, 12)) },
]

/** What the bytes themselves are, whatever whoever sent them says. Everything that is no plain image is just bytes. */
export function contentTypeOf(content: Buffer): string {
  return images.find(({ matches }) => matches(content))?.type ?? 'application/octet-stream'
}

export function isImage(contentType: string): boolean {
  return images.some(({ type }) => type === contentType)
}

function startsWith(content: Buffer, bytes: readonly number[]): boolean {
  return content.subarray(0, bytes.length).equals(Buffer.from(bytes))
}

function latin(content: Buffer, start: number, end: number): string {
  return content.toString('latin1', start, end)
}
