import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OPERATION_ERRORS } from './operation-error.ts'

describe('error catalogue', () => {
  it('OT17: every code is raised somewhere and asserted by a test', () => {
    const folder = new URL('.', import.meta.url)
    const files = readdirSync(folder).filter((name) => !name.startsWith('operation-error'))
    const read = (names: string[]) => names.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
    const tests = read(files.filter((name) => name.endsWith('.test.ts')))
    const sources = read(files.filter((name) => !name.endsWith('.test.ts')))
    for (const code of Object.keys(OPERATION_ERRORS)) {
      expect(sources).toContain(`new OperationError('${code}'`)
      expect(tests).toContain(`toBe('${code}')`)
    }
  })
})
