import { ApiError } from '@boxyard/api'
import type { Definition } from '@boxyard/api'
import { eq, sql } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import type { Database } from '../database/database.ts'
import { sandboxAccesses, sandboxes } from '../database/schema.ts'
import { subjectOf } from '../events/platformEvent.ts'
import { publishEvent } from '../events/publishEvent.ts'
import { allowCreation } from './allowCreation.ts'
import { FILES_BROUGHT } from './filesChanged.ts'
import { insertPaths } from './insertPaths.ts'
import { copyFiles, insertFolder } from './sandboxFiles.ts'
import { newSandboxId } from './sandboxIds.ts'
import { fromGit, fromSandbox, fromTemplate } from './sandboxes.ts'
import type { ForkSource, NewDevbox, Sandbox } from './sandboxes.ts'

export type BrowserSource =
  | ForkSource
  /** A folder on the host with the files it starts with. */
  | { kind: 'folder'; folder: string; gitId?: string }
  | { kind: 'defined'; definition: Definition }

/** Makes a sandbox that runs in the browser, with the files of what it starts from, both or neither. */
export async function createBrowserSandbox(
  database: Database,
  author: User,
  { source, title, ...wish }: Omit<NewDevbox, 'source'> & { source: BrowserSource },
): Promise<Sandbox> {
  if ((source.kind === 'template' && !source.template.browser) || (source.kind === 'sandbox' && source.sandbox.isV2)) {
    throw new ApiError('INVALID_INPUT', { fields: { v2: ['This needs a machine. Create a devbox from it.'] } })
  }
  const values = {
    ...originOf(source),
    ...(title === undefined ? {} : { title }),
    isV2: false,
    authorId: author.id,
  }
  for (;;) {
    try {
      return await database.transaction(async (tx) => {
        const from = source.kind === 'sandbox' ? source.sandbox : null
        const place = await allowCreation(tx, author, { ...wish, source: from })
        const [made] = await tx
          .insert(sandboxes)
          .values({ id: newSandboxId(), ...values, ...place })
          .returning()
        const sandbox = made!
        const access = { userId: author.id, sandboxId: sandbox.id, lastAccessedAt: new Date() }
        await tx.insert(sandboxAccesses).values(access)
        if (source.kind === 'template') {
          await insertFolder(tx, sandbox.id, source.template.folder)
        } else if (source.kind === 'folder') {
          await insertFolder(tx, sandbox.id, source.folder)
        } else if (source.kind === 'defined') {
          await insertPaths(tx, sandbox.id, source.definition.files)
        } else {
          await copyFiles(tx, source.sandbox.id, sandbox.id)
          const counted = { forkCount: sql`${sandboxes.forkCount} + 1` }
          await tx.update(sandboxes).set(counted).where(eq(sandboxes.id, source.sandbox.id))
        }
        if (source.kind === 'folder' || source.kind === 'defined') {
          const data = { sandboxId: sandbox.id }
          await publishEvent(tx, { type: FILES_BROUGHT, subject: subjectOf.sandbox(sandbox.id), data })
        }
        return sandbox
      })
    } catch (error) {
      // Only the id can be taken; another one is drawn.
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    }
  }
}

function originOf(source: BrowserSource) {
  if (source.kind === 'template') return fromTemplate(source.template)
  if (source.kind === 'sandbox') return fromSandbox(source.sandbox)
  const environment = source.kind === 'defined' ? (source.definition.template ?? null) : null
  const places = source.kind === 'folder' ? fromGit(source.gitId) : {}
  return { title: null, template: null, forkedFromId: null, environment, ...places }
}
