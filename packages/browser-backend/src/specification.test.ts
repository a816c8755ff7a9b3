import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('.', import.meta.url)

it('every rule has a test, and every test a rule', () => {
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n')
  const document = readFileSync(new URL('../SPEC.md', folder), 'utf8')
  const rules = Array.from(document.matchAll(/^- (BB\d+) /gm), ([, id]) => id)
  const titles = Array.from(tests.matchAll(/\)?\(\s*['`](BB\d+): /g), ([, id]) => id)
  expect([...new Set(titles)].toSorted()).toEqual([...new Set(rules)].toSorted())
})
