import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

function rulesIn(path: string): string[] {
  const rules = readFileSync(join(root, path), 'utf8').matchAll(/^- \*\*([A-Z\d, ]+)\*\*/gm)
  return [...rules].flatMap(([, ids = '']) => ids.split(', '))
}

function titlesIn(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .join('\n')
}

describe('rules', () => {
  it.each(['dev-server', 'protocol'])('every rule of %s has its test, and every test its rule', (name) => {
    const rules = rulesIn(`${name}/SPEC.md`)
    const titles = titlesIn(`${name}/src`)
    const tested = [...titles.matchAll(/(?:it|\))\(\s*['`]((?:DS|FS|FILE|JOURNAL|P)\d+):/g)].map(([, id]) => id)
    expect(new Set(rules).size).toBe(rules.length)
    expect([...new Set(tested)].toSorted()).toEqual(rules.toSorted())
  })

  it.each([
    ['SPEC-git.md', 'GI'],
    ['SPEC-language.md', 'LG'],
    ['SPEC-areas.md', 'AR'],
  ])('every rule of %s has its test, and every test its rule', (file, prefix) => {
    const rules = rulesIn(`dev-server/${file}`)
    const titles = titlesIn('dev-server/src').matchAll(
      new RegExp(`(?:it|\\))\\(\\s*['\`]((?:${prefix}\\d+(?:, )?)+):`, 'g'),
    )
    const tested = [...titles].flatMap(([, ids = '']) => ids.split(', '))
    expect(new Set(rules).size).toBe(rules.length)
    expect([...new Set(tested)].toSorted()).toEqual(rules.toSorted())
  })
})
