import { z } from 'zod'
import { httpUrl, settingDocumentation } from '../settingDocumentation.ts'
import { settingsTogether } from '../settingsTogether.ts'

const text = z.string().min(1).optional()

/** The settings of accounts elsewhere that people can connect. */
export const integrationEnvironment = {
  VERCEL_CLIENT_ID: text.register(settingDocumentation, {
    description: 'The client id of an integration at Vercel. With it people can connect their account there.',
    expected: 'the client id',
    fallback: 'nobody can connect an account at Vercel',
  }),
  VERCEL_CLIENT_SECRET: text.register(settingDocumentation, {
    description: 'The secret that belongs to it.',
    expected: 'the client secret',
    fallback: 'needed with VERCEL_CLIENT_ID',
    secret: true,
  }),
  VERCEL_URL: httpUrl.default('https://vercel.com').register(settingDocumentation, {
    description: 'The web address of Vercel, where people allow it.',
    expected: 'an http or https address',
    fallback: 'https://vercel.com',
  }),
  VERCEL_API_URL: httpUrl.default('https://api.vercel.com').register(settingDocumentation, {
    description: "The address of Vercel's API.",
    expected: 'an http or https address',
    fallback: 'https://api.vercel.com',
  }),
}

export interface VercelSettings {
  clientId: string
  clientSecret: string
  url: string
  apiUrl: string
}

const values = z.object(integrationEnvironment)

/** Undefined: off. What is wrong is added to `problems`. */
export function readVercelSettings(env: z.infer<typeof values>, problems: string[]): VercelSettings | undefined {
  const { VERCEL_CLIENT_ID: clientId, VERCEL_CLIENT_SECRET: clientSecret } = env
  if (clientId !== undefined && clientSecret !== undefined) {
    return { clientId, clientSecret, url: env.VERCEL_URL, apiUrl: env.VERCEL_API_URL }
  }
  settingsTogether(env, ['VERCEL_CLIENT_ID', 'VERCEL_CLIENT_SECRET'], problems)
  return undefined
}
