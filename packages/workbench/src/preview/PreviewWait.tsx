import type { ShellsArea } from '@boxyard/dev-server-client'
import { useEffect, useState } from 'react'
import type { BoxStore } from '../views/boxStore.ts'
import type { PreviewState } from './previewState.ts'
import { tailText } from './tailText.ts'

const TAIL_LINES = 9
/** Output kept to find the last lines in, in UTF-16 units. */
const TAIL_LENGTH = 16_384
/** The size of a terminal that nobody looks at. */
const TAIL_SIZE = { cols: 125, rows: 20 }

export interface PreviewWaitProps {
  state: PreviewState
  error: string | undefined
  store: BoxStore
  shells: Pick<ShellsArea, 'open'>
  canWrite: boolean
  runTask(taskId: string): void
  runSetupStep(stepIndex: number): void
}

/** What there is to say while a port serves no page, and what helps. */
export function PreviewWait({ state, error, store, shells, canWrite, runTask, runSetupStep }: PreviewWaitProps) {
  return (
    <div className="boxyard-preview-wait" role="status">
      <h2>{error ?? (state.kind === 'ready' ? 'Opening the preview' : state.headline)}</h2>
      {state.kind === 'waiting' && (
        <>
          <p>{state.detail}</p>
          {state.canRun && canWrite && state.taskId !== undefined && (
            <RunButton taskId={state.taskId} runTask={runTask} />
          )}
          <Tail shellId={shellOf(state.taskId, store)} shells={shells} />
        </>
      )}
      {state.kind === 'set-up-failed' && (
        <>
          <p>{state.detail}</p>
          {canWrite && (
            <button type="button" onClick={() => runSetupStep(state.stepIndex)}>
              Run this step again
            </button>
          )}
          <Tail shellId={state.shellId} shells={shells} />
        </>
      )}
    </div>
  )
}

function RunButton({ taskId, runTask }: { taskId: string; runTask(taskId: string): void }) {
  return (
    <button type="button" onClick={() => runTask(taskId)}>
      Run the task
    </button>
  )
}

function Tail({ shellId, shells }: { shellId: string | undefined; shells: Pick<ShellsArea, 'open'> }) {
  const lines = useTail(shellId, shells)
  if (shellId === undefined) return null
  return (
    <div className="boxyard-preview-tail">
      {lines.length > 0 && (
        <pre aria-label="Last lines of the output">
          <code>{lines.join('\n')}</code>
        </pre>
      )}
    </div>
  )
}

function shellOf(taskId: string | undefined, store: BoxStore): string | undefined {
  return store.getSnapshot().tasks.find(({ id }) => id === taskId)?.shell?.shellId
}

function useTail(shellId: string | undefined, shells: Pick<ShellsArea, 'open'>): string[] {
  const [lines, setLines] = useState<string[]>([])
  useEffect(() => {
    if (shellId === undefined) return
    let output = ''
    let closed = false
    const opening = shells.open(shellId, TAIL_SIZE)
    opening.then(
      (session) => {
        if (closed) return
        session.onReset(() => (output = ''))
        session.onData((data) => {
          output = (output + data).slice(-TAIL_LENGTH)
          setLines(tailText(output, TAIL_LINES))
        })
      },
      // The shell is gone; the headline says what became of the task.
      () => setLines([]),
    )
    return () => {
      closed = true
      void opening.then(
        (session) => session.dispose(),
        () => undefined,
      )
    }
  }, [shellId, shells])
  return lines
}
