import type { NoticeContent } from '@boxyard/ui'
import { sandboxSchema } from '../api/schemas.ts'
import type { Sandbox } from '../api/schemas.ts'
import { RequestError } from '../api/RequestError.ts'
import type { RestClient } from '../api/RestClient.ts'

const ERROR_TIMEOUT_MS = 10_000

/** Makes a copy among the person's drafts, of a sandbox that has no machine. */
export function forkToDrafts(rest: Pick<RestClient, 'post'>, id: string): Promise<Sandbox> {
  return rest.post(`/sandboxes/${encodeURIComponent(id)}/fork`, { schema: sandboxSchema, body: { v2: false } })
}

/** What is said when there is no copy. What was typed stays in the editor. */
export function forkFailure(error: unknown): NoticeContent {
  const shared = { uniqueName: 'fork', tone: 'error', timeout: ERROR_TIMEOUT_MS } as const
  if (error instanceof RequestError && error.code === 'LIMIT_REACHED') {
    return {
      ...shared,
      title: 'We could not fork it to your Drafts folder, because it is full',
      body: 'What you typed is still in this page.',
      actions: [{ label: 'Open drafts', perform: () => window.open('/dashboard/drafts', '_blank', 'noopener') }],
    }
  }
  const next = error instanceof RequestError && error.next !== undefined ? ` ${error.next}` : ''
  return {
    ...shared,
    title: 'You may not change this sandbox, and it could not be forked',
    body: `${error instanceof Error ? error.message : String(error)}. What you typed is still in this page.${next}`,
  }
}
