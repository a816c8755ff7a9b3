import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BoxError } from '../errors.ts'
import { tryCommand } from '../runCommand.ts'

/**
 * Debian packages from the sources that this machine is configured with, without installing any of them here and without being root: apt
 * works on folders of its own and believes that nothing is installed.
 */
export class AptPackages {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async update(): Promise<void> {
    for (const name of ['lists/partial', 'archives/partial']) {
      await mkdir(path.join(this.#folder, name), { recursive: true, mode: 0o755 })
    }
    await writeFile(path.join(this.#folder, 'status'), '')
    await this.#run('apt-get', ['update'])
  }

  /** Files of the packages and of everything they depend on. */
  async download(names: readonly string[]): Promise<string[]> {
    await this.#run('apt-get', ['install', '--download-only', '--yes', '--no-install-recommends', ...names])
    const archives = path.join(this.#folder, 'archives')
    const files = (await readdir(archives)).filter((name) => name.endsWith('.deb'))
    return files.toSorted().map((name) => path.join(archives, name))
  }

  /** The file of one package without what it depends on. A package that only stands for another one is followed. */
  async downloadAlone(name: string): Promise<string> {
    const depends = await this.#run('apt-cache', ['depends', '--no-recommends', '--no-suggests', name])
    const real = new RegExp(`Depends: (${name.replace(/-cloud-.*$/, '')}-[0-9]\\S*)`, 'm').exec(depends)?.[1] ?? name
    const folder = path.join(this.#folder, 'alone')
    await mkdir(folder, { recursive: true })
    await this.#run('apt-get', ['download', real], folder)
    const file = (await readdir(folder)).find((found) => found.startsWith(`${real}_`))
    if (file === undefined) throw new BoxError('SANDBOX_FAILED', `apt-get did not download ${real}`)
    return path.join(folder, file)
  }

  async #run(command: string, args: readonly string[], cwd?: string): Promise<string> {
    const at = (name: string): string => path.join(this.#folder, name)
    const settings = {
      'Dir::State': at('.'),
      'Dir::State::lists': at('lists'),
      'Dir::State::status': at('status'),
      'Dir::Cache': at('.'),
      'Dir::Cache::archives': at('archives'),
      // The folders belong to the user of the server.
      'APT::Sandbox::User': 'root',
      'Acquire::Languages': 'none',
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const result = await tryCommand(command, [...options, ...args], cwd === undefined ? {} : { cwd })
    if (result.code === 0) return result.stdout
    const said = (result.stderr.trim() || result.stdout.trim()).split('\n').slice(-3).join(' ')
    throw new BoxError('SANDBOX_FAILED', `${command} ${args[0]}: ${said || `ended with ${result.code}`}`)
  }
}
