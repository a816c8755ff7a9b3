import { z } from 'zod'
import type { Builder } from '../graphql/builder.ts'
import { defineListLoader } from '../graphql/loader.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { validInput } from '../graphql/validInput.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import {
  addSandboxes,
  albumChangeSchema,
  albumSchema,
  albumsOf,
  createAlbum,
  curatedAlbums,
  deleteAlbum,
  findAlbum,
  removeSandboxes,
  sandboxesOfAlbums,
  updateAlbum,
} from './albums.ts'

const contentLoader = defineListLoader(
  ({ database }, albumIds) => sandboxesOfAlbums(database, albumIds),
  ({ albumId }) => albumId,
)
const albumIdSchema = z.object({ albumId: z.guid('This album is not found.') })
const sandboxIdsSchema = z.object({ sandboxIds: z.array(z.string().max(100)).max(500, 'At most 500 at once.') })

/** What the query API says about albums. */
export function defineAlbums(builder: Builder, types: GraphqlTypes): void {
  types.album.implement({
    fields: (t) => ({
      id: t.expose('id', { type: 'ID', nullable: false }),
      sandboxes: t.field({
        type: [types.sandbox],
        nullable: false,
        resolve: async ({ id }, _args, context) =>
          (await contentLoader(context).load(id)).map(({ sandbox }) => sandbox),
      }),
      title: t.expose('title', { type: 'String', nullable: true }),
    }),
  })

  builder.queryFields((t) => ({
    album: t.field({
      type: types.album,
      nullable: true,
      args: { albumId: t.arg.id({ required: true }) },
      resolve: (_root, { albumId }, { database }) =>
        z.guid().safeParse(albumId).success ? findAlbum(database, albumId) : null,
    }),
    albums: t.field({
      type: [types.album],
      nullable: false,
      args: { username: t.arg.string({ required: true }) },
      resolve: (_root, { username }, { database }) => albumsOf(database, username),
    }),
    curatedAlbums: t.field({
      type: [types.album],
      nullable: false,
      resolve: (_root, _args, { database }) => curatedAlbums(database),
    }),
  }))

  builder.mutationFields((t) => {
    const contentArgs = {
      albumId: t.arg.id({ required: true }),
      sandboxIds: t.arg.idList({ required: true }),
    }
    return {
      createAlbum: t.field({
        type: types.album,
        nullable: false,
        args: { description: t.arg.string(), title: t.arg.string({ required: true }) },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          const album = validInput(albumSchema, args)
          return inTransaction(context.database, user, (work) => createAlbum(work, user, album))
        },
      }),
      updateAlbum: t.field({
        type: types.album,
        nullable: false,
        args: { description: t.arg.string(), id: t.arg.id({ required: true }), title: t.arg.string() },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          const { albumId } = validInput(albumIdSchema, { albumId: args.id })
          const change = validInput(albumChangeSchema, args)
          return inTransaction(context.database, user, (work) => updateAlbum(work, user, albumId, change))
        },
      }),
      deleteAlbum: t.string({
        nullable: false,
        args: { id: t.arg.id({ required: true }) },
        resolve: async (_root, args, context) => {
          const user = requireUser(context)
          const { albumId } = validInput(albumIdSchema, { albumId: args.id })
          await inTransaction(context.database, user, (work) => deleteAlbum(work, user, albumId))
          return albumId
        },
      }),
      addSandboxesToAlbum: t.field({
        type: types.album,
        nullable: true,
        args: contentArgs,
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          const { albumId } = validInput(albumIdSchema, args)
          const { sandboxIds } = validInput(sandboxIdsSchema, args)
          return inTransaction(context.database, user, (work) => addSandboxes(work, user, albumId, sandboxIds))
        },
      }),
      removeSandboxesFromAlbum: t.field({
        type: types.album,
        nullable: true,
        args: contentArgs,
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          const { albumId } = validInput(albumIdSchema, args)
          const { sandboxIds } = validInput(sandboxIdsSchema, args)
          return inTransaction(context.database, user, (work) => removeSandboxes(work, user, albumId, sandboxIds))
        },
      }),
    }
  })
}
