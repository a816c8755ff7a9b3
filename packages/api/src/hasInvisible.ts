/** Whether a text has characters that can not be seen or that turn the others around: one name would look like another. */
export function hasInvisible(text: string): boolean {
  return /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u.test(text)
}
