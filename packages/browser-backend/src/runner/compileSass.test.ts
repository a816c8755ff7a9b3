import * as sass from 'sass'
import { expect, it } from 'vitest'
import { compileSass } from './compileSass.ts'
import type { SassCompiler } from './compileSass.ts'

const compile = (files: Record<string, string>, path = '/src/a.scss') =>
  compileSass(sass as unknown as SassCompiler, path, files[path]!, new Map(Object.entries(files)))

it('BB620: compiles Sass with what it uses of the project, and tells what that is', () => {
  const { css, includes } = compile({
    '/src/a.scss': `@use 'colors'; @use '../theme/size' as *; @use 'theme/mix';
      .card { color: colors.$main; @include mix.big; &:hover { width: $wide } }`,
    '/src/_colors.scss': '$main: red;',
    '/theme/size.sass': '$wide: 3px\n',
    '/theme/mix/_index.scss': '@mixin big { font-size: 20px }',
  })
  expect(css.replace(/\s+/g, ' ')).toBe('.card { color: red; font-size: 20px; } .card:hover { width: 3px; }')
  expect(includes.toSorted()).toEqual(['/src/_colors.scss', '/theme/mix/_index.scss', '/theme/size.sass'])
})

it('BB620: takes the indented form, and names with signs in them', () => {
  const files = { '/ü b/a.sass': '@use "c d"\n.x\n  color: c-d.$y\n', '/ü b/_c d.scss': '$y: blue;' }
  expect(() => compile(files, '/ü b/a.sass')).toThrow(/namespace/)
  const named = { ...files, '/ü b/a.sass': '@use "c d" as c\n.x\n  color: c.$y\n' }
  expect(compile(named, '/ü b/a.sass').css).toContain('color: blue')
})

it('BB621: says where a mistake in Sass is', () => {
  const files = { '/src/a.scss': '@use "b";', '/src/b.scss': '\n.x { color: $none }' }
  let failure: unknown
  try {
    compile(files)
  } catch (error) {
    failure = error
  }
  expect(failure).toMatchObject({ sassMessage: 'Undefined variable.', span: { start: { line: 1, column: 12 } } })
  expect((failure as { span: { url: URL } }).span.url.pathname).toBe('/src/b.scss')
})
