import type { Client } from '@boxyard/protocol'
import { Avatar, DropdownMenu, DropdownMenuItem, Tooltip } from '@boxyard/ui'
import { peopleHere } from './peopleHere.ts'
import type { PersonHere } from './peopleHere.ts'
import type { FollowChoice } from './useFollowing.ts'

/** Avatars in the header; more people than this are in a menu behind them. */
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
  const more = people.slice(shownPeople)
  const nameOf = ({ name, username }: PersonHere) => name || username
  const wordsOf = (person: PersonHere) => {
    if (person.isSelf) return `${nameOf(person)} (you)`
    return person.clientId === following?.clientId
      ? `Following ${nameOf(person)}. Click to stop.`
      : `Follow ${nameOf(person)}`
  }
  return (
    <ul aria-label="People here" className="flex items-center -space-x-1">
      {people.slice(0, shownPeople).map((person) => {
        const name = nameOf(person)
        const isSelf = person.isSelf
        const isFollowed = person.clientId === following?.clientId
        return (
          <li key={person.clientId}>
            <Tooltip text={wordsOf(person)}>
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
      {more.length > 0 && (
        <li className="pl-3">
          <DropdownMenu
            align="end"
            trigger={
              <button type="button" className="rounded-control px-1 text-12 text-quiet hover:text-text">
                and {more.length} more
              </button>
            }
          >
            {more.map((person) => (
              <DropdownMenuItem
                key={person.clientId}
                icon={<Avatar src={person.avatarUrl} name={nameOf(person)} size="xs" />}
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
