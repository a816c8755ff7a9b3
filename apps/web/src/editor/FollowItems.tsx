import { Avatar, DropdownMenuItem } from '@boxyard/ui'
import { CaretColor } from './CaretColor.tsx'
import { followWords } from './followWords.ts'
import type { PersonHere } from './peopleHere.ts'
import type { FollowChoice } from './useFollowing.ts'

export interface FollowItemsProps {
  people: readonly PersonHere[]
  following: FollowChoice | null
}

/** People in a menu. Choosing one follows them, or ends that. */
export function FollowItems({ people, following }: FollowItemsProps) {
  return people.map((person) => (
    <DropdownMenuItem
      key={person.clientId}
      icon={
        // Their name is read once.
        <span aria-hidden="true" className="relative flex">
          <Avatar src={person.avatarUrl} name={person.name} size="xs" />
          <CaretColor color={person.color} className="-bottom-0.5 -left-0.5 size-2 border border-raised" />
        </span>
      }
      disabled={person.isSelf}
      onSelect={() => following?.toggle(person.clientId)}
    >
      {followWords(person, following)}
    </DropdownMenuItem>
  ))
}
