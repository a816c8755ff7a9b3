import { boxTokenClaimsSchema } from '@boxyard/protocol'
import type { BoxTokenClaims } from '@boxyard/protocol'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { JWK } from 'jose'
import { z } from 'zod'
import type { SigningKey } from './signingKey.ts'

/** Seconds. Clients keep the session token for eight minutes. */
export const SESSION_TOKEN_SECONDS = 600
export const PREVIEW_TOKEN_SECONDS = 600
/** A preview stays open for a day; what its visitor may do is looked up with each request. */
export const PREVIEW_COOKIE_SECONDS = 86_400

const SESSION_AUDIENCE = 'boxyard:socket'
const PREVIEW_AUDIENCE = 'boxyard:preview'
const REGISTRY_AUDIENCE = 'boxyard:registry'
/** Pages elsewhere that show sandboxes ask for a new one when they are opened. */
const REGISTRY_TOKEN_SECONDS = 3600

const sessionClaims = z.object({ sub: z.string(), sid: z.string().optional() })
const registryClaims = z.object({ sub: z.string(), sid: z.string().optional(), team: z.string() })
const previewClaims = z.object({ sub: z.string(), sid: z.string().optional(), sandbox: z.string() })

/** Who a token speaks for. It is worth nothing once the session it came from is over; without one it came from the settings' token. */
export interface TokenHolder {
  userId: string
  sessionId: string | null
}

/** The short-lived signed tokens of the platform. Each has an audience of its own and is worth nothing elsewhere. */
export interface Tokens {
  /** Checks box tokens; given to the dev server of every box. */
  publicJwk: JWK
  mintBoxToken(claims: BoxTokenClaims): Promise<string>
  /** The claims of a valid, unexpired token for this box, else null. */
  verifyBoxToken(token: string, boxId: string): Promise<BoxTokenClaims | null>
  /** For the real-time socket. */
  mintSessionToken(holder: TokenHolder): Promise<string>
  verifySessionToken(token: string): Promise<TokenHolder | null>
  /** Lets a user look at the previews of one sandbox. */
  mintPreviewToken(holder: TokenHolder, sandboxId: string): Promise<string>
  /** The same for the cookie on the preview's own origin. */
  mintPreviewCookie(holder: TokenHolder, sandboxId: string): Promise<string>
  verifyPreviewToken(token: string, sandboxId: string): Promise<TokenHolder | null>
  /** Lets a page elsewhere read packages of the private registry of a workspace. */
  mintRegistryToken(holder: TokenHolder, teamId: string): Promise<string>
  verifyRegistryToken(token: string, teamId: string): Promise<TokenHolder | null>
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
    mintSessionToken: (holder) => sign(claimsOf(holder), SESSION_AUDIENCE, inSeconds(SESSION_TOKEN_SECONDS)),
    async verifySessionToken(token) {
      const claims = await verify(token, SESSION_AUDIENCE, sessionClaims)
      return claims && holderOf(claims)
    },
    mintPreviewToken: (holder, sandbox) =>
      sign({ ...claimsOf(holder), sandbox }, PREVIEW_AUDIENCE, inSeconds(PREVIEW_TOKEN_SECONDS)),
    mintPreviewCookie: (holder, sandbox) =>
      sign({ ...claimsOf(holder), sandbox }, PREVIEW_AUDIENCE, inSeconds(PREVIEW_COOKIE_SECONDS)),
    async verifyPreviewToken(token, sandboxId) {
      const claims = await verify(token, PREVIEW_AUDIENCE, previewClaims)
      return claims?.sandbox === sandboxId ? holderOf(claims) : null
    },
    mintRegistryToken: (holder, team) =>
      sign({ ...claimsOf(holder), team }, REGISTRY_AUDIENCE, inSeconds(REGISTRY_TOKEN_SECONDS)),
    async verifyRegistryToken(token, teamId) {
      const claims = await verify(token, REGISTRY_AUDIENCE, registryClaims)
      return claims?.team === teamId ? holderOf(claims) : null
    },
  }
}

const claimsOf = ({ userId, sessionId }: TokenHolder) =>
  sessionId === null ? { sub: userId } : { sub: userId, sid: sessionId }
const holderOf = ({ sub, sid }: z.output<typeof sessionClaims>): TokenHolder => ({
  userId: sub,
  sessionId: sid ?? null,
})
