/** Characters that a program may have copied at once. */
export const MAX_COPIED = 100_000

/** What a program in a terminal asks of the clipboard. */
export type ClipboardRequest = { kind: 'copy'; text: string } | { kind: 'too-long' } | { kind: 'nothing' }

/**
 * Reads the data of an OSC 52 sequence: where to copy to, and a text in base64. A question for what the clipboard holds, and what can not be read, is
 * nothing: a program never gets what somebody has copied elsewhere.
 */
export function clipboardRequest(data: string): ClipboardRequest {
  const [, encoded = ''] = data.split(';')
  if (encoded === '' || encoded === '?') return { kind: 'nothing' }
  // A character takes at most four bytes, and three bytes four letters.
  if (encoded.length > (MAX_COPIED * 16) / 3) return { kind: 'too-long' }
  let text: string
  try {
    const bytes = Uint8Array.from(atob(encoded), (one) => one.codePointAt(0)!)
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { kind: 'nothing' }
  }
  if (text === '') return { kind: 'nothing' }
  return text.length > MAX_COPIED ? { kind: 'too-long' } : { kind: 'copy', text }
}
