import { expect, it } from 'vitest'
import { packagesOfTailwind, usesTailwind } from './tailwind.ts'

const four = { tailwindcss: '^4.1.0' }

it('BB891: knows the style sheets that are for Tailwind CSS', () => {
  for (const text of [
    '@import "tailwindcss";',
    "@import 'tailwindcss/theme';",
    '.a { @apply flex }',
    '@theme { --a: 1 }',
  ])
    expect(usesTailwind('/a.css', text, four)).toBe(true)
  expect(usesTailwind('/a.css', '.a { color: red } @media print { .b { top: 0 } }', four)).toBe(false)
  expect(usesTailwind('/a.css', '@import "tailwindcss";', {})).toBe(false)
})

it('BB892: says that versions before 4 need a machine', () => {
  for (const range of ['^3.4.1', '3', '~2.0.0'])
    expect(() => usesTailwind('/a.css', '@tailwind base;', { tailwindcss: range })).toThrow(/version 4 can/)
  for (const range of ['latest', '4', '^4.0.0', '>=4', '30.0.0'])
    expect(usesTailwind('/a.css', '@tailwind utilities;', { tailwindcss: range })).toBe(true)
})

it('BB892: finds what a style sheet and those that it imports take from packages', () => {
  const files = new Map([
    ['/src/more.css', '@plugin "@tailwindcss/typography"; @import "./main.css"; @reference "tailwindcss/theme";'],
  ])
  const text = `@import "tailwindcss"; @import url("https://fonts.example/a.css"); @import './more'; @import "tw-animate-css/a.css"; @plugin './own.js';`
  expect(packagesOfTailwind('/src/main.css', text, files)).toEqual([
    '@tailwindcss/typography',
    'tailwindcss/index.css',
    'tailwindcss/theme.css',
    'tw-animate-css/a.css',
  ])
})
