import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { signInAttempts } from '../database/schema.ts'
import { equalSecrets, hashSecret, newSecret } from './secrets.ts'
import type { SignInSecrets } from './signInProvider.ts'

const ATTEMPT_SECONDS = 600

export interface SignInAttempt {
  secrets: SignInSecrets
  /** Whom the identity is to be added to. */
  linkUserId: string | null
  /** What the provider posted, as a query. */
  answer: string | null
}

/** Remembers a sign-in that begins at `provider` in the browser that holds the secret `browser`. */
export async function beginAttempt(
  database: Database,
  begun: { provider: string; browser: string; linkUserId: string | null },
): Promise<SignInSecrets> {
  const secrets = { state: newSecret(), codeVerifier: newSecret(), nonce: newSecret() }
  const now = new Date()
  await database.delete(signInAttempts).where(lt(signInAttempts.expiresAt, now))
  await database.insert(signInAttempts).values({
    stateHash: hashSecret(secrets.state),
    browserHash: hashSecret(begun.browser),
    provider: begun.provider,
    codeVerifier: secrets.codeVerifier,
    nonce: secrets.nonce,
    linkUserId: begun.linkUserId,
    expiresAt: new Date(now.getTime() + ATTEMPT_SECONDS * 1000),
  })
  return secrets
}

/** Keeps what a provider posted: such a request comes from another site, so that the browser sends no cookie with it. */
export async function keepAnswer(
  database: Database,
  provider: string,
  state: string,
  answer: string,
): Promise<boolean> {
  const kept = await database
    .update(signInAttempts)
    .set({ answer })
    .where(
      and(
        eq(signInAttempts.stateHash, hashSecret(state)),
        eq(signInAttempts.provider, provider),
        isNull(signInAttempts.answer),
        gt(signInAttempts.expiresAt, new Date()),
      ),
    )
    .returning({ stateHash: signInAttempts.stateHash })
  return kept.length > 0
}

/** Removes the attempt, so that its state works once, and only in the browser and at the provider that it began with. */
export async function takeAttempt(
  database: Database,
  called: { provider: string; state: string | null; browser: string | undefined },
): Promise<SignInAttempt | null> {
  const { provider, state, browser } = called
  if (state === null || browser === undefined) return null
  const [attempt] = await database
    .delete(signInAttempts)
    .where(eq(signInAttempts.stateHash, hashSecret(state)))
    .returning()
  if (!attempt || attempt.expiresAt <= new Date() || attempt.provider !== provider) return null
  if (!equalSecrets(attempt.browserHash, hashSecret(browser))) return null
  const { codeVerifier, nonce, linkUserId, answer } = attempt
  return { secrets: { state, codeVerifier, nonce }, linkUserId, answer }
}

/** Ends what was begun to add a way to sign in to an account. */
export async function forgetLinks(database: Database, userId: string): Promise<void> {
  await database.delete(signInAttempts).where(eq(signInAttempts.linkUserId, userId))
}
