import { describe, expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

describe('passwords', () => {
  it('match their own hash and no other', async () => {
    const hash = await hashPassword('correct horse battery')
    expect(hash).toMatch(/^scrypt\$32768\$8\$[\w-]{22}\$[\w-]{43}$/)
    expect(await verifyPassword('correct horse battery', hash)).toBe(true)
    expect(await verifyPassword('correct horse batterz', hash)).toBe(false)
    expect(await hashPassword('correct horse battery')).not.toBe(hash)
  })

  it('match however the same letters were typed', async () => {
    expect(await verifyPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait'))).toBe(true)
  })

  it('never match an account that does not exist', async () => {
    expect(await verifyPassword('', null)).toBe(false)
  })
})
