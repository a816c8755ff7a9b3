import './previewPane.css'
import type { ShellsArea } from '@boxyard/dev-server-client'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { BoxStore } from '../views/boxStore.ts'
import { deviceSizes, isDeviceName, type DeviceName } from './deviceSizes.ts'
import { PageStore } from './pageStore.ts'
import { PreviewConsole } from './PreviewConsole.tsx'
import { PreviewFrame, type TellPage } from './PreviewFrame.tsx'
import { PreviewProblem } from './PreviewProblem.tsx'
import { shortCount } from './shortCount.ts'
import { previewState } from './previewState.ts'
import { PreviewWait } from './PreviewWait.tsx'
import { usePreviewUrl } from './usePreviewUrl.ts'

/** How long a page may take to come back before its frame is made anew. */
const UNHEARD_MS = 2000

export interface PreviewProps {
  port: number
  store: BoxStore
  shells: Pick<ShellsArea, 'open'>
  previewUrl(port: number): Promise<string>
  canWrite: boolean
  /** Whether the console is open from the beginning. */
  showsConsole: boolean
  runTask(taskId: string): void
  runSetupStep(stepIndex: number): void
  openPort(port: number): void
  /** Takes a path relative to the workspace. */
  openPlace(place: { path: string; line: number; column: number }): void
}

/** The page that a port of the box serves, or what there is to say while it doesn't. */
export function Preview(props: PreviewProps) {
  const { port, store, previewUrl, openPort, openPlace } = props
  const { ports, tasks, setup } = useSyncExternalStore(store.subscribe, store.getSnapshot)
  const state = previewState({ port, ports, tasks, setup })
  const { url, error } = usePreviewUrl(port, ports.find((open) => open.port === port)?.url, previewUrl)
  const [entered, setEntered] = useState<{ path: string }>()
  const [loads, setLoads] = useState(0)
  const [device, setDevice] = useState<DeviceName>('fill')
  const [isConsoleOpen, setConsoleOpen] = useState(props.showsConsole)
  const pageStore = useMemo(() => new PageStore(), [])
  const page = useSyncExternalStore(pageStore.subscribe, pageStore.getSnapshot)
  const tell = useRef<TellPage | undefined>(undefined)
  const onTell = useCallback((next: TellPage) => {
    tell.current = next
  }, [])
  const destination = useMemo(
    () => (url === undefined ? undefined : { address: entered === undefined ? url : withPath(url, entered.path) }),
    [url, entered],
  )
  const ready = state.kind === 'ready' && destination !== undefined
  const path = page.path ?? entered?.path ?? (url === undefined ? '/' : pathOf(url))
  const { counts } = page

  const reload = () => {
    const anew = () => setLoads((count) => count + 1)
    // A page that talks keeps its history; one that does not is made anew.
    if (!page.speaks) return anew()
    tell.current?.('reload')
    pageStore.hear({ type: 'silent' })
    // It greets when it is back. One that never ends its work has not even heard.
    setTimeout(() => {
      if (!pageStore.getSnapshot().speaks) anew()
    }, UNHEARD_MS)
  }
  return (
    <div className="boxyard-preview">
      <div className="boxyard-preview-bar">
        <BarButton icon="arrow-left" label="Back" isDisabled={!page.canGoBack} run={() => tell.current?.('back')} />
        <BarButton
          icon="arrow-right"
          label="Forward"
          isDisabled={!page.canGoForward}
          run={() => tell.current?.('forward')}
        />
        <BarButton icon="refresh" label="Reload the preview" isDisabled={!ready} run={reload} />
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const value = String(new FormData(event.currentTarget).get('path') ?? '')
            setEntered({ path: value.startsWith('/') ? value : `/${value}` })
          }}
        >
          <PortChoice port={port} ports={ports.map((open) => open.port)} host={hostOf(url)} onChoose={openPort} />
          <PathInput path={path} />
        </form>
        <select
          className="boxyard-preview-size"
          aria-label="Size of the page"
          title="Size of the page"
          value={device}
          onChange={({ target }) => isDeviceName(target.value) && setDevice(target.value)}
        >
          {Object.entries(deviceSizes).map(([name, { name: words }]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="boxyard-preview-console-button"
          aria-label={`Console: ${many(counts.error, 'error')}, ${many(counts.warn, 'warning')}`}
          title="Console of the page"
          aria-expanded={isConsoleOpen}
          onClick={() => setConsoleOpen(!isConsoleOpen)}
        >
          <span className="codicon codicon-terminal" aria-hidden="true" />
          {counts.error > 0 && (
            <span className="boxyard-preview-badge boxyard-level-error">{shortCount(counts.error)}</span>
          )}
          {counts.error === 0 && counts.warn > 0 && (
            <span className="boxyard-preview-badge boxyard-level-warn">{shortCount(counts.warn)}</span>
          )}
        </button>
        {url !== undefined && (
          <a
            className="codicon codicon-link-external"
            href={withPath(url, path)}
            target="_blank"
            rel="noopener"
            aria-label="Open the preview in a new tab"
            title="Open the preview in a new tab"
          />
        )}
      </div>
      {ready ? (
        <div className="boxyard-preview-page">
          <PreviewFrame
            key={loads}
            destination={destination}
            title={`Preview of port ${port}`}
            page={pageStore}
            size={deviceSizes[device].size}
            onTell={onTell}
          />
          {page.problem && (
            <PreviewProblem problem={page.problem} onOpen={openPlace} onClose={pageStore.dismissProblem} />
          )}
        </div>
      ) : (
        <PreviewWait {...props} state={state} error={error} />
      )}
      {isConsoleOpen && <PreviewConsole page={page} onClear={pageStore.clear} onOpen={openPlace} />}
    </div>
  )
}

function BarButton(props: { icon: string; label: string; isDisabled: boolean; run(): void }) {
  const { icon, label, isDisabled, run } = props
  return (
    <button
      type="button"
      className={`codicon codicon-${icon}`}
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={run}
    />
  )
}

/** The host of the page, and with several ports the way to the others. */
function PortChoice(props: {
  port: number
  ports: readonly number[]
  host: string | undefined
  onChoose(port: number): void
}) {
  const { port, ports, host, onChoose } = props
  const others = ports.filter((other) => other !== port)
  if (others.length === 0) return <span>{host ?? `Port ${port}`}</span>
  return (
    <select aria-label="Port" title={host} value={port} onChange={({ target }) => onChoose(Number(target.value))}>
      {[port, ...others]
        .toSorted((a, b) => a - b)
        .map((each) => (
          <option key={each} value={each}>
            Port {each}
          </option>
        ))}
    </select>
  )
}

/** Where the page is. What is being typed is not overwritten when the page moves meanwhile. */
function PathInput({ path }: { path: string }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = path
  }, [path])
  return (
    <input
      ref={input}
      name="path"
      aria-label="Path"
      defaultValue={path}
      spellCheck={false}
      autoComplete="off"
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.value = path
      }}
    />
  )
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).host
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
