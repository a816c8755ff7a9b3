import { expect, it } from 'vitest'
import { addressOfConverted, convertedNotice } from './convertedNotice.ts'

it('AP956: the devbox that a sandbox has become opens at the same file, and says what it is', () => {
  const address = addressOfConverted('one', 'src/a b.ts')
  expect(address).toBe('/devbox/one?migrateFrom=sandbox&file=src%2Fa+b.ts')
  expect(convertedNotice(address.slice(address.indexOf('?')))).toMatchObject({ title: 'This is a devbox now' })
  expect(addressOfConverted('one', undefined)).toBe('/devbox/one?migrateFrom=sandbox')
  expect(convertedNotice('?file=a')).toBeNull()
})
