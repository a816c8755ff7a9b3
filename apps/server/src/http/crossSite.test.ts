import { describe, expect, it } from 'vitest'
import { isFromApp } from './crossSite.ts'

const app = 'http://app.boxyard.localhost:4100'

describe('an unsafe request', () => {
  it.each([
    ['from the app', { origin: app, cookie: 'a=b' }, true],
    ['from a preview', { origin: 'http://abc123-3000.preview.boxyard.localhost:4100', cookie: 'a=b' }, false],
    ['from a preview, without cookies', { origin: 'http://abc123-3000.preview.boxyard.localhost:4100' }, false],
    ['from a sandboxed frame', { origin: 'null', cookie: 'a=b' }, false],
    ['from the same origin, without an Origin header', { 'sec-fetch-site': 'same-origin', cookie: 'a=b' }, true],
    ['from the same site, without an Origin header', { 'sec-fetch-site': 'same-site', cookie: 'a=b' }, false],
    ['typed by a person', { 'sec-fetch-site': 'none', cookie: 'a=b' }, false],
    ['from an old browser, with cookies', { cookie: 'a=b' }, false],
    ['from a program without cookies', {}, true],
    ['from a program with a token', { authorization: 'Bearer x', origin: 'http://elsewhere.test' }, true],
  ])('%s', (_title, headers, allowed) => {
    expect(isFromApp(headers, app)).toBe(allowed)
  })
})
