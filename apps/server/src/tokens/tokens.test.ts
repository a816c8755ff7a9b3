import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadSigningKey } from './signingKey.ts'
import { createTokens } from './tokens.ts'

const folder = mkdtempSync(join(tmpdir(), 'boxyard-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ada = { userId: 'user-1', sessionId: 'session-1' }

const claims = (exp: number) => ({
  aud: 'abc123',
  sub: 'user-1',
  epoch: 3,
  access: 'write' as const,
  username: 'ada',
  name: 'Ada',
  avatarUrl: null,
  exp,
})

describe('tokens', () => {
  it('keeps one key over starts, readable by its user only', async () => {
    const [first, second] = [await loadSigningKey(folder), await loadSigningKey(folder)]
    expect(second.kid).toBe(first.kid)
    expect(statSync(join(folder, 'signing.jwk.json')).mode & 0o777).toBe(0o600)
    expect(first.publicJwk).not.toHaveProperty('d')
  })

  it('accepts a box token for its box until it expires', async () => {
    let now = new Date(1_000_000)
    const tokens = createTokens(await loadSigningKey(folder), () => now)
    const token = await tokens.mintBoxToken(claims(1060))
    expect(await tokens.verifyBoxToken(token, 'abc123')).toEqual(claims(1060))
    expect(await tokens.verifyBoxToken(token, 'other1')).toBeNull()
    now = new Date(1_060_001)
    expect(await tokens.verifyBoxToken(token, 'abc123')).toBeNull()
  })

  it('refuses a token of another purpose, a changed token and a token without a signature', async () => {
    const tokens = createTokens(await loadSigningKey(folder))
    const session = await tokens.mintSessionToken(ada)
    const preview = await tokens.mintPreviewToken(ada, 'abc123')
    expect(await tokens.verifySessionToken(session)).toEqual(ada)
    expect(await tokens.verifySessionToken(preview)).toBeNull()
    expect(await tokens.verifyPreviewToken(preview, 'abc123')).toEqual(ada)
    expect(await tokens.verifyPreviewToken(preview, 'other1')).toBeNull()
    expect(await tokens.verifyPreviewToken(session, 'abc123')).toBeNull()
    const [head, , signature] = session.split('.')
    const forged = Buffer.from('{"sub":"user-2","aud":"boxyard:socket","exp":9999999999}').toString('base64url')
    expect(await tokens.verifySessionToken(`${head}.${forged}.${signature}`)).toBeNull()
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    expect(await tokens.verifySessionToken(`${none}.${forged}.`)).toBeNull()
  })
})
