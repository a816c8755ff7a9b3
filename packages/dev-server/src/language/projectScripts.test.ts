import { expect, it } from 'vitest'
import { projectScripts } from './projectScripts.ts'

const scripts = (paths: string[], open: string[] = []): string[] => projectScripts(paths, open, 'typescript')

it('LG15: a project is known by a script of its own, rather than by one of its tools', () => {
  const paths = [
    'eslint.config.js',
    'index.html',
    'scripts/a.ts',
    'src/deep/a.ts',
    'src/env.d.ts',
    'src/main.tsx',
    'tsconfig.json',
  ]
  expect(scripts(paths)).toEqual(['src/main.tsx'])
  expect(scripts(['vite.config.ts', 'tsconfig.json'])).toEqual(['vite.config.ts'])
  expect(scripts(['index.html', 'style.css', 'tsconfig.json'])).toEqual([])
})

it('LG15: each project of a workspace has one, but for those of which somebody has one open, and no more than eight', () => {
  const paths = [
    'app/tsconfig.json',
    'app/src/a.ts',
    'app/src/b.ts',
    'lib/jsconfig.json',
    'lib/index.js',
    'loose.ts',
    'tsconfig.json',
  ]
  expect(scripts(paths)).toEqual(['app/src/a.ts', 'loose.ts', 'lib/index.js'])
  expect(scripts(paths, ['app/src/b.ts'])).toEqual(['loose.ts', 'lib/index.js'])
  expect(scripts(paths, ['loose.ts', 'app/src/a.ts', 'lib/index.js'])).toEqual([])
  const many = Array.from({ length: 20 }, (_, index) => [`p${index}/tsconfig.json`, `p${index}/main.ts`]).flat()
  expect(scripts(many)).toHaveLength(8)
})
