import { expect, test } from 'vitest'
import { uploadFailureText } from './uploadFailureText.ts'

const failed = (...names: string[]) => names.map((name) => ({ name, error: new Error('There is no room.') }))

test('WB880: what failed is named, with the reason, and long lists and names are cut', () => {
  expect(uploadFailureText(failed('a.txt', 'in/b.txt'))).toBe(
    'Not uploaded: a.txt, in/b.txt. There is no room. Everything else was uploaded.',
  )
  expect(uploadFailureText(failed(...'abcdefg'))).toContain('Not uploaded: a, b, c, d, e, 2 more.')
  expect(uploadFailureText(failed('x'.repeat(300)))).toContain(`: ${'x'.repeat(60)}…. `)
})
