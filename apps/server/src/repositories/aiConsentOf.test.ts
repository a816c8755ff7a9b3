import { expect, it } from 'vitest'
import { aiConsentOf } from './aiConsentOf.ts'

const team = {
  aiPrivateRepositories: false,
  aiPublicRepositories: true,
  aiPrivateSandboxes: true,
  aiPublicSandboxes: false,
}

it.each([
  ['the branch says no', { own: [false, true], kind: 'Repositories', isPrivate: false, team }, false],
  ['the repository says yes', { own: [null, true], kind: 'Repositories', isPrivate: true, team }, true],
  ['the workspace decides for public ones', { own: [null, null], kind: 'Repositories', isPrivate: false, team }, true],
  ['the workspace decides for private ones', { own: [null, null], kind: 'Repositories', isPrivate: true, team }, false],
  ['the workspace decides for private sandboxes', { own: [null], kind: 'Sandboxes', isPrivate: true, team }, true],
  ['the workspace decides for public sandboxes', { own: [null], kind: 'Sandboxes', isPrivate: false, team }, false],
  ['the sandbox says no', { own: [false], kind: 'Sandboxes', isPrivate: true, team }, false],
  ['nobody says anything', { own: [null, null], kind: 'Repositories', isPrivate: false, team: null }, false],
] as const)('AP634: consent to artificial intelligence when %s', (_case, said, expected) => {
  expect(aiConsentOf(said)).toBe(expected)
})
