import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { themeCss } from '../src/themeCss.ts'

it('theme.css is what the tokens say', () => {
  expect(readFileSync(new URL('../src/theme.css', import.meta.url), 'utf8')).toBe(themeCss())
})
