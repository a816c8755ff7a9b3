import { describe, expect, it } from 'vitest'
import { requestHeaders, responseHeaders } from './forwardedHeaders.ts'
import { decidePreviewAccess } from './previewAccess.ts'
import type { PreviewDirectory, PreviewRight } from './previewAccess.ts'
import { isExpectedRequester, ownOrigins } from './previewOrigin.ts'
import { previewWords, renderPreviewPage } from './previewPage.ts'
import { findPreviewToken, withoutPreviewCookie, withoutPreviewToken } from './previewToken.ts'

const site = { protocol: 'http', appOrigin: 'http://app.base.test', base: 'base.test' }

describe('preview token', () => {
  it('is found in the query, the header or the cookie, in this order', () => {
    const headers = { cookie: 'a=1; csb_preview_token=cookie; b=2', 'csb-preview-token': 'header' }
    expect(findPreviewToken('/x?preview_token=query', headers)).toEqual({ token: 'query', from: 'query' })
    expect(findPreviewToken('/x', headers)).toEqual({ token: 'header', from: 'header' })
    expect(findPreviewToken('/x', { cookie: headers.cookie })).toEqual({ token: 'cookie', from: 'cookie' })
    expect(findPreviewToken('/x', { cookie: 'other=1' })).toBeUndefined()
  })

  it('leaves the rest of the address and of the cookies as they are', () => {
    expect(withoutPreviewToken('/a%20b?x=1&preview_token=t&y=%C3%A9&z')).toBe('/a%20b?x=1&y=%C3%A9&z')
    expect(withoutPreviewToken('/a?preview_token=t')).toBe('/a')
    expect(withoutPreviewToken('/a')).toBe('/a')
    expect(withoutPreviewCookie('a=1; csb_preview_token=t; b=2')).toBe('a=1; b=2')
    expect(withoutPreviewCookie('csb_preview_token=t')).toBeUndefined()
  })
})

describe('who may ask', () => {
  const own = ownOrigins({ ...site, boxId: 'abc123' })

  it('the app and every port of the same box, by exact match', () => {
    expect(
      ['http://app.base.test', 'http://abc123-3000.preview.base.test', 'http://abc123-4000.preview.base.test'].map(own),
    ).toEqual([true, true, true])
    const foreign = [
      'http://other1-3000.preview.base.test',
      'http://abc123-3000.preview.base.test.evil.test',
      'http://abc123-3000.evil.preview.base.test',
      'https://abc123-3000.preview.base.test',
      'http://abc123-0.preview.base.test',
      'null',
      '',
    ]
    expect(foreign.map(own)).toEqual(foreign.map(() => false))
  })

  it('programs, navigations and own pages, but no embedding by another preview', () => {
    expect(isExpectedRequester({}, own)).toBe(true)
    expect(isExpectedRequester({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }, own)).toBe(true)
    expect(isExpectedRequester({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }, own)).toBe(false)
    expect(
      isExpectedRequester(
        {
          'sec-fetch-site': 'same-site',
          'sec-fetch-mode': 'no-cors',
          referer: 'http://abc123-3000.preview.base.test/x',
        },
        own,
      ),
    ).toBe(true)
    expect(isExpectedRequester({ origin: 'http://other1-3000.preview.base.test' }, own)).toBe(false)
  })
})

describe('preview access', () => {
  const rights: Record<string, PreviewRight> = { owner: 'write', viewer: 'read' }
  const directory = (anonymous: PreviewRight): PreviewDirectory => ({
    rightOf: (_target, token) => Promise.resolve(token === undefined ? anonymous : (rights[token] ?? anonymous)),
  })
  const decide = (anonymous: PreviewRight, url: string, headers: Record<string, string> = {}, method = 'GET') =>
    decidePreviewAccess({ url, headers, method }, { boxId: 'abc123', port: 3000 }, site, directory(anonymous))
  const navigate = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }

  it('turns a token of the address into a cookie', async () => {
    expect(await decide('none', '/?preview_token=owner', navigate)).toEqual({ kind: 'remember', token: 'owner' })
  })

  it('asks an unknown visitor who he is, once, and only for pages', async () => {
    expect(await decide('none', '/', navigate)).toEqual({ kind: 'identify' })
    expect(await decide('none', '/?preview_token=run-out', navigate)).toEqual({ kind: 'identify' })
    const asked = { ...navigate, cookie: 'a=1; boxyard_preview_renewal=1' }
    expect(await decide('none', '/?preview_token=wrong', asked)).toEqual({ kind: 'refuse', status: 401 })
    expect(await decide('none', '/?preview_token=run-out')).toEqual({ kind: 'refuse', status: 401 })
    expect(await decide('none', '/api')).toEqual({ kind: 'refuse', status: 401 })
    expect(await decide('none', '/', navigate, 'POST')).toEqual({ kind: 'refuse', status: 401 })
  })

  it('lets everybody look at what is public', async () => {
    expect(await decide('read', '/')).toEqual({ kind: 'allow', right: 'read' })
    // The cookie of an owner is not exchanged for a token that has run out.
    expect(await decide('read', '/?preview_token=run-out', navigate)).toEqual({ kind: 'remember', token: undefined })
    expect(await decide('read', '/?preview_token=owner', navigate)).toEqual({ kind: 'remember', token: 'owner' })
  })

  it('does not lend a visitor’s cookie to another preview', async () => {
    const foreign = { cookie: 'csb_preview_token=owner', origin: 'http://other1-3000.preview.base.test' }
    expect(await decide('none', '/', foreign)).toEqual({ kind: 'refuse', status: 403 })
    expect(await decide('read', '/', foreign)).toEqual({ kind: 'allow', right: 'read' })
    expect(await decide('none', '/', { cookie: 'csb_preview_token=owner' })).toEqual({ kind: 'allow', right: 'write' })
  })
})

