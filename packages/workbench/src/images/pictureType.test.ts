import { expect, test } from 'vitest'
import { pictureType, sizeWords } from './pictureType.ts'

test('WB882: a picture has the type of its name, and its size in words', () => {
  expect(pictureType('/w/a.PNG')).toBe('image/png')
  expect(pictureType('/w/a.b.jpg')).toBe('image/jpeg')
  expect(pictureType('/w/a.svg')).toBe('image/svg+xml')
  expect([70, 1500, 2_340_000].map(sizeWords)).toEqual(['70 B', '1.5 kB', '2.3 MB'])
})
