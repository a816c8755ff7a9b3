import { z } from 'zod'

const KEPT = 'boxyard.define'

const definitionSchema = z.object({
  /** The files, as LZ-string compressed them. Only the server reads them. */
  parameters: z.string().min(1),
  environment: z.string().optional(),
  /** For the address of the editor. */
  query: z.string().optional(),
})
export type Definition = z.infer<typeof definitionSchema>

/**
 * What another site sent along: in the part of the address that no server sees, or kept for this tab. It stays with the tab until the
 * person has decided, because a sign-in may come in between.
 */
export function readDefinition(): Definition | null {
  const { hash } = window.location
  const given: unknown = hash.length > 1 ? Object.fromEntries(new URLSearchParams(hash.slice(1))) : kept()
  const parsed = definitionSchema.safeParse(given)
  if (!parsed.success) return null
  sessionStorage.setItem(KEPT, JSON.stringify(parsed.data))
  return parsed.data
}

export function forgetDefinition(): void {
  sessionStorage.removeItem(KEPT)
}

function kept(): unknown {
  const text = sessionStorage.getItem(KEPT)
  return text === null ? null : JSON.parse(text)
}
