import { importPKCS8, SignJWT } from 'jose'
import type { ClientAuth } from 'openid-client'
import type { AppleSettings } from '../signInSettings.ts'

const SECRET_SECONDS = 300

/** Apple takes a token as the client's secret, signed with the team's key. A new one is made for each request. */
export function appleClientAuth({ clientId, teamId, keyId, privateKey, issuer }: AppleSettings): ClientAuth {
  return async (_server, _client, body) => {
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(issuer)
      .setIssuedAt()
      .setExpirationTime(`${SECRET_SECONDS}s`)
      .sign(await importPKCS8(privateKey, 'ES256'))
    body.set('client_id', clientId)
    body.set('client_secret', secret)
  }
}
