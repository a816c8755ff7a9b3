import type { FileObject } from '@boxyard/protocol'
import type { OpenFile, TextDocument } from './openFile.ts'

/** An open file as its openers get it. */
export function describeFile(file: OpenFile, state: ReplayState | null): FileObject {
  const openers = [...file.openers]
  return {
    id: file.id,
    isBinary: file.isBinary,
    content: file.isBinary ? file.content : (state?.text ?? ''),
    savedHash: file.savedHash,
    clients: Object.fromEntries(openers.map(([{ client }]) => [client.clientId, { username: client.username }])),
    document: state && {
      revision: state.revision,
      clients: Object.fromEntries(openers.map(([{ client }, selection]) => [client.clientId, selection])),
      ...(state.replay && { replay: state.replay }),
    },
  }
}

type Replay = NonNullable<NonNullable<FileObject['document']>['replay']>

export interface ReplayState {
  text: string
  revision: number
  replay: Replay | undefined
}

/** The text as it is now, and what was accepted since a revision when all of it is still known. */
export function replayState(
  { history }: TextDocument,
  clientId: string,
  sinceRevision: number | undefined,
): ReplayState {
  const { text, revision, oldestRevision } = history
  const known = sinceRevision !== undefined && sinceRevision >= oldestRevision && sinceRevision <= revision
  const replay = known
    ? history.operationsSince(sinceRevision).map((accepted) => ({
        operation: [...accepted.operation],
        revision: accepted.revision,
        own: accepted.author?.client === clientId,
      }))
    : undefined
  return { text, revision, replay }
}
