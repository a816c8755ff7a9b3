import { createPublicKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { jwtVerify } from 'jose'
import { Provider } from 'oidc-provider'
import { TestBrowser } from './browser.ts'

export interface TestPerson {
  email: string
  email_verified: boolean
  name?: string
}

export interface TestIdentityProvider {
  origin: string
  /** Who may sign in, by the name they type. */
  people: Map<string, TestPerson>
  /** Signs somebody in as their browser does. Ends with the address of ours they are sent to, or with the form that is posted there. */
  signIn(
    url: string,
    login: string,
  ): Promise<{ redirect: string; form: null } | { redirect: null; form: { action: string; body: string } }>
  /** Adds or replaces a client. */
  register(client: TestClient): void
  close(): Promise<void>
}

export interface TestClient {
  id: string
  secret: string
  redirectUris: string[]
  /** The key that signs the client's secrets, as at Apple, and the team it belongs to. */
  signed?: { publicKeyPem: string; teamId: string }
}

/** A real provider of OpenID Connect on a port of its own. */
export async function startIdentityProvider(
  clients: readonly TestClient[],
  port: number,
): Promise<TestIdentityProvider> {
  const origin = `http://127.0.0.1:${port}`
  const people = new Map<string, TestPerson>()
  let known = clients
  let answer = serve()

  function serve() {
    return new Provider(origin, {
      clients: known.map(({ id, secret, redirectUris }) => ({
        client_id: id,
        client_secret: secret,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'client_secret_post',
      })),
      cookies: { keys: ['of the test'] },
      scopes: ['openid', 'name'],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      findAccount: (_context, id) => ({
        accountId: id,
        claims: async () => ({ sub: `subject-of-${id}`, ...people.get(id) }),
      }),
    }).callback()
  }

  const server = createServer((request, response) => {
    void (async () => {
      if (request.url === '/token') await acceptSignedSecret(request, known, origin)
      await answer(request, response)
    })()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin,
    people,
    async signIn(url, login) {
      const browser = new TestBrowser(origin, port)
      let page = await browser.open(url)
      for (let step = 0; step < 5; step += 1) {
        if (page.headers.location) return { redirect: page.headers.location, form: null }
        const path = new URL(page.url).pathname
        if (!path.startsWith('/interaction/')) return { redirect: null, form: postedForm(page.text) }
        const asksWho = page.text.includes('name="login"')
        page = await browser.submit(page, path, asksWho ? { login, password: 'anything' } : {})
      }
      throw new Error(`The identity provider does not come to an end:\n${page.text}`)
    },
    register(client) {
      known = [...known.filter(({ id }) => id !== client.id), client]
      answer = serve()
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

/** Checks a secret that is a signed token as Apple does, then goes on with the plain one. */
async function acceptSignedSecret(
  request: IncomingMessage & { body?: unknown },
  clients: readonly TestClient[],
  audience: string,
): Promise<void> {
  const body = new URLSearchParams(await text(request))
  const client = clients.find(({ id }) => id === body.get('client_id'))
  if (client?.signed) {
    const { publicKeyPem, teamId } = client.signed
    const options = { audience, issuer: teamId, subject: client.id, algorithms: ['ES256'] }
    await jwtVerify(body.get('client_secret') ?? '', createPublicKey(publicKeyPem), options)
    body.set('client_secret', client.secret)
  }
  request.body = Object.fromEntries(body)
}

function postedForm(page: string): { action: string; body: string } {
  const action = /<form[^>]*action="([^"]*)"/.exec(page)?.[1]
  if (action === undefined) throw new Error(`No form that posts an answer:\n${page}`)
  const body = new URLSearchParams()
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
    body.set(name!, value!)
  }
  return { action, body: body.toString() }
}
