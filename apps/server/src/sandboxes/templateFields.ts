import type { Builder } from '../graphql/builder.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { bookmarkedIds } from './customTemplates.ts'
import type { AnyTemplate } from './graphqlTypes.ts'
import {
  bookmarksLoader,
  ownTeamsLoader,
  sandboxLoader,
  sandboxRoleLoader,
  teamBookmarksLoader,
  teamTemplatesLoader,
  templateLoader,
} from './loaders.ts'
import { iconUrl } from './presentSandbox.ts'
import { recentTemplateNames } from './sandboxes.ts'
import { officialTemplateUuid } from './templates.ts'

/** What the query API says about templates and who has bookmarked them. */
export function defineTemplateFields(builder: Builder, types: GraphqlTypes): void {
  types.template.implement({
    fields: (t) => ({
      bookmarked: t.field({
        type: [types.bookmarked],
        nullable: { list: true, items: true },
        resolve: async (parent, _args, context) => {
          const { user } = context
          if (!user) return null
          const bookmarks = await bookmarksLoader(context).load(idOf(parent))
          const teams = await ownTeamsLoader(context).load(user.id)
          return [
            { entity: user, isBookmarked: bookmarks.some(({ userId }) => userId === user.id) },
            ...teams.map((team) => ({
              entity: team,
              isBookmarked: bookmarks.some(({ teamId }) => teamId === team.id),
            })),
          ]
        },
      }),
      color: t.string({ nullable: true, resolve: ({ kind, template }) => (kind === 'custom' ? template.color : null) }),
      description: t.string({
        nullable: true,
        deprecationReason: 'No longer supported',
        resolve: ({ template }) => template.description,
      }),
      iconUrl: t.string({
        nullable: true,
        resolve: ({ kind, template }) => (kind === 'custom' ? template.iconUrl : iconUrl(template)),
      }),
      id: t.field({ type: 'UUID4', nullable: true, resolve: idOf }),
      // Official templates come with the program, so they have no moment of their own.
      insertedAt: t.string({
        nullable: true,
        resolve: ({ kind, template }) => (kind === 'custom' ? template.insertedAt.toISOString() : null),
      }),
      official: t.boolean({ nullable: false, resolve: ({ kind }) => kind === 'official' }),
      published: t.boolean({
        nullable: true,
        resolve: ({ kind, template }) => kind === 'official' || template.published,
      }),
      // Official templates are folders, not sandboxes.
      sandbox: t.field({
        type: types.sandbox,
        nullable: true,
        resolve: async ({ kind, template }, _args, context) => {
          const sandbox = kind === 'custom' ? await sandboxLoader(context).load(template.sandboxId) : null
          return sandbox && (await sandboxRoleLoader(context).load(sandbox)) !== 'none' ? sandbox : null
        },
      }),
      title: t.string({
        nullable: true,
        deprecationReason: 'No longer supported',
        resolve: ({ template }) => template.title,
      }),
      updatedAt: t.string({
        nullable: true,
        resolve: ({ kind, template }) => (kind === 'custom' ? template.updatedAt.toISOString() : null),
      }),
    }),
  })
  types.bookmarked.implement({
    fields: (t) => ({
      entity: t.expose('entity', { type: types.bookmarkEntity, nullable: true }),
      isBookmarked: t.exposeBoolean('isBookmarked', { nullable: true }),
    }),
  })

  builder.objectFields(types.team, (t) => ({
    bookmarkedTemplates: t.field({
      type: [types.template],
      nullable: false,
      resolve: async ({ id }, _args, context) => bookmarked(context, await teamBookmarksLoader(context).load(id)),
    }),
    templates: t.field({
      type: [types.template],
      nullable: false,
      resolve: ({ id }, _args, context) => templatesIn(context, id),
    }),
  }))
  builder.objectFields(types.currentUser, (t) => ({
    bookmarkedTemplates: t.field({
      type: [types.template],
      nullable: false,
      resolve: async ({ id }, _args, context) =>
        bookmarked(context, await bookmarkedIds(context.database, { userId: id })),
    }),
    recentlyUsedTemplates: t.field({
      type: [types.template],
      nullable: false,
      args: { teamId: t.arg({ type: 'UUID4' }) },
      resolve: async ({ id }, { teamId }, { database, templates }) => {
        const names = await recentTemplateNames(database, id, teamId ?? null)
        return names.flatMap((name) => {
          const template = templates.find(name)
          return template ? [{ kind: 'official' as const, template }] : []
        })
      },
    }),
    templates: t.field({
      type: [types.template],
      nullable: false,
      args: { showAll: t.arg.boolean(), teamId: t.arg({ type: 'UUID4' }) },
      resolve: async (user, { showAll, teamId }, context) => {
        if (teamId != null) {
          const { team } = await authorizeTeam(context.database, teamId, user, 'see')
          return templatesIn(context, team.id)
        }
        const teams = await ownTeamsLoader(context).load(user.id)
        const lists = await Promise.all(teams.map(({ id }) => templatesIn(context, id)))
        // Without showAll only what someone made themselves.
        const all = lists.flat()
        if (showAll) return all
        const sandboxes = await Promise.all(all.map(({ template }) => sandboxLoader(context).load(template.sandboxId)))
        return all.filter((_template, index) => sandboxes[index]?.authorId === user.id)
      },
    }),
  }))
}

const idOf = ({ kind, template }: AnyTemplate) => (kind === 'custom' ? template.id : officialTemplateUuid(template))

async function templatesIn(context: GraphqlContext, teamId: string) {
  const found = await teamTemplatesLoader(context).load(teamId)
  return found.map(({ template }) => ({ kind: 'custom' as const, template }))
}

/** Bookmarks that still lead somewhere for whoever asks. */
async function bookmarked(
  context: GraphqlContext,
  bookmarks: readonly { templateId: string }[],
): Promise<AnyTemplate[]> {
  const found = await Promise.all(bookmarks.map(({ templateId }) => templateLoader(context).load(templateId)))
  const visible = await Promise.all(found.map((template) => template && isVisible(context, template)))
  return found.filter((template, index): template is AnyTemplate => template !== null && visible[index] === true)
}

/** Whether whoever asks may see what a template is made of. */
export async function isVisible(context: GraphqlContext, { kind, template }: AnyTemplate): Promise<boolean> {
  if (kind === 'official') return true
  const sandbox = await sandboxLoader(context).load(template.sandboxId)
  return sandbox?.removedAt === null && (await sandboxRoleLoader(context).load(sandbox)) !== 'none'
}
