import { describe, expect, it } from 'vitest'
import { withoutParameters, withoutSecrets } from './logger.ts'

describe('addresses in the log', () => {
  it('keep the names of their parameters and lose the values', () => {
    expect(withoutSecrets('/box/abc?token=secret&v=2')).toBe('/box/abc?token=…&v=…')
    expect(withoutSecrets('/api/health')).toBe('/api/health')
  })
})

describe('errors in the log', () => {
  it('keep the query and lose its values', () => {
    const text = 'Failed query: insert into sessions values ($1)\nparams: hunter2,\nada'
    const logged = withoutParameters({ message: text, stack: `Error: ${text}\n    at somewhere` })
    expect(logged).toEqual({
      message: 'Failed query: insert into sessions values ($1)\nparams: [secret]',
      stack: 'Error: Failed query: insert into sessions values ($1)\nparams: [secret]\n    at somewhere',
    })
  })
})
