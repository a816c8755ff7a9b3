import nodeCrypto from 'node:crypto'
import nodeStream from 'node:stream'
import { describe, expect, it } from 'vitest'
import { answers, called, collected, failure, ours } from '../../testing/besideNode.ts'
import type { Loose } from '../loose.ts'

// Asked of the module of a page and of the Node that runs this: both have to answer the same.

const KEY = Buffer.from('0123456789abcdef0123456789abcdef')
const AES = ['cbc', 'ctr', 'ecb', 'gcm'].flatMap((mode) => [128, 192, 256].map((bits) => `aes-${bits}-${mode}`))
const keyAndIv = (name: string): [key: Buffer, iv: Buffer | null] => {
  const [, bits, mode] = name.split('-')
  return [KEY.subarray(0, Number(bits) / 8), mode === 'ecb' ? null : KEY.subarray(0, mode === 'gcm' ? 12 : 16)]
}
const encrypted = (c: Loose, name: string, parts: readonly string[], more: Buffer | null = null) => {
  const cipher = c.createCipheriv(name, ...keyAndIv(name))
  if (more) cipher.setAAD(more)
  const made = [...parts.map((part) => cipher.update(part, 'utf8', 'hex')), cipher.final('hex')]
  return [...made, ...(name.endsWith('gcm') ? [cipher.getAuthTag().toString('hex')] : [])]
}
const decrypted = (c: Loose, name: string, secret: string, tag?: string) => {
  const decipher = c.createDecipheriv(name, ...keyAndIv(name))
  if (tag !== undefined) decipher.setAuthTag(Buffer.from(tag, 'hex'))
  return [
    decipher.update(secret.slice(0, 6), 'hex', 'utf8'),
    decipher.update(secret.slice(6), 'hex', 'utf8'),
    decipher.final('utf8'),
  ]
}

describe('ciphers and keys', () => {
  const asks: Readonly<Record<string, (c: Loose) => unknown>> = {
    ...Object.fromEntries(
      AES.flatMap((name) => [
        [`${name} in parts`, (c: Loose) => encrypted(c, name, ['a', 'secret of several blocks, in ', '', 'päŕts'])],
        [
          `${name} and back`,
          (c: Loose) => {
            const [secret = '', , tag] = encrypted(c, name, ['a sécret of many blocks, of 48 bytes in all....'])
            const last = encrypted(c, name, ['a sécret of many blocks, of 48 bytes in all....'])[1]!
            return decrypted(c, name, secret + last, tag)
          },
        ],
      ]),
    ),
    'what is open is told with the tag': (c) => encrypted(c, 'aes-256-gcm', ['text'], KEY.subarray(0, 21)),
    'an IV of another length': (c) => {
      const cipher = c.createCipheriv('aes-128-gcm', KEY.subarray(16), KEY.subarray(0, 17))
      return [cipher.update('text', 'utf8', 'hex'), cipher.final('hex'), cipher.getAuthTag().toString('hex')]
    },
    'a tag that is wrong': (c) => decrypted(c, 'aes-256-gcm', '00112233445566', '00'.repeat(16)),
    'a padding that is wrong': (c) => decrypted(c, 'aes-256-cbc', '00'.repeat(32)),
    'a block that is cut': (c) => decrypted(c, 'aes-256-cbc', '00'.repeat(17)),
    'a key that is too short': (c) => c.createCipheriv('aes-256-cbc', KEY.subarray(1), KEY.subarray(16)),
    'an IV that is too short': (c) => c.createCipheriv('aes-256-cbc', KEY, KEY.subarray(20)),
    'a cipher that nobody knows': (c) => c.createCipheriv('rot-13', KEY, KEY),
    'without a padding': (c) => {
      const cipher = c.createCipheriv('aes-256-cbc', KEY, KEY.subarray(16)).setAutoPadding(false)
      return [cipher.update(KEY, null, 'hex'), cipher.final('hex')]
    },
    'as a stream': async (c) =>
      collected(
        nodeStream.Readable.from(['many ', 'parts']).pipe(c.createCipheriv('aes-256-ctr', KEY, KEY.subarray(16))),
      ),
    'twice final': (c) => {
      const cipher = c.createCipheriv('aes-256-ctr', KEY, KEY.subarray(16))
      cipher.final()
      return cipher.final()
    },
    'what is known of a cipher': (c) =>
      ['aes-256-cbc', 'AES-128-GCM', 'aes192', 'aes-256-ecb', 'rot-13'].map((name) => c.getCipherInfo(name)),
    'a secret key': (c) => {
      const key = c.createSecretKey('secret', 'utf8')
      const { type, symmetricKeySize } = key
      const exported = [key.export(), key.export({ format: 'jwk' })]
      return [
        key instanceof c.KeyObject,
        type,
        symmetricKeySize,
        exported,
        key.equals(c.createSecretKey(Buffer.from('secret'))),
      ]
    },
    'what is a key and what is none': (c) =>
      ['secret', Buffer.from('a'), {}].map((one: Loose) => one instanceof c.KeyObject),
    'an HMAC with a key': (c) => c.createHmac('sha256', c.createSecretKey(KEY)).update('a').digest('hex'),
    'a key that is made': (c) => [
      c.generateKeySync('aes', { length: 192 }).symmetricKeySize,
      c.generateKeySync('hmac', { length: 9 }).symmetricKeySize,
    ],
    'a tag of another length than was agreed on': (c) => {
      const decipher = c.createDecipheriv('aes-128-gcm', KEY.subarray(16), KEY.subarray(0, 12), { authTagLength: 16 })
      return decipher.setAuthTag(Buffer.alloc(4))
    },
    'a tag of a length that is none': (c) =>
      c.createCipheriv('aes-128-gcm', KEY.subarray(16), KEY.subarray(0, 12), { authTagLength: 3 }),
    'a hash without a name': (c) => c.createHash(undefined),
    'a key from a password that is refused at once': (c) =>
      [
        () => c.pbkdf2('a', 'b', 1, 1, 'none', () => undefined),
        () => c.pbkdf2('a', 'b', 0, 1, 'sha1', () => undefined),
        () => c.pbkdf2('a', 'b', 1, 1, 'sha1'),
        () => c.randomFill(Buffer.alloc(1)),
        () => c.randomInt(0, 2 ** 49),
      ].map((work) => {
        try {
          return work()
        } catch (error) {
          return failure(error)
        }
      }),
    'a key from a password, later': (c) => called(c.pbkdf2, 'a', 'b', 2, 16, 'sha512'),
    'a key of a size that is none': (c) => c.generateKeySync('aes', { length: 100 }),
    'classes without new': (c) => {
      // oxlint-disable-next-line new-cap
      const [hash, hmac] = [c.Hash('sha1'), c.Hmac('sha1', 'key')]
      return [hash instanceof c.Hash, hash.update('a').digest('hex'), hmac.update('a').digest('hex')]
    },
  }
  it.each(Object.entries(asks))('BB1151: %s', async (_title, ask) => {
    const [own, real] = await answers(nodeCrypto, ours('crypto'), ask)
    expect(own).toEqual(real)
  })
})
