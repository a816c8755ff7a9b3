import { Avatar, DropdownMenu, Tooltip } from '@boxyard/ui'
import { CaretColor } from './CaretColor.tsx'
import { FollowItems } from './FollowItems.tsx'
import type { FollowItemsProps } from './FollowItems.tsx'
import { followWords } from './followWords.ts'
import type { PersonHere } from './peopleHere.ts'

/** Avatars in the header; more people than this are in a menu behind them. */
const shownPeople = 4

/** Who is followed has a ring around that of their picture. */
const OUTER_RING = 'z-1 ring-2 ring-text ring-offset-3 ring-offset-panel'

/** Everybody who has the devbox open. A click follows somebody, or ends that. */
export function People({ people, following }: FollowItemsProps) {
  if (people.length === 0) return null
  const more = people.slice(shownPeople)
  const isFollowed = ({ clientId }: PersonHere) => clientId === following?.clientId
  return (
    <ul aria-label="People here" className="flex items-center -space-x-1">
      {people.slice(0, shownPeople).map((person) => {
        const { name, isSelf } = person
        return (
          <li key={person.clientId}>
            <Tooltip text={followWords(person, following)}>
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
            <FollowItems people={more} following={following} />
          </DropdownMenu>
        </li>
      )}
    </ul>
  )
}
