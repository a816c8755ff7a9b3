import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readSecret, writeSecret } from './tokens/signingKey.ts'

const pathOf = (home: string) => join(home, 'keys', 'operator.token')

/** The token with which commands on this machine act as the first administrator; made at the first start, readable by the server's user only. */
export function loadOperatorToken(home: string): string {
  return findOperatorToken(home) ?? writeSecret(pathOf(home), randomBytes(32).toString('base64url'))
}

/** The same for a command: null where no server has ever run. */
export function findOperatorToken(home: string): string | null {
  return readSecret(pathOf(home))
}
