import { filePlace } from '@boxyard/api/file-place'
import { Skeleton } from '@boxyard/ui'
import { useNavigate } from '@tanstack/react-router'
import { useMachine } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import { sandboxSchema } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { useSession } from '../session/useSession.ts'
import { isBarePath } from './barePage.ts'
import { convertedNotice, MIGRATED } from '../conversion/convertedNotice.ts'
import { LiveEndPage } from '../liveSession/LiveEndPage.tsx'
import { capabilitiesOf } from './capabilities.ts'
import { DevboxEditor } from './DevboxEditor.tsx'
import { EditorErrorPage } from './EditorErrorPage.tsx'
import { loadErrorCode } from './editorErrors.ts'
import { editorMachine } from './editorMachine.ts'
import { forkNote } from './forkNote.ts'
import { ForkPage } from './ForkPage.tsx'
import { forkNotice } from './forkToDrafts.ts'
import type { ForkPlace } from './forkToDrafts.ts'
import { showsTextFirst } from './editorMode.ts'
import { loadEditorParts } from './loadEditorParts.ts'
import { runFramesAhead } from './framesAhead.ts'
import { isPageAhead, whenPageWanted } from './pageAhead.ts'
import { showAddress } from '../repositories/showAddress.ts'
import { tellPreviewShown } from './previewShown.ts'
import { WELCOME, welcomeNotice } from './welcomeNotice.ts'
import { SandboxEditor } from './SandboxEditor.tsx'

export interface EditorPageProps {
  id: string
  /** The address it was opened at. */
  route: 'devbox' | 'sandbox' | 'branch' | 'vscode'
  /** The file to open, relative to the workspace, maybe with a line and a column. */
  file: string | undefined
  /** The comment whose thread is opened. */
  comment?: string | undefined
  /** The preview of a sandbox runs that file alone. */
  isModuleView: boolean
  /** A devbox is to become a repository. */
  asksForRepository?: boolean
  /** The address asks for a copy: where it goes. */
  forkPlace?: ForkPlace | null
}

if (isPageAhead()) runFramesAhead()

/** The page of one devbox, sandbox or branch. */
export function EditorPage(props: EditorPageProps) {
  const session = useSession()
  // The editor is loaded while the rest is found out.
  useEffect(() => {
    loadEditorParts().catch((error: unknown) => console.warn('The editor is loaded again when it is needed', error))
  }, [])
  const { id, file } = props
  const path = file === undefined ? undefined : filePlace(file).path || undefined
  useEffect(() => {
    if (!showsTextFirst(window.location)) return undefined
    window.boxyardFirstText?.show(id, path).catch((error: unknown) => {
      console.warn('The file is shown when the editor is there', error)
    })
    return () => window.boxyardFirstText?.giveUp()
  }, [id, path])
  if (session.kind === 'pending') return <EditorSkeleton />
  return <LoadedEditorPage {...props} userId={session.user?.id ?? null} />
}

