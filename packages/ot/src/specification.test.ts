import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OPERATION_ERRORS } from './operation-error.ts'

const folder = new URL('.', import.meta.url)
const files = readdirSync(folder).filter((name) => name !== 'specification.test.ts')
const read = (names: string[]) => names.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
const tests = read(files.filter((name) => name.endsWith('.test.ts')))
const sources = read(files.filter((name) => !name.endsWith('.test.ts') && name !== 'operation-error.ts'))

describe('specification', () => {
  it('OT17: every error code is raised somewhere and asserted by a test', () => {
    for (const code of Object.keys(OPERATION_ERRORS)) {
      expect(sources).toContain(`new OperationError('${code}'`)
      expect(tests).toContain(`toBe('${code}')`)
    }
  })

  it('OT19: every rule has a test that carries its id, and every id in a test is a rule', () => {
    const specification = readFileSync(new URL('../SPEC.md', folder), 'utf8')
    const rules = new Set(Array.from(specification.matchAll(/^\| ([A-Z]{2}\d+) /gm), ([, id]) => id))
    const proven = new Set(Array.from(tests.matchAll(/it\(\s*['`]([A-Z]{2}\d+):/g), ([, id]) => id))
    for (const id of ['OT17', 'OT19']) proven.add(id)
    expect([...proven].toSorted()).toEqual([...rules].toSorted())
  })
})
