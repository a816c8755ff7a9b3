import { ApiError } from '@boxyard/api'
import type { Definition } from '@boxyard/api'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { Database } from '../database/database.ts'
import { decodeDataUrl } from '../uploads/dataUrl.ts'
import { createBrowserSandbox } from './createBrowserSandbox.ts'
import type { MachineDirectory } from './machineDirectory.ts'
import { createDevbox } from './sandboxes.ts'
import type { Sandbox } from './sandboxes.ts'
import { withFiles } from './withFiles.ts'

export interface DefinedSandbox {
  definition: Definition
  /** What it is called when its package.json does not say. */
  title?: string | undefined
  /** Whether it is to have a machine. */
  isDevbox: boolean
  machines: MachineDirectory | null
}

/** Makes a draft from files that a page or a program made up. Whoever opens a link has not chosen to show it to anyone. */
export async function createDefined(
  database: Database,
  author: User,
  { definition, title, isDevbox, machines }: DefinedSandbox,
): Promise<Sandbox> {
  const place = { teamId: null, privacy: undefined, title: titleOf(definition) ?? title }
  if (!isDevbox) return createBrowserSandbox(database, author, { source: { kind: 'defined', definition }, ...place })
  if (!machines) throw new ApiError('MACHINES_UNAVAILABLE')
  const files = Object.entries(definition.files).map(([path, { content, isBinary }]) => {
    const file = isBinary ? { binary_content: bytesOf(path, content).toString('base64') } : { code: content }
    return [path, file] as const
  })
  return withFiles(Object.fromEntries(files), (folder) =>
    createDevbox(database, machines, author, { source: { kind: 'files', folder }, ...place }),
  )
}

const manifestSchema = z.object({ name: z.string().trim().min(1).max(100) })

/** The name that package.json gives the project. */
function titleOf({ files }: Definition): string | undefined {
  const manifest = files['package.json'] ?? files['/package.json']
  if (!manifest) return undefined
  try {
    return manifestSchema.safeParse(JSON.parse(manifest.content)).data?.name
  } catch (error) {
    // What is broken can be put right in the editor.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function bytesOf(path: string, content: string): Buffer {
  const bytes = content.startsWith('data:') ? decodeDataUrl(content) : null
  if (bytes) return bytes
  throw new ApiError('INVALID_INPUT', {
    fields: { files: [`${path.slice(0, 200)}: give binary files of a devbox as data URLs.`] },
  })
}
