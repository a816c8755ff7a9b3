import type { FileTree as Tree } from '@boxyard/dev-server-client'
import { useMemo, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import type { FileIcons } from './fileIcons.ts'
import type { TreeActions } from './treeActions.ts'
import { foldersAbove, treeRows, type TreeRow } from './treeRows.ts'
import type { TreeStore } from './treeStore.ts'

export interface FileTreeProps {
  title: string
  tree: Pick<Tree, 'children' | 'get' | 'idOf'>
  store: TreeStore
  actions: TreeActions
  icons: FileIcons
  canWrite: boolean
  /** The file in front, relative to the workspace. */
  active: string | undefined
}

/** The files of the workspace, as everyone changes them. */
export function FileTree({ title, tree, store, actions, icons, canWrite, active }: FileTreeProps) {
  const version = useSyncExternalStore(store.subscribe, store.getSnapshot)
  useSyncExternalStore(icons.subscribe, icons.getSnapshot)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  /** The row that has the focus, or gets it. */
  const [current, setCurrent] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  // The tree changes in place; its version says when.
  const rows = useMemo(() => (version < 0 ? [] : treeRows(tree, open)), [tree, open, version])
  // Another file came in front, or the tree was read after it had: its folders are opened once.
  const [revealed, setRevealed] = useState<string>()
  if (version > 0 && active !== revealed) {
    setRevealed(active)
    if (active !== undefined) {
      setOpen(new Set([...open, ...foldersAbove(tree, active)]))
      setCurrent(tree.idOf(active))
    }
  }

  const turn = (row: TreeRow, isOpen: boolean) =>
    setOpen((known) => {
      const next = new Set(known)
      if (isOpen) next.add(row.id)
      else next.delete(row.id)
      return next
    })
  const use = (row: TreeRow) => {
    setCurrent(row.id)
    if (row.isFolder) turn(row, !row.isOpen)
    else actions.open(row.path)
  }
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === current),
  )
  const focus = (index: number) => {
    const row = rows[index]
    if (!row) return
    setCurrent(row.id)
    list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.id)}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = rows[at]
    if (!row || !(event.target as HTMLElement).matches('[role="treeitem"]')) return
    const parent = () => rows.slice(0, at).findLastIndex(({ level }) => level < row.level)
    const acts: Record<string, () => void> = {
      ArrowDown: () => focus(at + 1),
      ArrowUp: () => focus(at - 1),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      ArrowRight: () => (row.isFolder && !row.isOpen ? turn(row, true) : row.isFolder ? focus(at + 1) : undefined),
      ArrowLeft: () => (row.isOpen ? turn(row, false) : focus(parent())),
      Enter: () => use(row),
      ' ': () => use(row),
      ...(canWrite && { F2: () => actions.rename(row), Delete: () => actions.remove(row) }),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    // The editor has keys of its own.
    event.stopPropagation()
    act()
  }
  const selected = rows.find(({ id }) => id === current)
  return (
    <div className="boxyard-files">
      <div className="boxyard-files-head">
        <h2>{title}</h2>
        <button
          type="button"
          className="codicon codicon-search"
          aria-label="Go to file"
          title="Go to file (Ctrl+P)"
          onClick={() => actions.find()}
        />
        {canWrite && (
          <>
            <button
              type="button"
              className="codicon codicon-new-file"
              aria-label="New file"
              title="New file"
              onClick={() => actions.make('file', selected)}
            />
            <button
              type="button"
              className="codicon codicon-new-folder"
              aria-label="New folder"
              title="New folder"
              onClick={() => actions.make('folder', selected)}
            />
          </>
        )}
      </div>
      {rows.length === 0 && <p>{version === 0 ? 'Reading the files' : 'No files yet.'}</p>}
      <div ref={list} className="show-file-icons" role="tree" aria-label="Files" onKeyDown={onKeyDown}>
        {rows.map((row, index) => (
          <div
            key={row.id}
            role="treeitem"
            data-row={row.id}
            aria-level={row.level}
            aria-posinset={row.place}
            aria-setsize={row.siblings}
            aria-label={row.name}
            aria-selected={row.path === active}
            {...(row.isFolder && { 'aria-expanded': row.isOpen })}
            tabIndex={index === at ? 0 : -1}
            style={{ paddingLeft: 8 + (row.level - 1) * 12 }}
            title={row.path}
            onFocus={() => setCurrent(row.id)}
            onClick={() => use(row)}
          >
            <span
              aria-hidden
              className={
                row.isFolder
                  ? `codicon codicon-chevron-${row.isOpen ? 'down' : 'right'}`
                  : `boxyard-files-icon ${icons.classesOf(row.path)}`
              }
            />
            <span className="boxyard-files-name">{row.name}</span>
            {canWrite && (
              <span className="boxyard-files-acts">
                <RowButton icon="edit" label={`Rename ${row.name}`} run={() => actions.rename(row)} />
                <RowButton icon="trash" label={`Delete ${row.name}`} run={() => actions.remove(row)} />
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

/** With keys the same is done by F2 and Delete. */
function RowButton({ icon, label, run }: { icon: string; label: string; run(): void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`codicon codicon-${icon}`}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation()
        run()
      }}
    />
  )
}
