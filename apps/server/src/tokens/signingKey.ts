import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import type { CryptoKey, JWK } from 'jose'

export interface SigningKey {
  kid: string
  privateKey: CryptoKey
  publicKey: CryptoKey
  /** With kid, alg and use, as it is published. */
  publicJwk: JWK
}

/** The Ed25519 key that signs our tokens, from `folder`, made at the first start. */
export async function loadSigningKey(folder: string): Promise<SigningKey> {
  const path = join(folder, 'signing.jwk.json')
  const text = readSecret(path) ?? writeSecret(path, JSON.stringify(await newPrivateJwk()))
  const privateJwk = JSON.parse(text) as JWK
  const { d: _private, ...bare } = privateJwk
  const kid = await calculateJwkThumbprint(bare)
  const publicJwk: JWK = { ...bare, kid, alg: 'EdDSA', use: 'sig' }
  return {
    kid,
    privateKey: (await importJWK(privateJwk, 'EdDSA')) as CryptoKey,
    publicKey: (await importJWK(publicJwk, 'EdDSA')) as CryptoKey,
    publicJwk,
  }
}

async function newPrivateJwk(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  return exportJWK(privateKey)
}

/** The content of a secret file, or null when there is none. */
export function readSecret(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Writes a secret file once, complete or not at all, for its user only. Returns what is there afterwards. */
export function writeSecret(path: string, content: string): string {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
    return content
  } catch (error) {
    const winner = readSecret(path)
    if (winner === null) throw error
    return winner
  } finally {
    rmSync(draft, { force: true })
  }
}
