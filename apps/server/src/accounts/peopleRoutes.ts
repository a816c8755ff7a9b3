import { ApiError, dataOf, noContent } from '@boxyard/api'
import { and, asc, eq, ilike, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import { editorSettings, users } from '../database/schema.ts'
import type { App } from '../http/app.ts'
import { userOf } from './authentication.ts'

const MOST_FOUND = 20
const MOST_SETTINGS = 20
const LONGEST_SETTINGS = 200_000

const settingsAnswer = z.object({
  id: z.string(),
  name: z.string(),
  settings: z.string(),
  user_id: z.string(),
  inserted_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
const settingsBody = z.object({
  name: z.string().trim().min(1, 'Give them a name.').max(100),
  settings: z.string().max(LONGEST_SETTINGS, 'These settings are too long.'),
})

const newSettingsBody = settingsBody.extend({
  /** Keep them only over what was kept at that moment, or over nothing (null): what somebody else kept meanwhile is not lost. */
  if_updated_at: z.iso.datetime().nullish(),
})

/** Later than the moment before, however fast one change follows another: the moment tells them apart. */
const nextMoment = sql`greatest(now(), ${editorSettings.updatedAt} + interval '1 millisecond')`

/** Finding people, and the settings that the editor keeps for someone. Both spellings of the current user are answered. */
export function registerPeople(app: App, { database }: ServerContext): void {
  const onRequest = app.authenticate.required

  app.get(
    '/api/v1/users/search',
    {
      onRequest,
      schema: {
        querystring: z.object({ username: z.string().trim().min(1).max(50) }),
        response: {
          200: dataOf(z.array(z.object({ id: z.string(), avatar_url: z.string().nullable(), username: z.string() }))),
        },
      },
    },
    async ({ query }) => {
      // What stands for any text in a pattern is looked for as it is.
      const beginning = query.username.replace(/[\\%_]/g, (sign) => `\\${sign}`)
      const found = await database
        .select({ id: users.id, avatar_url: users.avatarUrl, username: users.username })
        .from(users)
        .where(ilike(users.username, `${beginning}%`))
        .orderBy(asc(users.username))
        .limit(MOST_FOUND)
      return { data: found }
    },
  )

  for (const current of ['current', 'current_user']) {
    const path = `/api/v1/users/${current}/editor_settings`
    app.get(path, { onRequest, schema: { response: { 200: dataOf(z.array(settingsAnswer)) } } }, async (request) => {
      const rows = await database
        .select()
        .from(editorSettings)
        .where(eq(editorSettings.userId, userOf(request).id))
        .orderBy(asc(editorSettings.insertedAt))
      return { data: rows.map(present) }
    })

    app.post(
      path,
      { onRequest, schema: { body: newSettingsBody, response: { 200: dataOf(settingsAnswer) } } },
      async (request) => {
        const userId = userOf(request).id
        const kept = await database.select().from(editorSettings).where(eq(editorSettings.userId, userId))
        const isNew = kept.every(({ name }) => name !== request.body.name)
        if (isNew && kept.length >= MOST_SETTINGS) {
          throw new ApiError('LIMIT_REACHED', {
            detail: `You reached the maximum of ${MOST_SETTINGS} sets of settings`,
          })
        }
        const { name, settings, if_updated_at: keptAt } = request.body
        // What was to be replaced may be gone: then these are kept as new ones.
        const [row] = await database
          .insert(editorSettings)
          .values({ id: randomUUID(), userId, name, settings })
          .onConflictDoUpdate({
            target: [editorSettings.userId, editorSettings.name],
            set: { settings, updatedAt: nextMoment },
            ...(keptAt !== undefined && {
              setWhere: keptAt === null ? sql`false` : eq(editorSettings.updatedAt, new Date(keptAt)),
            }),
          })
          .returning()
        if (!row) throw new ApiError('CONFLICT', { detail: 'These settings were changed meanwhile' })
        return { data: present(row) }
      },
    )

    const one = { params: z.object({ id: z.guid() }) }
    app.patch(
      `${path}/:id`,
      { onRequest, schema: { ...one, body: settingsBody.partial(), response: { 200: dataOf(settingsAnswer) } } },
      async (request) => {
        const [row] = await database
          .update(editorSettings)
          .set({ ...request.body, updatedAt: nextMoment })
          .where(and(eq(editorSettings.id, request.params.id), eq(editorSettings.userId, userOf(request).id)))
          .returning()
          .catch((error: unknown) => {
            if (sqlState(error) !== UNIQUE_VIOLATION) throw error
            throw new ApiError('CONFLICT', { cause: error, detail: 'Other settings have this name' })
          })
        if (!row) throw new ApiError('NOT_FOUND', { detail: 'These settings are not found' })
        return { data: present(row) }
      },
    )

    app.delete(path, { onRequest, schema: { response: noContent } }, async (request, reply) => {
      await database.delete(editorSettings).where(eq(editorSettings.userId, userOf(request).id))
      return reply.code(204).send()
    })
    app.delete(`${path}/:id`, { onRequest, schema: { ...one, response: noContent } }, async (request, reply) => {
      const removed = await database
        .delete(editorSettings)
        .where(and(eq(editorSettings.id, request.params.id), eq(editorSettings.userId, userOf(request).id)))
        .returning({ id: editorSettings.id })
      if (removed.length === 0) throw new ApiError('NOT_FOUND', { detail: 'These settings are not found' })
      return reply.code(204).send()
    })
  }
}

function present({ id, name, settings, userId, insertedAt, updatedAt }: typeof editorSettings.$inferSelect) {
  return {
    id,
    name,
    settings,
    user_id: userId,
    inserted_at: insertedAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }
}
