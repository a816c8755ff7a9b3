import postcss from 'postcss'
import { expect, it } from 'vitest'
import { compilePostcss } from './compilePostcss.ts'
import type { PostcssCompiler } from './compilePostcss.ts'

const compiler = { default: postcss } as unknown as PostcssCompiler
const sheet = (text: string, ...plugins: { name: string; options: unknown }[]) => ({ path: '/a.css', text, plugins })
const rename = ({ from, to }: { from: string; to: string }) => ({
  postcssPlugin: 'rename',
  Declaration(declaration: { value: string }) {
    if (declaration.value === from) declaration.value = to
  },
})
const load = async (name: string): Promise<Record<string, unknown>> => {
  if (name === 'rename') return { default: rename }
  if (name === 'bare') return Object.assign(() => rename({ from: 'c', to: 'd' }), { postcss: true }) as never
  if (name === 'failing')
    return {
      default: () => ({
        postcssPlugin: 'failing',
        Once: () => {
          throw new TypeError('fs.readFileSync is not a function')
        },
      }),
    }
  if (name === 'placed')
    return {
      default: () => ({
        postcssPlugin: 'placed',
        Declaration(declaration: { error(words: string): Error }) {
          throw declaration.error('not this one')
        },
      }),
    }
  throw new Error('fs is not there')
}

it('BB1106: plug-ins change a sheet in their order, each with its options', async () => {
  const [first, second] = [
    { name: 'rename', options: { from: 'a', to: 'b' } },
    { name: 'rename', options: { from: 'b', to: 'c' } },
  ]
  const { css } = await compilePostcss(
    compiler,
    sheet('p{x:a}', first, second, { name: 'bare', options: undefined }),
    load,
  )
  expect(css).toBe('p{x:d}')
})

it('BB1107: one that can not run here is told by its name', async () => {
  const made = (name: string) => compilePostcss(compiler, sheet('p{x:a}', { name, options: {} }), load)
  await expect(made('missing')).rejects.toThrow(/^The plug-in "missing" of PostCSS can not run in the browser: fs/)
  await expect(made('failing')).rejects.toThrow(/^The plug-in "failing" of PostCSS has failed: fs\.readFileSync/)
})

it('BB1107: a mistake in a sheet is told with its place', async () => {
  const text = 'p {\n  x: a\n'
  const plain = { name: 'rename', options: { from: 'a', to: 'b' } }
  await expect(compilePostcss(compiler, sheet(text, plain), load)).rejects.toMatchObject({
    place: { line: 1, column: 1 },
  })
  await expect(
    compilePostcss(compiler, sheet('p {\n  x: a }', { name: 'placed', options: {} }), load),
  ).rejects.toMatchObject({ reason: 'not this one', place: { line: 2, column: 3 } })
})
