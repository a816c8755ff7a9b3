import { describe, expect, it } from 'vitest'
import { checksumOf } from './contentStore.ts'
import { packerErrors, PackerError } from './errors.ts'
import { isPackageName, parseRegistryPath } from './packageName.ts'
import { isPublicAddress } from './publicAddress.ts'
import { SafeFetch } from './safeFetch.ts'

describe('registry paths', () => {
  it('PK10: reads names, scoped names in both spellings, and archives', () => {
    expect(parseRegistryPath('react')).toEqual({ kind: 'metadata', name: 'react' })
    expect(parseRegistryPath('@types%2fnode?write=true')).toEqual({ kind: 'metadata', name: '@types/node' })
    expect(parseRegistryPath('@types/node/-/node-20.0.0.tgz')).toEqual({
      kind: 'tarball',
      name: '@types/node',
      file: 'node-20.0.0.tgz',
    })
  })

  it.each([
    '',
    '..',
    '../etc/passwd',
    '%2e%2e%2fetc',
    'a/b',
    '@a/b/c',
    'a/-/../b.tgz',
    'a/-/b.tar',
    '%',
    'a%00',
    '-/all',
    '@/x',
    '.hidden',
  ])('PK10: refuses %j', (path) => {
    expect(parseRegistryPath(path)).toBeUndefined()
  })

  it('PK10: bounds the length of a name', () => {
    expect(isPackageName('a'.repeat(214))).toBe(true)
    expect(isPackageName('a'.repeat(215))).toBe(false)
  })
})

describe('addresses', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '::1',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '224.0.0.1',
    '255.255.255.255',
    'localhost',
    '',
  ])('PK2: %j is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it('PK2: public addresses are', () => {
    expect(['1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'].map(isPublicAddress)).toEqual([true, true, true])
  })

  it.each(['file:///etc/passwd', 'ftp://example.org/', 'http://user:secret@example.org/', 'nonsense'])(
    'PK1: refuses %j',
    async (url) => {
      const fetch = new SafeFetch({ trustedOrigins: [] })
      await expect(fetch.fetch(url, {})).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
      await fetch.close()
    },
  )

  it.each(['http://127.0.0.1:1/', 'http://2130706433/', 'http://0x7f.1/', 'http://[::1]/', 'http://[::ffff:7f00:1]/'])(
    'PK2: refuses %j',
    async (url) => {
      const fetch = new SafeFetch({ trustedOrigins: [] })
      await expect(fetch.fetch(url, {})).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' })
      await fetch.close()
    },
  )
})

describe('checksums', () => {
  it('PK14: prefers sha512 and falls back to sha1', () => {
    const hex = 'ab'.repeat(64)
    const integrity = `sha1-xxx sha512-${Buffer.from(hex, 'hex').toString('base64')}`
    expect(checksumOf({ integrity })).toEqual({ algorithm: 'sha512', hex })
    expect(checksumOf({ shasum: 'cd'.repeat(20) })).toEqual({ algorithm: 'sha1', hex: 'cd'.repeat(20) })
    expect(checksumOf({ shasum: '../../x' })).toBeUndefined()
  })

  it.each([
    'sha512-',
    'sha512-qw==',
    'sha512-../../../../etc/passwd',
    'sha512-?',
    'sha1-xxx',
    `sha512-${'A'.repeat(400)}`,
  ])('PK14: %j is none', (integrity) => {
    expect(checksumOf({ integrity })).toBeUndefined()
    expect(checksumOf({ integrity, shasum: 'cd'.repeat(20) })).toEqual({ algorithm: 'sha1', hex: 'cd'.repeat(20) })
  })
})

describe('errors', () => {
  it('every code has a status, a message and what to do next', () => {
    for (const [code, { status, message, next }] of Object.entries(packerErrors)) {
      expect(new PackerError(code as keyof typeof packerErrors).status).toBe(status)
      expect(message.length * next.length).toBeGreaterThan(0)
    }
  })
})
