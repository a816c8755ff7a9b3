import { expect, it } from 'vitest'
import { readmeOf } from './readmeOf.ts'

const file = (name: string) => ({ name, type: 0 as const, isSymlink: false })

it('WB45: the first file is the README, whatever its case, the one in Markdown before others', () => {
  expect(readmeOf([file('a.md'), file('readme'), file('Readme.md')])).toBe('Readme.md')
  expect(readmeOf([file('README.txt')])).toBe('README.txt')
})

it('WB45: a folder or another file is no README', () => {
  expect(readmeOf([{ name: 'README.md', type: 1, isSymlink: false }, file('readme.ts')])).toBeUndefined()
})
