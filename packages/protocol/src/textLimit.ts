/** Longest text that is opened, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 5_000_000

/** What a person reads who wants to open a longer one, of `length` UTF-16 units. */
export function tooLongText(length: number): string {
  return `File is too large to display (${length} characters), limit is ${MAX_TEXT_LENGTH} characters`
}
