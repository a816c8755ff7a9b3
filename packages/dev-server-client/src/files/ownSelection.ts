import { transformSelection } from '@boxyard/ot'
import type { TextOperation } from '@boxyard/ot'
import { SELECTION_MOVED } from '@boxyard/protocol'
import type { Selection } from '@boxyard/protocol'
import { isConnectionFailure } from '../areaSync.ts'
import type { AreaContext } from '../areaSync.ts'

/**
 * Tells the others where this client's carets are. The dev server knows only the text it has accepted, so a selection waits until
 * every edit is; of several, the last one is sent, one at a time.
 */
export class OwnSelection {
  readonly #context: AreaContext
  #selections: Selection[] | undefined
  #isUnsent = false
  #isOnItsWay = false

  constructor(context: AreaContext) {
    this.#context = context
  }

  set(selections: Selection[]): void {
    this.#selections = selections
    this.#isUnsent = true
  }

  /** The text changed under it. */
  move(operation: TextOperation): void {
    this.#selections = this.#selections?.map((selection) => transformSelection(selection, operation))
  }

  /** The dev server has forgotten it. */
  repeat(): void {
    this.#isUnsent = this.#selections !== undefined
  }

  /** Sends it if it changed. Call only while the dev server has the whole text. */
  flush(id: string, isSynced: () => boolean): void {
    const { connection, reportFailure } = this.#context
    if (!this.#isUnsent || this.#isOnItsWay || !this.#selections || connection.state.kind !== 'CONNECTED') return
    this.#isUnsent = false
    this.#isOnItsWay = true
    connection
      .request('file/documentSelection', { id, selection: this.#selections, reason: SELECTION_MOVED })
      .catch((error: Error) => {
        if (!isConnectionFailure(error)) reportFailure({ area: 'file', error })
      })
      .finally(() => {
        this.#isOnItsWay = false
        if (isSynced()) this.flush(id, isSynced)
      })
  }
}
