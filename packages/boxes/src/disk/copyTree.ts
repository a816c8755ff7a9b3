import { diskCommand } from '../runCommand.ts'
import type { DiskOwner } from './workspaceStore.ts'

/** Copies the content of a host folder into an existing empty one and makes `owner` its owner. Links are copied as links. */
export async function importFolder(source: string, target: string, owner: DiskOwner | null): Promise<void> {
  await diskCommand('cp', ['-R', '-P', '-p', '--', `${source}/.`, target])
  await own(target, owner)
}

/** Makes `owner` the owner of a tree. Without one everything stays with the user of the server. */
export async function own(tree: string, owner: DiskOwner | null): Promise<void> {
  if (owner === null) return
  await diskCommand('chown', ['-h', '-R', '--', `${owner.uid}:${owner.gid}`, tree])
}

/** Copies a tree with everything the file system knows about it. `target` must not exist. */
export async function cloneTree(
  source: string,
  target: string,
  reflink: 'always' | 'auto' | 'unsupported',
): Promise<void> {
  const flags = reflink === 'unsupported' ? ['-R', '-P', '-p'] : ['-a', `--reflink=${reflink}`]
  await diskCommand('cp', [...flags, '--', source, target])
}

/** Blocks in bytes that a tree occupies. */
export async function treeUsage(tree: string): Promise<number> {
  const output = await diskCommand('du', ['-s', '-k', '--', tree])
  return Number.parseInt(output, 10) * 1024
}
