import { expect, it } from 'vitest'
import { guessPack } from './guessPack.ts'

const manifest = (...names: string[]) =>
  ['/package.json', JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1'])) })] as const
const page = ['/index.html', '<div id="root"></div><script type="module" src="/src/main.tsx"></script>'] as const
const specifiersOf = (...files: (readonly [string, string | null])[]) =>
  guessPack([page, ...files])?.specifiers.toSorted() ?? null

it('AP937: the packages that the scripts of a page import are seen without a compiler', () => {
  const found = specifiersOf(
    manifest('react', 'react-dom', '@scope/a', 'late', 'vite'),
    ['/vite.config.ts', "import { defineConfig } from 'vite'"],
    [
      '/src/main.tsx',
      `import { createRoot } from "react-dom/client"
import { App } from './App.tsx'
import './main.css'
import type { Other } from 'types-alone'
createRoot(document.body).render(<App />)`,
    ],
    ['/src/main.css', '.a { color: red }'],
    [
      '/src/App.tsx',
      "import a from '@scope/a/part'\nexport { b } from './parts'\nexport const later = () => import('late')",
    ],
    ['/src/parts/index.ts', "import {\n  useState,\n} from 'react'\nimport picture from '../picture.png'"],
    ['/src/picture.png', null],
    ['/src/App.test.tsx', "import { it } from 'vitest'"],
  )
  expect(found).toEqual(['@scope/a/part', 'late', 'react', 'react-dom/client', 'react/jsx-dev-runtime'])
})

it('AP937: the ranges are those of package.json, whatever kind of dependency it is', () => {
  const text = JSON.stringify({ devDependencies: { a: '^1', b: '1' }, dependencies: { a: '^2' } })
  expect(
    guessPack([
      ['/package.json', text],
      ['/src/index.js', "import 'a'"],
    ]),
  ).toEqual({
    dependencies: { a: '^2', b: '1' },
    specifiers: ['a'],
  })
})

it.each([
  ['a package that is not declared', "import 'b'", undefined],
  ['a name that settings give a meaning', "import '@/b'", undefined],
  ['a file that is not there', "import './b'", undefined],
  ['a component with a compiler of its own', "import './b.vue'", ['/src/b.vue', '<template></template>']],
  ['a style sheet with one', "import './b.css'", ['/src/b.css', '@import "tailwindcss";']],
  ['modules by a pattern', "import 'a'\nimport.meta.glob('./*.ts')", undefined],
  ['nothing', 'export {}', undefined],
  ['too much', `import 'a'\n// ${'x'.repeat(1024 * 1024)}`, undefined],
] as const)('AP937: where a script imports %s, that is left to the compiler', (_, text, more) => {
  expect(specifiersOf(manifest('a'), ['/src/main.tsx', text], ...(more ? [more] : []))).toBeNull()
})

it('AP937: a text that is made to be hard to look through is looked through as any other', () => {
  const texts = ['from ', 'import type ', 'import(', 'import type {} from ', '<', "from'"]
  for (const text of texts) {
    const hard = text.repeat(Math.floor(1_000_000 / text.length))
    expect(specifiersOf(manifest('a'), ['/src/main.tsx', hard])).toBeNull()
  }
})
