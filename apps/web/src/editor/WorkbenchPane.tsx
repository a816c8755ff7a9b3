import type { DevServerClient } from '@boxyard/dev-server-client'
import type {
  BoxServices,
  BranchHost,
  CommentSource,
  EditorColors,
  OwnEdit,
  Pane,
  PendingServerStart,
  PreviewRun,
  Position,
  RepositoryMaker,
  Workbench,
} from '@boxyard/workbench'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Sandbox } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { useSession } from '../session/useSession.ts'
import { rememberColors, showPalette } from '../theme/pageColors.ts'
import { accountSettings } from './accountSettings.ts'
import { extensionPlace } from './extensionPlace.ts'
import { rememberEditorPlace, surroundingsOf } from './firstText/editorPlace.ts'
import { rememberLastPlace } from './firstText/lastPlace.ts'
import { askedSideBar, asksForConsole } from './askedParts.ts'
import { boxOfPath, isBarePath } from './barePage.ts'
import { addressInMode, editorLayoutOf, editorModeOf } from './editorMode.ts'
import { EarlyKeys } from './EarlyKeys.ts'
import { PaneSwitch } from './PaneSwitch.tsx'
import { keepPage } from '../offline/keepPage.ts'
import { loadEditorParts } from './loadEditorParts.ts'
import { vsCodeServerPlace } from './vsCodeServerPlace.ts'

/** VS Code's services can be started once a page. */
let isUsed = false

export interface WorkbenchPaneProps {
  sandbox: Sandbox
  kind: 'devbox' | 'sandbox'
  workspacePath: string
  client: DevServerClient
  /** The page is made before anybody asks for it; the client connects when somebody does. */
  isAhead?: boolean
  /** The address at which the browser reaches a port. */
  previewUrl: (port: number) => Promise<string>
  canWrite: boolean
  /** What the page does for the branch, when it is one. */
  branch?: Promise<BranchHost> | undefined
  /** Makes a copy, or a branch, that the person may edit, and opens it with what they typed. */
  beginOwnCopy?: ((edit: () => OwnEdit) => Promise<void>) | undefined
  /** Makes a repository of it, where the person may. */
  repositoryMaker?: RepositoryMaker | undefined
  box?: BoxServices
  /** What people say about its texts; rejects where that is not known. */
  comments?: (() => Promise<CommentSource>) | undefined
  /** The comment whose thread is opened. */
  comment?: string | undefined
  /** Opened beside what the last visit left open. */
  file: string | undefined
  /** Where in the file. */
  position?: Position | undefined
  /** A save of a text begins. The path is that in the workspace, with a slash in front. */
  onWillSave?: (path: string, text: string) => void
  /** The person has chosen when the preview follows. */
  onPreviewRun?: (run: PreviewRun) => void
  onConvert?: (() => void) | undefined
  onMissingFile: (file: string) => void
  /** The editor waits for the VS Code server of the box, or no longer. */
  onServerStart?: (start: PendingServerStart | null) => void
  onOpened: (workbench: Workbench) => void
  onReady: () => void
  /** The text is on the screen. */
  onShown: () => void
  onError: (error: unknown) => void
}

