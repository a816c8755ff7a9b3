import { z } from 'zod'
import { accessLevels } from './access.ts'

/**
 * The claims of the token in the query of a dev-server socket: a JWT signed with EdDSA by the platform, scoped to one run
 * (`epoch`) of one box and short-lived. The edge checks it at the upgrade, the dev server checks it again.
 */
export const boxTokenClaimsSchema = z.object({
  /** The box id. */
  aud: z.string(),
  /** The user id, or a random id for an anonymous visitor. */
  sub: z.string(),
  /** The session that asked for it; the connection is cut when that ends. */
  sid: z.string().optional(),
  /** The run of the box this token is for; a token of an earlier run is refused. */
  epoch: z.number().int().nonnegative(),
  access: z.enum(accessLevels),
  username: z.string(),
  name: z.string(),
  avatarUrl: z.string().nullable(),
  exp: z.number().int(),
})
export type BoxTokenClaims = z.infer<typeof boxTokenClaimsSchema>
