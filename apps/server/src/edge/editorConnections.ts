import type { Duplex } from 'node:stream'
import type { AccessLevel, BoxTokenClaims } from '@boxyard/protocol'
import { ACCESS_CHANGED, type PlatformEvent } from '../events/platformEvent.ts'

export interface EditorConnectionsOptions {
  /** What the holder of a token may do in its box now; undefined where the token says it for as long as it lasts. */
  accessOf: (claims: BoxTokenClaims) => Promise<AccessLevel | 'none' | undefined>
  /** Tells the dev server. */
  tell: (boxId: string, change: { user: string; access: AccessLevel | 'none' }) => Promise<void>
  onError: (error: unknown, boxId: string) => void
}

interface Editor {
  claims: BoxTokenClaims
  /** What the dev server lets it do. */
  access: AccessLevel
  socket: Duplex
}

/**
 * The open sockets of editors, and what becomes of them when somebody's rights change: the dev server hears of it, and whoever may do less
 * than their token says is cut off here, whatever the box makes of it. They come back with a token of what they may do now.
 */
export class EditorConnections {
  readonly #options: EditorConnectionsOptions
  readonly #editors = new Set<Editor>()

  constructor(options: EditorConnectionsOptions) {
    this.#options = options
  }

  hold(claims: BoxTokenClaims, socket: Duplex): void {
    if (socket.destroyed) return
    const editor = { claims, access: claims.access, socket }
    this.#editors.add(editor)
    socket.once('close', () => this.#editors.delete(editor))
  }

  /** Whether a token still says no more than its holder may do. */
  async mayUse(claims: BoxTokenClaims): Promise<boolean> {
    const access = await this.#options.accessOf(claims)
    return access === undefined || !exceeds(claims.access, access)
  }

  /** Looks again at everybody whose rights an event says have changed. */
  async handle({ type, subject }: PlatformEvent): Promise<void> {
    if (type !== ACCESS_CHANGED) return
    const [kind, id] = subject.split(':')
    const affected = [...this.#editors].filter(({ claims }) => {
      if (kind === 'user') return claims.sub === id
      return kind === 'team' || claims.aud === id
    })
    await Promise.all(affected.map((editor) => this.#review(editor)))
  }

  async #review(editor: Editor): Promise<void> {
    const { claims, socket } = editor
    const access = await this.#options.accessOf(claims)
    if (access === undefined || access === editor.access) return
    const isOver = exceeds(editor.access, access)
    await this.#options
      .tell(claims.aud, { user: claims.sub, access })
      .then(() => {
        if (access !== 'none') editor.access = access
      })
      .catch((error: unknown) => this.#options.onError(error, claims.aud))
    if (isOver) socket.end(() => socket.destroy())
  }
}

function exceeds(has: AccessLevel, may: AccessLevel | 'none'): boolean {
  return may === 'none' || (may === 'read' && has === 'write')
}
