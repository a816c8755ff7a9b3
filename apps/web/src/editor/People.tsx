import type { Client } from '@boxyard/protocol'
import { Avatar, Tooltip } from '@boxyard/ui'

/** Avatars in the header; more people than this are counted. */
const shownPeople = 4

/** Everybody who has the devbox open, each once however many windows they have. */
export function People({ clients, selfId }: { clients: readonly Client[]; selfId: string | undefined }) {
  const byName = new Map(clients.map((client) => [client.username, client]))
  const people = [...byName.values()]
  if (people.length === 0) return null
  const more = people.length - shownPeople
  return (
    <ul aria-label="People here" className="flex items-center -space-x-1">
      {people.slice(0, shownPeople).map((person) => (
        <li key={person.username}>
          <Tooltip text={`${person.name || person.username}${person.clientId === selfId ? ' (you)' : ''}`}>
            <button type="button" className="block rounded-full" aria-label={person.name || person.username}>
              <Avatar src={person.avatarUrl} name={person.name || person.username} highlight={person.color} />
            </button>
          </Tooltip>
        </li>
      ))}
      {more > 0 && <li className="pl-3 text-12 text-quiet">and {more} more</li>}
    </ul>
  )
}
