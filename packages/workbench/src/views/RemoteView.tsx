import './boxView.css'
import type { Connection } from '@boxyard/dev-server-client'
import { useSyncExternalStore } from 'react'
import { usePreviewUrl } from '../preview/usePreviewUrl.ts'
import type { ServerLink, ServerLinkState } from '../vsCodeServer/ServerLink.ts'
import type { BoxStore } from './boxStore.ts'

export interface RemoteActions {
  openPreview(port: number): void
  copy(address: string): void
  reconnect(): void
  /** Undefined where there is no VS Code server to be had. Offered where none is connected. */
  enableServer: (() => void) | undefined
  disableServer: (() => void) | undefined
}

export interface RemoteViewProps {
  title: string
  store: BoxStore
  connection: Pick<Connection, 'state' | 'onDidChangeState'>
  /** To the VS Code server, where the editor is connected to it. */
  link: Pick<ServerLink, 'state' | 'onDidChange'> | undefined
  previewUrl(port: number): Promise<string>
  actions: RemoteActions
}

/** What the editor is connected to: the machine, its VS Code server, and the addresses of what listens there. */
export function RemoteView({ title, store, connection, link, previewUrl, actions }: RemoteViewProps) {
  const { ports, tasks } = useSyncExternalStore(store.subscribe, store.getSnapshot)
  const kind = useSyncExternalStore(
    (listener) => {
      const subscription = connection.onDidChangeState(listener)
      return () => subscription.dispose()
    },
    () => connection.state.kind,
  )
  const server = useSyncExternalStore(
    (listener) => {
      const subscription = link?.onDidChange(listener)
      return () => subscription?.dispose()
    },
    () => link?.state,
  )
  const { enableServer, disableServer } = actions
  return (
    <div className="boxyard-box">
      <section aria-label="Machine">
        <h2>Machine</h2>
        <ul>
          <li>
            <span className="boxyard-row">
              <span className="boxyard-name">{title}</span>
              <span className="boxyard-status">{connectionWords[kind]}</span>
            </span>
          </li>
          <li>
            <span className="boxyard-row">
              <span className="boxyard-name">VS Code server</span>
              <span className="boxyard-status">{server ? serverWords[server] : 'Not connected'}</span>
            </span>
          </li>
        </ul>
        {(kind === 'DISCONNECTED' || kind === 'HIBERNATED') && (
          <button type="button" className="boxyard-wide-button" onClick={actions.reconnect}>
            {kind === 'HIBERNATED' ? 'Wake the machine' : 'Connect again'}
          </button>
        )}
        {enableServer && (server === undefined || server === 'ended') && (
          <button type="button" className="boxyard-wide-button" onClick={enableServer}>
            Enable VSCode Extensions
          </button>
        )}
        {disableServer && (
          <button type="button" className="boxyard-wide-button" onClick={disableServer}>
            Disable VSCode Extensions
          </button>
        )}
      </section>
      <section aria-label="Addresses">
        <h2>Addresses</h2>
        {ports.length === 0 ? (
          <p className="boxyard-quiet">Nothing listens. The addresses of running servers appear here.</p>
        ) : (
          <ul>
            {ports.map(({ port, url }) => (
              <AddressRow
                key={port}
                port={port}
                host={url}
                task={tasks.find((task) => task.ports.some((open) => open.port === port))?.name}
                previewUrl={previewUrl}
                actions={actions}
              />
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

const connectionWords: Readonly<Record<Connection['state']['kind'], string>> = {
  IDLE: 'Connecting',
  CONNECTING: 'Connecting',
  CONNECTED: 'Connected',
  RECONNECTING: 'Reconnecting',
  DISCONNECTED: 'Disconnected',
  HIBERNATED: 'Asleep',
}

const serverWords: Readonly<Record<ServerLinkState, string>> = {
  connected: 'Connected',
  away: 'Waits for the machine',
  ended: 'Ended. Reload the window to connect again',
}

interface AddressRowProps {
  port: number
  host: string
  task: string | undefined
  previewUrl(port: number): Promise<string>
  actions: Pick<RemoteActions, 'openPreview' | 'copy'>
}

function AddressRow({ port, host, task, previewUrl, actions }: AddressRowProps) {
  const { url, error } = usePreviewUrl(port, host, previewUrl)
  return (
    <li>
      <span className="boxyard-row">
        <span className="boxyard-name">{port}</span>
        <span className="boxyard-status boxyard-address" title={url && addressOf(url)}>
          {error ?? (url === undefined ? 'Asking for the address' : [task, addressOf(url)].filter(Boolean).join(' · '))}
        </span>
        {url !== undefined && (
          <span className="boxyard-actions">
            <button
              type="button"
              className="codicon codicon-open-preview"
              aria-label={`Open the preview of port ${port}`}
              title={`Open the preview of port ${port}`}
              onClick={() => actions.openPreview(port)}
            />
            <a
              className="codicon codicon-link-external"
              href={url}
              target="_blank"
              rel="noopener"
              aria-label={`Open port ${port} in a new tab`}
              title={`Open port ${port} in a new tab`}
            />
            <button
              type="button"
              className="codicon codicon-copy"
              aria-label={`Copy the address of port ${port}`}
              title={`Copy the address of port ${port}`}
              onClick={() => actions.copy(addressOf(url))}
            />
          </span>
        )}
      </span>
    </li>
  )
}

/** Without the token, which is for this person alone. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
