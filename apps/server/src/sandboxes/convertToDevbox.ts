import { ApiError, mayDo } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import { sandboxDirectories, sandboxes, sandboxModules } from '../database/schema.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeSandboxInTransaction } from './authorizeSandboxes.ts'
import { fileBytes } from './fileBytes.ts'
import { filePaths } from './filePaths.ts'
import { readLiveTexts } from '../rooms/readLiveTexts.ts'
import type { MachineDirectory } from './machineDirectory.ts'
import { readFiles } from './sandboxFiles.ts'
import type { SandboxAccess } from './sandboxes.ts'
import { withFiles } from './withFiles.ts'

/**
 * Gives a sandbox that runs in the browser a machine, which its files move to. It keeps its id, its people and its place. What is
 * a devbox already stays as it is.
 */
export function convertToDevbox(
  context: ServerContext,
  machines: MachineDirectory | null,
  user: User,
  idOrAlias: string,
): Promise<SandboxAccess> {
  const { database, uploads } = context
  return inTransaction(database, user, async (work): Promise<SandboxAccess> => {
    const { tx } = work
    // The row is locked: nobody saves a file that would not come along.
    const access = await authorizeSandboxInTransaction(tx, idOrAlias, user, 'edit')
    if (!mayDo(access.role, 'changeMachine')) throw new ApiError('FORBIDDEN')
    const { id, isV2, isFrozen } = access.sandbox
    if (isV2) return access
    if (isFrozen) throw new ApiError('SANDBOX_FROZEN')
    if (!machines) throw new ApiError('MACHINES_UNAVAILABLE')

    // What people have typed comes along, saved or not.
    const live = await readLiveTexts(tx, id)
    const contents: [string, { binary_content: string }][] = []
    for (const [path, module] of filePaths(await readFiles(tx, id))) {
      const text = live.get(module.shortid)
      const content =
        text === undefined ? await fileBytes({ database: tx, uploads }, path, module) : Buffer.from(text, 'utf8')
      contents.push([path, { binary_content: content.toString('base64') }])
    }
    const [sandbox] = await tx
      .update(sandboxes)
      .set({ isV2: true, updatedAt: new Date() })
      .where(eq(sandboxes.id, id))
      .returning()
    await tx.delete(sandboxModules).where(eq(sandboxModules.sandboxId, id))
    await tx.delete(sandboxDirectories).where(eq(sandboxDirectories.sandboxId, id))
    await work.publish('sandboxChanged', { sandboxId: id })
    // Its room is closed. Whoever was in it comes back, and is told why.
    await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: id })
    // One that an interrupted conversion left behind.
    await machines.remove(id)
    await withFiles(Object.fromEntries(contents), (folder) => machines.create(id, { kind: 'files', folder }))
    return { ...access, sandbox: sandbox! }
  })
}
