import { expect, test } from 'vitest'
import { renamedPath } from './renamedPath.ts'

test('WB879: a renamed file or folder takes what is in it along, and nothing that only begins like it', () => {
  expect(renamedPath('/w/a.txt', '/w/a.txt', '/w/b.txt')).toBe('/w/b.txt')
  expect(renamedPath('/w/in/a.txt', '/w/in', '/w/out/in')).toBe('/w/out/in/a.txt')
  expect(renamedPath('/w/inner/a.txt', '/w/in', '/w/out')).toBeUndefined()
})
