import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { signedIn } from '../api/queries.ts'
import { RequestError } from '../api/RequestError.ts'
import type { App } from '../App.ts'

export const memberAuthorizationSchema = z.enum(['ADMIN', 'WRITE', 'READ', 'NONE'])
export type MemberAuthorization = z.infer<typeof memberAuthorizationSchema>

/** What the roles of a workspace are called where people choose one. */
export const memberAuthorizationNames: Readonly<Record<MemberAuthorization, string>> = {
  ADMIN: 'Admin',
  WRITE: 'Editor',
  READ: 'Viewer',
  NONE: 'No access',
}

const personSchema = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  avatarUrl: z.string(),
})

const aiConsentSchema = z.object({
  privateRepositories: z.boolean(),
  privateSandboxes: z.boolean(),
  publicRepositories: z.boolean(),
  publicSandboxes: z.boolean(),
})
export type AiConsent = z.output<typeof aiConsentSchema>

export const workspaceDetailsSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  inviteToken: z.string(),
  members: z.array(personSchema),
  invitees: z.array(personSchema),
  userAuthorizations: z.array(
    z.object({ userId: z.string(), authorization: memberAuthorizationSchema, teamManager: z.boolean() }),
  ),
  settings: z
    .object({
      aiConsent: aiConsentSchema,
      defaultAuthorization: memberAuthorizationSchema,
      minimumPrivacy: z.number(),
      preventSandboxExport: z.boolean(),
      preventSandboxLeaving: z.boolean(),
    })
    .nullable(),
  limits: z.object({ includedSandboxes: z.number(), includedDrafts: z.number(), includedMembers: z.number() }),
  usage: z.object({ sandboxes: z.number(), editorsQuantity: z.number(), credits: z.number() }),
})
export type WorkspaceDetails = z.output<typeof workspaceDetailsSchema>

const person = `id username name avatarUrl`
const detailsDocument = `query team($id: UUID4!) {
  me {
    team(id: $id) {
      id name description avatarUrl inviteToken
      members { ${person} }
      invitees { ${person} }
      userAuthorizations { userId authorization teamManager }
      settings {
        aiConsent { privateRepositories privateSandboxes publicRepositories publicSandboxes }
        defaultAuthorization minimumPrivacy preventSandboxExport preventSandboxLeaving
      }
      limits { includedSandboxes includedDrafts includedMembers }
      usage { sandboxes editorsQuantity credits }
    }
  }
}`

/** Everything about one workspace that its settings show. */
export const workspaceDetails = (app: App, id: string) =>
  queryOptions({
    queryKey: ['workspace', id, 'details'],
    queryFn: async () => {
      const { me } = await app.graphql.query(detailsDocument, {
        variables: { id },
        schema: z.object({ me: z.object({ team: workspaceDetailsSchema.nullable() }).nullable() }),
      })
      const { team } = signedIn(me)
      if (!team) throw new RequestError({ status: 404, message: 'This workspace does not exist, or you are not in it' })
      return team
    },
  })

/** What the person is in a workspace. */
export const roleIn = (workspace: WorkspaceDetails, userId: string): MemberAuthorization =>
  workspace.userAuthorizations.find((one) => one.userId === userId)?.authorization ?? 'NONE'