function LoadedEditorPage({
  id,
  route,
  file,
  comment,
  isModuleView,
  asksForRepository,
  forkPlace = null,
  userId,
}: EditorPageProps & { userId: string | null }) {
  const { rest, notices } = useApp()
  const navigate = useNavigate()
  const [isLiveEnded, setLiveEnded] = useState(false)
  const [isForkAsked, setForkAsked] = useState(forkPlace !== null)
  const [state, send] = useMachine(editorMachine, {
    input: {
      id,
      load: (wanted) => rest.get(`/sandboxes/${encodeURIComponent(wanted)}`, { schema: sandboxSchema }),
    },
  })

  // Somebody else signed in, or out: what they may see is another question.
  const loadedFor = useRef(userId)
  useEffect(() => {
    if (loadedFor.current === userId) return
    loadedFor.current = userId
    send({ type: 'FETCH_SANDBOX' })
  }, [userId, send])

  useEffect(() => {
    if (!isPageAhead()) return undefined
    let isGone = false
    // What a page that was made ahead knows may be old by now. It also counts as opened from here on.
    void whenPageWanted().then(() => {
      if (!isGone) send({ type: 'FETCH_SANDBOX' })
    })
    return () => {
      isGone = true
    }
  }, [send])

  const { sandbox, error } = state.context
  useEffect(() => {
    if (!sandbox) return
    if (sandbox.v2) tellPreviewShown()
    document.title = `${sandbox.title ?? sandbox.id} – Boxyard`
    // The path says what it is: a devbox is shown under /devbox, any other sandbox under /sandbox.
    const rightful = sandbox.v2 ? 'devbox' : 'sandbox'
    if (rightful === route || route === 'branch' || route === 'vscode') return
    void navigate({ to: `/${rightful}/$`, params: { _splat: sandbox.id }, search: true, replace: true })
  }, [sandbox, route, navigate])

  // Said once, to who came by the address.
  const isGreeted = useRef(false)
  useEffect(() => {
    if (!sandbox || isGreeted.current) return
    isGreeted.current = true
    const greeting = welcomeNotice(window.location.search, sandbox)
    if (!greeting) return
    notices.add(greeting)
    showAddress(window.location.pathname, { [WELCOME]: null })
  }, [sandbox, notices])

  const openId = sandbox?.id
  const isDevbox = sandbox?.v2 ?? false
  useEffect(() => {
    if (openId === undefined) return
    const converted = isDevbox ? convertedNotice(window.location.search) : null
    if (converted) {
      notices.add(converted)
      showAddress(window.location.pathname, { [MIGRATED]: null })
    }
    const original = forkNote(sessionStorage, openId).take()
    if (original === undefined) return
    notices.add(forkNotice({ v2: isDevbox }, `/${isDevbox ? 'devbox' : 'sandbox'}/${original}`))
  }, [openId, isDevbox, notices])

  const isRefused = state.matches('ERROR')
  useEffect(() => {
    if (isRefused || isLiveEnded) window.boxyardFirstText?.giveUp()
  }, [isRefused, isLiveEnded])
  if (isRefused) {
    return (
      <EditorErrorPage
        code={loadErrorCode(error, route === 'sandbox' ? 'sandbox' : 'devbox')}
        id={id}
        error={error}
        state="ERROR"
      />
    )
  }
  if (!sandbox) return <EditorSkeleton />
  if (isLiveEnded) return <LiveEndPage vmId={sandbox.id} />
  if (isForkAsked && forkPlace && userId !== null && capabilitiesOf(sandbox).fork) {
    return (
      <ForkPage
        sandbox={sandbox}
        place={forkPlace}
        onLeave={() => {
          showAddress(window.location.pathname, { fork: null, privacy: null, workspaceId: null })
          setForkAsked(false)
        }}
      />
    )
  }
  const asksToSignIn = isForkAsked && userId === null
  const place = file === undefined ? undefined : filePlace(file)
  if (!sandbox.v2) {
    return (
      <SandboxEditor
        key={id}
        sandbox={sandbox}
        file={place?.path}
        position={place?.position}
        comment={comment}
        module={isModuleView ? (place?.path ?? null) : null}
        asksForRepository={asksForRepository ?? false}
        asksToSignIn={asksToSignIn}
        onPrivacyChanged={(privacy) => send({ type: 'PRIVACY_CHANGED', privacy })}
        onForked={(copy) => {
          send({ type: 'FORKED', sandbox: copy })
          showAddress(route === 'vscode' ? `/vscode/${copy.id}` : `/sandbox/${copy.id}`)
        }}
        onRenamed={(title) => send({ type: 'RENAMED', title })}
      />
    )
  }
  return (
    <DevboxEditor
      key={sandbox.id}
      sandbox={sandbox}
      file={place?.path}
      position={place?.position}
      comment={comment}
      asksForRepository={asksForRepository}
      asksToSignIn={asksToSignIn}
      onRenamed={(title) => send({ type: 'RENAMED', title })}
      onLiveEnded={() => {
        setLiveEnded(true)
        showAddress(`/live/end/${sandbox.id}`)
      }}
    />
  )
}

function EditorSkeleton() {
  return (
    <div aria-busy aria-label="Loading the editor" className="flex h-dvh flex-col">
      {!isBarePath(window.location.pathname) && (
        <div className="flex h-10 shrink-0 items-center gap-3 border-b border-line bg-panel px-3">
          <Skeleton className="size-4" />
          <Skeleton className="h-3 w-32" />
        </div>
      )}
    </div>
  )
}
