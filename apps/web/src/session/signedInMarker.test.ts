import { expect, it } from 'vitest'
import { markerValue } from './signedInMarker.ts'

it('finds the marker among the cookies', () => {
  expect(markerValue('a=b; signedIn=true; c=d')).toBe('true')
  expect(markerValue('signedIn=false')).toBe('false')
  expect(markerValue('notsignedIn=true')).toBeNull()
  expect(markerValue('')).toBeNull()
})
