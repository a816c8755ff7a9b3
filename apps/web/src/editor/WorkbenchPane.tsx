import type { DevServerClient } from '@boxyard/dev-server-client'
import type { Workbench } from '@boxyard/workbench'
import { useEffect, useRef } from 'react'
import type { Sandbox } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { rememberEditorPlace } from './firstText/editorPlace.ts'
import { keepEditor } from './keepEditor.ts'
import { loadEditorParts } from './loadEditorParts.ts'

/** VS Code's services can be started once a page. */
let isUsed = false

export interface WorkbenchPaneProps {
  sandbox: Sandbox
  kind: 'devbox' | 'sandbox'
  workspacePath: string
  client: DevServerClient
  /** The address at which the browser reaches a port. */
  previewUrl: (port: number) => Promise<string>
  canWrite: boolean
  /** Opened beside what the last visit left open. */
  file: string | undefined
  onMissingFile: (file: string) => void
  onOpened: (workbench: Workbench) => void
  onReady: () => void
  onError: (error: unknown) => void
}

/** Holds the workbench. Everything it is given is read once, when it opens. */
export function WorkbenchPane(props: WorkbenchPaneProps) {
  const { theme } = useApp()
  const element = useRef<HTMLDivElement>(null)
  const given = useRef(props)

  useEffect(() => {
    if (!element.current) return
    if (isUsed) {
      window.location.reload()
      return
    }
    isUsed = true
    const { sandbox, kind, workspacePath, client, previewUrl, canWrite, file } = given.current
    const { onMissingFile, onOpened, onReady, onError } = given.current
    let isGone = false
    let workbench: Workbench | undefined
    const firstText = window.boxyardFirstText?.view
    const remember = () => {
      const place = workbench?.editorPlace()
      if (place) rememberEditorPlace(localStorage, sandbox.id, place)
    }
    window.addEventListener('pagehide', remember)
    document.addEventListener('visibilitychange', remember)
    const stopTheme = theme.subscribe(() => workbench?.setColorScheme(theme.current()))
    const open = async (into: HTMLElement) => {
      const { openWorkbench } = await loadEditorParts()
      const opened = await openWorkbench({
        element: into,
        project: {
          id: sandbox.id,
          title: sandbox.title ?? sandbox.id,
          kind,
          workspacePath,
          ...(sandbox.entry ? { defaultFile: sandbox.entry } : {}),
        },
        client,
        previewUrl,
        colorScheme: theme.current(),
        canWrite,
        file: file ?? firstText?.path,
        firstText,
        onReady,
      })
      if (isGone) {
        opened.dispose()
        return
      }
      workbench = opened
      opened.setColorScheme(theme.current())
      onOpened(opened)
      void opened.whenShown.then(keepEditor)
      if (file) await opened.openFile(file).catch(() => onMissingFile(file))
    }
    open(element.current).catch((error: unknown) => {
      if (!isGone) onError(error)
    })
    return () => {
      isGone = true
      stopTheme()
      remember()
      window.removeEventListener('pagehide', remember)
      document.removeEventListener('visibilitychange', remember)
      workbench?.dispose()
    }
  }, [theme])

  return <div ref={element} data-workbench className="absolute inset-0" />
}
