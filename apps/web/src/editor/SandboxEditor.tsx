import type { SandboxBackend } from '@boxyard/browser-backend'
import type { DevServerClient } from '@boxyard/dev-server-client'
import type { Position, Workbench } from '@boxyard/workbench'
import { PREVIEW_PORT } from '@boxyard/browser-backend/preview-port'
import { classNames } from '@boxyard/ui'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Sandbox } from '../api/schemas.ts'
import { addressOfConverted } from '../conversion/convertedNotice.ts'
import { ConvertDialog } from '../conversion/ConvertDialog.tsx'
import { ConvertedDialog } from '../conversion/ConvertedDialog.tsx'
import { whenStored } from '../conversion/whenStored.ts'
import { copyLink } from '../copyLink.ts'
import { useApp } from '../App.ts'
import { showAddress } from '../repositories/showAddress.ts'
import { RepositoryDialog } from '../repositories/RepositoryDialog.tsx'
import { SignInDialog } from '../session/SignInDialog.tsx'
import { useSession } from '../session/useSession.ts'
import { useEditorVersion } from '../version/useEditorVersion.ts'
import { isBarePath } from './barePage.ts'
import { usePaletteActions } from '../shell/PaletteContext.ts'
import { boxApi } from './boxApi.ts'
import { capabilitiesOf } from './capabilities.ts'
import { EditorErrorPage } from './EditorErrorPage.tsx'
import { EmbedDialog } from './EmbedDialog.tsx'
import { followModuleView } from './followModuleView.ts'
import { EditorHeader } from './EditorHeader.tsx'
import { useDownload } from './useDownload.ts'
import { BOTH_PX, takeEarlySandbox } from './firstText/earlySandbox.ts'
import { forkFailure, forkNotice, forkToDrafts } from './forkToDrafts.ts'
import { askForFork } from './openFork.ts'
import { loadClient } from './loadEditorParts.ts'
import { tellPreviewShown } from './previewShown.ts'
import { previewOrigin, previewPlace, previewUrl } from './previewUrl.ts'
import { sandboxPreviewToken } from './sandboxPreviewToken.ts'
import { useSandboxComments } from '../comments/useSandboxComments.ts'
import { useClients } from './useClients.ts'
import { useFollowing } from './useFollowing.ts'
import { useSavingWords } from './useSavingWords.ts'
import { WorkbenchPane } from './WorkbenchPane.tsx'

/** An editor that has not taken over the first preview after this long shows none. */
const UNWANTED_MS = 10_000

export interface SandboxEditorProps {
  sandbox: Sandbox
  file: string | undefined
  /** Where in the file. */
  position?: Position | undefined
  /** The comment whose thread is opened. */
  comment?: string | undefined
  /** The file that the preview runs alone. */
  module: string | null
  /** The person came to make a repository of it. */
  asksForRepository: boolean
  /** The person came for what needs an account. */
  asksToSignIn: boolean
  onRenamed: (title: string) => void
  onPrivacyChanged: (privacy: number) => void
  /** The person goes on in a copy of their own. */
  onForked: (copy: Sandbox) => void
}

