import { boxTokenClaimsSchema } from '@boxyard/protocol'
import type { BoxTokenClaims } from '@boxyard/protocol'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { JWK } from 'jose'
import { z } from 'zod'
import type { SigningKey } from './signingKey.ts'

/** Seconds. Clients keep the session token for eight minutes. */
export const SESSION_TOKEN_SECONDS = 600
export const PREVIEW_TOKEN_SECONDS = 600

const SESSION_AUDIENCE = 'boxyard:socket'
const PREVIEW_AUDIENCE = 'boxyard:preview'

const sessionClaims = z.object({ sub: z.string() })
const previewClaims = z.object({ sub: z.string(), sandbox: z.string() })

/** The short-lived signed tokens of the platform. Each has an audience of its own and is worth nothing elsewhere. */
export interface Tokens {
  /** Checks box tokens; given to the dev server of every box. */
  publicJwk: JWK
  mintBoxToken(claims: BoxTokenClaims): Promise<string>
  /** The claims of a valid, unexpired token for this box, else null. */
  verifyBoxToken(token: string, boxId: string): Promise<BoxTokenClaims | null>
  /** For the real-time socket. */
  mintSessionToken(userId: string): Promise<string>
  verifySessionToken(token: string): Promise<{ userId: string } | null>
  /** Lets a user look at the previews of one sandbox. */
  mintPreviewToken(userId: string, sandboxId: string): Promise<string>
  verifyPreviewToken(token: string, sandboxId: string): Promise<{ userId: string } | null>
}

export function createTokens(key: SigningKey, now: () => Date = () => new Date()): Tokens {
  const sign = (claims: Record<string, unknown>, audience: string, exp: number) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
      .setAudience(audience)
      .setIssuedAt(now())
      .setExpirationTime(exp)
      .sign(key.privateKey)
  const inSeconds = (seconds: number) => Math.floor(now().getTime() / 1000) + seconds

  async function verify<T>(token: string, audience: string, schema: z.ZodType<T>): Promise<T | null> {
    try {
      const { payload } = await jwtVerify(token, key.publicKey, { audience, algorithms: ['EdDSA'], currentDate: now() })
      return schema.safeParse(payload).data ?? null
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }

  return {
    publicJwk: key.publicJwk,
    mintBoxToken: (claims) => sign(claims, claims.aud, claims.exp),
    verifyBoxToken: (token, boxId) => verify(token, boxId, boxTokenClaimsSchema),
    mintSessionToken: (userId) => sign({ sub: userId }, SESSION_AUDIENCE, inSeconds(SESSION_TOKEN_SECONDS)),
    async verifySessionToken(token) {
      const claims = await verify(token, SESSION_AUDIENCE, sessionClaims)
      return claims && { userId: claims.sub }
    },
    mintPreviewToken: (userId, sandbox) =>
      sign({ sub: userId, sandbox }, PREVIEW_AUDIENCE, inSeconds(PREVIEW_TOKEN_SECONDS)),
    async verifyPreviewToken(token, sandboxId) {
      const claims = await verify(token, PREVIEW_AUDIENCE, previewClaims)
      return claims?.sandbox === sandboxId ? { userId: claims.sub } : null
    },
  }
}
