import { z } from 'zod'
import type { App } from '../App.ts'

const fields = '{ id username name }'
const sandboxDocument = `query people($sandboxId: ID!) { sandbox(sandboxId: $sandboxId) { teamId author ${fields} } }`
const teamDocument = `query members($teamId: UUID4!) { me { team(id: $teamId) { users ${fields} } } }`

const person = z.object({ id: z.string(), username: z.string(), name: z.string().nullable() })
export type SandboxPerson = z.output<typeof person>

/** Who made a sandbox, and who is in its workspace, as far as this person may see them. */
export async function sandboxPeople(
  graphql: Pick<App['graphql'], 'query'>,
  sandboxId: string,
): Promise<readonly SandboxPerson[]> {
  const { sandbox } = await graphql.query(sandboxDocument, {
    variables: { sandboxId },
    schema: z.object({
      sandbox: z.object({ teamId: z.string().nullable(), author: person.nullable() }).nullable(),
    }),
  })
  const author = sandbox?.author ? [sandbox.author] : []
  if (!sandbox?.teamId) return author
  const { me } = await graphql.query(teamDocument, {
    variables: { teamId: sandbox.teamId },
    schema: z.object({ me: z.object({ team: z.object({ users: z.array(person) }).nullable() }).nullable() }),
  })
  const members = me?.team?.users ?? []
  return [...author.filter(({ id }) => members.every((member) => member.id !== id)), ...members]
}