/** The editor of a sandbox without a machine: its back end runs in workers of this page, and its preview beside it. */
export function SandboxEditor({
  sandbox,
  file,
  position,
  comment,
  module,
  asksForRepository,
  asksToSignIn,
  onRenamed,
  onPrivacyChanged,
  onForked,
}: SandboxEditorProps) {
  const app = useApp()
  const { rest, notices } = app
  const download = useDownload(sandbox)
  const { user } = useSession()
  const { write, renameProject, fork: mayFork, editCopy, convert } = capabilitiesOf(sandbox)
  const [client, setClient] = useState<DevServerClient | null>(null)
  const [workbench, setWorkbench] = useState<Workbench | null>(null)
  const [isShown, setShown] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const clients = useClients(client)
  const following = useFollowing(workbench)
  const stored = useSavingWords(workbench, true)
  const beginVersion = useEditorVersion({ isPrompted: false })
  const canWrite = (write || editCopy) && user !== null
  const comments = useSandboxComments(sandbox, user !== null)
  const [isWide] = useState(() => window.innerWidth >= BOTH_PX)
  const openFile = useRef<Workbench['openFile'] | null>(null)
  const showSaved = useRef<SandboxBackend['show'] | null>(null)
  const runPreview = useRef<SandboxBackend['runPreview'] | null>(null)

  const earlyHolder = useRef<HTMLDivElement>(null)
  const dropEarly = useRef<() => void>(() => undefined)
  /** What is edited now; another one than in the beginning once it was forked. */
  const edited = useRef(sandbox.id)
  const [isSigningIn, setSigningIn] = useState(asksToSignIn)
  const [isEmbedding, setEmbedding] = useState(false)
  const [hasRepository, setHasRepository] = useState(Boolean(sandbox.git))
  const mayMakeRepository = write && user !== null && !hasRepository
  const [isMakingRepository, setMakingRepository] = useState(asksForRepository)
  const [isConverting, setConverting] = useState(false)
  const [isConverted, setConverted] = useState(false)
  const [isConversionTold, setConversionTold] = useState(false)
  const [isAway, setAway] = useState(false)
  // Of a devbox nothing that is changed here is stored, and the lamp says so.
  const saving = isConverted ? null : isAway ? stored && 'Kept in this browser' : stored
  const mayConvert = convert && user !== null && !isConverted
  usePaletteActions(
    useMemo(() => {
      const make = {
        id: 'create-repository',
        name: 'Create repository',
        keywords: ['git', 'github'],
        section: 'This sandbox',
        perform: () => setMakingRepository(true),
      }
      const change = {
        id: 'convert',
        name: 'Convert to devbox',
        keywords: ['machine', 'vm', 'server'],
        section: 'This sandbox',
        perform: () => setConverting(true),
      }
      return [...(mayMakeRepository ? [make] : []), ...(mayConvert ? [change] : [])]
    }, [mayMakeRepository, mayConvert]),
  )

  // The back end lives as long as the page; who looks and what they may do is what it began with.
  const begin = useRef({ id: sandbox.id, user, write, editCopy, module })
  const whenForked = useRef(onForked)
  useEffect(() => {
    whenForked.current = onForked
  }, [onForked])
  useEffect(() => {
    // A visitor has typed nothing that a new page would lose.
    if (begin.current.user === null && user !== null) window.location.reload()
  }, [user])
  useEffect(() => {
    let isGone = false
    let backend: SandboxBackend | undefined
    let made: DevServerClient | undefined
    let stopFollowing: (() => void) | undefined
    const open = async () => {
      const { DevServerClient, startSandboxBackend, canMoveFrames, showEarlyPreview } = await loadClient()
      if (isGone) return
      const { id, user: person, write: mayWrite, editCopy: mayEditCopy, module: only } = begin.current
      const early = takeEarlySandbox(id, only === null)
      const showEarly = async () => {
        if (early && earlyHolder.current) {
          dropEarly.current = showEarlyPreview(earlyHolder.current, early.address, 'Preview', early.frame)
          return
        }
        // A frame that starts anew when the editor takes it over would be shown for nothing; so would one beside a narrow editor.
        if (!canMoveFrames() || window.innerWidth < BOTH_PX) return tellPreviewShown()
        const token = await sandboxPreviewToken(boxApi(rest, id), { isSignedIn: person !== null })
        if (isGone || !earlyHolder.current) return tellPreviewShown()
        const address = previewUrl({ ...previewPlace(), id, port: PREVIEW_PORT, token })
        dropEarly.current = showEarlyPreview(earlyHolder.current, address, 'Preview')
      }
      let copy: Promise<Sandbox> | undefined
      const fork = async (): Promise<string> => {
        try {
          // One that could not be moved to is there the next time.
          if (!copy) copy = forkToDrafts(rest, { id, v2: false })
          const made = await copy
          edited.current = made.id
          whenForked.current(made)
          notices.add(forkNotice({ v2: false }, `/sandbox/${id}`))
          return made.id
        } catch (error) {
          copy = undefined
          notices.add(forkFailure(error))
          throw error
        }
      }
      const started = startSandboxBackend({
        sandboxId: id,
        access: mayWrite && person ? 'write' : 'read',
        person: person && {
          username: person.username,
          name: person.name ?? person.username,
          avatarUrl: person.avatarUrl ?? null,
        },
        previewOrigin: (sandboxId, port) => previewOrigin({ ...previewPlace(), id: sandboxId, port }),
        fork: mayEditCopy && person ? fork : null,
        module: only,
        early: early?.engine ?? null,
        onOpenFile: (path, line, column) => {
          openFile.current?.(path, { line, column }).catch(() => undefined)
        },
        onShown: tellPreviewShown,
        onConverted: () => setConverted(true),
        onAway: setAway,
      })
      backend = started
      showSaved.current = started.show
      stopFollowing = followModuleView(only, started.run)
      runPreview.current = started.runPreview
      showEarly().catch((error: unknown) => {
        console.warn('The preview is shown when the editor is there', error)
        tellPreviewShown()
      })
      made = new DevServerClient({
        appId: 'boxyard-web',
        resolveInstance: () => started.resolveInstance(),
        createSocket: () => started.createSocket(),
      })
      made.onSyncFailure(({ area, error }) => console.error(`Reading ${area} failed`, error))
      await made.connect()
      if (!isGone) setClient(made)
    }
    open().catch((error: unknown) => {
      if (!isGone) setFailure(error)
    })
    return () => {
      isGone = true
      stopFollowing?.()
      dropEarly.current()
      made?.dispose()
      backend?.dispose()
    }
  }, [rest, notices])
  useEffect(() => {
    if (!isShown) return undefined
    // Whoever closed the pane of the preview does not want to see one, nor to have it at work.
    const late = setTimeout(() => dropEarly.current(), UNWANTED_MS)
    return () => clearTimeout(late)
  }, [isShown])

  if (failure !== null)
    return <EditorErrorPage code="SANDBOX_NOT_STARTED" id={sandbox.id} error={failure} state="ERROR" />

  const share = () => copyLink(notices, `${window.location.origin}/sandbox/${sandbox.id}`)
  const openCopy = () => askForFork(app, { id: edited.current, v2: false })
  // The editor's services live as long as the page does, so the devbox is a new page.
  const openDevbox = () => {
    window.location.assign(addressOfConverted(sandbox.id, workbench?.editorPlace()?.path))
  }
  const lamp = isConverted
    ? ({ tone: 'failed', words: 'A devbox now, not stored here' } as const)
    : client
      ? isAway
        ? ({ tone: 'working', words: 'Offline, runs in your browser' } as const)
        : ({ tone: 'on', words: 'Runs in your browser' } as const)
      : ({ tone: 'working', words: 'Opening' } as const)
  return (
    <div className="flex h-dvh flex-col overflow-hidden">
      {!isBarePath(window.location.pathname) && (
        <EditorHeader
          title={{
            id: sandbox.id,
            title: sandbox.title ?? sandbox.alias ?? sandbox.id,
            canRename: renameProject,
            onRenamed,
          }}
          lamp={lamp}
          saving={saving}
          isolation={undefined}
          readOnly={!canWrite}
          onSignIn={user === null ? () => setSigningIn(true) : undefined}
          clients={clients}
          selfId={client?.clients.self?.clientId}
          following={following}
          onShare={share}
          onDownload={download}
          onEmbed={() => setEmbedding(true)}
          onFork={mayFork && user !== null ? openCopy : undefined}
          onConvert={mayConvert ? () => setConverting(true) : undefined}
          onRestart={undefined}
          canRestart={null}
        />
      )}
      <main className="relative min-h-0 flex-1">
        {client && (
          <WorkbenchPane
            sandbox={sandbox}
            kind="sandbox"
            workspacePath={client.connection.instance?.workspacePath ?? '/'}
            client={client}
            previewUrl={async (port) =>
              previewUrl({
                ...previewPlace(),
                id: edited.current,
                port,
                token: await sandboxPreviewToken(boxApi(rest, edited.current), { isSignedIn: user !== null }),
              })
            }
            canWrite={canWrite}
            comments={comments}
            comment={comment}
            file={file}
            position={position}
            onWillSave={(path, text) => showSaved.current?.(path, text)}
            onPreviewRun={(run) => runPreview.current?.(run)}
            onConvert={mayConvert ? () => setConverting(true) : undefined}
            onMissingFile={(missing) =>
              notices.add({ tone: 'warning', title: 'The file could not be opened', body: missing, timeout: 10_000 })
            }
            onOpened={(opened) => {
              openFile.current = (...given) => opened.openFile(...given)
              setWorkbench(opened)
            }}
            onReady={() => setShown(true)}
            onShown={beginVersion}
            onError={setFailure}
          />
        )}
        {!isShown && (
          <div role="status" className="absolute inset-0 flex items-center justify-center bg-ground p-4 text-quiet">
            <span className="flex-1 text-center">Opening the sandbox</span>
            {isWide && <span className="flex-1" />}
          </div>
        )}
        {/* The editor takes the frame out of here when it has a place for it. */}
        <div
          ref={earlyHolder}
          className={classNames(
            'pointer-events-none absolute inset-y-0 right-0 w-1/2 *:pointer-events-auto *:size-full *:border-0 *:bg-white',
            isShown && 'invisible',
          )}
        />
      </main>
      {isEmbedding && (
        <EmbedDialog
          sandbox={sandbox}
          file={workbench?.editorPlace()?.path}
          onClose={() => setEmbedding(false)}
          onPrivacyChanged={onPrivacyChanged}
        />
      )}
      {isMakingRepository && mayMakeRepository && (
        <RepositoryDialog
          sandbox={sandbox}
          onClose={() => setMakingRepository(false)}
          onMade={() => {
            setMakingRepository(false)
            setHasRepository(true)
          }}
        />
      )}
      {isConverting && (
        <ConvertDialog
          id={sandbox.id}
          title={sandbox.title ?? sandbox.alias ?? sandbox.id}
          {...(workbench && { whenStored: () => whenStored(workbench) })}
          onConverted={openDevbox}
          onClose={() => setConverting(false)}
        />
      )}
      {isConverted && !isConverting && !isConversionTold && (
        <ConvertedDialog onOpen={openDevbox} onClose={() => setConversionTold(true)} />
      )}
      <SignInDialog
        open={isSigningIn && user === null}
        onClose={() => {
          setSigningIn(false)
          showAddress(window.location.pathname, { fork: null })
        }}
      />
    </div>
  )
}
