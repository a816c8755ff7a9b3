import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ensureZshSettings, findShellPrograms } from './interactiveShell.ts'

it('SH2: a terminal is zsh where it is installed, else bash, which has to be there', async () => {
  const root = await mkdtemp(join(tmpdir(), 'shells-'))
  try {
    for (const folder of ['none', 'bash', 'zsh']) await mkdir(join(root, folder))
    const install = (name: string) => writeFile(join(root, name, name), '', { mode: 0o755 })
    await install('bash')
    await install('zsh')
    const at = (...folders: string[]) => folders.map((folder) => join(root, folder)).join(':')
    const bash = join(root, 'bash/bash')
    expect(findShellPrograms(at('none', 'bash', 'zsh'))).toEqual({ interactive: join(root, 'zsh/zsh'), bash })
    expect(findShellPrograms(at('none', 'bash'))).toEqual({ interactive: bash, bash })
    expect(() => findShellPrograms(at('none', 'zsh'))).toThrow('bash is not installed')

    await ensureZshSettings(join(root, 'home'))
    const settings = join(root, 'home/.zshrc')
    expect(await readFile(settings, 'utf8')).toContain('PROMPT=')
    await writeFile(settings, 'mine')
    await ensureZshSettings(join(root, 'home'))
    expect(await readFile(settings, 'utf8')).toBe('mine')
  } finally {
    await rm(root, { recursive: true })
  }
})
