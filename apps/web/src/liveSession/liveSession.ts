import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import type { App } from '../App.ts'

export const livePermissions = ['READ', 'WRITE'] as const
export type LivePermission = (typeof livePermissions)[number]

const permission = z.enum(livePermissions)
const person = z.object({ userId: z.string(), username: z.string(), avatarUrl: z.string() })
const sessionSchema = z.object({
  id: z.string(),
  vmId: z.string(),
  defaultPermission: permission,
  host: person.nullable(),
  guests: z.array(person.extend({ permission })),
})
/** The session that runs on a devbox. */
export type LiveSession = z.output<typeof sessionSchema>
export type LiveGuest = LiveSession['guests'][number]

const fields =
  'id vmId defaultPermission host { userId username avatarUrl } guests { userId username avatarUrl permission }'

type Asks = Pick<App, 'graphql'>

/** The session on a devbox for whoever may see it; null when there is none. */
export const liveSessionOf = ({ graphql }: Asks, vmId: string) =>
  queryOptions({
    queryKey: ['live-session', vmId],
    queryFn: async () => {
      const { getLiveSession } = await graphql.query(
        `query liveSession($vmId: ID!) { getLiveSession(vmId: $vmId) { ${fields} } }`,
        { variables: { vmId }, schema: z.object({ getLiveSession: sessionSchema.nullable() }) },
      )
      return getLiveSession
    },
  })

/** What is told of a session to those who follow its devbox. */
export const liveEventsDocument = `subscription live($vmId: ID!) { liveSessionEvents(vmId: $vmId) { event } }`

export async function startLiveSession({ graphql }: Asks, vmId: string, permission: LivePermission): Promise<void> {
  await graphql.query(
    `mutation start($vmId: ID!, $permission: LiveSessionPermission!) {
      startLiveSession(vmId: $vmId, defaultPermission: $permission) { id }
    }`,
    { variables: { vmId, permission }, schema: z.unknown() },
  )
}

export async function stopLiveSession({ graphql }: Asks, vmId: string): Promise<void> {
  await graphql.query(`mutation stop($vmId: ID!) { stopLiveSession(vmId: $vmId) { id } }`, {
    variables: { vmId },
    schema: z.unknown(),
  })
}

/** Lets the person in. @returns the devbox. Throws NOT_FOUND when there is no such session any more. */
export async function joinLiveSession({ graphql }: Asks, id: string): Promise<string> {
  const { joinLiveSession: joined } = await graphql.query(
    `mutation join($id: ID!) { joinLiveSession(id: $id) { vmId } }`,
    { variables: { id }, schema: z.object({ joinLiveSession: z.object({ vmId: z.string() }) }) },
  )
  return joined.vmId
}

export async function permitGuests({ graphql }: Asks, vmId: string, permission: LivePermission): Promise<void> {
  await graphql.query(
    `mutation permitGuests($vmId: ID!, $permission: LiveSessionPermission!) {
      setLiveSessionDefaultPermission(vmId: $vmId, permission: $permission) { id }
    }`,
    { variables: { vmId, permission }, schema: z.unknown() },
  )
}

export async function permitGuest(
  { graphql }: Asks,
  vmId: string,
  { userId, permission }: { userId: string; permission: LivePermission },
): Promise<void> {
  await graphql.query(
    `mutation permitGuest($vmId: ID!, $userId: ID!, $permission: LiveSessionPermission!) {
      setLiveSessionGuestPermission(vmId: $vmId, userId: $userId, permission: $permission) { id }
    }`,
    { variables: { vmId, userId, permission }, schema: z.unknown() },
  )
}
