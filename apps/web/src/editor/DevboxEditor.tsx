import type { DevServerClient } from '@boxyard/dev-server-client'
import type { OwnEdit, PendingServerStart, Position, Workbench } from '@boxyard/workbench'
import { useMachine } from '@xstate/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Sandbox } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { copyLink } from '../copyLink.ts'
import { usePaletteActions } from '../shell/PaletteContext.ts'
import { showAddress } from '../repositories/showAddress.ts'
import { SignInDialog } from '../session/SignInDialog.tsx'
import { openBranchHost } from '../repositories/branchHost.ts'
import { repositoryMaker } from '../repositories/repositoryMaker.ts'
import { useSession } from '../session/useSession.ts'
import { useEditorVersion } from '../version/useEditorVersion.ts'
import { LiveSessionDialog } from '../liveSession/LiveSessionDialog.tsx'
import { tellGuest } from '../liveSession/tellGuest.ts'
import { useLiveSession } from '../liveSession/useLiveSession.ts'
import { branchPathOf, isBarePath } from './barePage.ts'
import { boxApi } from './boxApi.ts'
import { boxMachine } from './boxMachine.ts'
import { boxServices } from './boxServices.ts'
import { boxPorts } from './boxPorts.ts'
import { boxWords } from './boxWords.ts'
import { capabilitiesOf } from './capabilities.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { giveUpOwnCopy } from './giveUpOwnCopy.ts'
import { EditorErrorPage } from './EditorErrorPage.tsx'
import { EditorHeader } from './EditorHeader.tsx'
import { ServerStartBanner } from './ServerStartBanner.tsx'
import { isPageAhead } from './pageAhead.ts'
import { tellPageIsReady } from './pagesAhead.ts'
import { askForFork, openFork } from './openFork.ts'
import { pendingFork } from './pendingFork.ts'
import { sandboxPreviewToken } from './sandboxPreviewToken.ts'
import { showNotifications } from './showNotifications.ts'
import { previewPlace, previewUrl } from './previewUrl.ts'
import { StartFailureView } from './StartFailureView.tsx'
import { StartProgressView } from './StartProgressView.tsx'
import { startView } from './startView.ts'
import { useSandboxComments } from '../comments/useSandboxComments.ts'
import { useDownload } from './useDownload.ts'
import { useClients } from './useClients.ts'
import { useFollowing } from './useFollowing.ts'
import { useUnloadWarning } from './useUnloadWarning.ts'
import { useSavingWords } from './useSavingWords.ts'
import { WorkbenchPane } from './WorkbenchPane.tsx'

/** Where a devbox has its workspace; its start says so too. */
const USUAL_WORKSPACE = '/project/workspace'

export interface DevboxEditorProps {
  sandbox: Sandbox
  file: string | undefined
  /** Where in the file. */
  position?: Position | undefined
  /** The comment whose thread is opened. */
  comment?: string | undefined
  /** It is to become a repository. */
  asksForRepository?: boolean | undefined
  /** The person came for what needs an account. */
  asksToSignIn?: boolean | undefined
  onRenamed: (title: string) => void
  /** The session in which this person was a guest is over. */
  onLiveEnded: () => void
}

