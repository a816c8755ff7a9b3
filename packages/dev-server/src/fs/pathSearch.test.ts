import { describe, expect, it } from 'vitest'
import { searchPaths } from './pathSearch.ts'

const paths = ['src/app/main.ts', 'main.css', 'docs/main/readme.md', 'src/über/index.ts', 'a+b(c).ts']
const found = (text: string): string[] => searchPaths(paths, text).map(({ path }) => path)

describe('path search', () => {
  it('FS15: finds parts of paths in any case, names first', () => {
    expect(found('MAIN')).toEqual(['main.css', 'src/app/main.ts', 'docs/main/readme.md'])
    expect(found('a+b(')).toEqual(['a+b(c).ts'])
    expect(found(' ')).toEqual([])
  })

  it('FS16: understands globs', () => {
    expect(found('*.ts')).toEqual(['a+b(c).ts', 'src/app/main.ts', 'src/über/index.ts'])
    expect(found('src/**/*.ts')).toEqual(['src/app/main.ts', 'src/über/index.ts'])
    expect(found('src/*.ts')).toEqual([])
    expect(found('main.c?s')).toEqual(['main.css'])
  })

  it('FS17: offsets are UTF-8 bytes', () => {
    expect(searchPaths(paths, 'index')[0]?.submatches).toEqual([{ match: { text: 'index' }, start: 10, end: 15 }])
  })

  it('FS20: a pattern of many wildcards is taken as it stands', () => {
    expect(searchPaths([`${'a'.repeat(200)}b`], `${'*a'.repeat(100)}c`)).toEqual([])
    expect(searchPaths(['x/*?*?*?*?*y'], '*?*?*?*?*y').map(({ path }) => path)).toEqual(['x/*?*?*?*?*y'])
  })
})