describe('headers', () => {
  it('keeps connection headers and the token back, and says where the request came from', () => {
    const headers = {
      host: 'abc123-3000.preview.base.test',
      connection: 'keep-alive, x-own',
      'x-own': '1',
      te: 'trailers',
      cookie: 'csb_preview_token=t; a=1',
      'csb-preview-token': 't',
      accept: '*/*',
    }
    expect(requestHeaders(headers, { protocol: 'http', address: '10.0.0.1' })).toEqual({
      host: 'abc123-3000.preview.base.test',
      cookie: 'a=1',
      accept: '*/*',
      'x-forwarded-host': 'abc123-3000.preview.base.test',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '10.0.0.1',
    })
  })

  it('keeps the cookies of a preview on its own origin', () => {
    expect(
      responseHeaders({
        'set-cookie': ['a=1; Domain=base.test; Path=/', 'b=2'],
        'transfer-encoding': 'chunked',
        etag: 'x',
      }),
    ).toEqual({ 'set-cookie': ['a=1; Path=/', 'b=2'], etag: 'x' })
  })
})

describe('preview page', () => {
  it('escapes what a box says', () => {
    const html = renderPreviewPage({
      boxId: 'abc123',
      port: 3000,
      status: {
        ready: true,
        setup: null,
        ports: [],
        tasks: [
          {
            id: '"><img>',
            name: '<b>dev</b>',
            command: '</script>',
            status: 'ERROR',
            preview_port: null,
            ports: [],
            tail: '<script>alert(1)</script>',
          },
        ],
      },
      words: { headline: 'Nothing <b>listens', advice: 'Wait' },
      mayRun: true,
      editorUrl: 'http://app.base.test/devbox/abc123',
      nonce: 'n',
    })
    expect(html).not.toMatch(/<b>(?:dev|listens)/)
    expect(html).not.toContain('<img>')
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('failed')
  })

  const task = (status: string | null, preview_port: number | null = 3000) => ({
    id: 'dev',
    name: 'Server',
    command: 'npm run dev',
    status,
    preview_port,
    ports: [],
    tail: '',
  })
  const up = { ready: true, setup: null, ports: [], tasks: [] }
  const steps = ['a', 'Install'].map((name, index) => ({
    name,
    command: name,
    finishStatus: index ? 'FAILED' : 'SUCCEEDED',
  }))

  it.each([
    ['the box is stopped', null, 'The devbox is stopped'],
    ['it is starting', { ...up, ready: false }, 'The devbox is starting'],
    [
      'the set-up runs',
      { ...up, setup: { state: 'IN_PROGRESS', currentStepIndex: 1, steps } },
      'The set-up is still running',
    ],
    [
      'the set-up failed',
      { ...up, setup: { state: 'STOPPED', currentStepIndex: 1, steps } },
      'The set-up stopped at “Install”',
    ],
    ['the task starts', { ...up, tasks: [task('RUNNING')] }, 'Server is starting'],
    ['the task failed', { ...up, tasks: [task('ERROR')] }, 'Server ended with an error'],
    ['the task ended', { ...up, tasks: [task('FINISHED')] }, 'Server has ended'],
    ['the task was never started', { ...up, tasks: [task(null)] }, 'Server is not running'],
    ['the port is of no task', { ...up, tasks: [task('ERROR', 4000)] }, 'Nothing listens on port 3000'],
  ])('says what happened and what is safe when %s', (_case, status, headline) => {
    const words = previewWords(status, 3000)
    expect(words.headline).toBe(headline)
    expect(words.advice).toContain('Your files are safe.')
  })
})
