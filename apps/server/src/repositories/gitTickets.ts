import { z } from 'zod'
import type { Sealer } from '../tokens/sealer.ts'

const PURPOSE = 'git ticket'
const MINUTES = 15
const ticketSchema = z.object({
  userId: z.string(),
  boxId: z.string(),
  /** `owner/name`, where the box has no branch that says which repository it may reach. */
  repository: z.string().optional(),
  /** `owner/name`, where pushes of a contribution branch go in the place of the repository it was made of. */
  pushTo: z.string().optional(),
  expiresAt: z.number(),
})
export type GitTicket = z.infer<typeof ticketSchema>

/** Lets the git of one box act for one person for a while. Worth nothing anywhere but at the gateway of that box. */
export function mintTicket(sealer: Sealer, ticket: Omit<GitTicket, 'expiresAt'>, now: Date): string {
  const expiresAt = now.getTime() + MINUTES * 60_000
  return sealer.seal(JSON.stringify({ ...ticket, expiresAt }), PURPOSE)
}

export function openTicket(sealer: Sealer, sealed: string, now: Date): GitTicket | null {
  try {
    const ticket = ticketSchema.parse(JSON.parse(sealer.open(sealed, PURPOSE)))
    return ticket.expiresAt > now.getTime() ? ticket : null
  } catch {
    // Whatever was not sealed here is no ticket.
    return null
  }
}