/** Holds the workbench. Everything it is given is read once, when it opens. */
export function WorkbenchPane(props: WorkbenchPaneProps) {
  const { theme, rest } = useApp()
  const userId = useSession().user?.id
  const owner = useRef(userId)
  const element = useRef<HTMLDivElement>(null)
  const given = useRef(props)
  const opened = useRef<Workbench | null>(null)
  /** Chosen before there was an editor. */
  const wantedPane = useRef<Pane | null>(null)
  const [pane, setPane] = useState<Pane>('code')

  useEffect(() => {
    if (!element.current) return
    if (isUsed) {
      window.location.reload()
      return
    }
    isUsed = true
    const {
      sandbox,
      kind,
      workspacePath,
      client,
      isAhead,
      previewUrl,
      canWrite,
      branch,
      beginOwnCopy,
      repositoryMaker,
      box,
      file,
      position,
      comments,
      comment,
    } = given.current
    const { onWillSave, onPreviewRun, onConvert, onMissingFile, onServerStart, onOpened, onReady, onShown, onError } =
      given.current
    const isBare = isBarePath(window.location.pathname)
    const isLight = editorModeOf(window.location) === 'integrated'
    const layout = editorLayoutOf(window.location)
    let isGone = false
    let workbench: Workbench | undefined
    const earlyKeys = new EarlyKeys(window)
    const remember = () => {
      const place = workbench?.editorPlace()
      if (!place) return
      rememberEditorPlace(localStorage, sandbox.id, surroundingsOf(window), place)
      const { pathname } = window.location
      const id = decodeURIComponent(boxOfPath(pathname) ?? sandbox.id)
      rememberLastPlace(document, pathname, {
        id,
        path: place.path,
        scheme: document.documentElement.dataset['theme'] ?? 'dark',
      })
    }
    const onVisibility = () => {
      // A page that comes into sight has everything to draw; where its editor stands it would be laid out for.
      if (document.visibilityState === 'hidden') remember()
    }
    window.addEventListener('pagehide', remember)
    document.addEventListener('visibilitychange', onVisibility)
    const stopTheme = theme.onChoice((scheme) => workbench?.chooseColorScheme(scheme))
    const showColors = (colors: EditorColors | undefined) => {
      if (!colors) return
      theme.follow(colors.scheme)
      showPalette(document.documentElement.style, colors.palette)
      const isOwn = colors.palette === null && colors.scheme === theme.chosen()
      rememberColors(localStorage, isOwn ? null : colors)
    }
    const open = async (into: HTMLElement) => {
      const { openLightEditor, openWorkbench } = await loadEditorParts()
      const firstText = window.boxyardFirstText?.view
      if (!firstText) window.boxyardFirstText?.giveUp()
      const both = {
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
        colorScheme: theme.chosen(),
        canWrite,
        file: file ?? firstText?.path,
        showsConsole: asksForConsole(window.location.search),
        firstText,
        isAhead,
        beginOwnCopy,
        isSavingShown: !isBare,
        onWillSave,
        onPreviewRun,
        onReady,
        onCommandsReady: () => earlyKeys.release(document.activeElement ?? into),
      }
      const made = isLight
        ? await openLightEditor({
            ...both,
            layout,
            openWorkbench: () => window.location.assign(addressInMode(window.location, 'workbench')),
          })
        : await openWorkbench({
            ...both,
            mayDownload: sandbox.permissions?.preventSandboxExport !== true,
            branch,
            repositoryMaker,
            box,
            comments,
            settings: owner.current === undefined ? undefined : accountSettings(rest, owner.current),
            extensions: extensionPlace(rest, owner.current !== undefined),
            // A sandbox has no machine to run a server in, and who may not write may run nothing.
            vsCodeServer:
              kind === 'devbox' && canWrite && owner.current !== undefined
                ? vsCodeServerPlace(rest, localStorage, { boxId: sandbox.id, userId: owner.current })
                : undefined,
            onServerStart,
            onConvert,
            sideBar: askedSideBar(window.location.search),
            revealedComment: comment,
          })
      if (isGone) {
        made.dispose()
        return
      }
      workbench = made
      opened.current = made
      made.onDidChangePane(setPane)
      if (wantedPane.current) made.showPane(wantedPane.current)
      made.setColorScheme(theme.chosen())
      made.onDidChangeColors(showColors)
      showColors(made.colors)
      // When the page goes, the request of the next one may be under way already.
      made.onDidChangeEditor(remember)
      onOpened(made)
      void made.whenShown.then(() => {
        onShown()
        keepPage(window.location).catch((error: unknown) => {
          console.warn('This page is not kept for when no server answers', error)
        })
      })
      // The caret of the text that the page showed first comes along before.
      if (position) await made.whenShown
      if (file) await made.openFile(file, position).catch(() => onMissingFile(file))
    }
    open(element.current).catch((error: unknown) => {
      if (!isGone) onError(error)
    })
    return () => {
      isGone = true
      earlyKeys.dispose()
      stopTheme()
      remember()
      window.removeEventListener('pagehide', remember)
      document.removeEventListener('visibilitychange', onVisibility)
      workbench?.dispose()
    }
  }, [theme, rest])

  // A style that asked for the editor by `:has()` would have the root's styles computed again at every key.
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['editor'] = ''
    return () => void delete dataset['editor']
  }, [])

  return (
    <div className="absolute inset-0 flex flex-col">
      <div className="relative min-h-0 flex-1">
        <div ref={element} data-workbench className="absolute inset-0" />
      </div>
      <PaneSwitch
        shown={pane}
        hasTerminal={editorModeOf(window.location) === 'workbench'}
        onChoose={(pane) => {
          setPane(pane)
          wantedPane.current = pane
          opened.current?.showPane(pane)
        }}
      />
    </div>
  )
}
