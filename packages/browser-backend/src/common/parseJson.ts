/** Undefined for what is no JSON: others may send anything, and a proxy answers with a page. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
