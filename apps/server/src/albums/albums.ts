import { ApiError, installationPolicies, installationRoleOf } from '@boxyard/api'
import { and, asc, desc, eq, inArray, isNotNull, isNull, max, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { albums, albumSandboxes, sandboxes, users } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { accessSandbox } from '../sandboxes/sandboxes.ts'
import type { AlbumRow } from './graphqlTypes.ts'

const MOST_SANDBOXES = 500

export const albumSchema = z.object({
  title: z.string().trim().min(1, 'Give it a title.').max(100, 'At most 100 characters.'),
  description: z.string().trim().max(1000, 'At most 1000 characters.').nullish(),
})
export const albumChangeSchema = albumSchema.partial().extend({ title: albumSchema.shape.title.nullish() })

export async function findAlbum(database: Queryable, id: string): Promise<AlbumRow | null> {
  const [album] = await database.select().from(albums).where(eq(albums.id, id))
  return album ?? null
}

export async function albumsOf(database: Queryable, username: string): Promise<AlbumRow[]> {
  const rows = await database
    .select({ album: albums })
    .from(albums)
    .innerJoin(users, eq(users.id, albums.userId))
    .where(eq(sql`lower(${users.username})`, username.toLowerCase()))
    .orderBy(desc(albums.insertedAt))
  return rows.map(({ album }) => album)
}

/** What the discover page shows. */
export async function curatedAlbums(database: Queryable): Promise<AlbumRow[]> {
  return database.select().from(albums).where(isNotNull(albums.curatedAt)).orderBy(desc(albums.curatedAt))
}

/** The sandboxes of albums in the order in which they were put in. An album is public, so it shows nothing that is not. */
export async function sandboxesOfAlbums(database: Queryable, albumIds: readonly string[]) {
  return database
    .select({ albumId: albumSandboxes.albumId, sandbox: sandboxes })
    .from(albumSandboxes)
    .innerJoin(sandboxes, eq(sandboxes.id, albumSandboxes.sandboxId))
    .where(and(inArray(albumSandboxes.albumId, [...albumIds]), eq(sandboxes.privacy, 0), isNull(sandboxes.removedAt)))
    .orderBy(asc(albumSandboxes.position))
}

/** Albums of curators are on the discover page from the start. */
export async function createAlbum(work: Work, user: User, album: z.infer<typeof albumSchema>): Promise<AlbumRow> {
  const role = installationRoleOf(user)
  installationPolicies.authorize(role, 'createAlbum')
  const [created] = await work.tx
    .insert(albums)
    .values({
      id: randomUUID(),
      userId: user.id,
      title: album.title,
      description: album.description ?? null,
      curatedAt: installationPolicies.mayDo(role, 'curateAlbums') ? new Date() : null,
    })
    .returning()
  return created!
}

export async function updateAlbum(
  work: Work,
  user: User,
  id: string,
  change: z.infer<typeof albumChangeSchema>,
): Promise<AlbumRow> {
  const album = await ownAlbum(work, user, id)
  const [changed] = await work.tx
    .update(albums)
    .set({
      title: change.title ?? album.title,
      description: change.description === undefined ? album.description : change.description,
      updatedAt: new Date(),
    })
    .where(eq(albums.id, album.id))
    .returning()
  return changed!
}

export async function deleteAlbum(work: Work, user: User, id: string): Promise<void> {
  const album = await ownAlbum(work, user, id)
  await work.tx.delete(albums).where(eq(albums.id, album.id))
}

/** Puts sandboxes at the end of an album. Those that are in it stay where they are. */
export async function addSandboxes(
  work: Work,
  user: User,
  id: string,
  sandboxIds: readonly string[],
): Promise<AlbumRow> {
  const album = await ownAlbum(work, user, id)
  const present = await work.tx
    .select({ last: max(albumSandboxes.position), count: sql<number>`count(*)::int` })
    .from(albumSandboxes)
    .where(eq(albumSandboxes.albumId, album.id))
  const { last, count } = present[0]!
  if (count + sandboxIds.length > MOST_SANDBOXES) {
    throw new ApiError('LIMIT_REACHED', {
      detail: `You reached the maximum of ${MOST_SANDBOXES} sandboxes in an album`,
    })
  }
  let position = (last ?? 0) + 1
  for (const idOrAlias of sandboxIds) {
    const access = await accessSandbox(work.tx, idOrAlias, user)
    if (!access) throw new ApiError('NOT_FOUND', { detail: 'This sandbox is not found' })
    await work.tx
      .insert(albumSandboxes)
      .values({ albumId: album.id, sandboxId: access.sandbox.id, position: position++ })
      .onConflictDoNothing()
  }
  return album
}

export async function removeSandboxes(
  work: Work,
  user: User,
  id: string,
  sandboxIds: readonly string[],
): Promise<AlbumRow> {
  const album = await ownAlbum(work, user, id)
  if (sandboxIds.length > 0) {
    await work.tx
      .delete(albumSandboxes)
      .where(and(eq(albumSandboxes.albumId, album.id), inArray(albumSandboxes.sandboxId, [...sandboxIds])))
  }
  return album
}

/** One's own album; a curator may also change those that are on the discover page. Nobody changes it until the end of the work. */
async function ownAlbum(work: Work, user: User, id: string): Promise<AlbumRow> {
  const [album] = await work.tx.select().from(albums).where(eq(albums.id, id)).for('update')
  if (!album) throw new ApiError('NOT_FOUND', { detail: 'This album is not found' })
  const isCurator = installationPolicies.mayDo(installationRoleOf(user), 'curateAlbums')
  if (album.userId !== user.id && !(isCurator && album.curatedAt !== null)) throw new ApiError('FORBIDDEN')
  return album
}
