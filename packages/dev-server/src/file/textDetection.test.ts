import { describe, expect, it } from 'vitest'
import { readText } from './textDetection.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('text detection', () => {
  it('FILE24: known extensions decide before the content', () => {
    expect(readText('/a.png', utf8('text'))).toBeNull()
    expect(readText('/a.TS', utf8('a\u0001b'))).toBe('a\u0001b')
  })

  it('FILE25: without one, control bytes of 8 and lower mean binary', () => {
    expect(readText('/Makefile', utf8('all:\n\tcc\r\n'))).toBe('all:\n\tcc\r\n')
    for (let byte = 0; byte <= 8; byte += 1) expect(readText('/odd', new Uint8Array([65, byte]))).toBeNull()
    expect(readText('/empty', new Uint8Array())).toBe('')
  })

  it('FILE26: what is not UTF-8 is binary, and a text comes back byte for byte', () => {
    expect(readText('/a.ts', new Uint8Array([0xff, 0xfe, 65]))).toBeNull()
    const withMark = '\uFEFFconst a = 1\r\n'
    expect(readText('/a.ts', utf8(withMark))).toBe(withMark)
  })
})
