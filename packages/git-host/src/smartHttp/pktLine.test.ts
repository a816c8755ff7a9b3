import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FLUSH, pktLine, readPushRequest, refusePush } from './pktLine.ts'

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)]
const request = Buffer.concat([
  pktLine(`${A} ${B} refs/heads/main\0 report-status side-band-64k agent=git/2\n`),
  pktLine(`${A} ${B} refs/heads/other\n`),
  FLUSH,
])

describe('the commands of a push', () => {
  it('GH10: are read whole, however they are cut', () => {
    fc.assert(
      fc.property(fc.nat(request.length - 1), (cut) => {
        expect(readPushRequest(request.subarray(0, cut))).toBe('incomplete')
      }),
    )
    const read = readPushRequest(Buffer.concat([request, Buffer.from('PACK')]))
    expect(read).toMatchObject({ commands: [{ ref: 'refs/heads/main' }, { ref: 'refs/heads/other' }] })
  })

  it('GH10: that git never sends are malformed, and nothing makes the reader fail', () => {
    expect(readPushRequest(pktLine('hello'))).toBe('malformed')
    expect(readPushRequest(Buffer.from('zzzz'))).toBe('malformed')
    expect(readPushRequest(Buffer.from('0003'))).toBe('malformed')
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readPushRequest(Buffer.from(bytes))))
  })

  it('GH11: are refused with a reason for each ref', () => {
    const read = readPushRequest(request)
    if (typeof read === 'string') throw new Error(read)
    const answer = refusePush(read, (ref) => `no ${ref}`).toString()
    expect(answer).toContain('ng refs/heads/main no refs/heads/main\n')
    expect(answer).toContain('ng refs/heads/other no refs/heads/other\n')
  })
})