/** The editor of a devbox: its machine, the connection to it, and the workbench on top. */
export function DevboxEditor({
  sandbox,
  file,
  position,
  comment,
  asksForRepository = false,
  asksToSignIn = false,
  onRenamed,
  onLiveEnded,
}: DevboxEditorProps) {
  const app = useApp()
  const { rest, notices } = app
  const download = useDownload(sandbox)
  const capabilities = capabilitiesOf(sandbox)
  const api = useMemo(() => boxApi(rest, sandbox.id), [rest, sandbox.id])
  const session = useSession()
  const isSignedIn = session.kind === 'in'
  const userId = session.user?.id ?? null
  const [isSigningIn, setSigningIn] = useState(asksToSignIn)
  const branch = useMemo(() => {
    if (!sandbox.git) return undefined
    const opening = openBranchHost(app, sandbox.id, { isSignedIn, askToSignIn: () => setSigningIn(true) })
    // The workbench says so; nobody else waits for it.
    opening.catch(() => undefined)
    return opening
  }, [app, sandbox.git, sandbox.id, isSignedIn])
  useEffect(() => {
    // The page that comes makes the branch that was asked for.
    if (isSigningIn && isSignedIn) window.location.reload()
  }, [isSigningIn, isSignedIn])
  const live = useLiveSession(sandbox.id, {
    userId,
    onGuestChange: (change) => {
      if (change.kind === 'ended') onLiveEnded()
      else tellGuest(notices, change.permission)
    },
  })
  const [isLiveOpen, setLiveOpen] = useState(false)
  const isGuest = live?.guests.some((guest) => guest.userId === userId) ?? false
  const isLookingOn = useRef(isGuest)
  useEffect(() => {
    isLookingOn.current = isGuest
  }, [isGuest])
  const openLive = capabilities.live && !isGuest ? () => setLiveOpen(true) : undefined
  const [client, setClient] = useState<DevServerClient | null>(null)
  const [workbench, setWorkbench] = useState<Workbench | null>(null)
  const [serverStart, setServerStart] = useState<PendingServerStart | null>(null)
  const [isEditorShown, setEditorShown] = useState(false)
  const [crash, setCrash] = useState<unknown>(null)
  const [isMicroVmOld, setMicroVmOld] = useState(false)
  const [isDefaultBranch, setDefaultBranch] = useState(false)
  const ownBranch = sandbox.git?.branch
  useEffect(() => {
    let isGone = false
    branch?.then(
      ({ targetBranch }) => {
        if (!isGone) setDefaultBranch(targetBranch === ownBranch)
      },
      // The workbench says so.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [branch, ownBranch])

  const ports = useMemo(
    () =>
      boxPorts({
        api,
        onClient: setClient,
        onVersion: setMicroVmOld,
        onStartedAnew: () =>
          notices.add({
            uniqueName: 'started-anew',
            tone: 'warning',
            title: 'The machine was restarted',
            body: "Files and terminals' output are as they were; running programs were started again.",
            // The terminals say it too.
            timeout: 10_000,
          }),
      }),
    [api, notices],
  )
  // The workbench of a page that is made ahead starts before its machine is asked for.
  const [isAhead] = useState(() => isPageAhead())
  useEffect(() => ports.prepare(), [ports])
  useEffect(() => {
    if (!client) return undefined
    const showing = showNotifications(client, notices)
    return () => showing.dispose()
  }, [client, notices])
  const [state, send] = useMachine(boxMachine, { input: ports })
  const onRestart = useCallback(() => send({ type: 'RESTART' }), [send])
  const clients = useClients(client)
  const { box, progress, initStatus, failure, wasConnected } = state.context
  const boxId = useRef(sandbox.id)
  const started = useRef({ title: sandbox.title, write: capabilities.write })
  useEffect(() => {
    if (box) boxId.current = box.id
    if (!isAhead) return
    const { title, write } = started.current
    const isMoved = box !== null && box.workspacePath !== USUAL_WORKSPACE
    // What the workbench began with has changed before anybody looked at it.
    if (isMoved || (!wasConnected && (sandbox.title !== title || capabilities.write !== write)))
      window.location.reload()
  }, [box, isAhead, wasConnected, sandbox.title, capabilities.write])
  const workspacePath = isAhead ? USUAL_WORKSPACE : box?.workspacePath
  const isConnected = state.matches({ LINKED: 'READY' })
  const isReloading = state.matches({ LINKED: 'RELOADING' })
  const hasFailed = state.matches('ERROR') || crash !== null
  useEffect(() => {
    // Why there is no editor has to be seen. What was typed is kept in the tab and comes back with the next start.
    if (hasFailed) window.boxyardFirstText?.giveUp()
  }, [hasFailed])
  const following = useFollowing(workbench)
  const saving = useSavingWords(workbench, isConnected)
  useUnloadWarning(wasConnected && !isConnected && !isReloading)

  const share = useMemo(
    () => () =>
      copyLink(
        notices,
        sandbox.git
          ? window.location.origin + branchPathOf(window.location.pathname)
          : `${window.location.origin}/devbox/${sandbox.id}`,
      ),
    [notices, sandbox.git, sandbox.id],
  )
  const services = useMemo(() => boxServices({ rest, sandbox, restart: onRestart }), [rest, sandbox, onRestart])
  const comments = useSandboxComments(sandbox, isSignedIn)
  const openCopy = useMemo(
    () => (capabilities.fork && isSignedIn ? () => askForFork(app, sandbox) : undefined),
    [app, sandbox, capabilities.fork, isSignedIn],
  )
  const beginOwnCopy = async (edit: () => OwnEdit) => {
    // Who was let in to look on would leave the session by a key.
    if (isLookingOn.current) return
    if (isSignedIn) return openFork(app, sandbox, { edit })
    pendingFork(sessionStorage, sandbox.id).write(edit())
    showAddress(window.location.pathname, { fork: 'true' })
    setSigningIn(true)
  }
  const beginOwnBranch = async (edit: () => OwnEdit) => {
    try {
      await (await branch)?.beginOwnBranch?.(edit)
    } catch (error) {
      notices.add({
        uniqueName: 'own-branch',
        tone: 'error',
        title: 'No branch was made, and what you typed was not kept',
        body: error instanceof Error ? error.message : String(error),
        timeout: 10_000,
      })
      throw error
    }
  }
  const beginOwn = capabilities.editCopy
    ? beginOwnCopy
    : sandbox.git && !capabilities.write
      ? beginOwnBranch
      : undefined
  const canRestart = capabilities.restartContainer
  const mayRestart = canRestart && (wasConnected || state.matches('ERROR'))
  const restart = mayRestart ? onRestart : undefined
  const beginVersion = useEditorVersion({
    isPrompted: capabilities.write && (!sandbox.git || isDefaultBranch),
    isMicroVmOld,
    restart,
    isConnected,
  })
  usePaletteActions(
    useMemo(() => {
      const section = 'This devbox'
      const copy = { id: 'copy-link', name: 'Copy link', keywords: ['share'], section, perform: share }
      const again = restart && { id: 'restart', name: 'Restart microVM', section, perform: restart }
      const fork = openCopy && { id: 'fork', name: 'Fork', keywords: ['copy', 'duplicate'], section, perform: openCopy }
      return [copy, ...(fork ? [fork] : []), ...(again ? [again] : [])]
    }, [openCopy, restart, share]),
  )

  if (crash !== null) return <EditorErrorPage code="RUNTIME_ERROR" id={sandbox.id} error={crash} state="READY" />

  return (
    <div className="flex h-dvh flex-col overflow-hidden">
      {!isBarePath(window.location.pathname) && (
        <EditorHeader
          title={{
            id: sandbox.id,
            title: sandbox.title ?? sandbox.alias ?? sandbox.id,
            // The title of a branch's box follows the branch, which is renamed in source control.
            canRename: capabilities.renameProject && !sandbox.git,
            onRenamed,
          }}
          lamp={boxWords(state)}
          saving={saving}
          isolation={box?.isolation}
          readOnly={!capabilities.write}
          onSignIn={capabilities.editCopy && session.kind === 'out' ? () => setSigningIn(true) : undefined}
          clients={clients}
          selfId={client?.clients.self?.clientId}
          following={following}
          live={sandbox.git ? undefined : { session: live, onOpen: openLive }}
          onShare={share}
          onDownload={download}
          onFork={openCopy}
          onRestart={restart}
          canRestart={canRestart}
        />
      )}
      {wasConnected && (
        <ConnectionBanner
          state={state}
          onReconnect={() => send({ type: 'RECONNECT' })}
          onRestart={canRestart ? onRestart : undefined}
        />
      )}
      {serverStart && <ServerStartBanner onSkip={() => serverStart.skip()} />}
      <main className="relative min-h-0 flex-1">
        {workspacePath !== undefined && client && (
          <WorkbenchPane
            sandbox={sandbox}
            kind="devbox"
            workspacePath={workspacePath}
            client={client}
            isAhead={isAhead}
            previewUrl={async (port) =>
              previewUrl({
                ...previewPlace(),
                id: boxId.current,
                port,
                token: await sandboxPreviewToken(api, { isSignedIn }),
              })
            }
            canWrite={capabilities.write}
            branch={branch}
            beginOwnCopy={beginOwn}
            repositoryMaker={
              !sandbox.git && capabilities.write ? repositoryMaker(rest, sandbox, asksForRepository) : undefined
            }
            box={services}
            comments={comments}
            comment={comment}
            file={file}
            position={position}
            onMissingFile={(missing) =>
              notices.add({ tone: 'warning', title: 'The file could not be opened', body: missing, timeout: 10_000 })
            }
            onServerStart={setServerStart}
            onOpened={setWorkbench}
            onReady={() => {
              setEditorShown(true)
              if (isAhead) tellPageIsReady(window.location.pathname)
            }}
            onShown={beginVersion}
            onError={setCrash}
          />
        )}
        {!(isEditorShown && wasConnected) && (
          <div className="absolute inset-0 flex items-center justify-center overflow-y-auto bg-ground p-4">
            {state.matches('ERROR') && failure ? (
              <div className="m-auto w-full max-w-[560px]">
                <StartFailureView
                  id={sandbox.id}
                  api={api}
                  failure={failure}
                  canRestart={canRestart}
                  onRestart={onRestart}
                />
              </div>
            ) : (
              <StartProgressView view={startView(progress, box, initStatus, wasConnected)} />
            )}
          </div>
        )}
      </main>
      {isLiveOpen && openLive && (
        <LiveSessionDialog vmId={sandbox.id} session={live} onClose={() => setLiveOpen(false)} />
      )}
      <SignInDialog
        open={isSigningIn && !isSignedIn}
        onClose={() => {
          setSigningIn(false)
          const said = giveUpOwnCopy(sessionStorage, sandbox, () => setSigningIn(true))
          if (said) notices.add(said)
          showAddress(window.location.pathname, { create: null, fork: null })
        }}
      />
    </div>
  )
}
