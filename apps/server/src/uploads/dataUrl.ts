/** The bytes of a data URL, or of Base64 without one; null when it is neither. */
export function decodeDataUrl(text: string): Buffer | null {
  const encoded = /^data:[^,]{0,200};base64,(.*)$/s.exec(text)?.[1] ?? (text.startsWith('data:') ? null : text)
  if (encoded === null || encoded === '' || !isBase64(encoded)) return null
  return Buffer.from(encoded, 'base64')
}

/** Looks at the ends and the alphabet, without a regular expression that has to remember megabytes. */
function isBase64(text: string): boolean {
  return text.length % 4 !== 1 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text)
}
