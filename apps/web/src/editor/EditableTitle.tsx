import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { renameSandbox } from '../dashboard/sandboxCommands.ts'

export interface EditableTitleProps {
  id: string
  title: string
  canRename: boolean
  onRenamed: (title: string) => void
}

/** The title of the project. Enter or leaving the field keeps it, Escape takes it back. */
export function EditableTitle({ id, title, canRename, onRenamed }: EditableTitleProps) {
  const app = useApp()
  const [draft, setDraft] = useState<string>()
  const rename = useMutation({
    mutationFn: (next: string) => renameSandbox(app, id, next),
    onSuccess: (_, next) => {
      onRenamed(next)
      setDraft(undefined)
    },
    onError: (error) => {
      setDraft(undefined)
      app.notices.add({ uniqueName: 'rename', tone: 'error', title: 'The name was not changed', body: error.message })
    },
  })
  if (!canRename) return <span className="truncate px-2 font-medium">{title}</span>

  const keep = () => {
    const next = draft?.trim()
    if (!next || next === title) setDraft(undefined)
    else if (!rename.isPending) rename.mutate(next)
  }
  const shown = draft ?? title
  return (
    <input
      aria-label="Name of this devbox"
      spellCheck={false}
      autoComplete="off"
      maxLength={100}
      value={shown}
      readOnly={rename.isPending}
      aria-busy={rename.isPending || undefined}
      onChange={(event) => setDraft(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur()
        if (event.key === 'Escape') setDraft(undefined)
      }}
      style={{ width: `calc(${Math.max(shown.length, 4)}ch + 18px)` }}
      className="h-7 max-w-80 min-w-10 shrink truncate rounded-control border border-transparent bg-transparent px-2 font-medium hover:border-line-strong focus:border-line-strong focus:bg-ground pointer-coarse:text-16"
    />
  )
}
