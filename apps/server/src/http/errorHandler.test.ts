import { ApiError, apiErrors } from '@boxyard/api'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { presentError, toApiError } from './errorHandler.ts'

const withCode = (message: string, fields: object) => Object.assign(new Error(message), fields)

describe('what a route throws', () => {
  it.each([
    [new ApiError('FORBIDDEN'), 'FORBIDDEN'],
    [withCode('body', { statusCode: 413 }), 'PAYLOAD_TOO_LARGE'],
    [withCode('json', { statusCode: 400 }), 'MALFORMED'],
    [withCode('connect', { code: 'ECONNREFUSED', syscall: 'connect' }), 'UNAVAILABLE'],
    [new Error('Failed query', { cause: withCode('connect', { code: 'ENOENT', syscall: 'connect' }) }), 'UNAVAILABLE'],
    [new Error('Failed query', { cause: new Error('Connection terminated unexpectedly') }), 'UNAVAILABLE'],
    [withCode('open', { code: 'ENOENT', syscall: 'open' }), 'INTERNAL'],
    [new Error('secret detail'), 'INTERNAL'],
    ['not an error', 'INTERNAL'],
  ])('AP6: %s becomes %s', (thrown, code) => {
    const known = toApiError(thrown)
    expect(known.code).toBe(code)
    expect(known.message).toBe(apiErrors[known.code].message)
  })

  it('AP7: is told in the shape that the clients of the path read', () => {
    const { message, next } = apiErrors.NOT_FOUND
    const error = new ApiError('NOT_FOUND')
    expect(presentError(error, '/api/v1/x')).toEqual({ error: { code: 'NOT_FOUND', message, next } })
    expect(presentError(error, '/api/vm/x/start')).toEqual({ errors: [message], code: 'NOT_FOUND', next })
    const fields = new ApiError('INVALID_INPUT', { fields: { title: ['Give it a title.'] } })
    expect(presentError(fields, '/api/v1/x')).toMatchObject({ errors: { title: ['Give it a title.'] } })
  })
})

describe('the error catalogue', () => {
  it('AP8: has no code that nothing raises', () => {
    const root = new URL('..', import.meta.url)
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(name, root), 'utf8'))
      .join('\n')
    expect(Object.keys(apiErrors).filter((code) => !sources.includes(`'${code}'`))).toEqual([])
  })
})
