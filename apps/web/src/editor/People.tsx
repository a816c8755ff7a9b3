import type { Client } from '@boxyard/protocol'
import { Avatar, DropdownMenu, DropdownMenuItem, Tooltip } from '@boxyard/ui'
import { peopleHere } from './peopleHere.ts'
import type { PersonHere } from './peopleHere.ts'
import type { FollowChoice } from './useFollowing.ts'

/** Avatars in the header; more people than this are in a menu behind them. */
const shownPeople = 4

/** Who is followed has a ring around that of their picture. */
const OUTER_RING = 'z-1 ring-2 ring-text ring-offset-3 ring-offset-panel'

export interface PeopleProps {
  clients: readonly Client[]
  selfId: string | undefined
  following: FollowChoice | null
}

/** Everybody who has the devbox open. A click follows somebody, or ends that. */
export function People({ clients, selfId, following }: PeopleProps) {
  const people = peopleHere(clients, selfId, following?.clientId)
  if (people.length === 0) return null
  const more = people.slice(shownPeople)
  const nameOf = ({ name, username }: PersonHere) => name || username
  const isFollowed = ({ clientId }: PersonHere) => clientId === following?.clientId
  const wordsOf = (person: PersonHere) => {
    if (person.isSelf) return `${nameOf(person)} (you)`
    return isFollowed(person) ? `Following ${nameOf(person)}. Click to stop.` : `Follow ${nameOf(person)}`
  }
  return (
    <ul aria-label="People here" className="flex items-center -space-x-1">
      {people.slice(0, shownPeople).map((person) => {
        const name = nameOf(person)
        const isSelf = person.isSelf
        return (
          <li key={person.clientId}>
            <Tooltip text={wordsOf(person)}>
              <button
                type="button"
                className={`relative block rounded-full ${isFollowed(person) ? OUTER_RING : ''}`}
                aria-label={isSelf ? name : `Follow ${name}`}
                aria-pressed={isSelf ? undefined : isFollowed(person)}
                onClick={() => {
                  if (!isSelf) following?.toggle(person.clientId)
                }}
              >
                <Avatar src={person.avatarUrl} name={name} highlight={person.ring} />
                <CaretColor color={person.color} className="-bottom-0.5 -left-0.5 size-2.5 border-2 border-panel" />
              </button>
            </Tooltip>
          </li>
        )
      })}
      {more.length > 0 && (
        <li className="pl-3">
          <DropdownMenu
            align="end"
            trigger={
              <button
                type="button"
                className={`rounded-control px-1 text-12 whitespace-nowrap text-quiet hover:text-text ${more.some(isFollowed) ? 'ring-2 ring-text' : ''}`}
              >
                and {more.length} more<span className="sr-only"> people here</span>
              </button>
            }
          >
            {more.map((person) => (
              <DropdownMenuItem
                key={person.clientId}
                icon={
                  // Their name is read once.
                  <span aria-hidden="true" className="relative flex">
                    <Avatar src={person.avatarUrl} name={nameOf(person)} size="xs" />
                    <CaretColor color={person.color} className="-bottom-0.5 -left-0.5 size-2 border border-raised" />
                  </span>
                }
                disabled={person.isSelf}
                onSelect={() => following?.toggle(person.clientId)}
              >
                {wordsOf(person)}
              </DropdownMenuItem>
            ))}
          </DropdownMenu>
        </li>
      )}
    </ul>
  )
}

/** The color that somebody's caret has in the texts. */
function CaretColor({ color, className }: { color: string | undefined; className: string }) {
  return <span aria-hidden="true" className={`absolute rounded-full ${className}`} style={{ backgroundColor: color }} />
}
