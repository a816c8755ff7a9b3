import { Emitter, type ClientsArea, type Connection } from '@boxyard/dev-server-client'
import { Channel, focusSchema, followChannel, type Focus } from './channels.ts'

/** How long a change of the visible editors settles before it counts, in milliseconds. */
export const FOLLOW_DEBOUNCE = 500
/** How often those who follow are told where this person is at most, in milliseconds. */
export const FOCUS_INTERVAL = 100

/** The editor as far as following needs it. Paths are relative to the workspace. */
export interface FollowedEditor {
  /** Where this person is; undefined when no file of the workspace has the focus. */
  focus(): Focus | undefined
  show(focus: Focus): Promise<void>
  isVisible(filepath: string): boolean
  onDidMove(listener: () => void): void
  onDidChangeVisible(listener: () => void): void
  onDidEdit(listener: () => void): void
}

export interface FollowingOptions {
  connection: Connection
  clients: Pick<ClientsArea, 'all' | 'self' | 'onDidChange'>
  editor: FollowedEditor
  onError(error: unknown): void
  schedule?(run: () => void, milliseconds: number): () => void
}

/** Follows one other client through files and lines, and tells those who follow this one where it is. */
export class Following {
  readonly #options: FollowingOptions
  readonly #schedule: NonNullable<FollowingOptions['schedule']>
  readonly #changes = new Emitter<string | undefined>()
  /** Fires with the client that is followed now. */
  readonly onDidChange = this.#changes.event
  #own: Channel | undefined
  #followed: { clientId: string; channel: Channel; filepath: string | undefined } | undefined
  #isTelling = false
  #cancelCheck: (() => void) | undefined
  #showing = 0

  constructor(options: FollowingOptions) {
    this.#options = options
    this.#schedule =
      options.schedule ??
      ((run, milliseconds) => {
        const timer = setTimeout(run, milliseconds)
        return () => clearTimeout(timer)
      })
    const { connection, clients, editor } = options
    connection.onDidJoin(() => this.#joined())
    if (connection.state.kind === 'CONNECTED') this.#joined()
    clients.onDidChange((all) => {
      const { clientId } = this.#followed ?? {}
      if (clientId !== undefined && !all.some((client) => client.clientId === clientId)) this.stop()
    })
    editor.onDidMove(() => this.#tellSoon())
    editor.onDidEdit(() => this.stop())
    editor.onDidChangeVisible(() => this.#checkSoon())
  }

  /** The client that is followed. */
  get clientId(): string | undefined {
    return this.#followed?.clientId
  }

  /** How many follow this client. */
  get followers(): number {
    return Math.max(0, (this.#own?.subscribers.length ?? 0) - 1)
  }

  toggle(clientId: string): void {
    if (this.clientId === clientId) this.stop()
    else this.follow(clientId)
  }

  follow(clientId: string): void {
    this.stop()
    if (clientId === this.#options.clients.self?.clientId) return
    const channel = this.#channel(followChannel(clientId), (from, data) => {
      // Everybody may speak in a channel; only the one who is followed leads.
      const focus = focusSchema.safeParse(data)
      if (from === clientId && focus.success) this.#lead(focus.data)
    })
    this.#followed = { clientId, channel, filepath: undefined }
    this.#changes.fire(clientId)
    channel.join().catch((error: unknown) => {
      if (this.#followed?.channel !== channel) return
      this.stop()
      this.#options.onError(error)
    })
  }

  stop(): void {
    const followed = this.#followed
    if (!followed) return
    this.#followed = undefined
    this.#cancelCheck?.()
    this.#changes.fire(undefined)
    followed.channel.leave().catch(this.#options.onError)
  }

  /** After a new join nobody is subscribed to anything, and this client may have another id. */
  #joined(): void {
    const { clients } = this.#options
    this.#own?.close()
    const self = clients.self?.clientId
    if (self !== undefined) {
      this.#own = this.#channel(followChannel(self), () => undefined)
      this.#own.join().catch(this.#options.onError)
    }
    const { clientId } = this.#followed ?? {}
    this.#followed?.channel.close()
    this.#followed = undefined
    if (clientId !== undefined) this.follow(clientId)
  }

  #channel(name: string, onMessage: (from: string, data: unknown) => void): Channel {
    return new Channel({
      connection: this.#options.connection,
      name,
      onMessage: ({ clientId, data }) => onMessage(clientId, data),
      // Whoever comes is told at once where this person is.
      onSubscribers: () => this.#tellSoon(),
    })
  }

  #tellSoon(): void {
    if (this.followers === 0) return
    if (this.#isTelling) return
    this.#isTelling = true
    this.#schedule(() => {
      this.#isTelling = false
      const focus = this.#options.editor.focus()
      if (focus && this.followers > 0) this.#own?.send(focus).catch(this.#options.onError)
    }, FOCUS_INTERVAL)
  }

  #lead(focus: Focus): void {
    if (!this.#followed) return
    this.#followed.filepath = focus.filepath
    this.#showing += 1
    this.#options.editor
      .show(focus)
      .catch(this.#options.onError)
      .finally(() => (this.#showing -= 1))
  }

  #checkSoon(): void {
    if (!this.#followed) return
    this.#cancelCheck?.()
    this.#cancelCheck = this.#schedule(() => {
      this.#cancelCheck = undefined
      const { filepath } = this.#followed ?? {}
      if (filepath === undefined || this.#showing > 0) return
      if (!this.#options.editor.isVisible(filepath)) this.stop()
    }, FOLLOW_DEBOUNCE)
  }
}
