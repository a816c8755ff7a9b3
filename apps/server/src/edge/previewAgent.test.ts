import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { agentInserter, askForPlainPage, asksForFramedPage, headersWithAgent, isPlainPage } from './previewAgent.ts'

const tag = '<script src="/.well-known/boxyard/agent.js" data-app-origin="http://app.test"></script>'
const passed = async (...chunks: string[]) =>
  (
    await buffer(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(agentInserter('http://app.test')))
  ).toString()

describe('the script of a page in the editor', () => {
  it('stands in front of everything that could run, wherever the bytes are cut', async () => {
    const html = '<!doctype html><html lang="en"><head data-x="1"><script>1</script></head><body>ä</body></html>'
    const wanted = html.replace('<head data-x="1">', `<head data-x="1">${tag}`)
    for (let at = 1; at < html.length; at += 7) expect(await passed(html.slice(0, at), html.slice(at))).toBe(wanted)
  })

  it('comes behind the type of a document without a head, and into a text without anything', async () => {
    expect(await passed('<!doctype html><body><p>Hello')).toBe(`<!doctype html>${tag}<body><p>Hello`)
    expect(await passed('<p>Hello</p>')).toBe(`${tag}<p>Hello</p>`)
    expect(await passed('<body><script>"<head>"</script>')).toBe(`${tag}<body><script>"<head>"</script>`)
    expect(await passed()).toBe('')
  })

  it('does not hold back a page that has no head', async () => {
    const long = '<p>'.padEnd(40_000, 'x')
    expect(await passed(long, 'end')).toBe(`${tag}${long}end`)
  })

  it('is only for plain pages in a frame, which are asked for whole', () => {
    expect(asksForFramedPage('GET', { 'sec-fetch-dest': 'iframe', accept: 'text/html,*/*' })).toBe(true)
    expect(asksForFramedPage('GET', { 'sec-fetch-dest': 'document', accept: 'text/html' })).toBe(false)
    expect(asksForFramedPage('POST', { 'sec-fetch-dest': 'iframe', accept: 'text/html' })).toBe(false)
    expect(isPlainPage({ 'content-type': 'text/html; charset=utf-8' })).toBe(true)
    expect(isPlainPage({ 'content-type': 'text/html', 'content-encoding': 'gzip' })).toBe(false)
    expect(isPlainPage({ 'content-type': 'application/json' })).toBe(false)
    const asked = { 'accept-encoding': 'gzip', 'if-none-match': '"1"', accept: 'text/html' }
    askForPlainPage(asked)
    expect(asked).toEqual({ accept: 'text/html' })
    expect(headersWithAgent({ 'content-length': '5', etag: '"1"', vary: 'Origin', 'x-own': '1' })).toEqual({
      vary: 'Origin, Sec-Fetch-Dest',
      'x-own': '1',
    })
  })
})
