import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clientErrors } from './errors.ts'
import { stateChart } from './testing/stateChart.ts'

const folder = new URL('.', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const read = (names: string[]) => names.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
const isTest = (name: string) => name.endsWith('.test.ts')
const tests = read(files.filter((name) => isTest(name)))
const sources = read(files.filter((name) => !isTest(name) && name !== 'errors.ts' && !name.startsWith('testing')))
const page = (name: string) => readFileSync(new URL(`../${name}`, folder), 'utf8')

describe('the documents of this package', () => {
  it('have a test for every rule, and a rule for every test', () => {
    const rules = new Set(Array.from(page('SPEC.md').matchAll(/^\| (DC\d+) /gm), ([, id]) => id))
    const titles = Array.from(tests.matchAll(/it\(\s*['`]((?:DC\d+(?:, )?)+):/g), ([, ids]) => ids!.split(', ')).flat()
    expect([...new Set(titles)].toSorted()).toEqual([...rules].toSorted())
  })

  it('show the states as the machine has them', () => {
    expect(page('README.md')).toContain(['```mermaid', stateChart(), '```'].join('\n'))
  })

  it('list every error with what to do next, and every error is raised', () => {
    const unpadded = page('README.md').replace(/ +\|/g, ' |')
    for (const [code, { message, next }] of Object.entries(clientErrors)) {
      expect(unpadded).toContain(`| \`${code}\` | ${message} | ${next} |`)
      const raised = code === 'WORKSPACE_FROZEN' ? 'WorkspaceFrozenError' : `new DevServerClientError('${code}'`
      expect(sources).toContain(raised)
    }
  })
})
