import * as sass from 'sass'
import { expect, it } from 'vitest'
import { compileSass } from '../runner/compileSass.ts'
import type { SassCompiler } from '../runner/compileSass.ts'
import { CompileError } from './errors.ts'
import { plainStyles } from './plainStyles.ts'

const shared = new Map([['/src/_colors.scss', '$ink: #123456;']])
const compile = async (path: string, text: string) => compileSass(sass as unknown as SassCompiler, path, text, shared)

it('BB710: compiles the styles of a component that are in Sass, and leaves everything else as it is', async () => {
  const component = `<script setup lang="ts">const lang = "scss"</script>
<template><p class="a">a</p></template>
<style scoped lang="scss">
@use './colors';
.a { .b { color: colors.$ink } }
</style>
<style lang='sass' module>
.c
  color: red
</style>
<style>.d { color: blue }</style>
`
  const { text, includes } = await plainStyles('/src/A.vue', component, compile)
  expect(text.replaceAll(/\s+/g, ' ')).toBe(
    '<script setup lang="ts">const lang = "scss"</script> <template><p class="a">a</p></template> <style scoped > .a .b { color: #123456; } </style> <style module> .c { color: red; } </style> <style>.d { color: blue }</style> ',
  )
  expect(includes).toEqual(['/src/_colors.scss'])
  expect(await plainStyles('/a.svelte', '<p>plain</p>', compile)).toEqual({ text: '<p>plain</p>', includes: [] })
})

it('BB710: tells a mistake with its line in the component, and one elsewhere as it is', async () => {
  const failing = (file: string) => async () => {
    throw new CompileError({ message: 'expected "}"', file, line: 2, column: 3 })
  }
  const component = '<template>\n</template>\n<style lang="scss">\n.a {\n</style>\n'
  await expect(plainStyles('/A.vue', component, failing('/A.vue.scss'))).rejects.toMatchObject({
    problem: { file: '/A.vue', line: 4, column: 3 },
  })
  await expect(plainStyles('/A.vue', component, failing('/_b.scss'))).rejects.toMatchObject({
    problem: { file: '/_b.scss', line: 2 },
  })
})
