import { createHash, randomBytes } from 'node:crypto'
import { createGitHostStorage } from '../gitHost/drizzleStorage.ts'
import type { TestServer } from './server.ts'

/** A token of the local git host for an account, as its page for access tokens makes one. */
export async function gitToken(server: TestServer, login: string, scopes: string[]): Promise<string> {
  const storage = createGitHostStorage(server.database.database)
  const token = `ghp_${randomBytes(16).toString('hex')}`
  const found = await storage.findCredentials(login)
  if (!found) throw new Error(`${login} has no account at the local git host`)
  const tokenHash = createHash('sha256').update(token).digest('hex')
  await storage.addToken({ tokenHash, accountId: found.account.id, clientId: 'test', scopes })
  return token
}
