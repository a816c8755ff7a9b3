import { expect, it } from 'vitest'
import { baseOf, previewUrl } from './previewUrl.ts'

it('takes the base from the page, or from the address where nobody filled it in', () => {
  expect(baseOf('boxyard.localhost:4100', 'x')).toBe('boxyard.localhost:4100')
  expect(baseOf('__BASE__', 'app.boxyard.localhost:4100')).toBe('boxyard.localhost:4100')
  expect(baseOf(undefined, 'localhost:5173')).toBe('localhost:5173')
})

it('gives each port of each box an origin of its own', () => {
  expect(previewUrl({ protocol: 'http:', base: 'b.localhost:1', id: 'abc', port: 5173, token: 'a+b' })).toBe(
    'http://abc-5173.preview.b.localhost:1/?preview_token=a%2Bb',
  )
})
