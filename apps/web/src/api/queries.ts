import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import type { App } from '../App.ts'
import { RequestError } from './RequestError.ts'
import { officialTemplatesSchema } from './schemas.ts'

/** The server's moments have no zone and are UTC. */
export const momentSchema = z.string().transform((text) => new Date(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`))

/** The query API answers `me: null` to people who aren't signed in. */
export function signedIn<T>(me: T | null): T {
  if (me === null) throw new RequestError({ status: 401, message: 'You need to sign in to do this' })
  return me
}

export const sandboxCardSchema = z.object({
  id: z.string(),
  alias: z.string().nullable(),
  title: z.string().nullable(),
  isV2: z.boolean(),
  privacy: z.number(),
  authorization: z.enum(['OWNER', 'WRITE_PROJECT', 'WRITE_CODE', 'COMMENT', 'READ', 'NONE']),
  lastAccessedAt: momentSchema,
  screenshotUrl: z.string().nullable(),
  forkedTemplate: z.object({ iconUrl: z.string().nullable() }).nullable(),
  isFrozen: z.boolean(),
  removedAt: momentSchema.nullable(),
  customTemplate: z.object({ id: z.string().nullable() }).nullable(),
  teamId: z.string().nullable(),
})
export type SandboxCard = z.output<typeof sandboxCardSchema>

/** What the query API is asked about each sandbox of a list. */
export const cardFields =
  'id alias title isV2 privacy authorization lastAccessedAt screenshotUrl forkedTemplate { iconUrl } isFrozen removedAt customTemplate { id } teamId'

/** How many pieces of recent work the dashboard shows. */
export const recentLimit = 50

const recentDocument = `query recentlyAccessedSandboxes($limit: Int) {
  me { recentlyAccessedSandboxes(limit: $limit) { ${cardFields} } }
}`

export const recentSandboxes = (app: App) =>
  queryOptions({
    queryKey: ['recent'],
    queryFn: async () => {
      const { me } = await app.graphql.query(recentDocument, {
        variables: { limit: recentLimit },
        schema: z.object({ me: z.object({ recentlyAccessedSandboxes: z.array(sandboxCardSchema) }).nullable() }),
      })
      return signedIn(me).recentlyAccessedSandboxes
    },
  })

export const workspaceSchema = z.object({ id: z.string(), name: z.string(), avatarUrl: z.string().nullable() })
export type Workspace = z.output<typeof workspaceSchema>

const workspacesDocument = `query workspaces { me { primaryWorkspaceId workspaces { id name avatarUrl } } }`

/** The workspaces of the person, the primary one first. */
export const workspaces = (app: App) =>
  queryOptions({
    queryKey: ['workspaces'],
    queryFn: async () => {
      const { me } = await app.graphql.query(workspacesDocument, {
        schema: z.object({
          me: z.object({ primaryWorkspaceId: z.string().nullable(), workspaces: z.array(workspaceSchema) }).nullable(),
        }),
      })
      const { primaryWorkspaceId, workspaces } = signedIn(me)
      const isPrimary = (workspace: Workspace) => (workspace.id === primaryWorkspaceId ? 1 : 0)
      return workspaces.toSorted((a, b) => isPrimary(b) - isPrimary(a))
    },
    staleTime: 60_000,
  })

export const officialTemplates = (app: App) =>
  queryOptions({
    queryKey: ['templates'],
    queryFn: ({ signal }) => app.rest.get('/sandboxes/templates/official', { schema: officialTemplatesSchema, signal }),
    staleTime: 5 * 60_000,
  })

/** What a sandbox is called where it has no title. */
export const titleOf = (card: { title: string | null; alias?: string | null | undefined; id: string }) =>
  card.title ?? card.alias ?? card.id
