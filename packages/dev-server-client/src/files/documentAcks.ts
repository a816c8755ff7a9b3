import { isConnectionFailure } from '../areaSync.ts'
import type { AreaContext } from '../areaSync.ts'

/** Revisions between two messages. A dev server keeps more operations than that anyway (512), and each message costs as much as an operation. */
const EVERY = 128

/** Tells the dev server which revision this client has, so that it can forget older operations; the last one, one at a time. */
export class DocumentAcks {
  readonly #context: AreaContext
  #revision = 0
  #told = 0
  #isOnItsWay = false

  constructor(context: AreaContext) {
    this.#context = context
  }

  note(revision: number): void {
    this.#revision = revision
  }

  flush(id: string): void {
    const { connection, reportFailure } = this.#context
    if (this.#isOnItsWay || this.#revision - this.#told < EVERY || connection.state.kind !== 'CONNECTED') return
    const revision = this.#revision
    this.#isOnItsWay = true
    connection
      .request('file/documentAck', { id, revision })
      .then(() => (this.#told = revision))
      .catch((error: Error) => {
        if (!isConnectionFailure(error)) reportFailure({ area: 'file', error })
      })
      .finally(() => (this.#isOnItsWay = false))
  }
}
