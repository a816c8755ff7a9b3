import { ApiError } from '@boxyard/api'
import { z } from 'zod'
import type { VercelSettings } from './integrationSettings.ts'

const tokenAnswer = z.object({ access_token: z.string().min(1) })
const userAnswer = z.object({ user: z.object({ email: z.string().nullish() }) })
const PATIENCE_MS = 20_000

export interface VercelAccount {
  token: string
  email: string | null
}

/** Exchanges the code that Vercel gave somebody's browser for what it stands for. */
export async function vercelAccount(
  { clientId, clientSecret, apiUrl }: VercelSettings,
  redirectUri: string,
  code: string,
): Promise<VercelAccount> {
  const form = { client_id: clientId, client_secret: clientSecret, code, redirect_uri: redirectUri }
  const answer = await ask(`${apiUrl}/v2/oauth/access_token`, { method: 'POST', body: new URLSearchParams(form) })
  if (answer.status >= 400 && answer.status < 500) {
    throw new ApiError('INVALID_INPUT', { fields: { code: ['Vercel does not know this code. Connect it again.'] } })
  }
  const { access_token: token } = await bodyOf(answer, tokenAnswer)
  const headers = { authorization: `Bearer ${token}` }
  const { user } = await bodyOf(await ask(`${apiUrl}/v2/user`, { headers }), userAnswer)
  return { token, email: user.email ?? null }
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (error) {
    throw new ApiError('UNAVAILABLE', { detail: 'Vercel does not answer', cause: error })
  }
}

async function bodyOf<T>(answer: Response, schema: z.ZodType<T>): Promise<T> {
  const parsed = answer.ok ? schema.safeParse(await answer.json()) : null
  if (parsed?.success) return parsed.data
  throw new ApiError('UNAVAILABLE', { detail: `Vercel answered ${answer.status}` })
}
