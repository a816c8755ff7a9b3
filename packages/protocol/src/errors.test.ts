import { describe, expect, it } from 'vitest'
import { ProtocolError, protocolErrors, rawFsError } from './errors.ts'

describe('errors', () => {
  it('P9: every code is there once, with a message and a next step', () => {
    const codes = Object.values(protocolErrors).map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    for (const { message, next } of Object.values(protocolErrors)) {
      expect(message).toMatch(/^[A-Z]/)
      expect(next).toMatch(/\.$/)
    }
  })

  it('P10: an error knows its name; a file-system error always carries errno', () => {
    expect(new ProtocolError('NO_ACCESS')).toMatchObject({ code: 2, codeName: 'NO_ACCESS' })
    expect(new ProtocolError(-32_000).codeName).toBeUndefined()
    expect(rawFsError(2, 'gone')).toMatchObject({ code: 102, message: 'gone', data: { errno: 2 } })
    expect(rawFsError(null, 'odd').data).toEqual({ errno: null })
  })
})
