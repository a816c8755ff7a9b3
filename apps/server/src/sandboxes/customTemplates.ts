import { ApiError } from '@boxyard/api'
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { customTemplates, sandboxes, templateBookmarks } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { AuthorizedSandbox } from './authorizeSandboxes.ts'
import type { AnyTemplate, CustomTemplate } from './graphqlTypes.ts'
import { officialTemplateUuid } from './templates.ts'
import type { TemplateCatalogue } from './templates.ts'

export async function customTemplatesOf(database: Queryable, sandboxIds: readonly string[]): Promise<CustomTemplate[]> {
  return database
    .select()
    .from(customTemplates)
    .where(inArray(customTemplates.sandboxId, [...sandboxIds]))
}

/** Templates of workspaces, without those in the trash and other people's drafts. */
export async function templatesOfTeams(
  database: Queryable,
  teamIds: readonly string[],
  userId: string,
): Promise<{ teamId: string; template: CustomTemplate }[]> {
  return database
    .select({ teamId: sandboxes.teamId, template: customTemplates })
    .from(customTemplates)
    .innerJoin(sandboxes, eq(sandboxes.id, customTemplates.sandboxId))
    .where(
      and(
        inArray(sandboxes.teamId, [...teamIds]),
        isNull(sandboxes.removedAt),
        or(sql`${sandboxes.collectionId} is not null`, eq(sandboxes.authorId, userId)),
      ),
    )
    .orderBy(sql`${customTemplates.insertedAt} desc`)
}

/** Makes sandboxes templates. Those that are one already stay as they are. */
export async function makeTemplates(work: Work, list: readonly AuthorizedSandbox[]): Promise<CustomTemplate[]> {
  const ids = list.map(({ sandbox }) => sandbox.id)
  await work.tx
    .insert(customTemplates)
    .values(
      list.map(({ sandbox: { id, title, description } }) => ({ id: randomUUID(), sandboxId: id, title, description })),
    )
    .onConflictDoNothing()
  for (const id of ids) await work.publish('sandboxChanged', { sandboxId: id })
  return customTemplatesOf(work.tx, ids)
}

export async function unmakeTemplates(work: Work, list: readonly AuthorizedSandbox[]): Promise<CustomTemplate[]> {
  const ids = list.map(({ sandbox }) => sandbox.id)
  const removed = await work.tx.delete(customTemplates).where(inArray(customTemplates.sandboxId, ids)).returning()
  if (removed.length > 0) {
    await work.tx.delete(templateBookmarks).where(
      inArray(
        templateBookmarks.templateId,
        removed.map(({ id }) => id),
      ),
    )
  }
  for (const id of ids) await work.publish('sandboxChanged', { sandboxId: id })
  return removed
}

/** A template by the id that the query API gives it. Whether whoever asks may see it is for the caller to ask. */
export async function findTemplateById(
  database: Queryable,
  templates: TemplateCatalogue,
  id: string,
): Promise<AnyTemplate | null> {
  return (await findTemplates(database, templates, [id])).get(id) ?? null
}

/** The same for several, without those that do not exist. */
export async function findTemplates(
  database: Queryable,
  templates: TemplateCatalogue,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AnyTemplate>> {
  const found = new Map<string, AnyTemplate>(
    templates.all.map((template) => [officialTemplateUuid(template), { kind: 'official', template }]),
  )
  const rows = await database
    .select()
    .from(customTemplates)
    .where(inArray(customTemplates.id, [...ids]))
  for (const template of rows) found.set(template.id, { kind: 'custom', template })
  return found
}

/** Who bookmarks: a person, or a workspace. */
export type Bookmarker = { userId: string } | { teamId: string }

export async function bookmarkTemplate(work: Work, templateId: string, by: Bookmarker): Promise<void> {
  await work.tx
    .insert(templateBookmarks)
    .values({ id: randomUUID(), templateId, ...by })
    .onConflictDoNothing()
}

export async function unbookmarkTemplate(work: Work, templateId: string, by: Bookmarker): Promise<void> {
  await work.tx.delete(templateBookmarks).where(and(eq(templateBookmarks.templateId, templateId), bookmarkedBy(by)))
}

/** Ids of templates that a person or workspaces have bookmarked, the newest first. */
export async function bookmarkedIds(
  database: Queryable,
  by: { userId: string } | { teamIds: readonly string[] },
): Promise<{ by: string; templateId: string }[]> {
  return database
    .select({
      by: sql<string>`coalesce(${templateBookmarks.userId}, ${templateBookmarks.teamId})`,
      templateId: templateBookmarks.templateId,
    })
    .from(templateBookmarks)
    .where(
      'userId' in by ? eq(templateBookmarks.userId, by.userId) : inArray(templateBookmarks.teamId, [...by.teamIds]),
    )
    .orderBy(sql`${templateBookmarks.insertedAt} desc`)
}

/** Who of a person and their workspaces has bookmarked each template. */
export async function bookmarksOf(
  database: Queryable,
  templateIds: readonly string[],
  userId: string,
  teamIds: readonly string[],
) {
  return database
    .select()
    .from(templateBookmarks)
    .where(
      and(
        inArray(templateBookmarks.templateId, [...templateIds]),
        or(eq(templateBookmarks.userId, userId), inArray(templateBookmarks.teamId, [...teamIds])),
      ),
    )
}

export async function changeCustomTemplate(
  work: Work,
  sandboxId: string,
  templateId: string | null,
  change: Partial<Pick<CustomTemplate, 'title' | 'description' | 'color' | 'iconUrl' | 'published'>>,
): Promise<CustomTemplate> {
  const [template] = await work.tx
    .update(customTemplates)
    .set({ ...change, updatedAt: new Date() })
    .where(
      and(
        eq(customTemplates.sandboxId, sandboxId),
        templateId === null ? undefined : eq(customTemplates.id, templateId),
      ),
    )
    .returning()
  if (!template) throw new ApiError('NOT_FOUND', { detail: 'This sandbox is no template' })
  await work.publish('sandboxChanged', { sandboxId })
  return template
}

const bookmarkedBy = (by: Bookmarker) =>
  'userId' in by ? eq(templateBookmarks.userId, by.userId) : eq(templateBookmarks.teamId, by.teamId)
