/**
 * The id in a room of the page that knows `secret`. It stays the same when the page comes back, and nobody else can take it: everybody
 * hears the id, and nobody the secret.
 */
export async function roomPersonId(secret: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  return Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
