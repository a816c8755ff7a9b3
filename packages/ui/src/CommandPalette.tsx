import { ChevronLeft, Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { ActionSearch, queryCancelled, rankActions } from './ActionSearch.ts'
import { classNames } from './classNames.ts'
import { browserClock } from './clock.ts'
import { IconButton } from './IconButton.tsx'
import { Kbd } from './Kbd.tsx'
import type { PaletteAction } from './paletteAction.ts'

export interface CommandPaletteProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  actions: readonly PaletteAction[]
}

export function CommandPalette({ open, onOpenChange, actions }: CommandPaletteProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Radix.Content
          aria-describedby={undefined}
          className="animate-open fixed top-[12vh] left-1/2 z-50 flex w-[calc(100vw-24px)] max-w-[560px] -translate-x-1/2 flex-col overflow-hidden rounded-dialog border border-line-strong bg-raised text-13 text-text shadow-float"
        >
          <Radix.Title className="sr-only">Commands</Radix.Title>
          <PaletteBody actions={actions} onClose={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function PaletteBody({ actions, onClose }: { actions: readonly PaletteAction[]; onClose: () => void }) {
  const [query, setQuery] = useState('')
  const [parent, setParent] = useState<string>()
  const [results, setResults] = useState(() => rankActions(actions, '', undefined))
  const [active, setActive] = useState(0)
  const search = useMemo(() => new ActionSearch(browserClock), [])
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    let current = true
    const show = (found: readonly PaletteAction[]) => {
      if (!current) return
      setResults(found)
      setActive(0)
    }
    if (query === '') show(rankActions(actions, '', parent))
    else
      search.search(actions, query, parent).then(show, (error: unknown) => {
        if (!(error instanceof Error) || error.message !== queryCancelled) throw error
      })
    return () => {
      current = false
    }
  }, [actions, query, parent, search])

  useEffect(() => {
    list.current?.querySelectorAll('[role=option]')[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const choose = (action: PaletteAction) => {
    if (!action.perform) {
      setParent(action.id)
      setQuery('')
      return
    }
    onClose()
    action.perform()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (results.length > 0) setActive((at) => (at + step + results.length) % results.length)
    } else if (event.key === 'Enter') {
      const action = results[active]
      if (action && !event.nativeEvent.isComposing) {
        event.preventDefault()
        choose(action)
      }
    } else if (event.key === 'Backspace' && query === '' && parent !== undefined) {
      setParent(actions.find((action) => action.id === parent)?.parent)
    }
  }

  const parentName = actions.find((action) => action.id === parent)?.name
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-3">
        {parentName ? (
          <IconButton label={`Back from ${parentName}`} size="small" onClick={() => setParent(undefined)}>
            <ChevronLeft aria-hidden size={16} strokeWidth={1.5} />
          </IconButton>
        ) : (
          <Search aria-hidden size={16} strokeWidth={1.5} className="text-quiet" />
        )}
        <input
          autoFocus
          spellCheck={false}
          autoComplete="off"
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={results.length > 0 ? `${id}-${active}` : undefined}
          aria-label="Type a command or search"
          placeholder="Type a command or search…"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-14 outline-none placeholder:text-faint pointer-coarse:text-16"
        />
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Commands"
        className="max-h-[400px] overflow-y-auto p-1"
      >
        {results.length === 0 && <p className="px-3 py-6 text-center text-quiet">Nothing matches “{query}”.</p>}
        {results.map((action, index) => (
          <div key={action.id}>
            {query === '' && action.section && action.section !== results[index - 1]?.section && (
              <div aria-hidden className="px-2 pt-2 pb-1 text-12 text-quiet">
                {action.section}
              </div>
            )}
            {/* The keyboard acts on the combobox above, which names the active option. */}
            <div
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onPointerMove={() => setActive(index)}
              onClick={() => choose(action)}
              onKeyDown={onKeyDown}
              className={classNames(
                'flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2 pointer-coarse:min-h-11',
                index === active && 'bg-hover',
              )}
            >
              <span aria-hidden className="flex w-4 justify-center text-quiet">
                {action.icon}
              </span>
              <span className="min-w-0 flex-1 truncate">
                {action.name}
                {action.subtitle && <span className="ml-2 text-quiet">{action.subtitle}</span>}
              </span>
              {action.shortcut && <Kbd>{action.shortcut}</Kbd>}
            </div>
          </div>
        ))}
      </div>
    </>
  )
}
