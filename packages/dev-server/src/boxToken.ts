import { boxTokenClaimsSchema, type BoxTokenClaims } from '@boxyard/protocol'
import { importJWK, jwtVerify, type JWK } from 'jose'
import { z } from 'zod'
import type { Configuration } from './configuration.ts'

/** Why a socket is refused: 401 for a token that proves nothing, 403 for a good token of another box or run. */
export class TokenRefused extends Error {
  readonly status: 401 | 403

  constructor(status: 401 | 403, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TokenRefused'
    this.status = status
  }
}

export type VerifyBoxToken = (token: string | null) => Promise<BoxTokenClaims>

const publicJwkSchema = z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })

/** Checks signature, expiry, box and run of box tokens. Throws TokenRefused. */
export async function createBoxTokenVerifier(
  configuration: Pick<Configuration, 'boxId' | 'epoch' | 'publicKey'>,
): Promise<VerifyBoxToken> {
  const jwk: JWK = publicJwkSchema.parse(JSON.parse(configuration.publicKey))
  const key = await importJWK(jwk, 'EdDSA')
  return async (token) => {
    if (token === null || token === '') throw new TokenRefused(401, 'The token is missing')
    const claims = await jwtVerify(token, key, { algorithms: ['EdDSA'] }).then(
      ({ payload }) => boxTokenClaimsSchema.safeParse(payload, { jitless: true }),
      (cause: unknown) => {
        throw new TokenRefused(401, 'The token is not valid', { cause })
      },
    )
    if (!claims.success) throw new TokenRefused(401, 'The token lacks claims', { cause: claims.error })
    if (claims.data.aud !== configuration.boxId) throw new TokenRefused(403, 'The token is for another box')
    if (claims.data.epoch !== configuration.epoch)
      throw new TokenRefused(403, 'The token is for another run of the box')
    return claims.data
  }
}
