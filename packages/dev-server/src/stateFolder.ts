import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { adoptionSchema, type Adoption } from './adoption.ts'
import type { Configuration } from './configuration.ts'
import { hasCode } from './fs/errno.ts'
import { kernelRandom } from './kernelRandom.ts'
import { syncFolder } from './syncFolder.ts'
import { writeInPlace } from './writeInPlace.ts'

const identitySchema = z.object({
  boots: z.number().int().positive(),
  reconnectKey: z.string().min(43),
  /** The box that wrote this; dev servers of before did not say. */
  boxId: z.string().optional(),
})

/** What the dev server remembers of itself between its starts. */
export interface Identity {
  /** How many times a dev server has started on this disk, this one included. */
  boots: number
  reconnectKey: Uint8Array
  /** True on the first start on a disk that was copied from another box. */
  isCopy: boolean
}

/**
 * Makes the state folder where it is missing, and counts this start durably. A copy of a box gets a key of its own, so that its
 * owner can't make reconnect tokens for the original. How it is booted does not tell: a copy of a box whose set-up is not done is
 * booted cleanly, so the disk says whose it was.
 */
export async function openStateFolder(
  folder: string,
  { boxId, boot, isSuccessor }: Pick<Configuration, 'boxId' | 'boot' | 'isSuccessor'>,
): Promise<Identity> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'dev-server.json')
  const newKey = await newReconnectKey()
  const known = await readFile(path, 'utf8').then(
    (text) => identitySchema.parse(JSON.parse(text), { jitless: true }),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return { boots: 0, reconnectKey: newKey, boxId }
      throw error
    },
  )
  const isCopy = (boot === 'FORK' && !isSuccessor) || (known.boxId ?? boxId) !== boxId
  const reconnectKey = isCopy ? newKey : known.reconnectKey
  return { ...(await save(path, { reconnectKey, boots: known.boots + 1, boxId })), isCopy }
}

/** The same for a dev server that goes on in a copy of its box: another box from now on, with a start and a key of its own. */
export async function adoptStateFolder(folder: string, adoption: Adoption, { boots }: Identity): Promise<Identity> {
  const path = join(folder, 'dev-server.json')
  const { boxId } = adoption
  await replaceFile(join(folder, 'adoption.json'), Buffer.from(JSON.stringify(adoption)))
  return { ...(await save(path, { reconnectKey: await newReconnectKey(), boots: boots + 1, boxId })), isCopy: true }
}

/**
 * What a dev server that is started again was made by an adoption in the same run: whoever starts it knows the box by the names of its
 * original. In another run the platform says who it is.
 */
export async function adoptedAs({
  state,
  isAgain,
  isSuccessor,
}: Pick<Configuration, 'state' | 'isAgain' | 'isSuccessor'>): Promise<Partial<Adoption>> {
  const path = join(state, 'adoption.json')
  if (!isAgain && !isSuccessor) await rm(path, { force: true })
  return readFile(path, 'utf8').then(
    (text) => adoptionSchema.parse(JSON.parse(text), { jitless: true }),
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return {}
      throw error
    },
  )
}

async function newReconnectKey(): Promise<string> {
  return (await kernelRandom(32)).toString('base64url')
}

async function save(path: string, identity: z.infer<typeof identitySchema>): Promise<Omit<Identity, 'isCopy'>> {
  const content = Buffer.from(JSON.stringify(identity))
  await replaceFile(path, content).catch(async (error: unknown) => {
    // A full disk must not keep people from the files they could remove. The same few bytes in place need no space.
    if (!hasCode(error, 'ENOSPC') || identity.boots === 1) throw error
    await rm(`${path}.next`, { force: true })
    await writeInPlace(path, content)
  })
  return { boots: identity.boots, reconnectKey: Buffer.from(identity.reconnectKey, 'base64url') }
}

/** Replaces a file so that after a crash there is either the whole old or the whole new content. */
export async function replaceFile(path: string, content: Uint8Array): Promise<void> {
  const temporary = `${path}.next`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncFolder(dirname(path))
}
