import type { ShellsArea } from '@boxyard/dev-server-client'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { BoxStore } from '../views/boxStore.ts'
import { previewState } from './previewState.ts'
import { tailText } from './tailText.ts'

const TAIL_LINES = 9
/** Output kept to find the last lines in, in UTF-16 units. */
const TAIL_LENGTH = 16_384
/** The size of a terminal that nobody looks at. */
const TAIL_SIZE = { cols: 125, rows: 20 }

/** Everything a page of its own may do, but for taking the editor's place. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads allow-pointer-lock'

export interface PreviewProps {
  port: number
  store: BoxStore
  shells: Pick<ShellsArea, 'open'>
  previewUrl(port: number): Promise<string>
  canWrite: boolean
  runTask(taskId: string): void
}

/** The page that a port of the box serves, or what there is to say while it doesn't. */
export function Preview({ port, store, shells, previewUrl, canWrite, runTask }: PreviewProps) {
  const { ports, tasks, setup } = useSyncExternalStore(store.subscribe, store.getSnapshot)
  const state = previewState({ port, ports, tasks, setup })
  const { url, error } = usePreviewUrl(port, previewUrl)
  const [entered, setEntered] = useState<string>()
  const [loads, setLoads] = useState(0)
  const path = entered ?? (url === undefined ? '/' : pathOf(url))
  const address = url === undefined || entered === undefined ? url : withPath(url, entered)
  const ready = state.kind === 'ready' && address !== undefined

  return (
    <div className="boxyard-preview">
      <div className="boxyard-preview-bar">
        <button
          type="button"
          className="codicon codicon-refresh"
          aria-label="Reload the preview"
          title="Reload the preview"
          disabled={!ready}
          onClick={() => setLoads(loads + 1)}
        />
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const value = String(new FormData(event.currentTarget).get('path') ?? '')
            setEntered(value.startsWith('/') ? value : `/${value}`)
            setLoads(loads + 1)
          }}
        >
          <span>{url === undefined ? `Port ${port}` : new URL(url).host}</span>
          <input name="path" aria-label="Path" defaultValue={path} key={path} spellCheck={false} autoComplete="off" />
        </form>
        {address !== undefined && (
          <a
            className="codicon codicon-link-external"
            href={address}
            target="_blank"
            rel="noopener"
            aria-label="Open the preview in a new tab"
            title="Open the preview in a new tab"
          />
        )}
      </div>
      {ready ? (
        <Frame key={loads} address={address} title={`Preview of port ${port}`} />
      ) : (
        <div className="boxyard-preview-wait" role="status">
          <h2>{error ?? (state.kind === 'ready' ? 'Opening the preview' : state.headline)}</h2>
          {state.kind === 'waiting' && <p>{state.detail}</p>}
          {state.kind === 'waiting' && state.canRun && canWrite && state.taskId !== undefined && (
            <RunButton taskId={state.taskId} runTask={runTask} />
          )}
          {state.kind === 'waiting' && <Tail shellId={shellOf(state.taskId, store)} shells={shells} />}
        </div>
      )}
    </div>
  )
}

/**
 * The page itself, on an origin of its own. Made by hand, because what a frame may do has to be settled before it gets its
 * address: a page isolated for shared memory shows frames of other origins only without their credentials.
 */
function Frame({ address, title }: { address: string; title: string }) {
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const frame = document.createElement('iframe')
    frame.title = title
    frame.allow = 'clipboard-read; clipboard-write; fullscreen; geolocation; microphone; camera'
    frame.setAttribute('sandbox', SANDBOX)
    if (window.crossOriginIsolated) frame.setAttribute('credentialless', '')
    frame.src = address
    holder.current?.replaceChildren(frame)
  }, [address, title])
  return <div className="boxyard-preview-frame" ref={holder} />
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
  if (lines.length === 0) return null
  return <pre aria-label="Last lines of the output">{lines.join('\n')}</pre>
}

function shellOf(taskId: string | undefined, store: BoxStore): string | undefined {
  return store.getSnapshot().tasks.find(({ id }) => id === taskId)?.shell?.shellId
}

function usePreviewUrl(port: number, previewUrl: PreviewProps['previewUrl']): { url?: string; error?: string } {
  const [answer, setAnswer] = useState<{ url?: string; error?: string }>({})
  useEffect(() => {
    let current = true
    previewUrl(port).then(
      (url) => current && setAnswer({ url }),
      (error: unknown) =>
        current &&
        setAnswer({ error: `The preview has no address: ${error instanceof Error ? error.message : String(error)}` }),
    )
    return () => {
      current = false
    }
  }, [port, previewUrl])
  return answer
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

/** The path of an address, without its query: that may hold the token of the preview. */
function pathOf(url: string): string {
  return new URL(url).pathname
}

function withPath(url: string, path: string): string {
  const base = new URL(url)
  const target = new URL(path, base)
  for (const [name, value] of base.searchParams)
    if (!target.searchParams.has(name)) target.searchParams.append(name, value)
  return target.origin === base.origin ? target.href : base.href
}
