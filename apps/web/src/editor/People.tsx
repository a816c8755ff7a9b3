import type { Client } from '@boxyard/protocol'
import { Avatar, Tooltip } from '@boxyard/ui'
import type { FollowChoice } from './useFollowing.ts'

/** Avatars in the header; more people than this are counted. */
const shownPeople = 4

export interface PeopleProps {
  clients: readonly Client[]
  selfId: string | undefined
  following: FollowChoice | null
}

/** Everybody who has the devbox open, each once however many windows they have. A click follows somebody, or ends that. */
export function People({ clients, selfId, following }: PeopleProps) {
  const self = clients.find(({ clientId }) => clientId === selfId)
  const byName = new Map<string, Client>()
  for (const client of clients) {
    // This window stands for its person; of others the window that is followed does.
    const known = byName.get(client.username)
    if (known && (known.clientId === selfId || known.clientId === following?.clientId)) continue
    byName.set(client.username, client)
  }
  const people = [...byName.values()]
  if (people.length === 0) return null
  const more = people.length - shownPeople
  return (
    <ul aria-label="People here" className="flex items-center -space-x-1">
      {people.slice(0, shownPeople).map((person) => {
        const name = person.name || person.username
        const isSelf = person.username === self?.username
        const isFollowed = person.clientId === following?.clientId
        const words = isSelf ? `${name} (you)` : isFollowed ? `Following ${name}. Click to stop.` : `Follow ${name}`
        return (
          <li key={person.username}>
            <Tooltip text={words}>
              <button
                type="button"
                className={`block rounded-full ${isFollowed ? 'ring-2 ring-accent' : ''}`}
                aria-label={isSelf ? name : `Follow ${name}`}
                aria-pressed={isSelf ? undefined : isFollowed}
                onClick={() => {
                  if (!isSelf) following?.toggle(person.clientId)
                }}
              >
                <Avatar src={person.avatarUrl} name={name} highlight={person.color} />
              </button>
            </Tooltip>
          </li>
        )
      })}
      {more > 0 && <li className="pl-3 text-12 text-quiet">and {more} more</li>}
    </ul>
  )
}
