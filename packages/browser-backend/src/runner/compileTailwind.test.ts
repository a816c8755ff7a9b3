import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as tailwind from 'tailwindcss'
import { expect, it } from 'vitest'
import { TailwindSheets } from './compileTailwind.ts'
import type { PackageParts, TailwindCompiler } from './compileTailwind.ts'

const compiler = tailwind as unknown as TailwindCompiler

function partsOf(modules: Record<string, Record<string, unknown>> = {}) {
  const fetched: string[] = []
  const parts: PackageParts = {
    pack: 'pack',
    async sheet(specifier) {
      fetched.push(specifier)
      return readFileSync(fileURLToPath(import.meta.resolve(specifier)), 'utf8')
    },
    module: async (specifier) => modules[specifier]!,
  }
  return { parts, fetched }
}

it('BB891: has the styles of the classes that are named, with the theme of the project', async () => {
  const { parts } = partsOf()
  const text = '@import "tailwindcss"; @theme { --color-brand: #123456; }'
  const sheet = {
    path: '/main.css',
    text,
    files: new Map<string, string>(),
    classes: ['bg-brand', 'not-a-class', 'p-3'],
  }
  const { css } = await new TailwindSheets().compile(compiler, sheet, parts)
  expect(css).toContain('.bg-brand')
  expect(css).toContain('--color-brand: #123456')
  expect(css).not.toContain('not-a-class')
})

it('BB891: a sheet that is as it was only gets the styles of further classes', async () => {
  const { parts, fetched } = partsOf()
  const sheets = new TailwindSheets()
  const sheet = { path: '/main.css', text: '@import "tailwindcss";', files: new Map<string, string>() }
  await sheets.compile(compiler, { ...sheet, classes: ['flex'] }, parts)
  const { css } = await sheets.compile(compiler, { ...sheet, classes: ['flex', 'grid'] }, parts)
  expect(css).toMatch(/\.flex[\s\S]*\.grid/)
  expect(fetched).toEqual(['tailwindcss/index.css'])
})

it('BB892: takes in sheets of the project and plug-ins of packages, and begins again when one changes', async () => {
  const plugin = ({ addUtilities }: { addUtilities(given: object): void }) => addUtilities({ '.own': { top: '1px' } })
  const { parts } = partsOf({ own: { default: plugin } })
  const sheets = new TailwindSheets()
  const text = '@import "tailwindcss/utilities"; @import "./theme"; @plugin "own";'
  const sheet = { path: '/src/main.css', text, classes: ['own', 'bg-mine'] }
  const files = new Map([['/src/theme.css', '@theme { --color-mine: red; }']])
  const first = await sheets.compile(compiler, { ...sheet, files }, parts)
  expect(first.includes).toEqual(['/src/theme.css'])
  expect(first.css).toContain('--color-mine: red')
  expect(first.css).toMatch(/\.own \{\s*top: 1px/)
  const changed = new Map([['/src/theme.css', '@theme { --color-mine: blue; }']])
  expect((await sheets.compile(compiler, { ...sheet, files: changed }, parts)).css).toContain('--color-mine: blue')
})

it('BB892: says what it does not take: settings in scripts, and sheets that are not there', async () => {
  const { parts } = partsOf()
  const compile = (text: string) =>
    new TailwindSheets().compile(compiler, { path: '/a.css', text, files: new Map(), classes: [] }, parts)
  await expect(compile('@config "./tailwind.config.js";')).rejects.toThrow(
    /settings of Tailwind CSS are written in CSS/,
  )
  await expect(compile('@import "./gone.css"; @tailwind utilities;')).rejects.toThrow('"./gone.css" is not there')
})
