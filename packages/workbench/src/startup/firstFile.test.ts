import { expect, it } from 'vitest'
import { firstFile } from './firstFile.ts'

const file = (name: string) => ({ name, type: 0 as const, isSymlink: false })

it('WB45: the first file is the one asked for', () => {
  expect(firstFile('/src/App.tsx', [file('README.md')])).toBe('src/App.tsx')
})

it('WB45: otherwise it is the README, whatever its case', () => {
  expect(firstFile(undefined, [file('a.md'), file('readme'), file('Readme.md')])).toBe('Readme.md')
  expect(firstFile(undefined, [{ name: 'README.md', type: 1, isSymlink: false }, file('index.ts')])).toBeUndefined()
})
