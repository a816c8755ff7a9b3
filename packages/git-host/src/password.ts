import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { ScryptOptions } from 'node:crypto'

/** 32 MiB and about 80 ms a guess. Kept with each hash, so that they can be raised later. */
const COST = 32_768
const BLOCK_SIZE = 8
const KEY_BYTES = 32

export const SHORTEST_PASSWORD = 10
export const LONGEST_PASSWORD = 200

/** `scrypt$N$r$salt$key`, salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST, BLOCK_SIZE)
  return ['scrypt', COST, BLOCK_SIZE, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Without a hash it works as long as with one, so that its duration does not tell which accounts exist. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [, cost, blockSize, salt, key] = (hash ?? `scrypt$${COST}$${BLOCK_SIZE}$AAAAAAAAAAAAAAAAAAAAAA$AA`).split('$')
  const expected = Buffer.from(key!, 'base64url')
  const actual = await derive(password, Buffer.from(salt!, 'base64url'), Number(cost), Number(blockSize))
  return hash !== null && expected.length === actual.length && timingSafeEqual(expected, actual)
}

function derive(password: string, salt: Buffer, cost: number, blockSize: number): Promise<Buffer> {
  const options: ScryptOptions = { N: cost, r: blockSize, p: 1, maxmem: 256 * cost * blockSize }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
