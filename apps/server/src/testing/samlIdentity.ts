import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { temporaryFolder } from './folders.ts'

export interface SamlAnswer {
  email: string
  nameId: string
  /** Overrides of what an honest identity provider says. */
  audience?: string
  issuer?: string
  recipient?: string
  inResponseTo?: string
  signed?: boolean
  /** How many minutes ago it was said; an answer is good for five. */
  age?: number
}

/** An identity provider of the test's own: reads requests, signs assertions. */
export interface SamlIdentity {
  entityId: string
  certificate: string
  readRequest(url: string): { id: string; issuer: string; callbackUrl: string; relayState: string }
  /** The assertion in a response, in base64, as it is posted. */
  answer(request: ReturnType<SamlIdentity['readRequest']>, said: SamlAnswer): string
}

export function createSamlIdentity(entityId: string): SamlIdentity {
  const folder = temporaryFolder('saml')
  const [keyPath, certificatePath] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=idp', '-days', '2', '-keyout', keyPath, '-out', certificatePath]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' })
  const [privateKey, certificate] = [readFileSync(keyPath, 'utf8'), readFileSync(certificatePath, 'utf8')]
  rmSync(folder, { recursive: true })

  return {
    entityId,
    certificate,
    readRequest(url) {
      const { searchParams } = new URL(url)
      const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest')!, 'base64')).toString()
      return {
        id: /\sID="([^"]+)"/.exec(xml)![1]!,
        callbackUrl: /AssertionConsumerServiceURL="([^"]+)"/.exec(xml)![1]!,
        issuer: /<saml:Issuer[^>]*>([^<]+)</.exec(xml)![1]!,
        relayState: searchParams.get('RelayState')!,
      }
    },
    answer(request, said) {
      const at = (minutes: number) => new Date(Date.now() + (minutes - (said.age ?? 0)) * 60_000).toISOString()
      const inResponseTo = said.inResponseTo ?? request.id
      const issuer = `<saml:Issuer>${said.issuer ?? entityId}</saml:Issuer>`
      const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}">${issuer}<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${said.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${inResponseTo}" Recipient="${said.recipient ?? request.callbackUrl}" NotOnOrAfter="${at(5)}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-5)}" NotOnOrAfter="${at(5)}"><saml:AudienceRestriction><saml:Audience>${said.audience ?? request.issuer}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>${said.email}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>`
      const response = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}" InResponseTo="${request.id}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${entityId}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`
      return Buffer.from(said.signed === false ? response : sign(response)).toString('base64')
    },
  }

  function sign(xml: string): string {
    const signature = new SignedXml({
      privateKey,
      publicCert: certificate,
      signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    })
    const assertion = "//*[local-name(.)='Assertion']"
    signature.addReference({
      xpath: assertion,
      digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
      transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    })
    signature.computeSignature(xml, {
      location: { reference: `${assertion}/*[local-name(.)='Issuer']`, action: 'after' },
    })
    return signature.getSignedXml()
  }
}
