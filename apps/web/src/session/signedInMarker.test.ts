import { expect, it } from 'vitest'
import { markerValue } from './signedInMarker.ts'

it('finds the marker among the cookies', () => {
  expect(markerValue('a=b; signedIn=true; c=d')).toBe('true')
  expect(markerValue('signedIn=false')).toBe('false')
  expect(markerValue('notsignedIn=true')).toBeNull()
  expect(markerValue('')).toBeNull()
})

it('is not ended by one that a page of a preview has set for the whole site, wherever that stands', () => {
  expect(markerValue('signedIn=false; signedIn=true')).toBe('true')
  expect(markerValue('signedIn=true; signedIn=false; signedIn=')).toBe('true')
  expect(markerValue('signedIn=false; signedIn=false')).toBe('false')
})
