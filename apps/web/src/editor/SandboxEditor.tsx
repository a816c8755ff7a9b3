import type { SandboxBackend } from '@boxyard/browser-backend'
import type { DevServerClient } from '@boxyard/dev-server-client'
import type { Workbench } from '@boxyard/workbench'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Sandbox } from '../api/schemas.ts'
import { copyLink } from '../copyLink.ts'
import { useApp } from '../App.ts'
import { useSession } from '../session/useSession.ts'
import { boxApi } from './boxApi.ts'
import { capabilitiesOf } from './capabilities.ts'
import { EditorErrorPage } from './EditorErrorPage.tsx'
import { EditorHeader } from './EditorHeader.tsx'
import { loadClient } from './loadEditorParts.ts'
import { previewOrigin, previewPlace, previewUrl } from './previewUrl.ts'
import { useSandboxComments } from '../comments/useSandboxComments.ts'
import { useClients } from './useClients.ts'
import { useFollowing } from './useFollowing.ts'
import { useSavingWords } from './useSavingWords.ts'
import { WorkbenchPane } from './WorkbenchPane.tsx'

export interface SandboxEditorProps {
  sandbox: Sandbox
  file: string | undefined
  /** The comment whose thread is opened. */
  comment?: string | undefined
  /** The file that the preview runs alone. */
  module: string | null
  onRenamed: (title: string) => void
}

/** The editor of a sandbox without a machine: its back end runs in workers of this page, and its preview beside it. */
export function SandboxEditor({ sandbox, file, comment, module, onRenamed }: SandboxEditorProps) {
  const { rest, notices } = useApp()
  const { user } = useSession()
  const { write, renameProject } = capabilitiesOf(sandbox)
  const api = useMemo(() => boxApi(rest, sandbox.id), [rest, sandbox.id])
  const [client, setClient] = useState<DevServerClient | null>(null)
  const [workbench, setWorkbench] = useState<Workbench | null>(null)
  const [isShown, setShown] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const clients = useClients(client)
  const following = useFollowing(workbench)
  const saving = useSavingWords(workbench, true)
  const canWrite = write && user !== null
  const comments = useSandboxComments(sandbox, user !== null)
  const openFile = useRef<Workbench['openFile'] | null>(null)

  // The back end lives as long as the page of this sandbox; who looks and what they may do is what it began with.
  const begin = useRef({ user, canWrite, module })
  useEffect(() => {
    let isGone = false
    let backend: SandboxBackend | undefined
    let made: DevServerClient | undefined
    const open = async () => {
      const { DevServerClient, startSandboxBackend } = await loadClient()
      if (isGone) return
      const { user: person, canWrite: mayWrite, module: only } = begin.current
      const started = startSandboxBackend({
        sandboxId: sandbox.id,
        access: mayWrite ? 'write' : 'read',
        person: person && {
          username: person.username,
          name: person.name ?? person.username,
          avatarUrl: person.avatarUrl ?? null,
        },
        previewOrigin: (port) => previewOrigin({ ...previewPlace(), id: sandbox.id, port }),
        module: only,
        onOpenFile: (path, line, column) => {
          openFile.current?.(path, { line, column }).catch(() => undefined)
        },
      })
      backend = started
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
      made?.dispose()
      backend?.dispose()
    }
  }, [sandbox.id])

  if (failure !== null)
    return <EditorErrorPage code="SANDBOX_NOT_STARTED" id={sandbox.id} error={failure} state="ERROR" />

  const share = () => copyLink(notices, `${window.location.origin}/sandbox/${sandbox.id}`)
  const lamp = client
    ? ({ tone: 'on', words: 'Runs in your browser' } as const)
    : ({ tone: 'working', words: 'Opening' } as const)
  return (
    <div className="flex h-dvh flex-col overflow-hidden">
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
        clients={clients}
        selfId={client?.clients.self?.clientId}
        following={following}
        onShare={share}
        onRestart={undefined}
        canRestart={null}
      />
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
                id: sandbox.id,
                port,
                token: user === null ? null : await api.previewToken(),
              })
            }
            canWrite={canWrite}
            comments={comments}
            comment={comment}
            file={file}
            onMissingFile={(missing) =>
              notices.add({ tone: 'warning', title: 'The file could not be opened', body: missing, timeout: 10_000 })
            }
            onOpened={(opened) => {
              openFile.current = (...given) => opened.openFile(...given)
              setWorkbench(opened)
            }}
            onReady={() => setShown(true)}
            onError={setFailure}
          />
        )}
        {!isShown && (
          <div role="status" className="absolute inset-0 flex items-center justify-center bg-ground p-4 text-quiet">
            Opening the sandbox
          </div>
        )}
      </main>
    </div>
  )
}
