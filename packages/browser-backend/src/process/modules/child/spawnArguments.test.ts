import { expect, it } from 'vitest'
import { forkArguments } from './spawnArguments.ts'

it('BB1158: what forks hands on its options, but not that it runs tests or waits for changes', () => {
  const given = { execPath: '/usr/bin/node', execArgv: ['--test', '--watch', '--no-warnings'] }
  expect(forkArguments('a.js', ['b'], {}, given).args).toEqual(['--no-warnings', 'a.js', 'b'])
})
