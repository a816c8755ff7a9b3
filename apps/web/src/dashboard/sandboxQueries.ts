import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { cardFields, sandboxCardSchema, signedIn } from '../api/queries.ts'
import { RequestError } from '../api/RequestError.ts'
import type { App } from '../App.ts'

/** How many sandboxes a page of the dashboard shows. */
export const pageLimit = 200

const cards = z.array(sandboxCardSchema)
const newestFirst = '{ field: "updatedAt", direction: DESC }'

const folderSchema = z.object({ id: z.string().nullable(), path: z.string(), sandboxCount: z.number() })
export type Folder = z.output<typeof folderSchema>

function inWorkspace<T>(me: { team: T | null } | null): T {
  const { team } = signedIn(me)
  if (!team) throw new RequestError({ status: 404, message: 'This workspace does not exist, or you are not in it' })
  return team
}

/** The unfiled sandboxes of the person, which nobody else sees. */
export const drafts = (app: App, workspace: string, userId: string) =>
  queryOptions({
    queryKey: ['sandboxes', workspace, 'drafts'],
    queryFn: async () => {
      const { me } = await app.graphql.query(
        `query drafts($id: UUID4!, $authorId: UUID4!, $limit: Int) {
          me { team(id: $id) { drafts(authorId: $authorId, limit: $limit, orderBy: ${newestFirst}) { ${cardFields} } } }
        }`,
        {
          variables: { id: workspace, authorId: userId, limit: pageLimit },
          schema: z.object({ me: z.object({ team: z.object({ drafts: cards }).nullable() }).nullable() }),
        },
      )
      return inWorkspace(me).drafts
    },
  })

/** All folders of a workspace, flat, by path. */
export const folders = (app: App, workspace: string) =>
  queryOptions({
    queryKey: ['sandboxes', workspace, 'folders'],
    queryFn: async () => {
      const { me } = await app.graphql.query(
        `query collections($id: ID!) { me { collections(teamId: $id) { id path sandboxCount } } }`,
        {
          variables: { id: workspace },
          schema: z.object({ me: z.object({ collections: z.array(folderSchema) }).nullable() }),
        },
      )
      return signedIn(me).collections
    },
  })

const repositorySchema = z.object({ owner: z.string(), name: z.string(), defaultBranch: z.string() })
export type Repository = z.output<typeof repositorySchema> & { id: string }

/** The repositories of a workspace. */
export const repositories = (app: App, workspace: string) =>
  queryOptions({
    queryKey: ['projects', workspace],
    queryFn: async (): Promise<Repository[]> => {
      const { me } = await app.graphql.query(
        `query projects($id: UUID4!) {
          me { team(id: $id) { projects(syncData: false) { id repository { ... on GitHubRepository { owner name defaultBranch } } } } }
        }`,
        {
          variables: { id: workspace },
          schema: z.object({
            me: z
              .object({
                team: z
                  .object({ projects: z.array(z.object({ id: z.string(), repository: repositorySchema })) })
                  .nullable(),
              })
              .nullable(),
          }),
        },
      )
      return inWorkspace(me).projects.map(({ id, repository }) => ({ id, ...repository }))
    },
  })

/** What lies in one folder. `/` is the workspace itself. */
export const folderContent = (app: App, workspace: string, path: string) =>
  queryOptions({
    queryKey: ['sandboxes', workspace, 'folder', path],
    queryFn: async () => {
      const { me } = await app.graphql.query(
        `query collection($path: String!, $teamId: ID!) { me { collection(path: $path, teamId: $teamId) { sandboxes { ${cardFields} } } } }`,
        {
          variables: { path, teamId: workspace },
          schema: z.object({ me: z.object({ collection: z.object({ sandboxes: cards }).nullable() }).nullable() }),
        },
      )
      const { collection } = signedIn(me)
      if (collection) return collection.sandboxes
      // The folder of the workspace itself comes to be with the first thing in it.
      if (path === '/') return []
      throw new RequestError({ status: 404, message: 'This folder does not exist' })
    },
  })

export const workspaceTemplates = (app: App, workspace: string) =>
  queryOptions({
    queryKey: ['sandboxes', workspace, 'templates'],
    queryFn: async () => {
      const { me } = await app.graphql.query(
        `query templates($id: UUID4!) { me { team(id: $id) { templates { sandbox { ${cardFields} } } } } }`,
        {
          variables: { id: workspace },
          schema: z.object({
            me: z
              .object({
                team: z.object({ templates: z.array(z.object({ sandbox: sandboxCardSchema.nullable() })) }).nullable(),
              })
              .nullable(),
          }),
        },
      )
      return inWorkspace(me).templates.flatMap(({ sandbox }) => sandbox ?? [])
    },
  })

/** What was moved to the trash, the latest first. */
export const trash = (app: App, workspace: string) =>
  queryOptions({
    queryKey: ['sandboxes', workspace, 'trash'],
    queryFn: async () => {
      const { me } = await app.graphql.query(
        `query deleted($id: UUID4!, $limit: Int) {
          me { team(id: $id) { sandboxes(showDeleted: true, limit: $limit, orderBy: { field: "removedAt", direction: DESC }) { ${cardFields} } } }
        }`,
        {
          variables: { id: workspace, limit: pageLimit },
          schema: z.object({ me: z.object({ team: z.object({ sandboxes: cards }).nullable() }).nullable() }),
        },
      )
      return inWorkspace(me).sandboxes.filter(({ removedAt }) => removedAt !== null)
    },
  })

/** What in a workspace has these words in its title, its description or its tags. */
export const found = (app: App, workspace: string, text: string) =>
  queryOptions({
    queryKey: ['sandboxes', workspace, 'search', text],
    queryFn: async () => {
      if (text.trim() === '') return []
      const { me } = await app.graphql.query(
        `query search($id: UUID4!, $text: String!, $limit: Int) { me { team(id: $id) { search(text: $text, limit: $limit) { ${cardFields} } } } }`,
        {
          variables: { id: workspace, text, limit: pageLimit },
          schema: z.object({ me: z.object({ team: z.object({ search: cards }).nullable() }).nullable() }),
        },
      )
      return inWorkspace(me).search
    },
  })

/** What others share with the person, whatever the workspace. */
export const shared = (app: App) =>
  queryOptions({
    queryKey: ['sandboxes', 'shared'],
    queryFn: async () => {
      const { me } = await app.graphql.query(`query shared { me { collaboratorSandboxes { ${cardFields} } } }`, {
        schema: z.object({ me: z.object({ collaboratorSandboxes: cards }).nullable() }),
      })
      return signedIn(me).collaboratorSandboxes
    },
  })

export const liked = (app: App) =>
  queryOptions({
    queryKey: ['sandboxes', 'liked'],
    queryFn: async () => {
      const { me } = await app.graphql.query(`query liked { me { likedSandboxes { ${cardFields} } } }`, {
        schema: z.object({ me: z.object({ likedSandboxes: cards }).nullable() }),
      })
      return signedIn(me).likedSandboxes
    },
  })
