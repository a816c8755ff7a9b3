import { describe, expect, it } from 'vitest'
import { classify, requestSchema } from './envelope.ts'

describe('envelope', () => {
  it('P6: server messages are told apart by the keys they have', () => {
    expect(classify({ method: 'fs/operations', params: {} }).kind).toBe('notification')
    expect(classify({ id: 0, error: null, result: 1 }).kind).toBe('error')
    expect(classify({ id: 0, method: 'fs/read', status: 0, result: null }).kind).toBe('result')
    for (const neither of [{ id: 0, params: {} }, { method: 'x' }, null, 'text', 3]) {
      expect(() => classify(neither)).toThrow('Unable to identify message type')
    }
  })

  it('P7: a request has an id that counts and a method; params may be absent', () => {
    expect(requestSchema.parse({ id: 0, method: 'fs/read' })).toEqual({ id: 0, method: 'fs/read' })
    for (const id of [-1, 0.5, '1', undefined]) expect(requestSchema.safeParse({ id, method: 'a' }).success).toBe(false)
    expect(requestSchema.safeParse({ id: 1, method: '' }).success).toBe(false)
  })
})
