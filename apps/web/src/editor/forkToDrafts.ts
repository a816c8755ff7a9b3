import type { NoticeContent } from '@boxyard/ui'
import { sandboxSchema } from '../api/schemas.ts'
import type { Sandbox } from '../api/schemas.ts'
import { RequestError } from '../api/RequestError.ts'
import type { RestClient } from '../api/RestClient.ts'

const ERROR_TIMEOUT_MS = 10_000

/** Where a copy goes, and who sees it; what is not said is as the server has it: a draft of the person, private. */
export interface ForkPlace {
  workspaceId?: string | undefined
  /** The number of a level. */
  privacy?: number | undefined
}

/** Makes a copy among the person's drafts, of the same kind. */
export function forkToDrafts(
  rest: Pick<RestClient, 'post'>,
  { id, v2 }: Pick<Sandbox, 'id' | 'v2'>,
  { workspaceId, privacy }: ForkPlace = {},
): Promise<Sandbox> {
  return rest.post(`/sandboxes/${encodeURIComponent(id)}/fork`, {
    schema: sandboxSchema,
    body: {
      v2,
      ...(workspaceId === undefined ? {} : { teamId: workspaceId }),
      ...(privacy === undefined ? {} : { privacy }),
    },
  })
}

/** What is said when there is a copy, and it is what is open. */
export function forkNotice({ v2 }: Pick<Sandbox, 'v2'>, originalPath: string): NoticeContent {
  return {
    uniqueName: 'fork',
    tone: 'success',
    title: `We forked this ${v2 ? 'Devbox' : 'Sandbox'} to your Drafts, so that you can edit it`,
    actions: [{ label: 'Open the original', perform: () => window.open(originalPath, '_blank', 'noopener') }],
    timeout: ERROR_TIMEOUT_MS,
  }
}

/** What is said when there is no copy. What was typed stays in the editor, or in the tab. */
export function forkFailure(error: unknown, { v2 }: Pick<Sandbox, 'v2'> = { v2: false }): NoticeContent {
  const shared = { uniqueName: 'fork', tone: 'error', timeout: ERROR_TIMEOUT_MS } as const
  const kept = v2 ? 'The original is as it was.' : 'What you typed is still in this page.'
  if (error instanceof RequestError && error.code === 'LIMIT_REACHED') {
    return {
      ...shared,
      title: 'We could not fork it to your Drafts folder, because it is full',
      body: kept,
      actions: [{ label: 'Open drafts', perform: () => window.open('/dashboard/drafts', '_blank', 'noopener') }],
    }
  }
  const next = error instanceof RequestError && error.next !== undefined ? ` ${error.next}` : ''
  return {
    ...shared,
    title: v2 ? 'This devbox could not be forked' : 'You may not change this sandbox, and it could not be forked',
    body: `${error instanceof Error ? error.message : String(error)}. ${kept}${next}`,
  }
}
