import type { Client } from '@boxyard/protocol'
import { Avatar, Tooltip } from '@boxyard/ui'
import { peopleHere } from './peopleHere.ts'
import type { FollowChoice } from './useFollowing.ts'

/** Avatars in the header; more people than this are counted. */
const shownPeople = 4

export interface PeopleProps {
  clients: readonly Client[]
  selfId: string | undefined
  following: FollowChoice | null
}

/** Everybody who has the devbox open. A click follows somebody, or ends that. */
export function People({ clients, selfId, following }: PeopleProps) {
  const people = peopleHere(clients, selfId, following?.clientId)
  if (people.length === 0) return null
  const more = people.length - shownPeople
  return (
    <ul aria-label="People here" className="flex items-center -space-x-1">
      {people.slice(0, shownPeople).map((person) => {
        const name = person.name || person.username
        const isSelf = person.isSelf
        const isFollowed = person.clientId === following?.clientId
        const words = isSelf ? `${name} (you)` : isFollowed ? `Following ${name}. Click to stop.` : `Follow ${name}`
        return (
          <li key={person.clientId}>
            <Tooltip text={words}>
              <button
                type="button"
                className={`relative block rounded-full ${isFollowed ? 'ring-2 ring-accent' : ''}`}
                aria-label={isSelf ? name : `Follow ${name}`}
                aria-pressed={isSelf ? undefined : isFollowed}
                onClick={() => {
                  if (!isSelf) following?.toggle(person.clientId)
                }}
              >
                <Avatar src={person.avatarUrl} name={name} highlight={person.ring} />
                {/* The color that their caret has in the texts. */}
                <span
                  aria-hidden="true"
                  className="absolute -bottom-0.5 -left-0.5 size-2.5 rounded-full border-2 border-panel"
                  style={{ backgroundColor: person.color }}
                />
              </button>
            </Tooltip>
          </li>
        )
      })}
      {more > 0 && <li className="pl-3 text-12 text-quiet">and {more} more</li>}
    </ul>
  )
}
