import { describe, expect, it } from 'vitest'
import { createHostMatcher } from './hosts.ts'

const match = createHostMatcher({ base: 'boxyard.localhost:4100', port: 4100 })

describe('host names', () => {
  it.each([
    ['app.boxyard.localhost:4100', 'app'],
    ['APP.Boxyard.localhost:4100', 'app'],
    ['boxyard.localhost:4100', 'base'],
    ['localhost:4100', 'base'],
    ['127.0.0.1:4100', 'base'],
    ['abc123-3000.preview.boxyard.localhost:4100', 'preview'],
    [`frame-${'0v'.repeat(26)}.preview.boxyard.localhost:4100`, 'editorFrame'],
    [`frame-v--${'0v'.repeat(26)}.preview.boxyard.localhost:4100`, 'editorFrame'],
    [`frame-${'0v'.repeat(25)}.preview.boxyard.localhost:4100`, 'unknown'],
    [`frame-${'0v'.repeat(26)}.boxyard.localhost:4100`, 'unknown'],
    ['frame-3000.preview.boxyard.localhost:4100', 'preview'],
    ['app.boxyard.localhost', 'unknown'],
    ['app.boxyard.localhost:4101', 'unknown'],
    ['x.app.boxyard.localhost:4100', 'unknown'],
    ['app.boxyard.localhost:4100.evil.test', 'unknown'],
    ['evil-app.boxyard.localhost:4100', 'unknown'],
    ['preview.boxyard.localhost:4100', 'unknown'],
    ['a.abc123-3000.preview.boxyard.localhost:4100', 'unknown'],
    ['abc123-0.preview.boxyard.localhost:4100', 'unknown'],
    ['abc123-03000.preview.boxyard.localhost:4100', 'unknown'],
    ['abc123-65536.preview.boxyard.localhost:4100', 'unknown'],
    ['abc123.preview.boxyard.localhost:4100', 'unknown'],
    ['-3000.preview.boxyard.localhost:4100', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('%s is %s', (host, kind) => {
    expect(match(host).kind).toBe(kind)
  })

  it('give a preview its box and port, also with dashes in the id', () => {
    expect(match('abc-1-65535.preview.boxyard.localhost:4100')).toEqual({
      kind: 'preview',
      target: { boxId: 'abc-1', port: 65_535 },
    })
  })
})
