import { mentionQuery, mentionSuggestions } from '@boxyard/workbench/mentions'
import type { Mentionable } from '@boxyard/workbench/mentions'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'

export interface MentionTextAreaProps {
  value: string
  onChange: (value: string) => void
  /** Who can be named. */
  people: readonly Mentionable[]
  maxLength: number
  className: string
  /** Where nothing around it names it. */
  'aria-label'?: string
}

/** A field for a comment, which offers people where the text is about to name somebody. */
export function MentionTextArea({ value, onChange, people, ...rest }: MentionTextAreaProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  /** Where the caret is while people may be offered; null once the person wants none. */
  const [caret, setCaret] = useState<number | null>(null)
  const [chosen, setChosen] = useState(0)
  /** Where the caret belongs once the text has the name. */
  const next = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (next.current === null) return
    field.current?.setSelectionRange(next.current, next.current)
    next.current = null
  })

  const query = caret === null ? undefined : mentionQuery(value.slice(0, caret))
  const offered = query ? mentionSuggestions(people, query.words) : []
  const isOpen = offered.length > 0
  const take = ({ username }: Mentionable) => {
    if (!query || caret === null) return
    const before = `${value.slice(0, query.start)}@${username} `
    next.current = before.length
    setCaret(null)
    onChange(before + value.slice(caret))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const person = offered[chosen] ?? offered[0]
    if (step !== undefined) setChosen((chosen + step + offered.length) % offered.length)
    else if (event.key === 'Escape') setCaret(null)
    else if ((event.key === 'Enter' || event.key === 'Tab') && person) take(person)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span className="relative flex w-full flex-col">
      <textarea
        {...rest}
        ref={field}
        value={value}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${chosen}` : undefined}
        onChange={({ target }) => {
          setCaret(target.selectionStart)
          setChosen(0)
          onChange(target.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setCaret(null)}
      />
      {isOpen && (
        <ul
          id={listId}
          role="listbox"
          aria-label="People"
          className="absolute top-full left-0 z-10 mt-1 w-64 rounded-panel border border-line-strong bg-raised py-1 font-sans text-13"
        >
          {offered.map((person, index) => (
            <li
              key={person.username}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === chosen}
              className={`flex cursor-pointer gap-2 px-3 py-1 ${index === chosen ? 'bg-hover' : ''}`}
              // The field keeps the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                take(person)
              }}
            >
              {person.username}
              {person.name !== null && <span className="text-quiet">{person.name}</span>}
            </li>
          ))}
        </ul>
      )}
    </span>
  )
}
