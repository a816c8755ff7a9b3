import { expect, it } from 'vitest'
import { toCamelCase, toSnakeCase } from './caseConversion.ts'

it('renames keys at every depth and leaves values alone', () => {
  expect(toCamelCase({ avatar_url: 'a_b', teams: [{ is_frozen: true }], nothing: null })).toEqual({
    avatarUrl: 'a_b',
    teams: [{ isFrozen: true }],
    nothing: null,
  })
  expect(toSnakeCase({ teamId: 'T_x', list: [{ vmTier: 1 }] })).toEqual({ team_id: 'T_x', list: [{ vm_tier: 1 }] })
})

it('keeps the names of packages', () => {
  expect(toCamelCase({ data: { npm_dependencies: { 'lodash.merge_with': '1', lodash_es: '2' } } })).toEqual({
    data: { npmDependencies: { 'lodash.merge_with': '1', lodash_es: '2' } },
  })
})

it('keeps paths of files', () => {
  const files = { 'src/App.tsx': { content: 'a' }, 'src/useState': { isBinary: true } }
  expect(toSnakeCase({ teamId: 'T', files })).toEqual({ team_id: 'T', files })
})
