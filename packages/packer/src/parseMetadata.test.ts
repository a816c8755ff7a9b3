import { expect, test } from 'vitest'
import { MAX_METADATA_BYTES, parseMetadata } from './parseMetadata.ts'

const refusal = (body: Buffer) => {
  try {
    parseMetadata('bomb', body)
    return 'taken'
  } catch (error) {
    return (error as { code?: string }).code
  }
}

test.each([
  ['a list of millions of values', `[${'1,'.repeat(4_000_001)}1]`],
  ['lists in lists', '['.repeat(4_000_001)],
  ['objects in objects', '{"a":'.repeat(4_000_001)],
])('PK941: %s is refused', (_, text) => {
  expect(refusal(Buffer.from(text))).toBe('TOO_LARGE')
})

test('PK941: what is larger than any package is refused', () => {
  expect(refusal(Buffer.alloc(MAX_METADATA_BYTES + 1, ' '))).toBe('TOO_LARGE')
})

test('PK941: what is no JSON is told as what it is', () => {
  expect(refusal(Buffer.from('<html>'))).toBe('UPSTREAM')
  expect(parseMetadata('a', Buffer.from('{"versions":{}}'))).toEqual({ versions: {} })
})
