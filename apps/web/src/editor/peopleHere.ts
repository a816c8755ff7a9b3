import { ANONYMOUS_USERNAME, isSamePerson, type Client } from '@boxyard/protocol'

export interface PersonHere extends Client {
  /** What they are called: that of their account where they gave none. */
  name: string
  isSelf: boolean
  /** The color of the ring around their picture. */
  ring: string
}

/** Everybody who is here, each once however many windows they have. Visitors without an account are each their own. */
export function peopleHere(
  clients: readonly Client[],
  selfId: string | undefined,
  followedId: string | null | undefined,
): PersonHere[] {
  const self = clients.find(({ clientId }) => clientId === selfId)
  const isFirst = ({ clientId }: Client) => clientId === selfId || clientId === followedId
  const people: Client[] = []
  for (const client of clients) {
    const known = people.findIndex(({ username }) => isSamePerson(username, client.username))
    if (known < 0) people.push(client)
    // This window stands for its person; of others the window that is followed does.
    else if (!isFirst(people[known]!)) people[known] = client
  }
  return people.map((person) => ({
    ...person,
    name: person.name || person.username,
    isSelf: person.clientId === selfId || (self !== undefined && isSamePerson(person.username, self.username)),
    ring: person.username === ANONYMOUS_USERNAME ? 'var(--color-guest)' : 'var(--color-member)',
  }))
}
