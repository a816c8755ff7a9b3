import type { DevServerClient } from '@boxyard/dev-server-client'
import { useMachine } from '@xstate/react'
import { useEffect, useMemo, useState } from 'react'
import { useApp } from '../App.ts'
import { boxApi } from '../editor/boxApi.ts'
import { boxMachine } from '../editor/boxMachine.ts'
import { boxPorts } from '../editor/boxPorts.ts'
import { StartFailureView } from '../editor/StartFailureView.tsx'
import { StartProgressView } from '../editor/StartProgressView.tsx'
import { startView } from '../editor/startView.ts'
import { PageOfBox } from './PageOfBox.tsx'
import { portToShow } from './portToShow.ts'

/** Starts a box and shows the page of its port, or of the one that is named. */
export function StartedPreview({ id, port: named }: { id: string; port: number | undefined }) {
  const { rest } = useApp()
  const [client, setClient] = useState<DevServerClient | null>(null)
  const [found, setFound] = useState<number>()
  const api = useMemo(() => boxApi(rest, id), [rest, id])
  const ports = useMemo(() => boxPorts({ api, onClient: setClient, onStartedAnew: () => undefined }), [api])
  const [state, send] = useMachine(boxMachine, { input: ports })
  useEffect(() => {
    if (!client) return undefined
    // What is shown stays, whatever opens or closes after it.
    const look = () => setFound((shown) => shown ?? portToShow(client.tasks.all, client.ports.all))
    const subscriptions = [client.tasks.onDidChange(look), client.ports.onDidChange(look)]
    look()
    return () => subscriptions.forEach((one) => one.dispose())
  }, [client])

  const { box, progress, initStatus, failure, wasConnected } = state.context
  const port = wasConnected ? (named ?? found) : undefined
  if (port !== undefined) return <PageOfBox id={id} port={port} />
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      {state.matches('ERROR') && failure ? (
        <StartFailureView id={id} api={api} failure={failure} canRestart onRestart={() => send({ type: 'RESTART' })} />
      ) : wasConnected ? (
        <p role="status" className="text-quiet">
          Nothing listens yet. The page appears here when a port answers.
        </p>
      ) : (
        <StartProgressView view={startView(progress, box, initStatus, wasConnected)} />
      )}
    </main>
  )
}
