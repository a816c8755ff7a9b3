import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Profile } from '@node-saml/node-saml'
import { z } from 'zod'
import { SignInRefused } from '../signInProvider.ts'
import type { SignInProvider } from '../signInProvider.ts'

export interface SamlProviderOptions {
  /** Where its sign-in page is. */
  entryPoint: string
  /** How the identity provider calls itself. */
  idpEntityId: string
  certificate: string
  /** How we call ourselves; of its own for each connection, so that an answer for one means nothing to another. */
  entityId: string
  identityIssuer: string
  teamId: string
  redirectUri: string
}

const CLOCK_SKEW_MS = 60_000
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const emailAttributes = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const assertionSchema = z.object({
  Assertion: z.object({
    Subject: z.array(
      z.object({
        SubjectConfirmation: z.array(
          z.object({
            SubjectConfirmationData: z.array(
              z.object({ $: z.object({ InResponseTo: z.string(), Recipient: z.string() }) }),
            ),
          }),
        ),
      }),
    ),
  }),
})
const nameAttributes = [
  'displayName',
  'name',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
]

/** Single sign-on by SAML 2.0: requests by redirect, answers by post. */
export function createSamlProvider(options: SamlProviderOptions): SignInProvider {
  return {
    namesAreOurs: false,

    async authorizationUrl({ state, nonce }) {
      return new URL(await samlOf(options, nonce).getAuthorizeUrlAsync(state, undefined, {}))
    },

    async identify(callback, { nonce }) {
      const answer = callback.searchParams.get('SAMLResponse')
      if (answer === null) throw new SignInRefused('There is no answer of the identity provider')
      const profile = await validate(answer, nonce)
      if (profile.nameIDFormat === TRANSIENT) throw new SignInRefused('The identity provider names nobody for good')
      const email = z
        .email()
        .max(200)
        .safeParse(attribute(profile, emailAttributes) ?? profile.nameID)
      if (!email.success) throw new SignInRefused('The identity provider told no email address')
      return {
        provider: 'saml',
        issuer: options.identityIssuer,
        subject: profile.nameID,
        login: email.data.split('@')[0]!,
        name: attribute(profile, nameAttributes)?.slice(0, 100) ?? null,
        email: email.data,
        avatarUrl: null,
        scopes: [],
        administrator: false,
        teamId: options.teamId,
      }
    },
  }

  async function validate(answer: string, nonce: string): Promise<Profile> {
    try {
      const { profile } = await samlOf(options, nonce).validatePostResponseAsync({ SAMLResponse: answer })
      if (profile?.nameID && isForThisRequest(profile, nonce)) return profile
    } catch (error) {
      throw new SignInRefused('The answer of the identity provider is not valid', { cause: error })
    }
    throw new SignInRefused('The answer of the identity provider names nobody, or is for somebody else')
  }

  /** The library also takes a signed assertion that does not say which request it answers, or where it is to be sent. */
  function isForThisRequest(profile: Profile, nonce: string): boolean {
    const assertion = assertionSchema.safeParse(profile.getAssertion?.())
    if (!assertion.success || profile.issuer !== options.idpEntityId) return false
    return assertion.data.Assertion.Subject.some(({ SubjectConfirmation }) =>
      SubjectConfirmation.some(({ SubjectConfirmationData }) =>
        SubjectConfirmationData.some(
          ({ $ }) => $.InResponseTo === requestIdOf(nonce) && $.Recipient === options.redirectUri,
        ),
      ),
    )
  }
}

/** What an identity provider has to know about us. */
export function samlMetadata(options: SamlProviderOptions): string {
  return samlOf(options, '').generateServiceProviderMetadata(null)
}

/** Ids in XML begin with no digit. */
const requestIdOf = (nonce: string) => `_${nonce}`

/** Takes exactly one answer: the one to the request whose id comes from `nonce`. */
function samlOf(options: SamlProviderOptions, nonce: string): SAML {
  const requestId = requestIdOf(nonce)
  return new SAML({
    callbackUrl: options.redirectUri,
    entryPoint: options.entryPoint,
    issuer: options.entityId,
    audience: options.entityId,
    idpIssuer: options.idpEntityId,
    idpCert: options.certificate,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    validateInResponseTo: ValidateInResponseTo.always,
    generateUniqueId: () => requestId,
    cacheProvider: {
      saveAsync: async (_key, value) => ({ value, createdAt: Date.now() }),
      getAsync: async (key) => (key === requestId ? new Date().toISOString() : null),
      removeAsync: async (key) => key,
    },
  })
}

function attribute(profile: Profile, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = profile[name]
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (typeof first === 'string' && first !== '') return first
  }
  return undefined
}
