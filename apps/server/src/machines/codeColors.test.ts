import { colorThemes } from '@boxyard/workbench/theme'
import { expect, it } from 'vitest'
import { codeColors } from './codeColors.ts'

const partsOf = (text: string, line: readonly number[], colors: readonly string[]) => {
  const parts: [string, string][] = []
  let at = 0
  for (let run = 0; run < line.length; run += 2)
    parts.push([text.slice(at, (at += line[run]!)), colors[line[run + 1]!]!])
  return parts
}

it('colors code as our theme does, over several lines', async () => {
  const text = '/* a comment\n over two lines */ const answer = "42"\n'
  const { colors, lines } = await codeColors('src/a.ts', text, 'dark', { all: Infinity, line: 0 })
  const [first, second] = text.split('\n')
  const comment = partsOf(first!, lines[0]!, colors)[0]![1]
  const parts = partsOf(second!, lines[1]!, colors)
  expect(parts.map(([part]) => part).join('')).toBe(second)
  expect(parts[0]).toEqual([' over two lines */', comment])
  const keyword = parts.find(([part]) => part.includes('const'))![1]
  const string = parts.find(([part]) => part.includes('42'))![1]
  expect(new Set([comment, keyword, string]).size).toBe(3)
  const known = JSON.stringify(colorThemes.dark.tokenColors).toLowerCase()
  expect(known).toContain(string.toLowerCase())
})

it('leaves a text of an unknown kind plain', async () => {
  expect(await codeColors('LICENSE', 'MIT', 'light')).toEqual({ colors: [], lines: [] })
  expect(await codeColors('a.constructor', 'x', 'light')).toEqual({ colors: [], lines: [] })
})
