import { expect, it } from 'vitest'
import { aiConsentOf } from './aiConsentOf.ts'

const team = { aiPrivateRepositories: false, aiPublicRepositories: true }

it.each([
  ['the branch says no', { branch: false, project: true, isPrivate: false, team }, false],
  ['the repository says yes', { branch: null, project: true, isPrivate: true, team }, true],
  ['the workspace decides for public ones', { branch: null, project: null, isPrivate: false, team }, true],
  ['the workspace decides for private ones', { branch: null, project: null, isPrivate: true, team }, false],
  ['nobody says anything', { branch: null, project: null, isPrivate: false, team: null }, false],
])('AP634: consent to artificial intelligence when %s', (_case, said, expected) => {
  expect(aiConsentOf(said)).toBe(expected)
})
