import { checksumOf, PackerError, unpackArchive } from '@boxyard/packer'
import type { RegistryMirror } from '@boxyard/packer'
import { chmod, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CODE_SERVER, folders, imported, NODE_VERSION, nodePackages, packagesOf, placeOf } from './parts.ts'
import type { PinnedPackage } from './parts.ts'

/** How far it is, for people. */
export type InstallStep = 'downloading' | 'unpacking' | 'done'

/** The name of what is installed: another version never takes the place of one that boxes run. */
export const installedName = `${CODE_SERVER.version}-node-${NODE_VERSION}`

export async function isInstalled(folder: string): Promise<boolean> {
  try {
    return (await stat(join(folder, installedName))).isDirectory()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/**
 * Puts the VS Code server and the Node that it needs into `folder`, which boxes see read-only. It is there wholly or not at all. About 115 MB
 * come from the package registry, each archive is the one that this version of Boxyard was made with, and no program of a package is run.
 * @throws PackerError when the registry does not answer or answers with something else
 */
export async function installVsCodeServer(
  folder: string,
  mirror: Pick<RegistryMirror, 'tarball'>,
  onStep: (step: InstallStep) => void = () => undefined,
): Promise<void> {
  if (await isInstalled(folder)) return onStep('done')
  const nodePackage = nodePackages[process.arch]
  if (!nodePackage) throw new PackerError('NOT_FOUND', `Node for ${process.arch}`)
  const draft = join(folder, `${installedName}.new`)
  await rm(draft, { recursive: true, force: true })
  try {
    onStep('downloading')
    const server = join(draft, folders.server)
    await installServer(mirror, draft, server, onStep)
    const node = join(draft, folders.node)
    await unpack(mirror, nodePackage, node, isNode)
    await chmod(join(node, 'bin', 'node'), 0o755)
    await rename(draft, join(folder, installedName))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  onStep('done')
}

const isNode = (path: string) => path === 'bin/node' || path === 'LICENSE'

async function installServer(
  mirror: Pick<RegistryMirror, 'tarball'>,
  draft: string,
  server: string,
  onStep: (step: InstallStep) => void,
): Promise<void> {
  const whole = join(draft, 'whole')
  const kept: string[] = []
  await unpack(mirror, CODE_SERVER, whole, (path) => {
    const isKept = placeOf(path) !== undefined
    if (isKept) kept.push(path)
    return isKept
  })
  onStep('unpacking')
  for (const path of kept) {
    const target = join(server, placeOf(path)!)
    await mkdir(dirname(target), { recursive: true })
    await rename(join(whole, path), target)
  }
  await rm(whole, { recursive: true })
  for (const [base, roots] of Object.entries(imported)) {
    const shrinkwrap: unknown = JSON.parse(await readFile(join(server, base, 'npm-shrinkwrap.json'), 'utf8'))
    for (const found of packagesOf(shrinkwrap, roots)) await unpack(mirror, found, join(server, base, found.folder))
  }
}

async function unpack(
  mirror: Pick<RegistryMirror, 'tarball'>,
  { name, version, integrity }: PinnedPackage,
  folder: string,
  isWanted?: (path: string) => boolean,
): Promise<void> {
  const file = `${name.slice(name.lastIndexOf('/') + 1)}-${version}.tgz`
  const archive = await mirror.tarball(name, file)
  if (archive.etag !== `"${checksumOf({ integrity })?.hex}"`)
    throw new PackerError('INTEGRITY', `${name}/${file} is another than it was`)
  await mkdir(folder, { recursive: true, mode: 0o755 })
  await unpackArchive(archive.stream(), folder, undefined, isWanted)
}
