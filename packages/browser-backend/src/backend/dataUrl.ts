const PREFIX = 'data:application/octet-stream;base64,'
/** Arguments of one call. */
const PART = 0x8000

/** An address that carries its content. */
export function dataUrl(content: Uint8Array): string {
  let text = ''
  for (let start = 0; start < content.length; start += PART)
    text += String.fromCharCode(...content.subarray(start, start + PART))
  return PREFIX + btoa(text)
}
