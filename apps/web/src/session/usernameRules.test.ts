import { expect, it } from 'vitest'
import { usernameProblem } from './usernameRules.ts'

it('accepts plain names and says what is wrong with others', () => {
  for (const name of ['ada', 'Ada-Lovelace', 'a1', 'x_y']) expect(usernameProblem(name)).toBeNull()
  expect(usernameProblem('a')).toContain('at least 2')
  expect(usernameProblem('a'.repeat(40))).toContain('at most 39')
  for (const name of ['-ada', 'ada-', 'a b', 'a/b', 'ä1']) expect(usernameProblem(name)).toContain('letters, digits')
})
