import { createHmac } from 'node:crypto'
import { equalSecrets } from '../secrets.ts'

/** GitHub's `X-Hub-Signature-256`. */
export function signPayload(secret: string, payload: string | Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`
}

/** Compares without telling by its duration where the two differ. */
export function verifySignature(secret: string, payload: string | Buffer, signature: string | undefined): boolean {
  return signature !== undefined && equalSecrets(signPayload(secret, payload), signature)
}
