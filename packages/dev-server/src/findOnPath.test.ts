import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findOnPath } from './findOnPath.ts'

it('finds the first program of a name, and no folders, plain files or relative places', async () => {
  const root = await mkdtemp(join(tmpdir(), 'path-'))
  try {
    for (const folder of ['a/tool', 'b', 'c', 'd']) await mkdir(join(root, folder), { recursive: true })
    for (const folder of ['b', 'c', 'd']) await writeFile(join(root, folder, 'tool'), '', { mode: 0o644 })
    const path = ['.', 'b', ...['a', 'b', 'c', 'd'].map((folder) => join(root, folder))].join(':')
    expect(findOnPath('tool', path)).toBeUndefined()
    for (const folder of ['c', 'd']) await chmod(join(root, folder, 'tool'), 0o755)
    expect(findOnPath('tool', path)).toBe(join(root, 'c', 'tool'))
    expect(findOnPath('tool', undefined)).toBeUndefined()
  } finally {
    await rm(root, { recursive: true })
  }
})
