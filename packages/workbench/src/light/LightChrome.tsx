import './light.css'
import { useEffect, useRef, useState } from 'react'
import { NARROW } from '../layout/narrow.ts'
import { FileTree, type FileTreeProps } from './FileTree.tsx'

export interface LightChromeProps extends Omit<FileTreeProps, 'active'> {
  /** Puts VS Code's editors and its status bar into their places; called once both are on the page. */
  attach(places: { editors: HTMLElement; status: HTMLElement }): { dispose(): void }
  /** Tells the file in front, relative to the workspace: now and with each change. */
  onActiveFile(tell: (path: string | undefined) => void): { dispose(): void }
  openWorkbench(): void
}

/** What is around the editors of the light editor: the files beside them, which are a drawer in a small window, and the line below. */
export function LightChrome({ attach, onActiveFile, openWorkbench, ...tree }: LightChromeProps) {
  const editors = useRef<HTMLDivElement>(null)
  const status = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string>()
  const [isOpen, setOpen] = useState(() => !window.matchMedia(NARROW).matches)
  useEffect(() => {
    if (!editors.current || !status.current) return undefined
    const attached = attach({ editors: editors.current, status: status.current })
    return () => attached.dispose()
  }, [attach])
  useEffect(() => {
    const small = window.matchMedia(NARROW)
    const follow = () => setOpen(!small.matches)
    small.addEventListener('change', follow)
    const told = onActiveFile((path) => {
      setActive(path)
      if (small.matches) setOpen(false)
    })
    return () => {
      small.removeEventListener('change', follow)
      told.dispose()
    }
  }, [onActiveFile])
  return (
    <div className="boxyard-light">
      <div
        className="boxyard-light-main"
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isOpen && window.matchMedia(NARROW).matches) setOpen(false)
        }}
      >
        {isOpen && (
          <>
            <nav className="boxyard-light-side" aria-label="Files of the project">
              <FileTree {...tree} active={active} />
            </nav>
            <button
              type="button"
              className="boxyard-light-dim"
              aria-label="Close the files"
              onClick={() => setOpen(false)}
            />
          </>
        )}
        <div ref={editors} className="boxyard-light-editors" />
      </div>
      <div className="boxyard-light-foot">
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span aria-hidden className="codicon codicon-files" />
          Files
        </button>
        <div ref={status} className="boxyard-light-status" />
        <button
          type="button"
          aria-label="Open the workbench"
          title="Search, source control, terminals and extensions are in the workbench. Everything that is open stays open."
          onClick={openWorkbench}
        >
          <span aria-hidden className="codicon codicon-window" />
          Workbench
        </button>
      </div>
    </div>
  )
}
