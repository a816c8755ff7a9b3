import { parseOperation, targetLength } from '@boxyard/ot'
import type { AcceptedOperation, ClientDocument } from '@boxyard/ot'
import type { FileObject } from '@boxyard/protocol'

/** The author key under which a document finds its own operation in a replay. */
export const OWN = 'own'

/**
 * The operations that a document missed, from the answer of a resync; undefined when the dev server does not have them all any
 * more or they do not lead to its text. Then the texts are compared instead.
 */
export function replayOf(document: ClientDocument, file: FileObject): AcceptedOperation[] | undefined {
  const replay = file.document?.replay
  if (!replay || typeof file.content !== 'string') return undefined
  if (file.document?.revision !== document.revision + replay.length) return undefined
  try {
    const operations = replay.map(({ operation, revision, own }) => ({
      operation: parseOperation(operation),
      revision,
      author: own && document.inFlight ? { client: OWN, sequence: document.inFlight.sequence } : undefined,
    }))
    const last = operations.at(-1)?.operation
    const fits = last === undefined || last.length === 0 || targetLength(last) === file.content.length
    return fits ? operations : undefined
  } catch {
    // Not operations at all: the text beside them decides.
    return undefined
  }
}
