import { z } from 'zod'
import type { KeptTree } from './sharedTrees.ts'

/** How a disk reaches the sandbox: as a plain folder, or as layers that the launcher mounts in a mount namespace of its own. */
export type DiskMount =
  | { kind: 'folder'; path: string }
  /** `options` of the overlay mount; the paths in it are relative to `cwd`. */
  | { kind: 'overlay'; cwd: string; options: string }

/** The three folders of a disk, forked together. */
export const diskFolders = ['workspace', 'home', 'state'] as const

/** The user that owns the content of disks on the host. */
export interface DiskOwner {
  uid: number
  gid: number
}

/**
 * Disks of boxes and sealed disks. A disk holds the folders workspace, home and state. Every call leaves either the whole of its
 * effect or nothing; what a crash leaves half done is put right by `open`. Failures are DISK_FULL or DISK_FAILED.
 */
export interface WorkspaceStore {
  readonly kind: 'overlay' | 'btrfs' | 'reflink' | 'copy' | 'image'
  /** True when the launcher needs to mount, so a mount namespace. */
  readonly needsMount: boolean
  /** Bytes at which the disk of a box ends. Missing where only the room on the host ends it. */
  sizeOf?(id: string): number
  open(): Promise<void>
  /** The folder's content becomes the workspace, owned by the owner of disks. */
  createFromFolder(id: string, folder: string): Promise<void>
  createFromSealed(id: string, diskId: string): Promise<void>
  /** `live`: processes may have the source open; the caller has paused them. */
  createFromBox(id: string, sourceId: string, options: { live: boolean }): Promise<void>
  has(id: string): Promise<boolean>
  /** Called before each start. */
  mount(id: string): Promise<DiskMount>
  seal(id: string, diskId: string, options: { live: boolean }): Promise<void>
  hasSealed(diskId: string): Promise<boolean>
  /** Boxes made from the disk keep what they need of it. */
  removeSealed(diskId: string): Promise<void>
  remove(id: string): Promise<void>
  /** Whether `offerTree` works here. Missing where disks can't share what comes while they are mounted. */
  readonly sharesTrees?: boolean
  /**
   * Adds a tree to the mounted disk of a box, beside the three folders, where no program of the box sees it: it has to be moved into them.
   * Its path from the root of the disk, or null when that disk takes none.
   */
  offerTree?(
    id: string,
    tree: KeptTree,
    copy: (tree: KeptTree, target: string) => Promise<void>,
  ): Promise<string | null>
  /** Bytes that the box itself takes, next to what it shares. Trees that it was given count as if they were its own. */
  usage(id: string): Promise<number>
}

export const boxIdSchema = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/)
export const diskIdSchema = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/)
